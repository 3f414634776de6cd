"""Which operands an instruction looks at, and which of them it takes.

Problem: counting needs to know of every operand whether the instruction *reads* its value at all, and if so whether
it *borrows* it (the name owns it as before) or *consumes* it (the count goes with the value: into another name, a
callee, the caller, a string that grows in place).

Zend counts an ASSIGN's old value among its uses, because the instruction frees it (zend_ssa.c). Here every value is
dropped after its last reader instead, so that what is overwritten is not read, and neither is the operand of FREE.
This is Perceus' order of things (Reinking, Xie, de Moura, Leijen, "Perceus: Garbage Free Reference Counting with
Reuse", PLDI 2021); it is visible only for values with destructors, which need the classes that are not compiled yet.

Results are owned, all of them. Variables in cells (`analysis.reference_slots`) own their values by themselves.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode

__all__ = ["consumed", "edge_definitions", "moved_on_edge", "reads", "tied"]

_OP1_NOT_READ = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_REF,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_STATIC,
        Opcode.UNSET_CV,
        Opcode.FREE,
        Opcode.FE_FREE,
    }
)
"""What op1 held is overwritten or ends."""

_OP2_NOT_READ = frozenset({Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW})
"""What op2 held is overwritten."""

_OP1_CONSUMED = frozenset(
    {
        Opcode.COPY,
        Opcode.QM_ASSIGN,
        Opcode.COPY_TMP,
        Opcode.RETURN,
        Opcode.RETURN_BY_REF,
        Opcode.VERIFY_RETURN_TYPE,
        Opcode.SEND_VAL,
        Opcode.SEND_VAL_EX,
        Opcode.SEND_VAR,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
        Opcode.ROPE_ADD,
        Opcode.ROPE_END,
        Opcode.DROP,
        Opcode.THROW,
        Opcode.INIT_ARRAY,
        Opcode.ADD_ARRAY_ELEMENT,
        Opcode.FE_RESET_R,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
        Opcode.FETCH_DIM_W,
        Opcode.FETCH_DIM_RW,
        Opcode.FETCH_DIM_UNSET,
        Opcode.UNSET_DIM,
    }
)
_OP2_CONSUMED = frozenset({Opcode.ASSIGN})
_RESULT_CONSUMED = frozenset({Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK})
"""The array under construction goes from one instruction to the next."""

_ARGUMENTS_CONSUMED = frozenset({Opcode.DO_UCALL, Opcode.ASSIGN_DIM})
"""A user function owns its arguments, an array its elements; builtins and dynamic calls borrow theirs."""

_WRITES_ELEMENT = frozenset(
    {
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
        Opcode.FETCH_DIM_W,
        Opcode.FETCH_DIM_RW,
        Opcode.FETCH_DIM_UNSET,
        Opcode.UNSET_DIM,
    }
)


def reads(instr: Instr) -> list[int]:
    """SSA names whose values ``instr`` looks at, each once, in operand order."""
    if instr.opcode not in _OP1_NOT_READ and instr.opcode not in _OP2_NOT_READ:
        return instr.uses()
    ignored = instr.op1_use if instr.opcode in _OP1_NOT_READ else instr.op2_use
    kept = instr.op2_use if instr.opcode in _OP1_NOT_READ else instr.op1_use
    return [name for name in instr.uses() if name != ignored or name == kept]


def _is_append(instr: Instr) -> bool:
    return instr.opcode == Opcode.ASSIGN_OP and instr.extended_value == Opcode.CONCAT


def consumed(instr: Instr) -> list[int]:
    """SSA names whose count ``instr`` takes, once for each count, in operand order; it takes them even when it
    throws."""
    names: list[int] = []
    if instr.opcode in _OP1_CONSUMED or _is_append(instr):
        names.append(instr.op1_use)
    if instr.opcode in _OP2_CONSUMED:
        names.append(instr.op2_use)
    if instr.opcode in _RESULT_CONSUMED:
        names.append(instr.result_use)
    if instr.opcode in _ARGUMENTS_CONSUMED:
        names += instr.args
    return [name for name in names if name >= 0]


def edge_definitions(instr: Instr) -> tuple[int, list[int]] | None:
    """The number of the successor on whose edge alone the results of a terminator exist, and these results; None for
    other instructions. JMP_SET and COALESCE define theirs where they jump, FE_FETCH its element where it goes on."""
    if instr.opcode in (Opcode.JMP_SET, Opcode.COALESCE):
        return 0, instr.defs()
    if instr.opcode in (Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW):
        return 1, instr.defs()
    return None


def moved_on_edge(instr: Instr) -> int:
    """The name whose count the result of JMP_SET or COALESCE takes over on that edge (the instruction itself borrows
    it); -1 for other instructions."""
    return instr.op1_use if instr.opcode in (Opcode.JMP_SET, Opcode.COALESCE) else -1


def tied(instr: Instr) -> list[tuple[int, int]]:
    """Pairs (use, definition) of a read-modify-write: a value that the instruction changes in place when nobody else
    counts it, so that handing over a second count would copy it each turn."""
    if _is_append(instr) or (instr.opcode in _WRITES_ELEMENT and instr.op1_def >= 0):
        return [(instr.op1_use, instr.op1_def)]
    if instr.opcode in (Opcode.ROPE_ADD, Opcode.ROPE_END):
        return [(instr.op1_use, instr.result_def)]
    if instr.opcode in _RESULT_CONSUMED:
        return [(instr.result_use, instr.result_def)]
    return []
