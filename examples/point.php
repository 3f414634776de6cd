<?php
function walk(int $steps): float {
    $point = ['x' => 0.0, 'y' => 1.0];
    for ($i = 0; $i < $steps; $i++) {
        [$point['x'], $point['y']] = [$point['y'], $point['x'] + 0.5];
    }
    return $point['x'] / $point['y'];
}
echo walk(3), "\n";
