"""What the sound configuration must know: the facts that the compiler lives on."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_NUMBER
from tests.analysis.programs import infer_php


def _returned(body: str, params: str = "int $n") -> str:
    return infer_php(f"function f({params}) {{ {body} }}", exported=None)["f"].returned()


def test_counter_of_a_loop_does_not_overflow_but_the_sum_does() -> None:
    f = infer_php(
        "function f(int $n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $i & 1023; } return $s; }", exported=None
    )["f"]
    step, total = f.instr(Opcode.PRE_INC), f.instr(Opcode.ASSIGN_OP)
    assert f.facts.types[step.op1_def] == MAY_BE_LONG
    assert not f.facts.may_overflow(step)
    assert f.facts.may_overflow(total)
    assert f.facts.types[total.op1_def] == MAY_BE_NUMBER


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return $n & 255;", "[long] RANGE[0..255]"),
        ("return $n % 10;", "[long] RANGE[-9..9]"),
        ("return $n ^ $n & 7;", "[long] RANGE[MIN..MAX]"),
        ("return ($n & 7) ^ ($n & 15);", "[long] RANGE[0..15]"),
        ("return $n <=> 5;", "[long] RANGE[-1..1]"),
        ("if ($n > 5) { return $n; } return 0;", "[long] RANGE[0..MAX]"),
        ("if ($n != 0) { return 1; } return $n;", "[long] RANGE[0..1]"),
        ("$n = $n & 15; if ($n != 15) { return $n; } return 0;", "[long] RANGE[0..14]"),
        ("$n = $n & 15; if ($n !== 15 && $n != 0) { return $n; } return 1;", "[long] RANGE[1..14]"),
        ("for ($i = 0; $i != 10; $i++) {} return $i;", "[long] RANGE[10..10]"),
        ("$i = 10; while (--$i) {} return $i;", "[long] RANGE[0..0]"),
        ("$i = 10; while ($i--) { if ($i < $n) { return $i; } } return 3;", "[long] RANGE[0..9]"),
        (
            "$m = $n & 7; for ($i = 0; $i < $m; $i++) { for ($j = 0; $j < $i; $j++) {} } return $i;",
            "[long] RANGE[0..7]",
        ),
        ("return (bool) $n + (bool) $n;", "[long] RANGE[0..2]"),
        ("return strlen('' . $n) - 1;", "[long] RANGE[-1..281474976710655]"),
        ("return count([1, 2]) + 1;", "[long] RANGE[1..1099511627777]"),
        ("return ord(chr($n)) + 1;", "[long] RANGE[1..256]"),
        ("return abs($n & 7) + min($n & 3, 2);", "[long] RANGE[0..9]"),
        ("return (int) ($n / 2);", "[long] RANGE[MIN..MAX]"),
        ("return intdiv($n & 15, 4);", "[long] RANGE[0..3]"),
        # a sum that overflowed is a float, which compares equal to PHP_INT_MAX
        ("if ($n + 1 <= PHP_INT_MAX) { return $n; } return 0;", "[long] RANGE[MIN..MAX]"),
        ("if ($n + 1 < PHP_INT_MAX) { return $n; } return 0;", "[long] RANGE[MIN..9223372036854775805]"),
        ("if ($n + 1 <= 1000) { return $n; } return 0;", "[long] RANGE[MIN..999]"),
        ("if ($n++ < 10) { return $n; } return 0;", "[long, double] RANGE[-9223372036854775807..10]"),
    ],
)
def test_ranges(body: str, expected: str) -> None:
    assert _returned(body) == expected


def test_a_difference_behind_a_comparison_is_not_negative() -> None:
    body = "if ($i >= 0 && $j >= $i) { return $j - $i; } return 0;"
    assert _returned(body, "int $i, int $j") == "[long] RANGE[0..MAX]"


def test_range_survives_the_check_of_the_return_type() -> None:
    source = "function f(int $n): int { return $n & 7; } function g(int $n): int { return f($n) + 1; }"
    assert infer_php(source, exported=None)["g"].returned() == "[long] RANGE[1..8]"


@pytest.mark.parametrize(
    ("params", "test", "expected"),
    [
        ("?int $x", "$x > 5", "[long] RANGE[6..MAX]"),
        ("?bool $x", "$x < -3", "[null, false]"),
        ("?bool $x", "$x >= 5", "[true]"),
        ("?bool $x", "$x == 0", "[null, false]"),
        ("float $x", "$x > 2", "[double]"),
        ("int|string $x", "$x < 10", "[long, string] RANGE[MIN..9]"),
        ("int|float $x", "!($x < 10)", "[long, double] RANGE[10..MAX]"),
    ],
)
def test_comparisons_say_what_is_true_of_every_type(params: str, test: str, expected: str) -> None:
    null = "else { exit; }"
    assert (
        _returned(f"if ({test}) {{ return $x; }} {null}", params).replace("null, ", "", "null" not in expected)
        == expected
    )


def test_two_variables_that_run_towards_each_other() -> None:
    source = "function f(int $n) { $j = $n & 63; $i = 0; while ($i < $j) { $i++; $j--; } return $j; }"
    f = infer_php(source, exported=None)["f"]
    assert not f.facts.may_overflow(f.instr(Opcode.PRE_INC))
    assert not f.facts.may_overflow(f.instr(Opcode.PRE_DEC))


def test_main_script_variables_are_locals_unless_functions_reach_them() -> None:
    source = "$a = 1; $b = 2; echo $a + $b; function f() { global $b; $b = 'x'; } f();"
    main = infer_php(source)["$_main"]
    total = main.instr(Opcode.ADD)
    assert main.facts.text(total.op1_use) == "[long] RANGE[1..1]"
    assert main.facts.text(total.op2_use) == "[ref, long, string] RANGE[2..2]"


def test_a_function_with_try_is_typed() -> None:
    body = "$x = 1; try { $x = 2; g(); $x = 'a'; } catch (Error $e) { return $x; } return 1.5;"
    assert _returned(body) == "[long, double] RANGE[1..2]"  # nothing throws once $x is a string


def test_unset_makes_undef_and_a_reference_is_what_is_stored_through_it() -> None:
    assert _returned("$x = 1; unset($x); return $x;") == "[null]"
    assert _returned("$x = 1; $y = &$x; $y = 'a'; return $x;") == "[long, string] RANGE[1..1]"
