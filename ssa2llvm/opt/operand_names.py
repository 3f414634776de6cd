"""Turns operands into SSA names, so that an instruction can list them in ``Instr.args``.

A name that holds a value is its own answer. What is not one yet gets an instruction that reads it now: a literal, a
variable that lives in memory (and may change before the instruction that wants it runs), a variable that may be
undefined (which warns where it is read).
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import literal_type
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, SsaVar
from ssa2llvm.ir.operands import Operand, OpKind, tmp
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_NULL, MAY_BE_UNDEF

__all__ = ["OperandNames", "place_of_reads"]


class OperandNames:
    """Names for operands of one function. ``in_memory`` tells whether a slot's variable is not a value."""

    def __init__(self, function: Function, facts: Facts, in_memory: Callable[[int], bool]) -> None:
        self._function = function
        self._facts = facts
        self.in_memory = in_memory

    def is_value(self, operand: Operand, use: int) -> bool:
        """Whether name ``use``, read through ``operand``, holds the value that reading it now would give."""
        if operand.is_const or use < 0 or self.in_memory(operand.num):
            return False
        return not (operand.kind == OpKind.CV and self._facts.types[use] & MAY_BE_UNDEF)

    def types_read(self, operand: Operand, use: int) -> int:
        """The types of what reading the operand gives: null for an undefined variable."""
        if operand.is_const:
            return literal_type(self._function.op_array.literal(operand))
        if use < 0 or self.in_memory(operand.num):
            return MAY_BE_ANY
        types = self._facts.types[use]
        return (types & ~MAY_BE_UNDEF) | MAY_BE_NULL if types & MAY_BE_UNDEF else types

    def new(self, types: int) -> tuple[int, Operand]:
        """A fresh temporary: its name and its operand."""
        self._function.extra_slots += 1
        slot = self._function.num_slots - 1
        self._function.ssa_vars.append(SsaVar(slot))
        name = self._facts.append(types)
        assert name == len(self._function.ssa_vars) - 1
        return name, tmp(slot)


def place_of_reads(function: Function, block: Block, before: list[Instr]) -> list[Instr]:
    """Where to put an instruction that reads an operand for the next one of ``block``, of which ``before`` have been
    seen: behind these, or, if the next is the one whose throw the edge of the block before stands for
    (``cfg.exceptions``), at the end of that block, so that nothing is defined between the edge and the throw."""
    if not before and len(block.preds) == 1:
        previous = function.blocks[block.preds[0]]
        if BlockFlags.THROW_EDGE in previous.flags and previous.succs[0] == block.id:
            return previous.instrs
    return before
