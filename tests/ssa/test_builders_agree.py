"""Three ways to the same phis: Zend's rule, the textbook's, and Braun et al.'s."""

from __future__ import annotations

from hypothesis import given, settings

from ssa2llvm.cfg.build import build_cfg, tree_of
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ssa.build import phi_sets
from ssa2llvm.ssa.liveness import slot_liveness
from ssa2llvm.ssa.textbook import build_textbook_ssa, textbook_phis
from ssa2llvm.ssa.verifier import assert_valid
from tests.ssa.braun import needed_phis
from tests.ssa.op_arrays import op_arrays


def by_zends_rule(function: Function) -> list[list[int]]:
    live = slot_liveness(function)
    sets = phi_sets(function, tree_of(function), live, [0] * len(function.blocks))
    return [live.slots_in(mask) for mask in sets]


def by_the_textbook(function: Function) -> list[list[int]]:
    live = slot_liveness(function)
    return [live.slots_in(mask) for mask in textbook_phis(function, live)]


@settings(max_examples=200)
@given(op_arrays())
def test_three_builders_place_the_same_phis(op_array: OpArray) -> None:
    function = build_cfg(op_array)
    expected = by_the_textbook(function)
    assert by_zends_rule(function) == expected
    assert needed_phis(function) == expected


@given(op_arrays())
def test_the_textbook_builds_valid_functions(op_array: OpArray) -> None:
    assert_valid(build_textbook_ssa(op_array))
