<?php
// Globals written by name: $GLOBALS['x'] = …, op=, ++, in functions, in the main script, and where they are missing.
$g = 0; $s = "a"; $k = 7;
function o() { $GLOBALS['g'] = 5; return $GLOBALS['g']; }
function p() { $GLOBALS['g'] += 1.5; $GLOBALS['s'] .= "bc"; $x = ($GLOBALS['s'] .= "d"); $y = $GLOBALS['k']++; ++$GLOBALS['k']; return [$x, $y]; }
function q() { global $g; $GLOBALS['g'] = "str" . $g; return $g; }
function r() { $GLOBALS['new'] .= "n"; $GLOBALS['cnt']++; $GLOBALS['fresh'] = [1]; $GLOBALS['fresh'][] = 2; return $GLOBALS['fresh']; }
function t() { try { $GLOBALS['g'] %= 0; } catch (DivisionByZeroError | TypeError $e) { echo get_class($e), "\n"; } $GLOBALS['g'] = $GLOBALS['s'] = "both"; }
var_dump(o(), p(), $g, $s, $k, q(), $g); var_dump(r(), $new, $cnt); $g = 4; t(); var_dump($g, $s);
$GLOBALS['s'] .= "main"; echo $s, "\n";
