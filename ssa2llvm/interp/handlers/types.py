"""Casts and type tests."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine, is_strict
from ssa2llvm.ir import types as t
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values.array import copy_value
from ssa2llvm.values.coerce import TypeMismatch, coerce, return_error, type_bit
from ssa2llvm.values.convert import to_array, to_bool, to_float, to_int, to_string
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import PhpObject, Value, gettype_name, type_name


@handles(Opcode.CAST)
def _cast(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read1(step)
    kind = step.op.extended_value
    result: Value
    if kind == t.IS_LONG:
        result = to_int(value, machine.host)
    elif kind == t.IS_DOUBLE:
        result = to_float(value, machine.host)
    elif kind == t.IS_STRING:
        result = to_string(value, machine.host)
    elif kind in (t.IS_BOOL, t.IS_TRUE, t.IS_FALSE):
        result = to_bool(value)
    elif kind == t.IS_ARRAY and not isinstance(value, PhpObject):
        result = copy_value(to_array(copy_value(value)))
    elif kind == t.IS_NULL:
        result = None
    else:
        file = frame.code.op_array.filename
        raise CompileError("the interpreter does not cast to or from objects yet", file, step.op.line)
    frame.write_result(step, result)


@handles(Opcode.TYPE_CHECK)
def _type_check(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, bool(step.op.extended_value & type_bit(frame.read1(step))))


@handles(Opcode.GET_TYPE)
def _get_type(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, gettype_name(frame.read1(step)).encode())


@handles(Opcode.INSTANCEOF)
def _instanceof(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read1(step)
    name = step.constant2
    if not isinstance(name, bytes):
        raise CompileError("the interpreter knows no computed class yet", frame.code.op_array.filename, step.op.line)
    is_one = isinstance(value, PhpObject) and machine.host.is_instance(value, name.decode("utf-8", "surrogateescape"))
    frame.write_result(step, is_one)


@handles(Opcode.VERIFY_RETURN_TYPE)
def _verify_return_type(machine: Machine, frame: Frame, step: Step) -> None:
    op_array = frame.code.op_array
    declared = op_array.return_type
    if step.op.op1.kind == OpKind.UNUSED:
        raise return_error(op_array.name, declared, "none")
    value = frame.read1(step)
    try:
        converted = coerce(value, declared, is_strict(frame), machine.host)
    except TypeMismatch:
        raise return_error(op_array.name, declared, type_name(value)) from None
    if step.op.op1.kind == OpKind.CONST:
        frame.write_result(step, copy_value(converted))
    else:
        frame.variable1(step).set(converted)


@handles(Opcode.VERIFY_NEVER_TYPE)
def _verify_never(machine: Machine, frame: Frame, step: Step) -> None:
    raise PhpError("TypeError", f"{frame.code.op_array.name}(): never-returning function must not implicitly return")
