"""Post-dominators and control dependence.

b post-dominates a if every path from a to the end of the function passes b: dominators of the reversed graph, rooted
in a virtual exit that every leaving block leads to. A block in or before an endless loop from which no end can be
reached gets an assumed edge to the virtual exit. One such edge a loop would give every reachable block a
post-dominator too, but the block it starts from would seem to run in any case, and the conditions before it to decide
nothing; with an edge from each of these blocks, none post-dominates another, and all branches among them count.

Block a controls b if one way out of a always leads to b and another can avoid it (Ferrante, Ottenstein, Warren,
TOPLAS 1987); that is the dominance frontier of the reversed graph.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.cfg.dominators import DominatorTree, dominator_tree
from ssa2llvm.cfg.frontiers import dominance_frontiers
from ssa2llvm.cfg.graph import Graph, postorder, reachable


@dataclass(slots=True)
class PostDominators:
    """``tree`` is rooted in the virtual exit, node ``exit``; ``reversed_preds[b]`` are b's successors in the original
    graph, and the virtual exit where the function ends or an endless loop is assumed to."""

    tree: DominatorTree
    exit: int
    reversed_preds: list[list[int]]

    def ipdom(self, block: int) -> int:
        """The immediate post-dominator of ``block``, ``exit`` if only leaving the function is common to all paths."""
        return self.tree.idom[block]

    def post_dominates(self, a: int, b: int) -> bool:
        """Whether every way from ``b`` out of the function passes ``a``. O(1)."""
        return self.tree.dominates(a, b)


def post_dominators(succs: Graph, preds: Graph, root: int = 0) -> PostDominators:
    """Return the post-dominator tree of the blocks reachable from ``root``."""
    count = len(succs)
    exit_node = count
    forward = postorder(succs, root)
    backward_succs: list[list[int]] = [list(preds[node]) for node in range(count)]
    backward_succs.append([])
    outgoing: list[list[int]] = [list(dict.fromkeys(succs[node])) for node in range(count)]
    outgoing.append([])
    for node in forward:
        if not succs[node]:
            _leave(node, exit_node, backward_succs, outgoing)
    ends = reachable(backward_succs, (exit_node,))
    for node in forward:
        if not ends[node]:
            _leave(node, exit_node, backward_succs, outgoing)
    return PostDominators(dominator_tree(backward_succs, outgoing, exit_node), exit_node, outgoing)


def _leave(node: int, exit_node: int, backward_succs: list[list[int]], outgoing: list[list[int]]) -> None:
    backward_succs[exit_node].append(node)
    outgoing[node].append(exit_node)


def control_dependence(post: PostDominators) -> list[list[int]]:
    """Return for each block the blocks whose branch decides whether it runs, ascending."""
    frontiers = dominance_frontiers(post.reversed_preds, post.tree)
    return frontiers[: post.exit]
