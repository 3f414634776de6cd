"""``[a, b, c]``: how long such a list will be, of which kind, and which number each of its elements has.

Problem: PHP makes a literal element by element (INIT_ARRAY, ADD_ARRAY_ELEMENT…), and each append asks whether the array
is nobody else's, has room and is of a kind that fits. Of a list without written keys all of that is known: the array
is made with room for all elements, of the kind that suits the types of all, and each is stored at its number.

Where a key, a reference or ``...`` comes in between, the rest of the literal goes the general way.
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

__all__ = ["Place", "kind_of_elements", "list_literals"]


@dataclass(frozen=True, slots=True)
class Place:
    """Element number ``index`` of a list that was made for ``room`` elements of ``kind``."""

    index: int
    room: int
    kind: ArrayKind


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


def list_literals(blocks: Sequence[Block], element_type: Callable[[Instr], int]) -> dict[Instr, Place]:
    """The place of every element that is one of such a list; ``element_type`` is the type of an instruction's op1."""
    lists: dict[int, list[Instr]] = {}
    chains: list[list[Instr]] = []
    for block in blocks:
        for instr in block.instrs:
            chain: list[Instr] | None = None
            if instr.opcode == Opcode.INIT_ARRAY and _is_plain(instr) and not instr.extended_value & ARRAY_NOT_PACKED:
                chain = []
                chains.append(chain)
            elif instr.opcode == Opcode.ADD_ARRAY_ELEMENT and _is_plain(instr):
                chain = lists.pop(instr.result_use, None)
            if chain is not None:
                chain.append(instr)
                lists[instr.result_def] = chain
    places: dict[Instr, Place] = {}
    for chain in chains:
        types = 0
        for instr in chain:
            types |= element_type(instr)
        kind = kind_of_elements(types)
        places.update({instr: Place(index, len(chain), kind) for index, instr in enumerate(chain)})
    return places


def _is_plain(instr: Instr) -> bool:
    """Whether it gives an element by value and without a key."""
    has_element = instr.op1.is_const or instr.op1.is_var
    has_key = instr.op2.is_const or instr.op2.is_var
    return has_element and not has_key and not instr.extended_value & ARRAY_ELEMENT_REF
