"""The gate behind every reader: an op array that later stages could stumble over does not pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ssa2llvm.formats.linear_check import jump_targets, linear_problem
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.op_array import LiveRange, LiveRangeKind, Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, THROW_IS_EXPR, UNUSED, const, cv, tmp, word


def sound() -> OpArray:
    """JMPZ, a jump table, an ASSIGN_DIM with its OP_DATA, RETURN: nothing wrong."""
    op_array = OpArray("f", cvs=["a"], num_temps=2, literals=[JumpTable(((1, 4), (b"k", 0))), 5])
    op_array.ops = [
        Op(Opcode.JMPZ, cv(0), word(4)),
        Op(Opcode.ASSIGN_DIM, cv(0), const(1), tmp(1)),
        Op(Opcode.OP_DATA, tmp(2)),
        Op(Opcode.SWITCH_LONG, cv(0), const(0), extended_value=4),
        Op(Opcode.RETURN, const(1)),
    ]
    op_array.live_ranges = [LiveRange(1, LiveRangeKind.TMPVAR, 1, 4)]
    return op_array


def set_op(number: int, **fields: object) -> Callable[[OpArray], None]:
    def change(op_array: OpArray) -> None:
        for name, value in fields.items():
            setattr(op_array.ops[number], name, value)

    return change


def test_a_sound_op_array_passes() -> None:
    assert linear_problem(sound()) is None
    assert [jump_targets(sound(), op) for op in sound().ops] == [[4], [], [], [4, 4, 0], []]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda f: f.ops.clear(), "no instructions"),
        (lambda f: setattr(f, "num_temps", 1 << 62), "4611686018427387904 temporaries"),
        (set_op(4, opcode=Opcode.NOP), "control runs off the end after NOP"),
        (set_op(0, op1=cv(1)), "0000 (JMPZ): no variable 1"),
        (set_op(0, op1=tmp(3)), "0000 (JMPZ): no temporary 3"),
        (set_op(0, op1=tmp(0)), "0000 (JMPZ): no temporary 0"),
        (set_op(4, op1=const(2)), "0004 (RETURN): no literal 2"),
        (set_op(0, op2=word(5)), "0000 (JMPZ): jumps to 0005, outside the function"),
        (set_op(0, op2=const(1)), "0000 (JMPZ): its jump target is a value"),
        (set_op(3, extended_value=-1), "0003 (SWITCH_LONG): jumps to -001, outside the function"),
        (set_op(3, op2=const(1)), "0003 (SWITCH_LONG): has no jump table"),
        (set_op(0, opcode=Opcode.ASSIGN_OP, extended_value=Opcode.JMP), "0000 (ASSIGN_OP): its operator is none"),
        (set_op(2, opcode=Opcode.NOP), "0001 (ASSIGN_DIM): needs OP_DATA behind it"),
        (lambda f: f.live_ranges.append(LiveRange(0, LiveRangeKind.ROPE, 0, 1)), "live range of slot 0"),
    ],
)
def test_each_flaw_is_named(change: Callable[[OpArray], object], problem: str) -> None:
    op_array = sound()
    change(op_array)
    assert problem in (linear_problem(op_array) or "")


def test_code_that_is_never_reached_may_end_in_anything() -> None:
    op_array = sound()
    op_array.ops.append(Op(Opcode.FREE, tmp(1)))
    assert linear_problem(op_array) is None
    op_array.ops[4] = Op(Opcode.ECHO, const(1))
    assert linear_problem(op_array) == "control runs off the end after FREE"
    op_array.ops[4] = Op(Opcode.THROW, cv(0))
    assert linear_problem(op_array) is None
    op_array.ops[4].extended_value = THROW_IS_EXPR
    assert linear_problem(op_array) == "control runs off the end after FREE"


def test_the_last_catch_jumps_nowhere() -> None:
    catch = Op(Opcode.CATCH, const(1), UNUSED, extended_value=LAST_CATCH)
    assert jump_targets(sound(), catch) == []
    assert jump_targets(sound(), Op(Opcode.CATCH, const(1), word(3))) == [3]
