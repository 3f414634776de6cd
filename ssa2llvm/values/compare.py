"""Comparison: ``==  ===  <  <=  <=>`` on every pair of values.

Follows Zend/zend_operators.c (``zend_compare``, ``zend_is_identical``, ``zendi_smart_strcmp``,
``zend_hash_compare``). All the loose operators are one three-way comparison; its result is 1 for unordered pairs
(NaN, arrays with different keys), which is why ``$a > $b`` is compiled as ``$b < $a`` and both can be false.
Comparing int with float is done as floats, like PHP.

Nested arrays are walked with an explicit stack, so their depth is not limited by Python's.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.convert import to_bool, to_number
from ssa2llvm.values.host import Host
from ssa2llvm.values.number_format import float_to_string
from ssa2llvm.values.numeric import numeric_value, parse_numeric
from ssa2llvm.values.types import PhpObject, Value


def _three_way(left: int | float | bytes, right: int | float | bytes) -> int:
    """-1, 0 or 1; 1 if unordered. Both of one kind, or numbers."""
    return 0 if left == right else (-1 if left < right else 1)  # type: ignore[operator]


def _compare_numbers(left: int | float, right: int | float) -> int:
    if isinstance(left, int) and isinstance(right, int):
        return _three_way(left, right)
    return _three_way(float(left), float(right))


def compare_strings(left: bytes, right: bytes) -> int:
    """Two strings: as numbers if both are numeric strings, else byte by byte (``zendi_smart_strcmp``)."""
    left_number, right_number = parse_numeric(left), parse_numeric(right)
    if left_number is None or right_number is None or left_number.trailing or right_number.trailing:
        return _three_way(left, right)
    left_value, right_value = left_number.value, right_number.value
    if isinstance(left_value, int) and isinstance(right_value, int):
        return _three_way(left_value, right_value)
    if left_number.overflow and left_number.overflow == right_number.overflow and left_value == right_value:
        return _three_way(left, right)  # both too large for an int: as floats they may be equal only by rounding
    if isinstance(left_value, int) and right_number.overflow:
        return -right_number.overflow
    if isinstance(right_value, int) and left_number.overflow:
        return left_number.overflow
    if left_value == right_value and isinf(left_value) and isinf(right_value):
        return _three_way(left, right)
    return _three_way(float(left_value), float(right_value))


def _compare_number_with_string(number: int | float, text: bytes) -> int:
    value = numeric_value(text)
    if value is not None:
        return _compare_numbers(number, value)
    shown = str(number) if isinstance(number, int) else float_to_string(number)
    return _three_way(shown.encode(), text)


def _compare_scalars(left: Value, right: Value) -> int:
    """Every pair but array with array and pairs with objects."""
    if isinstance(left, bytes) and isinstance(right, bytes):
        return compare_strings(left, right)
    if left is None and isinstance(right, bytes):
        return 0 if right == b"" else -1
    if right is None and isinstance(left, bytes):
        return 0 if left == b"" else 1
    if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
        return to_bool(left) - to_bool(right)
    if isinstance(left, PhpArray):
        return 1
    if isinstance(right, PhpArray):
        return -1
    if isinstance(left, bytes):
        number = to_number(right)
        return 1 if number != number else -_compare_number_with_string(number, left)
    if isinstance(right, bytes):
        number = to_number(left)
        return 1 if number != number else _compare_number_with_string(number, right)
    return _compare_numbers(to_number(left), to_number(right))


def _compare_with_object(left: Value, right: Value, host: Host) -> int:
    """At least one operand is an object (``zend_std_compare_objects``, without properties)."""
    if left is right:
        return 0
    if left is None:
        return -1
    if right is None:
        return 1
    if isinstance(left, PhpObject) and isinstance(right, PhpObject):
        return 1
    if isinstance(left, bytes) and isinstance(right, PhpObject):
        return compare_strings(left, host.object_to_string(right))
    if isinstance(left, PhpObject) and isinstance(right, bytes):
        return compare_strings(host.object_to_string(left), right)
    if isinstance(left, bool) or isinstance(right, bool):
        return to_bool(left) - to_bool(right)
    if isinstance(left, PhpArray) or isinstance(right, PhpArray):
        return 1 if isinstance(left, PhpObject) else -1
    for side in (left, right):
        if isinstance(side, PhpObject):
            kind = "float" if isinstance(left, float) or isinstance(right, float) else "int"
            host.warning(f"Object of class {side.class_name} could not be converted to {kind}")
    return _compare_numbers(to_number(left), to_number(right))


def compare(left: Value, right: Value, host: Host) -> int:
    """``$left <=> $right``."""
    if not (isinstance(left, PhpArray) and isinstance(right, PhpArray)):
        if isinstance(left, PhpObject) or isinstance(right, PhpObject):
            return _compare_with_object(left, right, host)
        return _compare_scalars(left, right)
    if left.shares_table(right):
        return 0
    if len(left) != len(right):
        return -1 if len(left) < len(right) else 1
    pending: list[tuple[Iterator[tuple[Key, Value]], PhpArray]] = [(left.items(), right)]
    while pending:
        entries, other = pending[-1]
        for key, value in entries:
            if key not in other:
                return 1
            against = other.get(key)
            if isinstance(value, PhpArray) and isinstance(against, PhpArray):
                if value.shares_table(against):
                    continue
                if len(value) != len(against):
                    return -1 if len(value) < len(against) else 1
                pending.append((value.items(), against))
                break
            result = compare(value, against, host)
            if result:
                return result
        else:
            pending.pop()
    return 0


def loosely_equal(left: Value, right: Value, host: Host) -> bool:
    """``$left == $right``; also what ``switch`` asks."""
    return compare(left, right, host) == 0


def is_smaller(left: Value, right: Value, host: Host) -> bool:
    """``$left < $right``."""
    return compare(left, right, host) < 0


def is_smaller_or_equal(left: Value, right: Value, host: Host) -> bool:
    """``$left <= $right``."""
    return compare(left, right, host) <= 0


def identical(left: Value, right: Value) -> bool:
    """``$left === $right``; also what ``match`` asks. Arrays: the same entries in the same order."""
    pending: list[tuple[Value, Value]] = [(left, right)]
    while pending:
        left, right = pending.pop()
        if isinstance(left, PhpArray) and isinstance(right, PhpArray):
            if left.shares_table(right):
                continue
            if len(left) != len(right):
                return False
            for (left_key, left_value), (right_key, right_value) in zip(left.items(), right.items(), strict=True):
                if type(left_key) is not type(right_key) or left_key != right_key:
                    return False
                pending.append((left_value, right_value))
        elif isinstance(left, PhpObject) or isinstance(right, PhpObject):
            if left is not right:
                return False
        elif type(left) is not type(right) or left != right:
            return False
    return True
