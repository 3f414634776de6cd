"""The internal pointer of arrays: ``current``, ``next`` and their kin."""

from __future__ import annotations

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import builtin
from ssa2llvm.values.builtins_array import array_of, value_of
from ssa2llvm.values.host import Host
from ssa2llvm.values.table import Table
from ssa2llvm.values.types import Ref, Value


def _value_at(table: Table, position: int) -> Value:
    return value_of(table.element_at(position)) if position < table.used else False


@builtin("current(object|array $array): mixed")
def _current(host: Host, array: PhpArray) -> Value:
    table = array.table_for_read()
    return _value_at(table, table.advance(table.pointer))


builtin("pos(object|array $array): mixed")(_current)


@builtin("key(object|array $array): string|int|null")
def _key(host: Host, array: PhpArray) -> Value:
    table = array.table_for_read()
    position = table.advance(table.pointer)
    return table.key_at(position) if position < table.used else None


@builtin("next(object|array &$array): mixed")
def _next(host: Host, array: Ref) -> Value:
    table = array_of(array).table_for_write()
    position = table.advance(table.pointer)
    table.pointer = table.advance(position + 1) if position < table.used else position
    return _value_at(table, table.pointer)


@builtin("prev(object|array &$array): mixed")
def _prev(host: Host, array: Ref) -> Value:
    table = array_of(array).table_for_write()
    position = table.advance(table.pointer)
    table.pointer = table.retreat(position - 1) if position < table.used else position
    return _value_at(table, table.pointer)


@builtin("reset(object|array &$array): mixed")
def _reset(host: Host, array: Ref) -> Value:
    table = array_of(array).table_for_write()
    table.pointer = table.advance(0)
    return _value_at(table, table.pointer)


@builtin("end(object|array &$array): mixed")
def _end(host: Host, array: Ref) -> Value:
    table = array_of(array).table_for_write()
    table.pointer = table.retreat(table.used - 1)
    return _value_at(table, table.pointer)
