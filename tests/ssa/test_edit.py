from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.cfg.build import refresh
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import BlockFlags, Function, Instr, Phi
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, cv, tmp
from ssa2llvm.ssa import edit, edit_graph
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.verifier import assert_valid
from tests.ssa.op_arrays import op_arrays
from tests.ssa.samples import block_of, caught, choose, count_to, instruction, returning_through_finally, store


def opcodes(function: Function) -> list[list[str]]:
    return [[instr.opcode.name for instr in block.instrs] for block in function.blocks]


def test_replacing_a_name_moves_all_its_uses() -> None:
    function = build_ssa(choose())  # $a: #3 = 10, #4 = 20, #5 = phi(#3, #4), echo #5, return #5
    edit.replace_uses(function, 5, 3)
    assert instruction(function, Opcode.ECHO).op1_use == 3
    assert instruction(function, Opcode.RETURN).op1_use == 3
    assert function.ssa_vars[5].uses == []
    assert_valid(function)
    edit.remove_phi(function, function.blocks[2].phis[0])
    assert function.ssa_vars[4].phi_uses == []
    assert_valid(function)


def test_replacing_by_a_name_of_another_slot_changes_operands() -> None:
    function = build_ssa(choose())
    edit.replace_uses(function, 5, 2)
    assert instruction(function, Opcode.ECHO).op1 == cv(0)
    assert_valid(function)


def test_a_pis_bound_follows() -> None:
    function = build_ssa(count_to())
    pi = function.blocks[1].phis[-1]  # $i = Pi($i & RANGE[-- .. $n - 1])
    assert pi.constraint.max_var == 4
    edit.replace_uses(function, 4, 0)
    assert (pi.constraint.max_var, pi.constraint.max_slot) == (0, 0)
    assert pi in function.ssa_vars[0].sym_uses
    assert_valid(function)


def test_an_operand_that_is_written_too_keeps_its_slot() -> None:
    function = build_ssa(store())
    with pytest.raises(ValueError, match=r"ASSIGN_DIM 2 reads and writes #2\.\$a in one place; it cannot read \$v"):
        edit.replace_uses(function, 2, 3)
    assert_valid(function)


def test_replacing_one_operand() -> None:
    function = build_ssa(choose())
    echo = instruction(function, Opcode.ECHO)
    edit.replace_operand(function, echo, "op1", cv(0), 2)
    assert function.ssa_vars[5].uses == [instruction(function, Opcode.RETURN)]
    assert echo in function.ssa_vars[2].uses
    assert_valid(function)
    edit.replace_operand(function, echo, "op1", UNUSED)
    assert echo not in function.ssa_vars[2].uses
    assert_valid(function)


def test_inserting_and_removing_instructions() -> None:
    function = build_ssa(choose())
    slot = edit.new_slot(function)
    name = edit.new_name(function, slot)
    add = Instr(Opcode.ADD, cv(1), cv(1), tmp(slot), op1_use=5, op2_use=5, result_def=name)
    block = function.blocks[2]
    edit.insert_instruction(function, block, 0, add)
    assert function.num_slots == 3
    assert function.ssa_vars[5].uses.count(add) == 1
    assert_valid(function)
    edit.replace_operand(function, instruction(function, Opcode.ECHO), "op1", tmp(slot), name)
    assert_valid(function)
    with pytest.raises(ValueError, match="which ADD -1 defines, is used"):
        edit.remove_instruction(function, block, add)
    # The two may go together.
    edit.remove_instructions(function, block, [add, instruction(function, Opcode.ECHO)])
    assert opcodes(function)[2] == ["RETURN"]
    assert_valid(function)


def test_op_data_goes_with_its_owner() -> None:
    function = build_ssa(store())
    assign = instruction(function, Opcode.ASSIGN_DIM)
    edit.replace_uses(function, assign.op1_def, assign.op1_use)
    edit.remove_instruction(function, function.blocks[0], assign)
    assert opcodes(function) == [["RECV", "RECV", "RETURN"]]
    assert function.ssa_vars[3].uses == []
    assert_valid(function)


@pytest.mark.parametrize("together", [False, True])
def test_a_removed_instruction_leaves_its_throw_edge_a_nop(together: bool) -> None:
    function = build_ssa(caught())
    init = instruction(function, Opcode.INIT_FCALL_BY_NAME)
    block = block_of(function, init)
    if together:
        edit.remove_together(function, [init], [])
    else:
        edit.remove_instruction(function, block, init)
    assert [instr.opcode for instr in block.instrs] == [Opcode.NOP]
    assert_valid(function)


def test_inserting_a_phi() -> None:
    function = build_ssa(choose())
    name = edit.new_name(function, 0)
    phi = Phi(0, 2, name, [2, 2])
    edit.insert_phi(function, phi)
    assert function.ssa_vars[2].phi_uses == [phi]
    assert function.blocks[2].phis[-1] is phi
    assert_valid(function)


