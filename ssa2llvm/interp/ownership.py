"""Reference counts of the owned form, kept and checked while it runs.

In the owned form (``own``) each name that ``owns`` something holds counts: one from its definition, one more by each
DUP; a consuming operand or a DROP takes one. The ledger does the same sums on the side, and refuses an instruction
that reads a name without a count, a definition over one that still has some, and a return that leaves any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ssa2llvm.interp.places import InterpreterBug
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.own.liveness import Liveness, owned_liveness
from ssa2llvm.own.operands import consumed, edge_definitions, moved_on_edge, reads

if TYPE_CHECKING:
    from ssa2llvm.interp.code import Edge, Step
    from ssa2llvm.interp.frame import Frame

Owns = Callable[[int], bool]


@dataclass(frozen=True, slots=True)
class Owning:
    """What is counted in one function: of which names, and what edges do."""

    owns: Owns
    liveness: Liveness

    @classmethod
    def of(cls, function: Function, owns: Owns) -> Owning:
        """The facts for a function in owned form."""
        return cls(owns, owned_liveness(function, owns))


class Ledger:
    """Counts of the names of every frame."""

    def __init__(self, functions: dict[int, Owning]) -> None:
        """``functions`` by ``id`` of their op arrays."""
        self._functions = functions
        self._counts: dict[int, dict[int, int]] = {}
        self._sharing: set[tuple[int, int]] = set()
        """(frame, name) of results that have no count of their own yet."""

    def _counts_of(self, frame: Frame) -> dict[int, int]:
        return self._counts.setdefault(id(frame), {})

    def _owning(self, frame: Frame) -> Owning:
        return self._functions[id(frame.code.op_array)]

    def before(self, frame: Frame, step: Step) -> None:
        """An instruction is about to run: what it reads must be owned; what it consumes is taken."""
        instr = step.op
        if not isinstance(instr, Instr) or instr.opcode in (Opcode.DUP, Opcode.DROP):
            return
        counts = self._counts_of(frame)
        owns = self._owning(frame).owns
        for name in reads(instr):
            if owns(name) and counts.get(name, 0) < 1:
                raise InterpreterBug(f"{frame.where()}: {instr.opcode.name} reads #{name}, which owns nothing")
        for name in consumed(instr):
            if owns(name):
                self._take(frame, counts, name)

    def after(self, frame: Frame, step: Step) -> None:
        """An instruction has run: its definitions own one count each."""
        instr = step.op
        if not isinstance(instr, Instr):
            return
        counts = self._counts_of(frame)
        owns = self._owning(frame).owns
        if edge_definitions(instr) is not None:
            return  # only the edge has them
        for name in instr.defs():
            if owns(name):
                self._give(frame, counts, name)

    def count(self, frame: Frame, step: Step) -> None:
        """DUP or DROP."""
        instr = step.op
        assert isinstance(instr, Instr)
        counts = self._counts_of(frame)
        name = instr.op1_use
        if instr.opcode == Opcode.DUP and (id(frame), name) in self._sharing:
            self._sharing.remove((id(frame), name))
            counts[name] = counts.get(name, 0)
        elif counts.get(name, 0) < 1:
            raise InterpreterBug(f"{frame.where()}: {instr.opcode.name} of #{name}, which owns nothing")
        counts[name] += 1 if instr.opcode == Opcode.DUP else -1

    def along(self, frame: Frame, edge: Edge) -> None:
        """What an edge consumes and defines: results that exist on it only (``?:``, ``??``, foreach), then pis and
        phis.
        """
        counts = self._counts_of(frame)
        owning = self._owning(frame)
        owns, liveness = owning.owns, owning.liveness
        instr = frame.step.op
        only_here = edge_definitions(instr) if isinstance(instr, Instr) else None
        if isinstance(instr, Instr) and only_here is not None and edge is frame.step.edges[only_here[0]]:
            self._define_on_edge(frame, counts, edge, only_here[1], moved_on_edge(instr))
        for name in liveness.edge_reads.get((edge.origin, edge.block), []):
            self._take(frame, counts, name)
        for phi in liveness.needed[edge.block]:
            if owns(phi.result) and (not phi.is_pi or phi.pi == edge.origin):
                self._give(frame, counts, phi.result)

    def _define_on_edge(self, frame: Frame, counts: dict[int, int], edge: Edge, names: list[int], moved: int) -> None:
        """Results that exist on one edge only. That of ``?:`` and ``??`` takes over the count of its operand, or
        shares it (until a DUP on the edge) if the operand lives on."""
        owning = self._owning(frame)
        alive = owning.liveness.live_on(edge.origin, edge.block)
        for name in names:
            if not owning.owns(name) or (moved >= 0 and name not in alive):
                continue
            if moved >= 0 and owning.owns(moved) and moved in alive:
                self._sharing.add((id(frame), name))
                continue
            if moved >= 0 and owning.owns(moved):
                self._take(frame, counts, moved)
            self._give(frame, counts, name)

    def unwound(self, frame: Frame, step: Step) -> None:
        """An instruction threw: its ``unwind`` names are dropped."""
        if isinstance(step.op, Instr):
            counts = self._counts_of(frame)
            for name in step.op.unwind:
                self._take(frame, counts, name)

    def left(self, frame: Frame) -> None:
        """A frame returned or was unwound: nothing may be owned any more."""
        counts = self._counts.pop(id(frame), {})
        kept = [name for name, count in counts.items() if count]
        if kept:
            names = ", ".join(f"#{name}" for name in sorted(kept))
            raise InterpreterBug(f"{frame.where()}: {names} still own something at the end")

    def _take(self, frame: Frame, counts: dict[int, int], name: int) -> None:
        if counts.get(name, 0) < 1:
            raise InterpreterBug(f"{frame.where()}: {frame.step.opcode.name} consumes #{name}, which owns nothing")
        counts[name] -= 1

    def _give(self, frame: Frame, counts: dict[int, int], name: int) -> None:
        if counts.get(name, 0):
            raise InterpreterBug(
                f"{frame.where()}: {frame.step.opcode.name} defines #{name}, which still owns something"
            )
        counts[name] = 1
