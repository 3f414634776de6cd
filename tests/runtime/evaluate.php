<?php
// Answers the cases of driver.c with PHP itself: same input lines, same output lines (without the last, `live:0`).

function read_value(string $word): mixed
{
    $at = 0;
    return read_at($word, $at);
}

function read_at(string $word, int &$at): mixed
{
    if ($word[$at] !== '[') {
        $length = strcspn($word, ',=]', $at);
        $at += $length;
        return read_scalar(substr($word, $at - $length, $length));
    }
    $array = [];
    while ($word[++$at] !== ']') {
        $key = read_at($word, $at);
        ++$at;
        $array[$key] = read_at($word, $at);
        if ($word[$at] === ']') {
            break;
        }
    }
    ++$at;
    return $array;
}

function read_scalar(string $word): mixed
{
    [$kind, $text] = explode(':', $word, 2) + [1 => ''];
    return match ($kind) {
        'null' => null,
        'true' => true,
        'false' => false,
        'int' => (int) $text,
        'float' => unpack('E', hex2bin($text))[1],
        'str' => rawurldecode($text),
    };
}

function show(mixed $value): string
{
    return match (true) {
        is_int($value) => "int:$value",
        is_float($value) => 'float:' . (is_nan($value) ? '7ff8000000000000' : bin2hex(pack('E', $value))),
        is_string($value) => 'str:' . rawurlencode($value),
        is_array($value) => '[' . implode(',', array_map(fn ($k, $v) => show($k) . '=' . show($v), array_keys($value), $value)) . ']',
        default => json_encode($value),
    };
}

function script(array $words): array
{
    $a = null;
    $all = [];
    for ($i = 0; $i + 2 < count($words); $i += 3) {
        $key = read_value($words[$i + 1]);
        $value = read_value($words[$i + 2]);
        switch ($words[$i]) {
            case 'push': $a[] = $value; break;
            case 'set': $a[$key] = $value; break;
            case 'unset': unset($a[$key]); break;
            case 'nested': $a[$key][] = $value; break;
            case 'rmw': $a[$key] .= $value; break;
            case 'get': $a[] = $a[$key]; break;
            case 'copy': $all[] = $a; break;
        }
    }
    $all[] = $a;
    return $all;
}

function loop_by_reference(array $a, $key, $value): array
{
    $seen = [];
    foreach ($a as $k => &$element) {
        $seen[] = $k;
        if (count($seen) === 1) {
            unset($a[$key]);
            $a[] = $value;
        }
        $element = $element . '!';
    }
    return [$a, $seen];
}

function weak(string $type, mixed $x): mixed
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

// Functions that builtins call back. spaceship shows its arguments, so that the order of calls is seen.
function spaceship($a, $b) { echo $a, ':', $b, ' '; return $a <=> $b; }
function greater($a, $b) { return $a > $b; }
function truthful(...$a) { return (bool) end($a); }
function twice($a) { return $a . $a; }
function glue($a, $b = null) { return func_num_args() > 1 ? $a . $b : $a; }
function throws() { throw new TypeError('thrown by a callback'); }

function perform(string $operation, array $a): mixed
{
    switch ($operation) {
        case 'add': return $a[0] + $a[1];
        case 'sub': return $a[0] - $a[1];
        case 'mul': return $a[0] * $a[1];
        case 'div': return $a[0] / $a[1];
        case 'mod': return $a[0] % $a[1];
        case 'pow': return $a[0] ** $a[1];
        case 'sl': return $a[0] << $a[1];
        case 'sr': return $a[0] >> $a[1];
        case 'or': return $a[0] | $a[1];
        case 'and': return $a[0] & $a[1];
        case 'xor': return $a[0] ^ $a[1];
        case 'concat': return $a[0] . $a[1];
        case 'assign_concat': $a[0] .= $a[1]; return $a[0];
        case 'dim': return $a[0][$a[1]];
        case 'dim_is': return $a[0][$a[1]] ?? null;
        case 'isset_dim': return isset($a[0][$a[1]]);
        case 'empty_dim': return empty($a[0][$a[1]]);
        case 'equal': return $a[0] == $a[1];
        case 'identical': return $a[0] === $a[1];
        case 'smaller': return $a[0] < $a[1];
        case 'smaller_or_equal': return $a[0] <= $a[1];
        case 'compare': return $a[0] <=> $a[1];
        case 'increment': $a[0]++; return $a[0];
        case 'decrement': $a[0]--; return $a[0];
        case 'not': return ~$a[0];
        case 'to_bool': return (bool) $a[0];
        case 'to_int': return (int) $a[0];
        case 'to_float': return (float) $a[0];
        case 'to_string': return (string) $a[0];
        case 'echo': echo $a[0]; return null;
        case 'match': return match ($a[0]) { $a => null };
        default:
            if ($operation[0] === '&') {
                $index = (int) $operation[1];
                $variable = $a[$index];
                $a[$index] = &$variable;
                return [substr($operation, 2)(...$a), $variable];
            }
            return $operation(...$a);
    }
}

// Places are not the same here and there.
$strip = fn (string $text) => preg_replace(
    '/ in (CASE|' . preg_quote(__FILE__, '/') . '|' . preg_quote(__DIR__ . '/evaluate_strict.php', '/') . ') on line \d+/',
    ' in CASE on line 1', $text);
$name = fn (string $text) => str_replace('{closure}()', 'f()', $text);

while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    $operation = array_shift($words);
    ob_start();
    try {
        if ($operation === 'script') {
            $result = show(script($words));
        } elseif ($operation === 'weak') {
            $result = show(weak($words[0], read_value($words[1])));
        } elseif ($operation === 'strict') {
            require_once __DIR__ . '/evaluate_strict.php';
            $result = show(strict($words[0], read_value($words[1])));
        } else {
            $result = show(perform($operation, array_map('read_value', $words)));
        }
    } catch (Error $error) {
        $result = 'throw:' . get_class($error) . ':' . rawurlencode($strip($name($error->getMessage())));
    }
    $printed = $strip(ob_get_clean());
    echo $result, "\t", rawurlencode($printed), "\n";
}
