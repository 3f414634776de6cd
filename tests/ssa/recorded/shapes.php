<?php
// Definitions and control flow of every sort that Zend's SSA construction treats in its own way.
function choose($cond) { $a = 10; if ($cond) { $a = 20; } echo $a; }
function references($a) { $b = &$a; $c = &$b; $b = 1; $a = 2; return [$a, &$b, $c]; }
function two_definitions() { $x = $y = 1; $x = &$y; $x .= $y; return $x . $y; }
function loops($n) {
    for ($i = 0; $i < $n; $i++) {
        for ($j = $i; $j < $n; $j += 2) { if ($j == 7) { continue 2; } if ($i * $j > 100) { break 2; } }
        $k = $i;
    }
    do { $n--; } while ($n > 3 && $k);
    while (true) { if ($n++ > 10) { break; } }
    return $i + $n;
}
function each($list) {
    $v = 0;
    foreach ($list as $k => $v) { if ($v > 5) { break; } $s = $k; }
    foreach ($list as &$w) { $w++; }
    foreach ($list as ['p' => $p, 'q' => $q]) { echo $p, $q; }
    foreach ($list as $only) { }
    return [$v, $w, $s ?? null, $only];
}
function switches($x, $y) {
    switch ($x) { case 1: $y = 1; case 2: $y++; break; case 3: case 4: case 5: case 6: return $y; default: $y = 0; }
    switch ($y) { case 'a': $x = 1; break; case 'b': $x = 2; break; case 'c': $x = 3; }
    switch ($x + $y) { case $x: return 1; case $y: $x = 9; }
    return match (true) { $x < 5 => $y, $y > 2, $x == 1 => 2, default => match ($x) { 1, 2 => 'a', 3 => 'b' } };
}
function gotos($n) {
    if ($n > 5) { goto second; }
    first: $n++; echo 'first';
    second: $n += 2; echo 'second';
    if ($n < 100) { goto first; }
    if ($n < 200) { goto second; }
    third: if ($n-- > 3) { goto third; }
    return $n;
}
function short_circuits($a, $b, $c) {
    $x = $a && $b || $c; $y = $a ?: $b; $z = $a ?? $b['k'] ?? $c->p; $a ??= $b; $b['q'] ??= $c; $w = $c?->m($a)?->p;
    return $x ? ($y and $z) : !$w xor $a;
}
function arrays($a, $i) {
    $a[] = $i; $a[$i]['k'] = 1; $a[$i] += 2; $a[$i++]++; unset($a[$i]); [$i, $a] = [$a, $i]; $b = [1, 'k' => $i, &$a, ...$i];
    $a[0] .= $a; $a->p = $i; $a->q->r = &$i; $a->n++; $a->m -= 1; isset($a[$i]->p, $b); empty($b[0]); unset($a->p);
    list(, $c) = $b; ['x' => $d, 'y' => [$e]] = $b; [$f, &$g] = $b; return compact_free($a, $b, $c, $d, $e, $f, $g);
}
function names() { global $g, $h; static $s = 1, $t; $s++; $g = $t; unset($h); return fn() => $s + $g; }
function closures($a, &$b) { $f = function ($x) use ($a, &$b, &$f) { $b = $x; return $a; }; $f($a); usort($a, $f); return $f(...); }
function calls($a, $b) { sort($a); known($a, $b); unknown($a, $b[1]); $a->m($b, ...$b); new Foo($a); A::b($a); $a(x: $b); return strlen($a) + count($b); }
function known(&$x, $y = 2) { $x = $y; }
function &by_reference(array &$a) { return $a[0]; }
function generator($n) { $r = yield; while ($n--) { $x = yield $n => $r; yield from [1, $x]; } return $r; }
function &reference_generator($n) { foreach ([1, 2] as $k => $v) { yield $k => $v; } yield $n; }
function dead($x) { return $x; while ($x) { $x--; foreach ($x as $y) { return $y; } } switch ($x) { case 1: echo 2; } }
function typed(int $a, ?string $b = null, int|float ...$rest): ?int { if ($b) { return $a; } return null; }
function throwing($x) { $y = $x ?? throw new Exception('e'); if (!$y) { throw $y; } $z = $y or exit(1); return match ($z) { 1 => 2 }; }
function strings($a, $b) { return "x{$a}y$b" . 'z' . @$a[$b] . `ls $a`; }
function spin() { while (1) { } }
$main = 1; if ($main > 0) { $main--; } else { $other = $main; } while ($main < 3) { $main++; } echo $main, $other ?? 1;
