<?php
// Functions that are called with arguments of many types: what copies of them may not change.
function add($a, $b) { return $a + $b; }
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function ack($m, $n) { return $m === 0 ? $n + 1 : ($n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); }
function twice($x) { return $x . $x; }
function who($x) { return __FUNCTION__ . gettype($x) . $undefined; }
function counted($x) { static $calls = 0; return ++$calls . gettype($x); }
function sum($a) { $s = 0; foreach ($a as $v) { $s += $v; } return $s; }
function down($n, $acc = 0) { if ($n == 0) { return $acc; } return down($n - 2, $acc + $n); }
function grow($n, &$log) { if ($n > 1e20) { $log .= gettype($n); return $n; } $log .= "."; return grow($n * 8, $log); }
function typed(int|string $x, ?float $y = null) { return gettype($x) . gettype($y); }
function even($n) { return $n == 0 ? "even" : odd($n - 1); }
function odd($n) { return $n == 0 ? "odd" : even($n - 1); }
function rest($first, ...$rest) { return gettype($first) . count($rest); }
function bad($x) { if ($x > 3) { return 1 % ($x - $x); } return bad($x * 2); }
echo add(1, 2), " ", add(1.5, 2.5), " ", add("1", 2), " ", add(PHP_INT_MAX, 1), "\n";
echo fib(20), " ", fib(5.0), " ", fib("6"), "\n", ack(2, 3), " ", ack(0, 2.5), " ", ack(0, PHP_INT_MAX), "\n";
echo twice(3), twice("ab"), twice(1.5), twice(null), twice(true), "\n";
echo counted(1), counted("x"), counted(2), "\n";
echo sum([1, 2, 3]), " ", sum([1.5, 2.5]), " ", sum([]), " ", sum([PHP_INT_MAX, 1]), "\n";
echo down(10), " ", down(10.0), " ", down("8", 1.5), "\n";
$log = "";
var_dump(grow(9, $log), grow(0.5, $log), $log);
echo typed(1), typed("x", 2), typed(2, 2.5), typed("3"), "\n";
echo even(10), odd(7), even("4"), odd(3.0), "\n", rest(1), rest("x", 2), rest(1.5, 2, 3), "\n";
$name = "add";
echo $name([1], [2, 3])[1], $name(1, 1.5), implode(",", array_map("twice", [1, "x"])), "\n";
echo who(1), who("x"), "\n";
foreach ([1, 1.5, "2"] as $x) {
    try {
        bad($x);
    } catch (DivisionByZeroError $e) {
        echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n";
    }
}
try { bad(1); } catch (DivisionByZeroError $e) { echo $e->getTraceAsString(), "\n"; }
try { bad(0.75); } catch (DivisionByZeroError $e) { echo $e->getTraceAsString(), "\n"; }
try { echo typed([]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { echo add([], 1); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
