<?php
// Elements of arrays by the short ways: kinds that widen, keys found again, rows that are only looked at, slots, copies.
function show($a): void { echo json_encode_like($a), "\n"; }
function json_encode_like($a): string {
    if (!is_array($a)) return $a === null ? 'null' : ($a === true ? 'true' : ($a === false ? 'false' : (string)$a));
    $t = [];
    foreach ($a as $k => $v) $t[] = $k . ':' . json_encode_like($v);
    return '[' . implode(' ', $t) . ']';
}
function bools(int $n): array {
    $a = array_fill(0, $n, false);
    for ($i = 0; $i < $n; $i += 3) $a[$i] = true;
    $b = $a;
    $b[1] = true;
    $c = [true, false];
    $c[] = true;
    $c[] = $n > 2;
    $d = $c;
    $d[] = 'text';
    $e = $c;
    $e[0] = 7;
    $f = $c;
    unset($f[1]);
    $f[] = false;
    $g = [];
    for ($i = 0; $i < $n; $i++) $g[] = $i % 2 === 0;
    $h = $g;
    foreach ($h as &$r) $r = !$r;
    unset($r);
    $g[$n] = true;
    $g[$n + 2] = true;
    $popped = [array_pop($c), array_shift($c), $c];
    return [$a, $b, $d, $e, $f, $g, $h, $popped, array_sum($a), $a === $b, $a == $b, in_array(true, $a, true)];
}
function sum_of($p) { return $p['x'] + $p['y'] * 10 + ($p['z'] ?? 100); }
function shapes(): void {
    $one = ['x' => 1, 'y' => 2, 'z' => 3];
    $two = ['z' => 3, 'y' => 2, 'x' => 1];
    $three = ['y' => 5, 'x' => 4];
    $four = ['a' => 0, 'x' => 4, 'y' => 5];
    unset($four['a']);
    $five = ['x' => 1, 'y' => 2];
    $reference = &$five['x'];
    $reference = 30;
    for ($i = 0; $i < 2; $i++) foreach ([$one, $two, $three, $four, $five] as $p) echo sum_of($p), ' ';
    unset($one['x']);
    echo sum_of($one), "\n";
    echo isset($one['x']) ? 'set' : 'not', isset($two['x']) ? 'set' : 'not', isset($two['n']) ? 'set' : 'not', "\n";
}
function move(array &$body, float $by): void {
    for ($i = 0; $i < count($body); $i++) {
        $body[$i]['x'] += $by;
        $body[$i]['n']++;
        $body[$i]['tags'][] = $i;
        $body[$i]['deep']['k']['m'] = ($body[$i]['deep']['k']['m'] ?? 0) + 1;
    }
}
function bodies(): void {
    $a = [['x' => 1.5, 'n' => 0, 'tags' => []], ['n' => 5, 'tags' => ['t'], 'x' => 2]];
    $before = $a;
    move($a, 0.25);
    $middle = $a;
    move($a, 1);
    show($before); show($middle); show($a);
    $shared = ['k' => [1, 2]];
    $rows = [$shared, $shared];
    $rows[0]['k'][1] = 'changed';
    $rows[1]['new']['x'] = true;
    show($rows); show($shared);
}
function set_all(array &$a, $v): void { for ($i = 0; $i < 4; $i++) $a[$i] = $v; }
function references(): void {
    foreach ([true, 1, 2.5, 'text', [1], null] as $v) {
        $a = [1, 2];
        $copy = $a;
        set_all($a, $v);
        $b = [false, false, false];
        set_all($b, $v);
        show([$a, $copy, $b]);
    }
    $x = 1;
    $list = [0, 2];
    $list[0] = &$x;
    $list[0] = 'through';
    $list[1] = 'plain';
    echo $x, ' ', $list[0], $list[1], "\n";
    $m = [[1, 2], [3, 4]];
    $row = $m[1];
    $m[1][0] = 'new';
    echo $row[0], $m[1][0], $m[0][1] * $m[0][0] . $m[1][1], count($m[1]), "\n";
}
function looks(array $m, int $i, int $j): string {
    try {
        $s = $m[$i][$j] < 5 ? 'small' : 'large';
        return $s . $m[$i][$j] % $m[$j][$i] . ($m[$i] === $m[$j] ? ' same' : ' other');
    } catch (DivisionByZeroError $e) {
        return $e->getMessage() . $m[$i][$j];
    } catch (TypeError $e) {
        return $e->getMessage();
    }
}
function missing(): void {
    $m = [[1, 2], 'ab', null, ['k' => ['z' => 'deep']]];
    echo $m[0][5] ?? 'none', $m[7][0] ?? 'none', $m[1][1], $m[2][0] ?? 'none', $m[3]['k']['z'], "\n";
    echo $m[0][5], '|', $m[7][0], '|', $m[2][0], '|', $m[3]['no']['z'], '|', $m[1][9], "|\n";
    echo $m["0"][1], $m[0.0][1], $m[true][0], count($m[3]['k']), strlen($m[3]['k']['z']), "\n";
}
foreach (bools(7) as $x) show($x);
shapes();
bodies();
references();
echo looks([[1, 7], [3, 4]], 0, 1), ' ', looks([[1, 7], [0, 4]], 0, 1), ' ', looks([[1, 7], [[], 4]], 0, 1), "\n";
echo looks([['a', 'b'], ['a', 'b']], 0, 0), "\n";
missing();
$fill = [];
for ($i = 0; $i < 40; $i++) $fill[$i] = $i * 1.5;
$fill[40] = 'end';
$grid = [];
for ($i = 0; $i < 3; $i++) for ($j = 0; $j < 12; $j++) $grid[$i][$j] = $i * $j;
$grid[1][12] = 0.5;
show($fill);
show($grid);
function literals(int $i, float $f, bool $b, $any): void {
    show([$i, $i + 1, 3]); show([$f, 1.5]); show([$b, true, !$b]); show([$i, $f]); show([$any, $i]); show([$i, null, 'x', [$f]]);
    show([$i, 5 => $f, $i]); show([$i, ...[1, 'k' => 2], $f]); show([$b ? $i : $any, $b ? 1 : 2]); show([[$i], [$f, [$b]]]);
    show([@$undefined, $i]); show(['k' => $i, 'l' => $f, 'k' => $b, '7' => 1, 'next']); show([true, $any]); show([$i++, $i, $i *= 2.5]);
    $list = [$i, $f];
    $copy = $list;
    $list[] = 'more';
    $list[0] = true;
    show($copy); show($list);
    try {
        show([$i, [1, 2], intdiv($copy[0] > 1 ? 1 : 2, 0), 'never']);
    } catch (DivisionByZeroError $e) {
        echo $e->getMessage(), "\n";
    }
}
literals(1, 0.5, true, 'any');
literals(PHP_INT_MAX, -0.0, false, [1, 2]);
function records(int $i, $any): void {
    $made = [];
    for ($k = 0; $k < 3; $k++) $made[] = ['id' => $k, 'name' => "n$k", 'list' => [$k, $any], 'any' => $any];
    $made[1]['name'] .= '!';
    $made[2]['extra'] = $i;
    unset($made[0]['id']);
    $made[0][] = 'pushed';
    foreach ($made as $m) show($m);
    show(['a' => $i, 'b' => $any, 5 => $i, 'c' => 1, 'pushed']);
    show(['a' => $i, 'a' => $any, 'b' => $i]);
    show(['-5' => $i, '05' => $any, 'é' => 1, '' => $i, 'x' => $any] + ['x' => 0, 'y' => $i]);
    try {
        show(['a' => $any, 'b' => [$i, $any], 'c' => intdiv($i, $i - 1), 'd' => 1]);
    } catch (DivisionByZeroError $e) {
        echo $e->getMessage(), "\n";
    }
    $wide = ['a' => $i, 'b' => 1, 'c' => 1, 'd' => 1, 'e' => 1, 'f' => 1, 'g' => 1, 'h' => 1, 'i' => $any, 'j' => 1];
    $copy = $wide;
    unset($wide['j'], $wide['b']);
    $wide['k'] = $copy['i'];
    show($wide); show($copy);
}
function rebound(array &$a, int &$n, ?string &$s): void {
    $a['n'] = ($a['n'] ?? 0) + 1;
    $n += $a['n'];
    $s .= 's';
    unset($n);
    $n = 100;
    $a[0][1] = $n;
    $other = ['other'];
    if ($s === 'sss') $a = &$other;
    $a[] = $s;
}
function bound(array &$a, &$x, int $depth): int {
    $a[$depth] = $x++;
    $a['sum'] = ($a['sum'] ?? 0) + $a[$depth];
    if ($depth > 0) return bound($a, $a[$depth], $depth - 1) + count($a);
    $x = [$x];
    $x[] = $depth;
    return 0;
}
records(1, 'v');
records(2, [1]);
$array = []; $number = 1; $string = null;
for ($k = 0; $k < 4; $k++) { rebound($array, $number, $string); show([$array, $number, $string]); }
$array = [];
$start = 5;
echo bound($array, $start, 3), "\n";
show([$array, $start]);
$sums = [];
foreach ([3, 1, 3, 2, 1] as $k) { @$sums[$k] += $k; @$sums['t'][$k] += 0.5; @$sums['u'][$k % 2][$k] .= $k; }
show($sums);
$none = null; $none[3] -= 2; $flag = false; $flag[1] |= 6; $text = 'abc';
show([$none, $flag]);
try { $text[1] += 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $number[1] += 1; } catch (Error $e) { echo $e->getMessage(), "\n"; }
foreach ([3, -3, 2.5, '10', 'x', null, true, [1], PHP_INT_MAX] as $a) {
    foreach ([3, 7, -0.5, '9', 'y', false, [2, 1], PHP_INT_MIN] as $b) { show([max($a, $b), min($a, $b)]); }
}
