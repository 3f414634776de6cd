"""Natural order: ``img12`` after ``img9`` (ext/standard/strnatcmp.c:strnatcmp_ex, after Martin Pool).

Runs of digits compare as numbers, or digit by digit if one begins with 0; whitespace is skipped. Linear in the strings.
"""

from __future__ import annotations

_WHITESPACE = b" \t\n\v\f\r"
_DIGITS = b"0123456789"


def _skip(text: bytes, position: int, what: bytes) -> int:
    while position < len(text) and text[position] in what:
        position += 1
    return position


def _significant_start(text: bytes) -> int:
    """Behind leading zeros, but before the last digit of the first run."""
    position = 0
    while text[position] == _DIGITS[0] and position + 1 < len(text) and text[position + 1] in _DIGITS:
        position += 1
    return position


def _sign(left: tuple[int, bytes] | bytes | int, right: tuple[int, bytes] | bytes | int) -> int:
    return (left > right) - (left < right)  # type: ignore[operator]


def natural_compare(left: bytes, right: bytes, ignore_case: bool) -> int:
    """-1, 0 or 1."""
    if not left or not right:
        return _sign(len(left), len(right))
    i, j = _significant_start(left), _significant_start(right)
    while True:
        i, j = _skip(left, i, _WHITESPACE), _skip(right, j, _WHITESPACE)
        a = left[i] if i < len(left) else 0
        b = right[j] if j < len(right) else 0
        if a in _DIGITS and b in _DIGITS and i < len(left) and j < len(right):
            end_i, end_j = _skip(left, i, _DIGITS), _skip(right, j, _DIGITS)
            run_a, run_b = left[i:end_i], right[j:end_j]
            if _DIGITS[0] in (a, b):
                order = _sign(run_a, run_b)
            else:
                order = _sign((len(run_a), run_a), (len(run_b), run_b))
            if order:
                return order
            i, j = end_i, end_j
            if i == len(left) or j == len(right):
                return _sign(i < len(left), j < len(right))
            a, b = left[i], right[j]
        if ignore_case:
            a, b = bytes([a]).upper()[0], bytes([b]).upper()[0]
        if a != b:
            return _sign(a, b)
        i, j = i + 1, j + 1
        if i >= len(left) or j >= len(right):
            return _sign(i < len(left), j < len(right))