@pytest.mark.parametrize(("kept", "source"), [(0, 3), (1, 4)])
def test_folding_a_branch(kept: int, source: int) -> None:
    function = build_ssa(choose())
    edit_graph.keep_successor(function, function.blocks[0], kept)
    removed = edit_graph.remove_unreachable(function)
    assert removed == ([1] if kept == 0 else [])
    assert opcodes(function)[0] == ["RECV", "ASSIGN", "JMP"]
    assert function.blocks[2].phis[0].sources == [source]
    assert function.ssa_vars[2].uses == []
    assert_valid(function)


def test_a_branch_whose_result_is_used_is_not_folded() -> None:
    function = build_ssa(choose())
    jump = instruction(function, Opcode.JMPZ)
    jump.opcode = Opcode.JMPZ_EX
    jump.result_def = edit.new_name(function, edit.new_slot(function))
    function.ssa_vars[jump.result_def].uses.append(instruction(function, Opcode.ECHO))
    with pytest.raises(ValueError, match="which JMPZ_EX 2 defines, is used"):
        edit_graph.keep_successor(function, function.blocks[0], 0)


def test_a_loop_that_is_not_entered_disappears() -> None:
    function = build_ssa(count_to())
    header = block_of(function, instruction(function, Opcode.IS_SMALLER))
    edit_graph.keep_successor(function, header, 1)
    assert edit_graph.remove_unreachable(function) == [1]
    assert header.preds == [0]
    assert all(len(phi.sources) == 1 for phi in header.phis)
    assert_valid(function)
    refresh(function)
    assert not function.has_loops
    assert_valid(function)


def test_a_throw_edge_that_is_not_taken_disappears() -> None:
    function = build_ssa(caught())
    guards = [block for block in function.blocks if BlockFlags.THROW_EDGE in block.flags]
    handler = guards[0].succs[1]
    for guard in guards[:-1]:
        edit_graph.remove_throw_edge(function, guard)
        edit_graph.remove_unreachable(function)
        assert_valid(function)
    assert function.blocks[handler].reachable
    edit_graph.remove_throw_edge(function, guards[-1])
    assert edit_graph.remove_unreachable(function) == [handler, handler + 1]
    assert_valid(function)
    merged = edit_graph.merge_with_successor(function, guards[0])
    assert not merged.reachable
    assert_valid(function)


@pytest.mark.parametrize("kept", [0, 1])
def test_with_a_fast_call_goes_the_way_back_behind_it(kept: int) -> None:
    function = build_ssa(returning_through_finally())
    branch = block_of(function, instruction(function, Opcode.JMPZ))
    fast_ret = block_of(function, instruction(function, Opcode.FAST_RET))
    behind = [block_of(function, call).id + 1 for call in fast_calls(function)]
    assert fast_ret.succs == behind
    edit_graph.keep_successor(function, branch, kept)
    edit_graph.remove_unreachable(function)
    # The jump leads past "return g()", to the second FAST_CALL; the other way to the first.
    assert fast_ret.succs == [behind[1] if kept == 0 else behind[0]]
    assert len(fast_calls(function)) == 1
    assert_valid(function)


def fast_calls(function: Function) -> list[Instr]:
    return [instr for instr in function.instructions() if instr.opcode == Opcode.FAST_CALL]


def test_splitting_and_merging_a_block() -> None:
    function = build_ssa(count_to())
    header = block_of(function, instruction(function, Opcode.IS_SMALLER))
    before = list(header.instrs)
    rest = edit_graph.split_block(function, header, 1)
    assert header.instrs == before[:1]
    assert rest.instrs == before[1:]
    assert function.blocks[1].phis[0].pi == rest.id
    assert_valid(function)
    assert edit_graph.merge_with_successor(function, header) is rest
    assert header.instrs == before
    assert_valid(function)


def test_splitting_an_edge_keeps_phi_sources_and_pis() -> None:
    function = build_ssa(count_to())
    header = block_of(function, instruction(function, Opcode.IS_SMALLER))
    sources = [list(phi.sources) for phi in header.phis]
    middle = edit_graph.split_edge(function, function.blocks[1], 0)
    assert header.preds == [0, middle.id]
    assert [phi.sources for phi in header.phis] == sources
    assert_valid(function)
    edge = edit_graph.split_edge(function, header, 0)
    assert [phi.pi for phi in function.blocks[1].phis] == [edge.id, edge.id]
    assert_valid(function)


