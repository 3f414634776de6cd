<?php
$count = 0; $list = ["a"]; $untouched = 1.5;
function add($v) { global $count, $list; $count++; $list[] = $v; return $count; }
for ($i = 0; $i < 3; $i++) { add("v$i"); }
$alias = &$count; $alias += 10; unset($alias); $alias = 5;
echo $count, " ", implode(",", $list), " ", $untouched, " ", $alias, "\n";
function readonlyGlobal() { global $count; return $count * 2; }
echo readonlyGlobal(), "\n"; unset($list); echo isset($list) ? "set" : "unset", "\n";
