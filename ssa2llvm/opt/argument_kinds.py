"""What specialisation tells apart in the type of an argument: a handful of *kinds*, those that the later stages make
something of.

A type mask has 2^30 values; a function copied for each that occurs would be copied without end, and most of the copies
would be the same code. A kind is the smallest of these sets that the mask lies in:

    null   true   false   bool   long   double   long|double   string   array of one of them, or of anything   mixed

(True and false are types of their own: a function that is told what to do by a flag becomes two, without the tests.)
Kinds are masks themselves, and a lattice: the kind of a union is the least one above both. It is five high, so whoever
only ever goes up in it arrives soon.
"""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.analysis.lattice import ANY_VALUE
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_TRUE,
)

MIXED = ANY_VALUE
"""Everything: nothing is gained from knowing it."""

_SCALARS = (
    (MAY_BE_NULL, "null"),
    (MAY_BE_TRUE, "true"),
    (MAY_BE_FALSE, "false"),
    (MAY_BE_BOOL, "bool"),
    (MAY_BE_LONG, "long"),
    (MAY_BE_DOUBLE, "double"),
    (MAY_BE_NUMBER, "long|double"),
    (MAY_BE_STRING, "string"),
)
_ELEMENTS = tuple(row for row in _SCALARS if row[0] not in (MAY_BE_TRUE, MAY_BE_FALSE))
_ANY_ARRAY = MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | MAY_BE_ANY << ARRAY_SHIFT


def kind_of(mask: int) -> int:
    """The kind of arguments of type ``mask`` (not undefined)."""
    types = mask & (MAY_BE_ANY | MAY_BE_REF | MAY_BE_INDIRECT)
    if types == MAY_BE_ARRAY:
        return _array_kind(mask)
    return next((kind for kind, _ in _SCALARS if not types & ~kind), MIXED)


def _array_kind(mask: int) -> int:
    elements = mask >> ARRAY_SHIFT & MAY_BE_ANY
    if mask & MAY_BE_ARRAY_OF_REF or not elements:
        return _ANY_ARRAY
    known = next((kind for kind, _ in _ELEMENTS if not elements & ~kind), None)
    if known is None and elements == MAY_BE_ARRAY:
        known = MAY_BE_ARRAY
    return _ANY_ARRAY if known is None else MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | known << ARRAY_SHIFT


def kind_text(kind: int) -> str:
    """How a kind is written in the name of a variant."""
    if kind == MIXED:
        return "mixed"
    if kind & MAY_BE_ARRAY:
        elements = kind >> ARRAY_SHIFT & MAY_BE_ANY
        if kind == _ANY_ARRAY:
            return "array"
        return "array[array]" if elements == MAY_BE_ARRAY else f"array[{dict(_SCALARS)[elements]}]"
    return dict(_SCALARS)[kind]


def variant_text(kinds: Sequence[int]) -> str:
    """The variant of a function that is made for arguments of these kinds: ``{long,mixed}``."""
    return "{" + ",".join(kind_text(kind) for kind in kinds) + "}"


def joined(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    """The kinds above both, parameter by parameter."""
    return tuple(kind_of(a | b) for a, b in zip(left, right, strict=True))
