"""NOVAL and components on small cases; their numbers on large ones are held against PHP in test_against_php."""

from __future__ import annotations

from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ssa.build import SsaContext, build_ssa
from tests.ssa.samples import choose, count_to, instruction


def test_what_an_assignment_overwrites_is_not_wanted() -> None:
    function = build_ssa(choose(), Config.ZEND)
    # $cond and $a at entry are. The 10 is overwritten on one path, but the phi takes it on the other.
    assert [ssa_var.no_val for ssa_var in function.ssa_vars] == [True, True, False, False, False, False]


def overwritten() -> OpArray:
    b = FunctionBuilder("overwritten", ["c"])
    end = b.label()
    b.assign(b.cv("a"), b.const(1))
    b.branch_zero(b.cv("c"), end)
    b.assign(b.cv("a"), b.const(2))
    b.place(end)
    b.assign(b.cv("a"), b.cv("a"))
    b.emit(Opcode.UNSET_CV, b.cv("a"), result=None)
    b.ret()
    return b.finish()


def test_a_value_assigned_to_itself_is_wanted_a_value_unset_is_not() -> None:
    function = build_ssa(overwritten(), Config.ZEND)
    itself = instruction(function, Opcode.ASSIGN, 2)
    assert itself.op1_use == itself.op2_use
    assert not function.ssa_vars[itself.op1_use].no_val
    assert function.ssa_vars[itself.op1_def].no_val
    # Wanted through the phi.
    assert not any(function.ssa_vars[source].no_val for source in function.blocks[2].phis[0].sources)


def test_in_a_main_script_everything_that_is_anybodys_is_wanted() -> None:
    b = FunctionBuilder("$_main")
    b.assign(b.cv("a"), b.const(1))
    b.emit(Opcode.UNSET_CV, b.cv("a"), result=None)
    main = b.finish()
    for function in (build_ssa(main, Config.ZEND), build_ssa(main, Config.SOUND)):
        assert not any(ssa_var.no_val for ssa_var in function.ssa_vars)
    # With the whole script known, $a is a local variable.
    function = build_ssa(main, Config.SOUND, SsaContext(script_of(main)))
    assert all(ssa_var.no_val for ssa_var in function.ssa_vars)


def test_components_of_a_loop() -> None:
    function = build_ssa(count_to(), Config.ZEND)
    members: dict[int, list[int]] = {}
    for name, ssa_var in enumerate(function.ssa_vars):
        members.setdefault(ssa_var.scc, []).append(name)
    # #0, #1: at entry, NOVAL. #2 $n, #3 $i = 0. The loop ties $n's phi and pi (#4, #7) to $i's (#5, #8, and #10 the
    # increment), because each bounds the other. #6 is the comparison, #9 $i on the way out.
    assert members[-1] == [0, 1]
    (loop,) = [names for names in members.values() if len(names) > 1 and -1 not in names and 4 in names]
    assert loop == [4, 5, 7, 8, 10]
    assert function.ssa_vars[2].scc < function.ssa_vars[4].scc < function.ssa_vars[9].scc
    assert [name for name in loop if function.ssa_vars[name].scc_entry] == [4, 5]


def test_op_data_depends_on_with_its_owner() -> None:
    b = FunctionBuilder("data", ["a", "v"])
    result = b.emit(Opcode.ASSIGN_DIM, b.cv("a"), b.const(0), result=OpKind.VAR)
    b.emit(Opcode.OP_DATA, b.cv("v"), result=None)
    b.ret(result)
    function = build_ssa(b.finish(), Config.ZEND)
    owner, data = instruction(function, Opcode.ASSIGN_DIM), instruction(function, Opcode.OP_DATA)
    assert function.ssa_vars[owner.op1_def].scc == -1  # nobody reads $a again
    assert function.ssa_vars[owner.result_def].scc > function.ssa_vars[data.op1_use].scc
