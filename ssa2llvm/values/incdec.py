"""``++`` and ``--``. Follows Zend/zend_operators.c (``increment_function``, ``decrement_function``,
``increment_string``).
"""

from __future__ import annotations

from ssa2llvm.values.host import PhpError
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.types import Value, fits_int, type_name


def _step(number: int | float, step: int) -> int | float:
    if isinstance(number, int):
        stepped = number + step
        return stepped if fits_int(stepped) else float(number) + step
    return number + step


def increment(value: Value) -> Value:
    """The value of ``$x`` after ``$x++``. Bools stay; null becomes 1; a non-numeric string counts on: ``az`` to
    ``ba``.
    """
    if value is None:
        return 1
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _step(value, 1)
    if isinstance(value, bytes):
        number = numeric_value(value)
        return increment_string(value) if number is None else _step(number, 1)
    raise PhpError("TypeError", f"Cannot increment {type_name(value)}")


def decrement(value: Value) -> Value:
    """The value of ``$x`` after ``$x--``. Null, bools and non-numeric strings stay; ``""`` becomes -1."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _step(value, -1)
    if isinstance(value, bytes):
        if value == b"":
            return -1
        number = numeric_value(value)
        return value if number is None else _step(number, -1)
    raise PhpError("TypeError", f"Cannot decrement {type_name(value)}")


_WRAPS = {ord("z"): ord("a"), ord("Z"): ord("A"), ord("9"): ord("0")}
_CARRY_OUT = {ord("a"): b"a", ord("A"): b"A", ord("0"): b"1"}


def increment_string(text: bytes) -> bytes:
    """Count a string on: letters and digits from the right, with carry, up to the first other byte."""
    if not text:
        return b"1"
    result = bytearray(text)
    for position in range(len(result) - 1, -1, -1):
        byte = result[position]
        if byte not in _WRAPS:
            if bytes([byte]).isalnum():
                result[position] = byte + 1
            return bytes(result)
        result[position] = _WRAPS[byte]
    return _CARRY_OUT[result[0]] + bytes(result)
