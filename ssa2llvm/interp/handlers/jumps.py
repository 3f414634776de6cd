"""Jumps, tables, and the tests that select between them."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Exit, Machine
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import JMP_NULL_IN_EMPTY, JMP_NULL_IN_ISSET, JMP_NULL_MASK
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.convert import to_bool, to_string
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.number_format import float_export
from ssa2llvm.values.types import PhpObject, Ref, Value, type_name

_SHOWN_STRING = 15
TAKEN, NOT_TAKEN = 0, 1
_CHAIN_IS_QUIET = 4  # extended_value of JMP_NULL within ?? (Zend/zend_compile.h:ZEND_JMP_NULL_BP_VAR_IS)


@handles(Opcode.NOP, Opcode.EXT_STMT, Opcode.EXT_FCALL_BEGIN, Opcode.EXT_FCALL_END, Opcode.EXT_NOP)
def _nop(machine: Machine, frame: Frame, step: Step) -> None:
    if step.edges:
        frame.jump(step, 0)


@handles(Opcode.JMP)
def _jmp(machine: Machine, frame: Frame, step: Step) -> None:
    frame.jump(step, 0)


@handles(Opcode.JMPZ, Opcode.JMPNZ)
def _branch(machine: Machine, frame: Frame, step: Step) -> None:
    truth = to_bool(frame.read1(step))
    frame.jump(step, TAKEN if truth == (step.opcode == Opcode.JMPNZ) else NOT_TAKEN)


@handles(Opcode.JMPZ_EX, Opcode.JMPNZ_EX)
def _branch_with_result(machine: Machine, frame: Frame, step: Step) -> None:
    truth = to_bool(frame.read1(step))
    frame.write_result(step, truth)
    frame.jump(step, TAKEN if truth == (step.opcode == Opcode.JMPNZ_EX) else NOT_TAKEN)


@handles(Opcode.JMP_SET)
def _jmp_set(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.take1(step)
    if to_bool(value):
        frame.write_result(step, value)
        frame.jump(step, TAKEN)
    else:
        frame.jump(step, NOT_TAKEN)


@handles(Opcode.COALESCE)
def _coalesce(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.quiet1(step)
    if value is None or isinstance(value, Undefined):
        frame.jump(step, NOT_TAKEN)
    else:
        frame.write_result(step, frame.take1(step))
        frame.jump(step, TAKEN)


@handles(Opcode.JMP_NULL)
def _jmp_null(machine: Machine, frame: Frame, step: Step) -> None:
    value = frame.quiet1(step)
    if value is None or isinstance(value, Undefined):
        kind = step.op.extended_value & JMP_NULL_MASK
        if kind == JMP_NULL_IN_ISSET:
            frame.write_result(step, False)
        elif kind == JMP_NULL_IN_EMPTY:
            frame.write_result(step, True)
        else:
            if not step.op.extended_value & _CHAIN_IS_QUIET:
                frame.read1(step)  # warns if it is undefined
            frame.write_result(step, None)
        frame.jump(step, TAKEN)
    else:
        frame.jump(step, NOT_TAKEN)


def _table_position(step: Step, value: Value | Undefined) -> int | None:
    """Which entry of the jump table a value selects, if it is of a type that tables have."""
    assert step.table is not None
    if isinstance(value, bytes) or (isinstance(value, int) and not isinstance(value, bool)):
        return step.table.get(value)
    return None


@handles(Opcode.SWITCH_LONG, Opcode.SWITCH_STRING)
def _switch(machine: Machine, frame: Frame, step: Step) -> None:
    """A subject of another type than the table's goes on to the chain of comparisons behind it."""
    value = frame.quiet1(step)
    wanted = int if step.opcode == Opcode.SWITCH_LONG else bytes
    if type(value) is not wanted:
        frame.jump(step, len(step.edges) - 1)
        return
    position = _table_position(step, value)
    frame.jump(step, len(step.edges) - 2 if position is None else position)


@handles(Opcode.MATCH)
def _match(machine: Machine, frame: Frame, step: Step) -> None:
    position = _table_position(step, frame.read1(step))
    frame.jump(step, len(step.edges) - 1 if position is None else position)


_ESCAPES = {0x09: "\\t", 0x0A: "\\n", 0x0B: "\\v", 0x0C: "\\f", 0x0D: "\\r", 0x1B: "\\e", 0x5C: "\\\\"}


def _escaped(text: bytes) -> str:
    """Printable text for a message (Zend/zend_smart_str.c:smart_str_append_escaped)."""
    return "".join(_ESCAPES.get(byte, chr(byte) if 32 <= byte <= 126 else f"\\x{byte:02X}") for byte in text)


def _shown(value: Value) -> str:
    """A value in an "Unhandled match case" message."""
    if isinstance(value, bytes):
        tail = "..." if len(value) > _SHOWN_STRING else ""
        return f"'{_escaped(value[:_SHOWN_STRING])}{tail}'"
    if isinstance(value, (PhpArray, PhpObject)):
        return f"of type {type_name(value)}"
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    return float_export(value) if isinstance(value, float) else str(value)


@handles(Opcode.MATCH_ERROR)
def _match_error(machine: Machine, frame: Frame, step: Step) -> None:
    raise PhpError("UnhandledMatchError", f"Unhandled match case {_shown(frame.read1(step))}")


@handles(Opcode.RETURN)
def _return(machine: Machine, frame: Frame, step: Step) -> None:
    machine.leave(frame.take1(step))


@handles(Opcode.RETURN_BY_REF)
def _return_by_ref(machine: Machine, frame: Frame, step: Step) -> None:
    if step.op.op1.is_const or (
        step.op.op1.is_temp and not isinstance(frame.raw1(step), Ref) and not frame.is_place1(step)
    ):
        machine.host.notice("Only variable references should be returned by reference")
        machine.leave(Ref(frame.take1(step)))
        return
    content = frame.raw1(step)
    machine.leave(content if isinstance(content, Ref) else frame.variable1(step).reference())


@handles(Opcode.EXIT)
def _exit(machine: Machine, frame: Frame, step: Step) -> None:
    code = 0
    if step.op.op1.kind:
        value = frame.read1(step)
        if isinstance(value, int) and not isinstance(value, bool):
            code = value & 0xFF
        else:
            machine.host.write(to_string(value, machine.host))
    raise Exit(code)
