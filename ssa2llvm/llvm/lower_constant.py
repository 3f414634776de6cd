"""Constants of the program: FETCH_CONSTANT, DECLARE_CONST, DEFINED."""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import CONSTANT_UNQUALIFIED_IN_NAMESPACE
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.seam import PTR, Val

__all__: list[str] = []


def _name(fn: FunctionLowering, instr: Instr, which: str) -> bytes:
    value = fn.literal(getattr(instr, which))
    assert isinstance(value, bytes)
    return value


@lowers(Opcode.FETCH_CONSTANT)
def _fetch(fn: FunctionLowering, instr: Instr) -> None:
    """A constant that is not known at compile time. An unqualified name in a namespace also means the global one."""
    name = _name(fn, instr, "op2")
    fallback = Val(PTR, "null")
    if instr.op1.num & CONSTANT_UNQUALIFIED_IN_NAMESPACE:
        fallback = fn.module.string(name.rpartition(b"\\")[2])
    value = fn.framed_value("s2l_constant_fetch", fn.module.string(name), fallback, mask=fn.mask_of(instr.result_def))
    fn.define(instr.result_def, value)


@lowers(Opcode.DECLARE_CONST)
def _declare(fn: FunctionLowering, instr: Instr) -> None:
    name, value = fn.module.string(_name(fn, instr, "op1")), fn.read(instr, "op2")
    fn.framed("s2l_constant_define", name, value)


@lowers(Opcode.DEFINED)
def _defined(fn: FunctionLowering, instr: Instr) -> None:
    fn.define(instr.result_def, fn.call_builtin("defined", [fn.read(instr, "op1")], fn.mask_of(instr.result_def)))
