"""Exceptions: throw, catch, finally, and the objects of PHP's own Throwable classes.

A failing instruction in a try region goes to its handler instead of out of the function
(``FunctionLowering.unwinder``); the error is pending in the context until a CATCH takes it. A finally is entered by
FAST_CALL, which leaves in the finally's temporary (a cell) the place to go back to, or by exception, which CATCH_ALL
leaves there; FAST_RET looks which. exit passes all of them.

Traces: see ``frames`` and ``traces``.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_LONG, MAY_BE_OBJECT, MAY_BE_STRING, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import Pending, Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import BlockText, Val, integer

__all__: list[str] = []

_UNDEFINED = Datum(MAY_BE_UNDEF, Rep.NULL)


def _class_name(fn: FunctionLowering, instr: Instr, which: str) -> Val:
    """The name of a class as a C string."""
    value = fn.literal(getattr(instr, which))
    assert isinstance(value, bytes)
    return fn.module.c_string(value)


@lowers(Opcode.THROW)
def _throw(fn: FunctionLowering, instr: Instr) -> None:
    fn.framed("s2l_throw_value", fn.take(instr, "op1"))
    fn.fail()


@lowers(Opcode.CATCH)
def _catch(fn: FunctionLowering, instr: Instr) -> None:
    """Take the pending error if it is of the class; else it is thrown on, to the next CATCH or to the region around
    (``cfg.exceptions`` has made both the handler of this instruction)."""
    matches = fn.runtime("s2l_pending_is", _class_name(fn, instr, "op1"))
    fn.fail_if(fn.text.negate(matches))
    error = fn.unpack(fn.runtime("s2l_catch"), MAY_BE_OBJECT)
    if fn.is_cell(instr.result):
        fn.write_cell(instr.result.num, error)
    else:
        fn.define(instr.result_def, error)


@lowers(Opcode.CATCH_ALL)
def _catch_all(fn: FunctionLowering, instr: Instr) -> None:
    """The way into a finally by exception; an exit does not stop here."""
    thrown = fn.text.compare("eq", fn.pending(), integer(Pending.THROW))
    fn.fail_if(fn.text.negate(thrown))
    fn.store_value(fn.unpack(fn.runtime("s2l_catch"), MAY_BE_OBJECT), fn.cell(instr.result.num))


@lowers(Opcode.FAST_CALL)
def _fast_call(fn: FunctionLowering, instr: Instr) -> None:
    """Into the finally, with the number of the instruction behind as the place to go back to."""
    back = Datum(MAY_BE_LONG, Rep.LONG, (integer(instr.number + 1),))
    fn.store_value(back, fn.cell(instr.result.num))
    fn.text.jump(fn.target(0))


@lowers(Opcode.FAST_RET)
def _fast_ret(fn: FunctionLowering, instr: Instr) -> None:
    """Out of the finally: back behind a FAST_CALL, or on with the exception that led in."""
    cell = fn.cell(instr.op1.num)
    held = fn.load_value(cell)
    thrown, back = fn.text.new_block("thrown", cold=True), fn.text.new_block("back")
    fn.text.branch(fn.text.compare("eq", held.parts[1], integer(Tag.OBJECT)), thrown, back)
    fn.text.at(thrown)
    fn.store_value(_UNDEFINED, cell)
    fn.runtime("s2l_throw_value", held)
    fn.fail()
    fn.text.at(back)
    cases = _places(fn)
    nowhere = fn.text.new_block("nowhere", cold=True)
    fn.text.switch(held.parts[0], nowhere, cases)
    fn.text.at(nowhere)
    fn.text.unreachable()


def _places(fn: FunctionLowering) -> list[tuple[int, BlockText]]:
    """The successors of the current block by the number of the instruction they begin with; copies on the way are
    passed over."""
    cases: dict[int, BlockText] = {}
    for index, number in enumerate(fn.block.succs):
        block = fn.unit.blocks[number]
        while block.start == 0 and block.length == 0 and len(block.succs) == 1:
            block = fn.unit.blocks[block.succs[0]]
        cases.setdefault(block.start, fn.target(index))
    return list(cases.items())


@lowers(Opcode.DISCARD_EXCEPTION)
def _discard(fn: FunctionLowering, instr: Instr) -> None:
    """A return in a finally forgets the exception that led in."""
    cell = fn.cell(instr.op1.num)
    held = fn.load_value(cell)
    fn.store_value(_UNDEFINED, cell)
    fn.drop(held)


@lowers(Opcode.NEW)
def _new(fn: FunctionLowering, instr: Instr) -> None:
    arguments = [fn.name(argument) for argument in instr.args]
    area = fn.store_arguments(arguments)
    count = integer(len(arguments), "i32")
    value = fn.framed_value("s2l_new_throwable", _class_name(fn, instr, "op1"), count, area, mask=MAY_BE_OBJECT)
    fn.define(instr.result_def, value)


@lowers(Opcode.INIT_METHOD_CALL)
def _call_method(fn: FunctionLowering, instr: Instr) -> None:
    name = fn.literal(instr.op2)
    assert isinstance(name, bytes)
    arguments = [fn.name(argument) for argument in instr.args]
    area = fn.store_arguments(arguments)
    receiver = fn.read(instr, "op1")
    count = integer(len(arguments), "i32")
    value = fn.framed_value("s2l_call_method", receiver, fn.module.string(name), count, area, mask=MAY_BE_ANY)
    mask = fn.mask_of(instr.result_def) & MAY_BE_ANY
    fn.define(instr.result_def, convert(fn.text, Datum(mask, Rep.VALUE, value.parts), representation(mask)))


@lowers(Opcode.INSTANCEOF)
def _instanceof(fn: FunctionLowering, instr: Instr) -> None:
    condition = fn.runtime("s2l_instanceof", fn.read(instr, "op1"), _class_name(fn, instr, "op2"))
    fn.define(instr.result_def, fn.truth_datum(condition))


@lowers(Opcode.GET_CLASS)
def _get_class(fn: FunctionLowering, instr: Instr) -> None:
    fn.define(instr.result_def, fn.call_builtin("get_class", [fn.read(instr, "op1")], MAY_BE_STRING))
