<?php
// Functions that return by reference, and what is done with their results.
function &cell() { static $v = 1; return $v; }
$c = &cell(); $c = 8; echo cell(), "\n";
function &element(array &$a, $k) { return $a[$k]; }
function &pass(array &$a, $k) { return element($a, $k); }
function &plain() { return 5; }
function &computed($x) { return $x . "!"; }
function &local() { $a = ["k" => [1, 2]]; return $a["k"][1]; }
function value() { return [1, "two"]; }
function &of_value() { return value(); }
function &nothing() { }
function change(&$x) { $x = is_array($x) ? "was array" : $x . "+"; }
function main() {
    $a = [1, "s", [3]];
    $r = &element($a, 1); $r .= "et"; $p = &pass($a, 2); $p[] = 4; $n = &pass($a, "new"); $n = "made";
    print_r($a);
    $copy = element($a, 0); $copy = 99; echo $a[0], "\n";
    $q = &plain(); $q++; echo $q, "\n";
    $q = &computed("c"); $q .= "?"; echo $q, computed("d"), "\n";
    $l = &local(); $l++; echo $l, local(), "\n";
    $v = &value(); $v[] = 3; echo count($v), "\n";
    $w = &of_value(); echo count($w), "\n";
    $z = &nothing(); var_dump($z);
    change(element($a, 0)); change(pass($a, 2)); change(value()); change(plain());
    $b = [5, 4, 6]; $o = ["l" => [3, 1, 2]]; sort(element($o, "l")); echo implode($o["l"]), end(value()), "\n";
    print_r($a);
    $deep["x"]["y"] = &element($a, 1); $deep["x"]["y"] .= "...";
    echo $a[1], "\n";
    $i = 0;
    while ($i < 3) { $e = &element($a, $i++); $e = $i; unset($e); }
    print_r($a);
    foreach ([1, 2] as $k) { try { $s = &throws($k); $s = "set"; } catch (Exception $x) { echo $x->getMessage(), "\n"; } }
    var_dump(cell() + 1, $s);
}
function &throws($k) { static $kept = 0; if ($k == 1) { throw new Exception("no"); } return $kept; }
main();
$g = &cell(); $g = [1]; $h = 'cell'; print_r($h());
change($undefined_at_first);
function &in_try(array &$a) { try { return $a[0]; } finally { echo "F"; } }
function &in_try2(array &$a) { try { return element($a, 1); } finally { echo "G"; } }
$arr = [1, 2]; $t = &in_try($arr); $t = "x"; $t = &in_try2($arr); $t = "y"; print_r($arr);
