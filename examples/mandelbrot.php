<?php
// The Mandelbrot set in characters: floats, nested loops, a break out of the innermost one.

function steps($cx, $cy, $limit)
{
    $x = 0.0;
    $y = 0.0;
    $n = 0;
    while ($n < $limit) {
        $xx = $x * $x;
        $yy = $y * $y;
        if ($xx + $yy > 4.0) {
            break;
        }
        $y = 2.0 * $x * $y + $cy;
        $x = $xx - $yy + $cx;
        $n++;
    }
    return $n;
}

$total = 0;
for ($row = -12; $row <= 12; $row++) {
    for ($column = -39; $column <= 39; $column++) {
        $n = steps($column / 26.0 - 0.5, $row / 10.0, 200);
        $total += $n;
        if ($n == 200) {
            echo "#";
        } elseif ($n > 10) {
            echo "+";
        } elseif ($n > 4) {
            echo ".";
        } else {
            echo " ";
        }
    }
    echo "\n";
}
echo $total, "\n";
