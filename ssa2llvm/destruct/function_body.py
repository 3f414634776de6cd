"""A PHP function in SSA form, seen as a `Body`: what out-of-SSA needs of it and nothing else.

* Value ids are SSA names.  Names without representation (a variable that lives in a reference cell) are no values:
  they are read and written in memory, where phis mean nothing.
* A CV that is read before any definition holds "undefined" at the entry: its name arrives at block 0.
* Control leaves a THROW_EDGE block for the handler when the first instruction of the other successor throws
  (`cfg.exceptions`). No copy can come before that instruction, or the handler would see it: copies on that edge are
  done before it, at the end of the THROW_EDGE block.
* Pis are copies on their edge, whatever else they say; one that changes no representation is its source under another
  name, and both are one value here (`same_values`).  Phis and pis that no instruction needs, directly or through
  others, are left out: Zend's SSA is not pruned of those that feed each other only.
* An instruction that ends a block is its terminator. Some define their result on one edge only (COALESCE and JMP_SET
  where they jump, FE_FETCH where it goes on: `own.operands.edge_definitions`); it arrives there, so that it can take
  the place of what is needed on the other edge only, such as the old value of foreach's variable.

Linear in the size of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from ssa2llvm.destruct.body import Body, BodyBlock, BodyPhi, ParallelCopy, Step
from ssa2llvm.destruct.critical_edges import SplitEdge, split_edge
from ssa2llvm.destruct.parallel_copy import Copy
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, Phi
from ssa2llvm.own.operands import edge_definitions
from ssa2llvm.ssa.verifier import transfers_control

Reads = Callable[[Instr], Sequence[int]]
"""The names whose values an instruction looks at."""


def same_values(function: Function, representations: Sequence[Hashable | None]) -> list[int]:
    """For each name the name whose value it is: itself, but for pis that only rename. Linear."""
    same = list(range(len(function.ssa_vars)))
    settled = [False] * len(same)
    for name in range(len(same)):
        path = []
        while not settled[name]:
            path.append(name)
            settled[name] = True
            pi = function.ssa_vars[name].definition_phi
            if pi is None or not pi.is_pi or representations[name] is None:
                break
            if representations[pi.sources[0]] != representations[name]:
                break
            name = pi.sources[0]
        for renamed in path:
            same[renamed] = same[name]
    return same


def body_of(
    function: Function, representations: Sequence[Hashable | None], reads: Reads, same: Sequence[int]
) -> tuple[Body, list[SplitEdge]]:
    """Return the body of `function`, whose value ids are its SSA names (of each class in `same` only its first), and
    the edges split for what arrives on them.

    `representations[name]` is None for names that are no values.  Raises ValueError if control can return to the
    entry block, or if a value is merged with one that lives in memory.
    """
    if function.blocks[0].preds:
        raise ValueError("the entry block is the target of a jump; it needs a block before it")
    needed = _needed_names(function, reads)
    is_value = [needed[name] and representations[name] is not None for name in range(len(function.ssa_vars))]

    for name, root in enumerate(same):
        is_value[root] = is_value[root] or is_value[name]

    def values(names: Iterable[int]) -> list[int]:
        return [same[name] for name in names if representations[name] is not None]

    body = Body([BodyBlock() for _ in function.blocks], list(representations))
    reachable = [block for block in function.blocks if block.reachable]
    for block in reachable:
        content = body.blocks[block.id]
        content.preds = list(block.preds)
        content.succs = list(dict.fromkeys(block.succs))
        content.steps = [Step(values(reads(instr)), values(instr.defs()), instr) for instr in block.instrs]
        if block.instrs and transfers_control(block.instrs[-1]):
            last = content.steps.pop()
            assert isinstance(last, Step)
            content.terminator = last
    for block in reachable:
        for phi in block.phis:
            if is_value[phi.result] and same[phi.result] == phi.result:
                _add_phi(body, function, block, phi, representations, same)
    body.blocks[0].arrivals = [
        name
        for name, var in enumerate(function.ssa_vars)
        if is_value[name] and var.definition is None and var.definition_phi is None
    ]
    return body, _move_edge_definitions(body)


def _move_edge_definitions(body: Body) -> list[SplitEdge]:
    """Let what a terminator defines on one of its edges arrive there; return the edges split for that."""
    split: list[SplitEdge] = []
    for source in range(len(body.blocks)):
        terminator = body.blocks[source].terminator
        if terminator is None or not terminator.defs:
            continue
        assert isinstance(terminator.tag, Instr)
        edge = edge_definitions(terminator.tag)
        succs = body.blocks[source].succs
        if edge is None or len(succs) < 2:
            continue
        target = succs[edge[0]]
        if len(body.blocks[target].preds) > 1:
            block = split_edge(body, source, target)
            split.append(SplitEdge(source, target, block))
            target = block
        body.blocks[target].arrivals += terminator.defs
        terminator.defs = []
    return split


def _add_phi(
    body: Body,
    function: Function,
    block: Block,
    phi: Phi,
    representations: Sequence[Hashable | None],
    same: Sequence[int],
) -> None:
    for source in phi.sources:
        if source < 0 or representations[source] is None:
            raise ValueError(f"phi of #{phi.result} in block {block.id} reads #{source}, which is not a value")
    sources = [same[source] for source in phi.sources]
    content = body.blocks[block.id]
    before = function.blocks[block.preds[0]]
    if len(block.preds) == 1 and BlockFlags.THROW_EDGE in before.flags and before.succs[0] == block.id:
        body.blocks[before.id].steps.append(ParallelCopy([Copy(phi.result, sources[0])]))
    elif phi.is_pi:
        content.edge_copies.setdefault(phi.pi, []).append(Copy(phi.result, sources[0]))
    else:
        content.phis.append(BodyPhi(phi.result, list(sources), phi))


def _needed_names(function: Function, reads: Reads) -> list[bool]:
    """For each name whether an instruction reads it, or a phi or pi whose result is needed."""
    needed = [False] * len(function.ssa_vars)
    definition: dict[int, Phi] = {phi.result: phi for block in function.blocks for phi in block.phis}
    work: list[int] = []

    def need(name: int) -> None:
        if name >= 0 and not needed[name]:
            needed[name] = True
            work.append(name)

    for instr in function.instructions():
        for name in reads(instr):
            need(name)
    while work:
        phi = definition.get(work.pop())
        if phi is not None:
            for source in phi.sources:
                need(source)
    return needed
