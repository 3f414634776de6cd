<?php
function classic($a) {
    $x = 1;
    $y = $x + 2;
    if ($a > 0) {
        $z = $y * 4;
    } else {
        $z = $y * 4;
    }
    echo $z;
    return $z;
}
classic(1);
classic(-1.5);
