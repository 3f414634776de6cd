"""Sparse conditional data flow: the engine under constant propagation (``sccp``) and type propagation (``sctp``)
(Wegman and Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 1991; Zend/Optimizer/scdf.c).

Problem: find, for every SSA name, a lattice value, while finding out which blocks can be reached at all; each helps
the other. A *client* evaluates instructions and phis and says which successors of a branch are possible; the engine
decides what to look at next and never looks at a block before an edge into it has become feasible.

Three worklists, as in Zend and in its priority: names defined by phis, then instructions, then blocks; each is
emptied lowest number first. The order only matters to a trace and to Zend's dumps, not to the fixpoint, because
clients may only lower values.

Invariants: a client calls ``lowered`` for every name whose value it lowered; values are lowered finitely often. Then
the run takes time linear in the number of def-use edges times the height of the lattice (times a logarithm for the
queues).

Difference from Zend: blocks that end in an instruction which can throw inside a try region have the handler as
another successor (sound configuration); such edges are always feasible.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol

from ssa2llvm.ir.function import Block, Function, Instr, Phi
from ssa2llvm.ir.opcode import Opcode


class Client(Protocol):
    """What an analysis brings to the engine."""

    @abstractmethod
    def visit_instr(self, instr: Instr) -> None:
        """Recompute the values of the names that ``instr`` (never an OP_DATA) defines."""

    @abstractmethod
    def visit_phi(self, phi: Phi) -> None:
        """Recompute the value of ``phi.result``, looking only at sources whose edge ``is_feasible``."""

    @abstractmethod
    def feasible_successors(self, block: Block, last: Instr) -> list[int]:
        """Positions in ``block.succs`` that control may take from the block's last instruction; called for blocks
        with several successors. Once returned, a position stays feasible."""


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One lowering by a client that keeps a trace: which worklist item caused it, the name, the old and the new value
    as text."""

    cause: str
    name: int
    old: str
    new: str


class _Queue:
    """A set of ints from which the lowest is taken."""

    def __init__(self, size: int) -> None:
        self._heap: list[int] = []
        self._member = bytearray(size)

    def add(self, item: int) -> None:
        if not self._member[item]:
            self._member[item] = 1
            heapq.heappush(self._heap, item)

    def discard(self, item: int) -> None:
        self._member[item] = 0

    def pop(self) -> int:
        """The lowest member, or -1."""
        while self._heap:
            item = heapq.heappop(self._heap)
            if self._member[item]:
                self._member[item] = 0
                return item
        return -1

    def __bool__(self) -> bool:
        while self._heap and not self._member[self._heap[0]]:
            heapq.heappop(self._heap)
        return bool(self._heap)


class Scdf:
    """One run over one function. After ``solve``, ``executable`` and ``is_feasible`` say what can be reached."""

    def __init__(self, function: Function, client: Client) -> None:
        self.function = function
        self._client = client
        self._instrs: list[Instr] = []
        self._block_of: list[int] = []
        self._number: dict[Instr, int] = {}
        self._owner: dict[Instr, Instr] = {}
        for block in function.blocks:
            previous: Instr | None = None
            for instr in block.instrs:
                self._number[instr] = len(self._instrs)
                self._instrs.append(instr)
                self._block_of.append(block.id)
                if instr.opcode == Opcode.OP_DATA and previous is not None:
                    self._owner[instr] = previous
                previous = instr
        self.executable = [False] * len(function.blocks)
        self._feasible: set[tuple[int, int]] = set()
        self._blocks = _Queue(len(function.blocks))
        self._instr_queue = _Queue(len(self._instrs))
        self._phi_queue = _Queue(len(function.ssa_vars))

    def is_feasible(self, source: int, target: int) -> bool:
        """Whether control may go from block ``source`` to block ``target``."""
        return (source, target) in self._feasible

    def lowered(self, name: int) -> None:
        """Note that the value of ``name`` changed: its users are looked at again."""
        var = self.function.ssa_vars[name]
        for instr in var.uses:
            self._instr_queue.add(self._number[instr])
        for phi in var.phi_uses:
            self._phi_queue.add(phi.result)

    def revisit(self, instr: Instr) -> None:
        """Look at ``instr`` again although none of its own operands changed (a call whose arguments did)."""
        self._instr_queue.add(self._number[instr])

    def solve(self) -> None:
        """Run to the fixpoint, from the entry block."""
        if not self.function.blocks:
            return
        self.executable[0] = True
        self._blocks.add(0)
        while self._phi_queue or self._instr_queue or self._blocks:
            while (name := self._phi_queue.pop()) >= 0:
                phi = self.function.ssa_vars[name].definition_phi
                if phi is not None and self.executable[phi.block]:
                    self._client.visit_phi(phi)
            while (number := self._instr_queue.pop()) >= 0:
                self._visit_queued(number)
            while (block := self._blocks.pop()) >= 0:
                self._visit_block(self.function.blocks[block])

    def _visit_queued(self, number: int) -> None:
        block = self.function.blocks[self._block_of[number]]
        if not self.executable[block.id]:
            return
        instr = self._instrs[number]
        self._client.visit_instr(self._owner.get(instr, instr))
        if instr is block.instrs[-1]:
            self._leave(block)

    def _visit_block(self, block: Block) -> None:
        self.executable[block.id] = True
        for phi in block.phis:
            self._phi_queue.discard(phi.result)
            self._client.visit_phi(phi)
        for instr in block.instrs:
            self._instr_queue.discard(self._number[instr])
            if instr.opcode != Opcode.OP_DATA:
                self._client.visit_instr(instr)
        self._leave(block)

    def _leave(self, block: Block) -> None:
        if len(block.succs) <= 1 or not block.instrs:
            positions = list(range(len(block.succs)))
        else:
            last = block.instrs[-1]
            positions = self._client.feasible_successors(block, self._owner.get(last, last))
        for position in positions:
            self._mark(block.id, block.succs[position])

    def _mark(self, source: int, target: int) -> None:
        if (source, target) in self._feasible:
            return
        self._feasible.add((source, target))
        if not self.executable[target]:
            self._blocks.add(target)
            return
        for phi in self.function.blocks[target].phis:
            self._phi_queue.discard(phi.result)
            self._client.visit_phi(phi)
