<?php
// Loops of every kind, left in every way.

function nested(int $n, array $rows)
{
    $sum = 0;
    for ($i = 0; $i < $n; $i++) {
        for ($j = $i; $j < $n && $sum < 1000; ++$j) {
            if ($j % 3 == 0) {
                continue 2;
            }
            if ($j > 50) {
                break 2;
            }
            $sum += $rows[$i][$j] ?? 1;
        }
    }
    do {
        $sum--;
    } while ($sum > 10 || $n-- > 0);
    while ($n++ < 5);
    return $sum;
}

function over(iterable $things, &$count)
{
    foreach ($things as $key => $thing) {
        if ($thing === null) {
            return $key;
        }
        foreach ($thing as &$part) {
            $part .= $key;
            switch ($part) {
                case "a1":
                    continue 3;
                case "b1":
                    break 2;
                case "c1":
                    $count++;
                    // falls through
                default:
                    return [$part, ...$thing];
            }
        }
        unset($part);
    }
    ['x' => $x, 'y' => [, $y]] = $things;
    [$x, $y] = [$y, $x];
    return "$x-$y-$count";
}

function jumps($n)
{
    if ($n > 5) {
        goto middle;
    }
    top:
    $n = $n + 1;
    if ($n < 3) {
        goto top;
    }
    middle:
    $n += 2;
    if ($n < 10) {
        goto top;
    }
    return $n;
}

for (;;) {
    if (nested(10, []) > over([], $argc)) {
        break;
    }
}
