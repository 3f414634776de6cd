"""Out of SSA on a `Body`: the steps of this room in their order, and what is left to do at run time.

    split critical edges → isolate phis → (coalesce) → number locations → sequentialise each parallel copy
    → join the edges again on which nothing is left to do

Source
    Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA Translation for Correctness, Code
    Quality, and Efficiency" (CGO 2009).

In
    A body in SSA form, conventional or not; it is changed.
Out
    The same body without phis: every `ParallelCopy` has become the `Move`s that are left of it, and every value that
    is defined or read has a location.  A move's names are values, so that they can be shown; what is executed is the
    location of one copied to the location of the other.

With `coalesce=False` nothing is joined but what must be: the naive translation, which is the other's oracle.
Near-linear in the size of the body (see `coalesce`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from ssa2llvm.cfg.dominators import dominator_tree
from ssa2llvm.cfg.loops import identify_loops
from ssa2llvm.destruct.body import Body, ParallelCopy, Step
from ssa2llvm.destruct.coalesce import Classes, join_copies, join_tied, join_webs
from ssa2llvm.destruct.critical_edges import SplitEdge, join_empty_splits, split_critical_edges
from ssa2llvm.destruct.interference import Interference
from ssa2llvm.destruct.isolate import isolate_phis
from ssa2llvm.destruct.parallel_copy import Constant, Copy, sequentialise


@dataclass(slots=True)
class Statistics:
    """What destruction cost.  `copies_before` is what the naive translation executes, `copies_after` what is left of
    it, without the additional moves into `temporaries` that cycles need."""

    phis: int = 0
    edges_split: int = 0
    copies_before: int = 0
    copies_after: int = 0
    temporaries: int = 0


@dataclass(slots=True)
class Move(Step):
    """One copy from location to location, `copy` in terms of values."""

    copy: Copy[int] = field(default_factory=lambda: Copy(-1, -1))


@dataclass(slots=True)
class OutOfSsa:
    """The result: `location_of[value]` is a dense number, -1 for values that nobody defines; `location_kinds[l]` is
    the representation of location `l`."""

    body: Body
    location_of: list[int]
    location_kinds: list[Hashable]
    split: list[SplitEdge]
    statistics: Statistics


def leave_ssa(
    body: Body,
    tied: Iterable[tuple[int, int]] = (),
    together: Iterable[tuple[int, int]] = (),
    coalesce: bool = True,
    split: Iterable[SplitEdge] = (),
) -> OutOfSsa:
    """Replace the phis of `body` by moves between locations.

    `together` are pairs of values that must share a location because something outside says so (a variable that
    lives in memory); `tied` are the (use, def) pairs of instructions that work in place.  `split` are edges that the
    client has split already, and that may be joined again if nothing is to do on them.  Raises TiedPairError for a
    pair of either that interferes.
    """
    statistics = Statistics(phis=sum(len(block.phis) for block in body.blocks))
    all_split = [*split, *split_critical_edges(body)]
    isolate_phis(body)
    succs = [block.succs for block in body.blocks]
    preds = [block.preds for block in body.blocks]
    tree = dominator_tree(succs, preds)
    interference = Interference(body, tree)
    classes = Classes(body, interference)
    join_webs(body, classes)
    join_tied(classes, together)
    join_tied(classes, tied)
    if coalesce:
        join_copies(body, classes, identify_loops(succs, preds, tree).depth)
    location_of, location_kinds = _number_locations(body, classes, interference)
    result = OutOfSsa(body, location_of, location_kinds, all_split, statistics)
    _Sequentialiser(result).run()
    result.split = join_empty_splits(body, all_split)
    statistics.edges_split = len(result.split)
    return result


def _number_locations(body: Body, classes: Classes, interference: Interference) -> tuple[list[int], list[Hashable]]:
    """Dense numbers for the classes, in the order of their smallest values."""
    number_of: dict[int, int] = {}
    location_of = [-1] * body.value_count
    kinds: list[Hashable] = []
    for value in range(body.value_count):
        if interference.rank[value] < 0:
            continue
        representative = classes.find(value)
        if representative not in number_of:
            number_of[representative] = len(kinds)
            kinds.append(body.representation[value])
        location_of[value] = number_of[representative]
    return location_of, kinds


class _Sequentialiser:
    """Replaces each parallel copy of a body by moves, in terms of locations."""

    def __init__(self, result: OutOfSsa) -> None:
        self._result = result
        self._temporary_of: dict[Hashable, int] = {}  # one location for each representation, shared by all cycles

    def run(self) -> None:
        """Rewrite all blocks, and drop the phis: all names of each have one location by now."""
        for block in self._result.body.blocks:
            steps: list[Step | ParallelCopy] = []
            for step in block.steps:
                if isinstance(step, ParallelCopy):
                    steps += self._moves(step.copies)
                else:
                    steps.append(step)
            block.steps = steps
            block.phis = []

    def _moves(self, copies: list[Copy[int]]) -> list[Step]:
        location_of = self._result.location_of
        kinds = self._result.location_kinds
        self._result.statistics.copies_before += len(copies)
        value_in: dict[int, int] = {}  # a value by which to call what a location holds
        for copy in copies:
            if not isinstance(copy.src, Constant):
                value_in[location_of[copy.src]] = copy.src
        wanted = self._in_locations(copies)
        self._result.statistics.copies_after += len(wanted)
        name_of = {location: copy.dst for location, copy in wanted.items()}
        sequence = sequentialise(
            [Copy(location, self._source(copy)) for location, copy in wanted.items()],
            lambda location: self._temporary(value_in[location]),
            kinds.__getitem__,
        )
        moves: list[Step] = []
        for move in sequence:
            source = move.src if isinstance(move.src, Constant) else value_in[move.src]
            if move.dst not in wanted:  # a temporary: it gets a name of its own each time
                assert isinstance(source, int)
                name_of[move.dst] = self._result.body.new_value(source, kinds[move.dst])
                location_of.append(move.dst)
                self._result.statistics.temporaries += 1
            value_in[move.dst] = name_of[move.dst]
            uses = [] if isinstance(source, Constant) else [source]
            moves.append(Move(uses, [name_of[move.dst]], copy=Copy(name_of[move.dst], source)))
        return moves

    def _source(self, copy: Copy[int]) -> int | Constant:
        return copy.src if isinstance(copy.src, Constant) else self._result.location_of[copy.src]

    def _in_locations(self, copies: list[Copy[int]]) -> dict[int, Copy[int]]:
        """The copies that change a location, by location.  Two that write the same one write the same value, or they
        would not share it; one that is there already wins."""
        location_of = self._result.location_of
        unchanged = {
            location_of[copy.dst]
            for copy in copies
            if not isinstance(copy.src, Constant) and location_of[copy.src] == location_of[copy.dst]
        }
        wanted: dict[int, Copy[int]] = {}
        for copy in copies:
            if location_of[copy.dst] not in unchanged:
                wanted.setdefault(location_of[copy.dst], copy)
        return wanted

    def _temporary(self, like: int) -> int:
        """The location in which cycles of this representation park a value."""
        kind = self._result.body.representation[like]
        if kind not in self._temporary_of:
            self._temporary_of[kind] = len(self._result.location_kinds)
            self._result.location_kinds.append(kind)
        return self._temporary_of[kind]
