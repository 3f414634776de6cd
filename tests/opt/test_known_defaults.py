"""Defaults whose value is known are literals before SSA form is built; the others stay expressions."""

from __future__ import annotations

import math

import pytest

from ssa2llvm.ir.literals import ArrayConst, ConstAst, Literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.known_defaults import settle_known_values
from ssa2llvm.php import compile_php


def default_of(source: str) -> Literal:
    script = compile_php(source.encode(), "a.php")
    settle_known_values(script)
    (function,) = script.functions
    (receive,) = [op for op in function.ops if op.opcode == Opcode.RECV_INIT]
    return function.literal(receive.op2)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("$x = PHP_INT_MAX", 2**63 - 1),
        ("int $x = -PHP_INT_MAX - 1", -(2**63)),
        ("float $x = M_PI / 2", math.pi / 2),
        ("?string $x = PHP_EOL . 'a'", b"\na"),
        ("array $x = [PHP_INT_SIZE]", ArrayConst(((0, 8),), packed=True)),
        ("int|array $x = [PHP_INT_SIZE]", ArrayConst(((0, 8),), packed=True)),
    ],
)
def test_known(parameter: str, value: object) -> None:
    assert default_of(f"<?php function f({parameter}) {{}}") == value


@pytest.mark.parametrize(
    "source",
    [
        "<?php function f($x = MINE) {}",
        "<?php function f($x = A::B) {}",
        "<?php function f($x = 1 % PHP_INT_MAX - 1 / (PHP_INT_MAX - PHP_INT_MAX)) {}",
        "<?php namespace N; function f($x = PHP_INT_MAX) {}",
        "<?php function f(float $x = PHP_INT_MAX) {}",
        "<?php function f(string $x = PHP_INT_MAX) {}",
    ],
)
def test_not_known(source: str) -> None:
    assert isinstance(default_of(source), ConstAst)


def test_two_parameters_of_one_text_are_settled_apart() -> None:
    script = compile_php(b"<?php function f(int $x = PHP_INT_MAX, float $y = PHP_INT_MAX) {}", "a.php")
    settle_known_values(script)
    (function,) = script.functions
    first, second = [function.literal(op.op2) for op in function.ops if op.opcode == Opcode.RECV_INIT]
    assert first == 2**63 - 1
    assert isinstance(second, ConstAst)
