"""Opcodes whose result has one type whatever the operands: tests, and the functions that PHP compiles to opcodes.

The sound configuration knows the results of opcodes that Zend has no row for (``<=>``, ``$x::class``, closures, …).
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import ClassFact
from ssa2llvm.analysis.lattice import ANY_VALUE
from ssa2llvm.analysis.transfer.core import Defs, Operands, transfer, unknown
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_ARRAY_STRING_HASH,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)


@transfer(
    Opcode.BOOL_NOT,
    Opcode.BOOL_XOR,
    Opcode.IS_IDENTICAL,
    Opcode.IS_NOT_IDENTICAL,
    Opcode.IS_EQUAL,
    Opcode.IS_NOT_EQUAL,
    Opcode.IS_SMALLER,
    Opcode.IS_SMALLER_OR_EQUAL,
    Opcode.INSTANCEOF,
    Opcode.JMPZ_EX,
    Opcode.JMPNZ_EX,
    Opcode.CASE,
    Opcode.CASE_STRICT,
    Opcode.BOOL,
    Opcode.ISSET_ISEMPTY_CV,
    Opcode.ISSET_ISEMPTY_VAR,
    Opcode.ISSET_ISEMPTY_DIM_OBJ,
    Opcode.ISSET_ISEMPTY_PROP_OBJ,
    Opcode.ISSET_ISEMPTY_STATIC_PROP,
    Opcode.ASSERT_CHECK,
    Opcode.IN_ARRAY,
    Opcode.ARRAY_KEY_EXISTS,
    Opcode.DEFINED,
)
def boolean(operands: Operands) -> Defs:
    """A test."""
    return Defs(result=MAY_BE_BOOL)


@transfer(Opcode.TYPE_CHECK)
def type_check(operands: Operands) -> Defs:
    """``is_int($x)`` and its like: the extended value is the mask asked for. A closed resource is none."""
    mask, asked = operands.op1, operands.instr.extended_value
    if mask & MAY_BE_UNDEF:
        mask |= MAY_BE_NULL
    result = 0
    if mask & asked & MAY_BE_ANY:
        result |= MAY_BE_TRUE
        if mask & asked & MAY_BE_RESOURCE:
            result |= MAY_BE_FALSE
    if mask & MAY_BE_ANY & ~asked:
        result |= MAY_BE_FALSE
    return Defs(result=result)


@transfer(Opcode.BEGIN_SILENCE)
def begin_silence(operands: Operands) -> Defs:
    """``@``: the old error level."""
    return Defs(result=MAY_BE_LONG)


@transfer(Opcode.COUNT, Opcode.FUNC_NUM_ARGS)
def integer(operands: Operands) -> Defs:
    """A number of things."""
    return Defs(result=MAY_BE_LONG)


@transfer(Opcode.STRLEN)
def strlen(operands: Operands) -> Defs:
    """``strlen()``: of what is no string and cannot become one, it throws (null in Zend's eyes)."""
    convertible = MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE | MAY_BE_STRING
    if operands.op1 & MAY_BE_ANY & ~convertible and not operands.sound:
        return Defs(result=MAY_BE_LONG | MAY_BE_NULL)
    return Defs(result=MAY_BE_LONG)


@transfer(Opcode.FUNC_GET_ARGS)
def func_get_args(operands: Operands) -> Defs:
    """``func_get_args()``."""
    return Defs(result=MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_PACKED | MAY_BE_ARRAY_OF_ANY)


@transfer(Opcode.GET_CLASS, Opcode.GET_CALLED_CLASS)
def class_name(operands: Operands) -> Defs:
    """``get_class()``."""
    return Defs(result=MAY_BE_FALSE | MAY_BE_STRING)


@transfer(Opcode.GET_TYPE)
def get_type(operands: Operands) -> Defs:
    """``gettype()``."""
    return Defs(result=MAY_BE_STRING)


@transfer(Opcode.FETCH_CONSTANT, Opcode.FETCH_CLASS_CONSTANT)
def constant(operands: Operands) -> Defs:
    """A constant: anything but a reference."""
    return Defs(result=ANY_VALUE & ~MAY_BE_ARRAY_OF_REF)


@transfer(
    Opcode.SPACESHIP,
    Opcode.ISSET_ISEMPTY_THIS,
    Opcode.FETCH_CLASS_NAME,
    Opcode.DECLARE_LAMBDA_FUNCTION,
    Opcode.FETCH_GLOBALS,
    Opcode.CATCH,
)
def sound_only(operands: Operands) -> Defs:
    """Results that only the sound configuration knows."""
    if not operands.sound:
        return unknown(operands)
    opcode = operands.instr.opcode
    if opcode == Opcode.DECLARE_LAMBDA_FUNCTION:
        return Defs(result=MAY_BE_OBJECT, result_class=ClassFact("Closure"))
    return Defs(result=_SOUND_RESULTS[opcode])


_SOUND_RESULTS = {
    Opcode.SPACESHIP: MAY_BE_LONG,
    Opcode.ISSET_ISEMPTY_THIS: MAY_BE_BOOL,
    Opcode.FETCH_CLASS_NAME: MAY_BE_STRING,
    Opcode.CATCH: MAY_BE_OBJECT,
    Opcode.FETCH_GLOBALS: MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_STRING_HASH | (MAY_BE_ANY << ARRAY_SHIFT),
}
