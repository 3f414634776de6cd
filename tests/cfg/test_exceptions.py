"""Edges of exceptions, by what PHP's compiler makes of small functions (its own opcodes, written out)."""

from __future__ import annotations

import pytest

from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import BlockFlags, Function
from ssa2llvm.ir.op_array import Op, OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, OpKind, word


def contents(function: Function) -> list[list[str]]:
    return [[instr.opcode.name for instr in block.instrs] for block in function.blocks]


def throw_edges(function: Function) -> dict[int, tuple[int, int]]:
    return {
        block.id: (block.succs[0], block.succs[1]) for block in function.blocks if BlockFlags.THROW_EDGE in block.flags
    }


def try_catch(*, extra_catch: bool = False) -> OpArray:
    """``$x = 1; try { $x = f(); $y = 1; } catch (E $e) { echo 2; } return $x;``"""
    b = FunctionBuilder("tries")
    end, second = b.label(), b.label()
    b.assign(b.cv("x"), b.const(1))  # 0
    b.emit(Opcode.INIT_FCALL_BY_NAME, op2=b.const(b"f"), result=None)  # 1
    b.assign(b.cv("x"), b.emit(Opcode.DO_FCALL_BY_NAME, result=OpKind.VAR))  # 2, 3
    b.emit(Opcode.QM_ASSIGN, b.const(1))  # 4: cannot throw
    b.jump(end)  # 5
    if extra_catch:
        b.emit(Opcode.CATCH, b.const(b"D"), second, result=b.cv("e"))
        b.jump(end)
    b.place(second)
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=LAST_CATCH)
    b.echo(b.const(2))
    b.place(end)
    b.ret(b.cv("x"))
    op_array = b.finish()
    op_array.try_catch = [TryCatch(1, 6, 0, 0)]
    return op_array


def test_each_throwing_instruction_starts_a_block_behind_its_edge() -> None:
    function = build_cfg(try_catch())
    assert contents(function) == [
        ["ASSIGN"],
        [],  # where the region is entered; its first instruction may throw
        ["INIT_FCALL_BY_NAME"],
        ["DO_FCALL_BY_NAME"],
        ["ASSIGN", "QM_ASSIGN", "JMP"],
        ["CATCH"],
        ["ECHO"],
        ["RETURN"],
    ]
    assert throw_edges(function) == {1: (2, 5), 2: (3, 5), 3: (4, 5)}
    assert function.blocks[5].preds == [1, 2, 3]
    # No definition of the region dominates the handler: it is entered from before each of them.
    assert function.blocks[5].idom == 1
    assert function.try_blocks == [TryCatch(1, 5, 0, 0)]


def test_a_catch_that_does_not_match_goes_on_before_it_assigns() -> None:
    function = build_cfg(try_catch(extra_catch=True))
    handler = function.try_blocks[0].catch_op
    first, second = throw_edges(function)[handler]
    assert contents(function)[first] == ["CATCH"]
    assert contents(function)[second] == ["CATCH"]
    assert function.blocks[second].preds == [handler]
    # Each CATCH leads on only if it matches.
    assert [len(block.succs) for block in function.blocks if block.id in (first, second)] == [1, 1]


def finally_function() -> OpArray:
    """``try { $x = f(); } finally { echo 2; } return $x;`` as PHP compiles it."""
    b = FunctionBuilder("finally")
    cleanup, end = b.label(), b.label()
    kept = b.temp()
    b.emit(Opcode.INIT_FCALL_BY_NAME, op2=b.const(b"f"), result=None)  # 0
    b.assign(b.cv("x"), b.emit(Opcode.DO_FCALL_BY_NAME, result=OpKind.VAR))  # 1, 2
    b.emit(Opcode.FAST_CALL, cleanup, result=kept)  # 3
    b.jump(end)  # 4
    b.place(cleanup)
    b.echo(b.const(2))  # 5
    b.emit(Opcode.FAST_RET, kept, word(0xFFFFFFFF), result=None)  # 6
    b.place(end)
    b.ret(b.cv("x"))  # 7
    op_array = b.finish()
    op_array.try_catch = [TryCatch(0, 0, 5, 6)]
    return op_array


