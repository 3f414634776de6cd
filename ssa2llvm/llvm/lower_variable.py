"""Variables as such: ``global``, ``static``, unset.

A function's ``global $x`` makes the program's cell of that name a reference and lets the local variable hold it too; a
``static`` does the same with a cell of its own. Both variables live in memory (``analysis.reference_slots``); access goes
through the reference by `FunctionLowering.cell_target`.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep
from ssa2llvm.llvm.seam import I64, integer

__all__: list[str] = []

_UNDEFINED = Datum(MAY_BE_UNDEF, Rep.NULL)


def _bind(fn: FunctionLowering, slot: int, cell: int) -> None:
    """Let variable ``slot`` hold a reference to the program's cell number ``cell``, instead of what it held."""
    reference = fn.runtime("s2l_cell_reference", integer(cell))
    fn.text.call("void", "@s2l.dup.counted", [reference])
    address = fn.cell(slot)
    old = fn.load_value(address)
    payload = fn.text.cast("ptrtoint", reference, I64)
    fn.store_value(Datum(MAY_BE_REF, Rep.VALUE, (payload, integer(Tag.REFERENCE))), address)
    fn.drop(old)


@lowers(Opcode.BIND_GLOBAL)
def _bind_global(fn: FunctionLowering, instr: Instr) -> None:
    name = fn.literal(instr.op2)
    assert isinstance(name, bytes)
    _bind(fn, instr.op1.num, fn.program.cells.of_global(name.decode("utf-8", "surrogateescape")))


@lowers(Opcode.BIND_STATIC)
def _bind_static(fn: FunctionLowering, instr: Instr) -> None:
    _bind(fn, instr.op1.num, fn.program.cells.of_static(fn.op_array, fn.op_array.cvs[instr.op1.num]))


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
