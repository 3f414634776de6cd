"""Each operator on ranges against brute force over the integers in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ssa2llvm.analysis.range_ops import SOUND_OPS, ZEND_OPS, bitwise_not, decrement, increment
from ssa2llvm.analysis.ranges import ANY_INT, FULL, INT_MAX, INT_MIN, Range
from ssa2llvm.ir.opcode import Opcode


def _wrap(value: int) -> int:
    value %= 1 << 64
    return value - (1 << 64) if value >> 63 else value


def _divide(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _fitting(value: int) -> int | None:
    return value if INT_MIN <= value <= INT_MAX else None


_REAL: dict[Opcode, Callable[[int, int], int | None]] = {
    Opcode.ADD: lambda a, b: _fitting(a + b),
    Opcode.SUB: lambda a, b: _fitting(a - b),
    Opcode.MUL: lambda a, b: _fitting(a * b),
    Opcode.DIV: lambda a, b: _fitting(a // b) if b and a % b == 0 else None,
    Opcode.MOD: lambda a, b: a - b * _divide(a, b) if b else None,
    Opcode.SL: lambda a, b: None if b < 0 else _wrap(a << b) if b < 64 else 0,
    Opcode.SR: lambda a, b: None if b < 0 else a >> min(b, 63),
    Opcode.BW_OR: lambda a, b: a | b,
    Opcode.BW_AND: lambda a, b: a & b,
    Opcode.BW_XOR: lambda a, b: a ^ b,
}
"""PHP's integer results; None where the result is a float or there is none."""

_EDGES = sorted(
    {0, 1, -1, 2, 3, 5, 62, 63, 64, 65, -64, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1, 1 << 62, -(1 << 62)}
)


def _small_ranges() -> st.SearchStrategy[Range]:
    ends = st.tuples(st.integers(-20, 20), st.integers(0, 9))
    return ends.map(lambda pair: Range(pair[0], pair[0] + pair[1]))


def _edge_ranges() -> st.SearchStrategy[Range]:
    ends = st.tuples(st.sampled_from(_EDGES), st.sampled_from(_EDGES))
    return ends.map(lambda pair: Range(min(pair), max(pair)))


def _members(value: Range) -> Iterator[int]:
    if value.max - value.min < 40:
        yield from range(value.min, value.max + 1)
        return
    yield from {value.min, value.min + 1, value.max - 1, value.max}
    yield from (edge for edge in _EDGES if value.min < edge < value.max)


def _results(opcode: Opcode, left: Range, right: Range) -> list[int]:
    found = (_REAL[opcode](a, b) for a in _members(left) for b in _members(right))
    return [result for result in found if result is not None]


@pytest.mark.parametrize("opcode", SOUND_OPS, ids=lambda opcode: opcode.name)
@settings(max_examples=60)
@given(left=st.one_of(_small_ranges(), _edge_ranges()), right=st.one_of(_small_ranges(), _edge_ranges()))
@example(left=Range(0, 5), right=Range(62, 62))
@example(left=Range(INT_MIN, INT_MIN), right=Range(-1, -1))
@example(left=Range(-1, 1), right=Range(-1, 1))
def test_sound_operator_holds_every_result(opcode: Opcode, left: Range, right: Range) -> None:
    results = _results(opcode, left, right)
    found = SOUND_OPS[opcode](left, right)
    if results:
        assert found is not None
        assert found.min <= min(results)
        assert found.max >= max(results)


@pytest.mark.parametrize(
    "opcode", [Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.SL, Opcode.SR, Opcode.BW_OR, Opcode.BW_AND, Opcode.BW_XOR]
)
@settings(max_examples=60)
@given(left=_small_ranges(), right=_small_ranges())
def test_sound_operator_is_exact_on_small_ranges(opcode: Opcode, left: Range, right: Range) -> None:
    results = _results(opcode, left, right)
    if results:
        found = SOUND_OPS[opcode](left, right)
        assert found == Range(min(results), max(results))


@pytest.mark.parametrize("opcode", [Opcode.ADD, Opcode.SUB, Opcode.MUL], ids=lambda opcode: opcode.name)
@settings(max_examples=60)
@given(left=_edge_ranges(), right=_edge_ranges())
def test_flags_say_exactly_whether_an_end_overflows(opcode: Opcode, left: Range, right: Range) -> None:
    pairs = [(a, b) for a in (left.min, left.max) for b in (right.min, right.max)]
    exact = [{Opcode.ADD: a + b, Opcode.SUB: a - b, Opcode.MUL: a * b}[opcode] for a, b in pairs]
    found = SOUND_OPS[opcode](left, right)
    assert found is not None
    assert found.underflow == (min(exact) < INT_MIN)
    assert found.overflow == (max(exact) > INT_MAX)


@pytest.mark.parametrize(
    "opcode", [opcode for opcode in ZEND_OPS if opcode != Opcode.SL], ids=lambda opcode: opcode.name
)
@settings(max_examples=60)
@given(left=st.one_of(_small_ranges(), _edge_ranges()), right=st.one_of(_small_ranges(), _edge_ranges()))
def test_zend_operator_holds_every_result(opcode: Opcode, left: Range, right: Range) -> None:
    results, found = _results(opcode, left, right), ZEND_OPS[opcode](left, right)
    if results and found is not None:
        assert found.min <= min(results)
        assert found.max >= max(results)


def test_zend_shift_is_wrong_as_documented() -> None:
    assert ZEND_OPS[Opcode.SL](Range(0, 5), Range(62, 62)) == Range(0, 1 << 62)
    assert SOUND_OPS[Opcode.SL](Range(0, 5), Range(62, 62)) == ANY_INT


@pytest.mark.parametrize(
    ("opcode", "left", "right", "expected"),
    [
        (Opcode.MUL, Range(0, 1 << 40), Range(0, 1 << 40), FULL),
        (Opcode.DIV, Range(7, 9), Range(2, 2), Range(3, 5)),
        (Opcode.DIV, Range(1, 1), Range(0, 1), FULL),
        (Opcode.MOD, Range(0, 100), Range(8, 8), Range(0, 7)),
        (Opcode.MOD, Range(0, 100), Range(0, 0), None),
        (Opcode.MOD, Range(1, 5), Range(INT_MIN, -1), None),
        (Opcode.BW_AND, Range(0, 255, False, True), Range(1, 1), ANY_INT),
        (Opcode.BW_AND, Range(INT_MIN, INT_MAX), Range(1023, 1023), Range(0, 1023)),
    ],
)
def test_zend_results_as_read_from_its_source(
    opcode: Opcode, left: Range, right: Range, expected: Range | None
) -> None:
    assert ZEND_OPS[opcode](left, right) == expected


def test_steps() -> None:
    assert increment(Range(0, 9)) == Range(1, 10)
    assert increment(Range(0, INT_MAX)) == Range(1, INT_MAX, False, True)
    assert decrement(Range(INT_MIN, 3)) == Range(INT_MIN, 2, True, False)
    assert decrement(Range(0, INT_MAX, False, True)) == Range(-1, INT_MAX, False, True)
    assert bitwise_not(Range(-1, 6)) == Range(-7, 0)
