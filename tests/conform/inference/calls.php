<?php
// What crosses calls: results, prototypes, recursion, functions that are only known when they are called.
namespace Lab\Calls;

interface Shape
{
    function area(): float;
}

abstract class Base implements Shape
{
    abstract function area(): float;

    final function twice()
    {
        return 2 * $this->area();
    }

    private function secret(int $n)
    {
        return $n > 0 ? $this->secret($n - 1) : [$n];
    }

    function open()
    {
        return $this->secret(3) + $this->hook();
    }

    protected function hook()
    {
        return ['x' => 1];
    }

    static function make(): static
    {
        return new static();
    }
}

class Square extends Base
{
    function __construct(private float $side = 1)
    {
    }

    function area(): float
    {
        return $this->side ** 2;
    }
}

function early(int $n)
{
    return $n % 3;
}

function later(bool $b)
{
    $known = early(7);
    $text = \str_repeat('a', $known);
    $unknown = missing($known);
    $self = $b ? later(false) : 1;
    return [$known + 1, strlen($text), $unknown, $self, after($text), \abs(-$known)];
}

function after(string $text, &...$rest): ?string
{
    \sort($rest);
    $parts = \preg_split('/a/', $text);
    return $parts[0] ?? null;
}

function odd(int $n): bool
{
    return $n === 0 ? false : even($n - 1);
}

function even(int $n): bool
{
    return $n === 0 ? true : odd($n - 1);
}

function shapes(Square $square, Shape ...$shapes)
{
    $all = Square::make();
    $call = strlen(...);
    return $square->twice() + $square->area() + $call((string) $all->open()) + \count($shapes);
}

echo \json_encode(later(true)), odd(3);
