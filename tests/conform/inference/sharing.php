<?php
// What shares a value and what leaves it with one owner: every family of opcodes that counts references.
class Shelf
{
    public array $books = [];
    public ?Shelf $next = null;
    public int $width = 0;
    public static array $all = [];
    private $label;

    function put(string $title, ...$more): static
    {
        $this->books[] = $title;
        $this->books[$title][] = $more;
        $this->label .= $title;
        self::$all[] = $this;
        $copy = $this->books;
        return $this;
    }

    function walk(): iterable
    {
        foreach ($this->books as $place => &$book) {
            $book = "$place: {$book}";
        }
        return $this->next?->walk() ?? $this->books;
    }

    function titles(): array
    {
        return array_map(fn($book) => $book . '!', $this->books);
    }
}

function arrays(array $given, $key, string $word)
{
    $copy = $given;
    $copy[] = $word;
    $copy[$key]['x'] = $given;
    $copy[$key] .= $word;
    unset($given[0], $copy['y']);
    [$first, [, $second]] = $copy;
    $built = [$word, 'k' => $key, ...$given, 'all' => &$copy];
    foreach ($copy as $place => $value) {
        $built[$place] = $value;
        echo $place, $value;
    }
    return [$built, $first, $second ?? $word, (array) $key, (array) $word, (object) $given];
}

function strings(string $one, $other)
{
    $joined = $one . $other;
    $joined .= "$one, $other";
    $other++;
    $letter = $joined[0];
    $kept = $moved = $joined;
    unset($joined);
    $flags = $one | $other;
    return strtoupper($kept) ?: (string) $moved . ~$one . $letter . $flags;
}

function objects(Shelf $shelf, $any)
{
    $fresh = new Shelf();
    $fresh->next = $shelf;
    $fresh->width += 2;
    $fresh->width++;
    $same = $fresh;
    $other = clone $same;
    $other->books = $shelf->books;
    $any->part = $other;
    $shelf->next->books['deep'][1] = $any;
    if ($any instanceof Shelf) {
        return $any->width + Shelf::$all[0]->width;
    }
    return (new Shelf())->next ?? $shelf->put('a', 'b')->next;
}

function &references(array &$in, $plain, ?array $maybe = null)
{
    static $kept = [];
    global $shared;
    $alias = &$in[1];
    $alias = $plain;
    $shared[] = $maybe;
    $kept[] = &$plain;
    sort($maybe);
    $later = function ($x) use ($plain, &$alias) { return $alias ?? $plain . $x; };
    return $kept[$later(1)];
}

function calls(...$all)
{
    $range = range(0, 9);
    $split = explode(',', implode(',', $range));
    $gone = array_pop($split);
    return arrays($split, count($all), $gone) + [strings($gone, ...$all), func_get_args(), gettype($range)];
}

function numbered(int $n): ?array
{
    for ($rows = []; $n-- > 0;) {
        $rows[$n] = $n % 2 ? [$n] : 'even';
    }
    return $rows ?: null;
}

try {
    echo json_encode(numbered(3));
} finally {
    echo 'done';
}
