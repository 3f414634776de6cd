"""foreach: FE_RESET, FE_FETCH, FE_FREE, by value and by reference.

The loop counts the array (its own temporary holds it), so that the body may change the variable it came from:
copy-on-write keeps the one that is walked. The position is a number in a register of the frame. Packed arrays are
walked inline, a hash by the runtime. The element is defined only on the edge into the body
(``own.operands.edge_definitions``).

By reference, the loop's temporary is a cell that holds the variable as a reference; each element becomes a reference
that the loop variable holds too. The runtime keeps the position right while the body changes the array, until it is
told the end.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_LONG, MAY_BE_STRING, MAY_BE_UNDEF
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.lower_variable import bind_reference
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import FALSE, I64, PTR, TRUE, Val, integer

__all__: list[str] = []

_ELEMENT = "{ i64, i64, i64, i64, i64 }"
"""What @s2l.array.next gives: the next position (-1 at the end), key and value, both owned."""


@lowers(Opcode.FE_RESET_R)
def _reset(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.take(instr, "op1")
    fn.text.store(integer(0), fn.position(instr.result.num))
    if datum.rep is Rep.ARRAY:
        fn.define(instr.result_def, datum)
        fn.text.jump(fn.target(1))
        return
    value = convert(fn.text, datum, Rep.VALUE)
    walk, refuse = fn.text.new_block("walk"), fn.text.new_block("refuse", cold=True)
    fn.text.branch(fn.text.compare("eq", value.parts[1], integer(Tag.ARRAY)), walk, refuse)
    fn.text.at(walk)
    if datum.may(MAY_BE_ARRAY):
        array = Datum(MAY_BE_ARRAY, Rep.VALUE, value.parts)
        fn.define(instr.result_def, convert(fn.text, array, representation(fn.mask_of(instr.result_def))))
        fn.text.jump(fn.target(1))
    else:
        fn.text.unreachable()
    fn.text.at(refuse)
    fn.framed("s2l_foreach_warning", value)
    fn.drop(value)
    fn.define(instr.result_def, Datum(MAY_BE_UNDEF, Rep.NULL))
    fn.text.jump(fn.target(0))


@lowers(Opcode.FE_FETCH_R)
def _fetch(fn: FunctionLowering, instr: Instr) -> None:
    iterator = fn.name(instr.op1_use)
    array = convert(fn.text, Datum(MAY_BE_ARRAY, iterator.rep, iterator.parts), Rep.ARRAY)
    address = fn.position(instr.op1.num)
    wants_key = TRUE if instr.result_def >= 0 else FALSE
    position = fn.text.load(I64, address)
    element = fn.text.call(_ELEMENT, "@s2l.array.next", [array.parts[0], position, wants_key])
    parts = [fn.text.extract(I64, element, index) for index in range(5)]
    fn.text.store(parts[0], address)
    body = fn.text.new_block("body")
    fn.text.branch(fn.text.compare("slt", parts[0], integer(0)), fn.target(0), body)
    fn.text.at(body)
    if instr.result_def >= 0:
        key_mask = fn.mask_of(instr.result_def) & (MAY_BE_LONG | MAY_BE_STRING)
        fn.define(instr.result_def, _narrow(fn, parts[1], parts[2], key_mask))
    if fn.is_cell(instr.op2):
        fn.define(instr.op2_def, Datum(MAY_BE_ANY, Rep.VALUE, (parts[3], parts[4])))
    else:
        fn.define(instr.op2_def, _narrow(fn, parts[3], parts[4], fn.mask_of(instr.op2_def)))
    fn.text.jump(fn.target(1))


def _narrow(fn: FunctionLowering, payload: Val, tag: Val, mask: int) -> Datum:
    return convert(fn.text, Datum(mask, Rep.VALUE, (payload, tag)), representation(mask))


@lowers(Opcode.FE_RESET_RW)
def _reset_reference(fn: FunctionLowering, instr: Instr) -> None:
    """The loop's temporary holds the variable as a reference; what is no array warns and is not walked."""
    if not fn.is_cell(instr.op1):
        raise fn.unsupported("foreach by reference over anything but a variable is not compiled yet")
    fn.text.store(integer(0), fn.position(instr.result.num))
    subject = convert(fn.text, fn.defined(fn.read_cell(instr.op1.num), instr.op1), Rep.VALUE)
    walk, refuse = fn.text.new_block("walk"), fn.text.new_block("refuse", cold=True)
    fn.text.branch(fn.text.compare("eq", subject.parts[1], integer(Tag.ARRAY)), walk, refuse)
    fn.text.at(refuse)
    fn.framed("s2l_foreach_warning", subject)
    fn.text.jump(fn.target(0))
    fn.text.at(walk)
    reference = fn.runtime("s2l_slot_reference", fn.cell(instr.op1.num))
    bind_reference(fn, fn.cell(instr.result.num), reference)
    fn.runtime("s2l_foreach_begin_reference", fn.cell(instr.result.num))
    fn.text.jump(fn.target(1))


@lowers(Opcode.FE_FETCH_RW)
def _fetch_reference(fn: FunctionLowering, instr: Instr) -> None:
    if not fn.is_cell(instr.op2):
        raise fn.unsupported("foreach by reference into anything but a variable is not compiled yet")
    variable = fn.cell(instr.op1.num)
    key = fn.scratch(VALUE_TYPE) if instr.result_def >= 0 else Val(PTR, "null")
    element = fn.runtime("s2l_foreach_next_reference", variable, fn.position(instr.op1.num), key)
    body, stopped = fn.text.new_block("body"), fn.text.new_block("stopped", cold=True)
    fn.text.branch(fn.text.compare("eq", element, Val(PTR, "null")), stopped, body)
    fn.text.at(stopped)
    fn.framed("s2l_foreach_stopped", variable)  # the body may have made the variable something else than an array
    fn.text.jump(fn.target(0))
    fn.text.at(body)
    if instr.result_def >= 0:
        known = fn.load_value(key)
        fn.dup(known)
        mask = fn.mask_of(instr.result_def) & (MAY_BE_LONG | MAY_BE_STRING)
        fn.define(instr.result_def, _narrow(fn, known.parts[0], known.parts[1], mask))
    bind_reference(fn, fn.cell(instr.op2.num), element)
    fn.text.jump(fn.target(1))


@lowers(Opcode.FE_FREE)
def _free(fn: FunctionLowering, instr: Instr) -> None:
    """The end of a loop. By value, ``own`` has put the DROP where it belongs; by reference, the cell is emptied here
    if the loop has begun."""
    if not fn.is_cell(instr.op1):
        return
    cell = fn.cell(instr.op1.num)
    held = fn.load_value(cell)
    end, done = fn.text.new_block("end"), fn.text.new_block("done")
    fn.text.branch(fn.text.compare("eq", held.parts[1], integer(Tag.UNDEF)), done, end)
    fn.text.at(end)
    fn.runtime("s2l_foreach_end_reference")
    fn.store_value(Datum(MAY_BE_UNDEF, Rep.NULL), cell)
    fn.drop(held)
    fn.text.jump(done)
    fn.text.at(done)
