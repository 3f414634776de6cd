"""foreach, by value and by reference.

By value a copy of the array is walked, which no write can disturb. By reference the variable's own array is walked by
a position that follows removals (``values.table.Iterator``); if the array was replaced or separated meanwhile, the
walk goes on at the new one's internal pointer, as PHP 8.2 does (Zend/zend_hash.c:zend_hash_iterator_pos).
"""

from __future__ import annotations

import weakref

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.jumps import NOT_TAKEN, TAKEN
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.places import CellPlace
from ssa2llvm.interp.undefined import UNDEF
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.table import Iterator, Table
from ssa2llvm.values.types import PhpObject, Ref, type_name


class ArrayWalk:
    """The state of a foreach by value."""

    __slots__ = ("array", "position")

    def __init__(self, array: PhpArray) -> None:
        self.array = array
        self.position = 0


class ReferenceWalk:
    """The state of a foreach by reference: the variable's cell, and where it is in which table."""

    __slots__ = ("cell", "iterator", "table")

    def __init__(self, cell: Ref) -> None:
        self.cell = cell
        self.iterator = Iterator(0)
        self.table: weakref.ref[Table] | None = None

    def current_table(self) -> Table | None:
        """The variable's table now, with the iterator on it; None if it is no array any more."""
        if not isinstance(self.cell.value, PhpArray):
            return None
        table = self.cell.value.table_for_write()
        known = self.table() if self.table is not None else None
        if known is not table:
            if known is not None:
                known.iterators.remove(self.iterator)
            if self.table is not None:
                self.iterator.position = table.pointer
            table.iterators.append(self.iterator)
            self.table = weakref.ref(table)
        return table


def _not_iterable(machine: Machine, frame: Frame, step: Step, value: object) -> None:
    machine.host.warning(f"foreach() argument must be of type array|object, {type_name(value)} given")  # type: ignore[arg-type]
    frame.write_result(step, UNDEF)
    frame.jump(step, TAKEN)


@handles(Opcode.FE_RESET_R)
def _reset(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.take1(step)
    if isinstance(value, PhpObject):
        value = PhpArray()  # none of the objects the interpreter has shows a property outside of its class
    if not isinstance(value, PhpArray):
        _not_iterable(machine, frame, step, value)
        return
    frame.write_result(step, ArrayWalk(value))
    frame.jump(step, NOT_TAKEN)


@handles(Opcode.FE_RESET_RW)
def _reset_by_reference(machine: Machine, frame: Frame, step: Step) -> None:
    if step.op.op1.kind == OpKind.CONST or (step.op.op1.is_temp and not frame.is_place1(step)):
        cell = Ref(frame.take1(step))
    else:
        if frame.quiet1(step) is UNDEF:
            frame.undefined(step.slot1)  # and it stays undefined
            _not_iterable(machine, frame, step, None)
            return
        cell = frame.variable1(step).reference()
    if not isinstance(cell.value, PhpArray):
        _not_iterable(machine, frame, step, cell.value)
        return
    frame.write_result(step, ReferenceWalk(cell))
    frame.jump(step, NOT_TAKEN)


@handles(Opcode.FE_FETCH_R)
def _fetch(machine: Machine, frame: Frame, step: Step) -> None:
    walk = frame.raw1(step)
    assert isinstance(walk, ArrayWalk)
    table = walk.array.table_for_read()
    position = table.advance(walk.position)
    if position == table.used:
        frame.jump(step, TAKEN)
        return
    walk.position = position + 1
    element = table.element_at(position)
    value = copy_value(element.value if isinstance(element, Ref) else element)
    if step.op.op2.kind == OpKind.CV:
        frame.variable2(step).set(value)
    else:
        frame.cells[step.def2] = value
    frame.write_result(step, table.key_at(position))
    frame.jump(step, NOT_TAKEN)


@handles(Opcode.FE_FETCH_RW)
def _fetch_by_reference(machine: Machine, frame: Frame, step: Step) -> None:
    walk = frame.raw1(step)
    assert isinstance(walk, ReferenceWalk)
    table = walk.current_table()
    if table is None:
        machine.host.warning(f"foreach() argument must be of type array|object, {type_name(walk.cell.value)} given")
        frame.jump(step, TAKEN)
        return
    position = table.advance(walk.iterator.position)
    if position == table.used:
        walk.iterator.position = position
        frame.jump(step, TAKEN)
        return
    walk.iterator.position = position + 1
    key = table.key_at(position)
    array = walk.cell.value
    assert isinstance(array, PhpArray)
    del table
    cell = array.reference(key)
    CellPlace(frame.cells, step.def2).bind(cell)
    frame.write_result(step, key)
    frame.jump(step, NOT_TAKEN)
