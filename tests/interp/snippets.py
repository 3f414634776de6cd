"""Small programs, one for each thing the interpreter must do as PHP does. The key is the test's name."""

SNIPPETS: dict[str, str] = {
    "arithmetic": """
function f($a, $b) { echo $a + $b, ' ', $a - $b, ' ', $a * $b, ' ', $a / $b, ' ', $a ** $b, "\\n"; }
f(7, 2); f(PHP_INT_MAX, 1); f("3", 2.5); f(1e100, 1e200); f(true, "2x");
""",
    "commuted operands report the right one first": """
function f($s) { try { return 1 | $s; } catch (TypeError $e) { return $e->getMessage(); } }
echo f("abc"), "\\n", f([]), "\\n";
function g() { return 2 * $undefined1 + $undefined2 * 3; }
g();
echo 3 == $nope, "\\n";
""",
    "strings": """
$a = "x"; $b = 5; $c = 1.5; $d = null; $e = true;
echo "$a$b", "<$a|$b|$c|$d|$e>", "\\n";
$s = ''; for ($i = 0; $i < 5; $i++) { $s .= $i . ','; } echo $s, strlen($s), "\\n";
$t = $s; $t .= 'more'; echo $s, '|', $t, "\\n";
echo [1], "\\n";
""",
    "string offsets": """
$s = 'hello'; echo $s[0], $s[-1], $s['1'], "\\n"; echo @$s[10], '|', $s[7] ?? 'none', "\\n";
$s[0] = 'J'; $s[7] = '!'; $s[-1] = '?'; echo $s, "\\n"; var_dump($s[true], isset($s[1]), isset($s['x']), empty($s[0]));
try { $s[] = 'x'; } catch (Error $e) { echo $e->getMessage(), "\\n"; }
try { $s['a'] = 'x'; } catch (TypeError $e) { echo $e->getMessage(), "\\n"; }
try { $s[0][1] = 'x'; } catch (Error $e) { echo $e->getMessage(), "\\n"; }
try { $s[0] .= 'x'; } catch (Error $e) { echo $e->getMessage(), "\\n"; }
try { $s[0] = ''; } catch (Error $e) { echo $e->getMessage(), "\\n"; }
try { unset($s[0]); } catch (Error $e) { echo $e->getMessage(), "\\n"; }
""",
    "undefined variables": """ function f($x) { if ($x) { $a = 1; } echo $a, "\\n"; $b++; var_dump($b); $c .= 'x';
    var_dump($c); $d[] = 1; var_dump($d); } f(true); f(false); echo $u, $v['k'], "\\n"; var_dump(isset($w), $w ??
    'default', empty($w)); """,
    "loops and jumps": """
for ($i = 0, $s = 0; $i < 10; $i++) { if ($i == 3) continue; if ($i == 8) break; $s += $i; } echo $s, "\\n";
$i = 5; while ($i--) { echo $i; } do { echo 'd'; } while (false);
foreach ([1, 2] as $a) { foreach ([3, 4] as $b) { if ($b == 4) continue 2; echo $a * $b, ' '; } }
a: echo 'A'; if (++$i < 2) goto a; echo "\\n";
""",
    "switch and match": """ function s($x) { switch ($x) { case 1: return 'one'; case 'a': return 'letter'; case 2:
    case 3: return 'few'; default: return 'other'; } } function l($x) { switch ($x) { case 'aa': return 1; case 'bb':
    return 2; case 'cc': return 3; default: return 0; } } function n($x) { switch ($x) { case 1: $r = 1; case 2: $r =
    2; break; case 3: case 4: case 5: $r = 3; break; default: $r = 9; } return $r; } function m($x) { return match
    (true) { $x < 1 => 'low', $x < 5 => 'mid', default => 'high' }; } function t($x) { return match ($x) { 1, 2 =>
    'a', 'x' => 'b', 3 => 'c', 'yy' => 'd' }; } foreach ([0, 1, 2, 3, 4, 5, 6, '1', 'a', 'aa', 'bb', null, true, 1.0,
    '3'] as $v) { echo s($v), l($v), n($v), m($v), ' '; } foreach ([1, 'x', 3, 'yy', '1', 2.0, null, 'a very long
    string that is cut', [1], 1.5, true] as $v) { try { echo t($v), ' '; } catch (\\UnhandledMatchError $e) { echo
    $e->getMessage(), "\\n"; } } """,
    "short circuit and null": """
function t($x) { echo "t$x "; return $x; }
var_dump(t(0) && t(1), t(1) || t(0), t(1) && t(2), t(0) ?: t(5), t(null) ?? t(6), !t(1), t(1) xor t(1));
$a = null; $a ??= 5; $a ??= 6; echo $a; $b['x']['y'] ??= 7; var_dump($b, $b['x']['z'] ?? 'no', $u['a']['b'] ?? 'none');
""",
    "functions": """ function add(int $a, int $b = 10): int { return $a + $b; } function &ref(array &$a) { return
    $a[0]; } function vari($first, ...$rest) { return $first . ':' . implode(',', $rest); } function byref(&$x, $y) {
    $x .= $y; } function typed(?string $s, int|float $n, bool $b = false): ?string { return $s . $n . ($b ? 'T' :
    'F'); } echo add(1), add(1, 2), add("5", 1.0), "\\n", vari(1), vari(1, 2, 3), vari(...[4, 5]), "\\n"; $s = 'a';
    byref($s, 'b'); echo $s; $arr = ['k' => 'v']; byref($arr['k'], 'w'); byref($arr['new'], 'n'); print_r($arr); echo
    typed(null, "5", 1), typed('x', 1.5), typed(5, '7.25'), "\\n"; $r = &ref($arr2); $f = 'add'; echo $f(3, 4), "\\n";
    echo fact(20), "\\n"; function fact($n) { return $n <= 1 ? 1 : $n * fact($n - 1); } echo func(1, 2, 3); function
    func() { return func_num_args() . json(func_get_args()); } function json($a) { return implode('+', $a); } """,
    "errors of calls": """ function f(int $x) { return $x; } foreach ([fn() => f("abc"), fn() => f(), fn() => f(1.5),
    fn() => f(null), fn() => strlen(), fn() => strlen([]), fn() => nosuch(1), fn() => strlen(null), fn() =>
    str_repeat('x', -1), fn() => (5)(), fn() => (function (string ...$s) {})(1, []), fn() => intdiv(1, 0)] as $g) { try
    { var_dump($g()); } catch (Error $e) { echo get_class($e), ': ', preg($e->getMessage()), "\\n"; } } function
    preg($s) { return $s; } function r($x): int { return $x; } try { r("no"); } catch (TypeError $e) { echo
    $e->getMessage(), ' line ', $e->getLine(), "\\n"; } function n(): int { } try { n(); } catch (TypeError $e) { echo
    $e->getMessage(), "\\n"; } """,
    "uncaught error with a trace": """
function a($x) { return b($x) + 1; }
function b($x) { return intdiv($x, 0); }
echo 'before';
a(1);
""",
    "uncaught in a callback": """
usort($list = [3, 1, 2], function ($a, $b) { throw new LogicException('cmp', 5, new Exception('inner')); });
""",
    "strict types": """
declare(strict_types=1);
function f(float $x) { return $x; } var_dump(f(5));
try { f("5"); } catch (TypeError $e) { echo $e->getMessage(), "\\n"; }
try { strlen(5); } catch (TypeError $e) { echo $e->getMessage(), "\\n"; }
echo array_sum(array_map(fn(int $x): float => $x, [1, 2])), "\\n";
function r(): int { return 1.0; } r();
""",
    "arrays": """ $a = [1, 2, 'k' => 3, [4, 5]]; $b = $a; $b[] = 6; $b['k']++; $b[2][0] = 9; print_r($a); print_r($b);
    $c = [3 => 'x']; $c[] = 'y'; $c["5"] = 'z'; $c[true] = 't'; $c[null] = 'n'; $c[1.7] = 'f'; var_dump($c);
    unset($c[3], $c['nope']); var_dump(isset($c[4]), isset($c['x']['y']), empty($c['']), count($c), $c['zz'] ?? 'd');
    echo $c['missing'], $c[99]; $d = null; $d['x'][] = 1; $d['x'][] = 2; echo json_encode_($d), "\\n"; function
    json_encode_($v) { return is_array($v) ? '[' . implode(',', array_map('json_encode_', $v)) . ']' : (string) $v; }
    [$x, [$y]] = [1, [2]]; ['k' => $z] = ['k' => 3]; [$x, $y] = [$y, $x]; echo $x, $y, $z, "\\n"; ['p' => $p] = ['q'
    => 1]; var_dump($p); $m = [...[1, 2], ...['a' => 3], 4]; print_r($m); $i = 5; try { $i[] = 1; } catch (Error $e) {
    echo $e->getMessage(), "\\n"; } $f = false; $f[] = 1; $n = 5; var_dump($n[0]); try { $a[[]] = 1; } catch
    (TypeError $e) { echo $e->getMessage(), "\\n"; } $e1 = []; $e1[-5] = 1; $e1[] = 2; $e2[-5] = 1; $e2[] = 2;
    print_r($e1); print_r($e2); """,
    "arrays written through operators": """ $a = ['n' => 1, 's' => 'x', 'd' => ['e' => 2]]; $a['n'] += 5; $a['s'] .=
    'y'; $a['d']['e'] *= 10; $a['new'] ??= 7; $a['u'] .= 'z'; $a['d']['f']++; ++$a['n']; $a['n']--; echo $a['n']++,
    "\\n"; print_r($a); $k = 'n'; $a[$k . ''] -= 1; $a[] = $a; echo count($a), "\\n"; function idx() { echo 'i';
    return 0; } $l = [1]; $l[idx()] += 2; $l[idx()] <<= 3; $l[idx()]++; print_r($l); """,
    "references": """ $a = 1; $b = &$a; $b++; echo $a; $c = [&$a, 2]; $d = $c; $d[0] = 9; echo $a, $c[0], "\\n";
    unset($b); $b = 5; echo $a, "\\n"; $arr = [1, 2, 3]; foreach ($arr as &$v) { $v *= 2; } unset($v); print_r($arr);
    foreach ($arr as $k => &$v) { if ($k == 0) { $arr[] = 99; unset($arr[1]); } $v++; } unset($v); print_r($arr); $x =
    ['a' => ['b' => 1]]; $r = &$x['a']['b']; $y = $x; $r = 2; echo $x['a']['b'], $y['a']['b'], "\\n"; function
    &getref(&$a) { return $a['k']; } $q = ['k' => 1]; $z = &getref($q); $z = 5; echo $q['k'], "\\n"; function
    mod(array &$a) { $a[] = count($a); } mod($q); mod($q); print_r($q); $o = [1]; $p = &$o[0]; unset($p); $w = $o;
    $w[0] = 2; echo $o[0]; list('k' => &$lk) = $q; $lk = 'L'; echo $q['k'], "\\n"; """,
    "globals and statics": """ $g = 10; function inc() { global $g, $h; $g++; $h = 'set'; static $n = 0; return ++$n;
    } echo inc(), inc(), inc(), $g, $h, "\\n"; function counter() { static $c = [1, 'x' => 2]; $c[] = count($c);
    return $c; } counter(); print_r(counter()); function dyn() { $name = 'local'; $$name = 5; echo $local, "\\n";
    $GLOBALS['made'] = 'yes'; return $GLOBALS['g']; } echo dyn(), $made, "\\n"; function rec($n) { static $depth = 0;
    $depth++; if ($n) rec($n - 1); return $depth; } echo rec(3), rec(0), "\\n"; const FOO = 'foo'; define('BAR', [1,
    2]); echo FOO, BAR[1], defined('FOO') ? 'd' : 'u', "\\n"; try { echo NOPE; } catch (Error $e) { echo
    $e->getMessage(); } """,
    "exceptions": """ function t($x) { try { if ($x == 1) throw new InvalidArgumentException("m$x", 7); if ($x == 2)
    return 'r'; if ($x == 3) intdiv(1, 0); echo 'n'; } catch (LogicException $e) { echo get_class($e), $e->getCode();
    return 'c'; } catch (ArithmeticError | TypeError $e) { echo $e->getMessage(); } finally { echo 'f'; } return
    'end'; } foreach ([0, 1, 2, 3] as $x) { echo t($x), "\\n"; } function fin() { foreach ([1, 2] as $i) { try { if
    ($i == 1) continue; return $i; } finally { echo "[$i]"; } } } echo fin(), "\\n"; function over() { try { throw new
    Exception('lost'); } finally { return 'kept'; } } echo over(), "\\n"; function nested() { try { try { throw new
    Exception('a'); } finally { throw new Exception('b'); } } catch (Exception $e) { return $e->getMessage() .
    $e->getPrevious()->getMessage(); } } echo nested(), "\\n"; try { throw 5; } catch (Error $e) { echo
    $e->getMessage(), "\\n"; } try { try { throw new DomainException('x'); } catch (RuntimeException $e) { echo
    'wrong'; } } catch (Exception $e) { echo 'right', $e->getLine(), "\\n"; } $e = new Exception('msg'); echo
    get_class($e), $e->getMessage(), $e->getTraceAsString(), $e instanceof Throwable ? 'T' : 'F', "\\n"; echo
    @$undef['x'], @intdiv_(), "\\n"; function intdiv_() { return $nothing; } echo $still, "\\n"; throw new
    ErrorException('end'); """,
    "closures": """ $x = 1; $f = function ($y) use ($x) { return $x + $y; }; $x = 5; echo $f(10), "\\n"; $g = function
    () use (&$x) { return ++$x; }; echo $g(), $g(), $x, "\\n"; $h = fn($y) => $x * $y; echo $h(3), "\\n"; function
    make() { $n = 0; return function () use (&$n) { return ++$n; }; } $a = make(); $b = make(); echo $a(), $a(), $b(),
    "\\n"; echo implode(',', array_map(fn($v) => $v ** 2, [1, 2, 3])), array_sum(array_filter([1, 2, 3, 4], fn($v) =>
    $v % 2)), "\\n"; $s = strlen(...); echo $s('four'); $compose = fn(callable ...$fs) => fn($v) => array_reduce($fs,
    fn($c, $f) => $f($c), $v); echo $compose('strrev', 'ucfirst')('abc'), "\\n"; $fib = function ($n) use (&$fib) {
    return $n < 2 ? $n : $fib($n - 1) + $fib($n - 2); }; echo $fib(10), "\\n"; var_dump($f); echo
    call_user_func('max', 3, 7), call_user_func_array(fn(...$p) => implode('-', $p), [1, 2]); function gen() { static
    $f; $f ??= fn() => 'once'; return $f; } var_dump(gen() === gen()); array_walk($arr = ['a' => 1], function ($v, $k)
    { echo "$k=$v"; }); echo (function () { return func_get_args(); })(1, 2)[1]; """,
    "casts and types": """ foreach ([0, 1, -1, 1.5, -0.0, 1e20, NAN, '', '0', 'abc', '12abc', ' 3 ', null, true, [],
    [0]] as $v) { echo gettype($v), ' ', (int) $v, ' ', @(string) $v, ' ', (bool) $v ? 'T' : 'F', ' ',
    var_export((float) $v, true), ' ', count((array) $v), is_numeric($v) ? 'n' : '-', is_int($v) ? 'i' : '-',
    is_null($v) ? 'z' : '-', is_scalar($v) ? 's' : '-', "\\n"; } var_dump(1 <=> 2, '10' == '1e1', 'abc' == 0, null ==
    false, [] == false, '1' === 1, 1.0 === 1.0, [1, 2] === [2 => 1], 'a' < 'b', [1] < [2]); $i = 'a9'; $i++;
    var_dump($i); $z = null; $z--; var_dump($z); $z++; var_dump($z); settype($z, 'string'); var_dump($z); """,
    "output buffers": """ ob_start(); echo 'hidden'; $t = ob_get_clean(); echo strtoupper($t), "\\n"; ob_start(); echo
    'lost'; ob_end_clean(); ob_start(); echo 'kept at the end'; """,
    "exit": """
function f() { echo 'a'; exit("bye\\n"); } try { f(); } finally { echo 'never'; }
""",
    "exit with a code": """
echo 'x'; exit(3);
""",
    "sorting with inconsistent comparison": """ $a = [5, '5a', null, 3, true, 'x', 2.5, [1], '10', 9]; sort($a);
    print_r($a); $calls = 0; $b = range(1, 40); usort($b, function ($x, $y) use (&$calls) { $calls++; return $x % 7
    <=> $y % 7; }); echo implode(',', $b), " $calls\\n"; $c = ['b' => 1, 'a' => 2, 10 => 3, 9 => 4, 'B' => 5];
    ksort($c); print_r($c); asort($c); arsort($c); print_r($c); usort($b, fn($x, $y) => $x > $y); echo implode(',',
    $b); """,
    "conditional functions": """ if (true) { function cond() { return 'declared'; } } echo cond(),
    function_exists('cond') ? 1 : 0, function_exists('nope') ? 1 : 0, "\\n"; function outer() { function inner() {
    return 'inner'; } } outer(); echo inner(), "\\n"; """,
    "namespaces": """ namespace App\\Util; function strlen($x) { return 'mine'; } const E = 'const'; echo
    strlen('abc'), \\strlen('abc'), strtoupper('x'), E, PHP_INT_SIZE, \\PHP_EOL; echo namespace\\strlen(''),
    __NAMESPACE__, __FUNCTION__, __LINE__, "\\n"; echo missing(); """,
}
SNIPPETS["dumps of objects"] = """
function f() { return new LogicException('m', 3, new TypeError('inner')); } $e = f(); var_dump($e); print_r([$e]);
$x = 1; var_dump(function (int $a, &$b, ...$c) use ($x, &$e) {}, strlen(...), [fn() => 1]); print_r(fn($q = 1) => 2);
"""
