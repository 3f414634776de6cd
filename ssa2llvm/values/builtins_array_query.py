"""Array builtins that ask: is it in there, how many, which are in both."""

from __future__ import annotations

from ssa2llvm.values import arith
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.array_key import offset_key, string_key
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.builtins_array import copy_element, value_of
from ssa2llvm.values.compare import identical, loosely_equal
from ssa2llvm.values.convert import to_number, to_string
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import PhpObject, Value


@builtin("array_key_exists($key, array $array): bool", does=Does.THROWS, folds=True)
def _array_key_exists(host: Host, key: Value, array: PhpArray) -> bool:
    return offset_key(key, host) in array


@builtin("key_exists($key, array $array): bool", does=Does.THROWS)
def _key_exists(host: Host, key: Value, array: PhpArray) -> bool:
    return offset_key(key, host, "key_exists(): Argument #1 ($key) must be a valid array offset type") in array


@builtin("array_key_first(array $array): int|string|null", folds=True)
def _array_key_first(host: Host, array: PhpArray) -> Value:
    return next(array.keys(), None)


@builtin("array_key_last(array $array): int|string|null", folds=True)
def _array_key_last(host: Host, array: PhpArray) -> Value:
    table = array.table_for_read()
    position = table.retreat(table.used - 1)
    return table.key_at(position) if position < table.used else None


@builtin("array_is_list(array $array): bool", folds=True)
def _array_is_list(host: Host, array: PhpArray) -> bool:
    return array.is_list()


@builtin("in_array(mixed $needle, array $haystack, bool $strict = false): bool", folds=True)
def _in_array(host: Host, needle: Value, haystack: PhpArray, strict: bool) -> bool:
    return _array_search(host, needle, haystack, strict) is not False


@builtin("array_search(mixed $needle, array $haystack, bool $strict = false): string|int|false", folds=True)
def _array_search(host: Host, needle: Value, haystack: PhpArray, strict: bool) -> Value:
    for key, value in haystack.items():
        if identical(needle, value) if strict else loosely_equal(needle, value, host):
            return key
    return False


@builtin("array_sum(array $array): int|float", does=Does.WARNS)
def _array_sum(host: Host, array: PhpArray) -> Value:
    total: Value = 0
    for value in array.values():
        if not isinstance(value, (PhpArray, PhpObject)):
            total = arith.add(total, to_number(value), host)
    return total


@builtin("array_product(array $array): int|float", does=Does.WARNS)
def _array_product(host: Host, array: PhpArray) -> Value:
    product: Value = 1
    for value in array.values():
        if not isinstance(value, (PhpArray, PhpObject)):
            product = arith.multiply(product, to_number(value), host)
    return product


@builtin("array_unique(array $array, int $flags = 2): array", does=Does.WARNS, folds=True)
def array_unique(host: Host, array: PhpArray, flags: int) -> PhpArray:
    """Only the default comparison (as strings) and SORT_REGULAR, NUMERIC by equality with an earlier kept value."""
    unique = PhpArray()
    seen: set[bytes] = set()
    for key, element in array.elements():
        value = value_of(element)
        if flags == _SORT_STRING:
            text = to_string(value, host)
            if text in seen:
                continue
            seen.add(text)
        elif any(_equal_for_unique(value, kept, flags, host) for kept in unique.values()):
            continue
        unique.put(key, copy_element(element))
    return unique


_SORT_STRING, _SORT_NUMERIC = 2, 1


def _equal_for_unique(left: Value, right: Value, flags: int, host: Host) -> bool:
    if flags == _SORT_NUMERIC and not isinstance(left, PhpArray) and not isinstance(right, PhpArray):
        return float(to_number(left)) == float(to_number(right))
    return loosely_equal(left, right, host)


@builtin("array_count_values(array $array): array", does=Does.WARNS)
def _array_count_values(host: Host, array: PhpArray) -> PhpArray:
    counts = PhpArray()
    for value in array.values():
        if isinstance(value, bytes) or (isinstance(value, int) and not isinstance(value, bool)):
            key = string_key(value) if isinstance(value, bytes) else value
            before = counts.get(key) if key in counts else 0
            assert isinstance(before, int)
            counts.put(key, before + 1)
        else:
            host.warning("array_count_values(): Can only count string and integer values, entry skipped")
    return counts


@builtin("array_column(array $array, int|string|null $column_key, int|string|null $index_key = null): array")
def _array_column(host: Host, array: PhpArray, column_key: Value, index_key: Value) -> PhpArray:
    column = PhpArray()
    for row in array.values():
        if not isinstance(row, PhpArray):
            continue
        if column_key is None:
            value: Value = row
        elif offset_key(column_key, host) in row:
            value = row.get(offset_key(column_key, host))
        else:
            continue
        if index_key is not None and offset_key(index_key, host) in row:
            index = row.get(offset_key(index_key, host))
            is_key = isinstance(index, (int, bytes))
            column.put(offset_key(index, host) if is_key else string_key(to_string(index, host)), copy_value(value))
        else:
            column.append(copy_value(value))
    return column


def _difference(arrays: tuple[PhpArray, ...], host: Host, by_key: bool, by_value: bool, keep_common: bool) -> PhpArray:
    """Entries of the first array that are in all others (``keep_common``) or in none; values compare as strings."""
    first, *others = arrays
    entries = [{key: to_string(value, host) if by_value else b"" for key, value in other.items()} for other in others]
    values = [set(entry.values()) for entry in entries]
    result = PhpArray()
    for key, element in first.elements():
        text = to_string(value_of(element), host) if by_value else b""
        found = [
            (entry.get(key) == text if by_key and by_value else key in entry if by_key else text in texts)
            for entry, texts in zip(entries, values, strict=True)
        ]
        if all(found) if keep_common else not any(found):
            result.put(key, copy_element(element))
    return result


@builtin("array_diff(array $array, array ...$arrays): array", does=Does.WARNS, folds=True)
def _array_diff(host: Host, *arrays: PhpArray) -> PhpArray:
    return _difference(arrays, host, by_key=False, by_value=True, keep_common=False)


@builtin("array_diff_key(array $array, array ...$arrays): array", folds=True)
def _array_diff_key(host: Host, *arrays: PhpArray) -> PhpArray:
    return _difference(arrays, host, by_key=True, by_value=False, keep_common=False)


@builtin("array_diff_assoc(array $array, array ...$arrays): array", does=Does.WARNS, folds=True)
def _array_diff_assoc(host: Host, *arrays: PhpArray) -> PhpArray:
    return _difference(arrays, host, by_key=True, by_value=True, keep_common=False)


@builtin("array_intersect(array $array, array ...$arrays): array", does=Does.WARNS)
def _array_intersect(host: Host, *arrays: PhpArray) -> PhpArray:
    return _difference(arrays, host, by_key=False, by_value=True, keep_common=True)


@builtin("array_intersect_key(array $array, array ...$arrays): array")
def _array_intersect_key(host: Host, *arrays: PhpArray) -> PhpArray:
    return _difference(arrays, host, by_key=True, by_value=False, keep_common=True)
