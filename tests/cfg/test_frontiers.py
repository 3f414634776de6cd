from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.cfg.dominators import dominator_tree
from ssa2llvm.cfg.frontiers import dominance_frontiers, iterated_frontier
from ssa2llvm.cfg.graph import predecessors
from tests.cfg.graphs import Succs, dominates, graphs, reach


def frontier(succs: Succs, node: int) -> list[int]:
    """By definition: joins with a predecessor that ``node`` dominates, but which it does not strictly dominate."""
    reached = reach(succs, 0)
    return [
        join
        for join in sorted(reached)
        if any(join in succs[p] and dominates(succs, node, p) for p in reached)
        and not (join != node and dominates(succs, node, join))
    ]


@given(graphs())
def test_frontiers_by_definition(succs: Succs) -> None:
    preds = predecessors(succs)
    reached = reach(succs, 0)
    found = dominance_frontiers(preds, dominator_tree(succs, preds))
    assert found == [frontier(succs, node) if node in reached else [] for node in range(len(succs))]


@given(graphs(), st.sets(st.integers(0, 8)))
def test_iterated_frontier_is_the_closure(succs: Succs, chosen: set[int]) -> None:
    preds = predecessors(succs)
    nodes = {node for node in chosen if node < len(succs)}
    closure: set[int] = set()
    work = [node for node in nodes if node in reach(succs, 0)]
    while work:
        for join in frontier(succs, work.pop()):
            if join not in closure:
                closure.add(join)
                work.append(join)
    assert iterated_frontier(succs, dominator_tree(succs, preds), nodes) == sorted(closure)


def test_a_loop_header_is_in_its_own_frontier() -> None:
    succs = [[1], [2, 3], [1], []]
    preds = predecessors(succs)
    assert dominance_frontiers(preds, dominator_tree(succs, preds))[1] == [1]


def test_linear_where_frontiers_are_quadratic() -> None:
    # n bottom-tested loops in one another: the frontiers together have n * n / 2 members.
    count = 5_000
    succs: Succs = [[node + 1] for node in range(count)]
    succs += [[count - 1 - node, count + node + 1] for node in range(count)]
    succs.append([])
    preds = predecessors(succs)
    tree = dominator_tree(succs, preds)
    assert iterated_frontier(succs, tree, [count]) == list(range(count))
