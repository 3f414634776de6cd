"""Liveness by question, value-based interference and class merging, each against its definition worked out slowly."""

from __future__ import annotations

import copy
import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.cfg.dominators import dominator_tree
from ssa2llvm.destruct.body import Body, BodyBlock, ParallelCopy, Step
from ssa2llvm.destruct.coalesce import Classes, join_copies, join_webs
from ssa2llvm.destruct.critical_edges import split_critical_edges
from ssa2llvm.destruct.fast_liveness import LivenessChecker
from ssa2llvm.destruct.interference import Interference
from ssa2llvm.destruct.isolate import isolate_phis
from ssa2llvm.destruct.parallel_copy import Copy
from tests.destruct.model import live_at_end, propagated_program, random_program, random_shape


def isolated(rng: random.Random) -> Body:
    body = rng.choice([random_program, propagated_program])(rng, blocks=rng.randrange(2, 8))
    split_critical_edges(body)
    isolate_phis(body)
    return body


def tree_of(body: Body):
    return dominator_tree([block.succs for block in body.blocks], [block.preds for block in body.blocks])


def reaches_use(shape, definition: int, uses: set[int], block: int) -> bool:
    """Liveness at the head of `block` from its definition: a path to a use that avoids the defining block."""
    if block == definition:
        return False
    seen, work = {block}, [block]
    while work:
        at = work.pop()
        if at in uses:
            return True
        for succ in shape.targets[at]:
            if succ != definition and succ not in seen:
                seen.add(succ)
                work.append(succ)
    return False


@given(st.randoms(use_true_random=False))
def test_liveness_by_question_equals_search_along_paths(rng):
    shape = random_shape(rng, rng.randrange(2, 12))
    count = len(shape.targets)
    succs = [shape.succs(block) for block in range(count)]
    preds = [[source for source in range(count) if block in succs[source]] for block in range(count)]
    tree = dominator_tree(succs, preds)
    checker = LivenessChecker(succs, tree)
    for definition in range(count):
        below = [block for block in range(count) if tree.dominates(definition, block)]
        for _ in range(4):
            uses = set(rng.sample(below, rng.randint(1, len(below))))
            for block in below:
                found = checker.live_in(definition, checker.use_set(sorted(uses)), block)
                assert bool(found) == reaches_use(shape, definition, uses, block)


def values_by_step(body: Body) -> list[tuple[set[int], set[int]]]:
    """At each moment at which something is written: what, and what is needed afterwards."""
    moments: list[tuple[set[int], set[int]]] = []
    live = live_at_end(body)
    for number, block in enumerate(body.blocks):
        needed = set(live[number])
        for step in reversed([*block.steps, *([block.terminator] if block.terminator else [])]):
            if step.defs:
                moments.append((set(step.defs), set(needed)))
            needed -= set(step.defs)
            needed |= set(step.uses)
        results = {phi.result for phi in block.phis}
        if results:
            moments.append((results, set(needed)))
        needed -= results
        if block.arrivals:
            moments.append((set(block.arrivals), set(needed)))
    return moments


def copied_value(body: Body) -> list[int]:
    """For each value the one it is a copy of, through chains of copies."""
    source = {
        c.dst: c.src
        for block in body.blocks
        for step in block.steps
        if isinstance(step, ParallelCopy)
        for c in step.copies
        if isinstance(c.src, int)
    }
    result = []
    for value in range(body.value_count):
        while value in source:
            value = source[value]
        result.append(value)
    return result


def interfering_pairs(body: Body) -> set[tuple[int, int]]:
    """Pairs of which one is written while the other is needed afterwards, or both at once; and that are not equal."""
    value = copied_value(body)
    pairs: set[tuple[int, int]] = set()
    for written, needed in values_by_step(body):
        for one in written:
            for other in written | needed:
                if one != other and value[one] != value[other]:
                    pairs.add((min(one, other), max(one, other)))
    return pairs


@given(st.randoms(use_true_random=False))
def test_interference_equals_its_definition(rng):
    body = isolated(rng)
    interference = Interference(body, tree_of(body))
    defined = [value for value in range(body.value_count) if interference.rank[value] >= 0]
    found = {(one, other) for one, other in combinations(defined, 2) if interference.interfere(one, other)}
    assert found == interfering_pairs(body)


@given(st.randoms(use_true_random=False))
def test_classes_are_joined_exactly_when_no_two_members_interfere(rng):
    """Random pairs are offered; the two-sided walk over the smaller class must decide as all pairs do."""
    body = isolated(rng)
    pairs = interfering_pairs(body)
    interference = Interference(body, tree_of(body))
    classes = Classes(body, interference)
    join_webs(body, classes)
    members = {value: {value} for value in range(body.value_count)}
    for block in body.blocks:
        for phi in block.phis:
            union = set().union(*(members[name] for name in [phi.result, *phi.args] if isinstance(name, int)))
            for name in union:
                members[name] = union
    defined = [value for value in range(body.value_count) if interference.rank[value] >= 0]
    for _ in range(30):
        one, other = rng.choice(defined), rng.choice(defined)
        free = not any((min(a, b), max(a, b)) in pairs for a in members[one] for b in members[other])
        if members[one] is members[other]:
            free = True
        assert classes.join_if_free(one, other) == free
        if free:
            union = members[one] | members[other]
            for name in union:
                members[name] = union
            assert classes.find(one) == classes.find(other)


@given(st.randoms(use_true_random=False))
def test_no_copy_is_left_that_could_have_been_joined(rng):
    """Greedy, but complete: a copy that stays between two classes is one whose classes interfere."""
    body = isolated(rng)
    pairs = interfering_pairs(body)
    interference = Interference(body, tree_of(body))
    classes = Classes(body, interference)
    join_webs(body, classes)
    join_copies(body, classes, [0] * len(body.blocks))
    members: dict[int, list[int]] = {}
    for value in range(body.value_count):
        members.setdefault(classes.find(value), []).append(value)
    for group in members.values():
        assert not any((a, b) in pairs for a, b in combinations(sorted(group), 2))
    for block in body.blocks:
        for step in block.steps:
            if isinstance(step, ParallelCopy):
                for c in step.copies:
                    if isinstance(c.src, int) and classes.find(c.dst) != classes.find(c.src):
                        assert any(
                            (min(a, b), max(a, b)) in pairs
                            for a in members[classes.find(c.dst)]
                            for b in members[classes.find(c.src)]
                        )


def test_deeper_loops_are_served_first():
    """c cannot share with both a and b; the copy in the loop wins although it comes later."""
    body = Body([BodyBlock() for _ in range(2)], ["int"] * 3)
    body.add_edge(0, 1)
    body.blocks[0].steps = [Step([], [0, 1], ("inputs",)), ParallelCopy([Copy(2, 0)])]
    body.blocks[1].terminator = Step([0, 1, 2], [], ("return",))
    other = copy.deepcopy(body)
    other.blocks[0].steps[1] = ParallelCopy([Copy(2, 1)])
    for candidate, wanted in ((body, 0), (other, 1)):
        classes = Classes(candidate, Interference(candidate, tree_of(candidate)))
        join_copies(candidate, classes, [0, 1])
        assert classes.find(2) == classes.find(wanted)
