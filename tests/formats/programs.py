"""PHP programs that exercise what the formats find hard: names, strings, floats, flags, tables, declarations."""

from __future__ import annotations

QUIRKS = rb"""<?php
// Strings that look like the dump itself, hold quotes, newlines, NUL bytes.
echo "a\n0001 ECHO string(\"b\")\n0002 RETURN int(1)\n\nf:\n     ; (lines=1, args=0, vars=0, tmps=0)\n";
echo "x\") string(\"y", 'it\'s "quoted"', "\0hidden", "cut\0here", "";
$a = "p\") 0005" . $b . "\n\nLIVE RANGES:\n";
${'a)b'} = 1.5;
var_dump(0.1 + 0.2, 123456789.123, 1e100, -0.0, 1.0, INF, -INF, NAN, PHP_INT_MIN, PHP_INT_MAX);
$list = [1, 2.5, "k" => [true, null, -7 => "z"]];
switch ($list[0]) { case "a\"b": echo 1; break; case "c": echo 2; break; default: echo 3; }
switch ($list[1]) { case 1: case 2: case 3: case 4: case -5: echo 1; }
echo match ($b) { 1, 2 => "low", "s" => "str", default => throw new E("no") };
"""

DECLARATIONS = rb"""<?php
declare(strict_types=1);
namespace App\Deep;
const LIST_OF = [1, 2.5, "x\0y", ['k' => null, 5 => true]];
interface Shape { const SIDES = 3; public function area(): float; }
abstract class Base implements Shape {
    const C = self::D . "x";
    const D = 5;
    public ?int $a = 5;
    protected static array $s = [1];
    public readonly string|int $r;
    function __construct(private int $z = \PHP_INT_MAX, public array $opt = []) {}
    abstract function ab(): void;
    final public static function st(Base&Shape $x, ...$rest): static {
        static $q = 3, $r = [1, 2];
        return fn() => $x;
    }
    public function area(): float { return $this->a * 1.5; }
}
class Child extends Base { function ab(): void {} private function &ref(iterable $i, self|null $o) { return $i; } }
function &generate(int|string|null &$a, ?Base $b = null, float $c = 0.1 + 0.2): iterable {
    try { yield $a; } catch (\E|\F $e) { throw $e; } finally { echo 1; }
    foreach ($b as $k => $v) { if ($k) { return; } }
}
$f = function (int ...$n) use ($argc, &$argv): int|false {
    switch ($n[0]) { case "a": return 1; case "bb": return 2; case "c\0d": break;
    default: return match($n[1]) { 1, 2 => 3, 4 => 5 }; }
    return false;
};
if ($argc) { function conditional(callable $c = null, mixed $m, object $o): never { exit("bye"); } }
$anonymous = new class(1) extends Base { function ab(): void { $this->a ??= 4; unset($this->opt[1]); } };
try { try { f($f); } finally { g(); } } catch (\Throwable) { echo @$undefined[1]?->x?->y(), isset($z->q?->w); }
"""
