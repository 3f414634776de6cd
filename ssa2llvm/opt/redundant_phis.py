"""Redundant phis: a strongly connected group of phis that takes only one value from outside stands for that value.

A single phi whose sources are all equal or itself is the smallest case; groups that feed each other need the
components of the phi graph, recursively inside each group after its entry phis are taken out (Braun, Buchwald, Hack,
Leißa, Mallon, Zwinkau, "Simple and Efficient Construction of Static Single Assignment Form", CC 2013, algorithm 5).

Components are handled in topological order of the values they depend on, so that a replacement is visible to the
groups below. Pis are values of their own: they carry facts. Near-linear in practice; quadratic in the nesting depth
of groups.
"""

from __future__ import annotations

from ssa2llvm.cfg.scc import strongly_connected_components
from ssa2llvm.ir.function import Function, Phi
from ssa2llvm.ssa.edit import remove_phi, replace_uses


def remove_redundant_phis(function: Function) -> int:
    """Replace every redundant phi of ``function`` by the value it stands for; return how many were removed."""
    phis = [phi for block in function.blocks for phi in block.phis if not phi.is_pi]
    removed = 0
    pending = [phis]
    while pending:
        group = pending.pop()
        # What a group refers to was simplified before it: groups come in topological order.
        for component in reversed(_components(group)):
            outside = _outside_sources(component)
            if len(outside) == 1:
                removed += _replace(function, component, next(iter(outside)))
            elif len(component) > 1:
                members = {phi.result for phi in component}
                inner = [phi for phi in component if all(source in members for source in phi.sources)]
                if inner:
                    pending.append(inner)
    return removed


def _components(phis: list[Phi]) -> list[list[Phi]]:
    """Strongly connected components, users before what they use."""
    index = {phi.result: position for position, phi in enumerate(phis)}
    edges = [[index[source] for source in phi.sources if source in index] for phi in phis]
    components = strongly_connected_components(edges)
    groups: list[list[Phi]] = [[] for _ in range(components.count)]
    for position, phi in enumerate(phis):
        groups[components.of[position]].append(phi)
    return groups


def _outside_sources(component: list[Phi]) -> dict[int, None]:
    members = {phi.result for phi in component}
    return {source: None for phi in component for source in phi.sources if source not in members}


def _replace(function: Function, component: list[Phi], value: int) -> int:
    if any(phi.slot != function.ssa_vars[value].slot for phi in component):
        return 0  # code was moved between variables; an instruction that works in place may need this one
    for phi in component:
        replace_uses(function, phi.result, value)
    for phi in component:
        remove_phi(function, phi)
    return len(component)
