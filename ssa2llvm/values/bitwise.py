"""Integer and string operators: ``| & ^ ~ << >>``, concatenation and logical ``xor``.

Follows Zend/zend_operators.c (``bitwise_or_function`` and siblings, ``shift_left_function``, ``concat_function``).
The bitwise operators on two strings work byte by byte.
"""

from __future__ import annotations

from ssa2llvm.values.arith import int_operands
from ssa2llvm.values.convert import float_to_int_checked, to_bool, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import Value, type_name, wrap_int

_INT_BITS = 64


def bitwise_or(left: Value, right: Value, host: Host) -> int | bytes:
    """``$left | $right``; of two strings, as long as the longer one."""
    if isinstance(left, bytes) and isinstance(right, bytes):
        shorter, longer = sorted((left, right), key=len)
        return bytes(a | b for a, b in zip(shorter, longer)) + longer[len(shorter) :]
    first, second = int_operands("|", left, right, host)
    return first | second


def bitwise_and(left: Value, right: Value, host: Host) -> int | bytes:
    """``$left & $right``; of two strings, as long as the shorter one."""
    if isinstance(left, bytes) and isinstance(right, bytes):
        return bytes(a & b for a, b in zip(left, right))
    first, second = int_operands("&", left, right, host)
    return first & second


def bitwise_xor(left: Value, right: Value, host: Host) -> int | bytes:
    """``$left ^ $right``; of two strings, as long as the shorter one."""
    if isinstance(left, bytes) and isinstance(right, bytes):
        return bytes(a ^ b for a, b in zip(left, right))
    first, second = int_operands("^", left, right, host)
    return first ^ second


def bitwise_not(value: Value, host: Host) -> int | bytes:
    """``~$value``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return ~value
    if isinstance(value, float):
        return ~float_to_int_checked(value, host)
    if isinstance(value, bytes):
        return bytes(~byte & 0xFF for byte in value)
    raise PhpError("TypeError", f"Cannot perform bitwise not on {type_name(value)}")


def shift_left(left: Value, right: Value, host: Host) -> int:
    """``$left << $right``: bits beyond 64 are lost; a negative count throws ArithmeticError."""
    first, count = int_operands("<<", left, right, host)
    if count < 0:
        raise PhpError("ArithmeticError", "Bit shift by negative number")
    return wrap_int(first << count) if count < _INT_BITS else 0


def shift_right(left: Value, right: Value, host: Host) -> int:
    """``$left >> $right``: the sign bit is copied; a negative count throws ArithmeticError."""
    first, count = int_operands(">>", left, right, host)
    if count < 0:
        raise PhpError("ArithmeticError", "Bit shift by negative number")
    return first >> min(count, _INT_BITS - 1)


def concat(left: Value, right: Value, host: Host) -> bytes:
    """``$left . $right``."""
    return to_string(left, host) + to_string(right, host)


def logical_xor(left: Value, right: Value, host: Host) -> bool:
    """``$left xor $right``."""
    return to_bool(left) != to_bool(right)
