"""Variables as such: ``global``, ``static``, ``=&``, arguments by reference, unset, ``@``.

A function's ``global $x`` makes the program's cell of that name a reference and lets the local variable hold it too;
a ``static`` does the same with a cell of its own. Both variables live in memory (``analysis.reference_slots``);
access goes through the reference by `FunctionLowering.cell_target`.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import REFERENCE, Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import I64, Val, integer

__all__ = ["bind_reference"]

_UNDEFINED = Datum(MAY_BE_UNDEF, Rep.NULL)


def bind_reference(fn: FunctionLowering, address: Val, reference: Val) -> None:
    """Let a variable or array slot hold ``reference`` (borrowed) instead of what it held."""
    fn.text.call("void", "@s2l.dup.counted", [reference])
    old = fn.load_value(address)
    fn.store_value(_held(fn, reference), address)
    fn.drop(old)


def _held(fn: FunctionLowering, reference: Val) -> Datum:
    return Datum(MAY_BE_REF, Rep.VALUE, (fn.text.cast("ptrtoint", reference, I64), integer(Tag.REFERENCE)))


def _address(fn: FunctionLowering, instr: Instr, which: str) -> Val:
    """Where a variable in memory, or the slot that a FETCH_DIM_W gave, lies."""
    operand: Operand = getattr(instr, which)
    if fn.is_cell(operand):
        return fn.cell(operand.num)
    datum = fn.peek(instr, which)
    if datum.rep is not Rep.SLOT:
        raise fn.unsupported("a reference to the result of an expression is not compiled yet")
    return datum.parts[0]


@lowers(Opcode.ASSIGN_REF)
def _assign_reference(fn: FunctionLowering, instr: Instr) -> None:
    """``op1 =& op2``: the source becomes a reference if it is none, and the target holds it too."""
    reference = fn.runtime("s2l_slot_reference", _address(fn, instr, "op2"))
    bind_reference(fn, _address(fn, instr, "op1"), reference)
    if instr.result_def >= 0:
        value = fn.load_value(fn.text.offset(reference, REFERENCE.offset("payload")))
        fn.dup(value)
        fn.define(instr.result_def, value)


@lowers(Opcode.SEND_REF)
def _send_reference(fn: FunctionLowering, instr: Instr) -> None:
    """The argument is the variable itself, as a reference that the call holds too."""
    reference = fn.runtime("s2l_slot_reference", _address(fn, instr, "op1"))
    fn.text.call("void", "@s2l.dup.counted", [reference])
    fn.define(instr.result_def, _held(fn, reference))


@lowers(Opcode.BEGIN_SILENCE)
def _begin_silence(fn: FunctionLowering, instr: Instr) -> None:
    """``@``: the result is the level to go back to."""
    level = fn.runtime("s2l_begin_silence")
    fn.text.store(level, fn.level_before(instr.result.num))
    fn.define(instr.result_def, Datum(MAY_BE_LONG, Rep.LONG, (level,)))


@lowers(Opcode.END_SILENCE)
def _end_silence(fn: FunctionLowering, instr: Instr) -> None:
    level = convert(fn.text, fn.name(instr.op1_use), Rep.LONG)
    fn.runtime("s2l_end_silence", level.parts[0])


@lowers(Opcode.BIND_GLOBAL)
def _bind_global(fn: FunctionLowering, instr: Instr) -> None:
    name = fn.literal(instr.op2)
    assert isinstance(name, bytes)
    cell = fn.program.cells.of_global(name.decode("utf-8", "surrogateescape"))
    bind_reference(fn, fn.cell(instr.op1.num), fn.runtime("s2l_cell_reference", integer(cell)))


@lowers(Opcode.BIND_STATIC)
def _bind_static(fn: FunctionLowering, instr: Instr) -> None:
    cell = fn.program.cells.of_static(fn.op_array, fn.op_array.cvs[instr.op1.num])
    bind_reference(fn, fn.cell(instr.op1.num), fn.runtime("s2l_cell_reference", integer(cell)))


@lowers(Opcode.UNSET_CV)
def _unset(fn: FunctionLowering, instr: Instr) -> None:
    """Unbinds a reference rather than writing through it."""
    if fn.is_cell(instr.op1):
        address = fn.cell(instr.op1.num)
        old = fn.load_value(address)
        fn.store_value(_UNDEFINED, address)
        fn.drop(old)
    else:
        fn.define(instr.op1_def, _UNDEFINED)
