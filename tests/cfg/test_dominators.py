from __future__ import annotations

import time

from hypothesis import given

from ssa2llvm.cfg.dominators import dominator_tree
from ssa2llvm.cfg.graph import predecessors
from tests.cfg.graphs import Succs, dominates, graphs, reach


@given(graphs())
def test_dominance_by_definition(succs: Succs) -> None:
    tree = dominator_tree(succs, predecessors(succs))
    nodes = range(len(succs))
    assert [[tree.dominates(a, b) for b in nodes] for a in nodes] == [
        [a in reach(succs, 0) and dominates(succs, a, b) for b in nodes] for a in nodes
    ]
    assert not any(tree.strictly_dominates(a, a) for a in nodes)


@given(graphs())
def test_the_tree_fits_its_idoms(succs: Succs) -> None:
    tree = dominator_tree(succs, predecessors(succs))
    reached = reach(succs, 0)
    for node in range(len(succs)):
        if node not in reached or node == 0:
            assert tree.idom[node] == -1
            assert tree.level[node] == (0 if node == 0 else -1)
            continue
        strict = [a for a in reached if a != node and dominates(succs, a, node)]
        # The immediate dominator is the one that all others dominate.
        assert [a for a in strict if all(dominates(succs, other, a) for other in strict)] == [tree.idom[node]]
        assert tree.level[node] == len(strict)
        assert node in tree.children[tree.idom[node]]
    assert all(children == sorted(children) for children in tree.children)
    assert sorted(tree.preorder) == sorted(reached)


def test_lengauer_and_tarjans_own_example() -> None:
    # Fig. 1 of the paper; the tree is its Fig. 2.
    names = "RABCDEFGHIJKL"
    edges = {"R": "ABC", "A": "D", "B": "ADE", "C": "FG", "D": "L", "E": "H", "F": "I", "G": "IJ", "H": "EK", "I": "K",
             "J": "I", "K": "IR", "L": "H"}  # fmt: skip
    succs = [[names.index(t) for t in edges[name]] for name in names]
    tree = dominator_tree(succs, predecessors(succs))
    idoms = "".join(names[tree.idom[node]] for node in range(1, len(names)))
    assert dict(zip(names[1:], idoms, strict=True)) == dict(zip("ABCDEFGHIJKL", "RRRRRCCRRGRD", strict=True))


def test_ladder_that_is_quadratic_for_iteration_takes_no_time() -> None:
    # Two chains with rungs, and edges back: each sweep of an iterative solver moves the news by one rung.
    count = 20_000
    succs: Succs = [[1, 2]]
    for node in range(1, count):
        succs.append([min(node + 2, count), max(node - 1, 1)])
    succs.append([])
    started = time.process_time()
    tree = dominator_tree(succs, predecessors(succs))
    assert time.process_time() - started < 10
    assert tree.idom[count] in (0, count - 1, count - 2)


def test_deep_chain() -> None:
    succs = [[node + 1] for node in range(99_999)] + [[]]
    tree = dominator_tree(succs, predecessors(succs))
    assert tree.level[-1] == 99_999
    assert tree.dominates(5, 99_999)
    assert not tree.dominates(99_999, 5)
