"""Strongly connected components.

Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with its own stack: O(nodes + edges).
Components come out in reverse topological order; they are numbered so that every edge between two of them leads from
the smaller number to the larger, which is also how zend_inference.c:zend_ssa_find_sccs (Pearce's variant) ends up
numbering them, provided that roots are tried ascending and edges followed in order, as here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ssa2llvm.cfg.graph import Graph


@dataclass(slots=True)
class Components:
    """``of`` is each node's component (-1 for nodes left out), 0..``count``-1 in topological order; ``roots`` has the
    node of each component that the search entered first."""

    of: list[int]
    count: int
    roots: list[int]

    def members(self) -> list[list[int]]:
        """The nodes of each component, ascending."""
        lists: list[list[int]] = [[] for _ in range(self.count)]
        for node, component in enumerate(self.of):
            if component >= 0:
                lists[component].append(node)
        return lists


def strongly_connected_components(succs: Graph, skip: Sequence[bool] | None = None) -> Components:
    """Return the components of the graph without the nodes for which ``skip`` is true."""
    count = len(succs)
    left_out = skip if skip is not None else [False] * count
    index = [-1] * count
    low = [0] * count
    component = [-1] * count
    finished: list[int] = []  # the root of each component, in order of completion
    open_nodes: list[int] = []
    clock = 0
    for start in range(count):
        if left_out[start] or index[start] >= 0:
            continue
        index[start] = low[start] = clock
        clock += 1
        open_nodes.append(start)
        stack = [(start, iter(succs[start]))]
        while stack:
            node, pending = stack[-1]
            for succ in pending:
                if left_out[succ]:
                    continue
                if index[succ] < 0:
                    index[succ] = low[succ] = clock
                    clock += 1
                    open_nodes.append(succ)
                    stack.append((succ, iter(succs[succ])))
                    break
                if component[succ] < 0 and index[succ] < low[node]:
                    low[node] = index[succ]
            else:
                stack.pop()
                if stack and low[node] < low[stack[-1][0]]:
                    low[stack[-1][0]] = low[node]
                if low[node] == index[node]:
                    while True:
                        member = open_nodes.pop()
                        component[member] = len(finished)
                        if member == node:
                            break
                    finished.append(node)
    total = len(finished)
    finished.reverse()
    return Components([total - 1 - number if number >= 0 else -1 for number in component], total, finished)
