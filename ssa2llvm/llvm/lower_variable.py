"""Variables as such: ``global``, ``static``, ``=&``, arguments by reference, unset, ``@``.

A function's ``global $x`` makes the program's cell of that name a reference and lets the local variable hold it too;
a ``static`` does the same with a cell of its own. Both variables live in memory (``analysis.reference_slots``);
access goes through the reference by `FunctionLowering.cell_target`.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.llvm.cells import initial_value
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import CONTEXT, REFERENCE, VALUE, Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import I64, PTR, UNLIKELY, Val, integer

__all__ = ["bind_reference", "new_reference", "reference_datum", "referenced"]

_UNDEFINED = Datum(MAY_BE_UNDEF, Rep.NULL)


def bind_reference(fn: FunctionLowering, address: Val, reference: Val) -> None:
    """Let a variable or array slot hold ``reference`` (borrowed) instead of what it held."""
    fn.text.call("void", "@s2l.dup.counted", [reference])
    old = fn.load_value(address)
    fn.store_value(reference_datum(fn, reference), address)
    fn.drop(old)


def new_reference(fn: FunctionLowering, instr: Instr, which: str) -> Datum:
    """The variable or slot that an operand names, as a reference (it becomes one if it is none): owned."""
    reference = fn.runtime("s2l_slot_reference", _address(fn, instr, which))
    fn.text.call("void", "@s2l.dup.counted", [reference])
    return reference_datum(fn, reference)


def reference_datum(fn: FunctionLowering, reference: Val) -> Datum:
    """A pointer to a reference as what a cell holds."""
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
    if instr.op2.is_temp and fn.is_cell(instr.op2):
        _assign_result(fn, instr)
        return
    reference = fn.runtime("s2l_slot_reference", _address(fn, instr, "op2"))
    bind_reference(fn, _address(fn, instr, "op1"), reference)
    if instr.result_def >= 0:
        value = fn.load_value(fn.text.offset(reference, REFERENCE.offset("payload")))
        fn.dup(value)
        fn.define(instr.result_def, value)


@lowers(Opcode.MAKE_REF)
def _make_reference(fn: FunctionLowering, instr: Instr) -> None:
    """A variable or slot as a reference that a temporary holds; what a function returned by value stays that."""
    returned = instr.op1.is_temp and fn.is_cell(instr.op1)
    held = fn.take_cell(instr.op1.num) if returned else new_reference(fn, instr, "op1")
    fn.hold(instr.result.num, held)


def _assign_result(fn: FunctionLowering, instr: Instr) -> None:
    """``$x = &f()``; what f did not return by reference is assigned by value, with a notice."""
    held = fn.take_cell(instr.op2.num)
    target = _address(fn, instr, "op1")
    bind, assign, done = (fn.text.new_block(name) for name in ("bind", "assign", "assigned"))
    fn.text.branch(is_reference(fn, held), bind, assign)
    fn.text.at(bind)
    old = fn.load_value(target)
    fn.store_value(held, target)
    fn.drop(old)
    fn.text.jump(done)
    fn.text.at(assign)
    fn.framed("s2l_notice", fn.module.c_string("Only variables should be assigned by reference"))
    fn.runtime("s2l_slot_assign", target, held)
    fn.text.jump(done)
    fn.text.at(done)
    if instr.result_def >= 0:
        value = fn.load_value(fn.target_of(target))
        fn.dup(value)
        fn.define(instr.result_def, value)


def is_reference(fn: FunctionLowering, held: Datum) -> Val:
    """Whether a value taken out of a cell is a reference."""
    return fn.text.compare("eq", held.parts[1], integer(Tag.REFERENCE))


def referenced(fn: FunctionLowering, held: Datum, notice: str) -> Datum:
    """The result of a function (owned) as a reference (owned): a new one, with a notice, if it was returned by
    value."""

    def made() -> Datum:
        fn.framed("s2l_notice", fn.module.c_string(notice))
        return reference_datum(fn, fn.runtime("s2l_reference_new", held))

    return fn.either(is_reference(fn, held), lambda: held, made)


@lowers(Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX)
def _send_result(fn: FunctionLowering, instr: Instr) -> None:
    """The result of a function as an argument: of a parameter by reference if it is in a cell
    (``analysis.reference_slots``)."""
    if fn.is_cell(instr.op1) and instr.op1.is_temp:
        held = fn.take_cell(instr.op1.num)
        fn.define(instr.result_def, referenced(fn, held, "Only variables should be passed by reference"))
    else:
        fn.define(instr.result_def, fn.take(instr, "op1"))


@lowers(Opcode.SEND_REF)
def _send_reference(fn: FunctionLowering, instr: Instr) -> None:
    """The argument is the variable itself, as a reference that the call holds too."""
    fn.define(instr.result_def, new_reference(fn, instr, "op1"))


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
    name = fn.op_array.cvs[instr.op1.num]
    cell = fn.program.cells.of_static(fn.op_array, name)
    initial = initial_value(fn.op_array, name)
    if isinstance(initial, ArrayConst):
        _initialise(fn, cell, initial)
    bind_reference(fn, fn.cell(instr.op1.num), fn.runtime("s2l_cell_reference", integer(cell)))


def _initialise(fn: FunctionLowering, cell: int, value: ArrayConst) -> None:
    """Give a static its array when it is bound for the first time."""
    table = fn.text.load(PTR, fn.text.offset(fn.context, CONTEXT.offset("cells")))
    address = fn.text.offset(table, cell * VALUE.size)
    tag = fn.text.load(I64, fn.text.offset(address, VALUE.offset("tag")))
    first, bound = fn.text.new_block("first", cold=True), fn.text.new_block("bound")
    fn.text.branch(fn.text.compare("eq", tag, integer(Tag.UNDEF)), first, bound, UNLIKELY)
    fn.text.at(first)
    fn.store_value(fn.owned_constant(value), address)
    fn.text.jump(bound)
    fn.text.at(bound)


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
