<?php
function show($a) { $s = ""; foreach ($a as $k => $v) { $s .= $k . "=" . (is_array($v) ? "[" . show($v) . "]" : var_export($v, true)) . " "; } return trim($s); }
$a = [3, 1, 2]; $a[] = 9; $a["k"] = "v"; $a[10] = null; unset($a[1]); echo show($a), " ", count($a), "\n";
$b = $a; $b["k"] = "changed"; echo $a["k"], " ", $b["k"], "\n";
$m = []; for ($i = 0; $i < 3; $i++) { for ($j = 0; $j < 3; $j++) { $m[$i][$j] = $i * $j; } } echo show($m), "\n";
$m[1][1] += 5; $m[2][2] .= "x"; $m[0][0]++; ++$m[0][1]; echo show($m), "\n";
[$p, [$q, $r]] = [1, [2, 3]]; ["x" => $x, "y" => $y] = ["x" => "X", "y" => "Y"]; [$p, $q] = [$q, $p]; echo "$p $q $r $x $y\n";
function sum(array $xs) { $s = 0; foreach ($xs as $x) { $s += $x; } return $s; }
echo sum([1, 2, 3]), " ", sum([1.5, 2]), " ", sum(range(1, 100)), "\n";
$d = [1, 2, 3]; foreach ($d as &$e) { $e *= 2; } unset($e); echo show($d), "\n";
echo isset($d[1], $d[5]) ? "set" : "unset", empty($d[0]) ? "empty" : "full", $d[7] ?? "default", "\n";
echo implode(",", array_map("strrev", ["ab", "cd"])), " ", implode(",", array_keys(["a" => 1, 5 => 2])), in_array("2", [1, 2, 3]) ? " in" : " out", "\n";
$s = [5, 3, 8, 1]; sort($s); echo implode(",", $s), " ", max($s), " ", min(4, 2.5), " ", array_sum($s), "\n";
$nested = ["a" => ["b" => ["c" => 1]]]; echo $nested["a"]["b"]["c"], isset($nested["a"]["x"]["c"]) ? "y" : "n", "\n";
$spread = [...[1, 2], ...["k" => 3], 4]; echo show($spread), " ", show([1, 2] + [5, 6, 7]), "\n";
var_dump([1, "two" => [true, null]], (array) "x", [1, 2] == [2 => 1], [1, 2] === [1, 2]);
echo $undefinedArray["x"] ?? "quiet", "\n", @$nothing["k"], "|\n"; echo $d["missing"], "|\n";
const TABLE = [1, [2, 3], "k" => "v"]; echo TABLE[1][0], TABLE["k"], "\n";
