"""Variables by name: ``$GLOBALS['x']``, and what ``@$x`` compiles to.

A constant name is as good as a variable: a global is a cell of the program's table, a local one the function's own
cell (``ssa.aliases`` has put every variable of such a function into memory). Computed names (``$$x``) are refused.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_GLOBAL, FETCH_GLOBAL_LOCK
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import CONTEXT, VALUE, Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import I64, PTR, UNLIKELY, Val, integer

__all__: list[str] = []


def _name(fn: FunctionLowering, instr: Instr) -> str:
    value = fn.literal(instr.op1) if instr.op1.is_const else None
    if not isinstance(value, bytes):
        raise fn.unsupported("variables with computed names are not compiled yet")
    return value.decode("utf-8", "surrogateescape")


def _address(fn: FunctionLowering, instr: Instr) -> Val | None:
    """Where the variable lies; None for a local one that the function never names otherwise."""
    name = _name(fn, instr)
    if instr.extended_value & (FETCH_GLOBAL | FETCH_GLOBAL_LOCK) or fn.op_array.is_main:
        table = fn.text.load(PTR, fn.text.offset(fn.context, CONTEXT.offset("cells")))
        return fn.text.offset(table, fn.program.cells.of_global(name) * VALUE.size)
    if name not in fn.op_array.cvs:
        return None
    return fn.cell(fn.op_array.cvs.index(name))


def _undefined(fn: FunctionLowering, instr: Instr) -> Val:
    """PHP's warning where the variable is missing."""
    is_global = bool(instr.extended_value & (FETCH_GLOBAL | FETCH_GLOBAL_LOCK))
    return fn.module.c_string(f"Undefined {'global ' if is_global else ''}variable ${_name(fn, instr)}")


@lowers(Opcode.FETCH_R, Opcode.FETCH_IS)
def _fetch(fn: FunctionLowering, instr: Instr) -> None:
    """Read: owned; a missing variable is null, with a warning but for FETCH_IS."""
    quiet = instr.opcode == Opcode.FETCH_IS
    warning = _undefined(fn, instr)
    address = _address(fn, instr)
    if address is None:
        if not quiet:
            fn.framed("s2l_warning", warning)
        fn.define(instr.result_def, fn.constant(None))
        return
    value = fn.load_value(fn.target_of(address), MAY_BE_ANY | MAY_BE_UNDEF)
    before = fn.text.block
    missing, known = fn.text.new_block("undefined", cold=True), fn.text.new_block("known")
    fn.text.branch(fn.text.compare("eq", value.parts[1], integer(Tag.UNDEF)), missing, known, UNLIKELY)
    fn.text.at(missing)
    if not quiet:
        fn.framed("s2l_warning", warning)
    fn.text.jump(known)
    fn.text.at(known)
    tag = fn.text.phi(I64, [(value.parts[1], before), (integer(Tag.NULL), missing)])
    result = Datum(fn.mask_of(instr.result_def) & MAY_BE_ANY, Rep.VALUE, (value.parts[0], tag))
    fn.dup(result)
    fn.define(instr.result_def, convert(fn.text, result, representation(result.mask)))


@lowers(Opcode.FETCH_W, Opcode.FETCH_RW)
def _fetch_slot(fn: FunctionLowering, instr: Instr) -> None:
    """The variable as a slot to write into. To be read first, it must have a value: null if it is missing, with a
    warning."""
    address = _address(fn, instr)
    if address is None:
        raise fn.unsupported("a variable created by name is not compiled yet")
    if instr.opcode == Opcode.FETCH_RW:
        value = fn.load_value(fn.target_of(address), MAY_BE_ANY | MAY_BE_UNDEF)
        missing, known = fn.text.new_block("undefined", cold=True), fn.text.new_block("known")
        fn.text.branch(fn.text.compare("eq", value.parts[1], integer(Tag.UNDEF)), missing, known, UNLIKELY)
        fn.text.at(missing)
        fn.framed("s2l_warning", _undefined(fn, instr))
        fn.store_value(fn.constant(None), address)
        fn.text.jump(known)
        fn.text.at(known)
    fn.define(instr.result_def, Datum(fn.mask_of(instr.result_def), Rep.SLOT, (address,)))
