"""What out-of-SSA needs to know of a function: who writes and who reads which value, in which order, in which block.

The algorithms of this room work on a `Body`: dense ints, no opcodes, no types.  PHP's functions (`function_body`) and
LLVM's (`ssa2llvm.llir`) are both poured into it, so that one implementation serves both and is tested on its own.

* Values are ints, each written at one place (the SSA property): by a phi, by a step, or at the entry by the client's
  first step.  Every read is dominated by that place.
* A `Step` reads all its uses before it writes any of its defs.
* A value defined on one out-edge only (the element of a foreach, the result of an LLVM invoke) is not the
  terminator's but an *arrival* of the block on that edge, which has no other predecessor (`split_edge` makes one).
* A phi has one argument for each predecessor, in the order of `preds`.  Several equal edges between two blocks are
  one: they bring the same arguments.
* `edge_copies[p]` happen on the edge from block `p`, at once, before the phis of the block read (Zend's pis).

Block 0 is the entry and has no predecessors.  Unreachable blocks keep their number but have no edges and no content.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

from ssa2llvm.destruct.parallel_copy import Constant, Copy

Argument: TypeAlias = int | Constant | None
"""A phi's argument: a value, a constant, or None where whatever arrives is never looked at (LLVM's undef)."""


@dataclass(slots=True)
class Step:
    """One instruction: reads `uses`, then writes `defs`.  `tag` is the client's own object for it."""

    uses: list[int]
    defs: list[int]
    tag: object = None


@dataclass(slots=True)
class ParallelCopy:
    """Copies that happen at the same time: all read before any writes."""

    copies: list[Copy[int]]

    @property
    def uses(self) -> list[int]:
        """The values read."""
        return [copy.src for copy in self.copies if not isinstance(copy.src, Constant)]

    @property
    def defs(self) -> list[int]:
        """The values written."""
        return [copy.dst for copy in self.copies]


@dataclass(slots=True)
class BodyPhi:
    """`result` is `args[i]` when control comes from `preds[i]`.  `tag` is the client's own object for it."""

    result: int
    args: list[Argument]
    tag: object = None


@dataclass(slots=True)
class BodyBlock:
    """Arrivals, edge copies, phis, steps, and the terminator (None if the last step ends the block like any other)."""

    succs: list[int] = field(default_factory=list)
    preds: list[int] = field(default_factory=list)
    arrivals: list[int] = field(default_factory=list)
    phis: list[BodyPhi] = field(default_factory=list)
    edge_copies: dict[int, list[Copy[int]]] = field(default_factory=dict)
    steps: list[Step | ParallelCopy] = field(default_factory=list)
    terminator: Step | None = None


@dataclass(slots=True)
class Body:
    """A function.  `representation[v]` tells what kind of bits value `v` is; values may share a location only if
    theirs are equal.  `origin[v]` is the value that `v` was made for, itself for those of the client."""

    blocks: list[BodyBlock]
    representation: list[Hashable]
    origin: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.origin:
            self.origin = list(range(len(self.representation)))

    @property
    def value_count(self) -> int:
        """Number of values, those made by destruction included."""
        return len(self.representation)

    def new_value(self, like: int, representation: Hashable) -> int:
        """A fresh value, made on behalf of `like`."""
        self.representation.append(representation)
        self.origin.append(self.origin[like])
        return len(self.representation) - 1

    def add_edge(self, source: int, target: int) -> None:
        """Join two blocks, once however often it is asked for.  Phis of `target` must not exist yet."""
        if target not in self.blocks[source].succs:
            self.blocks[source].succs.append(target)
        if source not in self.blocks[target].preds:
            self.blocks[target].preds.append(source)
