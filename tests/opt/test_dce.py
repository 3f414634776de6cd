"""Dead code: what goes, and what must stay because someone could notice."""

from __future__ import annotations

import pytest

from tests.opt.programs import function, opcodes, optimize, program


def left(body: str, params: str = "int $a, int $b") -> list[str]:
    target = program(f"<?php function f({params}) {{ {body} }}")
    optimize(target, ["dce", "clean"])
    names = opcodes(function(target, "f"))
    return names[names.count("RECV") :]


@pytest.mark.parametrize(
    "body",
    [
        "$x = $a + $b;",
        "$x = $a; $x++; $x .= 'y'; unset($x);",
        "if ($a > 1) { $x = 1; } else { $x = 2; }",
        "if ($a) { if ($b) { $x = 1; } }",
        "$x = $a ? $b : 3;",
        "$x = ['k' => $a, 'l' => $b]; $y = $x;",
        "$x = [$a, $b, 5 => $b, $a];",  # small keys: there is room for every element
        "$x = [[$a], [$b, [$a]]]; $y = ['k' => $x, 'l' => [$x]];",  # arrays in arrays that are dead themselves
        "$x = ['k' => [$a]]; $x['l'] = [$b, $x]; $y = [$x];",
        "$x = []; $x[] = $a; $x[] = [$b];",
        "$x = [5 => $a]; $x['k'] = $b; $x[] = [$x, $b];",
        "static $x = 1;",
        "$x = $a <=> $b; $y = (string) $a; $z = -$b;",
        "switch ($a) { case 1: $x = 1; break; case 2: $x = 2; break; default: $x = 3; }",
    ],
)
def test_unread_computations_and_branches_go(body: str) -> None:
    assert left(body) == ["RETURN"]


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("$x = $a / $b;", "DIV"),
        ("$x = $a % $b;", "MOD"),
        ("$x = $a << $b;", "SL"),
        ("$x = $undefined;", "ASSIGN"),
        ("$x = ~$undefined;", "BW_NOT"),
        ("f($a, $b);", "DO_FCALL_BY_NAME"),
        ("static $n; $n = $a;", "ASSIGN"),
        ("global $g; $g = $a;", "ASSIGN"),
        ("while (true) {}", "JMP"),
        ("if ($a) { echo 1; }", "JMPZ"),
        ("if ($a) { return 1; }", "JMPZ"),
        ("$x = false; $x[] = 1;", "ASSIGN_DIM"),
        ("$x = [PHP_INT_MAX => $a]; $x[] = 1;", "ASSIGN_DIM"),
        ("$x = [$a => $b]; $x[] = 1;", "ASSIGN_DIM"),
        ("$x = [[[new Exception]]]; $y = [$x]; echo 1;", "NEW"),
    ],
)
def test_what_can_be_noticed_stays(body: str, kept: str) -> None:
    assert kept in left(body)


def test_strings_in_arithmetic_may_warn() -> None:
    assert "ADD" in left("$x = $a + 1;", params="string $a")
    assert "CONCAT" not in left("$x = $a . 'b';", params="string $a")


def test_destructors_may_run() -> None:
    assert "ASSIGN" in left("$x = $a; $x = 1;", params="object $a")


def test_a_finite_loop_is_kept_for_llvm() -> None:
    assert "PRE_INC" in left("for ($i = 0; $i < 10; $i++) {}")


def test_only_the_live_part_of_a_loop_stays() -> None:
    names = left("$s = 0; for ($i = 0; $i < $a; $i++) { $dead = $i * 2; $s += $i; } return $s;")
    assert "MUL" not in names
    assert "ASSIGN_OP" in names


@pytest.mark.parametrize("passes", [["sccp"], ["dce"], ["clean"], ["redundant-phis"], ["sccp", "dce", "clean"]])
def test_twice_changes_nothing_the_second_time(passes: list[str]) -> None:
    source = """<?php
    function f($a, $n) {
        $x = 1; $dead = [$a, 2];
        for ($i = 0; $i < $n; $i++) {
            if ($x == 1) { $y = $x + $i; } else { $y = 2; }
            switch ($i % 3) { case 0: continue 2; case 1: $x = 1; break; default: echo $y; }
            if ($a) {} else { $z = $a ?? 3; }
        }
        return $y ?? $a;
    }"""
    target = program(source)
    optimize(target, passes)
    again = optimize(target, passes)
    if len(passes) == 1:
        assert [step.changes for step in again] == [0] * len(again)
    else:
        optimize(target, passes)
        assert sum(step.changes for step in optimize(target, passes)) == 0


