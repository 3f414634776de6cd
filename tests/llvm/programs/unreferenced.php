<?php
// A value where a function that is declared further down takes a reference.
function h() { try { g(1, 2.5, []); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), $e->getLine(), "\n"; } finally { echo "finally\n"; } }
h();
function kept($s) { foreach ([$s . "x"] as $v) { try { echo g([$v], $v . "c"), "never"; } catch (Error $e) { echo $e->getMessage(), "\n"; } } }
kept("k");
try { rest(1, $x, 5); } catch (Error $e) { echo $e->getMessage(), "\n"; }
echo g(1, $y), $y, by_value("v" . $y), "\n";
g([1],
  5);
function g($x, &$y) { $y = "called"; return "!"; }
function rest($x, &$a, &$b) { }
function by_value($x) { return $x; }
