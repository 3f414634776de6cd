"""``floor``, ``ceil`` and ``round`` as C and PHP compute them.

Follows ext/standard/math.c:_php_math_round of 8.2, which first rounds to the 15 digits that a double is sure of, then
to the places asked for; that is why ``round(1.955, 2)`` is 1.96.
"""

from __future__ import annotations

import math
from bisect import bisect_right

from ssa2llvm.values.arith import float_power
from ssa2llvm.values.numeric import string_to_float

ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_ODD = 1, 2, 3, 4

_SURE_DIGITS = 15
_LOWEST_TABLED_EXPONENT = -8
_POWERS = [float(f"1e{exponent}") for exponent in range(_LOWEST_TABLED_EXPONENT, 23)]
_MOST_EXACT_PLACES = 23
_INT_MIN = -(2**31)


def c_floor(number: float) -> float:
    """C's ``floor``: keeps -0.0, infinities and NaN."""
    return math.copysign(float(math.floor(number)), number) if math.isfinite(number) else number


def c_ceil(number: float) -> float:
    """C's ``ceil``."""
    return math.copysign(float(math.ceil(number)), number) if math.isfinite(number) else number


def _to_whole(number: float, mode: int) -> float:
    """``php_round_helper``."""
    if number >= 0.0:
        whole = c_floor(number + 0.5)
        even_half = 0.5 + 2 * c_floor(whole / 2.0)
        if (
            (mode == ROUND_HALF_DOWN and number == whole - 0.5)
            or (mode == ROUND_HALF_EVEN and number == even_half)
            or (mode == ROUND_HALF_ODD and number == even_half - 1.0)
        ):
            whole -= 1.0
        return whole
    whole = c_ceil(number - 0.5)
    even_half = -0.5 + 2 * c_ceil(whole / 2.0)
    if (
        (mode == ROUND_HALF_DOWN and number == whole + 0.5)
        or (mode == ROUND_HALF_EVEN and number == even_half)
        or (mode == ROUND_HALF_ODD and number == even_half + 1.0)
    ):
        whole += 1.0
    return whole


def _power_of_ten(exponent: int) -> float:
    return _POWERS[exponent - _LOWEST_TABLED_EXPONENT] if exponent <= 22 else float_power(10.0, float(exponent))


def _exponent_of(number: float) -> int:
    """floor(log10(|number|))."""
    magnitude = abs(number)
    if magnitude < _POWERS[0] or magnitude > _POWERS[-1]:
        return math.floor(math.log10(magnitude))
    return bisect_right(_POWERS, magnitude) - 1 + _LOWEST_TABLED_EXPONENT


def php_round(number: float, places: int, mode: int = ROUND_HALF_UP) -> float:
    """``round($number, $places, $mode)`` of a float."""
    if not math.isfinite(number) or number == 0.0:
        return number
    places = max(places, _INT_MIN + 1)
    sure_places = _SURE_DIGITS - 1 - _exponent_of(number)
    factor = _power_of_ten(abs(places))
    if sure_places > places > sure_places - _SURE_DIGITS:
        shift = _power_of_ten(abs(sure_places))
        scaled = _to_whole(number * shift if sure_places >= 0 else number / shift, mode)
        scaled = scaled / _power_of_ten(abs(max(places - sure_places, _INT_MIN + 1)))
    else:
        scaled = number * factor if places >= 0 else number / factor
        if abs(scaled) >= 1e15:
            return number
    scaled = _to_whole(scaled, mode)
    if abs(places) < _MOST_EXACT_PLACES:
        return scaled / factor if places > 0 else scaled * factor
    rounded = string_to_float(f"{scaled:15f}e{-places}".encode())
    return rounded if math.isfinite(rounded) else number
