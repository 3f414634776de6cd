"""Out of SSA on random graphs: what runs afterwards is what ran before, naive and coalesced alike."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.destruct.body import Body, BodyBlock, BodyPhi, Step
from ssa2llvm.destruct.coalesce import TiedPairError
from ssa2llvm.destruct.critical_edges import split_critical_edges
from ssa2llvm.destruct.isolate import isolate_phis
from ssa2llvm.destruct.out_of_ssa import Move, leave_ssa
from ssa2llvm.destruct.parallel_copy import Constant, Copy
from tests.destruct.model import Interpreter, propagated_program, random_program, situations


def programs(rng: random.Random) -> list[Body]:
    return [make(rng, blocks=rng.randrange(2, 10)) for make in (random_program, propagated_program)]


def inputs_for(rng: random.Random) -> list[list[int]]:
    return [[rng.randrange(20) for _ in range(3)] for _ in range(4)]


@given(st.randoms(use_true_random=False))
def test_every_stage_runs_as_the_ssa_form_does(rng):
    for body in programs(rng):
        blocks = len(body.blocks)
        runs = inputs_for(rng)
        wanted = [Interpreter(body).run(inputs).observed for inputs in runs]

        naive_body, coalesced_body = copy.deepcopy(body), copy.deepcopy(body)
        naive = leave_ssa(naive_body, coalesce=False)
        coalesced = leave_ssa(coalesced_body)
        for result in (naive, coalesced):
            assert not any(block.phis or block.edge_copies for block in result.body.blocks)
        naive_runs = [Interpreter(naive_body, naive, blocks).run(inputs) for inputs in runs]
        coalesced_runs = [Interpreter(coalesced_body, coalesced, blocks).run(inputs) for inputs in runs]
        assert [run.observed for run in naive_runs] == wanted
        assert [run.observed for run in coalesced_runs] == wanted

        assert naive.statistics.copies_after == naive.statistics.copies_before == coalesced.statistics.copies_before
        assert naive.statistics.temporaries == 0
        assert coalesced.statistics.copies_after <= naive.statistics.copies_after
        for one, other in zip(coalesced_runs, naive_runs):
            assert one.moves <= other.moves


@given(st.randoms(use_true_random=False))
def test_isolated_phis_still_mean_the_same(rng):
    """Each stage can be called alone: after isolation the body is SSA still, with conventional phis."""
    for body in programs(rng):
        runs = inputs_for(rng)
        wanted = [Interpreter(body).run(inputs).observed for inputs in runs]
        blocks = len(body.blocks)
        interpreter = Interpreter(body, block_limit=blocks)
        for edge in split_critical_edges(body):
            interpreter.detour[edge.source, edge.target] = edge.block
        isolate_phis(body)
        interpreter.cell = list(range(body.value_count))
        assert [interpreter.run(inputs).observed for inputs in runs] == wanted
        for block in body.blocks:
            for phi in block.phis:
                for source, argument in zip(block.preds, phi.args):
                    last = body.blocks[source].steps[-1]
                    assert argument in last.defs
                    assert body.blocks[source].succs == [body.blocks.index(block)]


def test_the_sample_has_the_difficult_situations():
    """What the tests above draw from is not trivial: each classical difficulty turns up often."""
    count: dict[str, int] = {}
    runs_to_the_end = 0
    for seed in range(150):
        rng = random.Random(seed)
        for body in programs(rng):
            for situation in situations(body):
                count[situation] = count.get(situation, 0) + 1
            runs_to_the_end += Interpreter(body).run([seed, seed + 1, 3]).observed[-1:] != [-1]
    assert set(count) == {"swap", "lost copy", "critical edge", "repeated edge", "irreducible"}
    assert all(times >= 12 for times in count.values()), count
    assert runs_to_the_end >= 50


# --- the situations by hand -----------------------------------------------------------------------------------------


def graph(*edges: tuple[int, int], values: int) -> Body:
    body = Body([BodyBlock() for _ in range(max(max(edge) for edge in edges) + 1)], ["int"] * values)
    for source, target in edges:
        body.add_edge(source, target)
    return body


def swap_loop() -> Body:
    """(a, b) = (b, a) each turn; 0: entry, 1: head, 2: latch, 3: exit."""
    body = graph((0, 1), (1, 2), (1, 3), (2, 1), values=5)
    body.blocks[0].steps = [Step([], [0, 1, 2], ("inputs",))]
    body.blocks[1].phis = [BodyPhi(3, [0, 4]), BodyPhi(4, [1, 3])]
    body.blocks[1].steps = [Step([3], [], ("observe",))]
    body.blocks[1].terminator = Step([2], [], ("switch", [2, 3]))
    body.blocks[3].terminator = Step([4], [], ("return",))
    return body


def moves_in(body: Body, block: int) -> int:
    return sum(isinstance(step, Move) for step in body.blocks[block].steps)


def test_swap_costs_one_temporary_in_the_loop():
    body = swap_loop()
    result = leave_ssa(body)
    assert result.statistics.temporaries == 1
    assert [moves_in(body, block) for block in range(4)] == [0, 0, 3, 0]
    assert len(result.location_kinds) == 4  # a, b, the condition, the temporary


def test_lost_copy():
    """The phi's value is returned after the edge has brought the next one (Briggs et al. 1998, figure 8)."""
    body = graph((0, 1), (1, 1), (1, 2), values=3)
    body.blocks[0].steps = [Step([], [0], ("inputs",))]
    body.blocks[1].phis = [BodyPhi(1, [0, 2])]
    body.blocks[1].steps = [Step([1], [2], ("mul3",))]
    body.blocks[1].terminator = Step([2], [], ("switch", [1, 2, 2, 1]))
    body.blocks[2].terminator = Step([1], [], ("return",))
    wanted = Interpreter(body).run([5]).observed
    result = leave_ssa(body)
    assert Interpreter(body, result, 3).run([5]).observed == wanted
    assert result.location_of[1] != result.location_of[2]
    assert result.statistics.edges_split == 1
    assert moves_in(body, result.split[0].block) == 1


