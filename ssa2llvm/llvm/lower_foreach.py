"""foreach by value: FE_RESET_R, FE_FETCH_R, FE_FREE.

The loop counts the array (its own temporary holds it), so that the body may change the variable it came from: copy-on-write
keeps the one that is walked. The position is a number in a register of the frame. Packed arrays are walked inline, a hash by
the runtime. The element is defined only on the edge into the body (``own.operands.edge_definitions``).
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_LONG, MAY_BE_STRING, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import FALSE, I64, TRUE, Val, integer

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
    array = convert(fn.text, Datum(MAY_BE_ARRAY, *_lie(fn, instr)), Rep.ARRAY)
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
        fn.write_cell(instr.op2.num, Datum(MAY_BE_ANY, Rep.VALUE, (parts[3], parts[4])))
    else:
        fn.define(instr.op2_def, _narrow(fn, parts[3], parts[4], fn.mask_of(instr.op2_def)))
    fn.text.jump(fn.target(1))


def _lie(fn: FunctionLowering, instr: Instr) -> tuple[Rep, tuple[Val, ...]]:
    iterator = fn.name(instr.op1_use)
    return iterator.rep, iterator.parts


def _narrow(fn: FunctionLowering, payload: Val, tag: Val, mask: int) -> Datum:
    return convert(fn.text, Datum(mask, Rep.VALUE, (payload, tag)), representation(mask))


@lowers(Opcode.FE_FREE)
def _free(fn: FunctionLowering, instr: Instr) -> None:
    """The end of a loop; ``own`` has put the DROP where it belongs."""
