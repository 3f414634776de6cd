"""Arithmetic: ``+ - * / % **`` on every pair of values, with overflow to float and PHP's errors.

Follows Zend/zend_operators.c (``add_function`` and its siblings, ``zendi_try_convert_scalar_to_number``). Every
function takes two values and a host and returns the result; it raises PhpError where PHP throws, and reports where
PHP warns.
"""

from __future__ import annotations

import math

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.convert import float_to_int_capped, float_to_int_checked
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import parse_numeric
from ssa2llvm.values.types import Value, fits_int, to_text, type_name


def _unsupported(operator: str, left: Value, right: Value) -> PhpError:
    """``zend_binop_error``."""
    return PhpError("TypeError", f"Unsupported operand types: {type_name(left)} {operator} {type_name(right)}")


def _parse_operand(text: bytes, host: Host) -> int | float | None:
    """The number a string operand starts with; what follows it is reported. None if there is none."""
    parsed = parse_numeric(text)
    if parsed is None:
        return None
    if parsed.trailing:
        host.warning("A non-numeric value encountered")
    return parsed.value


def _number_operand(value: Value, host: Host) -> int | float | None:
    """An operand of an arithmetic operator as a number, None if it has none."""
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, bool) else value
    if value is None:
        return 0
    return _parse_operand(value, host) if isinstance(value, bytes) else None


def _int_operand(value: Value, host: Host) -> int | None:
    """An operand of an integer operator as an int, None if it has none (``zendi_try_get_long``)."""
    if isinstance(value, int):
        return int(value)
    if value is None:
        return 0
    if isinstance(value, float):
        return float_to_int_checked(value, host)
    if not isinstance(value, bytes):
        return None
    number = _parse_operand(value, host)
    if not isinstance(number, float):
        return number
    whole = float_to_int_capped(number)
    if float(whole) != number:
        shown = to_text(value.split(b"\0", 1)[0])
        host.deprecated(f'Implicit conversion from float-string "{shown}" to int loses precision')
    return whole


def _numbers(operator: str, left: Value, right: Value, host: Host) -> tuple[int | float, int | float]:
    """Both operands as numbers, the left one first."""
    first = _number_operand(left, host)
    if first is None:
        raise _unsupported(operator, left, right)
    second = _number_operand(right, host)
    if second is None:
        raise _unsupported(operator, left, right)
    return first, second


def int_operands(operator: str, left: Value, right: Value, host: Host) -> tuple[int, int]:
    """Both operands of an integer operator as ints, the left one first. Raises PHP's TypeError."""
    first = _int_operand(left, host)
    if first is None:
        raise _unsupported(operator, left, right)
    second = _int_operand(right, host)
    if second is None:
        raise _unsupported(operator, left, right)
    return first, second


def add(left: Value, right: Value, host: Host) -> Value:
    """``$left + $right``; of two arrays, the union."""
    if isinstance(left, PhpArray) and isinstance(right, PhpArray):
        union = left.copy()
        for key, element in right.elements():
            if key not in union:
                union.put(key, element)
        return union
    first, second = _numbers("+", left, right, host)
    if isinstance(first, int) and isinstance(second, int):
        total = first + second
        return total if fits_int(total) else float(first) + float(second)
    return float(first) + float(second)


def subtract(left: Value, right: Value, host: Host) -> int | float:
    """``$left - $right``."""
    first, second = _numbers("-", left, right, host)
    if isinstance(first, int) and isinstance(second, int):
        difference = first - second
        return difference if fits_int(difference) else float(first) - float(second)
    return float(first) - float(second)


def multiply(left: Value, right: Value, host: Host) -> int | float:
    """``$left * $right``."""
    first, second = _numbers("*", left, right, host)
    if isinstance(first, int) and isinstance(second, int):
        product = first * second
        return product if fits_int(product) else float(first) * float(second)
    return float(first) * float(second)


def divide(left: Value, right: Value, host: Host) -> int | float:
    """``$left / $right``: an int if both are and the division is exact. Raises DivisionByZeroError."""
    first, second = _numbers("/", left, right, host)
    if second == 0:
        raise PhpError("DivisionByZeroError", "Division by zero")
    if isinstance(first, int) and isinstance(second, int):
        quotient, rest = divmod(first, second)
        if rest == 0 and fits_int(quotient):
            return quotient
    return float(first) / float(second)


def truncated_quotient(left: int, right: int) -> int:
    """C's ``left / right`` without overflow check."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def modulo(left: Value, right: Value, host: Host) -> int:
    """``$left % $right``, with the sign of the left operand. Raises DivisionByZeroError."""
    first, second = int_operands("%", left, right, host)
    if second == 0:
        raise PhpError("DivisionByZeroError", "Modulo by zero")
    return first - second * truncated_quotient(first, second)


def float_power(base: float, exponent: float) -> float:
    """C's ``pow``: no exceptions, NaN and infinities as in IEEE 754."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        negative = base < 0 and math.fmod(exponent, 2) != 0
        return -math.inf if negative else math.inf
    except ValueError:
        if base == 0:
            negative = math.copysign(1.0, base) < 0 and math.fmod(exponent, 2) in (1.0, -1.0)
            return -math.inf if negative else math.inf
        return math.nan


def power(left: Value, right: Value, host: Host) -> int | float:
    """``$left ** $right``: an int while it fits. The float result of an overflow is rounded where PHP rounds it."""
    base, exponent = _numbers("**", left, right, host)
    if not (isinstance(base, int) and isinstance(exponent, int) and exponent >= 0):
        return float_power(float(base), float(exponent))
    result = 1
    if exponent and base in (0, 1, -1):
        return base if base == 0 or exponent % 2 else 1
    while exponent >= 1:
        if exponent % 2:
            exponent -= 1
            product = result * base
            if not fits_int(product):
                return float(result) * float(base) * float_power(float(base), float(exponent))
            result = product
        else:
            exponent //= 2
            square = base * base
            if not fits_int(square):
                return float(result) * float_power(float(base) * float(base), float(exponent))
            base = square
    return result
