"""foreach (Zend/Optimizer/zend_inference.c: FE_RESET_R/RW, FE_FETCH_R/RW).

FE_RESET makes the iterator, which is undef if the subject cannot be iterated; FE_FETCH's op2 takes the value, its
result the key.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import ANY_REF, ANY_VALUE, ARRAY_PART, elements_of
from ssa2llvm.analysis.transfer.core import Defs, Operands, copied_class, transfer
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_LONG,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)


@transfer(Opcode.FE_RESET_R, Opcode.FE_RESET_RW)
def fe_reset(operands: Operands) -> Defs:
    """The iterator over op1."""
    subject = operands.op1
    by_reference = operands.instr.opcode == Opcode.FE_RESET_RW
    op1 = subject | MAY_BE_REF if by_reference else subject
    if by_reference and operands.sound:  # the elements become references, one by one
        elements = MAY_BE_ARRAY_OF_REF if subject & MAY_BE_ARRAY else 0
        op1 |= elements
        mask = MAY_BE_REF | subject & (MAY_BE_ARRAY | MAY_BE_OBJECT | ARRAY_PART) | elements
    elif by_reference:
        mask = MAY_BE_REF | subject & (MAY_BE_ARRAY | MAY_BE_OBJECT)
    else:
        mask = subject & (MAY_BE_ARRAY | MAY_BE_OBJECT | ARRAY_PART)
    if subject & (MAY_BE_ANY | MAY_BE_UNDEF) & ~(MAY_BE_ARRAY | MAY_BE_OBJECT):
        mask |= MAY_BE_UNDEF
    return Defs(
        result=mask,
        op1=op1,
        result_class=copied_class(operands.op1_class, subject, mask),
        op1_class=copied_class(operands.op1_class, subject, op1),
    )


def _fetched_value(operands: Operands) -> int:
    subject, into_cv = operands.op1, operands.instr.op2.kind == OpKind.CV
    by_reference = operands.instr.opcode == Opcode.FE_FETCH_RW
    mask = operands.op2 & MAY_BE_REF if into_cv else 0
    if by_reference and operands.sound and into_cv and not subject & MAY_BE_OBJECT:
        return mask | elements_of(subject, operands.op1_nested) | MAY_BE_REF if subject & MAY_BE_ARRAY else mask
    if by_reference:
        return mask | ANY_REF if subject & (MAY_BE_ARRAY | MAY_BE_OBJECT) else mask
    if subject & MAY_BE_OBJECT:
        mask |= ANY_VALUE if into_cv else ANY_REF
    if subject & MAY_BE_ARRAY:
        mask |= elements_of(subject, operands.op1_nested)
        if subject & MAY_BE_ARRAY_OF_REF and not into_cv:
            mask |= MAY_BE_REF
    return mask


@transfer(Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW)
def fe_fetch(operands: Operands) -> Defs:
    """The next value and key."""
    subject = operands.op1
    key = operands.result_in if operands.instr.result_use >= 0 else 0
    if subject & MAY_BE_OBJECT:
        key |= ANY_VALUE
    if subject & MAY_BE_ARRAY:
        if subject & MAY_BE_ARRAY_KEY_LONG:
            key |= MAY_BE_LONG
        if subject & MAY_BE_ARRAY_KEY_STRING:
            key |= MAY_BE_STRING
    return Defs(result=key, op2=_fetched_value(operands))
