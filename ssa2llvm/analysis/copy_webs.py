"""Phis and pis that only pass a variable round a loop that does not change it.

    i1 = phi(i0, i2) ; i2 = pi(i1)        for a loop inside which $i is only tested

Whatever i1 and i2 hold came in through i0. Iteration cannot see that: once widening has lost a bound of i1, i1 and i2
keep each other wide. So a phi in a strongly connected component of phis and pis is taken for the union of all that
enters the *component*, which is exact up to what the pis inside rule out. O(phi sources).
"""

from __future__ import annotations

from ssa2llvm.cfg.scc import strongly_connected_components
from ssa2llvm.ir.function import Function


class CopyWebs:
    """The components of one function that have a cycle."""

    def __init__(self, function: Function) -> None:
        succs = [[phi.result for phi in var.phi_uses] for var in function.ssa_vars]
        skip = [var.definition_phi is None for var in function.ssa_vars]
        components = strongly_connected_components(succs, skip)
        self._web_of = components.of
        self._entering: dict[int, list[int]] = {}
        self._phis: dict[int, list[int]] = {}
        for web, members in enumerate(components.members()):
            if len(members) > 1:
                self._add(function, web, members)

    def _add(self, function: Function, web: int, members: list[int]) -> None:
        entering: list[int] = []
        for name in members:
            phi = function.ssa_vars[name].definition_phi
            assert phi is not None
            entering += [source for source in phi.sources if self._web_of[source] != web]
        self._entering[web] = list(dict.fromkeys(entering))
        phis = [name for name in members if not _is_pi(function, name)]
        for source in self._entering[web]:
            self._phis.setdefault(source, []).extend(phis)

    def entering(self, phi: int) -> list[int] | None:
        """The names whose values enter the web that ``phi`` is part of; None if it is in no cycle of copies."""
        web = self._web_of[phi]
        return self._entering.get(web) if web >= 0 else None

    def fed_by(self, name: int) -> list[int]:
        """The phis whose web ``name`` enters."""
        return self._phis.get(name, [])


def _is_pi(function: Function, name: int) -> bool:
    phi = function.ssa_vars[name].definition_phi
    return phi is not None and phi.is_pi
