"""``+ - * / % **`` and the shifts: on registers where the types allow, else in the C runtime.

Integer ``+ - *`` that leave the 64 bits go on as floats (Zend/zend_operators.h:fast_long_add_function). Where the
range of the result proves that they cannot, the plain ``nsw`` instruction is emitted and LLVM may do with it what C
compilers do with ints. Division by zero, modulo by zero and negative shifts throw on a cold path; a divisor whose
range leaves out zero pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_NUMBER
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.numbers import (
    as_double,
    as_number,
    binary_on_values,
    is_numeric,
    number_parts,
    number_result,
    quiet_long,
)
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import F64, I1, I64, double, integer

__all__ = ["BINARY", "binary_operation"]

_INT_MIN = -(1 << 63)

_PLAIN = {Opcode.ADD: ("add", "fadd"), Opcode.SUB: ("sub", "fsub"), Opcode.MUL: ("mul", "fmul")}
_RUNTIME = {
    Opcode.ADD: "s2l_add",
    Opcode.SUB: "s2l_sub",
    Opcode.MUL: "s2l_mul",
    Opcode.DIV: "s2l_div",
    Opcode.MOD: "s2l_mod",
    Opcode.POW: "s2l_pow",
    Opcode.SL: "s2l_shift_left",
    Opcode.SR: "s2l_shift_right",
    Opcode.BW_OR: "s2l_bw_or",
    Opcode.BW_AND: "s2l_bw_and",
    Opcode.BW_XOR: "s2l_bw_xor",
}
_BITS = {Opcode.BW_OR: "or", Opcode.BW_AND: "and", Opcode.BW_XOR: "xor"}


def _general(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum, mask: int) -> Datum:
    """The C runtime's operation on any two values; it may warn and throw."""
    return fn.framed_value(_RUNTIME[opcode], left, right, mask=mask)


def _add_sub_mul(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum, mask: int) -> Datum:
    """On LONG, DOUBLE and NUMBER operands."""
    plain, floating = _PLAIN[opcode]
    if Rep.DOUBLE in (left.rep, right.rep):
        value = fn.text.binary(floating, as_double(fn, left), as_double(fn, right))
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (value,))
    if left.rep is Rep.LONG and right.rep is Rep.LONG and not mask & MAY_BE_DOUBLE:
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.binary(f"{plain} nsw", left.parts[0], right.parts[0]),))
    arguments = number_parts(fn, left) + number_parts(fn, right)
    result = number_result(fn, fn.text.call("{ i64, i1 }", f"@s2l.number.{plain}", arguments))
    if not mask & MAY_BE_DOUBLE:
        return convert(fn.text, result, Rep.LONG)
    return result


def _throw_if_zero(fn: FunctionLowering, divisor: Datum, thrower: str) -> None:
    """Throw if a LONG, DOUBLE or NUMBER is zero, unless its range says that it is not."""
    if divisor.rep is Rep.LONG:
        if divisor.low is not None and divisor.high is not None and not divisor.low <= 0 <= divisor.high:
            return
        condition = fn.text.compare("eq", divisor.parts[0], integer(0))
    elif divisor.rep is Rep.DOUBLE:
        condition = fn.text.compare_double("oeq", divisor.parts[0], double(0.0))
    else:
        condition = fn.text.negate(fn.text.call(I1, "@s2l.number.to.bool", divisor.parts))
    fn.fail_if(condition, lambda: fn.framed(thrower))


def _divide(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum, mask: int) -> Datum:
    _throw_if_zero(fn, right, "s2l_throw_division_by_zero")
    if Rep.DOUBLE in (left.rep, right.rep):
        value = fn.text.binary("fdiv", as_double(fn, left), as_double(fn, right))
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (value,))
    arguments = number_parts(fn, left) + number_parts(fn, right)
    return number_result(fn, fn.text.call("{ i64, i1 }", "@s2l.number.div", arguments))


def _power(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum, mask: int) -> Datum:
    if left.rep is Rep.LONG and right.rep is Rep.LONG:
        value = fn.unpack(fn.runtime("s2l_pow_long", left.parts[0], right.parts[0]), MAY_BE_NUMBER)
        return convert(fn.text, value, Rep.NUMBER)
    if Rep.DOUBLE in (left.rep, right.rep):
        fn.module.intrinsic("double @llvm.pow.f64(double, double)")
        value_ = fn.text.call(F64, "@llvm.pow.f64", [as_double(fn, left), as_double(fn, right)])
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (value_,))
    return _general(fn, opcode, left, right, MAY_BE_NUMBER)


