"""Echo, ropes and string length."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine, is_strict
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.values.builtins import BUILTINS, call_builtin
from ssa2llvm.values.convert import to_string


@handles(Opcode.ECHO)
def _echo(machine: Machine, frame: Frame, step: Step) -> None:
    machine.host.write(to_string(frame.read1(step), machine.host))


@handles(Opcode.ROPE_INIT)
def _rope_init(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, to_string(frame.read2(step), machine.host))


@handles(Opcode.ROPE_ADD, Opcode.ROPE_END)
def _rope_add(machine: Machine, frame: Frame, step: Step) -> None:
    rope = frame.raw1(step)
    assert isinstance(rope, bytes)
    frame.write_result(step, rope + to_string(frame.read2(step), machine.host))


@handles(Opcode.STRLEN)
def _strlen(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, call_builtin(BUILTINS["strlen"], [frame.read1(step)], is_strict(frame), machine.host))
