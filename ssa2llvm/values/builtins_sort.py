"""Sorting builtins. PHP sorts by a comparison chosen by flags or given by the user, breaks ties by position, and
keeps or renumbers keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.builtins_array import array_of, value_of
from ssa2llvm.values.compare import compare, compare_strings
from ssa2llvm.values.convert import to_bool, to_int, to_number, to_string
from ssa2llvm.values.host import Host
from ssa2llvm.values.natural import natural_compare
from ssa2llvm.values.table import Element
from ssa2llvm.values.types import Ref, Value
from ssa2llvm.values.zend_sort import zend_sort

SORT_REGULAR, SORT_NUMERIC, SORT_STRING, SORT_NATURAL, SORT_FLAG_CASE = 0, 1, 2, 6, 8

ValueCompare = Callable[[Value, Value], int]


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry and where it stood."""

    key: Key
    element: Element
    position: int


def _by_flags(flags: int, host: Host) -> ValueCompare:
    """The comparison that SORT_* flags ask for (``php_get_data_compare_func``)."""

    def numeric(left: Value, right: Value) -> int:
        first, second = (float(number) for number in (_number(left), _number(right)))
        return 0 if first == second else (-1 if first < second else 1)

    def string(left: Value, right: Value) -> int:
        first, second = to_string(left, host), to_string(right, host)
        if flags & SORT_FLAG_CASE:
            first, second = first.lower(), second.lower()
        return (first > second) - (first < second)

    def natural(left: Value, right: Value) -> int:
        return natural_compare(to_string(left, host), to_string(right, host), bool(flags & SORT_FLAG_CASE))

    kind = flags & ~SORT_FLAG_CASE
    if kind == SORT_NATURAL:
        return natural
    if kind == SORT_NUMERIC:
        return numeric
    if kind == SORT_STRING:
        return string
    return lambda left, right: compare(left, right, host)


def _number(value: Value) -> int | float:
    return (1 if len(value) else 0) if isinstance(value, PhpArray) else to_number(value)


def _by_user(function: str, callback: Value, host: Host) -> ValueCompare:
    """The user's comparison. One that returns false where it should return -1 is asked again the other way round,
    with a deprecation the first time (``php_array_user_compare``)."""
    warned = False

    def user(left: Value, right: Value) -> int:
        nonlocal warned
        result = host.call(callback, [left, right])
        if result is False:
            if not warned:
                host.deprecated(
                    f"{function}(): Returning bool from comparison function is deprecated, "
                    "return an integer less than, equal to, or greater than zero"
                )
                warned = True
            if to_bool(host.call(callback, [right, left])):
                return -1
        number = to_int(result, host)
        return (number > 0) - (number < 0)

    return user


def _sort_array(
    array: Ref, order: ValueCompare, by_key: bool = False, reverse: bool = False, renumber: bool = False
) -> bool:
    """Sort the array in the cell; ties keep their order."""
    entries = [_Entry(key, element, position) for position, (key, element) in enumerate(array_of(array).elements())]

    def entry_order(left: _Entry, right: _Entry) -> int:
        a = left.key if by_key else value_of(left.element)
        b = right.key if by_key else value_of(right.element)
        result = order(b, a) if reverse else order(a, b)
        return result or (1 if left.position > right.position else -1)

    zend_sort(entries, entry_order)
    if renumber:
        array.value = PhpArray.from_list(entry.element for entry in entries)
    else:
        array.value = PhpArray.from_items((entry.key, entry.element) for entry in entries)
    return True


def _key_order(flags: int, host: Host) -> ValueCompare:
    """Keys compare as values do, except that an int and a numeric-looking string compare as PHP 8 compares them."""

    def regular(left: Value, right: Value) -> int:
        if isinstance(left, bytes) and isinstance(right, bytes):
            return compare_strings(left, right)
        return compare(left, right, host)

    return regular if flags & ~SORT_FLAG_CASE == SORT_REGULAR else _by_flags(flags, host)


@builtin("sort(array &$array, int $flags = 0): true", does=Does.WARNS)
def _sort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _by_flags(flags, host), renumber=True)


@builtin("rsort(array &$array, int $flags = 0): bool", does=Does.WARNS)
def _rsort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _by_flags(flags, host), reverse=True, renumber=True)


@builtin("asort(array &$array, int $flags = 0): true", does=Does.WARNS)
def _asort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _by_flags(flags, host))


@builtin("arsort(array &$array, int $flags = 0): true", does=Does.WARNS)
def _arsort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _by_flags(flags, host), reverse=True)


@builtin("ksort(array &$array, int $flags = 0): true", does=Does.WARNS)
def _ksort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _key_order(flags, host), by_key=True)


@builtin("krsort(array &$array, int $flags = 0): true", does=Does.WARNS)
def _krsort(host: Host, array: Ref, flags: int) -> bool:
    return _sort_array(array, _key_order(flags, host), by_key=True, reverse=True)


@builtin("usort(array &$array, callable $callback): true", does=Does.CALLS_BACK | Does.WARNS)
def _usort(host: Host, array: Ref, callback: Value) -> bool:
    return _sort_array(array, _by_user("usort", callback, host), renumber=True)


@builtin("uasort(array &$array, callable $callback): true", does=Does.CALLS_BACK | Does.WARNS)
def _uasort(host: Host, array: Ref, callback: Value) -> bool:
    return _sort_array(array, _by_user("uasort", callback, host))


@builtin("uksort(array &$array, callable $callback): true", does=Does.CALLS_BACK | Does.WARNS)
def _uksort(host: Host, array: Ref, callback: Value) -> bool:
    return _sort_array(array, _by_user("uksort", callback, host), by_key=True)


@builtin("natsort(array &$array): bool", does=Does.WARNS)
def _natsort(host: Host, array: Ref) -> bool:
    return _sort_array(array, _by_flags(SORT_NATURAL, host))


@builtin("natcasesort(array &$array): bool", does=Does.WARNS)
def _natcasesort(host: Host, array: Ref) -> bool:
    return _sort_array(array, _by_flags(SORT_NATURAL | SORT_FLAG_CASE, host))


@builtin("strnatcmp(string $string1, string $string2): int", range=(-1, 1))
def _strnatcmp(host: Host, string1: bytes, string2: bytes) -> int:
    return natural_compare(string1, string2, ignore_case=False)


@builtin("strnatcasecmp(string $string1, string $string2): int", range=(-1, 1))
def _strnatcasecmp(host: Host, string1: bytes, string2: bytes) -> int:
    return natural_compare(string1, string2, ignore_case=True)
