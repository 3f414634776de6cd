"""Joins an instruction with the OP_DATA that carries its third operand.

``$a[k] = v`` is two of Zend's instructions, ASSIGN_DIM and OP_DATA, because one has room for two operands. From here
on it is one, whose ``args`` names the value; so counting and out-of-SSA may put instructions before and after it
without coming between the two. A value that is no SSA name yet is read just before; a local variable is not, even if
it may be undefined: that is found after the container and the key have been looked at. Linear.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.operand_names import OperandNames, place_of_reads
from ssa2llvm.ssa.chains import link_chains

__all__ = ["join_op_data"]


def join_op_data(function: Function, facts: Facts, in_memory: Callable[[int], bool]) -> None:
    """Join all pairs of ``function`` in place; ``in_memory`` tells whether a slot's variable is not a value."""
    names = OperandNames(function, facts, in_memory)
    for block in function.blocks:
        if not any(instr.opcode == Opcode.OP_DATA for instr in block.instrs):
            continue
        joined: list[Instr] = []
        for instr in block.instrs:
            if instr.opcode != Opcode.OP_DATA:
                joined.append(instr)
                continue
            owner = joined.pop()
            if names.is_value(instr.op1, instr.op1_use) or _is_local(function, instr, in_memory):
                owner.args = [instr.op1_use]
            else:
                name, operand = names.new(names.types_read(instr.op1, instr.op1_use))
                read = Instr(Opcode.QM_ASSIGN, instr.op1, result=operand, line=instr.line, op1_use=instr.op1_use)
                read.result_def = name
                owner.args = [name]
                place_of_reads(function, block, joined).append(read)
            joined.append(owner)
        block.instrs = joined
    link_chains(function)


def _is_local(function: Function, data: Instr, in_memory: Callable[[int], bool]) -> bool:
    slot = data.op1.num
    return data.op1.is_cv and slot < len(function.op_array.cvs) and not in_memory(slot) and data.op1_use >= 0
