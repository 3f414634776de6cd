<?php
function inner(int $x) { return 10 % $x; }
function middle($y) { $keep = "owned" . $y; return inner($y) . $keep; }
function outer(array $list) { foreach ($list as $y) { echo middle($y), "\n"; } }
outer([3, "4", 0]);