def test_a_finally_is_a_subroutine_with_a_landing_block_for_exceptions() -> None:
    function = build_cfg(finally_function())
    assert contents(function) == [
        [],
        ["INIT_FCALL_BY_NAME"],
        ["DO_FCALL_BY_NAME"],
        ["ASSIGN", "FAST_CALL"],
        ["JMP"],
        ["CATCH_ALL"],
        ["ECHO"],
        ["FAST_RET"],
        ["RETURN"],
    ]
    assert [block.succs for block in function.blocks] == [
        [1, 5],
        [2, 5],
        [3, 5],
        [6],  # FAST_CALL goes into the finally block only
        [8],
        [6],  # the landing block goes on into it
        [7],
        [4],  # FAST_RET goes back behind the FAST_CALL
        [],
    ]
    landing = function.blocks[5].instrs[0]
    assert landing.result == function.blocks[7].instrs[0].op1


def test_an_exception_in_a_catch_goes_to_the_finally_of_the_same_try() -> None:
    b = FunctionBuilder("both")
    cleanup, end = b.label(), b.label()
    kept = b.temp()
    b.echo(b.const(1))  # 0
    b.jump(end)  # 1
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=LAST_CATCH)  # 2
    b.echo(b.const(2))  # 3
    b.place(end)
    b.emit(Opcode.FAST_CALL, cleanup, result=kept)  # 4
    b.ret()  # 5
    b.place(cleanup)
    b.echo(b.const(3))  # 6
    b.emit(Opcode.FAST_RET, kept, word(0xFFFFFFFF), result=None)  # 7
    op_array = b.finish()
    op_array.try_catch = [TryCatch(0, 2, 6, 7)]
    function = build_cfg(op_array)
    catch = function.try_blocks[0].catch_op
    landing = contents(function).index(["CATCH_ALL"])
    handler_of = {
        function.blocks[following].instrs[0].number: handler for following, handler in throw_edges(function).values()
    }
    # The first echo is caught. A catch that does not match and the echo in it go to the finally. What leaves the
    # finally itself (6, 7) goes to the caller, and so do destructors that a return runs (5).
    assert handler_of == {0: catch, 2: landing, 3: landing}


def test_a_test_of_a_comparison_stays_with_it() -> None:
    b = FunctionBuilder("compare", ["x"])
    out = b.label()
    test = b.emit(Opcode.IS_SMALLER, b.cv("x"), b.const(1))  # 1
    b.branch_zero(test, out)  # 2
    b.place(out)
    b.ret()  # 3
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=LAST_CATCH)  # 4
    b.ret()
    op_array = b.finish()
    op_array.try_catch = [TryCatch(1, 4, 0, 0)]
    assert ["IS_SMALLER", "JMPZ"] in contents(build_cfg(op_array))


def test_a_handler_that_nothing_throws_to_is_unreachable() -> None:
    b = FunctionBuilder("calm")
    end = b.label()
    b.jump(end)
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=LAST_CATCH)
    b.place(end)
    b.ret()
    op_array = b.finish()
    op_array.try_catch = [TryCatch(0, 1, 0, 0)]
    function = build_cfg(op_array)
    assert [block.reachable for block in function.blocks] == [True, False, True]


def test_a_finally_that_is_none_is_diagnosed() -> None:
    op_array = finally_function()
    op_array.try_catch = [TryCatch(0, 5, 0, 0)]
    assert op_array.ops[6].op1 != UNUSED
    with pytest.raises(CompileError, match="instruction 3: FAST_CALL calls no finally"):
        build_cfg(op_array)
    op_array.ops[3] = Op(Opcode.NOP)
    with pytest.raises(CompileError, match="instruction 6: FAST_RET ends no finally"):
        build_cfg(op_array)
