<?php
// Traces of errors that are caught, kept, passed on or made long before they are thrown.
function deep($n, $how) { return $n > 0 ? deep($n - 1, $how) : $how("x"); }
function thrower($x) { throw new RuntimeException("thrown " . $x); }
function catcher($n) {
    try {
        deep($n, 'thrower');
    } catch (RuntimeException $e) {
        echo $e->getTraceAsString(), "\n--\n";
        throw new LogicException("outer", 3, $e);
    }
}
function maker() { return new Exception("made"); }
function later() { throw maker(); }
function with_previous() { throw new LogicException("bad", 3, new Exception("prev")); }
function g() { with_previous(); }
try { catcher(2); } catch (LogicException $e) { echo $e->getTraceAsString(), "\n--\n", $e->getPrevious()->getTraceAsString(), "\n--\n"; }
try { later(); } catch (Exception $e) { echo $e->getTraceAsString(), "\n--\n"; }
$kept = maker();
echo $kept->getTraceAsString(), "\n--\n", get_class($kept), $kept->getLine(), "\n";
try { g(); } catch (LogicException $e) { echo $e, "\n--\n"; }
function compares($a, $b) { if ($a == 3) { throw new Exception("three"); } return $a <=> $b; }
function sorts() { $a = [3, 1, 2]; usort($a, 'compares'); }
try { sorts(); } catch (Exception $e) { echo $e->getTraceAsString(), "\n--\n"; }
function maps() { return array_map('typed', [1, "no"]); }
function typed(int $x) { return $x; }
try { maps(); } catch (TypeError $e) { echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n--\n"; }
function in_finally() { try { thrower("first"); } finally { intdiv(1, 0); } }
function around() { in_finally(); }
try { around(); } catch (DivisionByZeroError $e) { echo $e, "\n--\n"; }
function required($a, $b) { return $a; }
try { deep(1, 'required'); } catch (ArgumentCountError $e) { echo $e->getTraceAsString(), "\n--\n"; }
try { strlen(); } catch (ArgumentCountError $e) { echo $e->getTraceAsString(), "\n--\n"; }
g();