def _modulo(fn: FunctionLowering, left: Datum, right: Datum) -> Datum:
    """On LONG operands."""
    _throw_if_zero(fn, right, "s2l_throw_modulo_by_zero")
    a, b = left.parts[0], right.parts[0]
    positive = right.low is not None and right.low > 0
    if positive and left.low is not None and left.low >= 0:
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.binary("urem", a, b),))
    if positive or (right.high is not None and right.high < -1) or (left.low is not None and left.low > _INT_MIN):
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.binary("srem", a, b),))
    return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.call(I64, "@s2l.long.mod", [a, b]),))


def _shift(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum) -> Datum:
    """On LONG operands."""
    count = right.parts[0]
    if right.low is None or right.low < 0:
        negative = fn.text.compare("slt", count, integer(0))
        fn.fail_if(negative, lambda: fn.framed("s2l_throw_negative_shift"))
    if right.low is not None and right.high is not None and right.low >= 0 and right.high <= 63:
        value = fn.text.binary("shl" if opcode == Opcode.SL else "ashr", left.parts[0], count)
    else:
        direction = "left" if opcode == Opcode.SL else "right"
        value = fn.text.call(I64, f"@s2l.long.shift.{direction}", [left.parts[0], count])
    return Datum(MAY_BE_LONG, Rep.LONG, (value,))


def _integer_operation(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum) -> Datum:
    """``% << >> | & ^`` on LONG operands."""
    if opcode == Opcode.MOD:
        return _modulo(fn, left, right)
    if opcode in _BITS:
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.text.binary(_BITS[opcode], left.parts[0], right.parts[0]),))
    return _shift(fn, opcode, left, right)


def _operand_long(fn: FunctionLowering, number: Datum) -> Datum:
    """A LONG, DOUBLE or NUMBER as the integer operand of ``% << |`` …: floats are cut, with a deprecation if that
    loses something."""
    if number.rep is Rep.LONG:
        return number
    if number.rep is Rep.DOUBLE:
        value = fn.framed("s2l_double_to_long_operand", number.parts[0])
        return Datum(MAY_BE_LONG, Rep.LONG, (value,))

    def converted() -> Datum:
        as_float = fn.text.cast("bitcast", number.parts[0], F64)
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.framed("s2l_double_to_long_operand", as_float),))

    return fn.either(number.parts[1], converted, lambda: Datum(MAY_BE_LONG, Rep.LONG, (number.parts[0],)))


_Float = Callable[[FunctionLowering, Opcode, Datum, Datum, int], Datum]
_ON_NUMBERS: dict[Opcode, _Float] = {
    Opcode.ADD: _add_sub_mul,
    Opcode.SUB: _add_sub_mul,
    Opcode.MUL: _add_sub_mul,
    Opcode.DIV: _divide,
    Opcode.POW: _power,
}


def binary_operation(fn: FunctionLowering, opcode: Opcode, left: Datum, right: Datum, mask: int) -> Datum:
    """``left opcode right`` for an arithmetic opcode: borrowed operands, owned result. ``mask`` is what inference
    says of the result (without MAY_BE_DOUBLE it promises that nothing overflows)."""
    on_numbers = _ON_NUMBERS.get(opcode)
    if on_numbers is not None:
        if is_numeric(left) and is_numeric(right):
            return on_numbers(fn, opcode, as_number(fn, left), as_number(fn, right), mask)
        return binary_on_values(
            fn,
            left,
            right,
            lambda a, b: on_numbers(fn, opcode, a, b, mask),
            lambda: _general(fn, opcode, left, right, mask),
        )
    if is_numeric(left) and is_numeric(right):
        a = _operand_long(fn, as_number(fn, left))
        b = _operand_long(fn, as_number(fn, right))
        return _integer_operation(fn, opcode, a, b)
    return binary_on_values(
        fn,
        left,
        right,
        lambda a, b: _integer_operation(fn, opcode, a, b),
        lambda: _general(fn, opcode, left, right, mask),
        ints_only=True,
    )


BINARY = frozenset(_RUNTIME)
"""The opcodes that `binary_operation` knows."""


@lowers(*_RUNTIME)
def _binary(fn: FunctionLowering, instr: Instr) -> None:
    left, right = fn.read_pair(instr)
    result = binary_operation(fn, instr.opcode, left, right, fn.mask_of(instr.result_def))
    fn.define(instr.result_def, result)


@lowers(Opcode.BW_NOT)
def _bitwise_not(fn: FunctionLowering, instr: Instr) -> None:
    operand = fn.read(instr, "op1")
    integer_operand = quiet_long(fn, operand) if operand.rep is Rep.LONG else None
    if integer_operand is None:
        result = fn.framed_value("s2l_bw_not", operand, mask=fn.mask_of(instr.result_def))
    else:
        result = Datum(MAY_BE_LONG, Rep.LONG, (fn.text.binary("xor", integer_operand, integer(-1)),))
    fn.define(instr.result_def, result)
