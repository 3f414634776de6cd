"""Liveness as a question, not as sets: is this value live at the head of that block?

Problem
    Coalescing asks about few values, at few places.  Live sets of all values at all blocks cost values × blocks, and
    are out of date as soon as a copy is inserted.

Source
    Boissinot, Hack, Grund, Dupont de Dinechin, Rastello, "Fast Liveness Checking for SSA-Form Programs" (CGO 2008).
    What is computed beforehand depends on the graph alone, so copies may come and go:

    * R(q), the blocks reachable from q without taking a back edge (of one depth-first search);
    * T(q), the blocks from which a search must start to miss nothing: q itself, and then again and again the target
      of each back edge that leaves the R of one already found.

    A value defined in block d (which dominates every use) is live at the head of q if d strictly dominates q, and a
    use is in R(t) for some t in T(q) that d strictly dominates.  A t that d does not strictly dominate cannot be
    reached from q but through d, where the value is defined anew.  The graph need not be reducible.

    R is a set of blocks as the bits of an int, numbered in postorder: whatever is reachable from q without back edges
    has a smaller number than q, so the ints are as short as they can be.  T is computed when first asked for.

Cost
    R takes edges × blocks / 64 word operations and half of blocks² bits: 25 MB for 20,000 blocks, the size of a
    function of 100,000 instructions.  A question costs a few bit tests (or one `&`, for values with many uses) for
    each loop around q inside d.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.cfg.graph import Graph

UseSet: TypeAlias = tuple[int, ...] | int
"""Blocks by their numbers: listed if they are few, else as bits."""

_FEW = 8


class LivenessChecker:
    """Answers for one graph.  It stays right while steps and values change, until blocks or edges do."""

    def __init__(self, succs: Graph, tree: DominatorTree) -> None:
        """`succs` are the successors of each block, block 0 the entry; `tree` is the graph's dominator tree."""
        self._tree = tree
        self._order, back_edges = _postorder_and_back_edges(succs)
        count = len(succs)
        self._number = [-1] * count
        self._reach = [0] * count
        self._leaving = [0] * count  # targets of the back edges that can be reached, in R or not
        for number, block in enumerate(self._order):
            self._number[block] = number
        for number, block in enumerate(self._order):
            reach = 1 << number
            leaving = 0
            for succ in succs[block]:
                if succ in back_edges[block]:
                    leaving |= 1 << self._number[succ]
                else:
                    reach |= self._reach[succ]
                    leaving |= self._leaving[succ]
            self._reach[block] = reach
            self._leaving[block] = leaving
        self._starts: dict[int, list[int]] = {}

    def use_set(self, blocks: Collection[int]) -> UseSet:
        """The set of `blocks` in the form in which `live_in` wants the blocks that use a value."""
        numbers = [self._number[block] for block in blocks]
        if len(numbers) <= _FEW:
            return tuple(numbers)
        bits = 0
        for number in numbers:
            bits |= 1 << number
        return bits

    def live_in(self, definition: int, uses: UseSet, block: int) -> bool:
        """Whether a value defined in block `definition` and used in the blocks of `uses` is live at the head of
        `block`.  A use by a phi counts in the predecessor it comes from."""
        entry, exit_ = self._tree.entry, self._tree.exit
        first, last = entry[definition], exit_[definition]
        if not first < entry[block] < last:  # strict dominance; blocks that cannot be reached have -1
            return False
        for start in self._starts_of(block):
            if first < entry[start] < last:
                reach = self._reach[start]
                if isinstance(uses, int):
                    if reach & uses:
                        return True
                else:
                    for number in uses:
                        if reach >> number & 1:
                            return True
        return False

    def _starts_of(self, block: int) -> list[int]:
        """T(block): by worklist, and remembered."""
        starts = self._starts.get(block)
        if starts is None:
            starts = [block]
            seen = {block}
            for start in starts:
                targets = self._leaving[start] & ~self._reach[start]
                while targets:
                    lowest = targets & -targets
                    targets ^= lowest
                    target = self._order[lowest.bit_length() - 1]
                    if target not in seen:
                        seen.add(target)
                        starts.append(target)
            self._starts[block] = starts
        return starts


def _postorder_and_back_edges(succs: Graph) -> tuple[list[int], list[list[int]]]:
    """One depth-first search from block 0: the blocks in postorder, and for each block those of its successors that
    were on the search's own path then."""
    count = len(succs)
    on_path = [False] * count
    seen = [False] * count
    back_edges: list[list[int]] = [[] for _ in range(count)]
    order: list[int] = []
    seen[0] = on_path[0] = True
    path = [(0, iter(succs[0]))]
    while path:
        block, pending = path[-1]
        for succ in pending:
            if not seen[succ]:
                seen[succ] = on_path[succ] = True
                path.append((succ, iter(succs[succ])))
                break
            if on_path[succ]:
                back_edges[block].append(succ)
        else:
            path.pop()
            on_path[block] = False
            order.append(block)
    return order, back_edges
