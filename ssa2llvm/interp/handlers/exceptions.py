"""throw, catch and finally. Which handler an exception goes to is the machine's business (``Machine._unwind``)."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.errors import Exception_, Thrown, is_instance
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import to_text


@handles(Opcode.THROW)
def _throw(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.read1(step)
    if not isinstance(value, Exception_):
        raise PhpError("Error", "Can only throw objects")
    raise Thrown(value)


@handles(Opcode.CATCH)
def _catch(machine: Machine, frame: Frame, step: Step) -> None:
    exception = frame.exception
    assert isinstance(exception, Exception_)
    assert isinstance(step.constant1, bytes)
    if is_instance(exception.class_name, to_text(step.constant1)):
        frame.exception = None
        frame.bind_result(step, exception)
        if step.edges:
            frame.jump(step, len(step.edges) - 1)
    elif not step.op.extended_value & LAST_CATCH:
        frame.jump(step, 0)
    elif step.handler is not None and not frame.code.op_array.ops[step.number].extended_value & LAST_CATCH:
        # In block form the next CATCH is where this one throws to (``cfg.exceptions``).
        machine.pass_on(frame, step.handler)
    else:
        raise Thrown(exception)


@handles(Opcode.CATCH_ALL)
def _catch_all(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, frame.exception)
    frame.exception = None


@handles(Opcode.FAST_CALL)
def _fast_call(machine: Machine, frame: Frame, step: Step) -> None:
    """Enter a finally block; the result tells its FAST_RET where to go on."""
    for index, region in enumerate(frame.code.op_array.try_catch):
        if region.finally_op == step.op.op1.num:
            frame.finally_causes.pop(index, None)
    frame.write_result(step, frame.pc if frame.in_linear_form else step.resume)
    frame.jump(step, 0)


@handles(Opcode.FAST_RET)
def _fast_ret(machine: Machine, frame: Frame, step: Step) -> None:
    resume = frame.raw1(step)
    if isinstance(resume, Exception_):
        raise Thrown(resume)
    assert isinstance(resume, int)
    if frame.in_linear_form:
        frame.pc = resume
    else:
        frame.jump(step, resume)


@handles(Opcode.DISCARD_EXCEPTION)
def _discard_exception(machine: Machine, frame: Frame, step: Step) -> None:
    """A finally block that returns forgets the exception it was entered with."""
    for index, region in enumerate(frame.code.op_array.try_catch):
        if region.finally_op <= step.number < region.finally_end:
            frame.finally_causes.pop(index, None)
    if frame.in_linear_form:
        frame.cells[step.use1] = None


@handles(Opcode.BEGIN_SILENCE)
def _begin_silence(machine: Machine, frame: Frame, step: Step) -> None:
    before = machine.host.silence()
    frame.write_result(step, before)
    frame.silenced.append(before)


@handles(Opcode.END_SILENCE)
def _end_silence(machine: Machine, frame: Frame, step: Step) -> None:
    machine.host.end_silence(frame.silenced.pop())
