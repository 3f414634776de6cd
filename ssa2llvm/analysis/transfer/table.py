"""The whole table of transfer functions: importing the families fills it."""

from __future__ import annotations

from ssa2llvm.analysis.transfer import arithmetic, calls, copies, dims, loops, objects, refs, values
from ssa2llvm.analysis.transfer.core import TRANSFER, Defs, Operands, unknown

FAMILIES = (arithmetic, calls, copies, dims, loops, objects, refs, values)


def defs_of(operands: Operands) -> Defs:
    """What the instruction in ``operands`` defines."""
    return TRANSFER.get(operands.instr.opcode, unknown)(operands)
