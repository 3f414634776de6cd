"""Strings that a concatenation may take over instead of copying them.

Problem: ``$a . ', ' . $b . "\\n"`` makes a string for each dot and drops the one before. A temporary that a CONCAT is
the last to read can as well grow in place, as the left side of ``.=`` does: one allocation for the whole chain. This
is the reuse of Perceus (Reinking, Xie, de Moura, Leijen, PLDI 2021), for the one operation that profits.

In: destructed form with explicit counting; changed: such a DROP is removed, as its count now goes into the CONCAT. Only
where both types are known to make it throw nothing, so that no unwinder needs the string. Linear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ssa2llvm.ir.function import Block, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ARRAY, MAY_BE_OBJECT
from ssa2llvm.llvm.representation import Rep, representation

__all__ = ["take_over_strings"]

_CONCATENATES = frozenset({Opcode.CONCAT, Opcode.FAST_CONCAT})


def take_over_strings(
    blocks: Sequence[Block], types: Sequence[int], borrowed: frozenset[int], in_cell: Callable[[int], bool]
) -> frozenset[Instr]:
    """The concatenations that consume their left side. ``types`` are the masks of the names, ``borrowed`` names own
    nothing to be taken (``borrow``), ``in_cell`` says whether a name's variable lives in memory."""

    def is_candidate(instr: Instr) -> bool:
        left, right = instr.op1_use, instr.op2_use
        if instr.opcode not in _CONCATENATES or left < 0 or left == right or in_cell(left) or left in borrowed:
            return False
        quiet = right < 0 or (not types[right] & (MAY_BE_ARRAY | MAY_BE_OBJECT) and not in_cell(right))
        return quiet and representation(types[left]) is Rep.STRING

    taken: set[Instr] = set()
    for block in blocks:
        instrs = block.instrs
        for index, instr in enumerate(instrs):
            if not is_candidate(instr):
                continue
            after = index + 1
            while after < len(instrs) and instrs[after].opcode == Opcode.DROP:
                if instrs[after].op1_use == instr.op1_use:
                    taken.add(instr)
                    del instrs[after]
                    break
                after += 1
    return frozenset(taken)
