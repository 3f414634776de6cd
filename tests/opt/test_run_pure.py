"""User functions called with constants: run where that is all they do, left alone where it is not."""

from __future__ import annotations

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.opt.run_pure import MAX_STEPS, PROGRAM_STEPS
from ssa2llvm.report.bisect import run_program
from tests.opt.programs import echoed, function, optimize, program
from tests.opt.test_behaviour import script

PASSES = ["sccp", "dce"]


def printed(declarations: str, call: str) -> object:
    """What is left of ``echo CALL``: the literal, or ``...``."""
    target = program(f"<?php {declarations} echo {call};")
    optimize(target, PASSES)
    (value,) = echoed(function(target, "$_main"))
    assert run_program(target).stdout == run_script(script(f"<?php {declarations} echo {call};")).stdout
    return value


@pytest.mark.parametrize(
    ("declarations", "call", "value"),
    [
        ("function square($x) { return $x * $x; }", "square(7)", 49),
        ("function square($x) { return $x * $x; }", "square(PHP_INT_MAX) > 1e37", True),
        ("function p(int $b, int $e): int { $r = 1; while ($e-- > 0) { $r *= $b; } return $r; }", "p(3, 5)", 243),
        ("function fact($n) { return $n < 2 ? 1 : $n * fact($n - 1); }", "fact(10)", 3628800),
        ("function half(float $x) { return $x / 2; }", "half(5)", 2.5),
        ("function f($a, $b = 4) { return $a . $b; }", "f('x')", b"x4"),
        ("function t($n) { $t = []; for ($i = 0; $i < $n; $i++) { $t[] = $i * $i; } return $t; }", "t(5)[4]", 16),
        ("function s($k) { switch ($k) { case 1: return 'a'; case 2: return 'b'; } return 'c'; }", "s(2)", b"b"),
        ("function n($x) { return strlen($x) + 1; }", "n('four')", 5),
        ("function b($x) { return $x . 'b'; } function a($x) { return b($x) . 'a'; }", "a('c')", b"cba"),
        ("function i($x) { return 1 / $x; }", "i(4)", 0.25),
    ],
)
def test_what_is_run(declarations: str, call: str, value: object) -> None:
    assert printed(declarations, call) == value


@pytest.mark.parametrize(
    ("declarations", "call"),
    [
        ("function w($x) { return $x . $undefined; }", "w('x')"),
        ("function o($x) { echo $x; return $x . 1; }", "o('x')"),
        ("function s($x) { static $n = 0; return $x + $n++; }", "s(1)"),
        ("function g($x) { global $n; $n = 5; return $x . $n; }", "g(1)"),
        ("function t() { return hrtime(true) > 0; }", "t()"),
        ("function d($x) { return '5 apples' + $x; }", "d(1)"),
        ("function c(int $x) { return $x; }", "c('5')"),
        ("function r($x): int { return $x; }", "r('5')"),
        ("function v(...$x) { return count($x) . 'x'; }", "v(1)"),
        ("function deep($n) { return $n ? deep($n - 1) + 1 : 0; }", "deep(1000)"),
    ],
)
def test_what_is_not(declarations: str, call: str) -> None:
    assert printed(declarations, call) is ...


def test_an_error_stays_an_error() -> None:
    source = (
        "<?php function i($x) { return 1 % $x; } try { echo i(0); } catch (DivisionByZeroError $e) { echo 'caught'; }"
    )
    target = program(source)
    optimize(target, PASSES)
    assert run_program(target).stdout == b"caught"


def test_running_ends() -> None:
    """Endless loops cost their budget once, and a program full of them costs that of a program."""
    calls = " ".join(f"if (count($argv) > 9) {{ echo f({n}); }}" for n in range(1, 40))
    target = program(f"<?php function f($x) {{ while ($x) {{ $x = $x > 9 ? 1 : $x + 1; }} return $x; }} {calls}")
    optimize(target, [*PASSES, *PASSES])
    runner = target.cache["run_pure"]
    assert runner.steps_left == 0
    assert 39 * MAX_STEPS > PROGRAM_STEPS
