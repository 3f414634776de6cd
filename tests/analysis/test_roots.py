"""``$i * $i <= $n`` bounds $i by the root of the greatest integer: loops up to a root count in integers."""

from __future__ import annotations

import pytest

from ssa2llvm.analysis.infer import infer
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import build_ssa

ROOT = 3_037_000_499
assert ROOT**2 <= 2**63 - 1 < (ROOT + 1) ** 2


def counted(signature: str, condition: str) -> tuple[int, int | None]:
    """Types of the counter of ``for ($i = 2; condition; $i++)`` before its increment, and its upper bound."""
    source = f"<?php function f({signature}) {{ for ($i = 2; {condition}; $i++) {{ }} return $i; }}"
    function = build_ssa(compile_php(source.encode(), "roots.php").functions[0])
    facts = infer(function)
    (increment,) = [i for i in function.instructions() if i.opcode == Opcode.PRE_INC]
    known = facts.ranges[increment.op1_use]
    return facts.types[increment.op1_use], known.max if known is not None and not known.overflow else None


@pytest.mark.parametrize("condition", ["$i * $i <= $n", "$n >= $i * $i", "!($i * $i > $n)"])
def test_a_root_of_an_integer(condition: str) -> None:
    assert counted("int $n", condition) == (MAY_BE_LONG, ROOT)


def test_a_root_below_an_integer() -> None:
    assert counted("int $n", "$i * $i < $n") == (MAY_BE_LONG, ROOT)


@pytest.mark.parametrize(("signature", "condition"), [("$n", "$i * $i <= $n"), ("float $n", "$i * $i <= $n")])
def test_what_may_be_a_float_bounds_nothing(signature: str, condition: str) -> None:
    assert counted(signature, condition)[1] is None


@pytest.mark.parametrize(("condition", "bound"), [("$i * $i <= 100", 10), ("$i * $i < 100", 9)])
def test_a_root_of_a_constant(condition: str, bound: int) -> None:
    assert counted("int $n", condition) == (MAY_BE_LONG, bound)


def test_the_variable_is_not_bounded_by_the_root_of_its_own_square() -> None:
    types, bound = counted("int $n", "$i <= $i * $i && $i < $n")
    assert types == MAY_BE_LONG
    assert bound == 2**63 - 2
