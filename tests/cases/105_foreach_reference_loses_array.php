<?php
// The body of a foreach by reference makes the variable something else than an array: reported at the next turn.
function f() { $a = [1, 2]; $r = &$a; foreach ($a as &$v) { echo $v, "\n"; $r = 5; } var_dump($a); }
f();
$b = [1, 2, 3]; foreach ($b as &$v) { echo $v; $b = "s"; } var_dump($b);
