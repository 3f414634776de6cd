<?php
// in_array() with a constant array is an instruction of its own, which has the values as keys.
function operator($text) { return in_array($text, ['==', '<=', '10'], true); }
function small($number) { return in_array($number, [1, 2, 3], true); }
function word($text) { return in_array($text, ['abc', 'x']); }
function mixed($value) { return in_array($value, ['10', 5, 2.5]); }
$values = ['==', '<=', 1, 3, '1', '10', 10, '1e1', 2.5, 'abc', 'x', '', 0, null, true, false, []];
foreach ($values as $value) {
    echo json($value), ':';
    foreach (['operator', 'small', 'word', 'mixed'] as $test) {
        echo ' ', $test($value) ? 'in' : '-';
    }
    echo "\n";
}
function json($value) { return is_array($value) ? '[]' : var_export($value, true); }
function guarded($text) {
    try {
        if (in_array($text, ['a', 'b'], true)) throw new Exception("in");
        return 'out';
    } catch (Exception $e) {
        return $e->getMessage();
    }
}
echo guarded('a'), guarded('c'), guarded(5), in_array($undefined, ['a'], true) ? 'in' : 'out', "\n";
