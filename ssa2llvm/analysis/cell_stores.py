"""What one function stores into the cells of its references, by its facts.

A store is an instruction that gives a new value to a name that may be a reference: what the instruction defines by
its transfer function, without what else is behind the reference. Beside these:

* an argument that is no variable but goes to a parameter by reference;
* elements of arrays that become references (``foreach`` by reference, ``&$a[k]``), and what is stored through an
  array that may hold references.

Facts must be those of ``view``, final. O(instructions).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ssa2llvm.analysis.cell_binding import CALLS, ELEMENT_FETCHES
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import (
    ANY_ARRAY,
    ANY_VALUE,
    ARRAY_PART,
    EMPTY_TO_ARRAY,
    UNKNOWN,
    elements_of,
    null_for_undef,
)
from ssa2llvm.analysis.nested import nested_defs
from ssa2llvm.analysis.range_sound import SoundRanges
from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.analysis.reference_cells import Cell
from ssa2llvm.analysis.references import REFERENCE_SENDS
from ssa2llvm.analysis.type_steps import defined_by
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_UNDEF,
)

_BINDS = frozenset({Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})
"""The variable takes what the cell holds."""

_STORES_ELEMENT = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP})
_WRITES_PLACE = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_OP,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
    }
)
"""With a temporary as op1: the place of an element."""


_CALM = frozenset({Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.CONCAT})
"""Operators that do not throw for ``_SIMPLE`` operands."""
_SIMPLE = MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE


class Store(NamedTuple):
    """``types``, ``range`` (of the integers) and ``nested`` (of arrays in arrays) go into ``cell`` by ``instr``."""

    cell: Cell
    types: int
    range: Range | None
    nested: int
    instr: Instr


def stores_of(view: FunctionView, facts: Facts) -> Iterator[Store]:
    """All that the function stores into cells."""
    return _Stores(view, facts).all()


class _Stores:
    def __init__(self, view: FunctionView, facts: Facts) -> None:
        self._view = view
        self._facts = facts
        self._types = facts.types
        self._rules = SoundRanges(view, facts.types, facts.ranges, facts.ranges)
        view.types, view.ranges, view.nested = facts.types, facts.ranges, facts.nested

    def all(self) -> Iterator[Store]:
        for block in self._view.function.blocks:
            for instr in block.instrs if block.reachable else ():
                if instr.opcode == Opcode.OP_DATA:
                    continue
                yield from self._definitions(instr)
                yield from self._sent(instr)
                yield from self._elements(instr)

    # ---- names that are references

    def _definitions(self, instr: Instr) -> Iterator[Store]:
        if instr.opcode in _BINDS or not self._is_store(instr):
            return
        data = self._view.sites[instr].data
        names = [instr.op1_def, instr.op2_def, instr.result_def, data.op1_def if data is not None else -1]
        cells = [self._view.cell_of(name) if name >= 0 else None for name in names]
        if not any(cells):
            return
        defs = defined_by(self._view, self._facts, instr)
        if defs is None:
            return
        masks = (defs.op1, defs.op2, defs.result, defs.data)
        of = nested_defs(self._view, self._facts, instr, defs)
        nested = (of.op1, of.op2, of.result, ARRAY_PART)
        for name, cell, mask, inner in zip(names, cells, masks, nested, strict=True):
            if cell is not None and mask is not None and self._types[name] & MAY_BE_REF:
                if name == instr.op1_def:
                    mask |= self._half_done(instr)
                yield self._store(cell, mask, self._rules.stored(name), instr, inner)

    def _half_done(self, instr: Instr) -> int:
        """What is left behind the reference op1 if the instruction throws midway: undefined has become null, null an
        array, a missing element null. Whoever catches the exception may see it."""
        old = self._types[instr.op1_use] if instr.op1_use >= 0 else 0
        if instr.opcode in _WRITES_PLACE - {Opcode.ASSIGN}:
            return MAY_BE_NULL if old & MAY_BE_UNDEF else 0
        if instr.opcode not in _STORES_ELEMENT | ELEMENT_FETCHES:
            return 0
        left = MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY if old & EMPTY_TO_ARRAY else 0
        data = self._view.sites[instr].data
        if instr.opcode == Opcode.ASSIGN_DIM_OP and data is not None:
            calm = (
                instr.extended_value in _CALM and not (old >> ARRAY_SHIFT | self._operand(data)) & ~_SIMPLE & MAY_BE_ANY
            )
            left |= 0 if calm else MAY_BE_NULL << ARRAY_SHIFT
        return left

    def _is_store(self, instr: Instr) -> bool:
        """Whether what the instruction defines is more than what it read: arguments by value are not."""
        if instr.opcode == Opcode.SEND_VAR:
            return False
        return instr.opcode not in REFERENCE_SENDS or self._sends_reference(instr)

    def _sends_reference(self, send: Instr) -> bool:
        return send.opcode == Opcode.SEND_REF or self._view.sends_reference(send) is not False

    @staticmethod
    def _store(cell: Cell, mask: int, known: Range | None, instr: Instr, nested: int = ARRAY_PART) -> Store:
        types = null_for_undef(mask) & ANY_VALUE
        if not types & MAY_BE_ANY:
            types = 0
        holds_arrays = types & MAY_BE_ARRAY and types & MAY_BE_ARRAY << ARRAY_SHIFT
        return Store(cell, types, known if types & MAY_BE_LONG else None, nested if holds_arrays else 0, instr)

    # ---- arguments without a variable

    def _sent(self, send: Instr) -> Iterator[Store]:
        """``f(g())`` where f takes a reference: the parameter holds the value alone."""
        if send.opcode not in REFERENCE_SENDS or send.op1.is_cv or not self._sends_reference(send):
            return
        info = self._view.call_of(send)
        if info is None or not isinstance(info.callee, OpArray) or not info.positional:
            return
        context, number = self._view.context, send.op2.num
        parameters = info.callee.arg_info
        if number > len(parameters) or parameters[number - 1].variadic:
            cell = context.cells.elements if context.cells is not None else None
        else:
            cell = context.cells.cell_of(info.callee, number - 1) if context.cells is not None else None
        if cell is not None:
            mask = self._types[send.op1_use] if send.op1_use >= 0 else UNKNOWN
            yield self._store(cell, mask, ANY_INT, send, self._facts.nested_in(send.op1_use))

    # ---- elements that are references

    def _elements(self, instr: Instr) -> Iterator[Store]:
        cell = self._view.element_cell
        if cell is None:
            return
        opcode = instr.opcode
        op1 = self._types[instr.op1_use] if instr.op1_use >= 0 else UNKNOWN
        nested = self._facts.nested_in(instr.op1_use)
        if opcode == Opcode.FE_FETCH_RW:
            yield self._store(cell, self._contents(op1, nested), ANY_INT, instr)
        elif opcode in ELEMENT_FETCHES:
            if self._makes_reference(instr):
                yield self._store(cell, self._contents(op1, nested) | MAY_BE_NULL, ANY_INT, instr)
            if op1 & MAY_BE_ARRAY_OF_REF:  # an array that is behind a reference may be written in
                yield self._store(cell, ANY_ARRAY, None, instr)
        elif opcode in _STORES_ELEMENT:
            if op1 & MAY_BE_ARRAY_OF_REF:
                yield self._store(cell, self._stored_element(instr), ANY_INT, instr)
        elif opcode in _WRITES_PLACE and instr.op1.is_temp:
            yield self._store(cell, self._stored_in_place(instr), ANY_INT, instr)
        elif opcode in REFERENCE_SENDS and instr.op1.is_temp and self._sends_reference(instr):
            written = self._view.written_by_reference(instr, op1)
            if written:
                yield self._store(cell, written, ANY_INT, instr)

    @staticmethod
    def _contents(container: int, nested: int) -> int:
        if container & MAY_BE_OBJECT:
            return ANY_VALUE
        return elements_of(container, nested)

    def _makes_reference(self, fetch: Instr) -> bool:
        users = self._view.users_of_result(fetch)
        return any(user.opcode in _MAKES_REFERENCE for user in users)

    def _stored_element(self, instr: Instr) -> int:
        """What ASSIGN_DIM and ASSIGN_DIM_OP put into the array."""
        data = self._view.sites[instr].data
        if instr.opcode == Opcode.ASSIGN_DIM and data is not None:
            return self._operand(data)
        defs = defined_by(self._view, self._facts, instr)
        return defs.result if defs is not None and defs.result is not None else 0

    def _operand(self, instr: Instr) -> int:
        if instr.op1.is_const:
            return self._view.literal_mask(instr.op1.num)
        return self._types[instr.op1_use] if instr.op1_use >= 0 else UNKNOWN

    def _stored_in_place(self, instr: Instr) -> int:
        """What a write through the place of an element leaves there."""
        defs = defined_by(self._view, self._facts, instr)
        return defs.op1 if defs is not None and defs.op1 is not None else 0


_MAKES_REFERENCE = REFERENCE_SENDS | {
    Opcode.ASSIGN_REF,
    Opcode.MAKE_REF,
    Opcode.INIT_ARRAY,
    Opcode.ADD_ARRAY_ELEMENT,
    Opcode.FE_RESET_RW,
    Opcode.YIELD,
    Opcode.RETURN_BY_REF,
    Opcode.OP_DATA,
    *CALLS,
}
