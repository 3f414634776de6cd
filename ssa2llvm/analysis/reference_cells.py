"""Reference cells: what the references of a script may lead to.

Problem: a variable that is a reference, bound to a static or to a global, changes through other names; by itself it
may hold anything. But in a closed program every other name is known. Variables that may be bound to each other form a
*cell* (Steensgaard, "Points-to Analysis in Almost Linear Time", POPL 1996: one class for all that is ever bound
together), and what is behind any of them is at most the union of all that is stored through any of them, at any time.

A cell belongs to a set of these:

    a variable of a function        a static variable of a function        a global variable, by its name
    *the elements*: everything that any array of the script holds by reference, one cell for all arrays

Whatever is bound to something that unknown code reaches has no cell: it may be anything (``cell_of`` gives None).
``cell_binding`` finds the cells, ``cell_stores`` what one function stores, ``infer_script`` the fixpoint. Types of a
cell only grow while it is sought, and ranges that keep growing are given up after ``PATIENCE`` rounds.

Zend has none of this: there a reference is anything (zend_inference.c:UPDATE_SSA_TYPE).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ssa2llvm.analysis.ranges import ANY_INT, INT_MAX, INT_MIN, Range
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.types import MAY_BE_LONG

PATIENCE = 8


@dataclass(frozen=True, slots=True)
class StoreSite:
    """Where something is stored into a cell, for people: ``types`` is what."""

    function: str
    line: int
    types: int


@dataclass(slots=True, eq=False)
class Cell:
    """What is behind a class of references. ``types`` is the union of what is stored (0: nothing ever), ``range``
    that of the integers in it; ``initial`` is all of it before any code runs. ``users`` are the functions, by position,
    whose facts depend on it."""

    types: int = 0
    range: Range | None = None
    nested: int = 0
    """What the arrays in arrays in it are (``Facts.nested``)."""
    initial: tuple[int, Range | None, int] = (0, None, 0)
    users: set[int] = field(default_factory=set)
    sites: list[StoreSite] = field(default_factory=list)
    _growth: int = 0

    def join(self, types: int, known: Range | None, nested: int = 0) -> bool:
        """Take in a store; say whether anything was new. ``known`` speaks of the integers, None: of any."""
        new = self.range
        if types & MAY_BE_LONG:
            new = Range(known.min, known.max) if known is not None else ANY_INT
            if self.range is not None:
                new = self._patient(self.range, united(self.range, new))
        if types | self.types == self.types and new == self.range and nested | self.nested == self.nested:
            return False
        self.types |= types
        self.nested |= nested
        self.range = new
        return True

    def _patient(self, old: Range, new: Range) -> Range:
        if new == old:
            return old
        self._growth += 1
        if self._growth <= PATIENCE:
            return new
        return Range(new.min if new.min == old.min else INT_MIN, new.max if new.max == old.max else INT_MAX)

    def shrink(self, types: int, known: Range | None, nested: int) -> bool:
        """What is stored, all of it seen at once, is within ``types`` and ``known``; say whether that is news."""
        types &= self.types
        nested &= self.nested
        new: Range | None = None
        if types & MAY_BE_LONG and self.range is not None:
            found = known if known is not None else ANY_INT
            new = Range(max(found.min, self.range.min), min(found.max, self.range.max))
            if new.min > new.max:
                new = self.range
        if (types, new, nested) == (self.types, self.range, self.nested):
            return False
        self.types, self.range, self.nested = types, new, nested
        return True


class ReferenceCells:
    """The cells of a script. Variables are told by ``id`` of their function's op array and by slot."""

    def __init__(self, of_slot: Mapping[tuple[int, int], Cell], elements: Cell | None) -> None:
        """``elements`` is the cell of everything that arrays hold by reference; None: it may be anything."""
        self._of_slot = of_slot
        self.elements = elements
        self.dead: set[int] = set()
        """Functions (``id`` of the op array) that never run: they store nothing, and nothing is known of what they
        would read."""

    def cell_of(self, op_array: OpArray, slot: int) -> Cell | None:
        """The cell of a variable that may be a reference; None if it may be anything."""
        return None if id(op_array) in self.dead else self._of_slot.get((id(op_array), slot))

    def all_cells(self) -> list[Cell]:
        """Every cell once, in a fixed order."""
        found = dict.fromkeys(self._of_slot.values())
        if self.elements is not None:
            found[self.elements] = None
        return list(found)
