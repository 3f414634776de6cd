"""Random graphs, and slow definitions to hold the fast algorithms against."""

from __future__ import annotations

from hypothesis import strategies as st

Succs = list[list[int]]


@st.composite
def graphs(draw: st.DrawFn, max_nodes: int = 9, entry_has_preds: bool = True) -> Succs:
    """Any directed graph: self loops, repeated edges, unreachable nodes, several ends, reducible or not."""
    count = draw(st.integers(1, max_nodes))
    lowest = 0 if entry_has_preds else 1
    targets = st.lists(st.integers(lowest, count - 1), max_size=3) if count > lowest else st.just([])
    return [draw(targets) for _ in range(count)]


def reach(succs: Succs, start: int, without: int = -1) -> set[int]:
    """Nodes on some path from ``start`` that does not touch ``without``."""
    if start == without:
        return set()
    seen, work = {start}, [start]
    while work:
        for succ in succs[work.pop()]:
            if succ != without and succ not in seen:
                seen.add(succ)
                work.append(succ)
    return seen


def dominates(succs: Succs, a: int, b: int) -> bool:
    """By definition: no path from the entry to ``b`` avoids ``a``."""
    return b in reach(succs, 0) and (a == b or b not in reach(succs, 0, without=a))


def is_reducible(succs: Succs) -> bool:
    """Whether the reachable graph without its back edges (whose target dominates the source) is acyclic."""
    nodes = reach(succs, 0)
    forward = [[t for t in succs[n] if not dominates(succs, t, n)] if n in nodes else [] for n in range(len(succs))]
    return not any(n in reach(forward, t) for n in nodes for t in forward[n])
