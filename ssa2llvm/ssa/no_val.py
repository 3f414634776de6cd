"""Names whose value nobody wants (Zend/Optimizer/zend_inference.c:zend_ssa_find_false_dependencies).

ASSIGN, UNSET_CV, BIND_GLOBAL and BIND_STATIC read what they overwrite only to free it, FE_FETCH likewise its op2. A
name with no other use, directly or through phis and pis, is NOVAL: a false dependency. Ranges of pis do not count as
uses. Zend asks this for functions only; in a main script every variable outlives the code. O(uses + phi sources).
"""

from __future__ import annotations

from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.access import ACCUMULATES, FETCHES

_OVERWRITES_OP1 = frozenset({Opcode.ASSIGN, Opcode.UNSET_CV, Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})


def mark_no_val(function: Function) -> None:
    """Set ``no_val`` of every name."""
    ssa_vars = function.ssa_vars
    if function.op_array.is_main:
        for ssa_var in ssa_vars:
            ssa_var.no_val = False
        return
    wanted = []
    for name, ssa_var in enumerate(ssa_vars):
        ssa_var.no_val = all(is_overwritten(instr, name) for instr in ssa_var.uses)
        if not ssa_var.no_val:
            wanted.append(name)
    while wanted:
        phi = ssa_vars[wanted.pop()].definition_phi
        if phi is not None:
            for source in phi.sources:
                if ssa_vars[source].no_val:
                    ssa_vars[source].no_val = False
                    wanted.append(source)


def is_overwritten(instr: Instr, name: int) -> bool:
    """Whether ``instr`` reads ``name`` only to free it (zend_ssa.h:zend_ssa_is_no_val_use)."""
    if instr.opcode in _OVERWRITES_OP1:
        return instr.op1_use == name and instr.op2_use != name
    if instr.opcode in FETCHES:
        return instr.op2_use == name and instr.op1_use != name
    return (
        instr.result_use == name
        and instr.opcode not in ACCUMULATES
        and name not in (instr.op1_use, instr.op2_use, *instr.args)
    )
