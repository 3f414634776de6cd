"""Operands of an instruction, and the flag values that PHP packs into ``extended_value``.

An operand is a kind and a number. Variables share one dense space of *slots*, as in PHP's frame: CVs (named
variables) are 0..last_var-1, temporaries follow, so that ``T5`` of a function with three CVs is slot 5 and the
third temporary.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag


class OpKind(IntEnum):
    """Zend's operand kinds, with Zend's values (IS_UNUSED, IS_CONST, IS_TMP_VAR, IS_VAR, IS_CV)."""

    UNUSED = 0
    CONST = 1
    TMP = 2
    VAR = 4
    CV = 8


@dataclass(frozen=True, slots=True)
class Operand:
    """``num`` is a literal index for CONST, a slot for TMP, VAR and CV; for UNUSED it is the raw word, whose meaning
    ``optable`` tells (a jump target is the number of an instruction in the linear form)."""

    kind: OpKind
    num: int

    @property
    def is_var(self) -> bool:
        """Whether it names a slot (TMP, VAR or CV)."""
        return self.kind >= OpKind.TMP

    @property
    def is_cv(self) -> bool:
        """Whether it names a PHP variable."""
        return self.kind == OpKind.CV

    @property
    def is_temp(self) -> bool:
        """Whether it names a temporary (TMP or VAR)."""
        return self.kind == OpKind.TMP or self.kind == OpKind.VAR

    @property
    def is_const(self) -> bool:
        """Whether it names a literal."""
        return self.kind == OpKind.CONST


UNUSED = Operand(OpKind.UNUSED, 0)


def cv(slot: int) -> Operand:
    """The named variable in ``slot``."""
    return Operand(OpKind.CV, slot)


def tmp(slot: int) -> Operand:
    """The TMP temporary in ``slot`` (counted from the first CV, as PHP prints it)."""
    return Operand(OpKind.TMP, slot)


def var(slot: int) -> Operand:
    """The VAR temporary in ``slot``."""
    return Operand(OpKind.VAR, slot)


def const(literal: int) -> Operand:
    """The literal with this index in the op array's literal table."""
    return Operand(OpKind.CONST, literal)


def word(num: int) -> Operand:
    """A raw word: number, jump target, flags."""
    return Operand(OpKind.UNUSED, num)


# extended_value bits, with Zend's values (Zend/zend_compile.h). Cache slots, which PHP stores beside them, are not
# kept.
ISEMPTY = 1  # ISSET_ISEMPTY_*: empty() rather than isset()
ARRAY_ELEMENT_REF = 1  # INIT_ARRAY, ADD_ARRAY_ELEMENT: the element is a reference
ARRAY_NOT_PACKED = 2  # INIT_ARRAY
ARRAY_SIZE_SHIFT = 2  # INIT_ARRAY: the size hint stands above the two flag bits
BIND_REF = 1  # BIND_STATIC, BIND_LEXICAL
BIND_IMPLICIT = 2
BIND_EXPLICIT = 4
FETCH_GLOBAL = 2  # FETCH_R and friends
FETCH_LOCAL = 4
FETCH_GLOBAL_LOCK = 8
FETCH_REF = 1  # FETCH_OBJ_W and friends
FETCH_DIM_WRITE = 2
FREE_ON_RETURN = 1  # FREE, FE_FREE before a return out of the loop
FREE_SWITCH = 2  # FREE of a switch subject
THROW_IS_EXPR = 1  # THROW, EXIT, MATCH_ERROR used as an expression: the block goes on
RETURNS_FUNCTION = 1  # SRC of ASSIGN_REF and friends
RETURNS_VALUE = 2
LAST_CATCH = 1  # CATCH
JMP_NULL_IN_EXPR = 0  # JMP_NULL: what the result is when the chain is cut short
JMP_NULL_IN_ISSET = 1
JMP_NULL_IN_EMPTY = 2
JMP_NULL_MASK = 3  # the bits above it say how the chain is fetched
CONSTANT_UNQUALIFIED_IN_NAMESPACE = 0x800  # FETCH_CONSTANT op1: foo may be \foo
FETCH_CLASS_DEFAULT = 0  # CLASS_FETCH words
FETCH_CLASS_SELF = 1
FETCH_CLASS_PARENT = 2
FETCH_CLASS_STATIC = 3
FETCH_CLASS_AUTO = 4
FETCH_CLASS_INTERFACE = 5
FETCH_CLASS_TRAIT = 6
FETCH_CLASS_MASK = 0x0F
FETCH_CLASS_NO_AUTOLOAD = 0x80
FETCH_CLASS_SILENT = 0x0100
FETCH_CLASS_EXCEPTION = 0x0200


class EvalKind(IntFlag):
    """extended_value of INCLUDE_OR_EVAL."""

    EVAL = 1
    INCLUDE = 2
    INCLUDE_ONCE = 4
    REQUIRE = 8
    REQUIRE_ONCE = 16
