<?php
function f($row) { throw new RuntimeException($row['msg'] . "!", $row['code'], $row['prev'][0] ?? null); }
function g($row) { throw new \LogicException($row['msg'], $row['missing']); }
try { f(['msg' => 'hello', 'code' => 7]); } catch (RuntimeException $e) { echo $e->getMessage(), $e->getCode(), "\n"; }
try { g(['msg' => 'hello']); } catch (LogicException $e) { echo $e->getMessage(), $e->getCode(), "\n"; }
$i = 5; try { unset($i[$d]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset($i[$d][0]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
