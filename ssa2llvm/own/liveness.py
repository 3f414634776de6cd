"""Liveness of the names that own something, on pruned SSA form.

Method: from each read upwards to the definition, block by block (Boissinot, Brandner, Darte, Dupont de Dinechin,
Rastello, "Computing Liveness Sets for SSA-Form Programs", 2011, algorithm 4). It costs what its result is long, so
that a function of 100,000 opcodes whose strings live briefly is cheap; bit vectors over all names would not be.

A phi reads its arguments on the edges, a pi its source on its one edge; neither does if nothing needs its result (as
in ``destruct.function_body``: Zend's SSA form is not pruned of such). Pis happen before phis: a phi that names a pi
of the same edge reads, for counting, what the pi reads, and a pi that feeds only such phis counts for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ssa2llvm.ir.function import Block, Function, Instr, Phi
from ssa2llvm.own.operands import reads

__all__ = ["Liveness", "owned_liveness"]


@dataclass(slots=True)
class Liveness:
    """``live_in[b]`` are the names alive at the head of block b, behind its phis and pis (whose results it leaves
    out); ``edge_reads[p, s]`` what the needed phis and pis of s read on the edge from p, once for each; ``needed[b]``
    those of block b."""

    live_in: list[set[int]]
    edge_reads: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    needed: list[list[Phi]] = field(default_factory=list)

    def live_on(self, source: int, target: int) -> set[int]:
        """What is alive on an edge."""
        return self.live_in[target].union(self.edge_reads.get((source, target), ()))


def _reads_on_edges(block: Block, phi: Phi, pis: dict[int, Phi]) -> Iterator[tuple[int, int]]:
    """``(predecessor, name)`` of what a phi or pi of ``block`` reads, looking through the pis of the same edge."""
    pairs = [(phi.pi, phi.sources[0])] if phi.is_pi else zip(block.preds, phi.sources, strict=True)
    for pred, name in pairs:
        while name in pis and pis[name].pi == pred and pis[name].block == block.id:
            name = pis[name].sources[0]
        if name >= 0:
            yield pred, name


def _needed(
    function: Function, reads_of: Callable[[Instr], list[int]], definition: dict[int, Phi], pis: dict[int, Phi]
) -> set[int]:
    """Results of phis and pis that some instruction needs, directly or through others."""
    needed: set[int] = set()
    reachable = [block for block in function.blocks if block.reachable]
    work = [name for block in reachable for instr in block.instrs for name in reads_of(instr)]
    while work:
        name = work.pop()
        phi = definition.get(name)
        if phi is not None and name not in needed:
            needed.add(name)
            work += [source for _, source in _reads_on_edges(function.blocks[phi.block], phi, pis)]
    return needed


def owned_liveness(
    function: Function, owns: Callable[[int], bool], reads_of: Callable[[Instr], list[int]] = reads
) -> Liveness:
    """Liveness of the names for which ``owns`` holds. Linear in the function plus the lengths of their live
    ranges."""
    blocks = function.blocks
    definition = {phi.result: phi for block in blocks for phi in block.phis}
    pis = {name: phi for name, phi in definition.items() if phi.is_pi}
    needed = _needed(function, reads_of, definition, pis)
    result = Liveness([set() for _ in blocks], {}, [[phi for phi in b.phis if phi.result in needed] for b in blocks])
    home = {name: phi.block for name, phi in definition.items()}
    for block in blocks:
        for instr in block.instrs:
            for name in instr.defs():
                home[name] = block.id

    def enter(name: int, block: int) -> None:
        """``name`` is read in ``block`` (or behind it) without being defined in it before."""
        work = [block]
        while work:
            here = work.pop()
            if name in result.live_in[here]:
                continue
            result.live_in[here].add(name)
            work += [pred for pred in blocks[here].preds if home.get(name) != pred]

    for block in blocks:
        if not block.reachable:
            continue
        defined = {phi.result for phi in block.phis}
        for instr in block.instrs:
            for name in reads_of(instr):
                if owns(name) and name not in defined:
                    enter(name, block.id)
            defined.update(instr.defs())
        for phi in result.needed[block.id]:
            for pred, name in _reads_on_edges(block, phi, pis):
                if owns(name):
                    result.edge_reads.setdefault((pred, block.id), []).append(name)
                    if home.get(name) != pred:
                        enter(name, pred)
    return result
