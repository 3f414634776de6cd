"""Arithmetic, bitwise operators, string concatenation, ++ and --, and their assigning forms.

Zend/Optimizer/zend_inference.c:binary_op_result_type. Integers overflow to floats: an operator on integers gives an
integer only if the range of the result proves that it fits (``result_fits``; ranges come before types).

The sound configuration differs: objects in operands add nothing (only extensions overload operators, and none that we
run does); null and bool operands count as integers; ``++`` of a mixture gives a float only if the integer part may
overflow.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import ARRAY_PART, INT_LIKE, null_for_undef
from ssa2llvm.analysis.ranges import INT_MAX, INT_MIN
from ssa2llvm.analysis.transfer.core import Defs, Operands, may_be_typed, transfer
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)


def _sum_type(opcode: int, left: int, right: int, fits: bool, sound: bool) -> int:
    """``+ - *`` of masks without undef."""
    left_any, right_any = left & MAY_BE_ANY, right & MAY_BE_ANY
    integers = INT_LIKE if sound else MAY_BE_LONG
    if not (left_any | right_any) & ~integers:
        return MAY_BE_LONG if fits else MAY_BE_NUMBER
    if left_any == MAY_BE_DOUBLE or right_any == MAY_BE_DOUBLE:
        return MAY_BE_DOUBLE
    arrays = opcode == Opcode.ADD and left_any & right_any & MAY_BE_ARRAY
    joined = MAY_BE_ARRAY | ((left | right) & ARRAY_PART) if arrays else 0
    if arrays and left_any == right_any == MAY_BE_ARRAY:
        return joined
    return MAY_BE_NUMBER | joined


def binary_type(opcode: int, left: int, right: int, fits: bool, operands: Operands) -> int:
    """The result of ``left opcode right``; ``fits``: integer results are known not to overflow."""
    left, right = null_for_undef(left), null_for_undef(right)
    left_any, right_any = left & MAY_BE_ANY, right & MAY_BE_ANY
    if opcode in (Opcode.CONCAT, Opcode.FAST_CONCAT):
        return MAY_BE_STRING
    overloaded = 0
    if operands.overloading and (left_any | right_any) & MAY_BE_OBJECT:
        overloaded = MAY_BE_OBJECT | MAY_BE_FALSE
    if opcode in (Opcode.ADD, Opcode.SUB, Opcode.MUL):
        return overloaded | _sum_type(opcode, left, right, fits, operands.sound)
    if opcode in (Opcode.DIV, Opcode.POW):
        is_float = left_any == MAY_BE_DOUBLE or right_any == MAY_BE_DOUBLE
        return overloaded | (MAY_BE_DOUBLE if is_float else MAY_BE_NUMBER)
    if opcode in (Opcode.BW_OR, Opcode.BW_AND, Opcode.BW_XOR):
        mask = MAY_BE_STRING if left_any & right_any & MAY_BE_STRING else 0
        if (left_any | right_any) & ~MAY_BE_STRING:
            mask |= MAY_BE_LONG
        return overloaded | mask
    return overloaded | MAY_BE_LONG  # MOD, SL, SR


@transfer(
    Opcode.ADD,
    Opcode.SUB,
    Opcode.MUL,
    Opcode.DIV,
    Opcode.POW,
    Opcode.MOD,
    Opcode.BW_OR,
    Opcode.BW_AND,
    Opcode.BW_XOR,
    Opcode.SL,
    Opcode.SR,
    Opcode.CONCAT,
)
def binary(operands: Operands) -> Defs:
    """``op1 . op2`` and its like."""
    instr = operands.instr
    return Defs(result=binary_type(instr.opcode, operands.op1, operands.op2, operands.result_fits, operands))


@transfer(Opcode.BW_NOT)
def bitwise_not(operands: Operands) -> Defs:
    """``~``: of a string the string of complements, of a number an integer; others throw."""
    mask = MAY_BE_STRING if operands.op1 & MAY_BE_STRING else 0
    numbers = MAY_BE_NUMBER if operands.sound else MAY_BE_ANY & ~MAY_BE_STRING
    if operands.op1 & numbers:
        mask |= MAY_BE_LONG
    if operands.overloading and operands.op1 & MAY_BE_OBJECT:
        mask |= MAY_BE_OBJECT
    return Defs(result=mask)


@transfer(Opcode.FAST_CONCAT, Opcode.ROPE_INIT, Opcode.ROPE_ADD, Opcode.ROPE_END)
def concat(operands: Operands) -> Defs:
    """Pieces of interpolated strings."""
    return Defs(result=MAY_BE_STRING)


def _step_fits(operands: Operands, is_increment: bool) -> bool:
    """Whether ``++``/``--`` of op1's integers stays within 64 bits."""
    known = operands.op1_range
    if known is None:
        return False
    if is_increment:
        return not (known.overflow and not operands.sound) and known.max != INT_MAX
    return not (known.underflow and not operands.sound) and known.min != INT_MIN


def _stepped(operands: Operands, is_increment: bool, kept: int) -> int:
    """The type after ``++`` or ``--``; ``kept`` are further bits that stay as they are."""
    old = operands.op1
    fits = _step_fits(operands, is_increment)
    if old & (MAY_BE_ANY | MAY_BE_UNDEF) == MAY_BE_LONG:
        return MAY_BE_LONG if fits else MAY_BE_NUMBER
    mask = 0
    if old & (MAY_BE_UNDEF | MAY_BE_NULL):
        mask |= MAY_BE_LONG if is_increment else MAY_BE_NULL
    if old & MAY_BE_LONG:
        mask |= MAY_BE_LONG if fits and operands.sound else MAY_BE_NUMBER
    if old & MAY_BE_DOUBLE:
        mask |= MAY_BE_DOUBLE
    if old & MAY_BE_STRING:
        mask |= MAY_BE_STRING | MAY_BE_NUMBER
    return mask | old & kept


@transfer(Opcode.PRE_INC, Opcode.PRE_DEC)
def pre_step(operands: Operands) -> Defs:
    """``++$x`` and ``--$x``: bools stay, arrays and resources throw."""
    kept = MAY_BE_BOOL | (0 if operands.sound else MAY_BE_OBJECT)
    mask = _stepped(operands, operands.instr.opcode == Opcode.PRE_INC, kept)
    return Defs(result=mask, op1=mask | operands.op1 & MAY_BE_REF)


@transfer(Opcode.POST_INC, Opcode.POST_DEC)
def post_step(operands: Operands) -> Defs:
    """``$x++`` and ``$x--``: the result is the old value, undefined read as null."""
    kept = MAY_BE_BOOL
    if not operands.sound:
        kept |= MAY_BE_RESOURCE | MAY_BE_ARRAY | MAY_BE_OBJECT | ARRAY_PART
    mask = _stepped(operands, operands.instr.opcode == Opcode.POST_INC, kept)
    old = null_for_undef(operands.op1) & ~MAY_BE_REF
    return Defs(result=old, op1=mask | operands.op1 & MAY_BE_REF)


@transfer(Opcode.ASSIGN_OP)
def assign_op(operands: Operands) -> Defs:
    """``$x += ...``: a reference may be typed, and then the sum is converted to that type."""
    mask = operands.op1 & MAY_BE_REF
    mask |= binary_type(operands.instr.extended_value, operands.op1, operands.op2, operands.result_fits, operands)
    may_convert = mask & MAY_BE_REF and may_be_typed(operands)
    result = mask & ~MAY_BE_REF | MAY_BE_ANY if may_convert else mask & ~MAY_BE_REF
    return Defs(result=result, op1=mask)
