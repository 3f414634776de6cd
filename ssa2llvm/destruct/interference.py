"""Do two values need two locations?

Problem
    The textbook answer, "their live ranges overlap", is too strict after isolation: every copy `a' ← a` overlaps
    with what it copied.  Two values that are surely *equal* may share a location while both live.

Source
    Boissinot et al. (CGO 2009), section III: value-based interference.  V(b) = V(a) for a copy b ← a, V(x) = x
    otherwise, found in one walk over the dominator tree.  Values interfere if their live ranges intersect and their V
    differ.  Intersection after Budimlić et al., "Fast Copy Coalescing and Live-Range Identification" (PLDI 2002): in
    SSA, two live ranges intersect exactly if one definition dominates the other and its value is live just after it.

Order
    Values are *ranked* by their definitions in dominance order: by preorder of the block in the dominator tree, then
    by position in the block.  What the definition of a value dominates is then a contiguous range of ranks, behind it.

Positions in a block
    -2 arrivals, -1 phis, 0 … n-1 steps, n the terminator, n+1 the end, where a phi of the successor reads.  Values
    written at the same position always intersect: both are written, used or not.  A value read for the last time where
    another is written does not intersect it, for a step reads before it writes.

In
    A body without edge copies (`isolate`).  Out: it is not changed, and may not change while this object is used.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.destruct.body import Body, ParallelCopy
from ssa2llvm.destruct.fast_liveness import LivenessChecker, UseSet
from ssa2llvm.destruct.parallel_copy import Constant

_ARRIVAL, _PHI, _NEVER = -2, -1, -3


class Interference:
    """Answers about the values of one body."""

    def __init__(self, body: Body, tree: DominatorTree) -> None:
        """`tree` is the dominator tree of the body's blocks."""
        self._body = body
        self._tree = tree
        self._liveness = LivenessChecker([block.succs for block in body.blocks], tree)
        self._block = [-1] * body.value_count
        self._position = [0] * body.value_count
        self._same = list(range(body.value_count))
        self._last_use: list[dict[int, int]] = [{} for _ in range(body.value_count)]  # block → position
        for block in tree.preorder:
            self._scan(block)
        self._use_sets: list[UseSet | None] = [None] * body.value_count  # filled when asked for
        self._rank_values()
        self._jump = _jump_pointers(tree)

    def _scan(self, block: int) -> None:
        """Note definitions, uses and copies of one block; its dominators were scanned before."""
        content = self._body.blocks[block]
        for value in content.arrivals:
            self._define(value, block, _ARRIVAL)
        for phi in content.phis:
            self._define(phi.result, block, _PHI)
            for source, argument in zip(content.preds, phi.args):
                if isinstance(argument, int):
                    self._last_use[argument][source] = len(self._body.blocks[source].steps) + 1
        for position, step in enumerate(content.steps):
            for value in step.uses:
                self._use(value, block, position)
            for value in step.defs:
                self._define(value, block, position)
            if isinstance(step, ParallelCopy):
                for copy in step.copies:
                    if not isinstance(copy.src, Constant):
                        self._same[copy.dst] = self._same[copy.src]
        if content.terminator is not None:
            for value in content.terminator.uses:
                self._use(value, block, len(content.steps))
            for value in content.terminator.defs:
                self._define(value, block, len(content.steps))

    def _define(self, value: int, block: int, position: int) -> None:
        if self._block[value] >= 0:
            raise ValueError(f"value {value} is defined twice: out-of-SSA needs SSA")
        self._block[value] = block
        self._position[value] = position

    def _use(self, value: int, block: int, position: int) -> None:
        uses = self._last_use[value]
        uses[block] = max(position, uses.get(block, _NEVER))

    def _rank_values(self) -> None:
        entry = self._tree.entry
        keys = [(entry[self._block[v]], self._position[v], v) for v in range(len(self._block)) if self._block[v] >= 0]
        keys.sort()
        self.value_at: list[int] = [value for _, _, value in keys]
        """The values by rank."""
        self.rank = [-1] * len(self._block)
        """The rank of each value; -1 if nothing defines it."""
        for rank, value in enumerate(self.value_at):
            self.rank[value] = rank
        self._entry_at = [key[0] for key in keys]

    def dominated_end(self, value: int) -> int:
        """The first rank behind those of all values whose definitions that of `value` dominates."""
        return bisect_left(self._entry_at, self._tree.exit[self._block[value]])

    def rank_limit_of_common_dominator(self, one: int, other: int) -> int:
        """`one` does not dominate `other` but comes before it by rank.  The first rank behind the values of the
        lowest block above `one` that dominates `other`'s, and of all blocks before it: no value between that rank
        and `one` dominates `other`."""
        entry, exit_ = self._tree.entry, self._tree.exit
        target = entry[self._block[other]]
        block = self._block[one]
        while not entry[block] <= target < exit_[block]:
            far = self._jump[block]
            block = self._tree.idom[block] if entry[far] <= target < exit_[far] else far
        return bisect_right(self._entry_at, entry[block])

    def dominates(self, above: int, below: int) -> bool:
        """Whether the definition of `above` dominates that of `below` (both ways if they are written at once)."""
        one, other = self._block[above], self._block[below]
        if one == other:
            return self._position[above] <= self._position[below]
        return self._tree.entry[one] < self._tree.entry[other] < self._tree.exit[one]

    def live_at_definition(self, above: int, below: int) -> bool:
        """Whether `above`, whose definition dominates that of `below`, is needed after it, or written at once with
        it."""
        block, position = self._block[below], self._position[below]
        if self._block[above] == block and self._position[above] == position:
            return True
        return self._live_after(above, block, position)

    def _live_after(self, value: int, block: int, position: int) -> bool:
        uses = self._last_use[value]
        if uses.get(block, _NEVER) > position:
            return True
        definition = self._block[value]
        if len(uses) == (definition in uses):
            return False  # never used outside of its block
        use_set = self._use_sets[value]
        if use_set is None:
            use_set = self._use_sets[value] = self._liveness.use_set(uses)
        return any(self._liveness.live_in(definition, use_set, succ) for succ in self._body.blocks[block].succs)

    def same_value(self, one: int, other: int) -> bool:
        """Whether both are copies of one value."""
        return self._same[one] == self._same[other]

    def interfere(self, one: int, other: int) -> bool:
        """Whether the two values must not share a location."""
        if self.same_value(one, other):
            return False
        above, below = (one, other) if self.rank[one] <= self.rank[other] else (other, one)
        return self.dominates(above, below) and self.live_at_definition(above, below)


def _jump_pointers(tree: DominatorTree) -> list[int]:
    """For each block a block further up in the dominator tree, chosen so that any ancestor is found in a number of
    steps logarithmic in the depth, by jumping where that is not too far (Myers, "An applicative random-access stack",
    Information Processing Letters 1983).  The root's is the root."""
    jump = [tree.root] * len(tree.idom)
    for block in tree.preorder[1:]:
        parent = tree.idom[block]
        far = jump[parent]
        equal_steps = tree.level[parent] - tree.level[far] == tree.level[far] - tree.level[jump[far]]
        jump[block] = jump[far] if equal_steps else parent
    return jump
