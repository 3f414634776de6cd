"""Who must stay alive while an element is being written.

FETCH_DIM_W and its kin give the address of an element (a *slot*), which the next instruction writes through. The
array it lies in must not be dropped before that, even if nobody reads it afterwards: the instruction that uses the
slot reads its container as well, and so does one that uses a slot within that slot (``$a[1][2][] = 3``).
"""

from __future__ import annotations

from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode

__all__ = ["containers_of_slots"]

_FETCHES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET})


def containers_of_slots(function: Function) -> dict[Instr, list[int]]:
    """For each instruction that uses a slot, the names of the arrays around it. Blocks are walked in order, in which
    a fetch stands before the uses of its slot. Linear in the function and the nesting of slots."""
    around: dict[int, list[int]] = {}
    result: dict[Instr, list[int]] = {}
    for block in function.blocks:
        for instr in block.instrs:
            inner = around.get(instr.op1_use) or around.get(instr.op2_use)
            if inner:
                result[instr] = inner
            if instr.opcode in _FETCHES and instr.result_def >= 0:
                own = [instr.op1_def] if instr.op1_def >= 0 else []
                around[instr.result_def] = [*(inner or ()), *own]
    return result
