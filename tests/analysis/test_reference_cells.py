"""References have the type of what is stored through them, wherever that is; what unknown code reaches has none."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.opcode import Opcode
from tests.analysis.programs import infer_php


def _returned(source: str, name: str = "f", exported: tuple[str, ...] | None = ()) -> str:
    return infer_php(source, exported)[name].returned()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("function f() { static $n = 0; $n++; return $n; } f();", "[long, double] RANGE[0..++]"),
        ("function f() { static $n = 0; $n = ($n + 1) & 15; return $n; } f();", "[long] RANGE[0..15]"),
        ("function f() { static $n; return $n; } f();", "[null]"),
        ("function f() { static $n; $n ??= 1.5; return $n; } f();", "[null, double]"),
        ("function f() { $x = 1; $y = &$x; $y = 'a'; return $x; } f();", "[long, string] RANGE[1..1]"),
        ("function f() { $x = 1; $y = &$x; unset($y); $y = 'a'; return $x; } f();", "[long] RANGE[1..1]"),
        ("function f() { $a = [3, 1]; sort($a); return $a[0]; } f();", "[null, long] RANGE[MIN..MAX]"),
        (
            "function f() { $a = [3, 1]; array_push($a, 'x'); return $a; } f();",
            "[[packed, hash] array [long] of [long, string]]",
        ),
        (
            "function f() { $n = 'x'; str_replace('a', 'b', 'c', $n); return $n; } f();",
            "[long, string] RANGE[MIN..MAX]",
        ),
        ("function f() { $a = [1.5]; foreach ($a as &$v) { $v *= 2; } return $v; } f();", "[null, double]"),
        ("function f() { $x = 1; $a = [&$x]; $a[0] = 'y'; return $x; } f();", "[long, string] RANGE[MIN..MAX]"),
    ],
)
def test_of_one_function(source: str, expected: str) -> None:
    assert _returned(source) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("array_pop($a)", "[null, long]"),
        ("array_shift($a)", "[null, long]"),
        ("end($a)", "[false, long]"),
        ("reset($a)", "[false, long]"),
        ("max($a)", "[long]"),
        ("array_pop($m)", "[null, packed array [long] of [double]]"),
    ],
)
def test_what_is_taken_out_of_an_array_is_one_of_its_elements(call: str, expected: str) -> None:
    source = f"function f() {{ $a = [1, 2]; $a[] = 3; $m = [[1.5]]; return {call}; }} f();"
    assert _returned(source).split(" RANGE")[0] == expected


def test_an_array_behind_a_reference_may_be_written_through_another_array() -> None:
    source = "function f() { $v = [1]; $a = [&$v]; $a[0][] = 'x'; return $v[1]; } f();"
    assert "any" in _returned(source)


def test_a_global_is_what_all_functions_store() -> None:
    source = """$n = 0; function add($by) { global $n; $n = ($n + $by) & 255; }
        function f() { global $n; return $n; } add(3); add(5); f();"""
    assert _returned(source) == "[long] RANGE[0..255]"


def test_a_global_that_may_not_be_set_yet_may_be_null() -> None:
    early = "function f() { global $n; return $n; } f(); $n = 1;"
    assert _returned(early) == "[null, long] RANGE[1..1]"
    on_one_path = "if ($argc > 1) { $n = 1; } function f() { global $n; return $n; } f();"
    assert _returned(on_one_path) == "[null, long] RANGE[1..1]"
    by_value = "$n = 1; function f() { global $n; return $n; } register_shutdown_function('f');"
    assert "null" in _returned(by_value)


def test_parameters_by_reference_share_what_callers_pass() -> None:
    source = """function swap(&$a, &$b) { $t = $a; $a = $b; $b = $t; }
        function f() { $x = 1; $y = 2; swap($x, $y); return $x; } f();"""
    assert _returned(source) == "[long] RANGE[1..2]"
    mixed = source + "function g() { $x = 1.5; $y = 2; swap($x, $y); } g();"
    assert _returned(mixed) == "[long, double] RANGE[1..2]"


def test_a_declared_parameter_converts_what_comes_in() -> None:
    source = "function g(int &$n) { } function f() { $x = '12'; g($x); return $x; } f();"
    assert _returned(source) == "[long, string] RANGE[MIN..MAX]"


def test_a_function_that_outsiders_call_takes_anything_by_reference() -> None:
    source = "function f(&$x) { return $x; } function g() { $y = 1; f($y); return $y; } g();"
    assert _returned(source) == "[long] RANGE[1..1]"
    assert "any" in _returned(source, exported=("f",))
    assert "any" in _returned(source, "g", exported=("f",))


def test_functions_that_never_run_store_nothing() -> None:
    source = "$n = 1; function f() { global $n; return $n; } function never($x) { global $n; $n = $x; } f();"
    assert _returned(source) == "[long] RANGE[1..1]"


def test_properties_closures_and_computed_names_are_not_followed() -> None:
    for body in ("$o->p = &$x;", "$g = function () use (&$x) { $x = 's'; };", "$$x = 1;", "preg_unknown($x);"):
        assert "any" in _returned(f"function f($o) {{ $x = 1; {body} return $x; }} f(1);"), body


def test_a_catch_assigns_through_a_reference() -> None:
    source = "function f() { $x = 1; $e = &$x; try { g(); } catch (Error $e) { $y = 2; } return $x; } f();"
    assert _returned(source) == "[long, object] RANGE[1..1]"


def test_the_names_stay_marked_as_references() -> None:
    f = infer_php("function f() { static $n = 0; $n = 1; return $n; } f();")["f"]
    assert f.facts.text(f.instr(Opcode.RETURN).op1_use) == "[ref, long] RANGE[0..1]"
