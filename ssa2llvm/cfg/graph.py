"""Directed graphs as successor lists over the nodes 0..n-1: traversals and inversion.

A graph is ``succs``, a list with the successors of each node in order; a node may occur twice (a ``switch`` with two
cases that lead to one place). Everything here takes O(nodes + edges), keeps its own stack instead of recursing, and
visits successors in list order, so that results depend on the graph alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Graph: TypeAlias = Sequence[Sequence[int]]


def postorder(succs: Graph, root: int = 0) -> list[int]:
    """Return the nodes reachable from ``root`` in depth-first postorder: a node after all it reaches by tree edges."""
    order: list[int] = []
    seen = bytearray(len(succs))
    seen[root] = 1
    stack: list[tuple[int, Iterator[int]]] = [(root, iter(succs[root]))]
    while stack:
        node, pending = stack[-1]
        for succ in pending:
            if not seen[succ]:
                seen[succ] = 1
                stack.append((succ, iter(succs[succ])))
                break
        else:
            stack.pop()
            order.append(node)
    return order


def reverse_postorder(succs: Graph, root: int = 0) -> list[int]:
    """Return the reachable nodes so that, but for back edges, each comes before its successors."""
    order = postorder(succs, root)
    order.reverse()
    return order


def reachable(succs: Graph, roots: Iterable[int] = (0,)) -> list[bool]:
    """Return for each node whether some root reaches it (roots reach themselves)."""
    seen = [False] * len(succs)
    work = []
    for root in roots:
        if not seen[root]:
            seen[root] = True
            work.append(root)
    while work:
        for succ in succs[work.pop()]:
            if not seen[succ]:
                seen[succ] = True
                work.append(succ)
    return seen


def predecessors(succs: Graph) -> list[list[int]]:
    """Return the predecessors of each node, each once, ascending (zend_cfg.c:zend_cfg_build_predecessors)."""
    preds: list[list[int]] = [[] for _ in succs]
    for node, targets in enumerate(succs):
        for target in targets:
            incoming = preds[target]
            # Nodes are visited ascending, so a repeated edge can only repeat the last entry.
            if not incoming or incoming[-1] != node:
                incoming.append(node)
    return preds
