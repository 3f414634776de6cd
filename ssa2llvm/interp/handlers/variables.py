"""Constants, and variables found by name: ``$$x``, ``$GLOBALS['x']``, ``global`` scope."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.places import Place
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import CONSTANT_UNQUALIFIED_IN_NAMESPACE, FETCH_GLOBAL, FETCH_GLOBAL_LOCK, ISEMPTY
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.convert import to_bool, to_string
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import to_text


@handles(Opcode.FETCH_CONSTANT)
def _fetch_constant(machine: Machine, frame: Frame, step: Step) -> None:
    assert isinstance(step.constant2, bytes)
    name = to_text(step.constant2)
    constant = machine.host.constant(name)
    if constant is None and step.op.op1.num & CONSTANT_UNQUALIFIED_IN_NAMESPACE:
        constant = machine.host.constant(name.rsplit("\\", 1)[-1])
    if constant is None:
        raise PhpError("Error", f'Undefined constant "{name}"')
    frame.write_result(step, copy_value(constant.value))


@handles(Opcode.DECLARE_CONST)
def _declare_const(machine: Machine, frame: Frame, step: Step) -> None:
    assert isinstance(step.constant1, bytes)
    machine.host.define(to_text(step.constant1), machine.constant_operand2(frame, step))


@handles(Opcode.DEFINED)
def _defined(machine: Machine, frame: Frame, step: Step) -> None:
    assert isinstance(step.constant1, bytes)
    frame.write_result(step, machine.host.constant(to_text(step.constant1)) is not None)


def _named_place(machine: Machine, frame: Frame, step: Step) -> tuple[str, Place]:
    """The variable whose name op1 gives, in the scope that extended_value says."""
    name = to_text(to_string(frame.read1(step), machine.host))
    scope = frame
    if step.op.extended_value & (FETCH_GLOBAL | FETCH_GLOBAL_LOCK):
        scope = machine.frames[0]
    return name, machine.variable(scope, name)


def _warn_undefined(machine: Machine, step: Step, name: str) -> None:
    scope = "global variable" if step.op.extended_value & FETCH_GLOBAL else "variable"
    machine.host.warning(f"Undefined {scope} ${name}")


@handles(Opcode.FETCH_R, Opcode.FETCH_IS)
def _fetch(machine: Machine, frame: Frame, step: Step) -> None:
    name, place = _named_place(machine, frame, step)
    value = place.get()
    if isinstance(value, Undefined):
        if step.opcode == Opcode.FETCH_R:
            _warn_undefined(machine, step, name)
        value = None
    frame.write_result(step, copy_value(value))


@handles(Opcode.FETCH_W, Opcode.FETCH_RW, Opcode.FETCH_UNSET)
def _fetch_for_write(machine: Machine, frame: Frame, step: Step) -> None:
    name, place = _named_place(machine, frame, step)
    if isinstance(place.get(), Undefined):
        if step.opcode != Opcode.FETCH_W:
            _warn_undefined(machine, step, name)
        place.set(None)
    frame.write_result(step, place)


@handles(Opcode.ISSET_ISEMPTY_VAR)
def _isset_var(machine: Machine, frame: Frame, step: Step) -> None:
    value = _named_place(machine, frame, step)[1].get()
    if step.op.extended_value & ISEMPTY:
        frame.write_result(step, isinstance(value, Undefined) or not to_bool(value))
    else:
        frame.write_result(step, value is not None and not isinstance(value, Undefined))


@handles(Opcode.UNSET_VAR)
def _unset_var(machine: Machine, frame: Frame, step: Step) -> None:
    name, _ = _named_place(machine, frame, step)
    machine.forget_variable(machine.frames[0] if step.op.extended_value & FETCH_GLOBAL else frame, name)
