<?php
namespace N; // Elements as arguments of functions that are declared later, in a branch, or nowhere.
$a = [1, [2, 'k' => 'v'], 3];
function main() {
    $a = [1, ['x' => [2]], 3];
    echo late($a[0]), late($a[1]['x'][0]), late(@$a[7]), strlen($a[0]), "\n";
    lateref($a[0]); lateref($a[1]['x'][]); lateref($a['new'][late($a[2])]); lateref($u[1]);
    print_r($a); print_r($u);
    lateref($s, $a[0], $a[5]); echo $s;
    print_r($a);
    try { missing($a[99]['deep']); } catch (\Error $e) { echo $e->getMessage(), "\n"; }
    try { late($a[0][2][3]); lateref($a[0][2]); } catch (\Error $e) { echo $e->getMessage(), "\n"; }
    echo rest(1, $a[0], $a[5]), cond($a[2], $a['q']), "\n"; print_r($a);
}
if (strlen("x")) { function cond($x, &$y) { $y = 'set'; return $x; } } else { function cond($p, &$r) { return 2; } }
main();
echo late($a[1][1 > 2 ? 'z' : 'k']), "\n";
lateref($a[3]); print_r($a);
function late($x) { return is_array($x) ? "arr" : "<" . ($x ?? "null") . ">"; }
function lateref(&$x, ...$more) { $x = $x === null ? "made" : [$x]; }
function rest($n, ...$all) { return $n . count($all) . implode(",", $all); }
