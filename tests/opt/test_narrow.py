"""Narrowing: which instructions become plainer, and which variables are left alone."""

from __future__ import annotations

from tests.opt.programs import function, opcodes, optimize, program


def narrowed(body: str) -> list[str]:
    target = program(f"<?php function f(int $p, array $a) {{ {body} }} f(rand(), [rand(), 2]);")
    optimize(target, ["narrow"])
    return [name for name in opcodes(function(target, "f")) if name != "RECV"]


def test_a_temporary_defines_the_variable() -> None:
    assert narrowed("$t = $p + 1; return $t;") == ["ADD", "RETURN"]
    assert narrowed("$t = $a[0]; return $t + 1;") == ["FETCH_DIM_R", "ADD", "RETURN"]


def test_the_arms_of_a_conditional_define_its_result() -> None:
    names = narrowed("return $p ? $p + 1 : $p - 1;")
    assert "QM_ASSIGN" not in names


def test_a_variable_in_memory_keeps_its_assignment() -> None:
    assert "ASSIGN" in narrowed("$x = $p; $r = &$x; return $r;")
    # The value of the assignment is read after the reference has changed the variable.
    assert narrowed("return ($x = $p) + ($r = &$x) + ($r = 7);").count("ASSIGN") == 2


def test_a_temporary_with_two_readers_stays() -> None:
    assert narrowed("$t = ($u = $p * 2); return $t + $u;").count("MUL") == 1
