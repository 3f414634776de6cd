"""Casts: PHP's conversions between types, silent ones and those that report.

Follows Zend/zend_operators.c (``zval_get_long_func``, ``zval_get_double_func``, ``zval_get_string_func``,
``i_zend_is_true``, ``zendi_try_get_long``, ``zend_dval_to_lval``).
"""

from __future__ import annotations

import math

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Host
from ssa2llvm.values.number_format import float_repr, float_to_string
from ssa2llvm.values.numeric import parse_numeric, string_to_float
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, PhpObject, Value, fits_int, wrap_int


def float_to_int(number: float) -> int:
    """Truncate towards zero and take the result modulo 2^64; NaN and the infinities give 0 (``zend_dval_to_lval``)."""
    return wrap_int(int(number)) if math.isfinite(number) else 0


def float_to_int_capped(number: float) -> int:
    """Truncate towards zero, clamping to the int limits; NaN and the infinities give 0 (``zend_dval_to_lval_cap``).

    Used for numeric strings that hold a float.
    """
    if not math.isfinite(number):
        return 0
    whole = int(number)
    return whole if fits_int(whole) else (PHP_INT_MAX if whole > 0 else PHP_INT_MIN)


def is_exact_int(number: float) -> bool:
    """Whether converting ``number`` to int loses nothing (``zend_is_long_compatible``)."""
    return float(float_to_int(number)) == number


def float_to_int_checked(number: float, host: Host) -> int:
    """``float_to_int``, with PHP's deprecation if the value is not integral."""
    whole = float_to_int(number)
    if float(whole) != number:
        host.deprecated(f"Implicit conversion from float {float_repr(number)} to int loses precision")
    return whole


def to_bool(value: Value) -> bool:
    """Truth of a value: false are null, false, 0, 0.0, -0.0, ``""``, ``"0"`` and the empty array."""
    if isinstance(value, bytes):
        return value not in (b"", b"0")
    if isinstance(value, PhpArray):
        return len(value) > 0
    if isinstance(value, PhpObject):
        return True
    return bool(value)


def to_int(value: Value, host: Host) -> int:
    """An ``(int)`` cast. Loss is silent; only an object is reported."""
    if isinstance(value, int):
        return int(value)
    if value is None:
        return 0
    if isinstance(value, float):
        return float_to_int(value)
    if isinstance(value, bytes):
        parsed = parse_numeric(value)
        if parsed is None:
            return 0
        return parsed.value if isinstance(parsed.value, int) else float_to_int_capped(parsed.value)
    if isinstance(value, PhpArray):
        return 1 if len(value) else 0
    host.warning(f"Object of class {value.class_name} could not be converted to int")
    return 1


def to_float(value: Value, host: Host) -> float:
    """A ``(float)`` cast."""
    if isinstance(value, float):
        return value
    if isinstance(value, int):
        return float(value)
    if value is None:
        return 0.0
    if isinstance(value, bytes):
        return string_to_float(value)
    if isinstance(value, PhpArray):
        return 1.0 if len(value) else 0.0
    host.warning(f"Object of class {value.class_name} could not be converted to float")
    return 1.0


def to_string(value: Value, host: Host) -> bytes:
    """A ``(string)`` cast. An array gives ``Array`` with a warning; an object is asked, and may throw."""
    if isinstance(value, bytes):
        return value
    if value is None or value is False:
        return b""
    if value is True:
        return b"1"
    if isinstance(value, int):
        return str(value).encode()
    if isinstance(value, float):
        return float_to_string(value).encode()
    if isinstance(value, PhpArray):
        host.warning("Array to string conversion")
        return b"Array"
    return host.object_to_string(value)


def to_array(value: Value) -> PhpArray:
    """An ``(array)`` cast of anything but an object: null gives the empty array, a scalar a list of one."""
    if isinstance(value, PhpArray):
        return value
    return PhpArray() if value is None else PhpArray.from_list([value])


def to_number(value: Value) -> int | float:
    """The number ``value`` is compared or counted as, silently (``_zendi_convert_scalar_to_number_silent``).

    Strings count as the number they start with, 0 if none. Not for arrays.
    """
    if isinstance(value, bool) or value is None:
        return int(bool(value))
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, bytes):
        parsed = parse_numeric(value)
        return 0 if parsed is None else parsed.value
    return 1
