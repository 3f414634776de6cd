"""PHP's sort: insertion sort up to 16 elements, a quicksort with median pivots above.

Follows Zend/zend_sort.c comparison by comparison, because the order of calls to a user's comparison function, and the
result for comparisons that are no order (mixed types, a function that always says 1), can be seen. It is not stable
by itself; the caller breaks ties by position, as PHP does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Compare = Callable[[T, T], int]

_INSERTION_LIMIT = 16
_NINTHER_LIMIT = 1024


class _Sorter:
    """The list being sorted and the comparison."""

    def __init__(self, items: list[T], compare: Compare[T]) -> None:
        self.items = items
        self.compare = compare

    def greater(self, left: int, right: int) -> bool:
        """Whether the element at ``left`` belongs after the one at ``right``."""
        return self.compare(self.items[left], self.items[right]) > 0

    def swap(self, left: int, right: int) -> None:
        """Exchange two elements."""
        items = self.items
        items[left], items[right] = items[right], items[left]

    def sort_3(self, a: int, b: int, c: int) -> None:
        """``zend_sort_3``."""
        if not self.greater(a, b):
            if not self.greater(b, c):
                return
            self.swap(b, c)
            if self.greater(a, b):
                self.swap(a, b)
            return
        if not self.greater(c, b):
            self.swap(a, c)
            return
        self.swap(a, b)
        if self.greater(b, c):
            self.swap(b, c)

    def insert_last(self, *places: int) -> None:
        """Bring the last of these places to where it belongs among the others, which are in order."""
        for right in range(len(places) - 1, 0, -1):
            if not self.greater(places[right - 1], places[right]):
                return
            self.swap(places[right - 1], places[right])

    def sort_few(self, *places: int) -> None:
        """``zend_sort_2`` to ``zend_sort_5``."""
        if len(places) == 2:
            self.insert_last(*places)
        elif len(places) > 2:
            self.sort_3(*places[:3])
            for count in range(4, len(places) + 1):
                self.insert_last(*places[:count])

    def insertion_sort(self, start: int, end: int) -> None:
        """``zend_insert_sort``: the first six one by one, the others by steps of two backwards."""
        if end - start <= 5:
            self.sort_few(*range(start, end))
            return
        for i in range(start + 1, end):
            j = i - 1
            if not self.greater(j, i):
                continue
            j = self._place_near(start, i) if i < start + 6 else self._place_far(start, i)
            self.items.insert(j, self.items.pop(i))

    def _place_near(self, start: int, i: int) -> int:
        j = i - 1
        while j != start:
            j -= 1
            if not self.greater(j, i):
                return j + 1
        return j

    def _place_far(self, start: int, i: int) -> int:
        j = i - 1
        while True:
            j -= 2
            if not self.greater(j, i):
                j += 1
                return j if self.greater(j, i) else j + 1
            if j == start:
                return j
            if j == start + 1:
                return j if self.greater(i, j - 1) else j - 1

    def partition(self, start: int, end: int) -> int:
        """Partition around a median; the pivot's final place."""
        count = end - start
        offset = count >> 1
        pivot = start + offset
        if count >= _NINTHER_LIMIT:
            delta = offset >> 1
            self.sort_few(start, start + delta, pivot, pivot + delta, end - 1)
        else:
            self.sort_3(start, pivot, end - 1)
        self.swap(start + 1, pivot)
        pivot = start + 1
        i = self._meet(pivot, pivot + 1, end - 1)
        self.swap(pivot, i - 1)
        return i - 1

    def _meet(self, pivot: int, i: int, j: int) -> int:
        while True:
            while self.greater(pivot, i):
                i += 1
                if i == j:
                    return i
            j -= 1
            if j == i:
                return i
            while self.greater(j, pivot):
                j -= 1
                if j == i:
                    return i
            self.swap(i, j)
            i += 1
            if i == j:
                return i

    def sort(self) -> None:
        """``zend_sort``, its recursion as a stack: the smaller part first."""
        pending = [(0, len(self.items))]
        while pending:
            start, end = pending.pop()
            if end - start <= _INSERTION_LIMIT:
                self.insertion_sort(start, end)
                continue
            pivot = self.partition(start, end)
            left, right = (start, pivot), (pivot + 1, end)
            pending += [right, left] if pivot - start < end - (pivot + 1) else [left, right]


def zend_sort(items: list[T], compare: Compare[T]) -> None:
    """Sort ``items`` in place."""
    _Sorter(items, compare).sort()
