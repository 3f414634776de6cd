from __future__ import annotations

import pytest

from ssa2llvm.cfg.build import Flavour, build_cfg, tree_of
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import BlockFlags, Function
from ssa2llvm.ir.op_array import Op, OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_SWITCH, THROW_IS_EXPR, cv, tmp, word

F = BlockFlags


def shape(function: Function) -> list[tuple[range, list[int], list[int]]]:
    """Of each block: its instructions' numbers, successors, predecessors."""
    return [(range(b.start, b.start + b.length), b.succs, b.preds) for b in function.blocks]


def diamond() -> OpArray:
    b = FunctionBuilder("diamond", ["c"])
    no, end = b.label(), b.label()
    b.branch_zero(b.cv("c"), no)
    b.assign(b.cv("x"), b.const(1))
    b.jump(end)
    b.place(no)
    b.assign(b.cv("x"), b.const(2))
    b.place(end)
    b.ret(b.cv("x"))
    return b.finish()


def test_branches_lead_to_their_target_first() -> None:
    function = build_cfg(diamond())
    assert shape(function) == [
        (range(2), [2, 1], []),
        (range(2, 4), [3], [0]),
        (range(4, 5), [3], [0]),
        (range(5, 6), [], [1, 2]),
    ]
    assert [block.flags for block in function.blocks] == [
        F.START | F.REACHABLE,
        F.FOLLOW | F.REACHABLE,
        F.TARGET | F.REACHABLE,
        F.TARGET | F.FOLLOW | F.EXIT | F.REACHABLE,
    ]
    assert [block.idom for block in function.blocks] == [-1, 0, 0, 0]
    assert tree_of(function).dominates(0, 3)


def loop_at_the_start() -> OpArray:
    b = FunctionBuilder("spin")
    top = b.label()
    b.place(top)
    b.echo(b.const(1))
    b.branch_nonzero(b.cv("x"), top)
    return b.finish()


def test_an_entry_that_is_a_target_gets_an_empty_block_in_front() -> None:
    function = build_cfg(loop_at_the_start())
    assert shape(function) == [
        (range(0), [1], []),
        (range(2), [1, 2], [0, 1]),
        (range(2, 3), [], [1]),
    ]
    assert function.blocks[1].flags == F.FOLLOW | F.TARGET | F.LOOP_HEADER | F.REACHABLE
    assert function.has_loops
    assert shape(build_cfg(loop_at_the_start(), flavour=Flavour.BLOCK_PASS))[0] == (range(2), [0, 1], [0])


def after_return() -> OpArray:
    b = FunctionBuilder("dead")
    end = b.label()
    b.ret(b.const(1))
    b.jump(end)
    b.place(end)
    b.ret(b.const(2))
    return b.finish()


def test_unreachable_blocks_keep_their_numbers() -> None:
    function = build_cfg(after_return())
    assert shape(function) == [(range(1), [], []), (range(1, 2), [], []), (range(2, 3), [], [])]
    assert [block.reachable for block in function.blocks] == [True, False, False]
    assert [len(block.instrs) for block in function.blocks] == [1, 1, 1]
    assert [block.level for block in function.blocks] == [0, -1, -1]
    assert build_cfg(after_return(), flavour=Flavour.BLOCK_PASS).blocks[1].succs == [2]


def with_table(opcode: Opcode) -> OpArray:
    b = FunctionBuilder("table", ["x"])
    one, two, other = b.label(), b.label(), b.label()
    b.switch(opcode, b.cv("x"), [(1, one), (2, two), (3, one)], other)
    b.place(two)
    b.echo(b.const(2))
    b.place(one)
    b.echo(b.const(1))
    b.place(other)
    b.ret()
    return b.finish()


def test_switch_leads_to_its_table_then_default_then_on() -> None:
    function = build_cfg(with_table(Opcode.SWITCH_LONG))
    assert shape(function) == [
        (range(2), [2, 1, 2, 3, 1], []),
        (range(2, 3), [2], [0]),
        (range(3, 4), [3], [0, 1]),
        (range(4, 5), [], [0, 2]),
    ]
    # The last successor is where execution goes on; it is a target of the table as well.
    assert [F.FOLLOW in block.flags for block in function.blocks] == [False, True, True, True]
    assert all(F.TARGET in block.flags for block in function.blocks[1:])


def test_match_does_not_fall_through() -> None:
    assert build_cfg(with_table(Opcode.MATCH)).blocks[0].succs == [2, 1, 2, 3]


def with_throw(extended_value: int) -> OpArray:
    b = FunctionBuilder("thrower", ["x"])
    b.emit(Opcode.THROW, b.cv("x"), result=None, ext=extended_value)
    b.emit(Opcode.BOOL, b.const(True))
    b.ret()
    return b.finish()


