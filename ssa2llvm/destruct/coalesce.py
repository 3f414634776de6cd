"""Which values share a location: congruence classes, grown greedily from what must be joined to what may be.

Order
    1. The web of each isolated phi.  Isolation made its members conventional; without one location for them the phi
       could not be dropped.
    2. Tied pairs: instructions that change a value in place (`$a[] = x`, `.=`) need use and def in one location.
       Serving them first, before any choice was made, means that one can fail only if the used value is needed after
       the instruction, which the `own` stage rules out by copying it first; so failing is an error, not a slow case.
    3. Copies, dearest first: those in the deepest loops, then in program order.

Source
    Boissinot et al. (CGO 2009), section IV.B: classes sorted by the dominance order of definitions, and a test of two
    classes that uses that interfering values must dominate each other.  There both classes are walked, linear in
    their sizes.  Here only the *smaller* one is, with two observations for each of its values `a`:

    * above: of the other class only the lowest value that dominates `a` matters, and from there on up those with the
      same V; anything higher that is live at `a` is also live at the lowest one, and as both are in one class, they
      have the same V;
    * below: if `a` is not live at the definition of `b`, it is not live anywhere that `b` dominates, so the whole
      subtree is skipped.

    Joining a variable of 10,000 phis to its arguments, one by one, is then near-linear; it was quadratic.

Out
    `Classes`: the class of every value; the same for equal input.  Only values of equal representation are joined.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence

from ssa2llvm.destruct.body import Body, ParallelCopy
from ssa2llvm.destruct.interference import Interference
from ssa2llvm.destruct.parallel_copy import Constant, Copy


class TiedPairError(Exception):
    """An instruction that works in place cannot: the value it changes is needed afterwards."""

    def __init__(self, use: int, definition: int) -> None:
        super().__init__(f"tied values {use} and {definition} cannot share a location")
        self.use = use
        self.definition = definition


class Classes:
    """Disjoint classes of values, none of which contains two that interfere."""

    def __init__(self, body: Body, interference: Interference) -> None:
        self._interference = interference
        self._representation = body.representation
        self._parent = list(range(body.value_count))
        # The ranks of the members, ascending; valid at the representative of a class.
        self._members = [[rank] if rank >= 0 else [] for rank in interference.rank]

    def find(self, value: int) -> int:
        """The representative of the class of `value`."""
        parent = self._parent
        while parent[value] != value:
            parent[value] = parent[parent[value]]
            value = parent[value]
        return value

    def join(self, one: int, other: int) -> None:
        """Join two classes without asking whether they interfere."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        large, small = self._large_and_small(one, other)
        self._parent[small] = large
        members, added = self._members[large], self._members[small]
        if len(added) * 8 < len(members):
            for rank in added:
                insort(members, rank)
        else:
            members.extend(added)
            members.sort()  # two ascending runs: one merge
        self._members[small] = []

    def join_if_free(self, one: int, other: int) -> bool:
        """Join two classes if no value of one interferes with a value of the other.  Whether they are one now."""
        one, other = self.find(one), self.find(other)
        if one == other:
            return True
        if self._representation[one] != self._representation[other] or self._classes_interfere(one, other):
            return False
        self.join(one, other)
        return True

    def _large_and_small(self, one: int, other: int) -> tuple[int, int]:
        return (one, other) if len(self._members[one]) >= len(self._members[other]) else (other, one)

    def _classes_interfere(self, one: int, other: int) -> bool:
        large, small = self._large_and_small(one, other)
        members = self._members[large]
        for rank in self._members[small]:
            value = self._interference.value_at[rank]
            if self._interferes_above(value, rank, members) or self._interferes_below(value, rank, members):
                return True
        return False

    def _interferes_above(self, value: int, rank: int, members: Sequence[int]) -> bool:
        """Whether some member whose definition dominates that of `value` interferes with it."""
        ask = self._interference
        above = self._lowest_above(value, bisect_left(members, rank), members)
        if above < 0:
            return False
        lowest = ask.value_at[members[above]]
        if ask.same_value(lowest, value):
            return False
        while above >= 0:
            member = ask.value_at[members[above]]
            if not ask.same_value(member, lowest):
                return False
            if ask.live_at_definition(member, value):
                return True
            above = self._lowest_above(member, above, members)
        return False

    def _lowest_above(self, value: int, limit: int, members: Sequence[int]) -> int:
        """The index, below `limit`, of the last member whose definition dominates that of `value`; -1 if none."""
        ask = self._interference
        index = limit - 1
        while index >= 0:
            candidate = ask.value_at[members[index]]
            if ask.dominates(candidate, value):
                return index
            index = bisect_left(members, ask.rank_limit_of_common_dominator(candidate, value), 0, index) - 1
        return -1

    def _interferes_below(self, value: int, rank: int, members: Sequence[int]) -> bool:
        """Whether some member whose definition that of `value` dominates interferes with it."""
        ask = self._interference
        end = ask.dominated_end(value)
        index = bisect_right(members, rank)
        while index < len(members) and members[index] < end:
            below = ask.value_at[members[index]]
            if not ask.live_at_definition(value, below):
                index = bisect_left(members, ask.dominated_end(below), index)
            elif ask.same_value(value, below):
                index += 1
            else:
                return True
        return False


def join_webs(body: Body, classes: Classes) -> None:
    """Give the result and the arguments of each (isolated) phi one class."""
    for block in body.blocks:
        for phi in block.phis:
            for argument in phi.args:
                if isinstance(argument, int):
                    classes.join(phi.result, argument)


def join_tied(classes: Classes, tied: Iterable[tuple[int, int]]) -> None:
    """Join each (use, def) pair of an instruction that works in place.  Raises TiedPairError."""
    for use, definition in tied:
        if not classes.join_if_free(use, definition):
            raise TiedPairError(use, definition)


def join_copies(body: Body, classes: Classes, loop_depth: Sequence[int]) -> None:
    """Join source and destination of every copy where that is possible, those in the deepest loops first."""
    copies: list[tuple[int, int, Copy[int]]] = []
    for block, content in enumerate(body.blocks):
        weight = loop_depth[block]
        for step in content.steps:
            if isinstance(step, ParallelCopy):
                copies.extend((-weight, len(copies) + index, copy) for index, copy in enumerate(step.copies))
    copies.sort(key=lambda entry: entry[:2])
    for _, _, copy in copies:
        if not isinstance(copy.src, Constant):
            classes.join_if_free(copy.dst, copy.src)
