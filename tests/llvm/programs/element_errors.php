<?php
// What is said when an element cannot be written, and in which order.
function opaque($v) { return $v; }
function by_reference(&$p) { $p = 1; }
function string_slots($s, $k, $l) {
    try { $s[$k][$l] = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $s[$k][] = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $s[$k] += 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $s[$k][$l] .= "x"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $s[$k]++; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { --$s[$k][$l]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $r = &$s[$k]; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { by_reference($s[$k]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { later($s[$k]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { unset($s[$k]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { unset($s[$k][$l]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $s[] = 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    var_dump($s);
}
function later(&$p) { $p = 1; }
foreach ([[0, "a"], ["a", "b"], [null, []], [[], 1]] as [$k, $l]) { string_slots("str", $k, $l); }
function literal() { $s = "str"; $s['a']['b'] = 1; }
try { literal(); } catch (Error $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
function order($q) {
    try { $q[$d] = $x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $q[$d][$d] = $x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $q[[]] = $x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $q[$d] += $x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { $q["new"] .= $x; } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { unset($q[$d][0]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
    try { unset($q[[]]["a"]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
}
order([1]);
order(5);
order(null);
function undefined() {
    $u['k'] += $v;
    $t["t"] .= $v;
    return [$u, $t];
}
var_dump(undefined());
function container_as_key() { $w[$w] = $v; }
try { container_as_key(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
