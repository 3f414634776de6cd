"""What internal functions return beyond their signature: ranges of integer results, and types that follow from those
of the arguments (the elements of a slice are those of the array).

Ranges are facts of PHP's manual and of Zend's limits (a string is shorter than 2**48 bytes, an array has fewer than
2**40 elements); Zend itself uses none. A row is a fixed range, or a function of the arguments. Only the sound
configuration asks; ``range_result`` serves both (Zend/Optimizer/zend_func_info.c:zend_range_info).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ssa2llvm.analysis.lattice import ARRAY_PART, array_part, elements_of, null_for_undef
from ssa2llvm.analysis.ranges import ANY_INT, INT_MAX, INT_MIN, Range
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)

Operand: TypeAlias = tuple[int, Range | None]
"""(types, integer range) of an argument."""

_LENGTH = Range(0, 1 << 48)
_COUNT = Range(0, 1 << 40)
_NATURAL = Range(0, INT_MAX)


def _only_int(argument: Operand) -> Range | None:
    mask, known = argument
    return known if mask & (MAY_BE_ANY | MAY_BE_UNDEF) == MAY_BE_LONG else None


def _abs(arguments: Sequence[Operand]) -> Range:
    """abs(PHP_INT_MIN) is a float."""
    known = _only_int(arguments[0]) if arguments else None
    if known is None:
        return _NATURAL
    low, high = known.min, known.max
    if low >= 0:
        return Range(low, high)
    least = 0 if high >= 0 else -high
    return Range(min(least, INT_MAX), min(max(-low, high), INT_MAX))


def _extremum(arguments: Sequence[Operand], is_max: bool) -> Range:
    known = [_only_int(argument) for argument in arguments]
    ranges = [found for found in known if found is not None]
    if len(ranges) < 2 or len(ranges) != len(known):
        return ANY_INT
    pick = max if is_max else min
    return Range(pick(found.min for found in ranges), pick(found.max for found in ranges))


def _between(arguments: Sequence[Operand]) -> Range:
    """rand($low, $high): anything from the least low to the greatest high."""
    known = [_only_int(argument) for argument in arguments]
    if len(known) != 2 or known[0] is None or known[1] is None:
        return ANY_INT
    both = united(known[0], known[1])  # rand() takes its limits in either order
    return Range(both.min, both.max)


def _mt_rand(arguments: Sequence[Operand]) -> Range:
    return Range(0, (1 << 31) - 1) if not arguments else _between(arguments)


def _intdiv(arguments: Sequence[Operand]) -> Range:
    """intdiv(): like / but truncated; PHP_INT_MIN by -1 and zero throw."""
    known = [_only_int(argument) for argument in arguments]
    if len(known) != 2 or known[0] is None or known[1] is None:
        return ANY_INT
    dividend, divisor = known[0], known[1]
    divisors = [d for d in (divisor.min, divisor.max, -1, 1) if d and divisor.min <= d <= divisor.max]
    if not divisors:
        return ANY_INT
    quotients = [_truncated(n, d) for n in (dividend.min, dividend.max) for d in divisors]
    return Range(max(min(0, *quotients), INT_MIN), min(max(0, *quotients), INT_MAX))


def _truncated(dividend: int, divisor: int) -> int:
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


_RANGES: dict[str, Range | Callable[[Sequence[Operand]], Range]] = {
    "abs": _abs,
    "array_push": _COUNT,
    "array_unshift": _COUNT,
    "bindec": _NATURAL,
    "crc32": Range(0, (1 << 32) - 1),
    "hexdec": _NATURAL,
    "intdiv": _intdiv,
    "iterator_count": _NATURAL,
    "levenshtein": _LENGTH,
    "max": lambda arguments: _extremum(arguments, is_max=True),
    "memory_get_usage": _NATURAL,
    "memory_get_peak_usage": _NATURAL,
    "min": lambda arguments: _extremum(arguments, is_max=False),
    "mt_rand": _mt_rand,
    "mt_getrandmax": Range((1 << 31) - 1, (1 << 31) - 1),
    "getrandmax": Range((1 << 31) - 1, (1 << 31) - 1),
    "octdec": _NATURAL,
    "ord": Range(0, 255),
    "preg_match": Range(0, 1),
    "preg_match_all": _COUNT,
    "printf": _LENGTH,
    "rand": _mt_rand,
    "random_int": _between,
    "similar_text": _LENGTH,
    "stripos": _LENGTH,
    "strlen": _LENGTH,
    "strpos": _LENGTH,
    "strripos": _LENGTH,
    "strrpos": _LENGTH,
    "strcspn": _LENGTH,
    "strspn": _LENGTH,
    "str_word_count": _LENGTH,
    "substr_count": _LENGTH,
    "vprintf": _LENGTH,
}


def internal_range(name: str, arguments: Sequence[Operand]) -> Range:
    """The integers that internal function ``name`` can return for these arguments (empty if they are not known one by
    one)."""
    row = _RANGES.get(name, ANY_INT)
    return row if isinstance(row, Range) else row(arguments)


def range_result(arguments: Sequence[int], positional: bool) -> int:
    """The mask of ``range(...)`` for argument masks."""
    longs, doubles = MAY_BE_LONG << ARRAY_SHIFT, MAY_BE_DOUBLE << ARRAY_SHIFT
    strings = MAY_BE_STRING << ARRAY_SHIFT
    if not positional or len(arguments) not in (2, 3):
        return MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_PACKED | longs | doubles | strings
    first, last = arguments[0], arguments[1]
    step = arguments[2] if len(arguments) == 3 else 0
    elements = 0
    if first & last & MAY_BE_STRING:
        elements |= longs | doubles | strings
    if (first | last | step) & (MAY_BE_DOUBLE | MAY_BE_STRING):
        elements |= doubles
    others = MAY_BE_ANY & ~MAY_BE_DOUBLE | MAY_BE_UNDEF
    if first & others and last & others and step & MAY_BE_ANY != MAY_BE_DOUBLE:
        elements |= longs
    return MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | elements | (MAY_BE_ARRAY_PACKED if elements else 0)


_SAME_ELEMENTS = frozenset(
    {"array_slice", "array_reverse", "array_filter", "array_unique", "array_values", "array_merge", "array_diff"}
)
"""Functions that return an array of elements of their array arguments."""


_TAKES_ELEMENT = {
    **dict.fromkeys(("array_pop", "array_shift"), MAY_BE_NULL),
    **dict.fromkeys(("current", "end", "next", "prev", "reset"), MAY_BE_FALSE),
    **dict.fromkeys(("max", "min"), 0),
}
"""Functions that give an element of their array, and what they give of an empty one."""


def taken_element(name: str, array: int, nested: int) -> int | None:
    """The mask of the result of internal function ``name``, if it gives an element of its only argument; None for
    other functions. ``nested`` is what arrays in the argument may be."""
    of_empty = _TAKES_ELEMENT.get(name)
    if of_empty is None or array & MAY_BE_OBJECT:
        return None
    return of_empty | elements_of(array, nested)


def internal_nested(name: str, arguments: Sequence[int], nested: Sequence[int]) -> int:
    """What the arrays in the array that internal function ``name`` returns are (``Facts.nested``), for these masks of
    arguments and what the arrays in them are."""
    if name in _SAME_ELEMENTS:
        result = 0
        for known in nested:
            result |= known
        return result
    if name in ("array_fill", "array_fill_keys") and arguments:
        return array_part(arguments[-1])
    return ARRAY_PART


def _number_type(arguments: Sequence[Operand]) -> int | None:
    """abs(): an integer stays one, but for PHP_INT_MIN."""
    mask, known = arguments[0]
    if mask & (MAY_BE_ANY | MAY_BE_UNDEF) == MAY_BE_DOUBLE:
        return MAY_BE_DOUBLE
    is_int = mask & (MAY_BE_ANY | MAY_BE_UNDEF) == MAY_BE_LONG
    return MAY_BE_LONG if is_int and known is not None and known.min != INT_MIN else None


def internal_type(name: str, declared: int, arguments: Sequence[Operand]) -> int:
    """The mask of the result of internal function ``name``, whose signature says ``declared``, for these arguments
    (empty if they are not known one by one)."""
    if not arguments:
        return declared
    masks = [null_for_undef(mask) & ~MAY_BE_REF for mask, _ in arguments]
    if name == "abs":
        return _number_type(arguments) or declared
    if name in ("min", "max") and len(masks) > 1:
        result = 0
        for mask in masks:
            result |= mask & ~MAY_BE_INDIRECT
        return result
    if name in _SAME_ELEMENTS:
        elements = 0
        for mask in masks:
            elements |= mask & (MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF)
        return declared & ~(MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF) | elements
    if name in ("array_fill", "array_fill_keys"):
        value = masks[-1] & MAY_BE_ANY
        return declared & ~(MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF) | value << ARRAY_SHIFT
    return declared
