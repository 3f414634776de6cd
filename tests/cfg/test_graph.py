from __future__ import annotations

from hypothesis import given

from ssa2llvm.cfg.graph import postorder, predecessors, reachable, reverse_postorder
from tests.cfg.graphs import Succs, graphs, reach


@given(graphs())
def test_postorder_lists_what_the_root_reaches_once_and_children_first(succs: Succs) -> None:
    order = postorder(succs)
    assert sorted(order) == sorted(reach(succs, 0))
    assert order[-1] == 0
    position = {node: index for index, node in enumerate(order)}
    for node in order:
        for succ in succs[node]:
            # An edge that goes up in postorder closes a cycle.
            if position[succ] >= position[node]:
                assert node in reach(succs, succ)
    assert reverse_postorder(succs) == order[::-1]


def test_postorder_follows_successors_in_order() -> None:
    assert postorder([[2, 1], [3], [3], []]) == [3, 2, 1, 0]
    assert postorder([[1, 2], [3], [3], []]) == [3, 1, 2, 0]


@given(graphs())
def test_reachable_and_predecessors_by_definition(succs: Succs) -> None:
    assert [node for node, seen in enumerate(reachable(succs)) if seen] == sorted(reach(succs, 0))
    assert predecessors(succs) == [[p for p in range(len(succs)) if n in succs[p]] for n in range(len(succs))]


def test_reachable_from_several_roots() -> None:
    assert reachable([[], [2], [], [3]], roots=(0, 1)) == [True, True, True, False]


def test_a_chain_of_100_000_nodes_needs_no_recursion() -> None:
    succs = [[node + 1] for node in range(99_999)] + [[]]
    assert postorder(succs)[:2] == [99_999, 99_998]
    assert all(reachable(succs))
