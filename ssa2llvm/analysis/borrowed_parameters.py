"""Parameters that a function only looks at: an array passed there has its one owner again when the call is over.

Judged by the instructions of the callee that name the parameter, whatever their order: reading elements, counting,
iterating, testing, printing. Anything else (a return, an assignment, a store, a write, a further call) may keep it.
Functions that reach their arguments without naming them keep all. One pass over a callee's instructions, once each.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.aliases import accesses_indirectly

__all__ = ["BorrowedParameters"]

_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT})
_LOOKS_AT_OP1 = frozenset(
    {
        Opcode.BOOL,
        Opcode.BOOL_NOT,
        Opcode.COUNT,
        Opcode.ECHO,
        Opcode.FE_RESET_R,
        Opcode.FETCH_DIM_IS,
        Opcode.FETCH_DIM_R,
        Opcode.FETCH_LIST_R,
        Opcode.IS_EQUAL,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_EQUAL,
        Opcode.IS_NOT_IDENTICAL,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
        Opcode.JMPNZ,
        Opcode.JMPNZ_EX,
        Opcode.JMPZ,
        Opcode.JMPZ_EX,
        Opcode.TYPE_CHECK,
        Opcode.UNSET_CV,
    }
)
_LOOKS_AT_OP2 = frozenset(
    {
        Opcode.ARRAY_KEY_EXISTS,
        Opcode.IS_EQUAL,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_EQUAL,
        Opcode.IS_NOT_IDENTICAL,
    }
)
_REACH_ARGUMENTS = frozenset({b"func_get_args", b"func_get_arg", b"debug_backtrace", b"debug_print_backtrace"})


class BorrowedParameters:
    """Answers for the functions of one script."""

    def __init__(self) -> None:
        self._lent: dict[int, frozenset[int]] = {}

    def __call__(self, callee: OpArray, number: int) -> bool:
        """Whether ``callee`` only looks at an array that it gets as argument ``number`` (from 1)."""
        if id(callee) not in self._lent:
            self._lent[id(callee)] = _only_looked_at(callee)
        return number in self._lent[id(callee)]


def _only_looked_at(callee: OpArray) -> frozenset[int]:
    if FnFlags.GENERATOR in callee.flags or accesses_indirectly(callee):
        return frozenset()
    slot_of: dict[int, int] = {}
    kept: set[int] = set()
    for op in callee.ops:
        if op.opcode == Opcode.FUNC_GET_ARGS or (
            op.op2.is_const and callee.literal(op.op2) in _REACH_ARGUMENTS and op.opcode.name.startswith("INIT_")
        ):
            return frozenset()
        if op.opcode in _RECEIVES:
            slot_of[op.op1.num] = op.result.num
        elif op.result.is_cv:
            kept.add(op.result.num)
        if op.op1.is_cv and op.opcode not in _LOOKS_AT_OP1:
            kept.add(op.op1.num)
        if op.op2.is_cv and op.opcode not in _LOOKS_AT_OP2:
            kept.add(op.op2.num)
    by_reference = {number for number, info in enumerate(callee.arg_info, 1) if info.by_ref}
    return frozenset(number for number, slot in slot_of.items() if slot not in kept and number not in by_reference)
