"""What a handler may see of a variable whose element was being written.

In SSA form a handler sees variables as they were before the instruction that threw. PHP shows them as they are:
``$a[2] += []`` has made a null element when it throws, and ``$x = null; $x[[]] = 1`` an empty array. Where a handler
has several ways in, its phi takes both states for possible.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import EMPTY_TO_ARRAY
from ssa2llvm.ir.function import BlockFlags, Function, Phi
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ARRAY, MAY_BE_ARRAY_EMPTY, MAY_BE_ARRAY_KEY_ANY, MAY_BE_NULL

_WRITES_ELEMENTS = frozenset(
    {
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
        Opcode.FETCH_DIM_W,
        Opcode.FETCH_DIM_RW,
        Opcode.FETCH_DIM_FUNC_ARG,
        Opcode.FETCH_LIST_W,
    }
)


class HandlerStates:
    """Which phis of one function have an edge out of the middle of a write."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known: dict[Phi, bool] = {}

    def may_be_half_written(self, phi: Phi) -> bool:
        """Whether an edge into ``phi`` comes from an instruction that writes an element of the phi's variable."""
        known = self._known.get(phi)
        if known is None:
            preds = self._function.blocks[phi.block].preds
            known = self._known[phi] = any(self._throws_while_writing(pred, phi) for pred in preds)
        return known

    def _throws_while_writing(self, pred: int, phi: Phi) -> bool:
        block = self._function.blocks[pred]
        if BlockFlags.THROW_EDGE not in block.flags or block.succs[1] != phi.block:
            return False
        following = self._function.blocks[block.succs[0]].instrs
        if not following or following[0].opcode not in _WRITES_ELEMENTS:
            return False
        return following[0].op1.kind == OpKind.CV and following[0].op1.num == phi.slot


def half_written(mask: int) -> int:
    """The types before a write and in the middle of it: null may have become an array, a null element may have been
    made."""
    if mask & EMPTY_TO_ARRAY:
        mask |= MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY
    if mask & MAY_BE_ARRAY:
        mask |= MAY_BE_ARRAY_KEY_ANY | MAY_BE_NULL << ARRAY_SHIFT
    return mask
