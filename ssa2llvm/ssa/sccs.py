"""Strongly connected components of the names, in the order in which ranges are inferred
(Zend/Optimizer/zend_inference.c:zend_ssa_find_sccs).

An edge leads from a name to each name that depends on it: what the instructions using it define (an instruction and
its OP_DATA count as one), the phis and pis using it, the pis whose range names it. NOVAL names are left out (scc -1).
Components are numbered in topological order, definitions first; Zend's numbers result because the search follows the
chains in their order. A component's entries are the name through which the search entered it, and every name used
from another component, range constraints aside. O(names + uses).
"""

from __future__ import annotations

from ssa2llvm.cfg.scc import strongly_connected_components
from ssa2llvm.ir.function import Function
from ssa2llvm.ssa.chains import data_partners


def mark_sccs(function: Function) -> int:
    """Set ``scc`` and ``scc_entry`` of every name; return the number of components."""
    ssa_vars = function.ssa_vars
    partners = data_partners(function)
    dependents: list[list[int]] = []
    for ssa_var in ssa_vars:
        targets: list[int] = []
        for instr in ssa_var.uses:
            targets += instr.defs()
            partner = partners.get(instr)
            if partner is not None:
                targets += partner.defs()
        targets += [phi.result for phi in ssa_var.phi_uses]
        dependents.append(targets)
    with_ranges = [
        targets + [pi.result for pi in ssa_var.sym_uses] if ssa_var.sym_uses else targets
        for targets, ssa_var in zip(dependents, ssa_vars)
    ]
    components = strongly_connected_components(with_ranges, [ssa_var.no_val for ssa_var in ssa_vars])
    for ssa_var, component in zip(ssa_vars, components.of):
        ssa_var.scc = component
        ssa_var.scc_entry = False
    for root in components.roots:
        ssa_vars[root].scc_entry = True
    for name, targets in enumerate(dependents):
        if ssa_vars[name].scc >= 0:
            for target in targets:
                if ssa_vars[target].scc >= 0 and ssa_vars[target].scc != ssa_vars[name].scc:
                    ssa_vars[target].scc_entry = True
    return components.count
