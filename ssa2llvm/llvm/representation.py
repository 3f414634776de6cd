"""How a value of known type lies in registers, and how to turn one representation into another.

Problem: a PHP value is any of ten types; inference knows for most names which. The type mask of an SSA name chooses
the cheapest registers that can hold every value it may have (DESIGN.md, section 4); it is never guessed from syntax.

    NULL    nothing at all (null, or never defined)        BOOL    i1
    LONG    i64                                            DOUBLE  double
    NUMBER  i64 bits, i1 is_double                         STRING  ptr to a counted string
    ARRAY   ptr to a counted array                         VALUE   i64 payload, i64 tag (layouts.VALUE)
    SLOT    ptr to an element about to be written (what FETCH_DIM_W gives; not a value, and not counted)

Conversion to a wider representation always works. Conversion to a narrower one spends a fact: it is right only
because the value's type mask says so (a pi behind ``is_int``, a phi's argument), and costs no check. Where the mask
says that no value can arrive (dead code) the result is a zero of the right shape. Conversion never changes the PHP
type of a value: (int) and friends are in ``lower_cast``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
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
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.seam import F64, FALSE, I1, I64, PTR, TRUE, FunctionText, Val, integer, zero

__all__ = ["Datum", "Rep", "convert", "representation"]

_TYPES = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF | MAY_BE_INDIRECT
"""The bits of a mask that say what a value is; those above speak of an array's elements."""


class Rep(Enum):
    """A representation."""

    NULL = "null"
    BOOL = "bool"
    LONG = "long"
    DOUBLE = "double"
    NUMBER = "number"
    STRING = "string"
    ARRAY = "array"
    VALUE = "value"
    SLOT = "slot"

    @property
    def parts(self) -> tuple[str, ...]:
        """LLVM types of its registers."""
        return _PARTS[self]

    @property
    def counted(self) -> bool:
        """Whether it can hold a counted object."""
        return self in (Rep.STRING, Rep.ARRAY, Rep.VALUE)


_PARTS: dict[Rep, tuple[str, ...]] = {
    Rep.NULL: (),
    Rep.BOOL: (I1,),
    Rep.LONG: (I64,),
    Rep.DOUBLE: (F64,),
    Rep.NUMBER: (I64, I1),
    Rep.STRING: (PTR,),
    Rep.ARRAY: (PTR,),
    Rep.VALUE: (I64, I64),
    Rep.SLOT: (PTR,),
}

_EXACT = {
    0: Rep.NULL,
    MAY_BE_UNDEF: Rep.NULL,
    MAY_BE_NULL: Rep.NULL,
    MAY_BE_FALSE: Rep.BOOL,
    MAY_BE_TRUE: Rep.BOOL,
    MAY_BE_BOOL: Rep.BOOL,
    MAY_BE_LONG: Rep.LONG,
    MAY_BE_DOUBLE: Rep.DOUBLE,
    MAY_BE_NUMBER: Rep.NUMBER,
    MAY_BE_STRING: Rep.STRING,
    MAY_BE_ARRAY: Rep.ARRAY,
    MAY_BE_INDIRECT: Rep.SLOT,
}


def representation(mask: int) -> Rep:
    """The cheapest representation of every value of type ``mask``. Null and undef together need a tag."""
    return _EXACT.get(mask & _TYPES, Rep.VALUE)


@dataclass(frozen=True, slots=True)
class Datum:
    """A PHP value in registers: what it may be, how it lies, where.

    ``low`` and ``high`` bound it if it is an integer (the range of inference; None: unknown). ``literal`` is the string
    that it is, if that is written in the program."""

    mask: int
    rep: Rep
    parts: tuple[Val, ...] = ()
    low: int | None = None
    high: int | None = None
    literal: bytes | None = None

    @property
    def types(self) -> int:
        """The mask without what it says of array elements."""
        return self.mask & _TYPES

    def only(self, mask: int) -> bool:
        """Whether its type is known to lie in ``mask``."""
        return not self.types & ~mask

    def may(self, mask: int) -> bool:
        """Whether its type may lie in ``mask``."""
        return bool(self.types & mask)


def _tagged(text: FunctionText, datum: Datum) -> Sequence[Val]:
    """Payload and tag of a datum that is not a VALUE yet."""
    if datum.rep is Rep.NULL:
        return integer(0), integer(Tag.UNDEF if datum.types == MAY_BE_UNDEF else Tag.NULL)
    first = datum.parts[0]
    if datum.rep is Rep.BOOL:
        if first.is_constant:
            return integer(0), integer(Tag.TRUE if first.ref == "true" else Tag.FALSE)
        return integer(0), text.binary("or disjoint", text.cast("zext", first, I64), integer(Tag.FALSE))
    if datum.rep is Rep.LONG:
        return first, integer(Tag.LONG)
    if datum.rep is Rep.DOUBLE:
        return text.cast("bitcast", first, I64), integer(Tag.DOUBLE)
    if datum.rep is Rep.NUMBER:
        return first, text.binary("or disjoint", text.cast("zext", datum.parts[1], I64), integer(Tag.LONG))
    return text.cast("ptrtoint", first, I64), integer(Tag.STRING if datum.rep is Rep.STRING else Tag.ARRAY)


def _narrowed(text: FunctionText, datum: Datum, rep: Rep) -> Sequence[Val]:
    """The registers of ``rep`` out of a VALUE or NUMBER whose type is known to fit."""
    payload, tag = datum.parts
    if rep is Rep.LONG:
        return (payload,)
    if rep is Rep.DOUBLE:
        return (text.cast("bitcast", payload, F64),)
    if datum.rep is Rep.NUMBER:
        return tuple(zero(part) for part in rep.parts)
    if rep is Rep.BOOL:
        return (text.compare("eq", tag, integer(Tag.TRUE)),)
    if rep is Rep.NUMBER:
        return payload, text.compare("eq", tag, integer(Tag.DOUBLE))
    return (text.cast("inttoptr", payload, PTR),)


def convert(text: FunctionText, datum: Datum, rep: Rep) -> Datum:
    """The same PHP value in representation ``rep``; see the module's head on narrowing."""
    if datum.rep is rep:
        return datum
    parts: Sequence[Val]
    if rep is Rep.NULL:
        parts = ()
    elif rep is Rep.VALUE:
        parts = _tagged(text, datum)
    elif rep is Rep.NUMBER and datum.rep is Rep.LONG:
        parts = (datum.parts[0], FALSE)
    elif rep is Rep.NUMBER and datum.rep is Rep.DOUBLE:
        parts = (text.cast("bitcast", datum.parts[0], I64), TRUE)
    elif datum.rep in (Rep.VALUE, Rep.NUMBER):
        parts = _narrowed(text, datum, rep)
    else:
        parts = tuple(zero(part) for part in rep.parts)
    return Datum(datum.mask, rep, tuple(parts), datum.low, datum.high)
