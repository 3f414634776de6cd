"""Facts that cross calls: arguments down where every caller is known, results up."""

from __future__ import annotations

import pytest

from ssa2llvm.analysis.lattice import ANY_VALUE
from tests.analysis.programs import Inferred, infer_php

_FIB = "function fib($n) { if ($n < 2) { return $n; } return fib($n - 1) + fib($n - 2); } "


def _parameter(f: Inferred, name: str) -> str:
    slot = f.function.op_array.cvs.index(name)
    first = next(
        i for i in f.function.instructions() if i.result_def >= 0 and f.function.ssa_vars[i.result_def].slot == slot
    )
    return f.facts.text(first.result_def)


def test_untyped_parameter_whose_callers_pass_integers_is_an_integer() -> None:
    f = infer_php(_FIB + "echo fib(30);")["fib"]
    assert _parameter(f, "n") == "[long] RANGE[0..30]"
    assert f.returned().startswith("[long, double]")


def test_an_exported_function_may_be_called_with_anything() -> None:
    assert _parameter(infer_php(_FIB + "echo fib(30);", exported=("fib",))["fib"], "n") == "[any] RANGE[MIN..MAX]"
    assert _parameter(infer_php(_FIB + "echo fib(30);", exported=None)["fib"], "n") == "[any] RANGE[MIN..MAX]"


@pytest.mark.parametrize(
    "use",
    [
        "$f = 'fib'; echo $f(3);",
        "echo implode(array_map('fib', [1, 'x']));",
        "usort($a, $argv[1]);",
        "include 'other.php';",
        "$f = fib(...); echo $f('x');",
    ],
)
def test_a_function_that_a_value_may_name_is_open(use: str) -> None:
    assert _parameter(infer_php(_FIB + "echo fib(30);" + use)["fib"], "n").startswith("[any]")


def test_callbacks_that_cannot_name_it_leave_it_closed() -> None:
    uses = "$g = function ($x) { return $x; }; echo $g(1); echo implode(array_map($g, [1])); usort($a, 'strcmp');"
    assert _parameter(infer_php(_FIB + "echo fib(30);" + uses)["fib"], "n") == "[long] RANGE[0..30]"


def test_unpacked_arguments_are_anything() -> None:
    f = infer_php("function f($a) { return $a; } f([1]); f(...$argv);")["f"]
    assert _parameter(f, "a") == "[any] RANGE[MIN..MAX]"
    assert f.facts.returns.types == ANY_VALUE  # with whatever arrays hold


def test_a_default_counts_only_if_a_caller_leaves_it() -> None:
    f = infer_php("function f($a, $b = 1.5) { return $b > 0 ? $a : $a; } echo f(1, 2), f(2, 3);")["f"]
    assert _parameter(f, "b") == "[long] RANGE[2..3]"


def test_defaults_are_callers_too() -> None:
    f = infer_php("function f($a, $b = 1.5) { return $b > 0 ? $a : $a; } echo f(1), f(2, 3);")["f"]
    assert _parameter(f, "b") == "[long, double] RANGE[3..3]"
    assert f.returned() == "[long] RANGE[1..2]"


def test_declared_types_convert_what_does_not_fit() -> None:
    f = infer_php("function f(float $a, int $b) { return $b; } echo f(1, '7');")["f"]
    assert _parameter(f, "a") == "[double]"
    assert _parameter(f, "b") == "[long] RANGE[MIN..MAX]"


def test_array_arguments_bring_their_elements() -> None:
    f = infer_php("function f(array $a) { return $a; } f([1, 2]); f([3]);")["f"]
    assert _parameter(f, "a") == "[packed array [long] of [long]]"


def test_mutual_recursion_ends_and_results_flow_up() -> None:
    source = (
        "function even($n) { if ($n == 0) { return true; } return odd($n - 1); }"
        "function odd($n) { if ($n == 0) { return false; } return even($n - 1); }"
        "var_dump(even(10));"
    )
    inferred = infer_php(source)
    assert inferred["even"].returned() == "[bool]"
    assert inferred["odd"].returned() == "[bool]"


def test_growing_arguments_are_given_up_bound_by_bound() -> None:
    f = infer_php("function f($n) { if ($n > 100) { return $n; } return f($n + 3); } echo f(5);")["f"]
    assert _parameter(f, "n") == "[long] RANGE[5..103]"
    assert f.returned().startswith("[long]")


def test_a_function_that_nobody_calls_is_inferred_for_anybody() -> None:
    assert _parameter(infer_php("function lonely($n) { return $n; } echo 1;")["lonely"], "n").startswith("[any]")


def test_by_value_sends_to_known_functions_make_no_references() -> None:
    main = infer_php("function g($x) { return later($x); } function later($y) { return $y + 1; } echo g(1);")
    assert _parameter(main["g"], "x") == "[long] RANGE[1..1]"
    assert main["g"].returned() == "[long] RANGE[2..2]"


def test_facts_do_not_depend_on_the_order_of_functions() -> None:
    parts = [
        "function a($x) { return b($x + 1); }",
        "function b($y) { return $y > 3 ? c($y) : 'small'; }",
        "function c($z) { return [$z]; }",
    ]
    main = " var_dump(a(1), b(9));"
    forwards, backwards = infer_php(" ".join(parts) + main), infer_php(" ".join(reversed(parts)) + main)
    for name in ("a", "b", "c"):
        assert forwards[name].returned() == backwards[name].returned()