def left_of_f(source: str) -> list[str]:
    target = program(f"<?php {source}")
    optimize(target, ["dce", "clean"])
    return opcodes(function(target, "f"))


def test_calls_of_functions_that_do_nothing_go() -> None:
    pure = "function low(int $x): int { return $x & 7; } function f(int $a) { $x = low($a); strlen('a'); return 1; }"
    assert left_of_f(pure) == ["RECV", "RETURN"]
    nested = "function g(int $x): int { return h(1); } function h(int $x): int { return 2; }"
    nested += "function f(int $a) { g(g($a)); }"
    assert left_of_f(nested) == ["RECV", "RETURN"]


@pytest.mark.parametrize(
    "source",
    [
        "function g($x) { echo $x; } function f($a) { g(1); }",
        "function g($x) { return $x / 0; } function f($a) { g(1); }",
        "function g(int $x) { return $x; } function f($a) { g($a); }",
        "function g($x) { return 1; } function f($a) { g(); }",
        "function g($x) { while (true) {} } function f($a) { g(1); }",
        "function g($x) { return g($x); } function f($a) { g(1); }",
        "function g() { static $n = 0; $n++; } function f($a) { g(); }",
        "function g() { global $n; $n = 1; } function f($a) { g(); }",
        "function f($a) { unknown(1); }",
        "function f($a) { $a(1); }",
        "function f($a) { strlen(); }",
        "function f($a) { intdiv(1, 0); }",
        "function g($x) { return 1; } function f($a) { g($undefined); }",
    ],
)
def test_calls_that_can_be_noticed_stay(source: str) -> None:
    assert any(name.startswith("DO_") for name in left_of_f(source))


def test_an_element_that_may_find_no_index_stays() -> None:
    assert "ADD_ARRAY_ELEMENT" in left("$x = [PHP_INT_MAX => $a, $b];")
    assert "ADD_ARRAY_ELEMENT" in left("$x = [$a => $b, $a];")


def test_what_only_dies_need_not_be_computed() -> None:
    """$x may hold an object, whose time of death counts; the sum may not, so nobody misses it."""
    names = left("if ($a) { $x = $o; } else { $x = $a + $b; } $x = 1; return $x;", "int $a, int $b, object $o")
    assert "ADD" not in names
    assert names.count("ASSIGN") == 2


def test_arrays_that_only_a_loop_fills_go() -> None:
    body = "$x = []; for ($i = 0; $i < $a; $i++) { $x[] = [$i, ['k' => $x]]; } return $b;"
    assert not {"INIT_ARRAY", "ADD_ARRAY_ELEMENT", "ASSIGN_DIM"} & set(left(body))


def test_arrays_that_may_hold_objects_deep_inside_die_in_time() -> None:
    assert "INIT_ARRAY" not in left("$x = [[$p]]; $y = [$x];", params="int $p")
    assert left("$x = [[$p]]; $y = [$x];", params="$p").count("INIT_ARRAY") == 3


def test_a_static_bound_again_is_bound_once() -> None:
    target = program("<?php function f() { static $a = 1; static $a = 2; return $a; } echo f();")
    optimize(target, ["dce"])
    assert opcodes(function(target, "f")).count("BIND_STATIC") == 1


def test_an_element_variable_that_only_dies_is_replaced_in_a_phi_that_stays() -> None:
    """$x may hold an object, so its phi stays; the element that flows in has no name at entry, but $x has."""
    body = "if ($i) { $v = [$i * 2]; $x = $v[0]; } else { $x = $p; } $x = 1; return $x;"
    target = program(f"<?php function f(int $i, $p) {{ {body} }}")
    optimize(target, ["scalar-arrays", "narrow", "copies", "dce", "clean"])
    names = opcodes(function(target, "f"))
    assert "MUL" not in names
    assert names.count("ASSIGN") == 1
