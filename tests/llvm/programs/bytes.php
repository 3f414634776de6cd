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
