"""Assignments, copies and casts (Zend/Optimizer/zend_inference.c:_zend_update_type_info, the cases of the same
names).

A read never yields a reference or undef: undef reads as null. Assigning to a reference leaves it one, and the result
of the assignment may then have been converted to the reference's declared type.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import ARRAY_PART, null_for_undef
from ssa2llvm.analysis.transfer.core import Defs, Operands, copied_class, may_be_typed, transfer
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import JMP_NULL_IN_EXPR, JMP_NULL_IN_ISSET, JMP_NULL_MASK
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    IS_ARRAY,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)

_SCALARS = MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE | MAY_BE_STRING


def _copied(operands: Operands, mask: int) -> Defs:
    """op1 as the result, of types ``mask``. Where counts are inferred op1 is defined anew, being shared now; it stays
    what it was otherwise."""
    return Defs(
        result=mask,
        op1=operands.op1,
        result_class=copied_class(operands.op1_class, operands.op1, mask),
        op1_class=copied_class(operands.op1_class, operands.op1, operands.op1),
    )


@transfer(Opcode.QM_ASSIGN, Opcode.COPY_TMP)
def copy(operands: Operands) -> Defs:
    """A plain copy."""
    return _copied(operands, null_for_undef(operands.op1) & ~MAY_BE_REF)


@transfer(Opcode.COPY)
def slot_copy(operands: Operands) -> Defs:
    """Our own copy, which moves a variable's state whole, undef included."""
    return Defs(result=operands.op1, result_class=operands.op1_class)


@transfer(Opcode.COALESCE)
def coalesce(operands: Operands) -> Defs:
    """``??``: the result on the taken edge is not null."""
    return _copied(operands, null_for_undef(operands.op1) & ~(MAY_BE_REF | MAY_BE_NULL))


@transfer(Opcode.JMP_SET)
def jmp_set(operands: Operands) -> Defs:
    """``?:``: the result on the taken edge is truthy, so neither null nor false."""
    return _copied(operands, null_for_undef(operands.op1) & ~(MAY_BE_REF | MAY_BE_NULL | MAY_BE_FALSE))


@transfer(Opcode.JMP_NULL)
def jmp_null(operands: Operands) -> Defs:
    """``?->``: what the whole chain gives when it is cut short."""
    where = operands.instr.extended_value & JMP_NULL_MASK
    if where == JMP_NULL_IN_EXPR:
        return Defs(result=MAY_BE_NULL)
    return Defs(result=MAY_BE_FALSE if where == JMP_NULL_IN_ISSET else MAY_BE_TRUE)


@transfer(Opcode.ASSIGN)
def assign(operands: Operands) -> Defs:
    """``$x = value``."""
    mask = null_for_undef(operands.op2) & ~MAY_BE_REF | operands.op1 & MAY_BE_REF
    may_convert = mask & MAY_BE_REF and may_be_typed(operands)
    result = mask & ~MAY_BE_REF | _SCALARS if may_convert else mask & ~MAY_BE_REF
    return Defs(
        result=result,
        op1=mask,
        op2=operands.op2,
        result_class=copied_class(operands.op2_class, operands.op2, result),
        op1_class=copied_class(operands.op2_class, operands.op2, mask),
    )


@transfer(Opcode.CAST)
def cast(operands: Operands) -> Defs:
    """``(type) $x``; the type's number is the extended value."""
    number, source = operands.instr.extended_value, operands.op1
    mask = 1 << number
    if number == IS_ARRAY:
        if source & (MAY_BE_UNDEF | MAY_BE_NULL):
            mask |= MAY_BE_ARRAY_EMPTY
        if source & MAY_BE_ARRAY:
            mask |= source & ARRAY_PART
        values = source & (MAY_BE_ANY & ~MAY_BE_NULL)
        if source & MAY_BE_OBJECT:
            mask |= ARRAY_PART
        elif values:
            mask |= values << ARRAY_SHIFT
            mask |= MAY_BE_ARRAY_KEY_LONG if source & MAY_BE_NULL else MAY_BE_ARRAY_PACKED
    return Defs(result=mask, op1=source, op1_class=copied_class(operands.op1_class, operands.op1, operands.op1))
