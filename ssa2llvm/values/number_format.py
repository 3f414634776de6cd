"""Numbers as PHP prints them.

``echo`` and string conversion use 14 significant digits (ini ``precision``); ``var_dump``, ``var_export`` and
messages use the shortest digits that read back as the same double (ini ``serialize_precision`` = -1); PHP's opcode
dump uses C's ``%g``. Follows main/snprintf.c:php_gcvt and smart_str_append_double. Python's ``repr`` and ``%e`` give
the digits of David Gay's ``zend_dtoa`` modes 0 and 2, correctly rounded both.
"""

from __future__ import annotations

import math

ECHO_PRECISION = 14
_REPR_DIGITS = 17
_QUICK_DIGITS = 14  # zend_dtoa's Quick_max and Int_max
_SMALL_INTEGER = 1e15


def _special(number: float) -> str | None:
    if math.isnan(number):
        return "NAN"
    if math.isinf(number):
        return "INF" if number > 0 else "-INF"
    return None


def decimal_digits(number: float, precision: int) -> tuple[str, int]:
    """Significant digits of finite ``|number|`` without trailing zeros, and the position of the decimal point among
    them.

    ``precision`` digits at most, or the shortest exact ones if it is -1. ``0.00123`` gives ``("123", -2)``.
    """
    if number == 0:
        return "0", 1
    if 0 < precision <= _QUICK_DIGITS and number.is_integer() and abs(number) < _SMALL_INTEGER:
        whole = int(abs(number))
        surplus = len(str(whole)) - precision
        kept, rest = divmod(whole, 10 ** max(surplus, 0))
        if surplus > 0 and 2 * rest == 10**surplus and kept % 2 == 0:
            return str(kept), precision + surplus  # zend_dtoa keeps the zeros where it rounds a tie down to even
    mantissa, exponent = (repr_exponent(number) if precision < 0 else f"{abs(number):.{precision - 1}e}").split("e")
    digits = mantissa.replace(".", "").rstrip("0")
    return digits, int(exponent) + 1


def repr_exponent(number: float) -> str:
    """``repr`` of finite ``|number|`` brought to the form ``d.ddde±x``."""
    text = repr(abs(number))
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    shift = int(exponent or "0")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    return f"{digits[0]}.{digits[1:]}e{shift + len(whole) - leading_zeros - 1}"


def general_format(number: float, precision: int, exponent_mark: str = "E") -> str:
    """A finite float with ``precision`` significant digits, or the shortest exact ones if it is -1 (``php_gcvt``).

    Plain notation while the decimal point lies within -3..``precision`` (17 for -1), else ``1.0E+25``.
    """
    digits, point = decimal_digits(number, precision)
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    if point < -3 or point > (precision if precision >= 0 else _REPR_DIGITS):
        exponent = point - 1
        return f"{sign}{digits[0]}.{digits[1:] or '0'}{exponent_mark}{'-' if exponent < 0 else '+'}{abs(exponent)}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    if len(digits) <= point:
        return sign + digits + "0" * (point - len(digits))
    return f"{sign}{digits[:point]}.{digits[point:]}"


def float_to_string(number: float, precision: int = ECHO_PRECISION) -> str:
    """The text ``echo`` prints for a float: ``0.1 + 0.2`` gives ``0.3``."""
    return _special(number) or general_format(number, precision)


def float_repr(number: float) -> str:
    """The text ``var_dump`` prints for a float: ``0.1 + 0.2`` gives ``0.30000000000000004``, ``1.0`` gives ``1``."""
    return _special(number) or general_format(number, -1)


def float_export(number: float) -> str:
    """The text ``var_export`` prints: as ``float_repr``, and ``.0`` is added where it would read as an int."""
    text = float_repr(number)
    return text + ".0" if math.isfinite(number) and not set(text) & {".", "E"} else text


def float_dump(number: float) -> str:
    """The text inside ``float(…)`` of PHP's opcode dump: C's ``%g``, six digits."""
    if math.isnan(number):
        return "-nan" if math.copysign(1.0, number) < 0 else "nan"
    return f"{number:g}" if math.isfinite(number) else ("inf" if number > 0 else "-inf")
