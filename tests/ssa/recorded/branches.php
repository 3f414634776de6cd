<?php
// Every kind of branch that says something about a variable.
function compare_variables($a, $b) {
    if ($a < $b) { echo $a, $b; } else { echo $b, $a; }
    if ($a <= $b) { echo $a, $b; } else { echo $b, $a; }
    if ($a == $b) { echo $a, $b; } else { echo $b, $a; }
    if ($a != $b) { echo $a, $b; } else { echo $b, $a; }
    if ($a > $b) { echo $a, $b; }
    if ($a >= $b) { echo $a, $b; }
    if ($a < $a) { echo $a; } else { echo -$a; }
}
function compare_constants($a) {
    if ($a < 10) { echo $a; } else { echo -$a; }
    if (10 < $a) { echo $a; } else { echo -$a; }
    if ($a <= PHP_INT_MAX) { echo $a; } else { echo -$a; }
    if ($a < PHP_INT_MIN) { echo $a; } else { echo -$a; }
    if (PHP_INT_MAX < $a) { echo $a; } else { echo -$a; }
    if (PHP_INT_MIN <= $a) { echo $a; } else { echo -$a; }
    if ($a == 5) { echo $a; } else { echo -$a; }
    if (5 != $a) { echo $a; } else { echo -$a; }
    if ($a < 1.5) { echo $a; }
    if ($a == "5") { echo $a; }
    if (!($a < 3)) { echo $a; }
}
function compare_sums($a, $b) {
    if ($a + 1 < $b) { echo $a, $b; } else { echo $b; }
    if ($a - 1 < $b + 2) { echo $a, $b; } else { echo $b; }
    if (3 + $a == 7) { echo $a; } else { echo -$a; }
    if ($a++ < 10) { echo $a; } else { echo -$a; }
    if ($a-- <= $b) { echo $a; } else { echo -$a; }
    if ($a + PHP_INT_MIN < $b) { echo $a; }
    if ($a - PHP_INT_MIN < $b + 1) { echo $a; }
    if (2 - $a < $b) { echo $a, $b; }
    if ($a + 1 < $a++) { echo $a; } else { echo -$a; }
}
function count_in_conditions($a, $b, $c, $d) {
    if ($a++) { echo $a; } else { echo -$a; }
    if (++$b) { echo $b; } else { echo -$b; }
    if ($c--) { echo $c; } else { echo -$c; }
    if (--$d) { echo $d; } else { echo -$d; }
    while ($a--) { echo $a; }
    do { echo $b; } while (--$b);
    for (; $c++ < 10;) { echo $c; }
}
function types($a, $b, $c) {
    if (is_int($a)) { echo $a; } else { var_dump($a); }
    if (is_array($a)) { echo $a[0]; } else { var_dump($a); }
    if (is_resource($a)) { var_dump($a); } else { echo $a; }
    if (!is_null($a)) { echo $a; }
    if (is_bool($b) || is_string($b)) { echo $b; }
    if ($b === null) { var_dump($b); } else { echo $b; }
    if (true !== $b) { var_dump($b); } else { echo $b; }
    if ($b === false) { var_dump($b); } elseif ($b === 1) { echo $b; }
    if ($c instanceof Exception) { echo $c; } else { var_dump($c); }
    if ($c instanceof Late) { echo $c; }
    if ($c instanceof \Countable && !$c instanceof Early) { echo $c; }
    echo $c ?? 7, $a ?? $b ?? $c, $c?->p?->q($a);
}
function rejoin($a, $n) {
    if ($a == 1) { } else { $a = 2; }
    if ($a < 5) { $n = $a; }
    if ($a > 5) { }
    while ($n > 0) { $n -= 1; if ($n == 3) { continue; } if ($n < $a) { break; } }
    return $a + $n;
}
class Early { public function own($x) { if ($x instanceof self || $x instanceof Early) { return $x; } return 1; } }
if (time()) { class Late { } }
