"""PHP arrays: ordered maps from int and string keys to values, with value semantics.

A ``PhpArray`` is a handle; handles made by ``copy`` share one ``Table`` until one of them writes. Whether a table is
shared is read from CPython's count of its owners, so a copy is made exactly where PHP's refcount would ask for one,
and a reference element that nothing else holds becomes a plain value in the copy, as in ``zend_array_dup``. The table
itself is in ``table``.

Elements are values or ``Ref`` cells. ``get``/``set`` look through cells, as PHP code does; ``element``/``put`` do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from sys import getrefcount
from typing import Self

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.table import NO_KEY_YET, Element, Table
from ssa2llvm.values.types import PHP_INT_MAX, Ref, Value


class PhpArray:
    """One array value. Every method that writes separates first."""

    __slots__ = ("_table",)

    def __init__(self, next_free: int = NO_KEY_YET) -> None:
        """An empty array. ``next_free`` is 0 for the literal ``[]``, which continues at 0 even after negative keys."""
        self._table = Table(next_free)

    @classmethod
    def from_list(cls, values: Iterable[Element]) -> Self:
        """A list: keys 0, 1, 2, …"""
        array = cls()
        array._table.extend(values)
        return array

    @classmethod
    def from_items(cls, items: Iterable[tuple[Key, Element]]) -> Self:
        """An array of these entries in order; a later entry replaces an earlier one with the same key."""
        array = cls()
        for key, element in items:
            array._table.put(key, element)
        return array

    def copy(self) -> PhpArray:
        """Another value equal to this one; constant time."""
        other = PhpArray.__new__(PhpArray)
        other._table = self._table
        return other

    @property
    def is_shared(self) -> bool:
        """Whether other handles (or iterations under way) own the table too."""
        return getrefcount(self._table) > _SOLE_OWNER

    def shares_table(self, other: PhpArray) -> bool:
        """Whether both are copies of one another, not written since: equal without looking, even with NaN inside."""
        return self._table is other._table

    def table_for_write(self) -> Table:
        """The table, owned by this handle alone."""
        if getrefcount(self._table) > _SOLE_OWNER:
            self._table = _duplicate(self._table)
        return self._table

    def table_for_read(self) -> Table:
        """The table, not to be written; holding it keeps it from being changed in place."""
        return self._table

    def __len__(self) -> int:
        return self._table.count

    def __contains__(self, key: Key) -> bool:
        return self._table.find(key) >= 0

    @property
    def is_packed(self) -> bool:
        """Whether PHP would store it without a hash (``HT_IS_PACKED``)."""
        return self._table.packed

    @property
    def next_free(self) -> int:
        """What the next index depends on: one more than the greatest int key there ever was (``values.table``)."""
        return self._table.next_free

    @property
    def next_index(self) -> int:
        """The key that ``append`` would use."""
        return max(self._table.next_free, 0) if self._table.next_free == NO_KEY_YET else self._table.next_free

    def is_list(self) -> bool:
        """Whether the keys are 0, 1, 2, … in this order."""
        return all(key == position for position, key in enumerate(self.keys()))

    def element(self, key: Key) -> Element:
        """What is stored at ``key``, a ``Ref`` if it is one. Raises KeyError."""
        position = self._table.find(key)
        if position < 0:
            raise KeyError(key)
        return self._table.element_at(position)

    def get(self, key: Key) -> Value:
        """The value at ``key``. Raises KeyError."""
        element = self.element(key)
        return element.value if isinstance(element, Ref) else element

    def set(self, key: Key, value: Value) -> None:
        """Assign to ``$array[key]``: through the reference if the element is one."""
        table = self.table_for_write()
        position = table.find(key)
        if position >= 0:
            element = table.element_at(position)
            if isinstance(element, Ref):
                element.value = value
                return
        table.put(key, value)

    def put(self, key: Key, element: Element) -> None:
        """Store ``element`` at ``key``, replacing what is there even if that is a reference."""
        self.table_for_write().put(key, element)

    def append(self, element: Element) -> int:
        """Store ``element`` at the next free index and return that; PHP's Error if there is none."""
        table = self.table_for_write()
        if table.next_free == PHP_INT_MAX and table.find(PHP_INT_MAX) >= 0:
            raise PhpError("Error", "Cannot add element to the array as the next element is already occupied")
        return table.append(element)

    def remove(self, key: Key) -> None:
        """Remove the entry at ``key`` if there is one."""
        if self._table.find(key) >= 0:
            self.table_for_write().remove(key)

    def reference(self, key: Key) -> Ref:
        """The element at ``key`` as a reference cell, made one (and made null) if it was not."""
        table = self.table_for_write()
        position = table.find(key)
        element = table.element_at(position) if position >= 0 else None
        if isinstance(element, Ref):
            return element
        cell = Ref(element)
        table.put(key, cell)
        return cell

    def elements(self) -> Iterator[tuple[Key, Element]]:
        """Entries in order, references as cells. Writing to the array meanwhile does not disturb it."""
        table = self._table
        position = table.advance(0)
        while position < table.used:
            yield table.key_at(position), table.element_at(position)
            position = table.advance(position + 1)

    def items(self) -> Iterator[tuple[Key, Value]]:
        """Entries in order, looking through references."""
        for key, element in self.elements():
            yield key, element.value if isinstance(element, Ref) else element

    def keys(self) -> Iterator[Key]:
        """Keys in order."""
        for key, _ in self.elements():
            yield key

    def values(self) -> Iterator[Value]:
        """Values in order, looking through references."""
        for _, value in self.items():
            yield value


def copy_value(value: Value) -> Value:
    """A value to be owned by a second place: the value itself, or a copy-on-write handle of an array."""
    return value.copy() if isinstance(value, PhpArray) else value


def is_shared_cell(table: Table, position: int) -> bool:
    """Whether a slot holds a reference that something besides this table is bound to; alone it counts as a value."""
    slots = table.slots
    return isinstance(slots[position], Ref) and getrefcount(slots[position]) > _SOLE_OWNER_OF_CELL


def _duplicate(table: Table) -> Table:
    """A private copy of ``table``; see the module's docstring for reference elements."""
    slots = table.slots
    unshared_cells = [
        position
        for position in range(len(slots))
        if isinstance(slots[position], Ref) and not is_shared_cell(table, position)
    ]
    copy = table.clone()
    for position in unshared_cells:
        cell = slots[position]
        assert isinstance(cell, Ref)
        copy.slots[position] = cell.value
    for position, element in enumerate(copy.slots):
        if isinstance(element, PhpArray):
            copy.slots[position] = element.copy()
    return copy


# What getrefcount says of an object with one owner depends on the interpreter's calling convention, so it is measured.
_array_probe = PhpArray()
_cell_probe: list[object] = [Ref(None)]
_SOLE_OWNER = getrefcount(_array_probe._table)
_SOLE_OWNER_OF_CELL = getrefcount(_cell_probe[0])
