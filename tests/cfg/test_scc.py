from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.cfg.scc import strongly_connected_components
from tests.cfg.graphs import Succs, graphs, reach


@given(graphs(), st.sets(st.integers(0, 8)))
def test_components_by_definition(succs: Succs, left_out: set[int]) -> None:
    nodes = [node for node in range(len(succs)) if node not in left_out]
    kept = [[t for t in targets if t not in left_out] if n not in left_out else [] for n, targets in enumerate(succs)]
    components = strongly_connected_components(succs, [node in left_out for node in range(len(succs))])
    assert [node for node, component in enumerate(components.of) if component >= 0] == nodes
    for a in nodes:
        for b in nodes:
            together = b in reach(kept, a) and a in reach(kept, b)
            assert (components.of[a] == components.of[b]) == together
        for b in kept[a]:
            assert components.of[a] <= components.of[b]
    assert sorted(set(components.of) - {-1}) == list(range(components.count))
    for component, (root, members) in enumerate(zip(components.roots, components.members(), strict=True)):
        assert root in members
        assert {components.of[member] for member in members} == {component}
        # Roots are tried ascending, so a component is entered at its least node unless an earlier one leads to it.
        if not any(t in members for n in nodes if components.of[n] < component for t in kept[n]):
            assert root == min(members)


def test_numbering_follows_the_order_of_edges() -> None:
    # Two independent sinks: the one reached first is finished first and gets the larger number.
    assert strongly_connected_components([[1, 2], [], []]).of == [0, 2, 1]
    assert strongly_connected_components([[2, 1], [], []]).of == [0, 1, 2]


def test_a_cycle_of_100_000_nodes() -> None:
    count = 100_000
    assert strongly_connected_components([[(node + 1) % count] for node in range(count)]).count == 1
