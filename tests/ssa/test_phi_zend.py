from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.cfg.dominators import DominatorTree, dominator_tree
from ssa2llvm.cfg.graph import predecessors, reachable
from ssa2llvm.ssa.phi_zend import place_phis
from tests.cfg.graphs import Succs, graphs

VARIABLES = 4
masks = st.lists(st.integers(0, 2**VARIABLES - 1), min_size=9, max_size=9)


def as_zend_writes_it(
    preds: Succs, tree: DominatorTree, live_in: list[int], define: list[int], forced: list[int], flooded: list[bool]
) -> list[int]:
    """The recurrence as it stands: sweeps over the blocks, walks up the tree, until nothing changes."""
    phis = list(forced)
    changed = True
    while changed:
        changed = False
        for block in range(len(preds)):
            if len(preds[block]) < 2:
                continue
            if flooded[block]:
                phis[block] |= live_in[block]
            else:
                for pred in preds[block]:
                    while pred not in (-1, tree.idom[block]):
                        phis[block] |= define[pred] & live_in[block]
                        pred = tree.idom[pred]
            if phis[block] & ~define[block]:
                define[block] |= phis[block]
                changed = True
    return phis


@given(graphs(entry_has_preds=False), masks, masks, masks, st.lists(st.booleans(), min_size=9, max_size=9))
def test_path_compression_solves_zends_recurrence(
    succs: Succs, live_in: list[int], define: list[int], wanted: list[int], flooded: list[bool]
) -> None:
    seen = reachable(succs)
    succs = [targets if seen[node] else [] for node, targets in enumerate(succs)]
    preds = predecessors(succs)
    tree = dominator_tree(succs, preds)
    # A pi forces a phi only where its variable is live, and defines it there.
    forced = [wanted[node] & live_in[node] if len(preds[node]) > 1 else 0 for node in range(len(succs))]
    define = [define[node] | forced[node] if seen[node] else 0 for node in range(len(succs))]
    theirs, ours = list(define), list(define)
    expected = as_zend_writes_it(preds, tree, live_in, theirs, forced, flooded)
    assert place_phis(preds, tree, live_in, ours, forced, flooded) == expected
    assert ours == theirs


def test_10_000_nested_bottom_tested_loops() -> None:
    count = 10_000
    succs: Succs = [[node + 1] for node in range(count)]
    succs += [[count - node, count + node + 1] for node in range(count - 1)]
    succs += [[1, 2 * count], []]
    succs = [targets for targets in succs if targets] + [[]]
    preds = predecessors(succs)
    live_in = [1] * len(succs)
    define = [0] * len(succs)
    define[count] = 1  # the innermost body assigns: each header needs a phi
    phis = place_phis(preds, dominator_tree(succs, preds), live_in, define, [0] * len(succs), [False] * len(succs))
    assert [node for node, mask in enumerate(phis) if mask] == [n for n in range(1, count + 1) if len(preds[n]) > 1]
