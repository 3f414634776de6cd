"""The ends of a function: RECV, RETURN, VERIFY_RETURN_TYPE, EXIT.

Arguments arrive checked and complete (``lower_call``), so RECV only gives them their names.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_UNDEF
from ssa2llvm.llvm.coerce import coerce
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import REFERENCE
from ssa2llvm.llvm.lower_variable import new_reference, reference_datum, referenced
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep
from ssa2llvm.llvm.seam import PTR

__all__: list[str] = []


@lowers(Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC)
def _receive(fn: FunctionLowering, instr: Instr) -> None:
    fn.receive(instr.result_def, fn.arguments[instr.op1.num - 1])


@lowers(Opcode.RETURN)
def _return(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.take(instr, "op1")
    if fn.op_array.is_main:
        fn.drop(datum)
        datum = fn.constant(None)
    fn.leave(datum)


@lowers(Opcode.RETURN_BY_REF)
def _return_by_reference(fn: FunctionLowering, instr: Instr) -> None:
    """Return a value as any function does, and leave the reference to it for who wants that. What is no variable
    becomes one, with a notice."""
    notice = "Only variable references should be returned by reference"
    if instr.op1.is_cv or (instr.op1.is_temp and instr.extended_value == 0):
        reference = new_reference(fn, instr, "op1")
    elif instr.op1.is_temp and fn.is_cell(instr.op1):
        reference = referenced(fn, fn.take_cell(instr.op1.num), notice)
    else:
        fn.framed("s2l_notice", fn.module.c_string(notice))
        made = fn.runtime("s2l_reference_new", fn.take(instr, "op1"))
        reference = reference_datum(fn, made)
    pointer = fn.text.cast("inttoptr", reference.parts[0], PTR)
    value = fn.load_value(fn.text.offset(pointer, REFERENCE.offset("payload")))
    fn.dup(value)
    fn.runtime("s2l_return_reference", pointer)
    fn.leave(value)


@lowers(Opcode.VERIFY_RETURN_TYPE)
def _verify_return_type(fn: FunctionLowering, instr: Instr) -> None:
    """Bring the value to the declared return type; without operand, control reached the end of a function that must
    return something."""
    decl = fn.op_array.return_type
    info = fn.module.parameter_info(None, decl, 0)

    def misfit(datum: Datum) -> Datum:
        return fn.unpack(fn.framed("s2l_coerce_return", datum, info), datum.mask)

    if not instr.op1.is_var and not instr.op1.is_const:
        misfit(Datum(MAY_BE_UNDEF, Rep.NULL))
        fn.fail()
        return
    result = coerce(fn, fn.take(instr, "op1"), decl, misfit)
    fn.define(instr.op1_def if instr.op1_def >= 0 else instr.result_def, result)


@lowers(Opcode.VERIFY_NEVER_TYPE)
def _verify_never(fn: FunctionLowering, instr: Instr) -> None:
    message = f"{fn.op_array.name}(): never-returning function must not implicitly return"
    fn.framed("s2l_throw", fn.module.c_string("TypeError"), fn.module.c_string(message))
    fn.fail()


@lowers(Opcode.EXIT)
def _exit(fn: FunctionLowering, instr: Instr) -> None:
    has_status = instr.op1.is_const or instr.op1.is_var
    status = fn.read(instr, "op1") if has_status else Datum(MAY_BE_UNDEF, Rep.NULL)
    fn.framed("s2l_exit", status)
    fn.fail()
