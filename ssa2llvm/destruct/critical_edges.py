"""Give every copy a place: split the edges on which neither end can hold it.

Problem
    A phi's copies happen *on an edge*.  They can be done at the end of the predecessor if that has no other
    successor, or at the head of the block if that has no other predecessor.  An edge with neither (a critical edge)
    needs a block of its own; put into the predecessor, the copy would also be done on the way to elsewhere: the lost
    copy problem (Briggs, Cooper, Harvey, Simpson, "Practical Improvements to the Construction and Destruction of
    Static Single Assignment Form", 1998).

    One edge more needs it: when the terminator itself defines what the phi reads (JMP_SET, COALESCE, LLVM's
    invoke), the end of the predecessor is too early.

Splitting replaces the predecessor *in place* in the list of the target's predecessors, so phi arguments stay aligned.
Equal edges of a switch are one edge of a `Body`, and get one block.  Only edges that carry copies are split: Zend
and LLVM both like to keep their fallthroughs.

When all is done, a split edge on which no copy was left is joined again (`join_empty_splits`).

Linear in the number of edges.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.destruct.body import Body, BodyBlock


@dataclass(frozen=True, slots=True)
class SplitEdge:
    """`block` now stands on the edge that led from `source` to `target`."""

    source: int
    target: int
    block: int


def needs_own_block(body: Body, source: int, target: int) -> bool:
    """Whether copies on this edge can stand neither at the end of `source` nor at the head of `target`."""
    if len(body.blocks[target].preds) == 1:
        return False
    before = body.blocks[source]
    return len(before.succs) > 1 or (before.terminator is not None and bool(before.terminator.defs))


def split_edge(body: Body, source: int, target: int) -> int:
    """Put a new empty block on the edge (on all equal edges) and return its number."""
    block = len(body.blocks)
    body.blocks.append(BodyBlock(succs=[target], preds=[source]))
    succs = body.blocks[source].succs
    succs[succs.index(target)] = block
    entered = body.blocks[target]
    entered.preds[entered.preds.index(source)] = block
    if source in entered.edge_copies:
        entered.edge_copies[block] = entered.edge_copies.pop(source)
    return block


def split_critical_edges(body: Body) -> list[SplitEdge]:
    """Split the edges that will carry copies and cannot hold them otherwise.  Returns them in order of creation.

    Afterwards every block with phis or edge copies either has one predecessor, or only predecessors that lead
    nowhere else and whose terminators define nothing.
    """
    split: list[SplitEdge] = []
    for target in range(len(body.blocks)):
        entered = body.blocks[target]
        for source in list(entered.preds):
            carries = entered.phis or entered.edge_copies.get(source)
            if carries and needs_own_block(body, source, target):
                split.append(SplitEdge(source, target, split_edge(body, source, target)))
    return split


def join_empty_splits(body: Body, split: list[SplitEdge]) -> list[SplitEdge]:
    """Remove the blocks of `split` in which nothing happens, and renumber those behind them.  Returns what is left."""
    kept: list[SplitEdge] = []
    removed: set[int] = set()
    for edge in split:
        block = body.blocks[edge.block]
        if block.steps:
            kept.append(edge)
            continue
        removed.add(edge.block)
        succs, preds = body.blocks[edge.source].succs, body.blocks[edge.target].preds
        succs[succs.index(edge.block)] = edge.target
        preds[preds.index(edge.block)] = edge.source
    if not removed:
        return kept
    number: dict[int, int] = {}
    for block_number in range(len(body.blocks)):
        if block_number not in removed:
            number[block_number] = len(number)
    body.blocks = [block for old, block in enumerate(body.blocks) if old not in removed]
    for block in body.blocks:
        block.succs = [number[succ] for succ in block.succs]
        block.preds = [number[pred] for pred in block.preds]
    return [SplitEdge(edge.source, edge.target, number[edge.block]) for edge in kept]
