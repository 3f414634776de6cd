<?php
// Conditions from which PHP learns: comparisons, type tests, null, instanceof, increments.

class Point
{
    public int $x = 0;
    public ?Point $next = null;
}

function compare($a, int $b, $c = 5)
{
    if ($a < $b + 1) {
        $a++;
    } elseif ($a >= 100 and $b != 7) {
        $b = -$a;
    }
    if ($a == $b) {
        return $a - $b;
    }
    if (!($c <= 3) && $c - 2 < $b) {
        $c *= 2;
    }
    if ($b-- > 0 && --$c) {
        return $c <=> $b;
    }
    return $a . $b . $c;
}

function types($v, ?Point $p)
{
    if (is_int($v) || is_string($v)) {
        $v = (float) $v;
    } elseif ($v === null) {
        return $p?->next?->x ?? false;
    } elseif ($v === true || false !== $v) {
        $v = [$v];
    }
    if ($v instanceof Point) {
        return $v->x;
    }
    $w = $v ?: ($p ?? new Point());
    $w ??= 3;
    return match (true) {
        is_array($w), is_object($w) => "compound",
        $w > 1.5 => "big",
        default => throw new LogicException("small"),
    };
}

function choose(string $s, int $n)
{
    switch ($n) {
        case 1: case 2: case 3: $s .= "few"; break;
        case 10: case 100: $s .= "round";
        case -1: return $s;
    }
    switch ($s) {
        case "one": $n = 1; break;
        case "two": $n = 2; break;
        case "three": return match ($n) { 1, 3 => "odd", 2 => "even" };
        default: $n = empty($s) ? 0 : strlen($s);
    }
    return $n;
}

echo compare(1, 2), types(3, null), choose("one", 1);
