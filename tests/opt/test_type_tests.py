"""What types say of tests, against what PHP's values answer: every operator on every pair of sample values, told
exactly and told vaguely."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
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
from ssa2llvm.opt.type_tests import BOTH, TESTS, Abstract, is_null, negated, truth
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.coerce import type_bit
from ssa2llvm.values.convert import to_bool
from ssa2llvm.values.host import Host
from ssa2llvm.values.operators import BINARY
from ssa2llvm.values.types import Value


def array(*elements: Value) -> PhpArray:
    result = PhpArray()
    for position, element in enumerate(elements):
        result.set(position, element)
    return result


VALUES: list[Value] = [
    None, False, True, -(2**63), -3, -1, 0, 1, 2, 5, 2**63 - 1, 0.0, -0.0, 1.5, 5.0, 1e300, float("inf"), float("nan"),
    b"", b"0", b"a", b"5", b"5 apples", b"1e1", array(), array(0), array(1, 2), array(None),
]  # fmt: skip
BINARY_TESTS = sorted(TESTS.keys() & BINARY.keys())


def exact(value: Value) -> Abstract:
    """All that a mask and a range can say of the value."""
    mask = type_bit(value)
    if isinstance(value, PhpArray):
        mask |= MAY_BE_ARRAY_PACKED if len(value) else MAY_BE_ARRAY_EMPTY
    return Abstract(mask, Range(value, value) if type(value) is int else ANY_INT)


def mask_of(answer: object) -> int:
    assert isinstance(answer, bool)
    return MAY_BE_TRUE if answer else MAY_BE_FALSE


@pytest.mark.parametrize("opcode", BINARY_TESTS)
def test_the_answer_of_two_values_is_possible(opcode: Opcode) -> None:
    for left, right in product(VALUES, VALUES):
        answer = mask_of(BINARY[opcode](left, right, Host()))
        assert answer & TESTS[opcode](0, exact(left), exact(right)), (left, right)


@pytest.mark.parametrize("opcode", BINARY_TESTS)
def test_more_values_have_more_answers(opcode: Opcode) -> None:
    """A mask that covers two values has the answers of both."""
    for (one, other), value in product(pairwise(VALUES), VALUES):
        cover = Abstract(exact(one).types | exact(other).types)
        both = TESTS[opcode](0, exact(one), exact(value)) | TESTS[opcode](0, exact(other), exact(value))
        assert both & ~TESTS[opcode](0, cover, exact(value)) == 0


def test_truth() -> None:
    for value in VALUES:
        assert mask_of(to_bool(value)) & truth(exact(value)), value
        assert mask_of(not to_bool(value)) & TESTS[Opcode.BOOL_NOT](0, exact(value), exact(None)), value
    assert truth(Abstract(MAY_BE_NULL | MAY_BE_FALSE | MAY_BE_UNDEF)) == MAY_BE_FALSE
    assert truth(Abstract(MAY_BE_LONG, Range(1, 9))) == MAY_BE_TRUE
    assert truth(Abstract(MAY_BE_LONG, Range(0, 0))) == MAY_BE_FALSE
    assert truth(Abstract(MAY_BE_LONG, Range(-1, 1))) == BOTH
    assert truth(Abstract(MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY)) == MAY_BE_FALSE
    assert truth(Abstract(MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED)) == BOTH  # the empty array has every kind
    assert truth(Abstract(MAY_BE_OBJECT)) == BOTH
    assert truth(Abstract(MAY_BE_TRUE | MAY_BE_REF)) == BOTH
    assert truth(Abstract(0)) == 0


def test_what_is_null() -> None:
    assert is_null(Abstract(MAY_BE_UNDEF)) == MAY_BE_TRUE
    assert is_null(Abstract(MAY_BE_STRING | MAY_BE_OBJECT)) == MAY_BE_FALSE
    assert is_null(Abstract(MAY_BE_NULL | MAY_BE_LONG)) == BOTH
    assert is_null(Abstract(MAY_BE_LONG | MAY_BE_REF)) == BOTH
    assert negated(MAY_BE_TRUE) == MAY_BE_FALSE
    assert negated(BOTH) == BOTH
    assert negated(0) == 0


INT = Abstract(MAY_BE_LONG)
NULL = Abstract(MAY_BE_NULL)
STRING = Abstract(MAY_BE_STRING)


@pytest.mark.parametrize(
    ("opcode", "left", "right", "answers"),
    [
        (Opcode.IS_IDENTICAL, INT, STRING, MAY_BE_FALSE),
        (Opcode.IS_IDENTICAL, NULL, Abstract(MAY_BE_UNDEF), MAY_BE_TRUE),
        (Opcode.IS_IDENTICAL, Abstract(MAY_BE_BOOL), Abstract(MAY_BE_TRUE), BOTH),
        (Opcode.IS_IDENTICAL, Abstract(MAY_BE_DOUBLE), Abstract(MAY_BE_DOUBLE), BOTH),  # NaN is not itself
        (Opcode.IS_NOT_IDENTICAL, INT, NULL, MAY_BE_TRUE),
        (Opcode.CASE_STRICT, Abstract(MAY_BE_OBJECT), Abstract(MAY_BE_ARRAY), MAY_BE_FALSE),
        (Opcode.IS_EQUAL, NULL, Abstract(MAY_BE_FALSE), MAY_BE_TRUE),
        (Opcode.IS_EQUAL, NULL, STRING, BOTH),
        (Opcode.IS_SMALLER, STRING, NULL, MAY_BE_FALSE),  # nothing is below the empty string
        (Opcode.IS_EQUAL, Abstract(MAY_BE_TRUE), Abstract(MAY_BE_LONG, Range(1, 5)), MAY_BE_TRUE),
        (Opcode.IS_SMALLER, Abstract(MAY_BE_LONG, Range(0, 4)), Abstract(MAY_BE_LONG, Range(5, 9)), MAY_BE_TRUE),
        (Opcode.IS_SMALLER, Abstract(MAY_BE_LONG, Range(0, 5)), Abstract(MAY_BE_LONG, Range(5, 9)), BOTH),
        (
            Opcode.IS_SMALLER_OR_EQUAL,
            Abstract(MAY_BE_LONG, Range(0, 5)),
            Abstract(MAY_BE_LONG, Range(5, 9)),
            MAY_BE_TRUE,
        ),
        (Opcode.IS_EQUAL, Abstract(MAY_BE_OBJECT), NULL, BOTH),
        (Opcode.INSTANCEOF, INT, NULL, MAY_BE_FALSE),
        (Opcode.ISSET_ISEMPTY_CV, INT, NULL, MAY_BE_TRUE),
        (Opcode.ISSET_ISEMPTY_CV, Abstract(MAY_BE_UNDEF | MAY_BE_NULL), NULL, MAY_BE_FALSE),
        (Opcode.ISSET_ISEMPTY_DIM_OBJ, INT, NULL, MAY_BE_FALSE),
        (Opcode.ISSET_ISEMPTY_DIM_OBJ, STRING, NULL, BOTH),
        (Opcode.ISSET_ISEMPTY_DIM_OBJ, Abstract(MAY_BE_NULL | MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY), INT, MAY_BE_FALSE),
        (Opcode.ISSET_ISEMPTY_PROP_OBJ, Abstract(MAY_BE_ARRAY), STRING, MAY_BE_FALSE),
        (Opcode.BOOL_XOR, Abstract(MAY_BE_TRUE), NULL, MAY_BE_TRUE),
    ],
)
def test_what_types_decide(opcode: Opcode, left: Abstract, right: Abstract, answers: int) -> None:
    assert TESTS[opcode](0, left, right) == answers


def test_emptiness_is_not_being_set() -> None:
    assert TESTS[Opcode.ISSET_ISEMPTY_CV](ISEMPTY, NULL, NULL) == MAY_BE_TRUE
    assert TESTS[Opcode.ISSET_ISEMPTY_DIM_OBJ](ISEMPTY, INT, NULL) == MAY_BE_TRUE
