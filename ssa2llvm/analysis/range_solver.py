"""Ranges of all names of a function: component by component, with warm-up, widening and narrowing.

Campos et al., "Speed and Precision in Range Analysis" (SBLP 2012), as in Zend/Optimizer/zend_inference.c:
zend_infer_ranges and zend_infer_ranges_warmup. Names are solved in the order of the strongly connected components of
the dependence graph, so that everything a component depends on is known. In a component of several names,

1. 16 passes from its entries let small loops settle exactly;
2. widening makes every bound that still moves infinite (names without a range get the full one in between);
3. narrowing recomputes from there, and only now reads bounds that are themselves variables.

The worklists' order is Zend's (``worklist.SweepList``), because widening is not confluent. How one name's range
follows from others is not decided here: ``calc`` is ``range_zend.ZendRanges`` or ``range_sound.SoundRanges``.

In: components (``SsaVar.scc``). Out: a range for every name that has a component and is no reference; the solution of
3 is a post-fixpoint of ``calc`` whatever ``calc`` is, so it is right if ``calc`` is. Each bound of a name moves at
most 16 + 3 times outwards, which keeps the whole linear in the dependence graph.
"""

from __future__ import annotations

from typing import Protocol

from ssa2llvm.analysis.ranges import FULL, Range, extend, open_ends, widen
from ssa2llvm.analysis.sites import Sites
from ssa2llvm.analysis.worklist import SweepList
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.types import MAY_BE_REF

WARMUP_PASSES = 16


class RangeRules(Protocol):
    """How the range of a name follows from those of others."""

    def calc(self, name: int, narrowing: bool) -> Range | None:
        """The range of ``name`` now; None if there is none (yet)."""

    def fed_by(self, name: int) -> list[int]:
        """Names whose ``calc`` reads ``name`` without being defined by a use of it."""


class RangeSolver:
    """Fills ``ranges`` for one function."""

    def __init__(
        self,
        function: Function,
        sites: Sites,
        types: list[int],
        ranges: list[Range | None],
        rules: RangeRules,
        follows_references: bool = False,
    ) -> None:
        """``types`` tells which names are references; these keep no range unless ``rules`` can tell it
        (``follows_references``)."""
        self._vars = function.ssa_vars
        self._sites = sites
        self._types = types
        self._ranges = ranges
        self._rules = rules
        self._follows_references = follows_references
        self._inner: dict[int, list[int]] = {}

    def solve(self) -> None:
        """Solve every component, in order."""
        count = max((var.scc for var in self._vars), default=-1) + 1
        members: list[list[int]] = [[] for _ in range(count)]
        for name in range(len(self._vars) - 1, -1, -1):
            if self._vars[name].scc >= 0:
                members[self._vars[name].scc].append(name)
        for names in members:
            if len(names) == 1:
                self._solve_one(names[0])
            elif names:
                self._solve_component(names)

    def _is_reference(self, name: int) -> bool:
        return bool(self._types[name] & MAY_BE_REF) and not self._follows_references

    def _solve_one(self, name: int) -> None:
        if not self._is_reference(name):
            found = self._rules.calc(name, narrowing=True)
            self._ranges[name] = open_ends(found) if found is not None else FULL

    def _dependents(self, name: int, scc: int) -> list[int]:
        known = self._inner.get(name)
        if known is None:
            known = self._inner[name] = [
                other
                for other in (*self._sites.dependents(name), *self._rules.fed_by(name))
                if self._vars[other].scc == scc and not self._is_reference(other)
            ]
        return known

    def _solve_component(self, names: list[int]) -> None:
        """``names`` descend."""
        scc = self._vars[names[0]].scc
        worklist = SweepList(names)
        self._warm_up(names, scc, worklist)
        for name in names:
            if not self._is_reference(name):
                worklist.add(name)
        self._widen(scc, worklist)
        for name in names:
            if self._ranges[name] is None and not self._is_reference(name):
                self._ranges[name] = FULL
                for other in self._dependents(name, scc):
                    worklist.add(other)
        self._widen(scc, worklist)
        self._narrow(names, scc, worklist)

    def _update(self, name: int, new: Range) -> bool:
        if self._ranges[name] == new:
            return False
        self._ranges[name] = new
        return True

    def _warm_up(self, names: list[int], scc: int, worklist: SweepList) -> None:
        entries = [name for name in names if self._vars[name].scc_entry and not self._is_reference(name)]
        for _ in range(WARMUP_PASSES):
            for name in entries:
                worklist.add(name)
            visited: set[int] = set()
            for name in worklist.drain():
                found = self._rules.calc(name, narrowing=False)
                if found is not None and self._update(name, extend(self._ranges[name], found)):
                    visited.add(name)
                    for other in self._dependents(name, scc):
                        if other not in visited:
                            worklist.add(other)
            if not visited:
                return  # settled: the passes to come would change nothing either

    def _widen(self, scc: int, worklist: SweepList) -> None:
        for name in worklist.drain():
            found = self._rules.calc(name, narrowing=False)
            if found is not None and self._update(name, widen(self._ranges[name], found)):
                for other in self._dependents(name, scc):
                    worklist.add(other)

    def _narrow_one(self, name: int) -> bool:
        found = self._rules.calc(name, narrowing=True)
        return found is not None and self._update(name, extend(self._ranges[name], found))

    def _narrow(self, names: list[int], scc: int, worklist: SweepList) -> None:
        for name in names:
            phi = self._vars[name].definition_phi
            if phi is not None and not phi.is_pi and not self._is_reference(name):
                self._narrow_one(name)
            worklist.add(name)
        for name in worklist.drain():
            if self._narrow_one(name):
                for other in self._dependents(name, scc):
                    worklist.add(other)
                for phi in self._sites.bounded_by(name):
                    if self._vars[phi.result].scc == scc and not self._is_reference(phi.result):
                        worklist.add(phi.result)