def test_splitting_one_of_two_equal_edges() -> None:
    function = build_ssa(choose())
    function.blocks[0].succs = [2, 2]
    function.blocks[2].preds = [0, 1]
    function.stale = True
    edit_graph.remove_unreachable(function)
    middle = edit_graph.split_edge(function, function.blocks[0], 1)
    assert function.blocks[0].succs == [2, middle.id]
    assert function.blocks[2].preds == [0, middle.id]
    assert function.blocks[2].phis[0].sources == [3, 3]
    assert_valid(function)


def test_merging_copies_what_an_instruction_ties_to_its_variable() -> None:
    """A phi of $b that is left with one source, a name of $a, and ``$b .= "x"`` behind it."""
    b = FunctionBuilder("tied", params=["a"])
    first, second = b.cv("a"), b.cv("b")
    b.emit(Opcode.QM_ASSIGN, first, result=second)
    after = b.label()
    b.jump(after)
    b.place(after)
    b.emit(Opcode.ASSIGN_OP, second, b.const(b"x"), None, int(Opcode.CONCAT))
    b.ret(second)
    function = build_ssa(b.finish())
    copy = instruction(function, Opcode.QM_ASSIGN)
    before = block_of(function, copy)
    behind = function.blocks[before.succs[0]]
    name = edit.new_name(function, copy.result.num)
    edit.insert_phi(function, Phi(copy.result.num, behind.id, name, [copy.op1_use]))
    append = instruction(function, Opcode.ASSIGN_OP)
    edit.replace_operand(function, append, "op1", append.op1, name)
    edit.remove_instruction(function, before, copy)
    assert_valid(function)
    edit_graph.merge_with_successor(function, before)
    refresh(function)
    assert_valid(function)
    assert [instr.opcode for instr in before.instrs][-3:-1] == [Opcode.COPY, Opcode.ASSIGN_OP]


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (lambda f: edit_graph.split_block(f, f.blocks[0], 3), "cannot be cut before an OP_DATA"),
        (lambda f: edit_graph.merge_with_successor(f, f.blocks[0]), "are not alone with each other"),
    ],
)
def test_wishes_that_cannot_be_met(operation: object, message: str) -> None:
    function = build_ssa(store())
    assert callable(operation)
    with pytest.raises(ValueError, match=message):
        operation(function)
    assert_valid(function)


def test_the_instruction_behind_a_throw_edge_stays_there() -> None:
    function = build_ssa(caught())
    guard = next(block for block in function.blocks if BlockFlags.THROW_EDGE in block.flags)
    with pytest.raises(ValueError, match="must start with the instruction"):
        edit_graph.split_block(function, function.blocks[guard.succs[0]], 0)
    with pytest.raises(ValueError, match="must follow it directly"):
        edit_graph.split_edge(function, guard, 0)
    with pytest.raises(ValueError, match="branches only by exception"):
        edit_graph.keep_successor(function, guard, 0)
    edit_graph.split_edge(function, guard, 1)
    assert_valid(function)


def test_a_catch_is_not_merged_away() -> None:
    function = build_ssa(caught())
    catch = block_of(function, instruction(function, Opcode.CATCH))
    with pytest.raises(ValueError, match="ends in CATCH"):
        edit_graph.merge_with_successor(function, catch)


@settings(max_examples=150)
@given(op_arrays(), st.data())
def test_random_edits_keep_functions_valid(op_array: OpArray, data: st.DataObject) -> None:
    function = build_ssa(op_array, data.draw(st.sampled_from(Config)))
    for _ in range(data.draw(st.integers(1, 6))):
        reachable = [block for block in function.blocks if block.reachable]
        block = data.draw(st.sampled_from(reachable))
        kind = data.draw(st.sampled_from(["fold", "edge", "block", "merge", "phi", "echo"]))
        if kind == "fold" and len(block.succs) > 1:
            edit_graph.keep_successor(function, block, data.draw(st.integers(0, len(block.succs) - 1)))
            edit_graph.remove_unreachable(function)
        elif kind == "edge" and block.succs:
            edit_graph.split_edge(function, block, data.draw(st.integers(0, len(block.succs) - 1)))
        elif kind == "block":
            edit_graph.split_block(function, block, data.draw(st.integers(0, max(len(block.instrs) - 1, 0))))
        elif kind == "merge" and len(block.succs) == 1:
            following = function.blocks[block.succs[0]]
            if following.preds == [block.id] and following is not block:
                edit_graph.merge_with_successor(function, block)
        elif kind == "phi" and block.phis:
            phi = data.draw(st.sampled_from(block.phis))
            others = {source for source in phi.sources if source != phi.result}
            if len(others) == 1 and not phi.is_pi:
                edit.replace_uses(function, phi.result, others.pop())
                edit.remove_phi(function, phi)
        elif kind == "echo":
            dead = [instr for instr in block.instrs if instr.opcode == Opcode.ECHO]
            edit.remove_instructions(function, block, dead)
        assert_valid(function)
    refresh(function)
    assert_valid(function)
