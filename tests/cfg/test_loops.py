from __future__ import annotations

from hypothesis import given

from ssa2llvm.cfg.dominators import dominator_tree
from ssa2llvm.cfg.graph import predecessors
from ssa2llvm.cfg.loops import Loops, identify_loops
from tests.cfg.graphs import Succs, dominates, graphs, is_reducible, reach


def loops_of(succs: Succs) -> Loops:
    reached = reach(succs, 0)
    succs = [targets if node in reached else [] for node, targets in enumerate(succs)]
    preds = predecessors(succs)
    return identify_loops(succs, preds, dominator_tree(succs, preds))


def natural_loop(succs: Succs, header: int) -> set[int]:
    """By definition: what reaches a back edge to ``header`` without passing it."""
    reached = reach(succs, 0)
    sources = [n for n in reached if header in succs[n] and dominates(succs, header, n)]
    return {n for n in reached if n != header and any(source in reach(succs, n, without=header) for source in sources)}


@given(graphs(entry_has_preds=False))
def test_natural_loops_by_definition(succs: Succs) -> None:
    loops = loops_of(succs)
    reached = reach(succs, 0)
    headers = [h for h in reached if any(h in succs[n] and dominates(succs, h, n) for n in reached)]
    assert [node for node, is_header in enumerate(loops.is_header) if is_header] == sorted(headers)
    for node in range(len(succs)):
        around = [h for h in headers if node in natural_loop(succs, h)]
        innermost = [h for h in around if all(dominates(succs, other, h) for other in around)]
        assert loops.header[node] == (innermost[0] if around else -1)
        assert loops.depth[node] == len(around) + (node in headers)


@given(graphs(entry_has_preds=False))
def test_irreducible_exactly_if_a_cycle_has_no_dominating_entry(succs: Succs) -> None:
    assert loops_of(succs).irreducible == (not is_reducible(succs))


def test_two_ways_into_a_loop() -> None:
    loops = loops_of([[1, 2], [2], [1, 3], []])
    assert loops.irreducible
    assert loops.any
    assert loops.is_header == [False] * 4


def test_a_self_loop_is_its_own_header_but_not_inside_itself() -> None:
    loops = loops_of([[1], [1, 2], []])
    assert loops.is_header == [False, True, False]
    assert loops.header == [-1, -1, -1]
    assert loops.depth == [0, 1, 0]


def test_10_000_nested_loops() -> None:
    count = 10_000
    succs: Succs = [[node + 1] for node in range(count)]
    succs += [[count - 1 - node or 1, count + node + 1] for node in range(count)]
    succs.append([])
    loops = loops_of(succs)
    assert loops.depth[count] == count - 1
    assert loops.header[count - 1] == count - 2
