<?php
function f($c) { if ($c) { $x = 1; } return $x; }
var_dump(f(true), f(false));
echo $undefined, "|", @$silent, "|\n";
$n = "5 apples" + 1; var_dump($n);
echo 7.5 % 2, " ", "abc"[1], "\n";
$arr = [1]; echo "$arr\n", $arr[5], $arr["k"], "\n";
function lossy(int $i) { return $i; } echo lossy(1.0), "\n"; echo lossy("7"), "\n"; echo lossy(1.5), "\n";
foreach (5 as $x) { } $s = "abc"; echo $s[9], "|\n"; echo intdiv(1, 0);
