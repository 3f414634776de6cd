"""The instructions of a function as inference walks them: a flat list with what stands next to each.

OP_DATA carries the third operand of the instruction before it; the two act as one (zend_inference.c treats the pair
as neighbours: FOR_EACH_DEFINED_VAR). Some rules look at the next instruction to see what a fetched element is for.
Built once per function in O(instructions); every analysis of this room shares it.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Function, Instr, Phi
from ssa2llvm.ir.opcode import Opcode


class Site:
    """An instruction, its OP_DATA or the instruction it is OP_DATA of (``partner``), and its successor in the
    block."""

    __slots__ = ("block", "instr", "next", "partner")

    def __init__(self, instr: Instr, block: int) -> None:
        self.instr = instr
        self.block = block
        self.partner: Instr | None = None
        self.next: Instr | None = None

    @property
    def owner(self) -> Instr:
        """The instruction itself, or the one whose OP_DATA it is."""
        if self.instr.opcode == Opcode.OP_DATA and self.partner is not None:
            return self.partner
        return self.instr

    @property
    def data(self) -> Instr | None:
        """The OP_DATA of the instruction, if it has one."""
        return None if self.instr.opcode == Opcode.OP_DATA else self.partner

    def defs(self) -> list[int]:
        """Names defined by the instruction and its partner, the instruction's own first."""
        instr = self.instr
        names = [instr.op1_def, instr.op2_def, instr.result_def]
        if self.partner is not None:
            partner = self.partner
            names += [partner.op1_def, partner.op2_def, partner.result_def]
        return [name for name in names if name >= 0]


class Sites:
    """All sites of a function, by instruction."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._of: dict[Instr, Site] = {}
        self._dependents: list[tuple[int, ...] | None] = [None] * len(function.ssa_vars)
        for block in function.blocks:
            previous: Site | None = None
            for instr in block.instrs:
                site = Site(instr, block.id)
                self._of[instr] = site
                if previous is not None:
                    previous.next = instr
                    if instr.opcode == Opcode.OP_DATA:
                        previous.partner = instr
                        site.partner = previous.instr
                previous = site

    def __getitem__(self, instr: Instr) -> Site:
        return self._of[instr]

    def dependents(self, name: int) -> tuple[int, ...]:
        """Names whose facts depend on ``name``: defined by its uses, or by phis of it (FOR_EACH_VAR_USAGE)."""
        known = self._dependents[name]
        if known is None:
            var = self.function.ssa_vars[name]
            names: list[int] = []
            for use in var.uses:
                names += self._of[use].defs()
            names += [phi.result for phi in var.phi_uses]
            known = self._dependents[name] = tuple(names)
        return known

    def bounded_by(self, name: int) -> list[Phi]:
        """Pis whose range constraint names ``name``."""
        return self.function.ssa_vars[name].sym_uses
