"""Passes change nothing but speed: machine code prints what PHP prints after every single pass and every prefix of the
pipeline. Few programs, as each run costs a compilation; the interpreter sees many (``test_behaviour``), and
``tests/campaigns/behaviour.py`` all."""

from __future__ import annotations

import pytest

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.llvm.driver import compile_program
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program
from tests.llvm.harness import run_caught
from tests.opt.array_programs import array_program
from tests.opt.test_behaviour import FILES, way_of
from tests.ssa.random_php import random_program
from tests.tools import run_php

NAMES = level_names(TABLE, 3)

FOLDS = """<?php
function classic($a) {
    $x = 1; $y = $x + 2; if ($a > 0) { $z = $y * 4; } else { $z = $y * 4; } echo $z, "\\n"; return $z;
}
function undefined($c) { if ($c) { $v = 1; } return $v . "."; }
function arrays($u) { $a = ["p" => [$u, 1], "q" => 2]; $a["q"] += 3; [$b, $c] = [$a["q"], $a["p"][1]]; return "$b $c"; }
function swap(int $n) {
    [$x, $y] = [1, 2]; for ($i = 0; $i < $n; $i++) { $t = $x; $x = $y; $y = $t + $x; } return "$x $y";
}
function references() { $a = 1; $r = &$a; $b = $a; $r = 2; return "$a $b $r"; }
function strings(int $n) { $s = ""; $old = $s; for ($i = 0; $i < $n; $i++) { $old = $s; $s .= $i; } return "$old|$s"; }
function choose(bool $e, $x) { if ($e ? true : $x) { return "yes"; } return "no"; }
function increments(&$x) { $x += 100; return 1; }
function later(int $p) { return ($a = $p) + increments($a) + $a; }
function bound(int $p) { $b = ($a = $p); $r = &$a; $r = 9; return "$b $a"; }
function shared(string $s, int $n) {
    $t = $s; $t .= "!"; $u = $t; $v = $u . $t; $t .= "?";
    $i = $n; $i++; $j = $i; $i += $j; return "$s $t $u $v $n $i $j";
}
function dead($n) { $t = [$n, [$n]]; foreach ([1, 2] as $v) { $k = $v * 2; } return $n; }
function weekday($d) {
    $x = 1; while ($d-- > 0) { if (!is_int($x)) { $x = "a"; } else { $x = $x % 7 + 1; } } return $x;
}
function never(int $n) {
    $v = null; $s = "";
    for ($i = 0; $i < $n; $i++) { $s .= $v ?? 5; if (isset($v)) { $v = "s"; } $s .= $i < 0 ? "neg" : "pos"; }
    return $s . $undefined . ($v === null ? "null" : $v);
}
function tables(int $n) {
    $s = "";
    while ($n-- > 0) {
        switch ($n % 5) { case 0: $s .= "a"; break; case 1: $s .= "b"; break; case 4: $s .= 4; break; case 9: $s = 1; }
        switch ("k$n") { case "k1": case "k2": $s .= "x"; break; case "k3": $s .= "y"; break; case "k5": $s .= "z"; }
        $s .= match (true) { is_float($n) => "float", $n > 3 => ">", default => "<" };
    }
    return $s;
}
echo weekday(10), weekday(2.5), never(2), tables(7), "\n";
classic(3); classic(-1);
echo later(5), later(6), " ", bound(5), " ", shared("s", 3), shared("t", 4), "\\n";
echo undefined(1), undefined(0), "\\n", arrays(7), "\\n", swap(5), "\\n", references(), "\\n", strings(4), "\\n";
echo choose(true, 0), choose(false, 0), choose(false, "a"), "\\n", dead(3), "\\n";
"""

PROGRAMS = {
    "folds": FOLDS,
    "control": random_program(301, functions=2, runnable=True, size=20),
    "exceptions": random_program(302, functions=2, runnable=True, size=20, exceptions=True),
    "arrays": array_program(303),
}
PREFIXES = [
    (name, length)
    for position, name in enumerate(PROGRAMS)
    for length in range(len(NAMES) + 1)
    if name == "folds" or length % 3 == position % 3
]
"""Every prefix of the first program; of the others a third."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What PHP prints for each program."""
    folder = tmp_path_factory.mktemp("programs")
    outputs = {}
    for name, source in PROGRAMS.items():
        file = folder / f"{name}.php"
        file.write_text(source)
        outputs[name] = run_php(file, cwd=folder).stdout.replace(str(file).encode(), b"test.php")
    return outputs


def by_machine(source: str, names: list[str]) -> bytes:
    script = load_bytes(source.encode(), "test.php")
    program = build_program(script)
    Pipeline(TABLE, names, verify=True).run(program)
    return run_caught(compile_program(script, 1, verify=True, optimised=program), "test.php").output


@pytest.mark.parametrize(("name", "length"), PREFIXES)
def test_every_prefix(name: str, length: int, printed: dict[str, bytes]) -> None:
    assert by_machine(PROGRAMS[name], NAMES[:length]) == printed[name]


@pytest.mark.parametrize("name", sorted({row.name for row in TABLE.passes}))
def test_every_pass_alone(name: str, printed: dict[str, bytes]) -> None:
    assert by_machine(FOLDS, [name]) == printed["folds"]


@pytest.mark.parametrize("position", range(0, len(FILES), 3), ids=lambda position: FILES[position].stem)
def test_cases_and_examples_in_turn(position: int) -> None:
    """Every third file, after a prefix or a single pass."""
    file = FILES[position]
    expected = file.with_suffix(".expected")
    if not expected.exists():
        expected = file.with_suffix(".out")
    if expected.exists():
        wanted = expected.read_bytes().replace(file.name.encode(), b"test.php")
        assert by_machine(file.read_text(), way_of(position)).strip() == wanted.strip()
