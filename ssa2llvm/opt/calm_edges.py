"""Edges to handlers behind instructions that cannot throw.

SSA construction knows no types, so in a try region it gives nearly every instruction an edge to the handler
(``cfg.exceptions``): the handler's phis then keep every version of every variable alive, and no block holds more than
one such instruction. With types, most arithmetic, comparisons and assignments are seen to throw, warn and destroy
nothing; their edges go, handlers that nothing reaches any more go, and ``clean`` joins what is left (Choi, Grove, Hind,
Sarkar, "Efficient and Precise Modeling of Exceptions for the Analysis of Java Programs", PASTE 1999, starts from long
blocks instead).

CATCH and FAST_RET keep their edges: they pass on what was thrown elsewhere. O(blocks + what is removed).
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.cfg.exceptions import RETHROWS
from ssa2llvm.ir.function import BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.edit_graph import remove_throw_edge, remove_unreachable


def remove_calm_edges(function: Function, may_throw: Callable[[Instr], bool]) -> int:
    """Remove the edges to handlers that are never taken; return how many. ``may_throw``: whether an instruction may
    throw, warn (an error handler may throw) or run user code (a destructor may throw)."""
    removed = 0
    for block in function.blocks:
        if BlockFlags.THROW_EDGE not in block.flags:
            continue
        following = function.blocks[block.succs[0]]
        guarded = following.instrs[0]
        if guarded.opcode in RETHROWS or may_throw(guarded):
            continue
        remove_throw_edge(function, block)
        if guarded.opcode == Opcode.NOP:
            # It only held the place of an instruction that is gone.
            del following.instrs[0]
        removed += 1
    if removed:
        remove_unreachable(function)
    return removed
