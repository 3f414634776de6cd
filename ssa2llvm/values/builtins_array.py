"""Array builtins that make arrays, and take from or add to them. Others: ``builtins_array_query``, ``_pointer``,
``_sort``.
"""

from __future__ import annotations

from ssa2llvm.ir import types as t
from ssa2llvm.ir.literals import Key
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.array_key import string_key
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.builtins_string import slice_bounds
from ssa2llvm.values.compare import identical, loosely_equal
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host, NeedsProgram, PhpError
from ssa2llvm.values.table import Element
from ssa2llvm.values.types import PHP_INT_MAX, Ref, Value, type_name

_COUNT = (0, PHP_INT_MAX)
_LIST = t.MAY_BE_ARRAY_PACKED | t.MAY_BE_ARRAY_EMPTY
_ANY_LIST = _LIST | t.MAY_BE_ARRAY_OF_ANY | t.MAY_BE_ARRAY_OF_REF
_MAX_ELEMENTS = 2**27


def array_of(cell: Ref) -> PhpArray:
    """The array in a by-reference argument, after its type was checked."""
    if not isinstance(cell.value, PhpArray):
        raise NeedsProgram("the properties of an object as an array")
    return cell.value


def copy_element(element: Element) -> Element:
    """An element for a second array: arrays are copied lazily, references are shared."""
    return element if isinstance(element, Ref) else copy_value(element)


def _count_elements(value: Value, mode: int, function: str) -> int:
    if mode not in (0, 1):
        raise PhpError(
            "ValueError", f"{function}(): Argument #2 ($mode) must be either COUNT_NORMAL or COUNT_RECURSIVE"
        )
    if not isinstance(value, PhpArray):
        wanted = f"{function}(): Argument #1 ($value) must be of type Countable|array, {type_name(value)} given"
        raise PhpError("TypeError", wanted)
    total = len(value)
    pending = [value] if mode else []
    while pending:
        for element in pending.pop().values():
            if isinstance(element, PhpArray):
                total += len(element)
                pending.append(element)
    return total


@builtin(
    "count(Countable|array $value, int $mode = 0): int", does=Does.THROWS, range=_COUNT, folds=True, unchecked="value"
)
def _count(host: Host, value: Value, mode: int) -> int:
    return _count_elements(value, mode, "count")


@builtin("sizeof(Countable|array $value, int $mode = 0): int", does=Does.THROWS, range=_COUNT, unchecked="value")
def _sizeof(host: Host, value: Value, mode: int) -> int:
    return _count_elements(value, mode, "sizeof")


@builtin(
    "array_keys(array $array, mixed $filter_value = UNKNOWN, bool $strict = false): array",
    elements=_ANY_LIST,
    folds=True,
)
def _array_keys(host: Host, array: PhpArray, *search: Value) -> PhpArray:
    if not search:
        return PhpArray.from_list(array.keys())
    strict = len(search) > 1 and search[1] is True
    return PhpArray.from_list(
        key
        for key, value in array.items()
        if (identical(value, search[0]) if strict else loosely_equal(value, search[0], host))
    )


@builtin("array_values(array $array): array", elements=_ANY_LIST, folds=True)
def _array_values(host: Host, array: PhpArray) -> PhpArray:
    return PhpArray.from_list(copy_element(element) for _, element in array.elements())


@builtin("array_merge(array ...$arrays): array", folds=True)
def _array_merge(host: Host, *arrays: PhpArray) -> PhpArray:
    merged = PhpArray()
    for array in arrays:
        for key, element in array.elements():
            if isinstance(key, int):
                merged.append(copy_element(element))
            else:
                merged.put(key, copy_element(element))
    return merged


@builtin("array_combine(array $keys, array $values): array", does=Does.THROWS)
def _array_combine(host: Host, keys: PhpArray, values: PhpArray) -> PhpArray:
    if len(keys) != len(values):
        raise PhpError(
            "ValueError",
            "array_combine(): Argument #1 ($keys) and argument #2 ($values) must have the same number of elements",
        )
    combined = PhpArray()
    for key, value in zip(keys.values(), values.values(), strict=True):
        combined.put(_int_or_string_key(key, host), copy_value(value))
    return combined


@builtin("array_flip(array $array): array", does=Does.WARNS, folds=True)
def _array_flip(host: Host, array: PhpArray) -> PhpArray:
    flipped = PhpArray()
    for key, value in array.items():
        if isinstance(value, bytes):
            flipped.put(string_key(value), key)
        elif isinstance(value, int) and not isinstance(value, bool):
            flipped.put(value, key)
        else:
            host.warning("array_flip(): Can only flip string and integer values, entry skipped")
    return flipped


@builtin("array_reverse(array $array, bool $preserve_keys = false): array")
def _array_reverse(host: Host, array: PhpArray, preserve_keys: bool) -> PhpArray:
    reversed_array = PhpArray()
    for key, element in reversed(list(array.elements())):
        if isinstance(key, int) and not preserve_keys:
            reversed_array.append(copy_element(element))
        else:
            reversed_array.put(key, copy_element(element))
    return reversed_array


