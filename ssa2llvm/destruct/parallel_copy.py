"""Parallel copies: turn "all reads happen before all writes" into a shortest list of moves.

Problem
    A block's phis all read at once, on the edge that was taken.  The copies that replace them are therefore one
    *parallel* copy `(d1, …, dn) ← (s1, …, sn)`; done one after the other in the wrong order, a write destroys a
    value that a later copy still reads (the swap problem).

Source
    Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA Translation for Correctness,
    Code Quality, and Efficiency" (CGO 2009), Algorithm 1.  Seen as a graph with an edge from each source to each
    of its destinations, every node has at most one incoming edge, so a component is a tree or a cycle with trees
    hanging from it.  Trees are emitted from the leaves.  Once a leaf of a cycle has received a value, that value is
    in two places, the cycle may read it from the leaf, and needs no temporary.  Only a cycle that no copy leaves
    needs one.

    Where this differs from the paper: copies may convert.  Every name has a representation, and a copy between two
    different ones converts on the way, so the leaf of a converting copy no longer holds the *source's* value and
    cannot stand in for it.  Such a source must be kept until its last reader is done.

In
    Copies with distinct destinations.  Sources are names or `Constant`s.
Out
    Moves, to be executed in order.  Without conversions there are exactly as many as the copies that change
    something, plus one for each cycle that no copy leaves: the minimum (tests/destruct/test_parallel_copy.py finds
    the same number by breadth-first search).  Constants come last, for they read nothing.  A temporary is taken
    for each representation at most, and shared by all the cycles broken with it.

Linear in the number of copies.  Zend has no counterpart: it never leaves its slots, so phis are simply dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class TwoWritersError(ValueError):
    """A parallel copy writes one name twice, so that it means nothing."""


@dataclass(frozen=True)
class Constant:
    """A source that is no name: it can be read at any time, since no copy overwrites it."""

    value: object


@dataclass(frozen=True)
class Copy(Generic[Name]):
    """`dst ← src`, as part of a parallel copy or as one move of a sequence."""

    dst: Name
    src: Name | Constant

    def __str__(self) -> str:
        source = self.src.value if isinstance(self.src, Constant) else self.src
        return f"{self.dst} <- {source}"


def _same_for_all(_: object) -> Hashable:
    return None


def sequentialise(
    copies: Iterable[Copy[Name]],
    new_temporary: Callable[[Name], Name],
    representation: Callable[[Name], Hashable] = _same_for_all,
) -> list[Copy[Name]]:
    """Return the moves that have the effect of doing all `copies` at the same time.

    `new_temporary(name)` makes a fresh name able to hold the value of `name`; it is called only for a cycle that
    no copy leaves.  `representation(name)` tells names apart that cannot hold the same bits; the default has one
    representation for all, where every copy is plain.

    Raises TwoWritersError if two copies have the same destination (even from the same source).
    """
    pending: dict[Name, Name] = {}
    constants: list[Copy[Name]] = []
    destinations: set[Name] = set()
    for copy in copies:
        if copy.dst in destinations:
            raise TwoWritersError(f"parallel copy writes {copy.dst} twice")
        destinations.add(copy.dst)
        if isinstance(copy.src, Constant):
            constants.append(copy)
        elif copy.src != copy.dst:
            pending[copy.dst] = copy.src

    # readers[s]: how many pending copies can find the value of s nowhere but in s itself.
    readers: dict[Name, int] = {}
    for source in pending.values():
        readers[source] = readers.get(source, 0) + 1
    ready = [dst for dst in pending if not readers.get(dst)]
    ready.reverse()  # taken from the end: the moves keep the order of the copies where they may
    holder: dict[Name, Name] = {}  # where the value of a name can be read, if no longer (only) in itself
    temporaries: dict[Hashable, Name] = {}
    moves: list[Copy[Name]] = []

    def release(source: Name) -> None:
        """Nobody needs `source` to keep its value any more: its own copy, if any, can be done."""
        readers[source] = 0
        if source in pending:
            ready.append(source)

    unbroken = list(pending)
    unbroken.reverse()
    while True:
        while ready:
            dst = ready.pop()
            source = pending.pop(dst)
            moves.append(Copy(dst, holder.get(source, source)))
            if source in holder:
                continue
            if representation(dst) == representation(source):
                holder[source] = dst
                release(source)
            else:
                readers[source] -= 1
                if not readers[source]:
                    release(source)
        # Every pending destination is still read by a pending copy: as many readers as destinations, so what is
        # left is a set of cycles and each name in them has exactly one reader.  Break one.
        while unbroken and unbroken[-1] not in pending:
            unbroken.pop()
        if not unbroken:
            break
        victim = unbroken.pop()
        kind = representation(victim)
        if kind not in temporaries:
            temporaries[kind] = new_temporary(victim)
        # The cycle is finished before the next is broken, so the temporary is free again by then.
        moves.append(Copy(temporaries[kind], victim))
        holder[victim] = temporaries[kind]
        release(victim)

    return moves + constants
