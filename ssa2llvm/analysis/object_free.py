"""Which names hold no object or resource, however deep: their death can run no destructor.

A type mask tells the types of an array's elements but not what is in arrays among these, and nothing but "anything" of
an array that was an element. Most nested arrays are built where they are used, though, so following values from where
they are made answers it: what flows into a name (copies, phis, elements stored and fetched) must be free of objects
itself. Optimistic: all is free until something that may hold an object, or of which nothing is known, flows in; so
loops that only add to an array keep it free.

In: SSA form with type masks (either configuration). Linear in instructions and phi sources. Zend has no such
question, since its DCE looks at the container alone and keeps every nested array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, Operand
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_INDIRECT,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
)
from ssa2llvm.ssa.chains import data_partners

__all__ = ["object_free"]

_OBJECTS = MAY_BE_OBJECT | MAY_BE_RESOURCE
_MAY_HOLD = MAY_BE_INDIRECT | _OBJECTS | (_OBJECTS | MAY_BE_ARRAY) << ARRAY_SHIFT | MAY_BE_ARRAY_OF_REF
"""What a mask without these bits describes holds no object."""

_COPIES = frozenset({Opcode.QM_ASSIGN, Opcode.COPY, Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R})
_ADDRESSES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET})
_STORES = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP})
_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC, Opcode.UNSET_DIM})


def object_free(function: Function, types: Sequence[int]) -> list[bool]:
    """For each name, whether its value surely holds no object or resource. ``types`` are the names' masks."""
    return _Flow(function, types).solve()


class _Flow:
    def __init__(self, function: Function, types: Sequence[int]) -> None:
        self._function = function
        self._types = types
        self._data = data_partners(function)
        # Others may write to a variable that is a reference; a temporary that seems to be one was fetched from an
        # array, whose contents are followed.
        self._free = [
            not (mask & MAY_BE_REF and function.is_variable(var.slot))
            for mask, var in zip(types, function.ssa_vars, strict=True)
        ]
        self._targets: dict[int, list[int]] = {}

    def solve(self) -> list[bool]:
        for name, mask in enumerate(self._types):
            for source in self._sources(name) if self._free[name] and mask & _MAY_HOLD else ():
                if source is None:
                    self._free[name] = False
                else:
                    self._targets.setdefault(source, []).append(name)
        pending = [name for name, is_free in enumerate(self._free) if not is_free]
        while pending:
            for target in self._targets.get(pending.pop(), ()):
                if self._free[target]:
                    self._free[target] = False
                    pending.append(target)
        return self._free

    def _sources(self, name: int) -> Iterator[int | None]:
        """The names whose contents ``name`` may hold; None for one that cannot be named."""
        var = self._function.ssa_vars[name]
        if var.definition_phi is not None:
            yield from var.definition_phi.sources
        elif var.definition is not None:
            yield from self._flows_into(var.definition, name)
        else:
            yield None

    def _flows_into(self, instr: Instr, name: int) -> Iterator[int | None]:
        opcode = instr.opcode
        if opcode in _COPIES:
            yield from _operand(instr.op1, instr.op1_use)
        elif opcode == Opcode.ASSIGN:
            yield from _operand(instr.op2, instr.op2_use)
        elif opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            is_reference = instr.op1.is_var and bool(instr.extended_value & ARRAY_ELEMENT_REF)
            yield from (None,) if is_reference else _operand(instr.op1, instr.op1_use)
            if instr.result_use >= 0:
                yield instr.result_use
        elif opcode == Opcode.ADD:
            yield from _operand(instr.op1, instr.op1_use)
            yield from _operand(instr.op2, instr.op2_use)
        elif opcode in _STORES:
            yield from _operand(instr.op1, instr.op1_use)
            data = self._data[instr]
            yield from _operand(data.op1, data.op1_use)
        elif opcode == Opcode.UNSET_DIM:
            yield from _operand(instr.op1, instr.op1_use)
        elif opcode in _ADDRESSES:
            yield from _operand(instr.op1, instr.op1_use)
            if name == instr.op1_def:
                if instr.result_def >= 0:
                    yield instr.result_def
            else:
                yield from self._written_through(name)
        else:
            yield None

    def _written_through(self, address: int) -> Iterator[int | None]:
        """What is stored into the element that ``address`` points to."""
        for user in self._function.ssa_vars[address].uses:
            if user.opcode in _STORES:
                data = self._data[user]
                yield from _operand(data.op1, data.op1_use)
            elif user.opcode in _ADDRESSES and user.result_def >= 0:
                yield user.result_def
            elif user.opcode == Opcode.ASSIGN_OP:
                yield from _operand(user.op2, user.op2_use)
            elif user.opcode not in _STEPS:
                yield None


def _operand(operand: Operand, use: int) -> Iterator[int | None]:
    if operand.is_var:
        yield use if use >= 0 else None
