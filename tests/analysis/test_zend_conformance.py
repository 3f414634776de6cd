"""Types, ranges, classes, escapes and SCC numbers equal PHP's own "SSA Variable" sections, with and without call
graph."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ssa2llvm.analysis.context import Options
from ssa2llvm.analysis.infer_script import infer_zend_script
from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.formats.zend_block_printer import print_ssa_vars
from tests.tools import need_tool, php_dump

_SOURCES = {
    "loops": """
        function sum(int $n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $i & 1023; } return $s; }
        function down() { $i = 10; while ($i--) { echo $i; } return $i; }
        function nested($n) { for ($i = 0; $i < 10; $i++) { for ($j = $i; $j > 0; $j -= 3) {
            $n[$i][$j] = $i * $j; } } return $n; }
    """,
    "types": """
        function pick(?int $a, int|string $b, float ...$rest) {
            if (is_int($b)) { return $a ?? $b; }
            if ($a === null) { return $rest; }
            return $a <=> strlen($b);
        }
        function arrays(array $a, $k) {
            $x = [1, 2.5, 'k' => null]; $x[] = $k; $x[$k]++; unset($x[0]);
            foreach ($a as $key => $value) { $x[$key] = $value . 'x'; [$p, $q] = $x; }
            return [...$x, 'p' => $p, $k => $q];
        }
    """,
    "calls": """
        function typed(int $n): ?string { return $n > 3 ? str_repeat('x', $n) : null; }
        function known(bool $b) { if ($b) { return 1; } return 5; }
        function caller($x) { $r = known($x); $s = typed($r + 1); sort($x); return [range(0, $r), $s, abs(-3), $x]; }
        function later($x) { $y = $x; ahead($y, $x[0], $x->p); return new Made($x); }
        function ahead(&$a, $b, $c) { return strlen($b) . later($a); }
        class Made {
            function __construct($v) { $w = $v; $this->helper($w, ahead($w, 1, 2)); }
            private function helper($a, $b) { return $a + 1; } }
        function rec(int $n) { return $n < 2 ? 1 : $n * rec($n - 1); }
    """,
    "references": """
        function refs(&$a, $b) { $c = &$b; global $g; static $s = 0; $s++; $c .= $g;
            foreach ($a as &$v) { $v = $c; } return $s; }
        $g = 1; $g = [$g => 'x']; unset($g);
    """,
    "objects": """
        class P { public int $n = 0; private ?P $next = null; public static array $all = [];
            function step(): static { $this->n++; $o = new P; $o->n = $this->n . ''; self::$all[] = $o; return $this; }
            function chain() { return $this->next?->chain() ?? clone $this; } }
        class Own extends ArrayIterator { function all() { return [ArrayIterator::count(), parent::current()]; }
            function text() { return Exception::getMessage(); } }
        function make($c) { $x = new stdClass; $x->a = 1; $p = new P;
            if ($c instanceof P) { return $c->n + $p->n; } return new $c; }
        function gone() { return (new P)->n ?? isset((new P)->next); }
        function local() { $t = ['a' => 1]; $t['b'] = 2; return $t['a']; }
    """,
}


def _bin(source: Path, cache: Path) -> bytes:
    command = [
        need_tool("php"), "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1",
        "-d", "opcache.file_update_protection=0", "-d", "opcache.optimization_level=0",
        "-d", f"opcache.file_cache={cache}", "-d", "opcache.file_cache_only=1", "-l", str(source),
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, timeout=60, check=True)
    return next(cache.rglob("*.bin")).read_bytes()


def _sections(dump: bytes) -> list[bytes]:
    """The bodies of all "SSA Variable for" sections."""
    parts = dump.split(b'\nSSA Variable for "')[1:]
    return [b"\n".join(line for line in part.split(b"\n") if line.startswith(b"    #")) for part in parts]


@pytest.mark.parametrize("level", [0x20, 0x60, 0x68], ids=hex)
@pytest.mark.parametrize("name", _SOURCES)
def test_ssa_variables(name: str, level: int, tmp_path: Path) -> None:
    file, cache = tmp_path / f"{name}.php", tmp_path / "cache"
    file.write_text("<?php" + _SOURCES[name])
    cache.mkdir()
    expected = _sections(php_dump(file, level, 0x10000000))
    script = read_opcache_bin(_bin(file, cache), str(file))
    options = Options(interprocedural=level != 0x20, direct_calls=level == 0x68)
    printed = b"".join(
        print_ssa_vars(function, facts)
        for function, facts in infer_zend_script(script, options)
        if function is not None and facts is not None
    )
    assert _sections(printed) == expected
    assert any(expected)