def test_equal_edges_of_a_switch_get_one_block():
    """cases/095: entry -> {J, J, A, J}, A -> J."""
    body = graph((0, 2), (0, 1), (1, 2), values=5)
    body.blocks[0].steps = [Step([], [0, 1], ("inputs",))]
    body.blocks[0].terminator = Step([0], [], ("switch", [2, 1, 2, 2]))
    body.blocks[1].steps = [Step([1], [2], ("mul3",))]
    body.blocks[2].phis = [BodyPhi(3, [1, 2])]
    body.blocks[2].terminator = Step([3], [], ("return",))
    coalesced = leave_ssa(copy.deepcopy(body))
    assert coalesced.statistics.copies_after == 0
    assert coalesced.split == []
    assert coalesced.body.blocks[0].succs == [2, 1]
    result = leave_ssa(body, coalesce=False)
    assert [(edge.source, edge.target) for edge in result.split] == [(0, 2)]
    assert body.blocks[0].succs == [3, 1]
    assert body.blocks[2].preds == [3, 1]
    for selector, wanted in ((0, 7), (1, 22), (2, 7), (3, 7)):
        assert Interpreter(body, result, 3).run([selector, 7]).observed == [wanted]


def test_a_value_defined_by_the_terminator_is_copied_behind_it():
    """Block 1 leads to 2 alone, but its terminator defines what the phi reads."""
    body = graph((0, 1), (0, 2), (1, 2), values=4)
    body.blocks[0].steps = [Step([], [0, 1], ("inputs",))]
    body.blocks[0].terminator = Step([0], [], ("switch", [1, 2]))
    body.blocks[1].terminator = Step([1], [2], ("switch_def", [2]))
    body.blocks[2].phis = [BodyPhi(3, [1, 2])]
    body.blocks[2].terminator = Step([3], [], ("return",))
    naive = copy.deepcopy(body)
    result = leave_ssa(naive, coalesce=False)
    assert (1, 2) in [(edge.source, edge.target) for edge in result.split]
    assert Interpreter(naive, result, 3).run([0, 7]).observed == [22]
    assert Interpreter(naive, result, 3).run([1, 7]).observed == [7]