def test_a_throw_ends_its_block_unless_it_is_an_expression() -> None:
    assert shape(build_cfg(with_throw(0))) == [(range(2), [], []), (range(2, 4), [], [])]
    assert shape(build_cfg(with_throw(THROW_IS_EXPR))) == [(range(4), [], [])]


def test_the_free_of_a_switch_subject_starts_a_block() -> None:
    b = FunctionBuilder("freed", ["x"])
    subject = b.emit(Opcode.QM_ASSIGN, b.cv("x"))
    b.emit(Opcode.FREE, subject, result=None, ext=FREE_SWITCH)
    b.emit(Opcode.FREE, b.emit(Opcode.QM_ASSIGN, b.cv("x")), result=None)
    b.ret()
    assert shape(build_cfg(b.finish())) == [(range(2), [1], []), (range(2, 5 + 1), [], [0])]


def test_unreachable_free_of_a_reachable_loop_is_marked() -> None:
    b = FunctionBuilder("freed", ["x"])
    subject = b.emit(Opcode.QM_ASSIGN, b.cv("x"))
    b.ret()
    b.emit(Opcode.FREE, subject, result=None, ext=FREE_SWITCH)
    b.ret()
    assert build_cfg(b.finish()).blocks[1].flags == F.UNREACHABLE_FREE


def test_foreach_leads_out_first() -> None:
    b = FunctionBuilder("each", ["a"])
    top, out = b.label(), b.label()
    iterator = b.emit(Opcode.FE_RESET_R, b.cv("a"), out)
    b.place(top)
    b.emit(Opcode.FE_FETCH_R, iterator, b.cv("v"), result=None, ext=out)
    b.jump(top)
    b.place(out)
    b.emit(Opcode.FE_FREE, iterator, result=None)
    b.ret()
    assert [block.succs for block in build_cfg(b.finish()).blocks] == [[3, 1], [3, 2], [1], []]


def test_regions_of_the_exception_table_in_zends_graph() -> None:
    b = FunctionBuilder("tries")
    end = b.label()
    b.echo(b.const(1))
    b.jump(end)
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=1)
    b.echo(b.const(2))
    b.place(end)
    b.ret()
    op_array = b.finish()
    op_array.try_catch = [TryCatch(0, 2, 0, 0)]
    function = build_cfg(op_array, Config.ZEND)
    assert shape(function) == [
        (range(2), [3], []),
        (range(2, 3), [2], []),
        (range(3, 4), [3], [1]),
        (range(4, 5), [], [0, 2]),
    ]
    assert F.TRY in function.blocks[0].flags
    assert function.blocks[1].flags == F.CATCH | F.REACHABLE
    assert function.try_blocks == [TryCatch(0, 1, 0, 0)]
    # No edge leads there, so nothing dominates it.
    assert function.blocks[1].idom == -1


def op_array_of(*ops: Op) -> OpArray:
    return OpArray("bad", filename="bad.zir", ops=list(ops), cvs=["x"], num_temps=1)


@pytest.mark.parametrize(
    ("op_array", "message"),
    [
        (op_array_of(), "bad.zir: error: bad has no instructions"),
        (
            op_array_of(Op(Opcode.JMP, word(7), line=3)),
            "bad.zir:3: error: in bad, instruction 0: JMP jumps to 7; the last instruction is 0",
        ),
        (
            op_array_of(Op(Opcode.NOP), Op(Opcode.JMPZ, cv(0), word(0))),
            "bad.zir: error: in bad, instruction 2: control runs off the end of the function",
        ),
        (
            op_array_of(Op(Opcode.FAST_CALL, word(1), result=tmp(1)), Op(Opcode.FAST_RET, tmp(1))),
            "bad.zir: error: in bad, instruction 0: FAST_CALL in a function without finally",
        ),
        (
            op_array_of(Op(Opcode.SWITCH_LONG, cv(0), tmp(1)), Op(Opcode.NOP)),
            "bad.zir: error: in bad, instruction 0: SWITCH_LONG has no jump table",
        ),
    ],
)
def test_malformed_op_arrays_are_diagnosed(op_array: OpArray, message: str) -> None:
    with pytest.raises(CompileError) as error:
        build_cfg(op_array)
    assert str(error.value) == message


def test_an_exception_table_that_points_outside_is_diagnosed() -> None:
    op_array = diamond()
    op_array.try_catch = [TryCatch(0, 99, 0, 0)]
    with pytest.raises(CompileError, match="the exception table names instruction 99"):
        build_cfg(op_array)
