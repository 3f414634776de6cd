<?php
function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function ack($m, $n) { return $m == 0 ? $n + 1 : ($n == 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); }
function even(int $n): bool { return $n === 0 || odd($n - 1); }
function odd(int $n): bool { return $n !== 0 && even($n - 1); }
echo fib(20), " ", ack(2, 3), " ", even(10) ? "even" : "odd", "\n";
function defaults($a, $b = 2, $c = "x", ?int $d = null) { return "$a/$b/$c/" . ($d ?? "null"); }
echo defaults(1), " ", defaults(1, 5), " ", defaults(1, 5, "y", 7), " ", defaults(1, 2, 3, 4, 5), "\n";
function weak(int $i, float $f, string $s, bool $b) { var_dump($i, $f, $s, $b); }
weak("5", 3, 1.5, "a"); weak(2.0, "1e2", true, 0);
function total(int ...$xs): int { $t = 0; foreach ($xs as $x) { $t += $x; } return $t; }
echo total(), " ", total(1, 2, 3), "\n";
function bump(&$x, int $by = 1) { $x += $by; }
$v = 5; bump($v); bump($v, 10); echo $v, "\n";
function counter() { static $n = 0, $s = "s"; $n++; $s .= $n; return $s; }
counter(); counter(); echo counter(), "\n";
$g = 1; function useGlobal() { global $g, $h; $g += 10; $h = "set"; } useGlobal(); echo $g, $h, "\n";
if (true) { function conditional() { return "conditional"; } } echo conditional(), "\n";
$name = "fib"; echo $name(10), " ", function_exists("FIB") ? "yes" : "no", function_exists("nope") ? "yes" : "no", "\n";
function deep(int $n): int { return $n === 0 ? 0 : 1 + deep($n - 1); }
echo deep(200000), "\n";
