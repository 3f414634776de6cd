"""Which way a branch goes, given the value it looks at (Zend/Optimizer/sccp.c:sccp_mark_feasible_successors).

The answer is a position in the block's successors, whose order is the opcode's: for JMPZ and its kin target and
fallthrough, for tables their targets in order, the default, and for SWITCH_* the fallthrough.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt import evaluate
from ssa2llvm.opt.lattice import Constant, LatticeValue, PartialArray, array_part
from ssa2llvm.values.types import is_int


def decides(last: Instr) -> bool:
    """Whether the value of op1 may tell where the branch ``last`` goes."""
    return last.opcode in _CHOOSERS


def taken_successor(function: Function, last: Instr, subject: LatticeValue) -> int | None:
    """The only successor that ``last`` can take if its op1 is ``subject``, neither TOP nor BOTTOM; None if there may be
    several."""
    chooser = _CHOOSERS.get(last.opcode)
    return None if chooser is None else chooser(function, last, subject)


def _on_truth(jump_if: bool) -> Chooser:
    def choose(function: Function, last: Instr, subject: LatticeValue) -> int | None:
        truth = evaluate.truthiness(subject)
        return None if truth is None else (0 if truth is jump_if else 1)

    return choose


def _on_null(position: int) -> Chooser:
    def choose(function: Function, last: Instr, subject: LatticeValue) -> int | None:
        return position if isinstance(subject, Constant) and subject.value is None else 1 - position

    return choose


def _on_emptiness(function: Function, last: Instr, subject: LatticeValue) -> int | None:
    array = array_part(subject)
    if array is None or (isinstance(subject, PartialArray) and not array.has_entries):
        return None
    return 1 if array.has_entries else 0


def _on_table(function: Function, last: Instr, subject: LatticeValue) -> int | None:
    table = function.op_array.literal(last.op2)
    if not isinstance(table, JumpTable):
        return None
    default = len(table.entries)
    value = subject.value if isinstance(subject, Constant) else None
    right_type = (is_int(value) and last.opcode != Opcode.SWITCH_STRING) or (
        isinstance(value, bytes) and last.opcode != Opcode.SWITCH_LONG
    )
    if right_type:
        for position, (key, _) in enumerate(table.entries):
            if type(key) is type(value) and key == value:
                return position
        return default
    return default if last.opcode == Opcode.MATCH else default + 1


Chooser = Callable[[Function, Instr, LatticeValue], int | None]

_CHOOSERS: dict[Opcode, Chooser] = {
    Opcode.JMPZ: _on_truth(False),
    Opcode.JMPZ_EX: _on_truth(False),
    Opcode.JMPNZ: _on_truth(True),
    Opcode.JMPNZ_EX: _on_truth(True),
    Opcode.JMP_SET: _on_truth(True),
    Opcode.COALESCE: _on_null(1),
    Opcode.JMP_NULL: _on_null(0),
    Opcode.FE_RESET_R: _on_emptiness,
    Opcode.FE_RESET_RW: _on_emptiness,
    Opcode.SWITCH_LONG: _on_table,
    Opcode.SWITCH_STRING: _on_table,
    Opcode.MATCH: _on_table,
}
