from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.cfg.graph import predecessors, reachable
from ssa2llvm.cfg.liveness import bits, liveness, mask_of
from tests.cfg.graphs import Succs, graphs, reach

VARIABLES = 3
masks = st.lists(st.integers(0, 2**VARIABLES - 1), min_size=9, max_size=9)


def is_live_in(succs: Succs, use: list[int], define: list[int], block: int, variable: int) -> bool:
    """By definition: some path from the block's start reads the variable before it defines it."""
    bit = 1 << variable
    through = [[] if define[node] & bit else targets for node, targets in enumerate(succs)]
    # A path may end in a block that reads; on the way there it may only pass blocks that do not define.
    return any(use[node] & bit for node in reach(through, block))


@given(graphs(), masks, masks)
def test_liveness_by_definition(succs: Succs, use: list[int], define: list[int]) -> None:
    seen = reachable(succs)
    succs = [targets if seen[node] else [] for node, targets in enumerate(succs)]
    live_in, live_out = liveness(succs, predecessors(succs), use, define, seen)
    for block in range(len(succs)):
        for variable in range(VARIABLES):
            expected = seen[block] and is_live_in(succs, use, define, block, variable)
            assert bool(live_in[block] >> variable & 1) == expected
            leaving = any(is_live_in(succs, use, define, succ, variable) for succ in succs[block])
            assert bool(live_out[block] >> variable & 1) == leaving


@given(st.sets(st.integers(0, 3000)))
def test_bit_sets(positions: set[int]) -> None:
    mask = mask_of(positions)
    assert mask == sum(1 << position for position in positions)
    assert list(bits(mask)) == sorted(positions)
