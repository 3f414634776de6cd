"""Isolate phis: surround each by parallel copies, so that the names it joins are joined to nothing else.

    x = phi(a, b)   becomes   x' = phi(a', b')
                              with x ← x' at the head of the block, a' ← a and b' ← b at the end of the predecessors

Source
    Sreedhar, Ju, Gillies, Santhanam, "Translating Out of Static Single Assignment Form" (SAS 1999), Method I, in the
    form of Boissinot et al. (CGO 2009), section II.B: the copies of all phis of a block are *parallel*, which is what
    makes it right.

In
    Critical edges are split (`critical_edges`).  The SSA may be as unconventional as it likes: a phi's arguments may
    live on, may be each other's phis, constants, or nothing.
Out
    The form is conventional: the primed names of one phi are never live together, nor with anything at the place of
    the phi's own copies, so they can share one location; then the phi does nothing and can be dropped.  A phi with one
    predecessor has become a copy at the block's head, and edge copies have become copies before those of the phis.
    This alone is the naive translation; `coalesce` removes what was not needed.

Linear in the number of phi arguments.  Zend has no counterpart: its names of one slot always share the slot, and its
passes keep that possible.  Ours do not have to.
"""

from __future__ import annotations

from ssa2llvm.destruct.body import Body, BodyBlock, BodyPhi, ParallelCopy
from ssa2llvm.destruct.parallel_copy import Copy


def isolate_phis(body: Body) -> None:
    """Surround every phi by parallel copies, and turn edge copies into parallel copies."""
    for block in body.blocks:
        if len(block.preds) == 1:
            _copy_at_head(block)
        else:
            _copy_around(body, block)
        block.edge_copies = {}


def _copy_at_head(block: BodyBlock) -> None:
    """Only one edge arrives, so what happens on it may happen here."""
    on_edge = ParallelCopy(block.edge_copies.get(block.preds[0], []))
    phis = ParallelCopy([Copy(phi.result, phi.args[0]) for phi in block.phis if phi.args[0] is not None])
    block.steps[:0] = [step for step in (on_edge, phis) if step.copies]
    block.phis = []


def _copy_around(body: Body, block: BodyBlock) -> None:
    """Several edges arrive, each from a block that leads nowhere else."""
    tails = [ParallelCopy([]) for _ in block.preds]
    head = ParallelCopy([])
    for index, phi in enumerate(block.phis):
        representation = body.representation[phi.result]
        isolated = BodyPhi(body.new_value(phi.result, representation), [None] * len(phi.args), phi.tag)
        head.copies.append(Copy(phi.result, isolated.result))
        for edge, argument in enumerate(phi.args):
            if argument is not None:
                isolated.args[edge] = primed = body.new_value(phi.result, representation)
                tails[edge].copies.append(Copy(primed, argument))
        block.phis[index] = isolated
    for source, tail in zip(block.preds, tails):
        on_edge = ParallelCopy(block.edge_copies.get(source, []))
        body.blocks[source].steps += [step for step in (on_edge, tail) if step.copies]
    if head.copies:
        block.steps.insert(0, head)
