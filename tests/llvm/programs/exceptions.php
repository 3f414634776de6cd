<?php
function div(int $a, int $b) { return intdiv($a, $b); }
function safe($a, $b) { $s = "x" . $a; try { $r = div($a, $b); echo "ok "; return $r; } catch (DivisionByZeroError $e) { echo get_class($e), " ", $e->getMessage(), " ", $s, "\n"; return $s; } }
echo safe(6, 3), "\n"; echo safe(1, 0), "\n";
function fin($n) { $log = ""; for ($i = 0; $i < 3; $i++) { try { if ($i == $n) { throw new RuntimeException("at $i", 7); } $log .= $i; } catch (LogicException $e) { $log .= "L"; } catch (Exception $e) { $log .= "E" . $e->getCode(); } finally { $log .= "f"; } } return $log; }
echo fin(1), fin(9), "\n";
function ret() { try { return "try"; } finally { echo "[finally]"; } }
echo ret(), "\n";
function nested() { try { try { throw new TypeError("inner"); } finally { echo "cleanup "; } } catch (Error $e) { return $e->getMessage() . ($e instanceof TypeError ? " yes" : " no"); } }
echo nested(), "\n";
function override() { try { throw new Exception("lost"); } finally { return "kept"; } }
echo override(), "\n";
throw new LogicException("end");
