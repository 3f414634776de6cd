<?php
// Array literals with references.
$x = 1; $arr = [&$x]; $arr[0] = 5; echo $x, "\n";
function f(&$p) { $q = ['k' => &$p, 'n' => [&$p, 1]]; $q['k']++; $q['n'][0] .= "!"; $copy = $q; $copy['k'] = 'changed'; return $q; }
$v = 7; var_dump(f($v)); echo $v, "\n";
$deep = [1, [2]]; $list = [0, &$deep[1][0], 3 => &$deep['made']['here'], "3" => &$x, 0 => "zero", 1 => &$a]; $list[1] = 'in'; var_dump($deep, $list);
function swap(array $pair) { [$pair[0], $pair[1]] = [$pair[1], $pair[0]]; }
$a = 1; $b = 2; swap([&$a, &$b]); echo $a, $b, "\n";
$both = [&$a, &$b]; foreach ($both as &$e) { $e *= 10; } unset($e); echo $a, $b, "\n";
function refs() { $i = 0; $out = []; for (; $i < 3; $i++) { $out[] = [&$i, "v" => $i]; } return $out; }
foreach (refs() as $r) { echo $r[0], $r["v"], "\n"; }
try { $l = 1.5; $bad = [[] => &$l]; } catch (TypeError $t) { echo $t->getMessage(), "\n"; }
