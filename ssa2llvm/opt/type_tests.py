"""What a test answers, given only the types of its operands and the ranges of their integers.

An operand is an ``Abstract``: a set of values, told by a type mask and a range. Null, false and true are types of one
value each, so that much of PHP's comparison table (bools and null compare as bools, different types are never
identical) can be read off the masks; integers compare by their ranges. Each function returns the set of possible
answers as a mask of MAY_BE_TRUE and MAY_BE_FALSE, and is monotone: more operand values, more answers.

Objects may convert and compare as they like (extensions give classes their own ways), floats and strings depend on
their values: of these both answers are possible. Nothing here knows SSA. Constant time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ssa2llvm.analysis.lattice import literal_type
from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)

BOTH = MAY_BE_BOOL
_TYPES = tuple(1 << bit for bit in range(MAY_BE_ANY.bit_length()) if MAY_BE_ANY >> bit & 1)
_BOOL_LIKE = MAY_BE_NULL | MAY_BE_BOOL
_NO_ELEMENTS = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE | MAY_BE_RESOURCE
"""Types of which ``isset($x[…])`` is never true."""


class Abstract(NamedTuple):
    """Values of the types in ``types``, the integers among them in ``integers``."""

    types: int
    integers: Range = ANY_INT

    @property
    def opaque(self) -> bool:
        """Whether the value may be a reference, or stand for a place: then types say nothing of it."""
        return bool(self.types & (MAY_BE_REF | MAY_BE_INDIRECT))


def of_literal(value: Literal) -> Abstract:
    """The value of a literal."""
    return Abstract(literal_type(value), Range(value, value) if type(value) is int else ANY_INT)


def truth(value: Abstract) -> int:
    """``(bool) value``."""
    types = value.types
    if value.opaque or types & (MAY_BE_DOUBLE | MAY_BE_STRING | MAY_BE_OBJECT):
        return BOTH
    answers = 0
    if types & (MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_FALSE):
        answers |= MAY_BE_FALSE
    if types & (MAY_BE_TRUE | MAY_BE_RESOURCE):
        answers |= MAY_BE_TRUE
    if types & MAY_BE_LONG:
        answers |= MAY_BE_FALSE if 0 in value.integers else 0
        answers |= MAY_BE_TRUE if value.integers != (0, 0, False, False) else 0
    if types & MAY_BE_ARRAY:
        # A mask that allows arrays allows the empty one, whatever else it says of them.
        answers |= BOTH if types & (MAY_BE_ARRAY_KEY_ANY & ~MAY_BE_ARRAY_EMPTY) else MAY_BE_FALSE
    return answers


def negated(answers: int) -> int:
    """The answers of ``!test``."""
    return (MAY_BE_FALSE if answers & MAY_BE_TRUE else 0) | (MAY_BE_TRUE if answers & MAY_BE_FALSE else 0)


def is_null(value: Abstract) -> int:
    """``value === null``, of a variable that may be undefined too; said of no reference."""
    if value.opaque:
        return BOTH
    answers = MAY_BE_TRUE if value.types & (MAY_BE_NULL | MAY_BE_UNDEF) else 0
    return answers | (MAY_BE_FALSE if value.types & MAY_BE_ANY & ~MAY_BE_NULL else 0)


def _pieces(value: Abstract) -> Iterator[Abstract]:
    """The value type by type, undefined read as null."""
    types = value.types | (MAY_BE_NULL if value.types & MAY_BE_UNDEF else 0)
    for bit in _TYPES:
        if types & bit:
            yield value._replace(types=bit | (types & MAY_BE_ARRAY_KEY_ANY if bit == MAY_BE_ARRAY else 0))


def _over_pieces(compare: Callable[[Abstract, Abstract], int], left: Abstract, right: Abstract) -> int:
    if left.opaque or right.opaque:
        return BOTH
    answers = 0
    for one in _pieces(left):
        for other in _pieces(right):
            answers |= compare(one, other)
            if answers == BOTH:
                return BOTH
    return answers


def _same(left: Abstract, right: Abstract) -> int:
    if left.types & MAY_BE_ANY != right.types & MAY_BE_ANY:
        return MAY_BE_FALSE
    if left.types & _BOOL_LIKE:
        return MAY_BE_TRUE
    if left.types == MAY_BE_LONG:
        return _answers(_order_of_ranges(left.integers, right.integers), _EQUAL)
    return BOTH


_BELOW, _EQUAL, _ABOVE = 1, 2, 4
"""Bits of the possible outcomes of a comparison; what is incomparable counts as above, on either side."""
_ANY_ORDER = _BELOW | _EQUAL | _ABOVE


def _answers(order: int, wanted: int) -> int:
    return (MAY_BE_TRUE if order & wanted else 0) | (MAY_BE_FALSE if order & ~wanted else 0)


def _order_of_ranges(left: Range, right: Range) -> int:
    order = _BELOW if left.min < right.max else 0
    order |= _ABOVE if left.max > right.min else 0
    return order | (_EQUAL if left.min <= right.max and right.min <= left.max else 0)


def _order(left: Abstract, right: Abstract) -> int:
    """How two values of one type each may compare with ``<=>`` (Zend/zend_operators.c: zend_compare)."""
    both = left.types | right.types
    if both & MAY_BE_OBJECT:
        return _ANY_ORDER
    if both & MAY_BE_BOOL or (both & MAY_BE_NULL and not both & MAY_BE_STRING):
        return _order_of_bools(truth(left), truth(right))
    if both & MAY_BE_NULL:  # and a string, which null is the empty one for
        return _EQUAL | (_BELOW if left.types & MAY_BE_NULL else _ABOVE)
    if both & MAY_BE_ANY == MAY_BE_LONG:
        return _order_of_ranges(left.integers, right.integers)
    return _ANY_ORDER


def _order_of_bools(left: int, right: int) -> int:
    order = _BELOW if left & MAY_BE_FALSE and right & MAY_BE_TRUE else 0
    order |= _ABOVE if left & MAY_BE_TRUE and right & MAY_BE_FALSE else 0
    return order | (_EQUAL if left & right else 0)


def _ordered(wanted: int) -> Test:
    def test(extended_value: int, left: Abstract, right: Abstract) -> int:
        return _over_pieces(lambda one, other: _answers(_order(one, other), wanted), left, right)

    return test


def _identical(extended_value: int, left: Abstract, right: Abstract) -> int:
    return _over_pieces(_same, left, right)


def _xor(extended_value: int, left: Abstract, right: Abstract) -> int:
    return negated(_answers(_order_of_bools(truth(left), truth(right)), _EQUAL))


def _isset(extended_value: int, value: Abstract, unused: Abstract) -> int:
    return negated(truth(value) if extended_value & ISEMPTY else is_null(value))


def _isset_element(extended_value: int, container: Abstract, key: Abstract) -> int:
    if container.opaque or container.types & MAY_BE_ANY & ~(_NO_ELEMENTS | MAY_BE_ARRAY):
        return BOTH
    if container.types & MAY_BE_ARRAY and truth(Abstract(container.types & ~_NO_ELEMENTS)) != MAY_BE_FALSE:
        return BOTH
    return MAY_BE_TRUE if extended_value & ISEMPTY else MAY_BE_FALSE


def _isset_property(extended_value: int, subject: Abstract, name: Abstract) -> int:
    if subject.opaque or subject.types & MAY_BE_OBJECT:
        return BOTH
    return MAY_BE_TRUE if extended_value & ISEMPTY else MAY_BE_FALSE


def _instance_of(extended_value: int, subject: Abstract, cls: Abstract) -> int:
    return BOTH if subject.opaque or subject.types & MAY_BE_OBJECT else MAY_BE_FALSE


Test = Callable[[int, Abstract, Abstract], int]

TESTS: dict[Opcode, Test] = {
    Opcode.BOOL: lambda extended_value, value, unused: truth(value),
    Opcode.BOOL_NOT: lambda extended_value, value, unused: negated(truth(value)),
    Opcode.JMPZ_EX: lambda extended_value, value, unused: truth(value),
    Opcode.JMPNZ_EX: lambda extended_value, value, unused: truth(value),
    Opcode.BOOL_XOR: _xor,
    Opcode.IS_IDENTICAL: _identical,
    Opcode.CASE_STRICT: _identical,
    Opcode.IS_NOT_IDENTICAL: lambda extended_value, left, right: negated(_identical(extended_value, left, right)),
    Opcode.IS_EQUAL: _ordered(_EQUAL),
    Opcode.CASE: _ordered(_EQUAL),
    Opcode.IS_NOT_EQUAL: _ordered(_BELOW | _ABOVE),
    Opcode.IS_SMALLER: _ordered(_BELOW),
    Opcode.IS_SMALLER_OR_EQUAL: _ordered(_BELOW | _EQUAL),
    Opcode.ISSET_ISEMPTY_CV: _isset,
    Opcode.ISSET_ISEMPTY_DIM_OBJ: _isset_element,
    Opcode.ISSET_ISEMPTY_PROP_OBJ: _isset_property,
    Opcode.INSTANCEOF: _instance_of,
}
"""Opcode → (extended value, op1, op2) → the possible answers. TYPE_CHECK is decided by its transfer function."""
