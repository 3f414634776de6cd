"""Copy propagation within the tied-pair rule (Briggs, Cooper, Simpson: Value Numbering, SP&E 1997, treats the general
case; Zend has none of this, as its variables share slots to the end).

``$b = $a`` leaves a copy ``b1 = QM_ASSIGN a1``. Whoever reads b1 may read a1 instead, and once nobody reads b1 the
copy is dead. What stands in the way:

* *Tied pairs.* An instruction that reads and writes an operand in place (``$b .= "x"``) keeps its variable.
* *Counted values.* A string or array that lives on past the next definition of its variable would be shared there, and
  copied by the write. So a counted value is only propagated inside a block (and blocks that only ever follow it), as
  far as its variable is not defined anew, and only if the copy then disappears. Values that may run a destructor are
  left alone: their time of death is visible.
* *References.* A variable that lives in memory may have another value later; one that may be undefined warns where it
  is read. Pis keep their variable, because they say what a branch found out about it.

Blocks are visited in reverse postorder, so that chains of copies go in one sweep. Valid SSA in and out; facts stay
right. Linear in instructions and uses.
"""

from __future__ import annotations

from collections.abc import Container

from ssa2llvm.analysis.effects import DESTRUCTIBLE
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.cfg.graph import postorder
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_COUNTED, MAY_BE_INDIRECT, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.ssa.edit import operand_of, replace_operand

_COPIES = frozenset({Opcode.QM_ASSIGN, Opcode.COPY})
_FREES = frozenset({Opcode.FREE, Opcode.FE_FREE})
_NO_VALUE = MAY_BE_UNDEF | MAY_BE_REF | MAY_BE_INDIRECT


class _Propagation:
    def __init__(self, function: Function, facts: Facts, cells: Container[int]) -> None:
        self.function = function
        self.facts = facts
        self.cells = cells
        self.changes = 0

    def run(self) -> int:
        blocks = self.function.blocks
        for block_id in reversed(postorder([block.succs for block in blocks])):
            block = blocks[block_id]
            for instr in [instr for instr in block.instrs if instr.opcode in _COPIES]:
                self._visit(block, instr)
        return self.changes

    def _visit(self, block: Block, copy: Instr) -> None:
        source, target = copy.op1_use, copy.result_def
        if source < 0 or target < 0 or not self.function.is_variable(self._slot(source)):
            return
        if self._slot(source) in self.cells or self._slot(target) in self.cells:
            return
        mask = self.facts.types[source]
        if not mask & MAY_BE_ANY or mask & _NO_VALUE:
            return
        if not mask & MAY_BE_COUNTED or (not mask & DESTRUCTIBLE and self._is_short_lived(block, copy)):
            self._replace_everywhere(source, target)

    def _slot(self, name: int) -> int:
        return self.function.ssa_vars[name].slot

    def _is_short_lived(self, block: Block, copy: Instr) -> bool:
        """Whether all that reads the copy stands behind it in its block, or in those that only ever follow it, in
        places that can be replaced, before the source's variable is defined again."""
        var = self.function.ssa_vars[copy.result_def]
        if var.phi_uses or var.sym_uses or any(_is_tied(user, copy.result_def) for user in var.uses):
            return False
        waiting = set(var.uses)
        slot = self._slot(copy.op1_use)
        behind = block.instrs[block.instrs.index(copy) + 1 :]
        while waiting:
            for instr in behind:
                if waiting and any(self._slot(name) == slot for name in instr.defs()):
                    return False
                waiting.discard(instr)
            following = self._only_follower(block)
            if following is None:
                break
            block, behind = following, following.instrs
        return not waiting

    def _only_follower(self, block: Block) -> Block | None:
        following = self.function.blocks[block.succs[0]] if len(block.succs) == 1 else None
        alone = following is not None and following.id != 0 and following.preds == [block.id] and not following.phis
        return following if alone else None

    def _replace_everywhere(self, source: int, target: int) -> None:
        """Let what reads ``target`` read ``source``, but for tied pairs and pis."""
        ssa_vars = self.function.ssa_vars
        operand = operand_of(self.function, source)
        for user in list(ssa_vars[target].uses):
            if _is_tied(user, target):
                continue
            for which in ("op1", "op2"):
                if getattr(user, which + "_use") == target:
                    replace_operand(self.function, user, which, operand, source)
                    self.changes += 1
        for phi in list(ssa_vars[target].phi_uses):
            if not phi.is_pi:
                if source not in phi.sources:
                    ssa_vars[source].phi_uses.append(phi)
                phi.sources = [source if name == target else name for name in phi.sources]
                ssa_vars[target].phi_uses = [other for other in ssa_vars[target].phi_uses if other is not phi]
                self.changes += 1


def _is_tied(instr: Instr, name: int) -> bool:
    """Whether ``instr`` writes the operand through which it reads ``name``, reads it as an accumulating result, or
    ends its life."""
    return (
        instr.opcode in _FREES
        or (instr.op1_use == name and instr.op1_def >= 0)
        or (instr.op2_use == name and instr.op2_def >= 0)
        or instr.result_use == name
    )


def propagate_copies(function: Function, facts: Facts, cells: Container[int]) -> int:
    """Propagate copies in ``function``; return the number of reads replaced. ``cells`` are the slots of variables
    that live in memory. A second run changes nothing."""
    return _Propagation(function, facts, cells).run()
