<?php
// The longest Collatz chain that starts below a limit.

function chain_length($n)
{
    $length = 1;
    while ($n != 1) {
        if ($n % 2 == 0) {
            $n = intdiv_by_two($n);
        } else {
            $n = 3 * $n + 1;
        }
        $length++;
    }
    return $length;
}

function intdiv_by_two($n)
{
    return $n >> 1;
}

$best = 0;
$best_start = 0;
for ($start = 1; $start < 30000; $start++) {
    $length = chain_length($start);
    if ($length > $best) {
        $best = $length;
        $best_start = $start;
    }
}
echo "start ";
echo $best_start;
echo ", length ";
echo $best;
echo "\n";
