"""SCCP on PHP programs: what folds, what must not, and what is left."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.types import MAY_BE_ANY
from ssa2llvm.opt.sccp import Sccp
from ssa2llvm.report.bisect import run_program
from tests.opt.programs import echoed, function, opcodes, optimize, program


def fold(body: str, params: str = "$a = 0, $b = 0") -> list[object]:
    target = program(f"<?php function f({params}) {{ {body} }}")
    optimize(target, ["sccp"])
    return echoed(function(target, "f"))


def test_the_classic() -> None:
    classic = "$x = 1; $y = $x + 2; if ($a > 0) { $z = $y * 4; } else { $z = $y * 4; } echo $z; return $z;"
    assert fold(classic) == [12]


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        ("$x = 5; if ($x > 3) echo 'yes'; else echo 'no';", [b"yes"]),
        ("$x = null; echo $x ?? 'default';", [b"default"]),
        ("$x = 0; echo $x ?: 'falsy';", [b"falsy"]),
        ("$i = 1; while ($i != 1) { $i = 2; } echo $i;", [1]),
        ("$x = 1; do { $y = $x; $x = 1; } while ($a--); echo $y;", [1]),
        ("$s = 'a'; $s .= 'b'; echo $s;", [b"ab"]),
        ('$n = 2; echo "$n plus $n";', [b"2 plus 2"]),
        ("$n = 3; $m = $n++; echo $m; echo $n;", [3, 4]),
        ("echo strtoupper('abc');", [b"ABC"]),
        ("$x = 3; switch ($x) { case 1: echo 'one'; break; case 3: echo 'three'; break; }", [b"three"]),
        ("$x = 'b'; echo match($x) { 'a' => 1, 'b' => 2, default => 3 };", [2]),
        ("$x = 9223372036854775807; echo $x + 1;", [9223372036854775808.0]),
        ("$t = [1, 2, 3]; echo $t[1]; echo count($t);", [2, 3]),
        ("$t = ['k' => $b]; $t['n'] = 7; echo $t['n'];", [7]),
        ("$t = []; $t[] = 4; echo $t[0];", [4]),
        ("$t = [-3 => 1, 4]; echo $t[-2]; echo isset($t[0]) ? 'T' : 'F';", [4, b"F"]),  # not so after the literal []
        ("$x = true && false; echo $x ? 'T' : 'F';", [b"F"]),
        ("$t = [7, ...$b]; echo $t[0];", [7]),
        ("$s = 'a'; $t = $s++; echo $t;", [b"a"]),
        ("$x = 1; while ($a--) { if ($x > 1) { $r = &$x; } $x++; $x--; } echo $x;", [1]),
    ],
)
def test_folds(body: str, printed: list[object]) -> None:
    assert fold(body) == printed


@pytest.mark.parametrize(
    "body",
    [
        "$x = 1; if ($a) { $x = 2; } echo $x;",
        "$x = 1; while ($a--) { $x++; } echo $x;",
        "echo $undefined;",
        "$t = [1]; echo $t[5];",
        "$x = 1; $y = &$x; $y = 2; echo $x;",
        "$t = [$a => 1]; echo count($t);",
        "$t = [$a => 1]; echo isset($t['k']) ? 1 : 2 . $a;",
        "$r = [9]; $t = [$a, ...$r]; echo $t[0];",
        "$t = ['k' => 1, ...$a]; echo $t['k'];",
        "$x = 1; while ($a--) { $r = &$x; $x++; $x--; } echo $x;",
        "echo 1 / ($x = 0);",
        "echo hrtime(true);",
        "echo '5 apples' + ($x = 1);",
        "static $n = 1; echo $n;",
        "$x = 1; foreach ($a as $x) {} echo $x;",
        "echo str_repeat('abc', PHP_INT_MAX);",
        "echo str_repeat('abc', 9e18);",
        "echo str_pad('abc', '9000000000000000000');",
        "echo count(range(0, 1, 1e-12));",
        "echo sprintf('%2000000000d', 1);",
    ],
)
def test_does_not_fold(body: str) -> None:
    assert ... in fold(body)


def test_an_element_that_is_written_is_no_constant() -> None:
    # The VAR between the two fetches has the type null, but stands for a place.
    target = program("<?php function f() { $n = null; $n[2][3] = 4; return $n; }")
    optimize(target, ["sccp"])
    stores = [i for i in function(target, "f").instructions() if i.opcode.name == "ASSIGN_DIM"]
    assert [store.op1.is_var for store in stores] == [True]


def test_global_variables_are_not_constants() -> None:
    target = program("<?php $n = 1; function f() { global $n; $n = 2; } f(); echo $n;")
    optimize(target, ["sccp"])
    assert echoed(function(target, "$_main")) == [...]


def test_dead_blocks_and_their_phi_inputs_go() -> None:
    target = program("<?php function f($a) { $x = 1; if ($x) { $y = $a; } else { $y = 2; } return $y; }")
    optimize(target, ["sccp", "redundant-phis", "dce", "clean"])
    assert opcodes(function(target, "f")) == ["RECV", "ASSIGN", "RETURN"]


class AnyType:
    """Facts that know nothing."""

    def __init__(self, count: int) -> None:
        self.types = [MAY_BE_ANY] * count

    def single_value(self, name: int) -> None:
        return None


def test_trace_tells_the_first_cause() -> None:
    target = function(program("<?php function f() { $x = 1; $y = $x + 2; return $y; }"), "f")
    sccp = Sccp(target, AnyType(len(target.ssa_vars)), {}, trace=[])
    sccp.solve()
    assert sccp.trace is not None
    told = [(entry.cause, target.op_array.slot_name(target.ssa_vars[entry.name].slot)) for entry in sccp.trace]
    assert told == [("0000 ASSIGN", "$x"), ("0001 ADD", "T3"), ("0002 ASSIGN", "$y")]


def test_a_literal_goes_on_at_the_index_where_the_array_would() -> None:
    """``[]`` goes on at 0 after a negative key, the literal ``[-3 => 1]`` at -2."""
    target = program(
        "<?php function f($x) { $t = []; $t[-3] = 1; $u = $t; $u[] = $x; return $u[0] ?? 'none'; }"
        "foreach ([4, 5] as $v) { echo f($v); }"
    )
    optimize(target, ["sccp"])
    assert run_program(target).stdout == b"45"
