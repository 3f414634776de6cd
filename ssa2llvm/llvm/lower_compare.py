"""Comparisons: ``== != === !== < <= <=>``, CASE, CASE_STRICT and ``xor``.

PHP 8's rules (Zend/zend_operators.c:zend_compare): with a bool or null on either side both are compared as bools
(null and a string as strings); int and float as floats; strings by value if both are numeric. What inference knows of
the types picks a machine comparison where there is one; everything else is one call into the C runtime.

The result of a comparison is an i1; a jump that reads it costs nothing more.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    MAY_BE_BOOL,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.lower_jump import truth
from ssa2llvm.llvm.numbers import as_double, binary_on_values, number_parts
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import FALSE, I1, I64, TRUE, Val, integer

__all__ = ["equal", "identical"]

_NUMBERS = (Rep.LONG, Rep.DOUBLE, Rep.NUMBER)
_TRUTHS = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_BOOL


def _numbers(fn: FunctionLowering, predicate: str, left: Datum, right: Datum) -> Val:
    """``equal``, ``smaller`` or ``smaller_or_equal`` of LONG, DOUBLE and NUMBER."""
    integers, floats = {"equal": ("eq", "oeq"), "smaller": ("slt", "olt"), "smaller_or_equal": ("sle", "ole")}[
        predicate
    ]
    if left.rep is Rep.LONG and right.rep is Rep.LONG:
        return fn.text.compare(integers, left.parts[0], right.parts[0])
    if Rep.DOUBLE in (left.rep, right.rep):
        return fn.text.compare_double(floats, as_double(fn, left), as_double(fn, right))
    return fn.text.call(I1, f"@s2l.number.{predicate}", number_parts(fn, left) + number_parts(fn, right))


def _is_text(datum: Datum) -> bool:
    """Whether it is known to be no numeric string: those begin with a digit, a sign, a point or white space."""
    return datum.literal is not None and (not datum.literal or datum.literal[0] > ord("9"))


def _is_byte(datum: Datum) -> bool:
    """Whether it is known to be a certain byte, and that no digit."""
    return _is_text(datum) and datum.literal is not None and len(datum.literal) == 1


def _against_byte(fn: FunctionLowering, predicate: str, string: Datum, byte: Datum) -> Val:
    """``is``, ``below`` or ``upto``: a string compared with a string of one byte, byte by byte."""
    assert byte.literal is not None
    return fn.text.call(I1, f"@s2l.string.{predicate}.byte", [string.parts[0], integer(byte.literal[0])])


def _identical_strings(fn: FunctionLowering, left: Datum, right: Datum) -> Val:
    """``left === right`` of strings."""
    for one, other in ((left, right), (right, left)):
        if one.literal is not None and len(one.literal) == 1:
            return _against_byte(fn, "is", other, one)
    return fn.text.call(I1, "@s2l.string.identical", [left.parts[0], right.parts[0]])


def _truths(fn: FunctionLowering, left: Datum, right: Datum) -> tuple[Val, Val] | None:
    """Both sides as bools if PHP compares them so: one is null or a bool, and it is not null against a string."""
    for one, other in ((left, right), (right, left)):
        if one.only(MAY_BE_BOOL) or (one.only(_TRUTHS) and other.only(MAY_BE_NUMBER | _TRUTHS)):
            return truth(fn, left), truth(fn, right)
    return None


def _general(fn: FunctionLowering, predicate: str, left: Datum, right: Datum) -> Val:
    """Any two values: numbers by the fast path, others by the runtime."""

    def fast(a: Datum, b: Datum) -> Datum:
        return fn.truth_datum(_numbers(fn, predicate, a, b))

    def slow() -> Datum:
        return fn.truth_datum(fn.runtime(f"s2l_is_{predicate}", left, right))

    return binary_on_values(fn, left, right, fast, slow).parts[0]


def equal(fn: FunctionLowering, left: Datum, right: Datum) -> Val:
    """``left == right``; both borrowed."""
    if left.rep in _NUMBERS and right.rep in _NUMBERS:
        return _numbers(fn, "equal", left, right)
    if left.rep is Rep.STRING and right.rep is Rep.STRING:
        if _is_text(left) or _is_text(right):
            return _identical_strings(fn, left, right)
        return fn.runtime("s2l_string_is_equal", left.parts[0], right.parts[0])
    truths = _truths(fn, left, right)
    if truths is not None:
        return fn.text.compare("eq", *truths)
    return _general(fn, "equal", left, right)


def _smaller(fn: FunctionLowering, predicate: str, left: Datum, right: Datum) -> Val:
    """``<`` (smaller) or ``<=`` (smaller_or_equal); both borrowed."""
    if left.rep in _NUMBERS and right.rep in _NUMBERS:
        return _numbers(fn, predicate, left, right)
    if left.rep is Rep.STRING and right.rep is Rep.STRING:
        if _is_byte(right):
            return _against_byte(fn, "below" if predicate == "smaller" else "upto", left, right)
        if _is_byte(left):
            return fn.text.negate(_against_byte(fn, "upto" if predicate == "smaller" else "below", right, left))
        order = fn.runtime("s2l_string_compare", left.parts[0], right.parts[0])
        return fn.text.compare("slt" if predicate == "smaller" else "sle", order, integer(0, "i32"))
    truths = _truths(fn, left, right)
    if truths is not None:
        return fn.text.compare("ult" if predicate == "smaller" else "ule", *truths)
    return _general(fn, predicate, left, right)


def _null_for_undef(datum: Datum) -> int:
    """The types of a datum, an undefined variable counting as null."""
    return (datum.types & ~MAY_BE_UNDEF) | (MAY_BE_NULL if datum.may(MAY_BE_UNDEF) else 0)


def identical(fn: FunctionLowering, left: Datum, right: Datum) -> Val:
    """``left === right``; both borrowed."""
    if not _null_for_undef(left) & _null_for_undef(right):
        return FALSE
    if left.rep is Rep.NULL and right.rep is Rep.NULL:
        return TRUE
    if left.rep is right.rep and left.rep in (Rep.BOOL, Rep.LONG):
        return fn.text.compare("eq", left.parts[0], right.parts[0])
    if left.rep is Rep.DOUBLE and right.rep is Rep.DOUBLE:
        return fn.text.compare_double("oeq", left.parts[0], right.parts[0])
    if left.rep is Rep.STRING and right.rep is Rep.STRING:
        return _identical_strings(fn, left, right)
    a, b = convert(fn.text, left, Rep.VALUE), convert(fn.text, right, Rep.VALUE)
    for one, other in ((left, b), (right, a)):
        if one.only(_TRUTHS | MAY_BE_LONG) and not one.may(MAY_BE_UNDEF) and not other.may(MAY_BE_UNDEF):
            same = fn.text.compare("eq", a.parts[1], b.parts[1])
            if one.only(_TRUTHS):
                return same
            return fn.text.binary("and", same, fn.text.compare("eq", a.parts[0], b.parts[0]))
    return fn.runtime("s2l_is_identical", left, right)


def _spaceship(fn: FunctionLowering, left: Datum, right: Datum) -> Val:
    if left.rep is Rep.LONG and right.rep is Rep.LONG:
        return fn.text.call(I64, "@s2l.long.spaceship", [left.parts[0], right.parts[0]])
    if left.rep in _NUMBERS and right.rep in _NUMBERS and Rep.DOUBLE in (left.rep, right.rep):
        return fn.text.call(I64, "@s2l.double.spaceship", [as_double(fn, left), as_double(fn, right)])
    if left.rep is Rep.STRING and right.rep is Rep.STRING:
        return fn.text.cast("sext", fn.runtime("s2l_string_compare", left.parts[0], right.parts[0]), I64)
    return fn.text.cast("sext", fn.runtime("s2l_compare", left, right), I64)


@lowers(Opcode.IS_EQUAL, Opcode.IS_NOT_EQUAL)
def _equality(fn: FunctionLowering, instr: Instr) -> None:
    condition = equal(fn, *fn.read_pair(instr))
    if instr.opcode == Opcode.IS_NOT_EQUAL:
        condition = fn.text.negate(condition)
    fn.define(instr.result_def, fn.truth_datum(condition))


@lowers(Opcode.CASE)
def _case(fn: FunctionLowering, instr: Instr) -> None:
    fn.define(instr.result_def, fn.truth_datum(equal(fn, fn.read(instr, "op1"), fn.read(instr, "op2"))))


@lowers(Opcode.IS_IDENTICAL, Opcode.IS_NOT_IDENTICAL, Opcode.CASE_STRICT)
def _identity(fn: FunctionLowering, instr: Instr) -> None:
    condition = identical(fn, *fn.read_pair(instr))
    if instr.opcode == Opcode.IS_NOT_IDENTICAL:
        condition = fn.text.negate(condition)
    fn.define(instr.result_def, fn.truth_datum(condition))


@lowers(Opcode.IS_SMALLER, Opcode.IS_SMALLER_OR_EQUAL)
def _order(fn: FunctionLowering, instr: Instr) -> None:
    predicate = "smaller" if instr.opcode == Opcode.IS_SMALLER else "smaller_or_equal"
    left, right = fn.read_pair(instr)
    fn.define(instr.result_def, fn.truth_datum(_smaller(fn, predicate, left, right)))


@lowers(Opcode.SPACESHIP)
def _three_way(fn: FunctionLowering, instr: Instr) -> None:
    left, right = fn.read_pair(instr)
    fn.define(instr.result_def, Datum(MAY_BE_LONG, Rep.LONG, (_spaceship(fn, left, right),), -1, 1))


@lowers(Opcode.BOOL_XOR)
def _xor(fn: FunctionLowering, instr: Instr) -> None:
    left, right = fn.read_pair(instr)
    condition = fn.text.binary("xor", truth(fn, left), truth(fn, right))
    fn.define(instr.result_def, fn.truth_datum(condition))
