from __future__ import annotations

from hypothesis import given

from ssa2llvm.cfg.graph import predecessors
from ssa2llvm.cfg.postdominators import control_dependence, post_dominators
from tests.cfg.graphs import Succs, graphs, reach


def with_exit(succs: Succs) -> Succs:
    """The graph as the module promises to complete it: ends lead to the exit, and so does all that cannot end."""
    return [list(targets) for targets in post_dominators(succs, predecessors(succs)).reversed_preds]


@given(graphs())
def test_what_leads_to_the_exit(succs: Succs) -> None:
    completed = with_exit(succs)
    exit_node = len(succs)
    for node in reach(succs, 0):
        assert set(completed[node]) - {exit_node} == set(succs[node])
        can_end = any(not succs[other] for other in reach(succs, node))
        assert (exit_node in completed[node]) == (not succs[node] or not can_end)


@given(graphs())
def test_post_dominance_by_definition(succs: Succs) -> None:
    post = post_dominators(succs, predecessors(succs))
    completed = with_exit(succs)
    exit_node = len(succs)
    for a in reach(succs, 0):
        for b in reach(succs, 0):
            by_definition = a == b or exit_node not in reach(completed, b, without=a)
            assert post.post_dominates(a, b) == by_definition


@given(graphs())
def test_control_dependence_by_definition(succs: Succs) -> None:
    post = post_dominators(succs, predecessors(succs))
    controllers = control_dependence(post)
    completed = with_exit(succs)
    for block in reach(succs, 0):
        expected = [
            branch
            for branch in sorted(reach(succs, 0))
            if any(target != len(succs) and post.post_dominates(block, target) for target in completed[branch])
            and not (block != branch and post.post_dominates(block, branch))
        ]
        assert [c for c in controllers[block] if c in reach(succs, 0)] == expected


def test_diamond() -> None:
    succs = [[1, 2], [3], [3], []]
    post = post_dominators(succs, predecessors(succs))
    assert [post.ipdom(block) for block in range(4)] == [3, 3, 3, post.exit]
    assert control_dependence(post) == [[], [0], [0], []]


def test_an_endless_loop_keeps_its_conditions() -> None:
    # 1 -> 2 -> (3 ->) 1 never ends; whether 3 runs is up to 2.
    succs = [[1], [2], [3, 1], [1]]
    post = post_dominators(succs, predecessors(succs))
    assert control_dependence(post)[3] == [2]