@builtin("array_fill(int $start_index, int $count, mixed $value): array", does=Does.THROWS)
def _array_fill(host: Host, start_index: int, count: int, value: Value) -> PhpArray:
    if count < 0:
        raise PhpError("ValueError", "array_fill(): Argument #2 ($count) must be greater than or equal to 0")
    if count >= _MAX_ELEMENTS:
        raise PhpError("ValueError", "array_fill(): Argument #2 ($count) is too large")
    if start_index > PHP_INT_MAX - count + 1:
        raise PhpError("Error", "Cannot add element to the array as the next element is already occupied")
    filled = PhpArray(0) if count == 0 else PhpArray()
    if count:
        filled.put(start_index, copy_value(value))
    for _ in range(count - 1):
        filled.append(copy_value(value))
    return filled


@builtin("array_fill_keys(array $keys, mixed $value): array", does=Does.WARNS)
def _array_fill_keys(host: Host, keys: PhpArray, value: Value) -> PhpArray:
    filled = PhpArray()
    for key in keys.values():
        filled.put(_int_or_string_key(key, host), copy_value(value))
    return filled


def _int_or_string_key(key: Value, host: Host) -> Key:
    return int(key) if isinstance(key, int) and not isinstance(key, bool) else string_key(to_string(key, host))


@builtin("array_pad(array $array, int $length, mixed $value): array", does=Does.THROWS)
def _array_pad(host: Host, array: PhpArray, length: int, value: Value) -> PhpArray:
    missing = abs(length) - len(array)
    if missing <= 0:
        return array.copy()
    padding = PhpArray.from_list([value] * missing)
    return _array_merge(host, array, padding) if length > 0 else _array_merge(host, padding, array)


@builtin("array_push(array &$array, mixed ...$values): int", does=Does.THROWS, range=_COUNT)
def _array_push(host: Host, array: Ref, *values: Value) -> int:
    for value in values:
        array_of(array).append(copy_value(value))
    return len(array_of(array))


def _renumber(entries: list[tuple[Key, Element]]) -> PhpArray:
    """These entries with int keys counted from 0."""
    result = PhpArray()
    for key, element in entries:
        if isinstance(key, int):
            result.append(element)
        else:
            result.put(key, element)
    return result


def value_of(element: Element) -> Value:
    """The value of an element, through its reference if it is one."""
    return element.value if isinstance(element, Ref) else element


@builtin("array_pop(array &$array): mixed")
def _array_pop(host: Host, array: Ref) -> Value:
    table = array_of(array).table_for_write()
    table.pointer = 0
    position = table.retreat(table.used - 1)
    if position == table.used:
        return None
    key, element = table.key_at(position), table.element_at(position)
    table.remove(key)
    if isinstance(key, int) and key + 1 == table.next_free:
        table.next_free -= 1
    return value_of(element)


@builtin("array_shift(array &$array): mixed")
def _array_shift(host: Host, array: Ref) -> Value:
    entries = list(array_of(array).elements())
    if not entries:
        return None
    array.value = _renumber(entries[1:])
    return value_of(entries[0][1])


@builtin("array_unshift(array &$array, mixed ...$values): int", range=_COUNT)
def _array_unshift(host: Host, array: Ref, *values: Value) -> int:
    entries = list(array_of(array).elements())
    array.value = _renumber([*((0, copy_value(value)) for value in values), *entries])
    return len(array_of(array))


@builtin("array_slice(array $array, int $offset, ?int $length = null, bool $preserve_keys = false): array")
def _array_slice(host: Host, array: PhpArray, offset: int, length: int | None, preserve_keys: bool) -> PhpArray:
    start, end = slice_bounds(len(array), offset, length)
    sliced = PhpArray()
    for key, element in list(array.elements())[start:end]:
        if isinstance(key, int) and not preserve_keys:
            sliced.append(copy_element(element))
        else:
            sliced.put(key, copy_element(element))
    return sliced


@builtin("array_splice(array &$array, int $offset, ?int $length = null, mixed $replacement = []): array")
def _array_splice(host: Host, array: Ref, offset: int, length: int | None, replacement: Value) -> PhpArray:
    entries = list(array_of(array).elements())
    start, end = slice_bounds(len(entries), offset, length)
    if length is not None and start + length > PHP_INT_MAX:
        end = start  # PHP's own overflow: nothing is removed
    inserted = list(replacement.elements()) if isinstance(replacement, PhpArray) else [(0, replacement)]
    middle: list[tuple[Key, Element]] = [(0, copy_element(element)) for _, element in inserted]
    array.value = _renumber(entries[:start] + middle + entries[end:])
    return _renumber(entries[start:end])


@builtin(
    "array_chunk(array $array, int $length, bool $preserve_keys = false): array", does=Does.THROWS, elements=_ANY_LIST
)
def _array_chunk(host: Host, array: PhpArray, length: int, preserve_keys: bool) -> PhpArray:
    if length < 1:
        raise PhpError("ValueError", "array_chunk(): Argument #2 ($length) must be greater than 0")
    entries = list(array.elements())
    chunks = PhpArray()
    for start in range(0, len(entries), length):
        chunk = PhpArray()
        for key, element in entries[start : start + length]:
            if preserve_keys:
                chunk.put(key, copy_element(element))
            else:
                chunk.append(copy_element(element))
        chunks.append(chunk)
    return chunks
