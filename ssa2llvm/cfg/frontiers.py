"""Dominance frontiers, where the reach of a definition ends and a phi may be needed.

j is in the frontier of i if i dominates a predecessor of j but not j strictly (Cytron et al., TOPLAS 1991); a loop
header that reaches itself is in its own frontier. Two ways to use that:

* ``dominance_frontiers`` lists the frontier of every node by walking from each predecessor up to the join's immediate
  dominator (Cooper, Harvey, Kennedy 2001): time and space are the frontiers' total size, quadratic for nested
  bottom-tested loops;
* ``iterated_frontier`` gives the closure of the frontier of a *set* of nodes, the places of one variable's phis,
  in O(nodes + edges) without building frontiers (Sreedhar and Gao, "A linear time algorithm for placing phi-nodes",
  POPL 1995).
"""

from __future__ import annotations

from collections.abc import Iterable

from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.cfg.graph import Graph


def dominance_frontiers(preds: Graph, tree: DominatorTree) -> list[list[int]]:
    """Return the dominance frontier of each node, ascending; empty for unreachable nodes."""
    frontiers: list[list[int]] = [[] for _ in preds]
    for join, incoming in enumerate(preds):
        if tree.level[join] < 0:
            continue
        for runner in incoming:
            if tree.level[runner] < 0:
                continue
            while runner != tree.idom[join] and runner >= 0:
                frontier = frontiers[runner]
                # Joins are visited ascending: if join is here already, so it is further up.
                if frontier and frontier[-1] == join:
                    break
                frontier.append(join)
                runner = tree.idom[runner]
    return frontiers


def iterated_frontier(succs: Graph, tree: DominatorTree, nodes: Iterable[int]) -> list[int]:
    """Return the iterated dominance frontier of ``nodes``, ascending. Unreachable nodes contribute nothing.

    Nodes are taken deepest first. From each, its subtree is searched for join edges that lead to a node not deeper
    than itself: their targets are in the frontier and are queued in turn. As deeper nodes come first, a subtree that
    was searched once has nothing more to give, which makes the whole search linear.
    """
    level = tree.level
    buckets: list[list[int]] = []
    queued = [False] * len(succs)
    for node in sorted(set(nodes)):
        if level[node] >= 0:
            while len(buckets) <= level[node]:
                buckets.append([])
            buckets[level[node]].append(node)
            queued[node] = True
    found = [False] * len(succs)
    searched = [False] * len(succs)
    for depth in range(len(buckets) - 1, -1, -1):
        bucket = buckets[depth]
        while bucket:
            root = bucket.pop()
            searched[root] = True
            work = [root]
            while work:
                node = work.pop()
                for succ in succs[node]:
                    if tree.idom[succ] != node and level[succ] <= depth and not found[succ]:
                        found[succ] = True
                        if not queued[succ]:
                            queued[succ] = True
                            buckets[level[succ]].append(succ)
                for child in tree.children[node]:
                    if not searched[child]:
                        searched[child] = True
                        work.append(child)
    return [node for node, is_found in enumerate(found) if is_found]
