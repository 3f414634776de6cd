<?php
function tour(bool $cond) {
    $a = 10;
    if ($cond) {
        $a = 20;
    }
    echo $a;
}
tour(true);
tour(false);
