"""Calls: finding the callee, sending arguments, and the call itself.

The IR also has calls whose SENDs were folded into them (``opt.calls``): such a call names its callee in op2 and its
arguments in ``args``; a SEND that stayed has a result, which the call reads.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.errors import METHODS, Exception_, call_method, is_instance
from ssa2llvm.interp.frame import Frame, PendingCall
from ssa2llvm.interp.functions import BoundMethod, BuiltinFunction, Callee, Closure, UserFunction
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine, is_strict
from ssa2llvm.interp.undefined import CONSUMED, Undefined
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_ANY
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.builtin_table import NO_DEFAULT, Builtin, Does, Parameter, parse_type
from ssa2llvm.values.builtins_array import copy_element
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import Ref, Value, to_text, type_name

# ---- finding the callee


def _named(machine: Machine, name: Value) -> Callee:
    assert isinstance(name, bytes)
    callee = machine.find_symbol(to_text(name))
    if callee is None:
        raise machine.undefined_function(to_text(name))
    return callee


@handles(Opcode.INIT_FCALL, Opcode.INIT_FCALL_BY_NAME)
def _init_fcall(machine: Machine, frame: Frame, step: Step) -> None:
    frame.pending.append(PendingCall(_named(machine, step.constant2)))


@handles(Opcode.INIT_NS_FCALL_BY_NAME)
def _init_ns_fcall(machine: Machine, frame: Frame, step: Step) -> None:
    """A name that may be in the namespace or global."""
    assert isinstance(step.constant2, bytes)
    full = to_text(step.constant2)
    callee = machine.find_function(full) or machine.find_function(full.rsplit("\\", 1)[-1])
    if callee is None:
        raise machine.undefined_function(full)
    frame.pending.append(PendingCall(callee))


def _callable(machine: Machine, value: Value) -> Callee:
    """What a computed callee calls. Raises Error."""
    callee = machine.find_callable(value)
    if callee is not None:
        return callee
    if isinstance(value, bytes):
        raise machine.undefined_function(to_text(value))
    if isinstance(value, PhpArray):
        raise PhpError("Error", "Array callback must have exactly two elements")
    if isinstance(value, Exception_):
        raise PhpError("Error", "Object of type Exception is not callable")
    raise PhpError("Error", f"Value of type {type_name(value)} is not callable")


@handles(Opcode.INIT_DYNAMIC_CALL)
def _init_dynamic_call(machine: Machine, frame: Frame, step: Step) -> None:
    frame.pending.append(PendingCall(_callable(machine, frame.read2(step))))


@handles(Opcode.INIT_USER_CALL)
def _init_user_call(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read2(step)
    callee = machine.find_callable(value)
    if callee is None:
        assert isinstance(step.constant1, bytes)
        reason = (
            f'function "{to_text(value)}" not found or invalid function name'
            if isinstance(value, bytes)
            else "no array or string given"
        )
        raise PhpError(
            "TypeError",
            f"{to_text(step.constant1)}(): Argument #1 ($callback) must be a valid callback, {reason}",
        )
    frame.pending.append(PendingCall(callee))


@handles(Opcode.INIT_METHOD_CALL)
def _init_method_call(machine: Machine, frame: Frame, step: Step) -> None:
    """Methods of the built-in classes that the interpreter has: exceptions and closures."""
    target = frame.read1(step)
    method = frame.read2(step)
    assert isinstance(method, bytes)
    name = to_text(method)
    callee: Callee
    if isinstance(target, Exception_):
        callee = BoundMethod(target, f"{target.class_name}->{name}", name.lower())
    elif isinstance(target, Closure) and name.lower() == "__invoke":
        callee = target.function
    elif isinstance(target, Closure):
        raise CompileError(f"the interpreter has no Closure::{name}", frame.code.op_array.filename, step.op.line)
    else:
        raise PhpError("Error", f"Call to a member function {name}() on {type_name(target)}")
    prepare_or_call(machine, frame, step, callee)


# ---- sending arguments


def _send(frame: Frame, step: Step, argument: Value | Ref) -> None:
    """Add an argument to the call being prepared, or give it to the folded call that reads it."""
    if step.op.op2.kind == OpKind.CONST:
        raise CompileError("the interpreter has no named arguments", frame.code.op_array.filename, step.op.line)
    if step.result >= 0:
        frame.write_result(step, argument)
    else:
        frame.pending[-1].args.append(argument)


def _is_by_reference(frame: Frame, step: Step) -> bool:
    return step.result < 0 and frame.pending[-1].callee.by_reference(step.op.op2.num - 1)


@handles(Opcode.SEND_VAL, Opcode.SEND_VAR)
def _send_value(machine: Machine, frame: Frame, step: Step) -> None:
    _send(frame, step, frame.take1(step))


@handles(Opcode.SEND_VAL_EX)
def _send_value_ex(machine: Machine, frame: Frame, step: Step) -> None:
    if _is_by_reference(frame, step):
        callee = frame.pending[-1].callee
        name = _parameter_name(callee, step.op.op2.num - 1)
        raise PhpError("Error", f"{callee.name}(): Argument #{step.op.op2.num} (${name}) cannot be passed by reference")
    _send(frame, step, frame.take1(step))


@handles(Opcode.CANNOT_PASS)
def _cannot_pass(machine: Machine, frame: Frame, step: Step) -> None:
    assert isinstance(step.constant1, bytes)
    raise PhpError("Error", to_text(step.constant1))


def _parameter_name(callee: Callee, position: int) -> str:
    parameter: Parameter | object | None = None
    if isinstance(callee, BuiltinFunction):
        parameter = callee.row.parameter(position)
    elif isinstance(callee, UserFunction):
        parameter = callee.parameter(position)
    return getattr(parameter, "name", "")


def _reference1(frame: Frame, step: Step) -> Ref:
    content = frame.raw1(step)
    return content if isinstance(content, Ref) else frame.variable1(step).reference()


@handles(Opcode.SEND_REF)
def _send_ref(machine: Machine, frame: Frame, step: Step) -> None:
    cell = frame.variable1(step).reference()
    _send(frame, step, cell)


@handles(Opcode.SEND_VAR_EX)
def _send_var_ex(machine: Machine, frame: Frame, step: Step) -> None:
    if _is_by_reference(frame, step):
        _send(frame, step, frame.variable1(step).reference())
    else:
        _send(frame, step, frame.take1(step))
        frame.variable1(step)


@handles(Opcode.SEND_FUNC_ARG)
def _send_func_arg(machine: Machine, frame: Frame, step: Step) -> None:
    if frame.pending[-1].send_by_reference:
        _send(frame, step, _reference1(frame, step))
    else:
        _send(frame, step, frame.take1(step))


@handles(Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX)
def _send_var_no_ref(machine: Machine, frame: Frame, step: Step) -> None:
    """The result of a call as an argument: by reference only if that function returned a reference."""
    if step.opcode == Opcode.SEND_VAR_NO_REF_EX and not _is_by_reference(frame, step):
        _send(frame, step, frame.take1(step))
        return
    content = frame.raw1(step)
    if isinstance(content, Ref):
        _send(frame, step, content)
        return
    machine.host.notice("Only variables should be passed by reference")
    _send(frame, step, Ref(frame.take1(step)))


@handles(Opcode.CHECK_FUNC_ARG)
def _check_func_arg(machine: Machine, frame: Frame, step: Step) -> None:
    call = frame.pending[-1]
    call.send_by_reference = call.callee.by_reference(step.op.op2.num - 1)


@handles(Opcode.SEND_UNPACK, Opcode.SEND_ARRAY)
def _send_unpack(machine: Machine, frame: Frame, step: Step) -> None:
    call = frame.pending[-1]
    spread = frame.read1(step)
    if not isinstance(spread, PhpArray):
        if step.opcode == Opcode.SEND_ARRAY:
            wanted = "call_user_func_array(): Argument #2 ($args) must be of type array"
            raise PhpError("TypeError", f"{wanted}, {type_name(spread)} given")
        raise PhpError("Error", "Only arrays and Traversables can be unpacked")
    for key, element in spread.elements():
        if isinstance(key, bytes):
            raise CompileError("the interpreter has no named arguments", frame.code.op_array.filename, step.op.line)
        if call.callee.by_reference(len(call.args)):
            if step.opcode == Opcode.SEND_ARRAY and not isinstance(element, Ref):
                _warn_value_given(machine, call.callee, len(call.args) + 1)
            call.args.append(element if isinstance(element, Ref) else Ref(copy_value(element)))
        else:
            call.args.append(copy_element(element.value if isinstance(element, Ref) else element))
    if step.def1 >= 0:
        frame.variable1(step)


def _warn_value_given(machine: Machine, callee: Callee, number: int) -> None:
    """``call_user_func`` and its kin cannot pass by reference what they got by value (``zend_param_must_be_ref``)."""
    name = _parameter_name(callee, number - 1)
    machine.host.warning(f"{callee.name}(): Argument #{number} (${name}) must be passed by reference, value given")


@handles(Opcode.SEND_USER)
def _send_user(machine: Machine, frame: Frame, step: Step) -> None:
    """An argument of ``call_user_func``: by value, with a warning if the function wants a reference."""
    if _is_by_reference(frame, step):
        _warn_value_given(machine, frame.pending[-1].callee, step.op.op2.num)
        _send(frame, step, Ref(frame.take1(step)))
    else:
        _send(frame, step, frame.take1(step))


@handles(Opcode.CHECK_UNDEF_ARGS)
def _check_undef_args(machine: Machine, frame: Frame, step: Step) -> None:
    """Arguments are positional here, so none can be missing in between."""


# ---- the call


@handles(Opcode.DO_FCALL, Opcode.DO_FCALL_BY_NAME, Opcode.DO_ICALL, Opcode.DO_UCALL)
def _do_call(machine: Machine, frame: Frame, step: Step) -> None:
    if step.op.op2.kind == OpKind.UNUSED:
        call = frame.pending.pop()
        callee, args = call.callee, call.args
    else:
        target = frame.read2(step)
        callee = _named(machine, target) if step.op.op2.is_const else _callable(machine, target)
        args = _folded_arguments(frame, step, callee)
    _call(machine, frame, step, callee, args)


def prepare_or_call(machine: Machine, frame: Frame, step: Step, callee: Callee) -> None:
    """What NEW and INIT_METHOD_CALL do with whom they found: SENDs follow, or the whole call has been folded into the
    step."""
    if step.is_whole_call:
        _call(machine, frame, step, callee, _folded_arguments(frame, step, callee))
    else:
        frame.pending.append(PendingCall(callee))


def _call(machine: Machine, frame: Frame, step: Step, callee: Callee, args: list[Value | Ref]) -> None:
    """Call ``callee``; the step's result is what it returns (nothing for constructors)."""
    if isinstance(callee, UserFunction):
        machine.enter(callee, args, step)
    elif isinstance(callee, BuiltinFunction):
        frame.write_result(step, machine.run_builtin(callee, args, is_strict(frame)))
    elif callee.method == "__construct":
        assert isinstance(callee.object, Exception_)
        _construct(machine, callee.object, args, is_strict(frame))
    else:
        assert isinstance(callee.object, Exception_)
        frame.write_result(step, _call_method(machine, callee.object, callee.method, args, is_strict(frame)))


