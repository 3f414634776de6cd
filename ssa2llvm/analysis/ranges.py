"""Ranges of integers, and how the solver of ranges moves them.

Campos, Rodrigues, de Assis Costa, Pereira, "Speed and Precision in Range Analysis" (SBLP 2012), as in
Zend/Optimizer/zend_inference.c:zend_inference_widening_meet, zend_inference_narrowing_meet.

A name's range speaks only of its *integer* values: if the value is an int, it lies in [min, max]. ``underflow`` and
``overflow`` say that the arithmetic behind it may have left the 64 bits there, so that the value may be a float
instead. ``[MIN, MAX]`` without flags is any integer and proves that nothing overflowed; with both it says nothing.
"""

from __future__ import annotations

from typing import NamedTuple

INT_MIN = -(1 << 63)
INT_MAX = (1 << 63) - 1


class Range(NamedTuple):
    """Integers from ``min`` to ``max``, both included."""

    min: int
    max: int
    underflow: bool = False
    overflow: bool = False

    @property
    def flagged(self) -> bool:
        """Whether either end may have left the 64 bits."""
        return self.underflow or self.overflow

    def __contains__(self, value: object) -> bool:
        return type(value) is int and self.min <= value <= self.max

    def __str__(self) -> str:
        """As PHP prints it, ``RANGE[0..9]``; empty if it says nothing (zend_dump.c:zend_dump_range)."""
        if self.underflow and self.overflow:
            return ""
        low = "--" if self.underflow else "MIN" if self.min == INT_MIN else str(self.min)
        high = "++" if self.overflow else "MAX" if self.max == INT_MAX else str(self.max)
        return f"RANGE[{low}..{high}]"


FULL = Range(INT_MIN, INT_MAX, True, True)
ANY_INT = Range(INT_MIN, INT_MAX)


def clip(low: int, high: int) -> Range:
    """The 64-bit part of the mathematical interval, flagged at the ends that were cut off."""
    return Range(max(low, INT_MIN), min(high, INT_MAX), low < INT_MIN, high > INT_MAX)


def open_ends(value: Range) -> Range:
    """Put the bound of a flagged end to the end of the integers."""
    if not value.underflow and not value.overflow:
        return value
    return Range(
        INT_MIN if value.underflow else value.min,
        INT_MAX if value.overflow else value.max,
        value.underflow,
        value.overflow,
    )


def union(left: Range, right: Range) -> Range:
    """The smallest range that holds both."""
    return Range(
        min(left.min, right.min),
        max(left.max, right.max),
        left.underflow or right.underflow,
        left.overflow or right.overflow,
    )


def meet(left: Range | None, right: Range | None) -> Range | None:
    """What two right ranges of one name say together."""
    if left is None or right is None:
        return left if right is None else right
    low, high = max(left.min, right.min), min(left.max, right.max)
    if low > high:
        return left  # never an integer
    return Range(low, high, left.underflow and right.underflow, left.overflow and right.overflow)


def widen(old: Range | None, new: Range) -> Range:
    """A bound that moved outwards goes straight to the end, so that a chain of widenings has at most three steps."""
    if old is None:
        return new
    underflow = new.underflow or old.underflow or new.min < old.min
    overflow = new.overflow or old.overflow or new.max > old.max
    return open_ends(Range(new.min, new.max, underflow, overflow))


def extend(old: Range | None, new: Range) -> Range:
    """Used while warming up and narrowing: finite bounds only keep or extend; a flag of the new value opens an end, a
    missing one closes it (Zend calls this narrowing)."""
    if old is None:
        return new
    low = old.min if not new.underflow and not old.underflow and old.min < new.min else new.min
    high = old.max if not new.overflow and not old.overflow and old.max > new.max else new.max
    return open_ends(Range(low, high, new.underflow, new.overflow))
