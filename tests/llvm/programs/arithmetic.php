<?php
function both($a, $b) {
    echo $a + $b, " ", $a - $b, " ", $a * $b, " ", $b == 0 ? "-" : $a / $b, " ", $b == 0 ? "-" : $a % $b, "\n";
}
both(7, 2); both(-7, 2); both(6, 3); both(PHP_INT_MAX, 1); both(PHP_INT_MIN, -1); both(1.5, 2); both(3, 0.5); both(0, 0);
both(true, null); both("12", "5"); both(9007199254740993, 1);
function typed(int $a, int $b): int|float { return $a * $b + $a; }
var_dump(typed(3, 4), typed(PHP_INT_MAX, 2));
var_dump(2 ** 10, 2 ** 63, 2 ** -1, (-8) ** 3, 2.5 ** 2, 7 <=> 7.0, intdiv(-7, 2), -7 % 3, 7 % -3);
function shifts(int $n) { return [1 << $n, -1 >> $n, 5 & $n, 5 | $n, 5 ^ $n, ~$n]; }
foreach ([0, 1, 63, 64, 100] as $n) { echo implode(",", shifts($n)), "\n"; }
$i = PHP_INT_MAX; $i++; var_dump($i); $j = PHP_INT_MIN; --$j; var_dump($j);
$n = null; $n++; var_dump($n); $m = null; $m--; var_dump($m); $z = "Az"; $z++; var_dump($z); $f = 1.5; $f--; var_dump($f);
var_dump((int) 1e19, (int) "12abc", (int) NAN, (float) "1e3", (bool) "0", (bool) 0.0, (string) 1.0, (string) false);
var_dump(0.1 + 0.2, 1e100, -0.0, 1 / 3, 1e15, 123456789012345678);
function accumulate(int $n) { $s = 1; for ($i = 1; $i <= $n; $i++) { $s *= $i; } return $s; }
var_dump(accumulate(20), accumulate(21));
