"""``range``. Follows ext/standard/array.c:PHP_FUNCTION(range) of 8.2: letters for two non-numeric strings, floats if
a bound or the step is one, else ints; the step's sign is ignored."""

from __future__ import annotations

import math

from ssa2llvm.ir import types as t
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.convert import float_to_int, to_float, to_int
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.rounding import php_round
from ssa2llvm.values.types import Value, wrap_int

_MAX_SIZE = 0x40000000


def _check_step(distance: float, step: float) -> None:
    if distance < step or step <= 0:
        raise PhpError("ValueError", "range(): Argument #3 ($step) must not exceed the specified range")


def _check_size(size: float, first: str, last: str) -> None:
    if size >= _MAX_SIZE:
        raise PhpError("ValueError", f"The supplied range exceeds the maximum array size: start={first} end={last}")


def _float_range(low: float, high: float, step: float) -> PhpArray:
    if math.isinf(low) or math.isinf(high):
        raise PhpError("ValueError", f"Invalid range supplied: start={low:.0f} end={high:.0f}")
    if not (low > high or high > low):
        return PhpArray.from_list([low])
    distance, sign = abs(high - low), (1 if high > low else -1)
    _check_step(distance, step)
    size = distance / step + 1
    _check_size(size, f"{low:.0f}", f"{high:.0f}")
    if math.isnan(size):
        return PhpArray()
    candidates = (low + sign * (index * step) if index else low for index in range(int(php_round(size, 0))))
    return PhpArray.from_list(number for number in candidates if sign * number <= sign * high)


def _int_range(low: int, high: int, step: float) -> PhpArray:
    if low == high:
        if step <= 0:
            _check_step(0, step)
        return PhpArray.from_list([low])
    distance, sign = abs(high - low), (1 if high > low else -1)
    whole_step = float_to_int(step)
    _check_step(distance, whole_step)
    _check_size(distance // whole_step + 1, str(low), str(high))
    return PhpArray.from_list(wrap_int(low + sign * index * whole_step) for index in range(distance // whole_step + 1))


def _letter_range(low: int, high: int, step: float) -> PhpArray:
    if low != high:
        _check_step(abs(high - low), float_to_int(step))
    sign = 1 if high >= low else -1
    codes = range(low, high + sign, sign * max(float_to_int(step), 1))
    return PhpArray.from_list(bytes([code]) for code in codes)


@builtin(
    "range($start, $end, int|float $step = 1): array",
    does=Does.WARNS | Does.THROWS,
    elements=t.MAY_BE_ARRAY_PACKED | (t.MAY_BE_LONG | t.MAY_BE_DOUBLE | t.MAY_BE_STRING) << t.ARRAY_SHIFT,
)
def _range(host: Host, start: Value, end: Value, step: int | float) -> PhpArray:
    """The sequence from ``start`` to ``end``, both included if the step meets it."""
    width = abs(float(step))
    is_float = isinstance(step, float)
    if isinstance(start, bytes) and isinstance(end, bytes) and start and end:
        low, high = numeric_value(start), numeric_value(end)
        if not (isinstance(low, float) or isinstance(high, float) or is_float or low is not None or high is not None):
            return _letter_range(start[0], end[0], width)
        is_float = is_float or isinstance(low, float) or isinstance(high, float)
    elif isinstance(start, float) or isinstance(end, float):
        is_float = True
    if is_float:
        return _float_range(to_float(start, host), to_float(end, host), width)
    return _int_range(to_int(start, host), to_int(end, host), width)
