"""Binary and unary operators, and the operators on variables (``+=``, ``++``)."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.places import Place
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.incdec import decrement, increment
from ssa2llvm.values.operators import BINARY, UNARY
from ssa2llvm.values.types import Value


@handles(*BINARY)
def _binary(machine: Machine, frame: Frame, step: Step) -> None:
    left = frame.read1(step)
    right = frame.read2(step)
    frame.write_result(step, BINARY[step.opcode](left, right, machine.host))


@handles(*UNARY)
def _unary(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, UNARY[step.opcode](frame.read1(step), machine.host))


def current_value(frame: Frame, step: Step, place: Place) -> Value:
    """The value of the variable op1 names, which the step is about to change; an undefined one warns and becomes null,
    and stays null if the operation then throws."""
    value = place.get()
    if isinstance(value, Undefined):
        if step.op.op1.kind == OpKind.CV:
            place.set(None)
            frame.undefined(step.slot1)
        return None
    return value


@handles(Opcode.ASSIGN_OP)
def _assign_op(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read2(step)
    place = frame.variable1(step)
    before = current_value(frame, step, place)
    after = BINARY[Opcode(step.op.extended_value)](before, value, machine.host)
    place.set(after)
    frame.write_result(step, copy_value(after))


@handles(Opcode.PRE_INC, Opcode.PRE_DEC)
def _pre(machine: Machine, frame: Frame, step: Step) -> None:
    place = frame.variable1(step)
    before = current_value(frame, step, place)
    after = increment(before) if step.opcode == Opcode.PRE_INC else decrement(before)
    place.set(after)
    frame.write_result(step, after)


@handles(Opcode.POST_INC, Opcode.POST_DEC)
def _post(machine: Machine, frame: Frame, step: Step) -> None:
    place = frame.variable1(step)
    before = current_value(frame, step, place)
    place.set(increment(before) if step.opcode == Opcode.POST_INC else decrement(before))
    frame.write_result(step, before)
