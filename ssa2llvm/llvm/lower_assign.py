"""Assignment and copies: ASSIGN, QM_ASSIGN, COPY, compound assignment, ``++`` and ``--``, FREE, DUP, DROP.

An assignment to a plain variable defines a new SSA name; what the old one held was dropped by ``own`` after its last
use. An assignment to a variable in a cell writes through its reference and drops what was there. A result beside the
variable (``$a = $b = 3``) is a second owner.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_LONG, MAY_BE_NULL, MAY_BE_NUMBER, MAY_BE_UNDEF
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.lower_arith import binary_operation
from ssa2llvm.llvm.lower_string import append, concat
from ssa2llvm.llvm.numbers import binary_on_values
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import Val, integer

__all__: list[str] = []


@lowers(Opcode.ASSIGN)
def _assign(fn: FunctionLowering, instr: Instr) -> None:
    _assign_value(fn, instr, fn.take(instr, "op2"))


def _assign_value(fn: FunctionLowering, instr: Instr, datum: Datum) -> None:
    """Give op1's new name, the variable whose place is in op1, and the result if it is used, the owned ``datum``."""
    if instr.result_def >= 0:
        fn.dup(datum)
        fn.define(instr.result_def, datum)
    place = _place(fn, instr)
    if place is not None:
        fn.runtime("s2l_slot_assign", place, datum)
    elif instr.op1_def < 0 and fn.is_cell(instr.op1):
        fn.write_cell(instr.op1.num, datum)
    else:
        fn.define(instr.op1_def, datum)


def _place(fn: FunctionLowering, instr: Instr) -> Val | None:
    """The place of a variable that op1 was fetched as by name (``$GLOBALS['x'] = …``), if it was."""
    if not instr.op1.is_temp or instr.op1_use < 0:
        return None
    datum = fn.name(instr.op1_use)
    return datum.parts[0] if datum.rep is Rep.SLOT else None


@lowers(
    Opcode.QM_ASSIGN,
    Opcode.COPY_TMP,
    Opcode.SEND_VAL,
    Opcode.SEND_VAL_EX,
    Opcode.SEND_VAR,
    Opcode.SEND_VAR_EX,
    Opcode.SEND_FUNC_ARG,
)
def _copy_value(fn: FunctionLowering, instr: Instr) -> None:
    """Copy the value to the result. A SEND that ``opt.calls`` kept hands its value to the call by its result's
    name."""
    fn.define(instr.result_def, fn.take(instr, "op1"))


@lowers(Opcode.COPY)
def _copy(fn: FunctionLowering, instr: Instr) -> None:
    """A move between locations: undefined stays undefined, and the representation changes to the target's."""
    if instr.op1.is_const:
        fn.define(instr.result_def, fn.owned_constant(fn.literal(instr.op1)))
    else:
        fn.define(instr.result_def, fn.name(instr.op1_use))


@lowers(Opcode.DUP)
def _dup(fn: FunctionLowering, instr: Instr) -> None:
    fn.dup(fn.name(instr.op1_use))


@lowers(Opcode.DROP)
def _drop(fn: FunctionLowering, instr: Instr) -> None:
    fn.drop_name(instr.op1_use)


@lowers(Opcode.FREE)
def _free(fn: FunctionLowering, instr: Instr) -> None:
    """The end of a temporary; ``own`` has put the DROP where it belongs."""


@lowers(Opcode.ASSIGN_OP)
def _assign_op(fn: FunctionLowering, instr: Instr) -> None:
    """``op1 op= op2``. For ``.=`` op1 is consumed, so that a string nobody else counts grows in place."""
    opcode = Opcode(instr.extended_value)
    right = fn.read(instr, "op2")  # PHP reads the right side first
    place = _place(fn, instr)
    left = fn.load_value(fn.target_of(place)) if place is not None else fn.read(instr, "op1")
    if opcode == Opcode.CONCAT:
        if place is not None or fn.is_cell(instr.op1):
            _assign_value(fn, instr, concat(fn, left, right))
        else:
            _assign_value(fn, instr, append(fn, left, right))
        return
    mask = fn.mask_of(instr.op1_def)
    _assign_value(fn, instr, binary_operation(fn, opcode, left, right, mask))


@lowers(Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC)
def _step(fn: FunctionLowering, instr: Instr) -> None:
    """``++`` and ``--``. Ints overflow to floats; null++ is 1, null-- null; bools stay; strings count (``z`` to
    ``aa``)."""
    if not fn.is_cell(instr.op1) and instr.op1_def < 0:
        _step_slot(fn, instr)
        return
    increments = instr.opcode in (Opcode.PRE_INC, Opcode.POST_INC)
    post = instr.opcode in (Opcode.POST_INC, Opcode.POST_DEC)
    cell = fn.is_cell(instr.op1)
    mask = fn.mask_of(instr.op1_def)
    old = fn.read(instr, "op1")
    keeps = post and instr.result_def >= 0
    if keeps:
        fn.dup(old)
    with fn.releasing(lambda: fn.drop(old) if keeps else None):
        new = _stepped(fn, old, increments, mask, cell)
    if keeps:
        fn.define(instr.result_def, old)
    if not post:
        _assign_value(fn, instr, new)
    elif cell and instr.op1_def < 0:
        fn.write_cell(instr.op1.num, new)
    else:
        fn.define(instr.op1_def, new)


def _step_slot(fn: FunctionLowering, instr: Instr) -> None:
    """``++$a[$k]``: on the element whose slot a FETCH_DIM_RW gave."""
    slot = fn.name(instr.op1_use).parts[0]
    old = fn.load_value(fn.target_of(slot))
    increments = instr.opcode in (Opcode.PRE_INC, Opcode.POST_INC)
    post = instr.opcode in (Opcode.POST_INC, Opcode.POST_DEC)
    keeps = post and instr.result_def >= 0
    if keeps:
        fn.dup(old)
    with fn.releasing(lambda: fn.drop(old) if keeps else None):
        new = _stepped(fn, old, increments, MAY_BE_ANY, cell=True)
    if keeps:
        fn.define(instr.result_def, old)
    elif instr.result_def >= 0:
        fn.dup(new)
        fn.define(instr.result_def, new)
    fn.text.call("void", "@s2l.slot.assign", [fn.context, slot, *convert(fn.text, new, Rep.VALUE).parts])


def _stepped(fn: FunctionLowering, old: Datum, increments: bool, mask: int, cell: bool) -> Datum:
    """The value one further. ``old`` is consumed, but for one read from a cell, which the cell goes on owning."""
    if old.rep in (Rep.LONG, Rep.DOUBLE, Rep.NUMBER):
        one = Datum(MAY_BE_LONG, Rep.LONG, (integer(1),), 1, 1)
        return binary_operation(fn, Opcode.ADD if increments else Opcode.SUB, old, one, mask)
    if old.only(MAY_BE_NULL | MAY_BE_UNDEF):
        return fn.constant(1 if increments else None)
    if old.rep is Rep.BOOL:
        return old
    runtime = "s2l_increment" if increments else "s2l_decrement"

    def general() -> Datum:
        if cell:
            fn.dup(old)
        return fn.framed_value(runtime, old, mask=MAY_BE_ANY)

    if not old.may(MAY_BE_NUMBER):
        return general()
    one = fn.constant(1)
    return binary_on_values(
        fn,
        old,
        one,
        lambda a, b: binary_operation(fn, Opcode.ADD if increments else Opcode.SUB, a, b, MAY_BE_NUMBER),
        general,
    )
