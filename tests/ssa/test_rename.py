"""Names, numbers and chains of small functions, as PHP's dumps show them (docs/errata.md has the dumps)."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind, tmp
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.textbook import build_textbook_ssa
from ssa2llvm.ssa.verifier import assert_valid
from tests.ssa.samples import choose, count_to, each, instruction, store


def test_choose() -> None:
    function = build_ssa(choose(), Config.ZEND)
    assert [ssa_var.slot for ssa_var in function.ssa_vars] == [0, 1, 0, 1, 1, 1]
    first, second = (instruction(function, Opcode.ASSIGN, which) for which in (0, 1))
    assert (first.op1_use, first.op1_def, second.op1_use, second.op1_def) == (1, 3, 3, 4)
    # JMPZ reads and defines nothing.
    jump = instruction(function, Opcode.JMPZ)
    assert (jump.uses(), jump.defs()) == ([2], [])
    (phi,) = function.blocks[2].phis
    assert (phi.slot, phi.result, phi.sources) == (1, 5, [3, 4])


def test_phis_are_numbered_before_and_pis_by_the_block_that_branches() -> None:
    function = build_ssa(count_to(), Config.ZEND)
    header, body = function.blocks[2], function.blocks[1]
    assert [(phi.slot, phi.result, phi.sources) for phi in header.phis] == [(0, 4, [2, 7]), (1, 5, [3, 10])]
    # Created later, a pi stands further in front: first $n's, then $i's. Numbers follow the list; #9 is $i's pi on the
    # way out.
    assert [(pi.slot, pi.result, pi.sources, pi.pi) for pi in body.phis] == [(0, 7, [4], 2), (1, 8, [5], 2)]


def two_definitions() -> OpArray:
    """``$a = &$b; $a += $a; $a[0] += $a; return $a;``"""
    b = FunctionBuilder("two", ["a", "b"])
    b.emit(Opcode.ASSIGN_REF, b.cv("a"), b.cv("b"), result=None)
    b.emit(Opcode.ASSIGN_OP, b.cv("a"), b.cv("a"), result=OpKind.VAR, ext=Opcode.ADD)
    b.emit(Opcode.ASSIGN_DIM_OP, b.cv("a"), b.const(0), result=None, ext=Opcode.ADD)
    b.emit(Opcode.OP_DATA, b.cv("a"), result=None)
    b.ret(b.cv("a"))
    return b.finish()


def test_one_instruction_can_define_several_names() -> None:
    function = build_ssa(two_definitions(), Config.ZEND)
    reference = instruction(function, Opcode.ASSIGN_REF)
    # op2 is numbered before op1.
    assert (reference.op2_use, reference.op2_def, reference.op1_use, reference.op1_def) == (3, 4, 2, 5)
    add = instruction(function, Opcode.ASSIGN_OP)
    assert (add.op1_use, add.op2_use, add.op1_def, add.result_def) == (5, 5, 6, 7)
    # A name that is read twice by an instruction is in its chain once.
    assert function.ssa_vars[5].uses == [add]


def test_op_data_is_read_before_its_owner_writes() -> None:
    zend, sound = (build_ssa(two_definitions(), config) for config in (Config.ZEND, Config.SOUND))
    for function, seen in ((zend, 8), (sound, 6)):
        owner, data = instruction(function, Opcode.ASSIGN_DIM_OP), instruction(function, Opcode.OP_DATA)
        assert (owner.op1_use, owner.op1_def, data.op1_use) == (6, 8, seen)


def test_the_operand_of_an_assignment_to_an_element_is_read_first_in_both() -> None:
    for config in Config:
        function = build_ssa(store(), config)
        assert instruction(function, Opcode.ASSIGN_DIM).defs() == [4]
        assert instruction(function, Opcode.OP_DATA).op1_use == 3


def test_uses_ascend_and_phi_uses_descend() -> None:
    function = build_ssa(choose(), Config.ZEND)
    assert [instr.number for instr in function.ssa_vars[5].uses] == [4, 5]
    b = FunctionBuilder("twice", ["c"])
    b.assign(b.cv("x"), b.const(0))
    for _ in range(2):
        end = b.label()
        b.branch_zero(b.cv("c"), end)
        b.assign(b.cv("y"), b.const(1))
        b.place(end)
        b.echo(b.cv("y"))
    function = build_ssa(b.finish(), Config.ZEND)
    entry = function.ssa_vars[2]  # $y at entry
    assert [phi.block for phi in entry.phi_uses] == [2]
    merged = function.ssa_vars[function.blocks[2].phis[0].result]
    assert [phi.block for phi in merged.phi_uses] == [4]


def test_leaving_a_foreach_does_not_assign() -> None:
    zend, sound = (build_ssa(each(), config) for config in (Config.ZEND, Config.SOUND))
    for function in (zend, sound):
        fetch = instruction(function, Opcode.FE_FETCH_R)
        assert instruction(function, Opcode.ECHO).op1_use == fetch.op2_def
    # PHP's phi at the exit takes the old value, too, and so says what $v is.
    fetch = instruction(zend, Opcode.FE_FETCH_R)
    (phi,) = [phi for phi in zend.blocks[-1].phis if phi.slot == 1]
    assert fetch.op2_use in phi.sources
    assert fetch.op2_def not in phi.sources
    # We put a pi there, which takes it.
    fetch = instruction(sound, Opcode.FE_FETCH_R)
    (pi,) = [pi for block in sound.blocks for pi in block.phis if pi.is_pi]
    assert (pi.constraint, pi.sources) == (None, [fetch.op2_use])
    (phi,) = [phi for phi in sound.blocks[-1].phis if phi.slot == 1 and not phi.is_pi]
    assert pi.result in phi.sources


def exit_from_fetch_only() -> OpArray:
    """A foreach whose iterator comes from elsewhere: its exit has no other predecessor, so no phi stands there."""
    b = FunctionBuilder("only", ["list", "v"])
    top, out = b.label(), b.label()
    iterator = b.emit(Opcode.QM_ASSIGN, b.cv("list"))
    b.place(top)
    b.emit(Opcode.FE_FETCH_R, iterator, b.cv("v"), result=None, ext=out)
    b.jump(top)
    b.place(out)
    b.ret(b.cv("v"))
    return b.finish()


def test_leaving_a_foreach_without_a_phi() -> None:
    zend, sound = (build_ssa(exit_from_fetch_only(), config) for config in (Config.ZEND, Config.SOUND))
    # PHP lets the fetched value seem to arrive.
    assert instruction(zend, Opcode.RETURN).op1_use == instruction(zend, Opcode.FE_FETCH_R).op2_def
    pi = sound.ssa_vars[instruction(sound, Opcode.RETURN).op1_use].definition_phi
    assert pi is not None
    assert pi.sources == [instruction(sound, Opcode.FE_FETCH_R).op2_use]


def test_a_foreach_that_goes_on_where_it_ends() -> None:
    b = FunctionBuilder("same", ["list", "v"])
    after = b.label()
    iterator = b.emit(Opcode.QM_ASSIGN, b.cv("list"))
    b.emit(Opcode.FE_FETCH_R, iterator, b.cv("v"), result=None, ext=after)
    b.place(after)
    b.ret(b.cv("v"))
    function = build_ssa(b.finish())
    assert_valid(function)
    fetch = instruction(function, Opcode.FE_FETCH_R)
    (phi,) = [phi for block in function.blocks for phi in block.phis if not phi.is_pi]
    old = function.ssa_vars[next(source for source in phi.sources if source != fetch.op2_def)].definition_phi
    assert fetch.op2_def in phi.sources
    assert old is not None
    assert old.sources == [fetch.op2_use]


def test_a_temporary_that_nothing_defined_is_diagnosed() -> None:
    b = FunctionBuilder("bad")
    b.temp()
    b.echo(tmp(0))
    with pytest.raises(CompileError, match="in bad, instruction 0: ECHO reads T0, which nothing has defined"):
        build_ssa(b.finish())


def test_a_temporary_that_one_path_leaves_undefined_is_diagnosed() -> None:
    b = FunctionBuilder("bad", ["c"])
    end = b.label()
    result = b.temp()
    b.branch_zero(b.cv("c"), end)
    b.emit(Opcode.QM_ASSIGN, b.const(1), result=result)
    b.place(end)
    b.ret(result)
    op_array = b.finish()
    for build in (build_ssa, build_textbook_ssa):
        with pytest.raises(CompileError, match="in bad: T1 is read at or after block 2, but not every path there"):
            build(op_array)


def test_instructions_without_their_op_data_are_diagnosed() -> None:
    b = FunctionBuilder("bad", ["a"])
    b.emit(Opcode.ASSIGN_DIM, b.cv("a"), b.const(0), result=None)
    b.ret()
    with pytest.raises(CompileError, match="in bad, instruction 2: no OP_DATA after ASSIGN_DIM"):
        build_ssa(b.finish())
