<?php
// Greatest common divisors, by subtraction and by remainder. No types are declared: the dump text could not tell them.

function gcd_subtract($a, $b)
{
    while ($a != $b) {
        if ($a > $b) {
            $a -= $b;
        } else {
            $b -= $a;
        }
    }
    return $a;
}

function gcd_remainder($a, $b)
{
    while ($b != 0) {
        $rest = $a % $b;
        $a = $b;
        $b = $rest;
    }
    return $a;
}

echo gcd_subtract(1071, 462), "\n";
echo gcd_remainder(1071, 462), "\n";
$sum = 0;
for ($i = 1; $i <= 300; $i++) {
    for ($j = 1; $j <= 300; $j++) {
        $sum += gcd_remainder($i, $j);
    }
}
echo $sum, "\n";
