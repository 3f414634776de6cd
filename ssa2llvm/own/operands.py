"""Which operands an instruction looks at, and which of them it takes.

Problem: counting needs to know of every operand whether the instruction *reads* its value at all, and if so whether it
*borrows* it (the name owns it as before) or *consumes* it (the count goes with the value: into another name, a callee,
the caller, a string that grows in place).

Zend counts an ASSIGN's old value among its uses, because the instruction frees it (zend_ssa.c). Here every value is
dropped after its last reader instead, so that what is overwritten is not read, and neither is the operand of FREE. This is
Perceus' order of things (Reinking, Xie, de Moura, Leijen, "Perceus: Garbage Free Reference Counting with Reuse", PLDI
2021); it is visible only for values with destructors, which need the classes that are not compiled yet.

Results are owned, all of them. Variables in cells (`analysis.reference_slots`) own their values by themselves.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode

__all__ = ["consumed", "moved_on_jump", "reads", "tied"]

_OP1_NOT_READ = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_REF,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_STATIC,
        Opcode.UNSET_CV,
        Opcode.FREE,
    }
)
"""What op1 held is overwritten or ends."""

_OP1_CONSUMED = frozenset(
    {
        Opcode.COPY,
        Opcode.QM_ASSIGN,
        Opcode.RETURN,
        Opcode.VERIFY_RETURN_TYPE,
        Opcode.SEND_VAL,
        Opcode.SEND_VAL_EX,
        Opcode.SEND_VAR,
        Opcode.SEND_VAR_EX,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
        Opcode.ROPE_ADD,
        Opcode.ROPE_END,
        Opcode.DROP,
    }
)
_OP2_CONSUMED = frozenset({Opcode.ASSIGN})
_ARGUMENTS_CONSUMED = frozenset({Opcode.DO_UCALL})
"""A user function owns its arguments; builtins and dynamic calls borrow theirs."""


def reads(instr: Instr) -> list[int]:
    """SSA names whose values ``instr`` looks at, each once, in operand order."""
    if instr.opcode not in _OP1_NOT_READ:
        return instr.uses()
    return [name for name in instr.uses() if name == instr.op2_use]


def _is_append(instr: Instr) -> bool:
    return instr.opcode == Opcode.ASSIGN_OP and instr.extended_value == Opcode.CONCAT


def consumed(instr: Instr) -> list[int]:
    """SSA names whose count ``instr`` takes, once for each count, in operand order; it takes them even when it throws."""
    names: list[int] = []
    if instr.opcode in _OP1_CONSUMED or _is_append(instr):
        names.append(instr.op1_use)
    if instr.opcode in _OP2_CONSUMED:
        names.append(instr.op2_use)
    if instr.opcode in _ARGUMENTS_CONSUMED:
        names += instr.args
    return [name for name in names if name >= 0]


def moved_on_jump(instr: Instr) -> tuple[int, int] | None:
    """``(op1, result)`` of JMP_SET and COALESCE: on the edge of the jump, and only there, the result exists and takes over
    op1's count; the instruction itself borrows op1."""
    if instr.opcode in (Opcode.JMP_SET, Opcode.COALESCE) and instr.result_def >= 0:
        return instr.op1_use, instr.result_def
    return None


def tied(instr: Instr) -> list[tuple[int, int]]:
    """Pairs (use, definition) of a read-modify-write: a value that the instruction changes in place when nobody else
    counts it, so that handing over a second count would copy it each turn."""
    if _is_append(instr):
        return [(instr.op1_use, instr.op1_def)]
    if instr.opcode in (Opcode.ROPE_ADD, Opcode.ROPE_END):
        return [(instr.op1_use, instr.result_def)]
    return []
