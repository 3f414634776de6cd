"""Operands as machine numbers: what lowering of arithmetic and comparison shares.

PHP's arithmetic reads null, false and true as the integers 0, 0 and 1 without a word. A datum whose type is known to
lie in these, int and float is a *number* and is worked on in registers; one that merely may be a number gets a test
of its tag in front of the C runtime's general operation.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.types import (
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NUMBER,
)
from ssa2llvm.llvm.emitter import Emitter
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import F64, I1, I64, LIKELY, TRUE, Val, integer

__all__ = [
    "as_double",
    "as_number",
    "binary_on_values",
    "is_numeric",
    "number_parts",
    "number_result",
    "on_integer",
    "quiet_long",
]


def is_numeric(datum: Datum) -> bool:
    """Whether the datum is known to be a number in the sense of the module's head."""
    return datum.rep in (Rep.NULL, Rep.BOOL, Rep.LONG, Rep.DOUBLE, Rep.NUMBER)


def as_number(fn: Emitter, datum: Datum) -> Datum:
    """A numeric datum as LONG, DOUBLE or NUMBER."""
    if datum.rep is Rep.NULL:
        return Datum(MAY_BE_LONG, Rep.LONG, (integer(0),), 0, 0)
    if datum.rep is Rep.BOOL:
        if datum.parts[0].is_constant:
            number = int(datum.parts[0].ref == "true")
            return Datum(MAY_BE_LONG, Rep.LONG, (integer(number),), number, number)
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.cast("zext", datum.parts[0], I64),), 0, 1)
    return datum


def quiet_long(fn: Emitter, datum: Datum) -> Val | None:
    """The integer of a datum that is known to be int-like; None for any other."""
    if datum.rep in (Rep.NULL, Rep.BOOL, Rep.LONG):
        return as_number(fn, datum).parts[0]
    return None


def as_double(fn: Emitter, number: Datum) -> Val:
    """A LONG, DOUBLE or NUMBER as a double."""
    if number.rep is Rep.DOUBLE:
        return number.parts[0]
    if number.rep is Rep.LONG:
        return fn.text.cast("sitofp", number.parts[0], F64)
    return fn.text.call(F64, "@s2l.number.to.double", number.parts)


def number_parts(fn: Emitter, number: Datum) -> list[Val]:
    """Bits and is_double of a LONG, DOUBLE or NUMBER."""
    return list(convert(fn.text, number, Rep.NUMBER).parts)


def number_result(fn: Emitter, pair: Val, mask: int = MAY_BE_NUMBER) -> Datum:
    """What a prelude function on numbers returned."""
    return Datum(mask, Rep.NUMBER, (fn.text.extract(I64, pair, 0), fn.text.extract(I1, pair, 1)))


def on_integer(
    fn: Emitter, datum: Datum, integer_case: Callable[[Datum], Datum], other_case: Callable[[], Datum]
) -> Datum:
    """``integer_case`` on the datum as a LONG where it is one, else ``other_case``; only what can happen is
    written."""
    if datum.rep is Rep.LONG:
        return integer_case(datum)
    if datum.rep not in (Rep.NUMBER, Rep.VALUE) or not datum.may(MAY_BE_LONG):
        return other_case()
    known = Datum(MAY_BE_LONG, Rep.LONG, (datum.parts[0],), datum.low, datum.high)
    if datum.rep is Rep.NUMBER:
        is_long = fn.text.negate(datum.parts[1])
    else:
        is_long = fn.text.compare("eq", datum.parts[1], integer(Tag.LONG))
    return fn.either(is_long, lambda: integer_case(known), other_case, LIKELY)


def binary_on_values(
    fn: Emitter,
    left: Datum,
    right: Datum,
    fast: Callable[[Datum, Datum], Datum],
    slow: Callable[[], Datum],
    ints_only: bool = False,
) -> Datum:
    """``fast`` on the operands as NUMBERs (LONGs if ``ints_only``) if both are, else ``slow``: decided by their tags.

    Both must give results that the caller owns. Where the masks rule the fast path out, only the slow one is written.
    """
    wanted = MAY_BE_LONG if ints_only else MAY_BE_NUMBER
    if not left.may(wanted) or not right.may(wanted):
        return slow()
    a = convert(fn.text, left, Rep.VALUE).parts
    b = convert(fn.text, right, Rep.VALUE).parts
    if ints_only:
        tests = [fn.text.compare("eq", tag, integer(Tag.LONG)) for tag in (a[1], b[1]) if tag.ref != str(int(Tag.LONG))]
        condition = TRUE
        for test in tests:
            condition = test if condition == TRUE else fn.text.binary("and", condition, test)
    else:
        condition = fn.text.call(I1, "@s2l.value.both_numbers", [a[1], b[1]])

    def number(parts: tuple[Val, ...]) -> Datum:
        if ints_only or parts[1].ref == str(int(Tag.LONG)):
            return Datum(MAY_BE_LONG, Rep.LONG, (parts[0],))
        if parts[1].ref == str(int(Tag.DOUBLE)):
            return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (fn.text.cast("bitcast", parts[0], F64),))
        is_double = fn.text.compare("eq", parts[1], integer(Tag.DOUBLE))
        return Datum(MAY_BE_NUMBER, Rep.NUMBER, (parts[0], is_double))

    return fn.either(condition, lambda: fast(number(tuple(a)), number(tuple(b))), slow, LIKELY)
