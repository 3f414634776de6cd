<?php
// What has no SSA form in PHP, and what changes variables behind the back: references, globals, statics, generators,
// exceptions, closures, dynamic variables.

namespace Lab\Effects;

use InvalidArgumentException as Bad;

const LIMIT = 3;

function &generator(array &$items, int ...$more)
{
    static $calls = 0;
    $calls++;
    foreach ($items as $key => &$item) {
        $got = yield $key => $item;
        $item = $got ?? $item;
    }
    yield $calls => $calls;
    return $calls;
}

function guarded(callable $f, $x)
{
    try {
        $result = @$f($x);
        if ($result > LIMIT) {
            return $result;
        }
    } catch (Bad | \TypeError $e) {
        return $e->getMessage();
    } catch (\Exception) {
        $result = -1;
    } finally {
        $x = null;
    }
    return [$result, 'x' => $x];
}

function shared($n)
{
    global $total;
    $copy = &$total['deep'][$n];
    $copy[] = $n;
    $adder = function ($m) use ($n, &$copy) {
        $copy[$m] ??= $n;
        return static fn() => $n + $m;
    };
    unset($total[0], $copy->gone);
    return $adder($n)() + \count($copy) + \strlen("$n$n");
}

function dynamic($name)
{
    $$name = 1;
    extract(['a' => 2]);
    return compact('name') + [include 'other.php'];
}

abstract class Counter implements \Countable
{
    private static int $instances = 0;
    protected const STEP = 1;

    public function __construct(protected readonly int $start = self::STEP * 2, private array $log = [])
    {
        self::$instances++;
        static::STEP === 1 or exit("odd");
    }

    public function count(): int
    {
        return $this->start + count($this->log);
    }

    final protected static function make(mixed ...$args): static
    {
        return new static(...$args);
    }

    abstract public function next(): void;
}

$total = [];
$counter = new class(start: 4) extends Counter {
    public function next(): void
    {
        $this->log[] = [$this, __METHOD__, parent::STEP];
        clone $this;
    }
};
foreach ([1, 2.5e-300, "nul\0byte", -0.0, 1e100, "quote\" and \n line"] as $value) {
    echo guarded(fn($x) => print $x, $value) <=> shared(3), PHP_EOL;
}
