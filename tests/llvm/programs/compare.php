<?php
$values = [null, false, true, 0, 1, -1, 1.0, 0.5, "", "0", "1", "a", "1.0", "abc", PHP_INT_MAX, 9.2233720368547758E18, NAN];
foreach ($values as $a) {
    $line = "";
    foreach ($values as $b) {
        $line .= (int) ($a == $b) . (int) ($a === $b) . (int) ($a < $b) . (int) ($a <= $b) . ($a <=> $b) . " ";
    }
    echo $line, "\n";
}
function ints(int $a, int $b) { return ($a < $b) . "|" . ($a <= $b) . "|" . ($a > $b) . "|" . ($a != $b) . "|" . ($a <=> $b); }
function floats(float $a, float $b) { return ($a < $b) . "|" . ($a <= $b) . "|" . ($a == $b) . "|" . ($a !== $b) . "|" . ($a <=> $b); }
function mixedNumbers(int|float $a, int|float $b) { return ($a < $b) . "|" . ($a == $b) . "|" . ($a === $b); }
function strings(string $a, string $b) { return ($a < $b) . "|" . ($a == $b) . "|" . ($a === $b) . "|" . ($a <=> $b); }
function nullable(?int $a, ?int $b) { return ($a < $b) . "|" . ($a == $b) . "|" . ($a === $b) . "|" . ($a ?? "none"); }
echo ints(1, 2), " ", ints(2, 2), " ", floats(NAN, NAN), " ", floats(-0.0, 0.0), " ", mixedNumbers(1, 1.0), "\n";
echo strings("10", "1e1"), " ", strings("abc", "abd"), " ", nullable(null, 0), " ", nullable(3, null), " ", nullable(null, null), "\n";
echo (true xor false) ? "x" : "-", (null xor 0) ? "x" : "-", ("a" xor "0") ? "x" : "-", "\n";
