"""Whether a value lies in an inferred fact: the meaning of facts, executable.

``why_not`` says what is wrong with a fact for a value that a program really had. This is the definition against which
inference is tested (``report.audit``): a mask must have the bit of the value's type; for an array also the bits of
its keys, of its kind and of every element, and the arrays among these must be as is said of nested ones; a range must
hold the value if it is an integer.

Of long arrays only the first elements and the last one are looked at.
"""

from __future__ import annotations

from itertools import islice

from ssa2llvm.analysis.lattice import ARRAY_PART
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_LONG,
    MAY_BE_REF,
)
from ssa2llvm.values import coerce
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import PhpObject, Ref

_SAMPLE = 32


_VALUES = (bool, int, float, bytes, PhpArray, PhpObject)


def type_bit(content: object) -> int:
    """The mask of a value's own type; 0 for what is no PHP value (an iterator)."""
    return coerce.type_bit(content) if content is None or isinstance(content, _VALUES) else 0


def why_not(content: object, mask: int, known: Range | None, nested: int = ARRAY_PART) -> str:
    """ "" if ``content`` (a value, or a ``Ref`` to one) lies in the fact {``mask``, ``known``, ``nested``}; else what
    is wrong."""
    if isinstance(content, Ref):
        return "is a reference" if not mask & MAY_BE_REF else why_not(content.value, mask, known, nested)
    bit = type_bit(content)
    if bit == 0:
        return ""
    if not mask & bit:
        return "has another type"
    if known is not None and bit == MAY_BE_LONG and content not in known:
        return "is out of range"
    return _why_not_array(content, mask, nested) if isinstance(content, PhpArray) else ""


def _why_not_array(array: PhpArray, mask: int, nested: int | None = None) -> str:
    size = len(array)
    if size == 0:
        return ""
    if array.is_packed:
        if not mask & MAY_BE_ARRAY_PACKED:
            return "is packed"
    elif not mask & MAY_BE_ARRAY_KEY_STRING and not mask & MAY_BE_ARRAY_NUMERIC_HASH:
        return "is a hash"
    for key, element in _sample(array, size):
        if not mask & (MAY_BE_ARRAY_KEY_LONG if isinstance(key, int) else MAY_BE_ARRAY_KEY_STRING):
            return f"has the key {key!r}"
        if isinstance(element, Ref):
            if not mask & MAY_BE_ARRAY_OF_REF:
                return "has a reference in it"
            element = element.value
        bit = type_bit(element)
        if bit and not mask >> ARRAY_SHIFT & MAY_BE_ANY & bit:
            return f"has an element of another type, {element!r}"
        if isinstance(element, PhpArray) and nested is not None:
            reason = _why_not_array(element, nested)
            if reason:
                return f"has an array at {key!r} that {reason}"
    return ""


def _sample(array: PhpArray, size: int) -> list[tuple[int | bytes, object]]:
    entries: list[tuple[int | bytes, object]] = list(islice(array.elements(), _SAMPLE))
    if size > _SAMPLE and size - 1 in array:
        entries.append((size - 1, array.element(size - 1)))
    return entries
