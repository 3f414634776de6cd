<?php
function log_it($x) { static $log = [], $seen = ["k" => [1, 2]], $n = 0; $log[] = $x; $seen["k"][] = ++$n; if ($n == 3) { unset($log); $log[] = "local"; } return [$log, $seen]; }
for ($i = 0; $i < 4; $i++) { [$l, $s] = log_it($i); echo implode(",", $l), ";", implode(",", $s["k"]), "\n"; }
function &shared() { static $all = ["a"]; return $all; }
$x = &shared(); $x[] = "b"; $x = null; var_dump(shared());
