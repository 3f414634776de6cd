"""The ordered hash table behind ``PhpArray``, laid out as PHP's ``HashTable`` so that what depends on the layout
agrees.

Entries stand in *slots* in insertion order; removal leaves a hole, so positions stay valid, and the internal pointer
and foreach-by-reference iterators are positions. A *packed* table has key = position and no hash. Which table is
packed, when it becomes a hash, and where iterators go on removal follows Zend/zend_hash.c
(``_zend_hash_index_add_or_update_i``, ``_zend_hash_del_el_ex``, ``zend_hash_do_resize``). All operations are
amortised constant time but ``clone``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, Ref, Value

if TYPE_CHECKING:
    from ssa2llvm.values.array import PhpArray  # noqa: F401  (named by Value)

Element: TypeAlias = "Value | Ref"

NO_KEY_YET: Final = PHP_INT_MIN
"""``next_free`` of a table that never had an int key (``ZEND_LONG_MIN``): the first ``append`` uses 0."""
_MINIMUM_SIZE = 8


class _Hole:
    """Marks the slot of a removed entry."""

    __slots__ = ()


_HOLE: Final = _Hole()


class Iterator:
    """A position that survives changes to the table (``zend_hash`` iterators, used by foreach by reference)."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


class Table:
    """Slots, keys and the hash. ``used`` counts slots including holes, ``count`` entries."""

    __slots__ = (
        "__weakref__",
        "capacity",
        "count",
        "index",
        "initialised",
        "iterators",
        "keys",
        "next_free",
        "pointer",
        "slots",
    )

    def __init__(self, next_free: int = NO_KEY_YET) -> None:
        self.slots: list[Value | Ref | _Hole] = []
        self.keys: list[Key] | None = None
        self.index: dict[Key, int] | None = None
        self.count = 0
        self.capacity = _MINIMUM_SIZE
        self.initialised = False
        self.next_free = next_free
        self.pointer = 0
        self.iterators: list[Iterator] = []

    @property
    def packed(self) -> bool:
        """Whether there is no hash. An empty table that never held anything is not packed, as in PHP."""
        return self.initialised and self.index is None

    @property
    def used(self) -> int:
        """Number of slots in use, holes included: positions run from 0 to this."""
        return len(self.slots)

    def find(self, key: Key) -> int:
        """The position of ``key``, -1 if absent."""
        if self.index is not None:
            return self.index.get(key, -1)
        if isinstance(key, int) and 0 <= key < len(self.slots) and self.slots[key] is not _HOLE:
            return key
        return -1

    def element_at(self, position: int) -> Element:
        """The element in a slot that is not a hole."""
        element = self.slots[position]
        assert not isinstance(element, _Hole)
        return element

    def key_at(self, position: int) -> Key:
        """The key of a slot."""
        return position if self.keys is None else self.keys[position]

    def advance(self, position: int) -> int:
        """The first entry at or after ``position``; ``used`` if there is none."""
        slots = self.slots
        while position < len(slots) and slots[position] is _HOLE:
            position += 1
        return position

    def retreat(self, position: int) -> int:
        """The last entry at or before ``position``; ``used`` if there is none."""
        while position >= 0 and self.slots[position] is _HOLE:
            position -= 1
        return position if position >= 0 else len(self.slots)

    def put(self, key: Key, element: Element) -> None:
        """Store an element, replacing the one at ``key``."""
        if self.index is None:
            if isinstance(key, int) and self._put_packed(key, element):
                return
            self._make_hash()
        assert self.index is not None
        assert self.keys is not None
        position = self.index.get(key, -1)
        if position >= 0:
            self.slots[position] = element
            return
        self._make_room()
        self.index[key] = len(self.slots)
        self.keys.append(key)
        self.slots.append(element)
        self.count += 1
        if isinstance(key, int) and key >= self.next_free:
            self.next_free = key + 1 if key < PHP_INT_MAX else PHP_INT_MAX

    def append(self, element: Element) -> int:
        """Store an element at the next free index, which must be free, and return that index."""
        key = 0 if self.next_free == NO_KEY_YET else self.next_free
        self.put(key, element)
        return key

    def extend(self, elements: Iterable[Element]) -> None:
        """Append several."""
        for element in elements:
            self.append(element)

    def remove(self, key: Key) -> None:
        """Remove the entry at ``key``, which must exist; iterators and the internal pointer on it move to the next
        entry.
        """
        position = self.find(key)
        if self.index is not None:
            del self.index[key]
        self.slots[position] = _HOLE
        self.count -= 1
        following = self.advance(position + 1)
        if self.pointer == position:
            self.pointer = following
        for iterator in self.iterators:
            if iterator.position == position:
                iterator.position = following
        if position == len(self.slots) - 1:
            self._trim()

    def clone(self) -> Table:
        """A table with the same entries (the elements themselves are not copied). Iterators stay with the original."""
        other = Table(self.next_free)
        other.slots = self.slots.copy()
        other.keys = None if self.keys is None else self.keys.copy()
        other.index = None if self.index is None else self.index.copy()
        other.count = self.count
        other.capacity = self.capacity
        other.initialised = self.initialised
        other.pointer = self.pointer
        return other

    def _trim(self) -> None:
        """Drop holes at the end."""
        slots = self.slots
        while slots and slots[-1] is _HOLE:
            slots.pop()
        if self.keys is not None:
            del self.keys[len(slots) :]
        self.pointer = min(self.pointer, len(slots))
        for iterator in self.iterators:
            iterator.position = min(iterator.position, len(slots))

    def _put_packed(self, key: int, element: Element) -> bool:
        """Store into a packed table if it can stay packed; False (and nothing stored) if it must become a hash."""
        used = len(self.slots)
        if 0 <= key < used:
            if self.slots[key] is _HOLE:
                return False  # filling the hole would put the entry before older ones
            self.slots[key] = element
            return True
        if not 0 <= key < self.capacity:
            if key < 0 or not self.initialised:
                return False
            if not (key >> 1 < self.capacity and self.capacity >> 1 < self.count):
                return False
            self.capacity *= 2
        self.initialised = True
        self.slots.extend([_HOLE] * (key - used))
        self.slots.append(element)
        self.count += 1
        if key >= self.next_free:
            self.next_free = key + 1
        return True

    def _make_hash(self) -> None:
        """Give a packed or fresh table its hash; holes go, as nothing may have a key twice."""
        self.initialised = True
        self.keys = list(range(len(self.slots)))
        self.index = {key: key for key in range(len(self.slots)) if self.slots[key] is not _HOLE}

    def _make_room(self) -> None:
        """Before an insertion into a full hash: squeeze out holes if there are many, else double the capacity."""
        if len(self.slots) < self.capacity:
            return
        if len(self.slots) <= self.count + (self.count >> 5):
            self.capacity *= 2
            return
        assert self.keys is not None
        new_position: list[int] = []
        kept = 0
        for element in self.slots:
            new_position.append(kept)
            kept += element is not _HOLE
        new_position.append(kept)
        alive = [position for position, element in enumerate(self.slots) if element is not _HOLE]
        self.slots = [self.slots[position] for position in alive]
        self.keys = [self.keys[position] for position in alive]
        self.index = {key: position for position, key in enumerate(self.keys)}
        self.pointer = new_position[self.pointer]
        for iterator in self.iterators:
            iterator.position = new_position[iterator.position]
