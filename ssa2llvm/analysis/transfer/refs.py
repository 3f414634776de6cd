"""References: what makes a variable one, and instructions that pass variables on.

Zend/Optimizer/zend_inference.c, the cases of these opcodes. A variable that became a reference may hold whatever others
write through it; the solver adds that: anything in Zend (``lattice.widen_reference``), what is in the reference's cell
in the sound configuration (``FunctionView.widened``). Here only the ``ref`` bit is set, and what the instruction itself
puts there.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import ANY_REF, ANY_VALUE, null_for_undef
from ssa2llvm.analysis.transfer.core import Defs, Operands, copied_class, transfer, unknown
from ssa2llvm.ir.op_array import FnFlags
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_IMPLICIT, BIND_REF
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_REF,
    MAY_BE_UNDEF,
)


def _referenced(mask: int) -> int:
    """A variable after ``&`` was taken of it: undefined becomes null."""
    return null_for_undef(mask) | MAY_BE_REF


@transfer(Opcode.ASSIGN_REF)
def assign_ref(operands: Operands) -> Defs:
    """``$x = &$y``."""
    mask = _referenced(operands.op2)
    return Defs(result=mask, op1=mask, op2=mask)


@transfer(Opcode.ASSIGN_OBJ_REF)
def assign_obj_ref(operands: Operands) -> Defs:
    """``$o->p = &$y``."""
    mask = _referenced(operands.data)
    return Defs(
        result=mask,
        op1=operands.op1,
        data=mask,
        op1_class=copied_class(operands.op1_class, operands.op1, operands.op1),
    )


@transfer(Opcode.ASSIGN_STATIC_PROP_REF)
def assign_static_prop_ref(operands: Operands) -> Defs:
    """``C::$p = &$y``."""
    return Defs(result=MAY_BE_REF, data=MAY_BE_REF)


@transfer(Opcode.BIND_GLOBAL)
def bind_global(operands: Operands) -> Defs:
    """``global $x``."""
    return Defs(op1=MAY_BE_REF if operands.sound else ANY_REF)


@transfer(Opcode.BIND_STATIC)
def bind_static(operands: Operands) -> Defs:
    """``static $x``, and a closure's captured variable."""
    flags = operands.instr.extended_value
    mask = ANY_REF if flags & BIND_REF else ANY_VALUE
    if operands.sound and flags & BIND_REF:
        return Defs(op1=MAY_BE_REF | MAY_BE_UNDEF if flags & BIND_IMPLICIT else MAY_BE_REF)
    return Defs(op1=mask | MAY_BE_UNDEF if flags & BIND_IMPLICIT else mask)


@transfer(Opcode.BIND_LEXICAL)
def bind_lexical(operands: Operands) -> Defs:
    """``use ($x)`` of a closure."""
    mask = operands.op2 | MAY_BE_REF if operands.instr.extended_value & BIND_REF else operands.op2
    return Defs(op2=mask, op2_class=copied_class(operands.op2_class, operands.op2, mask))


@transfer(Opcode.SEND_VAR)
def send_var(operands: Operands) -> Defs:
    """By value: the variable stays what it is."""
    return Defs(op1=operands.op1, op1_class=copied_class(operands.op1_class, operands.op1, operands.op1))


@transfer(Opcode.SEND_VAR_EX, Opcode.SEND_FUNC_ARG, Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX)
def send_unknown(operands: Operands) -> Defs:
    """By value or by reference, whatever the callee asks for; the sound configuration looks at the callee."""
    if operands.sound:
        by_reference = operands.env.sends_reference(operands.instr)
        if by_reference is not None:
            return send_ref(operands) if by_reference else send_var(operands)
    if operands.instr.opcode in (Opcode.SEND_VAR_EX, Opcode.SEND_FUNC_ARG):
        return Defs(op1=operands.op1 & MAY_BE_UNDEF | ANY_REF)
    return unknown(operands)


@transfer(Opcode.SEND_REF)
def send_ref(operands: Operands) -> Defs:
    """By reference. The variable holds what it held, or what the callee leaves there."""
    if not operands.sound:
        return Defs(op1=ANY_REF)
    written = operands.env.written_by_reference(operands.instr, operands.op1)
    return Defs(op1=_referenced(operands.op1) | (ANY_REF if written is None else written))


@transfer(Opcode.MAKE_REF)
def make_ref(operands: Operands) -> Defs:
    """A reference made for a later instruction."""
    return Defs(result=ANY_REF, op1=_referenced(operands.op1) if operands.sound else ANY_REF)


@transfer(Opcode.SEND_UNPACK)
def send_unpack(operands: Operands) -> Defs:
    """``f(...$args)`` may take references to the elements."""
    mask = operands.op1
    if mask & MAY_BE_ARRAY and mask & MAY_BE_ARRAY_OF_ANY:
        mask |= MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF
    return Defs(op1=mask)


@transfer(Opcode.YIELD)
def yield_value(operands: Operands) -> Defs:
    """``yield``: gives back whatever is sent; a by-reference generator hands out the variable itself."""
    by_reference = FnFlags.RETURNS_REFERENCE in operands.env.op_array.flags
    mask = operands.op1 | MAY_BE_REF if by_reference else operands.op1
    return Defs(result=ANY_VALUE, op1=mask, op1_class=copied_class(operands.op1_class, operands.op1, mask))


@transfer(Opcode.UNSET_CV)
def unset_cv(operands: Operands) -> Defs:
    """``unset($x)``. In the main script Zend takes every variable for a global that others may reach."""
    mask = MAY_BE_UNDEF
    if operands.env.op_array.is_main and not operands.sound:
        mask |= MAY_BE_REF
    return Defs(op1=mask)
