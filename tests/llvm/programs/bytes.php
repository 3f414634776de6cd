<?php
// Bytes of strings: read, compared with literals, appended in place, ord and chr.
function classes(string $s): string {
    $out = '';
    for ($i = 0, $n = strlen($s); $i < $n; $i++) {
        $c = $s[$i];
        if ($c === 'q') $out .= '=';
        if ($c == 'q') $out .= '~';
        if ($c !== 'q') $out .= '!';
        if ($c < 'm') $out .= '<'; else $out .= '.';
        if ($c <= 'm') $out .= 'l';
        if ('m' < $c) $out .= 'g';
        if ('m' <= $c) $out .= 'G';
        if ($c > 'm') $out .= '>';
        if ($c >= 'm') $out .= ')';
        if ($c === '5' || $c == '5' || $c < '5') $out .= '#';
        $out .= $c . ' ';
    }
    return $out;
}
function versus(string $s): string {
    $r = [$s === 'm', $s == 'm', $s < 'm', $s <= 'm', 'm' < $s, 'm' <= $s, $s > 'm', $s >= 'm', $s === '', $s == '',
        $s === "\0", $s < "\0", $s == '0', $s === '0', $s == '1e1', $s < '9', $s < "\xff", $s >= "\xff", $s === 'mm'];
    $t = '';
    foreach ($r as $b) $t .= $b ? '1' : '0';
    return $t;
}
function grow(int $n): string {
    $s = 'ab';
    $copy = $s;
    for ($i = 0; $i < $n; $i++) { $s .= chr(97 + $i % 26); if ($i === 3) $copy = $s; }
    $one = $s[0];
    $one .= 'z';
    $one .= $one;
    return $copy . '|' . $s . '|' . $one;
}
function any($x, int $i) { return $x[$i]; }
echo classes("abmqz5 0\0\xff"), "\n";
foreach (['', 'm', 'ma', 'mm', 'l', 'z', "\0", '0', '00', '10', "\xff", "\xff\xff", 'M', ' '] as $s) echo versus($s), "\n";
echo grow(0), "\n", grow(40), "\n";
for ($i = -3; $i < 520; $i += 37) echo ord(chr($i)), ' ';
echo ord(''), ord('A'), ord("\0x"), ord("\xff"), "\n";
echo any('hello', 1), any('hello', -1), any([7, 8], 1), "\n";
echo any('hello', 5), '|', any('', 0), '|', any('abc', -4), '|', any(null, 0), '|', any(5, 0), "|\n";
$s = 'word';
$t = $s;
$t[0] = 'W';
$t[1] = chr(48);
$t[6] = '!';
echo $s, ' ', $t, ' ', strlen($t), "\n";
$letter = 'x';
$letter .= 'y';
$letter[1] = 'z';
echo $letter, $letter === 'xz' ? ' same' : ' other', "\n";
function chain($i, float $f, string $s, ?string $n, array $list): string {
    $t = $s . ',';
    $u = $i . ',' . $i * $i . ';' . $f . $s . $n . true . null . $t;
    $v = $s . $s . $t . $t;
    $w = $t . $s;
    return $u . '|' . $v . '|' . $w . '|' . $t . $s . '|' . ($s . '') . ('' . $s) . ("$s$i" . "$i$s") . $list[0] . $list[1] . "\n";
}
echo chain(12, 0.5, 'abc', null, [1, 'two']), chain('7', -1e25, '', 'n', ['x', 2.5]), chain(PHP_INT_MIN, 1, "long string, long enough to be moved when it grows", 'z', [true, false]);
echo 1.5 . 2, 'a' . -3, 4 . 'b', "x" . 1.0 . 'y', implode(',', array_slice([1, 'b', 2.5, true, null, [1][0]], 1, 4)), count(array_merge([1, 2], ['a', [3]], [], [true])), "\n";
echo implode(',', array_slice([true, false, true], 1)), implode(',', array_slice([1, 2, 3, 4], -3, 2)), implode(',', array_merge([], [1.5], [2.5, 3])), "\n";
function kept(int $n) {
    $a = ['x' => str_repeat('ab', $n), 'y' => 'lit'];
    $b = [str_repeat('q', $n), str_repeat('r', $n)];
    $t = $a['x'] . '!' . $b[0] . $b[1];
    $u = $b[0] . 'z' . $a['x'] . $n;
    $copy = $a;
    $v = $copy['x'] . '?';
    echo $t, ' ', $u, ' ', $v, ' ', $a['x'], $a['y'], $b[0], $b[1], $copy['x'], "\n";
}
kept(2); kept(20);
function listed(array $list) { foreach ($list as $i => $s) { $x = $list[$i] . 'x'; echo $x, $list[$i], ' '; } echo "\n"; }
listed([str_repeat('k', 3), 'lit', str_repeat('m', 30)]);
