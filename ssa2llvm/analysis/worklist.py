"""Two worklists of SSA names, with the orders that Zend's results depend on.

``SweepList`` repeats ascending sweeps until one finds nothing. A word of 64 names is copied when the sweep reaches
it: a name added to that word waits for the next sweep, even if it lies ahead; a name added to a later word is met in
the same sweep (zend_inference.c:WHILE_WORKLIST over ZEND_BITSET_FOREACH). Widening is not confluent, so this shows in
the results.

``LowestFirst`` always takes the lowest name (the loop of zend_infer_types_ex). Adding and taking cost O(log n).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush

_WORD_BITS = 6
_IN_WORD = 63


class SweepList:
    """A set of names out of ``universe``, taken in sweeps. Only words that hold a name of the universe are visited,
    so that a small component in a large function costs its own size."""

    def __init__(self, universe: Iterable[int]) -> None:
        self._words = dict.fromkeys(sorted({name >> _WORD_BITS for name in universe}), 0)

    def add(self, name: int) -> None:
        """Put ``name`` in; nothing happens if it is in."""
        self._words[name >> _WORD_BITS] |= 1 << (name & _IN_WORD)

    def drain(self) -> Iterator[int]:
        """Take names out until none is left; names may be added meanwhile."""
        words = self._words
        found = True
        while found:
            found = False
            for word in words:
                copied = words[word]
                while copied:
                    found = True
                    bit = copied & -copied
                    copied ^= bit
                    words[word] &= ~bit
                    yield (word << _WORD_BITS) + bit.bit_length() - 1


class LowestFirst:
    """A set of names, the lowest taken first."""

    def __init__(self, names: Iterable[int], size: int) -> None:
        self._heap = list(names)
        heapify(self._heap)
        self._inside = bytearray(size)
        for name in self._heap:
            self._inside[name] = 1

    def add(self, name: int) -> None:
        """Put ``name`` in; nothing happens if it is in."""
        if not self._inside[name]:
            self._inside[name] = 1
            heappush(self._heap, name)

    def drain(self) -> Iterator[int]:
        """Take names out until none is left; names may be added meanwhile."""
        while self._heap:
            name = heappop(self._heap)
            self._inside[name] = 0
            yield name
