<?php
declare(strict_types=1);
// The calls of evaluate.php whose caller is strict.

function strict(string $type, mixed $x): mixed
{
    return match ($type) {
        'int' => (function (int $x) { return $x; })($x),
        'float' => (function (float $x) { return $x; })($x),
        'string' => (function (string $x) { return $x; })($x),
        'bool' => (function (bool $x) { return $x; })($x),
        '?int' => (function (?int $x) { return $x; })($x),
        'int|float' => (function (int|float $x) { return $x; })($x),
        '?string' => (function (?string $x) { return $x; })($x),
        'string|int' => (function (int|string $x) { return $x; })($x),
        'float|bool' => (function (float|bool $x) { return $x; })($x),
    };
}
