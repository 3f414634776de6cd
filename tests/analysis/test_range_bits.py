"""Bounds of bitwise operators over all intervals of small numbers, against brute force; and near the ends."""

from __future__ import annotations

import operator
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.analysis.range_bits import and_bounds, or_bounds, xor_bounds, zend_and_bounds, zend_or_bounds

_Bounds = Callable[[int, int, int, int], tuple[int, int]]
_OPERATORS: list[tuple[_Bounds, Callable[[int, int], int]]] = [
    (or_bounds, operator.or_),
    (and_bounds, operator.and_),
    (xor_bounds, operator.xor),
]
_INTERVALS = [(low, high) for low in range(-5, 6) for high in range(low, 6)]


@pytest.mark.parametrize(("bounds", "real"), _OPERATORS)
def test_exact_on_every_small_interval(bounds: _Bounds, real: Callable[[int, int], int]) -> None:
    for a, b in _INTERVALS:
        for c, d in _INTERVALS:
            results = [real(x, y) for x in range(a, b + 1) for y in range(c, d + 1)]
            assert bounds(a, b, c, d) == (min(results), max(results)), (a, b, c, d)


@pytest.mark.parametrize(("bounds", "real"), [(zend_or_bounds, operator.or_), (zend_and_bounds, operator.and_)])
def test_zend_bounds_hold_every_result(bounds: _Bounds, real: Callable[[int, int], int]) -> None:
    for a, b in _INTERVALS:
        for c, d in _INTERVALS:
            results = [real(x, y) for x in range(a, b + 1) for y in range(c, d + 1)]
            low, high = bounds(a, b, c, d)
            assert low <= min(results)
            assert high >= max(results)


_INTEGERS = st.integers(-(1 << 63), (1 << 63) - 1)


@settings(max_examples=300)
@given(st.tuples(_INTEGERS, _INTEGERS, _INTEGERS), st.tuples(_INTEGERS, _INTEGERS, _INTEGERS))
def test_hold_any_point_of_wide_intervals(left: tuple[int, int, int], right: tuple[int, int, int]) -> None:
    a, x, b = sorted(left)
    c, y, d = sorted(right)
    for bounds, real in [*_OPERATORS, (zend_or_bounds, operator.or_), (zend_and_bounds, operator.and_)]:
        low, high = bounds(a, b, c, d)
        assert low <= real(x, y) <= high


def test_zend_takes_the_smaller_top_for_and() -> None:
    assert and_bounds(8, 9, 4, 6) == (0, 1)  # 9 & 5
    assert zend_and_bounds(8, 9, 4, 6) == (0, 6)
