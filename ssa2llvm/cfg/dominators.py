"""Dominator trees.

Node a dominates b if every path from the root to b passes a. The tree is built by Lengauer and Tarjan's algorithm
("A fast algorithm for finding dominators in a flowgraph", TOPLAS 1979) with path compression alone:
O(edges * log nodes). Zend/Optimizer/zend_cfg.c:zend_cfg_compute_dominators_tree iterates as Cooper, Harvey and
Kennedy do, which is quadratic on ladders and deep nests; the tree is unique, so the result is the same.

Dominance is asked far more often than it changes: each node gets its entry and exit number in a walk of the tree, and
a dominates b if b's interval lies in a's (Dietz 1982).
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.cfg.graph import Graph


@dataclass(slots=True)
class DominatorTree:
    """The dominator tree of the nodes reachable from ``root``.

    ``idom`` is the immediate dominator (-1: the root, unreachable), ``level`` the depth in the tree (-1:
    unreachable), ``children`` the nodes immediately dominated, ascending, ``preorder`` the reachable nodes, parents
    first, children ascending. ``entry``/``exit`` are the interval numbers behind ``dominates``.
    """

    root: int
    idom: list[int]
    level: list[int]
    children: list[list[int]]
    preorder: list[int]
    entry: list[int]
    exit: list[int]

    def dominates(self, a: int, b: int) -> bool:
        """Whether ``a`` dominates ``b`` (each node dominates itself); False if either is unreachable. O(1)."""
        return self.level[a] >= 0 and self.entry[a] <= self.entry[b] and self.exit[b] <= self.exit[a]

    def strictly_dominates(self, a: int, b: int) -> bool:
        """Whether ``a`` dominates ``b`` and is not ``b``. O(1)."""
        return a != b and self.dominates(a, b)


def dominator_tree(succs: Graph, preds: Graph, root: int = 0) -> DominatorTree:
    """Return the dominator tree of the graph as seen from ``root``."""
    return tree_from_idoms(immediate_dominators(succs, preds, root), root)


def immediate_dominators(succs: Graph, preds: Graph, root: int = 0) -> list[int]:
    """Return each node's immediate dominator, -1 for the root and for unreachable nodes."""
    vertex, number, parent = _depth_first_numbers(succs, root)
    count = len(vertex)
    # From here on nodes are named by their depth-first number; a smaller number is an ancestor or an older branch.
    semi = list(range(count))
    label = list(range(count))
    ancestor = [-1] * count
    dominator = [-1] * count
    waiting: list[list[int]] = [[] for _ in range(count)]

    def minimum_on_path(node: int) -> int:
        """The node of least semidominator on the compressed path from ``node`` to below its tree's root."""
        if ancestor[node] < 0:
            return node
        path = []
        while ancestor[ancestor[node]] >= 0:
            path.append(node)
            node = ancestor[node]
        for below in reversed(path):
            above = ancestor[below]
            if semi[label[above]] < semi[label[below]]:
                label[below] = label[above]
            ancestor[below] = ancestor[above]
        return label[path[0] if path else node]

    for node in range(count - 1, 0, -1):
        for pred in preds[vertex[node]]:
            if number[pred] >= 0:
                candidate = semi[minimum_on_path(number[pred])]
                if candidate < semi[node]:
                    semi[node] = candidate
        waiting[semi[node]].append(node)
        above = parent[node]
        ancestor[node] = above
        for below in waiting[above]:
            best = minimum_on_path(below)
            dominator[below] = best if semi[best] < semi[below] else above
        waiting[above].clear()
    for node in range(1, count):
        if dominator[node] != semi[node]:
            dominator[node] = dominator[dominator[node]]

    idom = [-1] * len(succs)
    for node in range(1, count):
        idom[vertex[node]] = vertex[dominator[node]]
    return idom


def _depth_first_numbers(succs: Graph, root: int) -> tuple[list[int], list[int], list[int]]:
    """Number the reachable nodes in depth-first preorder: node of a number, number of a node (-1), parent's number."""
    number = [-1] * len(succs)
    number[root] = 0
    vertex = [root]
    parent = [-1]
    stack = [(0, iter(succs[root]))]
    while stack:
        above, pending = stack[-1]
        for succ in pending:
            if number[succ] < 0:
                number[succ] = len(vertex)
                stack.append((len(vertex), iter(succs[succ])))
                vertex.append(succ)
                parent.append(above)
                break
        else:
            stack.pop()
    return vertex, number, parent


def tree_from_idoms(idom: list[int], root: int = 0) -> DominatorTree:
    """Complete a dominator tree from its immediate dominators."""
    count = len(idom)
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(count):
        if idom[node] >= 0:
            children[idom[node]].append(node)
    level = [-1] * count
    entry = [-1] * count
    exit_ = [-1] * count
    preorder = []
    clock = 0
    level[root] = 0
    work = [root]
    while work:
        node = work.pop()
        if node < 0:  # the marker ~node: all below node is done
            exit_[~node] = clock
        else:
            entry[node] = clock
            preorder.append(node)
            work.append(~node)
            for child in reversed(children[node]):
                level[child] = level[node] + 1
                work.append(child)
        clock += 1
    return DominatorTree(root, idom, level, children, preorder, entry, exit_)
