"""Assignment, copies, references, and the end of variables."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.places import PLACES, CellPlace, Place
from ssa2llvm.interp.undefined import UNDEF, Undefined
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_REF, ISEMPTY, RETURNS_FUNCTION, OpKind
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.convert import to_bool
from ssa2llvm.values.types import Ref


@handles(Opcode.ASSIGN)
def _assign(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.take2(step)
    frame.variable1(step).set(value)
    frame.write_result(step, copy_value(value))


@handles(Opcode.QM_ASSIGN, Opcode.COPY_TMP)
def _copy(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.take1(step)
    frame.write_result(step, copy_value(value) if step.opcode == Opcode.COPY_TMP else value)


@handles(Opcode.COPY)
def _move(machine: Machine, frame: Frame, step: Step) -> None:
    """A move of destruction: whatever the cell holds, a reference or nothing included."""
    if step.op.op1.kind == OpKind.CONST:
        frame.write_result(step, copy_value(step.constant1))
        return
    content = frame.raw1(step)
    frame.write_result(step, content if isinstance(content, Ref) else copy_value(content))


def referenced2(frame: Frame, step: Step) -> Ref | None:
    """The reference that op2 stands for: a variable's, a place's, or one a function returned; None for a plain
    value.
    """
    if step.op.op2.kind != OpKind.CV:
        content = frame.raw2(step)
        if isinstance(content, Ref):
            return content
        if not isinstance(content, PLACES):
            return None
    return frame.variable2(step).reference()


@handles(Opcode.ASSIGN_REF)
def _assign_ref(machine: Machine, frame: Frame, step: Step) -> None:
    cell = referenced2(frame, step)
    place: Place = frame.variable1(step)
    if cell is None and step.op.extended_value == RETURNS_FUNCTION:
        machine.host.notice("Only variables should be assigned by reference")
        place.set(frame.take2(step))
        frame.write_result(step, frame.read2(step))
        return
    if cell is None:
        cell = Ref(frame.take2(step))  # an element of what is no variable; FETCH_LIST_W has said so
    place.bind(cell)
    frame.write_result(step, cell)


@handles(Opcode.MAKE_REF)
def _make_ref(machine: Machine, frame: Frame, step: Step) -> None:
    """A reference to a variable or place; what a function returned by value stays that."""
    if step.op.op1.is_temp and not frame.is_place1(step):
        frame.write_result(step, frame.raw1(step))
    else:
        frame.write_result(step, frame.variable1(step).reference())


def _own_cell(frame: Frame, step: Step) -> CellPlace:
    """The cell of the variable op1 names, to be bound or emptied whatever it held."""
    return CellPlace(frame.cells, step.def1 if step.def1 >= 0 else step.use1)


@handles(Opcode.UNSET_CV)
def _unset(machine: Machine, frame: Frame, step: Step) -> None:
    frame.cells[_own_cell(frame, step).index] = UNDEF


@handles(Opcode.ISSET_ISEMPTY_CV)
def _isset(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.quiet1(step)
    if step.op.extended_value & ISEMPTY:
        frame.write_result(step, isinstance(value, Undefined) or not to_bool(value))
    else:
        frame.write_result(step, value is not None and not isinstance(value, Undefined))


@handles(Opcode.BIND_GLOBAL)
def _bind_global(machine: Machine, frame: Frame, step: Step) -> None:
    name = step.constant2
    assert isinstance(name, bytes)
    _own_cell(frame, step).bind(machine.global_cell(name.decode("utf-8", "surrogateescape")))


@handles(Opcode.BIND_STATIC)
def _bind_static(machine: Machine, frame: Frame, step: Step) -> None:
    """``static $x`` binds the function's cell; a closure's captured variable arrives the same way, by value unless
    BIND_REF.
    """
    cell = frame.statics.get(frame.code.op_array.cvs[step.slot1])
    if cell is None:
        frame.cells[_own_cell(frame, step).index] = UNDEF  # an arrow function captured a variable that was not there
    elif step.op.extended_value & BIND_REF:
        _own_cell(frame, step).bind(cell)
    else:
        frame.cells[_own_cell(frame, step).index] = copy_value(cell.value)


@handles(Opcode.FREE, Opcode.FE_FREE)
def _free(machine: Machine, frame: Frame, step: Step) -> None:
    if frame.in_linear_form and step.use1 >= 0:
        frame.cells[step.use1] = UNDEF


@handles(Opcode.DUP, Opcode.DROP)
def _count(machine: Machine, frame: Frame, step: Step) -> None:
    machine.count_owner(frame, step)
