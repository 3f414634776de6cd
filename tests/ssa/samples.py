"""Small functions that several tests share."""

from __future__ import annotations

from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.op_array import OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, OpKind, word


def choose() -> OpArray:
    """``$a = 10; if ($cond) { $a = 20; } echo $a; return $a;``"""
    b = FunctionBuilder("choose", ["cond"])
    end = b.label()
    b.assign(b.cv("a"), b.const(10))
    b.branch_zero(b.cv("cond"), end)
    b.assign(b.cv("a"), b.const(20))
    b.place(end)
    b.echo(b.cv("a"))
    b.ret(b.cv("a"))
    return b.finish()


def count_to() -> OpArray:
    """``$i = 0; while ($i < $n) { $i++; } return $i;``, the way PHP lays loops out."""
    b = FunctionBuilder("count_to", ["n"])
    body, test = b.label(), b.label()
    b.assign(b.cv("i"), b.const(0))
    b.jump(test)
    b.place(body)
    b.emit(Opcode.PRE_INC, b.cv("i"), result=None)
    b.place(test)
    less = b.emit(Opcode.IS_SMALLER, b.cv("i"), b.cv("n"))
    b.branch_nonzero(less, body)
    b.ret(b.cv("i"))
    return b.finish()


def caught() -> OpArray:
    """``$x = 1; try { $x = f(); } catch (E $e) { echo $x; } return $x;``"""
    b = FunctionBuilder("caught")
    end = b.label()
    b.assign(b.cv("x"), b.const(1))  # 0
    b.emit(Opcode.INIT_FCALL_BY_NAME, op2=b.const(b"f"), result=None)  # 1
    b.assign(b.cv("x"), b.emit(Opcode.DO_FCALL_BY_NAME, result=OpKind.VAR))  # 2, 3
    b.jump(end)  # 4
    b.emit(Opcode.CATCH, b.const(b"E"), result=b.cv("e"), ext=LAST_CATCH)  # 5
    b.echo(b.cv("x"))
    b.place(end)
    b.ret(b.cv("x"))
    op_array = b.finish()
    op_array.try_catch = [TryCatch(1, 5, 0, 0)]
    return op_array


def returning_through_finally() -> OpArray:
    """``try { if ($c) { return g(); } } finally { echo 1; } return 2;``"""
    b = FunctionBuilder("returns", ["c"])
    cleanup, regular, end = b.label(), b.label(), b.label()
    state = b.temp()
    b.branch_zero(b.cv("c"), regular)  # 1
    b.emit(Opcode.INIT_FCALL_BY_NAME, op2=b.const(b"g"), result=None)  # 2
    value = b.emit(Opcode.DO_FCALL_BY_NAME, result=OpKind.VAR)  # 3
    b.emit(Opcode.FAST_CALL, cleanup, result=state)  # 4
    b.ret(value)  # 5
    b.place(regular)
    b.emit(Opcode.FAST_CALL, cleanup, result=state)  # 6
    b.jump(end)  # 7
    b.place(cleanup)
    b.echo(b.const(1))  # 8
    b.emit(Opcode.FAST_RET, state, word(0xFFFFFFFF), result=None)  # 9
    b.place(end)
    b.ret(b.const(2))
    op_array = b.finish()
    op_array.try_catch = [TryCatch(1, 0, 8, 9)]
    return op_array


def each() -> OpArray:
    """``foreach ($list as $v) { echo $v; } return $v;``"""
    b = FunctionBuilder("each", ["list"])
    top, out = b.label(), b.label()
    iterator = b.emit(Opcode.FE_RESET_R, b.cv("list"), out, result=OpKind.VAR)
    b.place(top)
    b.emit(Opcode.FE_FETCH_R, iterator, b.cv("v"), result=None, ext=out)
    b.echo(b.cv("v"))
    b.jump(top)
    b.place(out)
    b.emit(Opcode.FE_FREE, iterator, result=None)
    b.ret(b.cv("v"))
    return b.finish()


def store() -> OpArray:
    """``$a['k'] = $v; return $a;``"""
    b = FunctionBuilder("store", ["a", "v"])
    b.emit(Opcode.ASSIGN_DIM, b.cv("a"), b.const(b"k"), result=None)
    b.emit(Opcode.OP_DATA, b.cv("v"), result=None)
    b.ret(b.cv("a"))
    return b.finish()


def instruction(function: Function, opcode: Opcode, which: int = 0) -> Instr:
    """The ``which``-th instruction with this opcode."""
    return [instr for instr in function.instructions() if instr.opcode == opcode][which]


def block_of(function: Function, instr: Instr) -> Block:
    """The block that holds ``instr``."""
    return next(block for block in function.blocks if any(other is instr for other in block.instrs))
