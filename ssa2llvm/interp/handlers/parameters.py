"""The callee's side of a call: parameters arrive, are counted, converted, or filled from their defaults."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine, is_strict
from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.op_array import ArgInfo
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.coerce import TypeMismatch, argument_error, coerce
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import Ref, Value


def _called_in(machine: Machine) -> str:
    """``, called in FILE on line N``, or nothing if a builtin or the host called."""
    frame = machine.frames[-1]
    if frame.returns_to is None or len(machine.frames) < 2:
        return ""
    caller = machine.frames[-2]
    return f", called in {caller.code.op_array.filename} on line {caller.step.op.line}"


def _missing_argument(machine: Machine, frame: Frame) -> PhpError:
    op_array = frame.code.op_array
    where = _called_in(machine).removeprefix(", called").replace(" in ", " passed in ", 1)
    given = f"{len(frame.args)}{where}" if where else f"{len(frame.args)} passed"
    bound = "exactly" if op_array.required_num_args == op_array.num_args else "at least"
    return PhpError(
        "ArgumentCountError",
        f"Too few arguments to function {op_array.name}(), {given} and {bound} {op_array.required_num_args} expected",
    )


def _strict_call(machine: Machine) -> bool:
    """Whether the call came from code with strict types; builtins and the host call weakly."""
    frame = machine.frames[-1]
    return frame.returns_to is not None and is_strict(machine.frames[-2])


def _converted(machine: Machine, frame: Frame, number: int, info: ArgInfo | None, argument: Value | Ref) -> Value | Ref:
    """An argument as the parameter gets it. Raises TypeError."""
    if info is None or info.type.accepts_any:
        return argument
    value = argument.value if isinstance(argument, Ref) else argument
    try:
        converted = coerce(value, info.type, _strict_call(machine), machine.host)
    except TypeMismatch:
        called_in = _called_in(machine)
        name = "" if info.variadic else info.name
        raise argument_error(frame.callee.name, number, name, info.type, value, called_in) from None
    if isinstance(argument, Ref):
        argument.value = converted
        return argument
    return converted


def _info(frame: Frame, number: int) -> ArgInfo | None:
    infos = frame.code.op_array.arg_info
    return infos[number - 1] if number <= len(infos) else None


@handles(Opcode.RECV)
def _recv(machine: Machine, frame: Frame, step: Step) -> None:
    number = step.op.op1.num
    if number > len(frame.args):
        raise _missing_argument(machine, frame)
    argument = _converted(machine, frame, number, _info(frame, number), frame.args[number - 1])
    frame.write_result(step, argument)


@handles(Opcode.RECV_INIT)
def _recv_init(machine: Machine, frame: Frame, step: Step) -> None:
    number = step.op.op1.num
    info = _info(frame, number)
    if number <= len(frame.args):
        frame.write_result(step, _converted(machine, frame, number, info, frame.args[number - 1]))
        return
    default = machine.constant_operand2(frame, step)
    if isinstance(frame.code.op_array.literals[step.op.op2.num], ConstAst):
        # Only a default that PHP could not see when it compiled is checked.
        checked = _converted(machine, frame, number, info, default)
        assert not isinstance(checked, Ref)
        default = checked
    frame.write_result(step, Ref(default) if info is not None and info.by_ref else default)


@handles(Opcode.RECV_VARIADIC)
def _recv_variadic(machine: Machine, frame: Frame, step: Step) -> None:
    number = step.op.op1.num
    info = frame.code.op_array.arg_info[-1] if frame.code.op_array.arg_info else None
    rest = PhpArray(0) if len(frame.args) < number else PhpArray()
    for position, argument in enumerate(frame.args[number - 1 :], start=number):
        rest.append(_converted(machine, frame, position, info, argument))
    frame.write_result(step, rest)
