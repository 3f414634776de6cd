"""Names whose value nobody wants (Zend/Optimizer/zend_inference.c:zend_ssa_find_false_dependencies).

ASSIGN, UNSET_CV, BIND_GLOBAL and BIND_STATIC read what they overwrite only to free it, FE_FETCH likewise its op2. A
name with no other use, directly or through phis and pis, is NOVAL: a false dependency. Ranges of pis do not count as
uses. Zend asks this for functions only, as a main script's variables are anybody's; under Config.SOUND that holds for
those marked as aliased (``ssa.aliases``). O(uses + phi sources).
"""

from __future__ import annotations

from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Alias, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.access import ACCUMULATES, FETCHES

_OVERWRITES_OP1 = frozenset({Opcode.ASSIGN, Opcode.UNSET_CV, Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})


def mark_no_val(function: Function) -> None:
    """Set ``no_val`` of every name."""
    ssa_vars = function.ssa_vars
    is_zend_main = function.op_array.is_main and function.config is Config.ZEND
    wanted = []
    for name, ssa_var in enumerate(ssa_vars):
        anybodys = is_zend_main or Alias.SYMTABLE in ssa_var.alias
        ssa_var.no_val = not anybodys and all(is_overwritten(instr, name) for instr in ssa_var.uses)
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
