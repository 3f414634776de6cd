"""``[a, b]`` and ``['x' => a, 'y' => b]``: what is known of such an array before it is made.

Problem: PHP makes a literal element by element (INIT_ARRAY, ADD_ARRAY_ELEMENT…), and each of them asks whether the
array is nobody else's, has room, is of a kind that fits, and has the key already. Of a *list* without keys all of that
is known: it is made with room for all elements, of the kind that suits the types of all, and each is stored at its
number. Of a *record*, whose keys are different strings written in the program, it is known too: it is made as a copy
of an array constant with these keys and nulls, and each value is stored in its bucket.

Where another key, a reference or ``...`` comes in between, the rest of the literal goes the general way.
In: destructed form; linear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ssa2llvm.ir.function import Block, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, ARRAY_NOT_PACKED
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_BOOL, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_REF
from ssa2llvm.llvm.layouts import ArrayKind

__all__ = ["Place", "array_literals", "kind_of_elements"]


@dataclass(frozen=True, slots=True)
class Place:
    """Element number ``index`` of a list that is made for ``room`` elements of ``kind``, or of a record (HASH) of these
    ``keys``."""

    index: int
    room: int
    kind: ArrayKind
    keys: tuple[bytes, ...] = ()


def kind_of_elements(elements: int) -> ArrayKind:
    """The packed kind in which an array of elements of these types should start."""
    elements &= MAY_BE_ANY | MAY_BE_REF
    if elements == MAY_BE_LONG:
        return ArrayKind.PACKED_LONG
    if elements == MAY_BE_DOUBLE:
        return ArrayKind.PACKED_DOUBLE
    if elements and not elements & ~MAY_BE_BOOL:
        return ArrayKind.PACKED_BOOL
    return ArrayKind.PACKED_VALUE


class _Literal:
    """A literal as far as it has been followed: its instructions, and the keys of a record."""

    def __init__(self) -> None:
        self.instrs: list[Instr] = []
        self.keys: list[bytes] = []

    def accepts(self, key: bytes | None) -> bool:
        """Whether an element with this key goes on with a list or a record, as the literal is."""
        if key is None:
            return not self.keys
        return len(self.keys) == len(self.instrs) and key not in self.keys

    def add(self, instr: Instr, key: bytes | None) -> None:
        self.instrs.append(instr)
        if key is not None:
            self.keys.append(key)


def array_literals(
    blocks: Sequence[Block], element_type: Callable[[Instr], int], key_of: Callable[[Instr], bytes | None]
) -> dict[Instr, Place]:
    """The place of every element that is one of such a list or record. ``element_type`` is the type of an
    instruction's op1, ``key_of`` the string that is its op2 (None if it is none)."""
    growing: dict[int, _Literal] = {}
    literals: list[_Literal] = []
    for block in blocks:
        for instr in block.instrs:
            literal: _Literal | None = None
            if instr.opcode == Opcode.INIT_ARRAY and _is_plain(instr):
                literal = _Literal()
                literals.append(literal)
            elif instr.opcode == Opcode.ADD_ARRAY_ELEMENT and _is_plain(instr):
                literal = growing.pop(instr.result_use, None)
            if literal is None:
                continue
            key = key_of(instr)
            if _is_known(instr, key) and literal.accepts(key):
                literal.add(instr, key)
                growing[instr.result_def] = literal
    places: dict[Instr, Place] = {}
    for literal in literals:
        types = 0
        for instr in literal.instrs:
            types |= element_type(instr)
        kind = ArrayKind.HASH if literal.keys else kind_of_elements(types)
        for index, instr in enumerate(literal.instrs):
            places[instr] = Place(index, len(literal.instrs), kind, tuple(literal.keys))
    return places


def _is_plain(instr: Instr) -> bool:
    """Whether it gives an element by value."""
    return (instr.op1.is_const or instr.op1.is_var) and not instr.extended_value & ARRAY_ELEMENT_REF


def _is_known(instr: Instr, key: bytes | None) -> bool:
    """Whether its key is none at all, or surely a string's."""
    if key is not None:
        return key > b":"
    makes_hash = instr.opcode == Opcode.INIT_ARRAY and instr.extended_value & ARRAY_NOT_PACKED
    return not (instr.op2.is_const or instr.op2.is_var or makes_hash)
