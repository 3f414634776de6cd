<?php
function weekday(int $days): int {
    $x = 1;
    while ($days-- > 0) {
        if (!is_int($x)) {
            $x = 'never';
        } else {
            $x = $x % 7 + 1;
        }
    }
    return $x;
}
echo weekday(10), "\n";
