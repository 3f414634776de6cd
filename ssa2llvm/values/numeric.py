"""Numeric strings: which strings are numbers, wholly or in front, and which number they are.

Follows Zend/zend_operators.c:_is_numeric_string_ex and Zend/zend_strtod.c:zend_strtod. Linear in the string.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WHITESPACE = b" \t\n\r\v\f"
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))([eE][+-]?[0-9]+)?")
_FLOAT_PREFIX = re.compile(rb"[ \t\n\r\v\f]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_MAX_LENGTH_OF_LONG = 20
_LONG_MIN_DIGITS = b"9223372036854775808"


class Numeric(NamedTuple):
    """The number a string starts with."""

    value: int | float
    overflow: int
    """-1 or 1 if it is an integer too small or too large for PHP's int (``value`` is then a float), else 0."""
    trailing: bool
    """Whether anything but whitespace follows it."""


def parse_numeric(data: bytes) -> Numeric | None:
    """The number at the start of ``data`` after optional whitespace, or None if there is none.

    A *numeric string* is one whose result has ``trailing`` False; otherwise it is *leading-numeric*.
    """
    start = len(data) - len(data.lstrip(_WHITESPACE))
    match = _NUMBER.match(data, start)
    if match is None:
        return None
    text = match.group()
    rest = data[match.end() :]
    trailing = bool(rest.strip(_WHITESPACE))
    if match.group(2) is None:
        sign = -1 if text.startswith(b"-") else 1
        whole = text if match.group(1) is None and match.group(3) is None else re.split(rb"[.eE]", text, maxsplit=1)[0]
        digits = whole.lstrip(b"+-").lstrip(b"0")
        if len(digits) >= _MAX_LENGTH_OF_LONG:
            return Numeric(float(text), sign, trailing)
        if whole is text:
            if len(digits) == _MAX_LENGTH_OF_LONG - 1:
                # Zend compares with strcmp, which sees what follows the digits: PHP_INT_MIN itself is an int only
                # if the string (up to a NUL) ends there.
                tail = digits + rest.split(b"\0", 1)[0]
                if tail > _LONG_MIN_DIGITS or (tail == _LONG_MIN_DIGITS and sign > 0):
                    return Numeric(float(text), sign, trailing)
            return Numeric(int(text), 0, trailing)
    return Numeric(float(text), 0, trailing)


def numeric_value(data: bytes) -> int | float | None:
    """The number a numeric string stands for (whitespace around it is allowed), or None for every other string."""
    parsed = parse_numeric(data)
    return None if parsed is None or parsed.trailing else parsed.value


def string_to_float(data: bytes) -> float:
    """The float at the start of ``data``, 0.0 if there is none (``zend_strtod``)."""
    match = _FLOAT_PREFIX.match(data)
    return float(match.group(1)) if match else 0.0
