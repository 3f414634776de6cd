"""SSA form by the textbook: pruned, without pis (Cytron, Ferrante, Rosen, Wegman, Zadeck, TOPLAS 1991).

One variable at a time: a phi goes into each block of the iterated dominance frontier of the variable's definitions in
which the variable is live; the entry counts as a definition. A loop header can be in its own frontier. This is the
independent second builder that ``ssa.phi_zend`` is held against, and the shortest way to read how SSA form is made.

The phis are those that Zend's rule places when no pi takes part. (Zend's flag for irreducible loops adds phis that this
rule does not want; see ``ssa.build.phi_sets``.) O(variables * edges): use it for study, not for big functions.
"""

from __future__ import annotations

from ssa2llvm.cfg.build import build_cfg, tree_of
from ssa2llvm.cfg.frontiers import iterated_frontier
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ssa.build import check_pairs, finish, insert_phis
from ssa2llvm.ssa.liveness import SlotLiveness, slot_liveness
from ssa2llvm.ssa.rename import rename


def build_textbook_ssa(op_array: OpArray) -> Function:
    """Return the SSA form of ``op_array``, without pis. Raises CompileError for a malformed op array."""
    check_pairs(op_array)
    function = build_cfg(op_array, Config.SOUND)
    live = slot_liveness(function)
    insert_phis(function, live, textbook_phis(function, live))
    rename(function)
    finish(function)
    return function


def textbook_phis(function: Function, live: SlotLiveness) -> list[int]:
    """Return for each block the variables that need a phi there, as bits of ``live``."""
    tree = tree_of(function)
    succs = [block.succs for block in function.blocks]
    phis = [0] * len(succs)
    for bit in range(len(live.slots)):
        here = 1 << bit
        definitions = [block for block, defined in enumerate(live.define) if defined & here]
        for block in iterated_frontier(succs, tree, [tree.root, *definitions]):
            if live.live_in[block] & here:
                phis[block] |= here
    return phis
