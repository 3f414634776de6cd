"""Builtins in registers: what a handful of instructions do better than a call by the uniform C signature.

Each row takes a builtin whose argument types are known to need no conversion, check or diagnostic, and gives the same
result as the C function; for any other arguments it declines, and the C function is called.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_NUMBER, MAY_BE_STRING
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.numbers import as_double, binary_on_values, on_integer
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import F64, I64, LIKELY, PTR, Val, integer

__all__ = ["lower_natively"]

_INT_MIN = -(1 << 63)
_NUMBERS = (Rep.LONG, Rep.DOUBLE, Rep.NUMBER)

_Native = Callable[[FunctionLowering, list[Datum]], "Datum | None"]


def _long(value: Val, low: int | None = None, high: int | None = None) -> Datum:
    return Datum(MAY_BE_LONG, Rep.LONG, (value,), low, high)


def _double(value: Val) -> Datum:
    return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (value,))


def _unary_double(intrinsic: str) -> _Native:
    def lower(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
        if len(arguments) != 1 or arguments[0].rep not in _NUMBERS:
            return None
        fn.module.intrinsic(f"double @llvm.{intrinsic}.f64(double)")
        return _double(fn.text.call(F64, f"@llvm.{intrinsic}.f64", [as_double(fn, arguments[0])]))

    return lower


def _abs(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    if len(arguments) != 1:
        return None
    number = arguments[0]
    if number.rep is Rep.DOUBLE:
        return _double(fn.text.call(F64, "@llvm.fabs.f64", [number.parts[0]]))
    if number.rep is not Rep.LONG:
        return None
    if number.low is not None and number.low > _INT_MIN:
        fn.module.intrinsic("i64 @llvm.abs.i64(i64, i1)")
        return _long(fn.text.call(I64, "@llvm.abs.i64", [number.parts[0], Val("i1", "true")]), 0)
    value = fn.unpack(fn.runtime("s2l_abs_long", number.parts[0]), MAY_BE_NUMBER)
    return convert(fn.text, value, Rep.NUMBER)


def _extreme(name: str, predicate: str) -> _Native:
    def of_two(fn: FunctionLowering, left: Datum, right: Datum) -> Datum:
        """Ints where they are ints, else as the C function has it."""

        def fast(a: Datum, b: Datum) -> Datum:
            more = fn.text.compare(predicate, b.parts[0], a.parts[0])
            return _long(fn.text.select(more, b.parts[0], a.parts[0]))

        return binary_on_values(
            fn, left, right, fast, lambda: fn.call_builtin(name, [left, right], MAY_BE_ANY), ints_only=True
        )

    def lower(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
        if len(arguments) == 2 and all(argument.may(MAY_BE_LONG) for argument in arguments):
            return of_two(fn, *arguments)
        if len(arguments) < 2 or any(argument.rep is not Rep.LONG for argument in arguments):
            return None
        best = arguments[0].parts[0]
        for argument in arguments[1:]:
            other = argument.parts[0]
            best = fn.text.select(fn.text.compare(predicate, other, best), other, best)
        return _long(best)

    return lower


def _intdiv(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    """Other types than int, division by zero, and PHP_INT_MIN by -1 are left to the C function."""
    if len(arguments) != 2 or arguments[1].rep is not Rep.LONG or not arguments[0].may(MAY_BE_LONG):
        return None
    divisor = arguments[1]
    b = divisor.parts[0]

    def general() -> Datum:
        result = fn.call_builtin("intdiv", arguments, MAY_BE_LONG)
        return convert(fn.text, result, Rep.LONG)

    def integer_case(dividend: Datum) -> Datum:
        a = dividend.parts[0]

        def divide() -> Datum:
            return _long(fn.text.binary("sdiv", a, b))

        if divisor.low is not None and divisor.low > 0:
            return divide()
        lowest = fn.text.compare("eq", a, integer(_INT_MIN))
        too_large = fn.text.binary("and", lowest, fn.text.compare("eq", b, integer(-1)))
        bad = fn.text.binary("or", fn.text.compare("eq", b, integer(0)), too_large)
        return fn.either(fn.text.negate(bad), divide, general, LIKELY)

    return on_integer(fn, arguments[0], integer_case, general)


def _fdiv(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    if len(arguments) != 2 or any(argument.rep not in _NUMBERS for argument in arguments):
        return None
    return _double(fn.text.binary("fdiv", as_double(fn, arguments[0]), as_double(fn, arguments[1])))


def _pi(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    return None if arguments else fn.constant(pi)


def _ord(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    if len(arguments) != 1 or arguments[0].rep is not Rep.STRING:
        return None
    return _long(fn.text.call(I64, "@s2l.string.first", [arguments[0].parts[0]]), 0, 255)


def _chr(fn: FunctionLowering, arguments: list[Datum]) -> Datum | None:
    if len(arguments) != 1 or arguments[0].rep is not Rep.LONG:
        return None
    byte = fn.text.binary("and", arguments[0].parts[0], integer(255))
    return Datum(MAY_BE_STRING, Rep.STRING, (fn.text.call(PTR, "@s2l.string.of.byte", [fn.context, byte]),))


_NATIVE: dict[str, _Native] = {
    "abs": _abs,
    "ceil": _unary_double("ceil"),
    "chr": _chr,
    "cos": _unary_double("cos"),
    "exp": _unary_double("exp"),
    "fdiv": _fdiv,
    "floor": _unary_double("floor"),
    "intdiv": _intdiv,
    "log": _unary_double("log"),
    "max": _extreme("max", "sgt"),
    "min": _extreme("min", "slt"),
    "ord": _ord,
    "pi": _pi,
    "sin": _unary_double("sin"),
    "sqrt": _unary_double("sqrt"),
}


def lower_natively(fn: FunctionLowering, name: str, arguments: list[Datum]) -> Datum | None:
    """The result (owned) of builtin ``name`` on borrowed ``arguments``, or None if only the C function will do."""
    native = _NATIVE.get(name)
    return native(fn, arguments) if native is not None else None
