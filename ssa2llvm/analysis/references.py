"""Which names are references: the flood that runs before ranges and types
(Zend/Optimizer/zend_inference.c:zend_mark_cv_references).

A variable that ``&`` was taken of may change behind the instructions' backs, so neither ranges nor types of its names
mean anything in Zend; in the sound configuration they are those of its cell (``reference_cells``). The mark spreads
from the instructions that make references through phis and through instructions that redefine the variable, until
``unset`` breaks the bond. O(uses).
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import ANY_REF
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Alias, Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, BIND_REF
from ssa2llvm.ir.types import MAY_BE_REF

_OP1_BECOMES_REF = frozenset(
    {
        Opcode.ASSIGN_REF,
        Opcode.MAKE_REF,
        Opcode.FE_RESET_RW,
        Opcode.BIND_GLOBAL,
        Opcode.SEND_REF,
    }
)
REFERENCE_SENDS = frozenset(
    {
        Opcode.SEND_REF,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
    }
)
"""SENDs that may pass a reference."""

_MAY_BECOME_REF = frozenset({Opcode.SEND_VAR_EX, Opcode.SEND_FUNC_ARG})
_MAY_BECOME_REF_SOUND = _MAY_BECOME_REF | {Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX}
_OP2_BECOMES_REF = frozenset({Opcode.ASSIGN_REF, Opcode.FE_FETCH_RW})
_TAKES_DATA = frozenset({Opcode.ASSIGN_OBJ_REF, Opcode.ASSIGN_STATIC_PROP_REF})


def mark_references(view: FunctionView, types: list[int]) -> None:
    """Set ``types`` of every name that may be a reference to what it may lead to. ``types`` holds the initial
    masks."""
    function = view.function
    worklist = [name for name in range(len(function.ssa_vars)) if _starts_flood(view, name, types)]
    if view.sound:
        worklist += _caught_in_references(view)
    while worklist:
        name = worklist.pop()
        types[name] |= view.widened(name, MAY_BE_REF) if view.sound else ANY_REF
        var = function.ssa_vars[name]
        worklist += [phi.result for phi in var.phi_uses if not types[phi.result] & MAY_BE_REF]
        for use in var.uses:
            for read, written in (
                (use.op1_use, use.op1_def),
                (use.op2_use, use.op2_def),
                (use.result_use, use.result_def),
            ):
                if read != name or written < 0 or types[written] & MAY_BE_REF:
                    continue
                if use.opcode == Opcode.UNSET_CV and not (function.op_array.is_main and not view.sound):
                    continue
                worklist.append(written)


def _caught_in_references(view: FunctionView) -> list[int]:
    """Names that a catch gives to variables that may be references somewhere: it assigns through these, though SSA
    form shows no reading of what the variable was before."""
    op_array = view.op_array
    caught = [instr for instr in view.function.instructions() if instr.opcode == Opcode.CATCH and instr.result.is_cv]
    if not caught:
        return []
    slots = reference_slots(view.function, view.calls) if view.calls is not None else range(len(op_array.cvs))
    return [instr.result_def for instr in caught if instr.result_def >= 0 and instr.result.num in slots]


def _starts_flood(view: FunctionView, name: int, types: list[int]) -> bool:
    function = view.function
    var = function.ssa_vars[name]
    instr, op_array = var.definition, function.op_array
    if instr is not None and var.slot < len(op_array.cvs):
        return _makes_reference(view, name, instr, op_array)
    return bool(types[name] & MAY_BE_REF) or Alias.SYMTABLE in var.alias


def _makes_reference(view: FunctionView, name: int, instr: Instr, op_array: OpArray) -> bool:
    opcode = instr.opcode
    if instr.result_def == name:
        if opcode not in (Opcode.RECV, Opcode.RECV_INIT):
            return False
        number = instr.op1.num
        return number <= len(op_array.arg_info) and op_array.arg_info[number - 1].by_ref
    if instr.op1_def == name:
        if opcode in _OP1_BECOMES_REF:
            return True
        if opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            return bool(instr.extended_value & ARRAY_ELEMENT_REF)
        if opcode == Opcode.BIND_STATIC:
            return bool(instr.extended_value & BIND_REF)
        if opcode == Opcode.YIELD:
            return FnFlags.RETURNS_REFERENCE in op_array.flags
        if opcode == Opcode.OP_DATA:
            return view.sites[instr].owner.opcode in _TAKES_DATA
        if view.sound:
            return opcode in _MAY_BECOME_REF_SOUND and view.sends_reference(instr) is not False
        return opcode in _MAY_BECOME_REF
    if opcode in _OP2_BECOMES_REF:
        return True
    return opcode == Opcode.BIND_LEXICAL and bool(instr.extended_value & BIND_REF)
