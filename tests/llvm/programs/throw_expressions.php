<?php
function a() { try { $x = null; $x ??= throw new LogicException("le"); } catch (LogicException $e) { echo "c"; } echo $x; }
a();
function b($v) { $y = $v ?: throw new LogicException("le"); $z = $v ? 5 : throw new Exception("q"); return [$y, $z]; }
try { print_r(b(1)); b(0); } catch (LogicException $e) { echo "d"; }
try { $x = null; $x ??= throw new LogicException("le"); } catch (LogicException $e) {}
