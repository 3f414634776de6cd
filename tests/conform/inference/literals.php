<?php
// Integer literals that PHP's level bit 0x20000 turns into floats, and such as it must leave alone.
function summed(float $x, int $n): float
{
    $sum = 0;
    $factor = 1;
    for ($i = 0; $i < $n; $i = $i + 1) {
        $sum = $sum + $x;
        $factor = $factor * 2.0;
    }
    return $sum * $x - $factor * 1.0;
}

function either(float $x, bool $b): float
{
    if ($b) {
        $start = 3;
    } else {
        $start = 2.5;
    }
    return $start + $x;
}

function constants(float $x): float
{
    $two = 2;
    $odd = 7;
    $big = 9007199254740993;
    return (($two * 3 - 1) / 5 + $x) * (($odd / 2 + 1) + $x) + (($big + 1) - $x);
}

function casts(int $i, float $x): float
{
    $zero = 0;
    $one = 1;
    $none = 0;
    return ($zero + $i) * $x + ($i / $one - $x) + (($none * $i + 5) / $x) + ((0 - $zero) - $x);
}

function kept(float $x, int $i, $any)
{
    $shown = 1;
    echo $shown;
    $mixed = 2;
    $half = 3;
    return [$shown + $x, $mixed + $any, ($half + $i) * $x, $half % 2];
}