def test_undefined_arguments_cost_nothing():
    body = graph((0, 1), (0, 2), (1, 3), (2, 3), values=4)
    body.blocks[0].steps = [Step([], [0], ("inputs",))]
    body.blocks[0].terminator = Step([0], [], ("switch", [1, 2]))
    body.blocks[1].steps = [Step([], [1], ("const", 9))]
    body.blocks[3].phis = [BodyPhi(2, [1, None])]
    body.blocks[3].terminator = Step([2], [], ("return",))
    result = leave_ssa(body)
    assert result.statistics.copies_before == 2
    assert result.statistics.copies_after == 0
    assert Interpreter(body, result, 4).run([0]).observed == [9]


def test_constants_are_copied_on_their_edges():
    body = graph((0, 1), (0, 2), (1, 3), (2, 3), values=2)
    body.blocks[0].steps = [Step([], [0], ("inputs",))]
    body.blocks[0].terminator = Step([0], [], ("switch", [1, 2]))
    body.blocks[3].phis = [BodyPhi(1, [Constant(3), Constant(2)])]
    body.blocks[3].terminator = Step([1], [], ("return",))
    result = leave_ssa(body)
    assert [moves_in(body, block) for block in range(4)] == [0, 1, 1, 0]
    assert Interpreter(body, result, 4).run([0]).observed == [3]
    assert Interpreter(body, result, 4).run([1]).observed == [2]


# --- tied pairs, representations ------------------------------------------------------------------------------------


def in_place(later_use: bool) -> Body:
    """0: x = input; y = append(x); return y (and x)."""
    body = graph((0, 1), values=2)
    body.blocks[0].steps = [Step([], [0], ("inputs",)), Step([0], [1], ("mul3",))]
    if later_use:
        body.blocks[0].steps.append(Step([0], [], ("observe",)))
    body.blocks[1].terminator = Step([1], [], ("return",))
    return body


@pytest.mark.parametrize("coalesce", [False, True])
def test_tied_pair_shares_a_location_even_in_the_naive_translation(coalesce):
    result = leave_ssa(in_place(later_use=False), tied=[(0, 1)], coalesce=coalesce)
    assert result.location_of[0] == result.location_of[1]


@pytest.mark.parametrize("coalesce", [False, True])
def test_tied_pair_whose_old_value_is_needed_is_an_error(coalesce):
    with pytest.raises(TiedPairError) as caught:
        leave_ssa(in_place(later_use=True), tied=[(0, 1)], coalesce=coalesce)
    assert (caught.value.use, caught.value.definition) == (0, 1)


def test_different_representations_get_different_locations_and_a_copy():
    body = in_place(later_use=False)
    body.representation = ["int", "value"]
    body.blocks[1].edge_copies = {0: [Copy(body.new_value(1, "int"), 0)]}
    result = leave_ssa(body)
    assert result.location_of[2] == result.location_of[0]
    assert result.location_of[1] != result.location_of[0]
    assert [result.location_kinds[result.location_of[value]] for value in range(3)] == ["int", "value", "int"]


@given(st.randoms(use_true_random=False))
def test_a_location_has_one_representation(rng):
    """Values get representations at random; whatever the copies then convert, what runs is the same."""
    for body in programs(rng):
        blocks = len(body.blocks)
        body.representation = [rng.choice(["int", "value"]) for _ in body.representation]
        runs = inputs_for(rng)
        wanted = [Interpreter(body).run(inputs).observed for inputs in runs]
        result = leave_ssa(body)
        assert [Interpreter(body, result, blocks).run(inputs).observed for inputs in runs] == wanted
        for value, location in enumerate(result.location_of):
            if location >= 0:
                assert result.location_kinds[location] == body.representation[value]


def test_two_definitions_of_one_value_are_refused():
    body = in_place(later_use=False)
    body.blocks[1].steps = [Step([], [1], ("const", 1))]
    with pytest.raises(ValueError, match="defined twice"):
        leave_ssa(body)
