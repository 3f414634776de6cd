"""The control-flow graph of a function read from text, over dense ints, for the algorithms of `cfg`.

Block i is the i-th of the text; block 0 is the entry.  Successors are in the order of the terminator's labels and may
repeat; predecessors are each named once, ascending.  Labels of blocks that do not exist lead nowhere (`verify` names
them).
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.cfg.dominators import DominatorTree, dominator_tree
from ssa2llvm.cfg.graph import predecessors
from ssa2llvm.llir.module import FunctionText


@dataclass(slots=True)
class FunctionGraph:
    """`index` finds a block by name (the first, if two have it).  Unreachable blocks have successors too: LLVM counts
    them as predecessors, and so do its phis."""

    function: FunctionText
    index: dict[str, int]
    succs: list[list[int]]
    preds: list[list[int]]
    tree: DominatorTree

    def reachable(self, block: int) -> bool:
        """Whether control can arrive there."""
        return self.tree.level[block] >= 0


def graph_of(function: FunctionText) -> FunctionGraph:
    """Build the graph of `function`, which has at least one block."""
    index: dict[str, int] = {}
    for number, block in enumerate(function.blocks):
        index.setdefault(block.name, number)
    succs: list[list[int]] = []
    for block in function.blocks:
        labels = block.instructions[-1].labels if block.instructions and block.instructions[-1].is_terminator else []
        succs.append([index[label.text] for label in labels if label.text in index])
    preds = predecessors(succs)
    return FunctionGraph(function, index, succs, preds, dominator_tree(succs, preds))
