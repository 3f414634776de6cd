"""Definitions and uses of every SSA name, in the order of Zend's chains
(Zend/Optimizer/zend_ssa.c:zend_ssa_compute_use_def_chains).

Uses by instructions ascend; an instruction that reads a name twice is listed once. Uses by phis and pis descend (last
block first, each block's list backwards), each phi once however often the name is among its sources. ``sym_uses``
are the pis whose range names the variable, also descending; a pi is listed under its lower bound if that names a
variable, else under its upper one. Numbers of strongly connected components depend on these orders.

Aliases: a variable that something may change without naming it is marked (see ``ssa.aliases``); so is
``$http_response_header``, which PHP's HTTP wrapper writes into the calling function. O(instructions + phi sources).
"""

from __future__ import annotations

from ssa2llvm.ir.function import Alias, Function, Instr, Phi, RangeConstraint
from ssa2llvm.ir.opcode import Opcode


def link_chains(function: Function) -> None:
    """Compute ``definition``, ``definition_phi``, ``uses``, ``phi_uses`` and ``sym_uses`` of all names from the names
    in instructions and phis."""
    ssa_vars = function.ssa_vars
    for ssa_var in ssa_vars:
        ssa_var.definition = None
        ssa_var.definition_phi = None
        ssa_var.uses = []
        ssa_var.phi_uses = []
        ssa_var.sym_uses = []
    for block in function.blocks:
        for instr in block.instrs:
            for name in instr.uses():
                ssa_vars[name].uses.append(instr)
            for name in instr.defs():
                ssa_vars[name].definition = instr
    for block in reversed(function.blocks):
        for phi in reversed(block.phis):
            ssa_vars[phi.result].definition_phi = phi
            for name in dict.fromkeys(phi.sources):
                ssa_vars[name].phi_uses.append(phi)
            bound = bounding_name(phi)
            if bound >= 0:
                ssa_vars[bound].sym_uses.append(phi)


def bounding_name(phi: Phi) -> int:
    """The name that a pi's range is relative to (both of its bounds have the same one, if both have one), or -1."""
    if not isinstance(phi.constraint, RangeConstraint):
        return -1
    return phi.constraint.min_var if phi.constraint.min_var >= 0 else phi.constraint.max_var


def mark_aliases(function: Function, aliased: frozenset[str] | None) -> None:
    """Mark the names of variables that may change behind the instructions' backs: those in ``aliased``, or all if it
    is None."""
    cvs = function.op_array.cvs
    alias_of = []
    for name in cvs:
        if aliased is None or name in aliased:
            alias_of.append(Alias.SYMTABLE)
        elif name == "http_response_header":
            alias_of.append(Alias.HTTP_RESPONSE_HEADER)
        else:
            alias_of.append(Alias.NONE)
    for ssa_var in function.ssa_vars:
        if ssa_var.slot < len(cvs):
            ssa_var.alias = alias_of[ssa_var.slot]


def data_partners(function: Function) -> dict[Instr, Instr]:
    """Map each instruction with an OP_DATA to it, and back."""
    partners: dict[Instr, Instr] = {}
    for block in function.blocks:
        for owner, data in zip(block.instrs, block.instrs[1:]):
            if data.opcode == Opcode.OP_DATA:
                partners[owner] = data
                partners[data] = owner
    return partners
