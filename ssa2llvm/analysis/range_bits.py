"""Bounds of bitwise operations over intervals of integers.

Warren, "Hacker's Delight", section 4-3, propagates bounds of ``|``, ``&`` and ``^`` over unsigned intervals; signed
intervals are cut at zero first, so that every piece is an interval of unsigned numbers, and the results united
(table 4-1 does the same by cases). Exact for each piece. O(64) a piece, at most four pieces.

The functions with ``zend_`` follow Zend/Optimizer/zend_inference.c (zend_ssa_range_or, zend_ssa_range_and, maxAND),
which bounds some mixed-sign cases more coarsely, and the greatest ``&`` by the smaller of the two tops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

_MASK = (1 << 64) - 1
_TOP = 1 << 63


def _signed(value: int) -> int:
    return value - (1 << 64) if value & _TOP else value


def _bits_down() -> Iterator[int]:
    bit = _TOP
    while bit:
        yield bit
        bit >>= 1


def min_or(a: int, b: int, c: int, d: int) -> int:
    """Least ``x | y`` for unsigned x in [a, b], y in [c, d]."""
    for bit in _bits_down():
        if ~a & c & bit:
            raised = (a | bit) & -bit & _MASK
            if raised <= b:
                return raised | c
        elif a & ~c & bit:
            raised = (c | bit) & -bit & _MASK
            if raised <= d:
                return a | raised
    return a | c


def max_or(a: int, b: int, c: int, d: int) -> int:
    """Greatest ``x | y`` for unsigned x in [a, b], y in [c, d]."""
    for bit in _bits_down():
        if b & d & bit:
            lowered = (b - bit) | (bit - 1)
            if lowered >= a:
                return lowered | d
            lowered = (d - bit) | (bit - 1)
            if lowered >= c:
                return b | lowered
    return b | d


def min_and(a: int, b: int, c: int, d: int) -> int:
    """Least ``x & y`` for unsigned x in [a, b], y in [c, d]."""
    for bit in _bits_down():
        if ~a & ~c & bit:
            raised = (a | bit) & -bit & _MASK
            if raised <= b:
                return raised & c
            raised = (c | bit) & -bit & _MASK
            if raised <= d:
                return a & raised
    return a & c


def max_and(a: int, b: int, c: int, d: int) -> int:
    """Greatest ``x & y`` for unsigned x in [a, b], y in [c, d]."""
    for bit in _bits_down():
        if b & ~d & bit:
            lowered = (b & ~bit) | (bit - 1)
            if lowered >= a:
                return lowered & d
        elif ~b & d & bit:
            lowered = (d & ~bit) | (bit - 1)
            if lowered >= c:
                return b & lowered
    return b & d


def _complement(value: int) -> int:
    return ~value & _MASK


def min_xor(a: int, b: int, c: int, d: int) -> int:
    """Least ``x ^ y`` for unsigned x in [a, b], y in [c, d]."""
    for bit in _bits_down():
        if ~a & c & bit:
            raised = (a | bit) & -bit & _MASK
            if raised <= b:
                a = raised
        elif a & ~c & bit:
            raised = (c | bit) & -bit & _MASK
            if raised <= d:
                c = raised
    return a ^ c


def max_xor(a: int, b: int, c: int, d: int) -> int:
    """Greatest ``x ^ y`` for unsigned x in [a, b], y in [c, d]: the complement of the least ``~x ^ y``."""
    return _complement(min_xor(_complement(b), _complement(a), c, d))


_Bound = Callable[[int, int, int, int], int]


def _pieces(low: int, high: int) -> list[tuple[int, int]]:
    """[low, high] as unsigned intervals."""
    if low < 0 <= high:
        return [(low & _MASK, _MASK), (0, high)]
    return [(low & _MASK, high & _MASK)]


def _bounds(least: _Bound, greatest: _Bound, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    lows, highs = [], []
    for x_low, x_high in _pieces(a, b):
        for y_low, y_high in _pieces(c, d):
            lows.append(_signed(least(x_low, x_high, y_low, y_high)))
            highs.append(_signed(greatest(x_low, x_high, y_low, y_high)))
    return min(lows), max(highs)


def or_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Bounds of ``x | y`` for signed x in [a, b], y in [c, d]."""
    return _bounds(min_or, max_or, a, b, c, d)


def and_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Bounds of ``x & y`` for signed x in [a, b], y in [c, d]."""
    return _bounds(min_and, max_and, a, b, c, d)


def xor_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Bounds of ``x ^ y`` for signed x in [a, b], y in [c, d]."""
    return _bounds(min_xor, max_xor, a, b, c, d)


def zend_max_and(a: int, b: int, c: int, d: int) -> int:
    """Zend's upper bound of ``x & y``: at the first bit that only one top has, that top becomes all ones."""
    for bit in _bits_down():
        if b & ~d & bit:
            return d
        if ~b & d & bit:
            return b
    return b & d


def zend_or_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Zend's bounds of ``x | y`` for signed x in [a, b], y in [c, d]."""
    ua, ub, uc, ud = a & _MASK, b & _MASK, c & _MASK, d & _MASK
    x_crosses, y_crosses = a < 0 <= b, c < 0 <= d
    if x_crosses and y_crosses:
        return min(a, c), _signed(max_or(0, ub, 0, ud))
    if x_crosses:
        if d < 0:
            return c, -1
        return _signed(min_or(ua, _MASK, uc, ud)), _signed(max_or(0, ub, uc, ud))
    if y_crosses:
        if b < 0:
            return a, -1
        return _signed(min_or(ua, ub, uc, _MASK)), _signed(max_or(ua, ub, 0, ud))
    return _signed(min_or(ua, ub, uc, ud)), _signed(max_or(ua, ub, uc, ud))


def zend_and_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Zend's bounds of ``x & y`` for signed x in [a, b], y in [c, d]."""
    ua, ub, uc, ud = a & _MASK, b & _MASK, c & _MASK, d & _MASK
    x_crosses, y_crosses = a < 0 <= b, c < 0 <= d
    if x_crosses and y_crosses:
        return _signed(min_and(ua, _MASK, uc, _MASK)), max(b, d)
    if x_crosses:
        if d < 0:
            return _signed(min_and(ua, _MASK, uc, ud)), _signed(zend_max_and(0, ub, uc, ud))
        return 0, d
    if y_crosses:
        if b < 0:
            return _signed(min_and(ua, ub, uc, _MASK)), _signed(zend_max_and(ua, ub, 0, ud))
        return 0, b
    return _signed(min_and(ua, ub, uc, ud)), _signed(zend_max_and(ua, ub, uc, ud))
