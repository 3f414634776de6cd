"""What each arithmetic operator does to ranges.

An operation takes the ranges of both operands *as integers* and gives the range of the integer results, or None when
nothing can be said. Two tables: ``ZEND_OPS`` is Zend/Optimizer/zend_inference.c:zend_inference_calc_binary_op_range
as it is; ``SOUND_OPS`` is right and tighter. They differ in

* ``<<``: Zend takes the shift of the bounds for the bounds of the shift whenever neither bound loses its sign, but
  [0, 5] << 62 holds 2 << 62 = PHP_INT_MIN (docs/zend-bugs.md);
* ``*``: one product out of range makes Zend give up both ends;
* ``/``: a divisor range around zero; only quotients without remainder are integers;
* ``%``, ``<<``, ``>>``, ``&``, ``|``, ``~``: Zend gives up when an operand may have overflowed, because the float
  that it then is converts to any integer. Here the caller has already widened operands that may be floats;
* ``^``, which Zend does not bound, and exact bounds for ``&`` and ``|`` of ranges around zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ssa2llvm.analysis.range_bits import and_bounds, or_bounds, xor_bounds, zend_and_bounds, zend_or_bounds
from ssa2llvm.analysis.ranges import ANY_INT, FULL, INT_MAX, INT_MIN, Range, clip
from ssa2llvm.ir.opcode import Opcode

RangeOp: TypeAlias = Callable[[Range, Range], Range | None]
_WORD = 64


def add(left: Range, right: Range) -> Range:
    """``left + right``; a flagged end stays flagged."""
    low, high = left.min + right.min, left.max + right.max
    underflow = left.underflow or right.underflow or not INT_MIN <= low <= INT_MAX
    overflow = left.overflow or right.overflow or not INT_MIN <= high <= INT_MAX
    return Range(INT_MIN if underflow else low, INT_MAX if overflow else high, underflow, overflow)


def sub(left: Range, right: Range) -> Range:
    """``left - right``; a flagged end stays flagged."""
    low, high = left.min - right.max, left.max - right.min
    underflow = left.underflow or right.overflow or not INT_MIN <= low <= INT_MAX
    overflow = left.overflow or right.underflow or not INT_MIN <= high <= INT_MAX
    return Range(INT_MIN if underflow else low, INT_MAX if overflow else high, underflow, overflow)


def _sound_add(left: Range, right: Range) -> Range:
    return clip(left.min + right.min, left.max + right.max)


def _sound_sub(left: Range, right: Range) -> Range:
    return clip(left.min - right.max, left.max - right.min)


def _corners(left: Range, right: Range) -> list[tuple[int, int]]:
    return [(a, b) for a in (left.min, left.max) for b in (right.min, right.max)]


def _zend_mul(left: Range, right: Range) -> Range:
    products = [a * b for a, b in _corners(left, right)]
    if left.flagged or right.flagged or min(products) < INT_MIN or max(products) > INT_MAX:
        return FULL
    return Range(min(products), max(products))


def _sound_mul(left: Range, right: Range) -> Range:
    products = [a * b for a, b in _corners(left, right)]
    return clip(min(products), max(products))


def _truncated(dividend: int, divisor: int) -> int:
    """Division rounding towards zero, as in C."""
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def _zend_div(left: Range, right: Range) -> Range:
    crosses_zero = right.min <= 0 <= right.max
    if left.flagged or right.flagged or crosses_zero or (left.min == INT_MIN and right.max == -1):
        return FULL
    quotients = []
    for dividend, divisor in _corners(left, right):
        quotient = _truncated(dividend, divisor)
        quotients.append(quotient)
        if dividend % divisor:
            quotients.append(quotient - 1 if quotient < 0 else quotient + 1)
    return Range(min(quotients), max(quotients))


def _sound_div(left: Range, right: Range) -> Range | None:
    divisors = [d for d in (right.min, right.max) if d]
    divisors += [d for d in (-1, 1) if right.min <= d <= right.max]
    if not divisors:
        return None
    quotients = [_truncated(dividend, divisor) for dividend in (left.min, left.max) for divisor in divisors]
    low, high = min(quotients), max(quotients)
    if left.min <= 0 <= left.max:
        low, high = min(low, 0), max(high, 0)
    return clip(low, high)


def _magnitudes(value: Range) -> tuple[int, int]:
    """Least and greatest absolute value."""
    if value.min >= 0:
        return value.min, value.max
    if value.max <= 0:
        return -value.max, -value.min
    return 0, max(value.max, -value.min)


def _sound_mod(left: Range, right: Range) -> Range | None:
    least, greatest = _magnitudes(right)
    if greatest == 0:
        return None  # always a division by zero
    least = max(least, 1)
    if left.min >= 0:
        return Range(left.min if left.max < least else 0, min(left.max, greatest - 1))
    if left.max <= 0:
        return Range(max(left.min, 1 - greatest), left.max if left.min > -least else 0)
    return Range(max(left.min, 1 - greatest), min(left.max, greatest - 1))


def _zend_mod(left: Range, right: Range) -> Range | None:
    if left.flagged or right.flagged:
        return ANY_INT
    return None if right.min == INT_MIN else _sound_mod(left, right)


def _shifted_left(value: int, count: int) -> int:
    """The 64-bit result of ``value << count``; PHP gives 0 for counts of 64 and more."""
    bits = (value << count) & ((1 << _WORD) - 1) if count < _WORD else 0
    return bits - (1 << _WORD) if bits >> (_WORD - 1) else bits


def _zend_shift_overflows(value: int, count: int) -> bool:
    if value >= 0:
        return count >= _WORD - 1 or _shifted_left(value, count) < value
    return count >= _WORD or _shifted_left(value, count) > value


def _counts(right: Range, limit: int) -> tuple[int, int]:
    """Shift counts that do not throw, at most ``limit``."""
    return min(max(right.min, 0), limit), min(max(right.max, 0), limit)


def _zend_sl(left: Range, right: Range) -> Range:
    if left.flagged or right.flagged:
        return ANY_INT
    least, greatest = _counts(right, INT_MAX)
    if _zend_shift_overflows(left.min, greatest) or _zend_shift_overflows(left.max, greatest):
        return ANY_INT
    shifted = [_shifted_left(value, count) for value in (left.min, left.max) for count in (least, greatest)]
    return Range(min(shifted), max(shifted))


def _sound_sl(left: Range, right: Range) -> Range:
    least, greatest = _counts(right, _WORD)
    shifted = [value << count for value in (left.min, left.max) for count in (least, greatest)]
    if min(shifted) < INT_MIN or max(shifted) > INT_MAX:
        return ANY_INT  # bits are lost, the result can be anything
    return Range(min(shifted), max(shifted))


def _sound_sr(left: Range, right: Range) -> Range:
    least, greatest = _counts(right, _WORD - 1)
    shifted = [value >> count for value in (left.min, left.max) for count in (least, greatest)]
    return Range(min(shifted), max(shifted))


def _zend_sr(left: Range, right: Range) -> Range:
    return ANY_INT if left.flagged or right.flagged else _sound_sr(left, right)


def _zend_or(left: Range, right: Range) -> Range:
    if left.flagged or right.flagged:
        return ANY_INT
    return Range(*zend_or_bounds(left.min, left.max, right.min, right.max))


def _zend_and(left: Range, right: Range) -> Range:
    if left.flagged or right.flagged:
        return ANY_INT
    return Range(*zend_and_bounds(left.min, left.max, right.min, right.max))


def _sound_or(left: Range, right: Range) -> Range:
    return Range(*or_bounds(left.min, left.max, right.min, right.max))


def _sound_and(left: Range, right: Range) -> Range:
    return Range(*and_bounds(left.min, left.max, right.min, right.max))


def _sound_xor(left: Range, right: Range) -> Range:
    return Range(*xor_bounds(left.min, left.max, right.min, right.max))


def bitwise_not(value: Range) -> Range:
    """``~value`` of an operand that overflowed nowhere."""
    return Range(~value.max, ~value.min)


def increment(value: Range) -> Range:
    """``value + 1`` of ``++`` (zend_inference.c:zend_inference_propagate_range)."""
    low = value.min + 1 if value.min < INT_MAX and not value.underflow else value.min
    if value.max < INT_MAX:
        return Range(low, value.max + 1, value.underflow, value.overflow)
    return Range(low, value.max, value.underflow, True)


def decrement(value: Range) -> Range:
    """``value - 1`` of ``--``."""
    high = value.max - 1 if value.max > INT_MIN and not value.overflow else value.max
    if value.min > INT_MIN:
        return Range(value.min - 1, high, value.underflow, value.overflow)
    return Range(value.min, high, True, value.overflow)


ZEND_OPS: dict[Opcode, RangeOp] = {
    Opcode.ADD: add,
    Opcode.SUB: sub,
    Opcode.MUL: _zend_mul,
    Opcode.DIV: _zend_div,
    Opcode.MOD: _zend_mod,
    Opcode.SL: _zend_sl,
    Opcode.SR: _zend_sr,
    Opcode.BW_OR: _zend_or,
    Opcode.BW_AND: _zend_and,
}
"""As Zend computes them. ``^`` has no row: nothing is said."""

SOUND_OPS: dict[Opcode, RangeOp] = {
    Opcode.ADD: _sound_add,
    Opcode.SUB: _sound_sub,
    Opcode.MUL: _sound_mul,
    Opcode.DIV: _sound_div,
    Opcode.MOD: _sound_mod,
    Opcode.SL: _sound_sl,
    Opcode.SR: _sound_sr,
    Opcode.BW_OR: _sound_or,
    Opcode.BW_AND: _sound_and,
    Opcode.BW_XOR: _sound_xor,
}
"""Right and tighter. Operands carry no flags that matter: the caller has widened what may be a float."""
