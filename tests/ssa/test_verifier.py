"""Each invariant is broken alone, and caught with a message that says where."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given

from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Alias, BlockFlags, Function, Instr, Phi, RangeConstraint, SsaVar
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, cv, word
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.verifier import InvalidFunctionError, assert_valid, verify
from tests.ssa.op_arrays import op_arrays
from tests.ssa.samples import caught, choose, count_to, each, instruction, store

SAMPLES: list[Callable[[], OpArray]] = [choose, count_to, caught, each, store]


@pytest.mark.parametrize("sample", SAMPLES)
def test_built_functions_are_valid(sample: Callable[[], OpArray]) -> None:
    assert verify(build_ssa(sample())) == []


@given(op_arrays())
def test_random_functions_are_valid_in_both_configurations(op_array: OpArray) -> None:
    assert_valid(build_ssa(op_array, Config.ZEND))
    assert_valid(build_ssa(op_array, Config.SOUND))


def test_the_error_lists_what_is_wrong() -> None:
    function = build_ssa(choose())
    function.blocks[1].id = 7
    with pytest.raises(InvalidFunctionError) as error:
        assert_valid(function)
    assert str(error.value) == "function choose, block 7: stands at position 1 [invariant 1]"
    assert [violation.invariant for violation in error.value.violations] == [1]


# One way to break each invariant, and what the verifier says first. ``choose`` is
#   b0: 0 RECV $cond#2  1 ASSIGN $a#1 -> #3  2 JMPZ #2      (names 0 and 1 are $cond and $a at entry)
#   b1: 3 ASSIGN $a#3 -> #4        b2: $a#5 = phi(#3, #4)  4 ECHO #5  5 RETURN #5


def entry_with_predecessor(f: Function) -> None:
    f.blocks[0].preds.append(1)


def successor_outside(f: Function) -> None:
    f.blocks[1].succs[0] = 9


def unreachable_with_edges(f: Function) -> None:
    f.blocks[1].flags &= ~BlockFlags.REACHABLE


def predecessor_missing(f: Function) -> None:
    f.blocks[2].preds.remove(1)


def predecessor_twice(f: Function) -> None:
    f.blocks[2].preds.append(1)


def marked_but_not_reached(f: Function) -> None:
    lone = f.blocks[0].succs
    lone[:] = [2, 2]
    f.blocks[1].preds.clear()


def branch_in_the_middle(f: Function) -> None:
    f.blocks[0].instrs.insert(1, Instr(Opcode.JMP, word(0), number=77))


def too_few_successors(f: Function) -> None:
    f.blocks[0].instrs[-1] = Instr(Opcode.JMP, word(0), number=2)


def throw_edge_without_handler(f: Function) -> None:
    f.blocks[1].flags |= BlockFlags.THROW_EDGE


def wrong_dominator(f: Function) -> None:
    f.blocks[2].idom = 1


def name_that_does_not_exist(f: Function) -> None:
    instruction(f, Opcode.ECHO).op1_use = 99


def operand_without_name(f: Function) -> None:
    instruction(f, Opcode.ECHO).op1_use = -1


def name_of_another_variable(f: Function) -> None:
    instruction(f, Opcode.ECHO).op1_use = 2


def name_without_operand(f: Function) -> None:
    instruction(f, Opcode.ECHO).op1 = UNUSED


def second_definition(f: Function) -> None:
    instruction(f, Opcode.ASSIGN, 1).op1_def = 3


def entry_name_defined(f: Function) -> None:
    instruction(f, Opcode.RECV).result_def = 0


def definition_elsewhere(f: Function) -> None:
    f.ssa_vars[4].definition = instruction(f, Opcode.ECHO)


def definition_of_nothing(f: Function) -> None:
    f.ssa_vars.append(SsaVar(1, definition=instruction(f, Opcode.ECHO)))


def phi_short_of_a_source(f: Function) -> None:
    f.blocks[2].phis[0].sources.pop()


def phi_in_the_wrong_block(f: Function) -> None:
    f.blocks[2].phis[0].block = 1


def pi_for_no_edge(f: Function) -> None:
    f.blocks[2].phis[0].pi = 2


def use_before_definition(f: Function) -> None:
    jump = instruction(f, Opcode.JMPZ)
    jump.op1, jump.op1_use = cv(1), 5


def source_that_does_not_reach(f: Function) -> None:
    f.blocks[2].phis[0].sources = [4, 4]


def use_missing_in_chain(f: Function) -> None:
    f.ssa_vars[5].uses.pop()


def use_twice_in_chain(f: Function) -> None:
    f.ssa_vars[5].uses.append(f.ssa_vars[5].uses[0])


def phi_use_missing(f: Function) -> None:
    f.ssa_vars[3].phi_uses.clear()


def sym_use_too_many(f: Function) -> None:
    f.ssa_vars[0].sym_uses.append(f.blocks[2].phis[0])


def alias_of_one_name_only(f: Function) -> None:
    f.ssa_vars[5].alias = Alias.SYMTABLE


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (entry_with_predecessor, "block 0: the entry is unreachable or has predecessors [invariant 1]"),
        (successor_outside, "block 1: has successors [9], which are no blocks [invariant 2]"),
        (unreachable_with_edges, "block 1: is unreachable but has successors, predecessors or phis [invariant 2]"),
        (predecessor_missing, "block 2: has predecessors [0], but the edges say [0, 1] [invariant 3]"),
        (predecessor_twice, "block 2: has predecessors [0, 1, 1], but the edges say [0, 1] [invariant 3]"),
        (marked_but_not_reached, "block 1: is marked reachable but nothing leads to it [invariant 4]"),
        (
            branch_in_the_middle,
            "block 0, instruction 77 (JMP): transfers control but is not the last instruction of its block"
            " [invariant 5]",
        ),
        (too_few_successors, "block 0, instruction 2 (JMP): has 2 successors, its end asks for 1 [invariant 5]"),
        (
            throw_edge_without_handler,
            "block 1: has a THROW_EDGE but not the two successors next and handler [invariant 6]",
        ),
        (wrong_dominator, "block 2: has idom 1, the graph says 0 [invariant 7]"),
        (
            name_that_does_not_exist,
            "block 2, instruction 4 (ECHO), variable #99: mentions a name that does not exist [invariant 8]",
        ),
        (operand_without_name, "block 2, instruction 4 (ECHO): op1 ($a) has no name [invariant 9]"),
        (
            name_of_another_variable,
            "block 2, instruction 4 (ECHO), variable #2.$cond: op1 is $a but has a name of another variable"
            " [invariant 9]",
        ),
        (
            name_without_operand,
            "block 2, instruction 4 (ECHO), variable #5.$a: op1 is no variable but has a name [invariant 9]",
        ),
        (second_definition, "block 1, instruction 3 (ASSIGN), variable #3.$a: has a second definition [invariant 10]"),
        (
            entry_name_defined,
            "block 0, instruction 0 (RECV), variable #0.$cond: is the variable at entry but is defined here"
            " [invariant 10]",
        ),
        (
            definition_elsewhere,
            "block 1, instruction 3 (ASSIGN), variable #4.$a: is defined here, but its definition points elsewhere"
            " [invariant 10]",
        ),
        (
            definition_of_nothing,
            "variable #6.$a: points to a definition that does not define it [invariant 10]",
        ),
        (
            phi_short_of_a_source,
            "block 2, variable #5.$a: a phi has 1 sources for 2 predecessors [invariant 11]",
        ),
        (phi_in_the_wrong_block, "block 2, variable #5.$a: a phi claims to be in block 1 [invariant 11]"),
        (
            pi_for_no_edge,
            "block 2, variable #5.$a: a pi for the edge from block 2 has sources [3, 4], predecessors are [0, 1]"
            " [invariant 11]",
        ),
        (
            use_before_definition,
            "block 0, instruction 2 (JMPZ), variable #5.$a: is read where its definition has not come for sure"
            " [invariant 12]",
        ),
        (
            source_that_does_not_reach,
            "block 2, variable #4.$a: is a source of #5.$a from block 0, at whose end it has not been defined for sure"
            " [invariant 12]",
        ),
        (use_missing_in_chain, "variable #5.$a: uses has 1 entries, 1 right ones of 2 [invariant 13]"),
        (use_twice_in_chain, "variable #5.$a: uses has 3 entries, 2 right ones of 2 [invariant 13]"),
        (phi_use_missing, "variable #3.$a: phi_uses has 0 entries, 0 right ones of 1 [invariant 14]"),
        (sym_use_too_many, "variable #0.$cond: sym_uses has 1 entries, 0 right ones of 0 [invariant 15]"),
        (alias_of_one_name_only, "variable #5.$a: differs in alias from other names of its variable [invariant 17]"),
    ],
)
def test_a_broken_invariant_is_named_with_its_place(damage: Callable[[Function], None], message: str) -> None:
    function = build_ssa(choose())
    damage(function)
    assert str(verify(function)[0]) == f"function choose, {message}"


def test_every_invariant_but_the_pairs_is_broken_above() -> None:
    parametrized = test_a_broken_invariant_is_named_with_its_place.pytestmark[0].args[1]
    numbers = {int(message.rsplit(" ", 1)[1].rstrip("]")) for _, message in parametrized}
    assert numbers == set(range(1, 18)) - {16}


def test_op_data_belongs_to_its_owner() -> None:
    function = build_ssa(store())
    block = function.blocks[0]
    data = instruction(function, Opcode.OP_DATA)
    block.instrs.remove(data)
    assert str(verify(function)[0]) == (
        "function store, block 0, instruction 4 (RETURN): stands where OP_DATA is due [invariant 16]"
    )
    block.instrs.insert(0, data)
    assert "instruction 3 (OP_DATA): OP_DATA without owner [invariant 16]" in str(verify(function)[0])


def test_a_throw_edge_leads_to_a_block_of_its_own() -> None:
    function = build_ssa(caught())
    block = next(block for block in function.blocks if BlockFlags.THROW_EDGE in block.flags)
    function.blocks[block.succs[0]].instrs = []
    assert "[invariant 6]" in str(verify(function)[0])


def test_a_pi_must_not_stand_behind_a_phi_nor_its_bound_be_undefined() -> None:
    function = build_ssa(count_to())
    header = next(block for block in function.blocks if any(not phi.is_pi for phi in block.phis))
    body = next(block for block in function.blocks if any(phi.is_pi for phi in block.phis))
    pi = body.phis[-1]  # $i <= $n - 1
    assert isinstance(pi.constraint, RangeConstraint)
    bound = pi.constraint.max_var
    increment = instruction(function, Opcode.PRE_INC)
    function.ssa_vars[bound].sym_uses.remove(pi)
    function.ssa_vars[increment.op1_def].sym_uses.append(pi)
    pi.constraint.max_var = increment.op1_def
    assert "bounds #" in str(verify(function)[0])
    assert verify(function)[0].invariant == 12
    header.phis.append(Phi(0, header.id, result=pi.result, sources=[0], pi=header.preds[0]))
    assert "a pi stands behind a phi [invariant 11]" in str(verify(function)[0])


def test_late_marks_are_allowed_while_stale() -> None:
    function = build_ssa(choose())
    wrong_dominator(function)
    function.stale = True
    assert verify(function) == []
