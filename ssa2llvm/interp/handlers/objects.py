"""The objects the interpreter has: exceptions and closures."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.errors import class_name, is_throwable
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.functions import BoundMethod, Closure
from ssa2llvm.interp.handlers.calls import prepare_or_call
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_IMPLICIT, BIND_REF
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import PhpObject, Ref, to_text, type_name


@handles(Opcode.NEW)
def _new(machine: Machine, frame: Frame, step: Step) -> None:
    name = to_text(step.constant1) if isinstance(step.constant1, bytes) else ""
    if not is_throwable(name):
        file = frame.code.op_array.filename
        raise CompileError(f"the interpreter has no class {name}", file, step.op.line)
    proper = class_name(name)
    assert proper is not None
    exception = machine.make_exception(proper, b"")
    frame.write_result(step, exception)
    prepare_or_call(machine, frame, step, BoundMethod(exception, f"{proper}->__construct", "__construct"))


@handles(Opcode.GET_CLASS)
def _get_class(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read1(step)
    if not isinstance(value, PhpObject):
        raise PhpError(
            "TypeError", f"get_class(): Argument #1 ($object) must be of type object, {type_name(value)} given"
        )
    frame.write_result(step, value.class_name.encode())


@handles(Opcode.DECLARE_LAMBDA_FUNCTION)
def _declare_lambda(machine: Machine, frame: Frame, step: Step) -> None:
    op_array = frame.code.op_array.dynamic_defs[step.op.op2.num]
    function = machine.user_function(op_array)
    frame.write_result(step, Closure(function, machine.new_handle()))


@handles(Opcode.BIND_LEXICAL)
def _bind_lexical(machine: Machine, frame: Frame, step: Step) -> None:
    """Capture the variable op2 in the closure op1, by value or by reference."""
    closure = frame.raw1(step)
    assert isinstance(closure, Closure)
    name = frame.code.op_array.cvs[step.slot2]
    statics = closure.function.statics  # type: ignore[union-attr]
    if step.op.extended_value & BIND_REF:
        statics[name] = frame.variable2(step).reference()
        return
    value = frame.quiet2(step)
    if isinstance(value, Undefined):
        if step.op.extended_value & BIND_IMPLICIT:
            statics.pop(name, None)
            return
        frame.undefined(step.slot2)
        value = None
    statics[name] = Ref(copy_value(value))


@handles(Opcode.DECLARE_FUNCTION)
def _declare_function(machine: Machine, frame: Frame, step: Step) -> None:
    machine.declare(frame.code.op_array.dynamic_defs[step.op.op2.num])
