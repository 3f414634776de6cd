<?php
// What a variadic parameter gathers is checked one by one; messages count it, but have no name for it.
function add(int ...$numbers) { return array_sum($numbers); }
function join_all(string $glue, string|int ...$parts) {
    try { return implode($glue, $parts); } finally { echo count($parts), ' '; }
}
echo add(), add(1, "2", 3.0), "\n";
foreach (["x", 1.5, null, []] as $wrong) {
    try { echo add(1, $wrong), "\n"; } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
}
echo join_all(',', 1, 'b', 2.0), "\n";
try { join_all(',', 1, 2, null); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { join_all([]); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { array_map('add', [1, 'q']); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