def _folded_arguments(frame: Frame, step: Step, callee: Callee) -> list[Value | Ref]:
    return [_folded_argument(frame, callee, position, cell) for position, cell in enumerate(step.args)]


def _folded_argument(frame: Frame, callee: Callee, position: int, cell: int) -> Value | Ref:
    """An argument that a SEND before made a reference stays one; every other is a value."""
    content = frame.cells[cell]
    if isinstance(content, Ref) and callee.by_reference(position):
        frame.cells[cell] = CONSUMED  # the callee has it now; who else holds a reference shows when arrays are copied
        return content
    return frame.argument(cell)


def _optional(name: str, declared: str) -> Parameter:
    return Parameter(name, parse_type(declared), optional=True, default=NO_DEFAULT)


_CONSTRUCTOR = (_optional("message", "string"), _optional("code", "int"), _optional("previous", "?Throwable"))


def _construct(machine: Machine, exception: Exception_, args: list[Value | Ref], strict: bool) -> None:
    """``Exception::__construct($message = "", $code = 0, $previous = null)``, and the same of ``Error``."""
    if exception.class_name == "ErrorException" and len(args) > 2:
        top = machine.frames[-1].code.op_array
        raise CompileError("the interpreter knows no severity of an ErrorException", top.filename)

    def set_properties(_: Host, *values: Value) -> Value:
        for parameter, value in zip(_CONSTRUCTOR, values):
            setattr(exception, parameter.name, value)
        return None

    _run_method(machine, exception, "__construct", _CONSTRUCTOR, set_properties, args, strict)


