<?php
$e = new LogicException(null, null, null); var_dump($e->getMessage(), $e->getCode());
try { new LogicException([]); } catch (TypeError $t) { echo $t->getMessage(), "\n"; }
try { new TypeError(1, 2, 3, 4); } catch (Error $t) { echo get_class($t), $t->getMessage(), "\n"; }
try { new TypeError("a", 1.5); } catch (Error $t) { echo get_class($t), $t->getMessage(), "\n"; }
try { new RuntimeException("a", 0, 5); } catch (Error $t) { echo get_class($t), $t->getMessage(), "\n"; }
function make() { return new LogicException("a", 2, null, 4); }
try { make(); } catch (ArgumentCountError $t) { echo $t->getMessage(), "\n", $t->getTraceAsString(), "\n"; }
function ask($e) { return $e->getMessage(1); }
try { ask(new TypeError("x")); } catch (ArgumentCountError $t) { echo $t->getMessage(), "\n", $t->getTraceAsString(), "\n"; }
try { ask(new Exception("x")); } catch (ArgumentCountError $t) { echo $t->getMessage(), "\n"; }
function nothing($e) { return $e->nosuch(1); }
try { nothing(new Exception("x")); } catch (Error $t) { echo $t->getMessage(), "\n", $t->getTraceAsString(), "\n"; }
