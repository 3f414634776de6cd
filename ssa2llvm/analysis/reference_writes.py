"""What internal functions leave in a variable that they were given by reference.

A row says what may be in the variable after the call, from what was in it and from the other arguments. Functions
with a row do not keep the reference: when the call is over, nobody else can write the variable. A function without
one may leave anything, and keep it (PHP's manual says of each; Zend knows nothing of any).

Values that a function refuses (TypeError) stay as they are, so the old types always remain possible; the transfer
function adds them (``transfer.refs``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ssa2llvm.analysis.lattice import array_after_write
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)

Write: TypeAlias = Callable[[int, int, Sequence[int]], int]
"""(number of the argument from 1, mask before, masks of all arguments) → mask after."""

_ELEMENTS = MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF
_STRINGS = MAY_BE_STRING << ARRAY_SHIFT


def _of_array(old: int, kinds: int, added: int = 0) -> int:
    """The array in ``old`` with further ``kinds`` and elements; nothing if there is none."""
    return old & (MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | _ELEMENTS) | kinds | added if old & MAY_BE_ARRAY else 0


def _sorted_list(number: int, old: int, arguments: Sequence[int]) -> int:
    """sort(): the same elements, numbered."""
    return old & _ELEMENTS | MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | MAY_BE_ARRAY_EMPTY if old & MAY_BE_ARRAY else 0


def _sorted_hash(number: int, old: int, arguments: Sequence[int]) -> int:
    """asort(): elements keep their keys, so that a list becomes a hash."""
    return _of_array(old, MAY_BE_ARRAY_NUMERIC_HASH if old & MAY_BE_ARRAY_KEY_LONG else 0)


def _fewer(number: int, old: int, arguments: Sequence[int]) -> int:
    """array_pop(), array_shift(): integer keys may be numbered again."""
    renumbered = MAY_BE_ARRAY_KEY_LONG if old & MAY_BE_ARRAY_KEY_LONG else 0
    return _of_array(old, MAY_BE_ARRAY_EMPTY | renumbered)


def _more(number: int, old: int, arguments: Sequence[int]) -> int:
    """array_push(), array_unshift()."""
    added = 0
    for value in arguments[1:]:
        added |= array_after_write(old, 0, value, OpKind.UNUSED)
    return _of_array(old, MAY_BE_ARRAY_KEY_LONG, added)


def _spliced(number: int, old: int, arguments: Sequence[int]) -> int:
    """array_splice(): what is put in is cast to an array."""
    added = MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_KEY_LONG
    if len(arguments) > 3:
        added |= arguments[3] & _ELEMENTS | (arguments[3] & MAY_BE_ANY & ~MAY_BE_ARRAY) << ARRAY_SHIFT
    return _of_array(old, 0, added)


def _same(number: int, old: int, arguments: Sequence[int]) -> int:
    """next(), reset(): only the internal pointer moves."""
    return 0


def _matches(number: int, old: int, arguments: Sequence[int]) -> int:
    """preg_match(): strings; with flags also nulls, and pairs of string and offset."""
    elements = _STRINGS if len(arguments) == 3 else (MAY_BE_STRING | MAY_BE_NULL | MAY_BE_ARRAY) << ARRAY_SHIFT
    return MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | elements


def _all_matches(number: int, old: int, arguments: Sequence[int]) -> int:
    """preg_match_all(): a list for each group, or for each match."""
    return MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY << ARRAY_SHIFT


def _count(number: int, old: int, arguments: Sequence[int]) -> int:
    """str_replace(): the number of replacements."""
    return MAY_BE_LONG


def _percent(number: int, old: int, arguments: Sequence[int]) -> int:
    """similar_text()."""
    return MAY_BE_DOUBLE


def _name(number: int, old: int, arguments: Sequence[int]) -> int:
    """is_callable()."""
    return MAY_BE_STRING


def _lines(number: int, old: int, arguments: Sequence[int]) -> int:
    """exec(): the first such argument gets lines appended, the second the status."""
    if number == 3:
        return MAY_BE_LONG
    kept = old & (MAY_BE_ARRAY_KEY_ANY | _ELEMENTS)
    return MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY | MAY_BE_ARRAY_KEY_LONG | kept | _STRINGS


def _parsed(number: int, old: int, arguments: Sequence[int]) -> int:
    """parse_str(): strings, and arrays of them."""
    return MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | (MAY_BE_STRING | MAY_BE_ARRAY) << ARRAY_SHIFT


WRITES: dict[str, Write] = {
    **dict.fromkeys(("sort", "rsort", "usort", "shuffle"), _sorted_list),
    **dict.fromkeys(("asort", "arsort", "ksort", "krsort", "uasort", "uksort", "natsort", "natcasesort"), _sorted_hash),
    **dict.fromkeys(("array_pop", "array_shift"), _fewer),
    **dict.fromkeys(("array_push", "array_unshift"), _more),
    "array_splice": _spliced,
    "array_multisort": lambda number, old, arguments: _of_array(old, MAY_BE_ARRAY_KEY_LONG),
    **dict.fromkeys(("next", "prev", "reset", "end"), _same),
    "preg_match": _matches,
    "preg_match_all": _all_matches,
    **dict.fromkeys(("str_replace", "str_ireplace", "preg_replace", "preg_filter", "preg_replace_callback"), _count),
    "preg_replace_callback_array": _count,
    "similar_text": _percent,
    "is_callable": _name,
    "exec": _lines,
    "parse_str": _parsed,
}


def written(name: str, number: int, old: int, arguments: Sequence[int]) -> int | None:
    """What internal function ``name`` may leave in argument ``number`` (from 1) beside what was in it (``old``), for
    these masks of arguments; None if it may be anything."""
    row = WRITES.get(name)
    return row(number, old & ~MAY_BE_UNDEF, arguments) if row is not None else None