def _call_method(machine: Machine, exception: Exception_, method: str, args: list[Value | Ref], strict: bool) -> Value:
    """A method of ``Throwable``; none takes arguments."""
    if method not in METHODS:
        return call_method(exception, method)
    return _run_method(machine, exception, METHODS[method], (), lambda _: call_method(exception, method), args, strict)


def _run_method(
    machine: Machine,
    exception: Exception_,
    name: str,
    parameters: tuple[Parameter, ...],
    implementation: Callable[..., Value],
    args: list[Value | Ref],
    strict: bool,
) -> Value:
    """Call a method of the class at the root, which messages and traces name."""
    root = "Error" if is_instance(exception.class_name, "Error") else "Exception"
    does = Does.WARNS | Does.THROWS
    row = Builtin(f"{root}::{name}", parameters, MAY_BE_ANY, None, does, False, False, implementation)
    return machine.run_builtin(BuiltinFunction(row), args, strict)


@handles(Opcode.CALLABLE_CONVERT)
def _callable_convert(machine: Machine, frame: Frame, step: Step) -> None:
    """``f(...)``."""
    callee = frame.pending.pop().callee
    if isinstance(callee, BoundMethod):
        raise CompileError("the interpreter makes no closures of methods", frame.code.op_array.filename, step.op.line)
    frame.write_result(step, Closure(callee, machine.new_handle(), names_function=True))


@handles(Opcode.FUNC_NUM_ARGS)
def _func_num_args(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, len(frame.args))


@handles(Opcode.FUNC_GET_ARGS)
def _func_get_args(machine: Machine, frame: Frame, step: Step) -> None:
    """The arguments, parameters with the values they have now; op1 is how many to skip."""
    skip = step.constant1 if isinstance(step.constant1, int) else 0
    values = []
    for position, argument in enumerate(frame.args):
        content: object = argument
        if position < frame.code.op_array.num_args and frame.in_linear_form:
            content = frame.cells[frame.code.slot_cells[position]]
        value = content.value if isinstance(content, Ref) else content
        values.append(None if isinstance(value, Undefined) else copy_value(value))  # type: ignore[arg-type]
    frame.write_result(step, PhpArray.from_list(values[skip:]))
