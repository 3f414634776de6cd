"""Builtins that call back into the program."""

from __future__ import annotations

from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.builtins_array import array_of, copy_element, value_of
from ssa2llvm.values.convert import to_bool
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import Ref, Value, type_name

ARRAY_FILTER_USE_KEY, ARRAY_FILTER_USE_BOTH = 2, 1


@builtin("array_map(?callable $callback, array $array, array ...$arrays): array", does=Does.CALLS_BACK | Does.THROWS)
def _array_map(host: Host, callback: Value, array: PhpArray, *arrays: PhpArray) -> PhpArray:
    if not arrays:
        if callback is None:
            return array.copy()
        return PhpArray.from_items((key, host.call(callback, [copy_value(value)])) for key, value in array.items())
    for position, other in enumerate(arrays, start=3):
        if not isinstance(other, PhpArray):
            raise PhpError(
                "TypeError", f"array_map(): Argument #{position} must be of type array, {type_name(other)} given"
            )
    columns = [list(column.values()) for column in (array, *arrays)]
    mapped = PhpArray()
    for row in range(max(len(column) for column in columns)):
        arguments = [copy_value(column[row]) if row < len(column) else None for column in columns]
        mapped.append(PhpArray.from_list(arguments) if callback is None else host.call(callback, arguments))
    return mapped


@builtin("array_filter(array $array, ?callable $callback = null, int $mode = 0): array", does=Does.CALLS_BACK)
def _array_filter(host: Host, array: PhpArray, callback: Value, mode: int) -> PhpArray:
    kept = PhpArray()
    for key, element in array.elements():
        value = value_of(element)
        if callback is None:
            verdict = value
        elif mode == ARRAY_FILTER_USE_KEY:
            verdict = host.call(callback, [key])
        elif mode == ARRAY_FILTER_USE_BOTH:
            verdict = host.call(callback, [copy_value(value), key])
        else:
            verdict = host.call(callback, [copy_value(value)])
        if to_bool(verdict):
            kept.put(key, copy_element(element))
    return kept


@builtin("array_reduce(array $array, callable $callback, mixed $initial = null): mixed", does=Does.CALLS_BACK)
def _array_reduce(host: Host, array: PhpArray, callback: Value, initial: Value) -> Value:
    carry = copy_value(initial)
    for value in array.values():
        carry = host.call(callback, [carry, copy_value(value)])
    return carry


@builtin("array_walk(object|array &$array, callable $callback, mixed $arg = UNKNOWN): true", does=Does.CALLS_BACK)
def _array_walk(host: Host, array: Ref, callback: Value, *arg: Value) -> bool:
    for key in list(array_of(array).keys()):
        if key in array_of(array):
            host.call(callback, [array_of(array).reference(key), key, *arg])
    return True


@builtin("call_user_func(callable $callback, mixed ...$args): mixed", does=Does.CALLS_BACK)
def _call_user_func(host: Host, callback: Value, *args: Value) -> Value:
    return host.call(callback, [copy_value(argument) for argument in args])


@builtin("call_user_func_array(callable $callback, array $args): mixed", does=Does.CALLS_BACK)
def _call_user_func_array(host: Host, callback: Value, args: PhpArray) -> Value:
    return host.call(callback, [copy_element(element) for _, element in args.elements()])
