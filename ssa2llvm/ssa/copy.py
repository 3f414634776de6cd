"""A second function that is the first in every respect but identity.

Specialisation (``opt.specialize``) needs copies that passes edit on their own. Names and block ids stay what they are,
so facts by name hold for the copy too; instructions, phis, pis, variables and the table of literals are new. O(size).
"""

from __future__ import annotations

from dataclasses import replace

from ssa2llvm.ir.function import Block, Function, Phi
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ssa.chains import link_chains


def copy_function(function: Function, variant: str) -> Function:
    """A copy of ``function`` whose op array is a copy too, with the given ``variant``; valid SSA form if the original
    is."""
    op_array = copy_op_array(function.op_array, variant)
    copy = replace(
        function,
        op_array=op_array,
        blocks=[_copied_block(block) for block in function.blocks],
        ssa_vars=[replace(var) for var in function.ssa_vars],
        try_blocks=list(function.try_blocks),
    )
    link_chains(copy)
    return copy


def copy_op_array(op_array: OpArray, variant: str) -> OpArray:
    """The op array under another symbol, with literals of its own (passes append to them)."""
    return replace(op_array, literals=list(op_array.literals), variant=variant)


def _copied_block(block: Block) -> Block:
    return replace(
        block,
        instrs=[replace(instr, args=list(instr.args), unwind=list(instr.unwind)) for instr in block.instrs],
        phis=[_copied_phi(phi) for phi in block.phis],
        succs=list(block.succs),
        preds=list(block.preds),
        children=list(block.children),
    )


def _copied_phi(phi: Phi) -> Phi:
    constraint = phi.constraint
    return replace(phi, sources=list(phi.sources), constraint=replace(constraint) if constraint is not None else None)
