<?php
// Defaults that PHP keeps as expressions of its own constants are evaluated in each call.
const FOUR = 4;
function limits($low = PHP_INT_MIN, $high = PHP_INT_MAX, $end = PHP_EOL) {
    return "$low..$high$end";
}
function circle(float $radius, float $pi = M_PI): float { return $radius * $pi; }
function pick(array $from = [PHP_INT_SIZE => 'size', 'k' => E_ALL]) {
    $from[] = 'more';
    return $from;
}
function total(int $n = PHP_INT_MAX - 1) { return $n + FOUR; }
echo limits(), limits(0), limits(0, 1, "\n");
var_dump(circle(2.0), total(), total(3));
print_r(pick());
print_r(pick());
print_r(pick([]));
