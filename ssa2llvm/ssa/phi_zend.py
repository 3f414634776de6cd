"""Phi placement by Zend's rule (Zend/Optimizer/zend_ssa.c:zend_build_ssa, step 1), pruned by liveness.

Zend repeats, over blocks j with several predecessors, until nothing changes:

    for each predecessor, for each i from it up the dominator tree to below idom(j):  phi(j) |= def(i) & in(j)
    def(j) |= phi(j)

The blocks i so visited are those with j in their dominance frontier, so the least solution is the pruned iterated
dominance frontier of the definitions, pis included, plus the phis that pis force. Under Config.ZEND a block flagged
irreducible gets a phi for everything live there instead.

Zend's walks are as long as the frontiers are large, quadratic for nested bottom-tested loops, and are repeated. Here
they are taken level by level, deepest first (a definition below j's level can only be affected from deeper still): a
walk's part below level(j) is then final, and walks share it by path compression (Tarjan, "Applications of path
compression on balanced trees", 1979). What remains are dependences between blocks of one level with one idom, settled
with a worklist that passes on only what is new. O(edges * log blocks) operations on bit sets, plus what changes.
"""

from __future__ import annotations

from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.cfg.graph import Graph


def place_phis(
    preds: Graph,
    tree: DominatorTree,
    live_in: list[int],
    define: list[int],
    forced: list[int],
    flooded: list[bool],
) -> list[int]:
    """Return for each block the set of variables that need a phi, as bits.

    ``define`` holds each block's definitions and is extended by the phis. ``forced`` phis are placed in any case;
    a ``flooded`` block gets a phi for everything live in it.
    """
    placement = _Placement(preds, tree, live_in, define, forced)
    levels: list[list[int]] = []
    for block in tree.preorder:
        while len(levels) <= tree.level[block]:
            levels.append([])
        levels[tree.level[block]].append(block)
    for level in range(len(levels) - 1, 0, -1):
        placement.settle(levels[level], flooded)
        placement.link(levels[level])
    return placement.phis


class _Placement:
    def __init__(
        self, preds: Graph, tree: DominatorTree, live_in: list[int], define: list[int], forced: list[int]
    ) -> None:
        self.preds = preds
        self.tree = tree
        self.live_in = live_in
        self.define = define
        self.phis = list(forced)
        # A forest over the finished levels: ``above`` is an ancestor (-1: not linked yet), ``path`` the definitions
        # from the block up to below that ancestor.
        self.above = [-1] * len(preds)
        self.path = [0] * len(preds)

    def link(self, blocks: list[int]) -> None:
        """Hang the blocks of a finished level below their dominators."""
        for block in blocks:
            self.above[block] = self.tree.idom[block]
            self.path[block] = self.define[block]

    def climb(self, block: int) -> tuple[int, int]:
        """Return the ancestor of ``block`` on the level being settled, and all definitions below it on the way."""
        above, path = self.above, self.path
        if above[block] < 0:
            return block, 0
        trail = [block]
        while above[above[trail[-1]]] >= 0:
            trail.append(above[trail[-1]])
        for lower in reversed(trail):
            upper = above[lower]
            if above[upper] >= 0:
                path[lower] |= path[upper]
                above[lower] = above[upper]
        return above[block], path[block]

    def settle(self, blocks: list[int], flooded: list[bool]) -> None:
        """Find the phis of all blocks of one level."""
        define, live_in, phis = self.define, self.live_in, self.phis
        readers: dict[int, list[int]] = {}
        news: list[tuple[int, int]] = []

        def grow(block: int, gain: int) -> None:
            phis[block] |= gain
            fresh = gain & ~define[block]
            if fresh:
                define[block] |= fresh
                news.append((block, fresh))

        for block in blocks:
            incoming = self.preds[block]
            if len(incoming) < 2:
                continue
            if flooded[block]:
                grow(block, live_in[block])
                continue
            found = phis[block]
            for pred in incoming:
                if pred != self.tree.idom[block]:
                    top, below = self.climb(pred)
                    found |= below | define[top]
                    readers.setdefault(top, []).append(block)
            grow(block, found & live_in[block])
        while news:
            changed, fresh = news.pop()
            for reader in readers.get(changed, ()):
                gain = fresh & live_in[reader] & ~phis[reader]
                if gain:
                    grow(reader, gain)
