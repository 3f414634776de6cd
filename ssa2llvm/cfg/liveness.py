"""Liveness: which variables may still be read at each point, as bit sets held in Python ints.

    live_out(b) = union of live_in(s) over successors s
    live_in(b)  = use(b) | (live_out(b) & ~define(b))

The least solution, found backwards with a worklist. Like zend_dfg.c:zend_build_dfg it always takes the last block of
the list: in code laid out as it was written, successors mostly follow their predecessors, and a deep nest of loops
settles in a number of steps linear in its size, where sweeps in postorder need one sweep for each level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from ssa2llvm.cfg.graph import Graph


def liveness(
    succs: Graph, preds: Graph, use: Sequence[int], define: Sequence[int], reachable: Sequence[bool]
) -> tuple[list[int], list[int]]:
    """Return ``(live_in, live_out)`` of each block; 0 for unreachable ones.

    ``use`` holds the variables that a block reads before it defines them, ``define`` those it defines, one bit each.
    """
    count = len(succs)
    live_in = [0] * count
    live_out = [0] * count
    heap = [-block for block in range(count) if reachable[block]]
    heapify(heap)
    waiting = list(reachable)
    while heap:
        block = -heappop(heap)
        waiting[block] = False
        out = 0
        for succ in succs[block]:
            out |= live_in[succ]
        live_out[block] = out
        now = use[block] | (out & ~define[block])
        if now != live_in[block]:
            live_in[block] = now
            for pred in preds[block]:
                if not waiting[pred] and reachable[pred]:
                    waiting[pred] = True
                    heappush(heap, -pred)
    return live_in, live_out


def mask_of(positions: Iterable[int]) -> int:
    """Return the bit set of ``positions``, in time linear in the result and their number."""
    octets = bytearray()
    for position in positions:
        index = position >> 3
        if index >= len(octets):
            octets.extend(bytes(index + 1 - len(octets)))
        octets[index] |= 1 << (position & 7)
    return int.from_bytes(octets, "little")


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, ascending. Time is linear in the mask's length plus 64 times its bits."""
    base = 0
    for byte in mask.to_bytes((mask.bit_length() + 7) // 8, "little"):
        while byte:
            low = byte & -byte
            yield base + low.bit_length() - 1
            byte ^= low
        base += 8
