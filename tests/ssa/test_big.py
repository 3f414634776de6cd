"""Sizes that break recursion and quadratic algorithms."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.verifier import assert_valid


def straight_line(count: int) -> OpArray:
    """``$v1 = $v0 + 1; $v2 = $v1 + 1; …``: one block, as many variables as statements."""
    b = FunctionBuilder("straight", ["v0"])
    for number in range(1, count):
        b.assign(b.cv(f"v{number}"), b.emit(Opcode.ADD, b.cv(f"v{number - 1}"), b.const(1)))
    b.ret(b.cv(f"v{count - 1}"))
    return b.finish()


def nested_ifs(depth: int) -> OpArray:
    b = FunctionBuilder("ifs", ["n"])
    ends = [b.label() for _ in range(depth)]
    b.assign(b.cv("s"), b.const(0))
    for level in range(depth):
        b.branch_zero(b.emit(Opcode.IS_SMALLER, b.const(level), b.cv("n")), ends[level])
        b.emit(Opcode.ASSIGN_OP, b.cv("s"), b.const(level), result=None, ext=Opcode.ADD)
    for end in reversed(ends):
        b.place(end)
        b.echo(b.cv("s"))
    b.ret(b.cv("s"))
    return b.finish()


def nested_loops(depth: int, bottom_tested: bool) -> OpArray:
    b = FunctionBuilder("loops", ["n"])
    bodies, tests = [b.label() for _ in range(depth)], [b.label() for _ in range(depth)]
    b.assign(b.cv("s"), b.const(0))
    for level in range(depth):
        if not bottom_tested:
            b.jump(tests[level])
        b.place(bodies[level])
        b.emit(Opcode.PRE_INC, b.cv("s"), result=None)
    for level in reversed(range(depth)):
        b.place(tests[level])
        less = b.emit(Opcode.IS_SMALLER, b.cv("s"), b.cv("n"))
        b.branch_nonzero(less, bodies[level])
    b.ret(b.cv("s"))
    return b.finish()


def wide_join(count: int) -> OpArray:
    """A switch of many cases that all end in one place, each with a definition of its own."""
    b = FunctionBuilder("switch", ["x"])
    labels = [b.label() for _ in range(count)]
    end = b.label()
    b.switch(Opcode.SWITCH_LONG, b.cv("x"), list(enumerate(labels)), end)
    for number, label in enumerate(labels):
        b.place(label)
        b.assign(b.cv("y"), b.const(number))
        b.jump(end)
    b.place(end)
    b.ret(b.cv("y"))
    return b.finish()


def many_breaks(count: int) -> OpArray:
    """A loop with many ways out, each behind a comparison: as many pis and predecessors at its exit."""
    b = FunctionBuilder("breaks", ["n"])
    top, out = b.label(), b.label()
    b.assign(b.cv("i"), b.const(0))
    b.place(top)
    for number in range(count):
        b.branch_nonzero(b.emit(Opcode.IS_SMALLER, b.cv("n"), b.const(number)), out)
        b.emit(Opcode.PRE_INC, b.cv("i"), result=None)
    b.jump(top)
    b.place(out)
    b.ret(b.emit(Opcode.ADD, b.cv("i"), b.cv("n")))
    return b.finish()


SHAPES: dict[str, Callable[[int], OpArray]] = {
    "nested ifs": nested_ifs,
    "nested while loops": lambda depth: nested_loops(depth, bottom_tested=False),
    "nested do loops": lambda depth: nested_loops(depth, bottom_tested=True),
    "cases into one block": wide_join,
    "breaks out of one loop": many_breaks,
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_ten_thousand_levels_in_seconds_without_recursion(shape: Callable[[int], OpArray]) -> None:
    op_array = shape(10_000)
    started = time.process_time()
    build_ssa(op_array)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_same_shapes_are_valid(shape: Callable[[int], OpArray]) -> None:
    assert_valid(build_ssa(shape(300)))
    assert_valid(build_ssa(shape(300), Config.ZEND))


def test_a_block_of_100_000_instructions_on_50_000_variables() -> None:
    op_array = straight_line(50_000)
    started = time.process_time()
    function = build_ssa(op_array)
    assert time.process_time() - started < 20
    # A name for each variable at entry, for the parameter, and two for each statement.
    assert len(function.ssa_vars) == 50_000 + 1 + 2 * 49_999


def test_php_refuses_big_functions() -> None:
    op_array = nested_ifs(1_100)
    assert len(build_ssa(op_array).blocks) * op_array.num_slots > 1 << 21
    with pytest.raises(
        CompileError, match=r"PHP builds no SSA form for ifs: 4001 blocks times 2002 variables are more"
    ):
        build_ssa(nested_ifs(2_000), Config.ZEND)
