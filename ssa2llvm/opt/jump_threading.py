"""Jump threading: who knows which way a branch will go need not ask it.

    b1: t1 = true ; b2: t2 = $x           b3: t3 = phi(t1, t2) ; JMPZ t3        for  if ($e ? true : $x)

From b1 the branch in b3 can only fall through, so b1 goes there directly. That is right without copying code if b3 does
nothing but branch, and its phis are read by the branch alone or by phis behind it, which can then take what the
skipped phi would have taken. What was defined above b3 is defined above b1 too.

A switch is a branch too, once ``sctp`` has seen that its table is for all values: else the chain of tests behind reads
the phi. Branches behind further instructions are left to LLVM, which copies code with its cost model: in our programs
(tests and benchmarks, 2,202 branches) 16 more edges could skip a branch behind at most four silent instructions, none
without giving the names of the skipped block new phis behind it, and 91 first turns of loops, which are rotated there.

Not threaded: loop headers (that would make a second entry of the loop; PHP's own block pass does the same by hand for
``&&`` and ``||``), irreducible functions, places that exceptions need, and edges behind which pis say what the branch
found out.

The constant is a literal that the phi's source is a copy of, or the single value its type allows. Each redirection
moves an edge forward past a block that is no loop header, so it ends; a sweep is linear in edges and phi sources. Valid
SSA in and out; stale if anything changed.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.cfg.build import refresh
from ssa2llvm.ir.function import Block, BlockFlags, Function, Phi
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Flow, op_info
from ssa2llvm.opt.branches import decides, taken_successor
from ssa2llvm.opt.lattice import Constant, Extreme, LatticeValue, literal_value
from ssa2llvm.ssa.edit import remove_phi, replace_uses
from ssa2llvm.ssa.edit_graph import redirect_edge, remove_unreachable

_PINNED = (
    BlockFlags.THROW_EDGE
    | BlockFlags.TRY
    | BlockFlags.CATCH
    | BlockFlags.FINALLY
    | BlockFlags.FINALLY_END
    | BlockFlags.LOOP_HEADER
)
_REDIRECTABLE = (Flow.NEXT, Flow.JUMP, Flow.BRANCH, Flow.SWITCH)

SingleValue = Callable[[int], LatticeValue | None]


class _Threader:
    def __init__(self, function: Function, single_value: SingleValue) -> None:
        self.function = function
        self.single_value = single_value

    def run(self) -> int:
        if self.function.stale:
            refresh(self.function)
        if self.function.irreducible:
            return 0
        changes = 0
        pending = [block for block in self.function.blocks if self._only_branches(block)]
        while pending:
            block = pending.pop()
            for pred_id in list(block.preds):
                target = self._thread(self.function.blocks[pred_id], block)
                if target is not None:
                    changes += 1
                    if self._only_branches(target):
                        pending.append(target)
            self._drop_single_sources(block)
        if changes:
            remove_unreachable(self.function)
        return changes

    def _only_branches(self, block: Block) -> bool:
        """Whether the block does nothing but branch on one of its phis, which nobody else reads."""
        if not block.reachable or block.id == 0 or block.flags & _PINNED or len(block.instrs) != 1:
            return False
        branch = block.instrs[0]
        if (
            not decides(branch)
            or branch.result_def >= 0
            or op_info(branch.opcode).flow not in (Flow.BRANCH, Flow.SWITCH)
        ):
            return False
        if any(phi.is_pi for phi in block.phis) or all(phi.result != branch.op1_use for phi in block.phis):
            return False
        return all(self._read_only_here(block, phi) for phi in block.phis)

    def _read_only_here(self, block: Block, phi: Phi) -> bool:
        var = self.function.ssa_vars[phi.result]
        if var.sym_uses or any(user is not block.instrs[0] for user in var.uses):
            return False
        for user in var.phi_uses:
            if user.is_pi or user.block not in block.succs:
                return False
            edges = self.function.blocks[user.block].preds
            if any(edge != block.id and name == phi.result for edge, name in zip(edges, user.sources, strict=True)):
                return False
        return True

    def _thread(self, pred: Block, block: Block) -> Block | None:
        """Redirect the edge from ``pred`` past ``block`` if it knows the way; return where it leads now."""
        if pred is block or BlockFlags.THROW_EDGE in pred.flags or pred.succs.count(block.id) != 1:
            return None
        if pred.instrs and op_info(pred.instrs[-1].opcode).flow not in _REDIRECTABLE:
            return None
        branch = block.instrs[0]
        position = block.preds.index(pred.id)
        taken = {phi.result: phi.sources[position] for phi in block.phis}
        value = self._constant(taken[branch.op1_use])
        way = None if value is None else taken_successor(self.function, branch, value)
        if way is None:
            return None
        target = self.function.blocks[block.succs[way]]
        if target is block or pred.id in target.preds or target.flags & _PINNED & ~BlockFlags.LOOP_HEADER:
            return None
        if any(phi.is_pi for phi in target.phis):
            return None
        edge = target.preds.index(block.id)
        sources = [taken.get(phi.sources[edge], phi.sources[edge]) for phi in target.phis]
        redirect_edge(self.function, pred, pred.succs.index(block.id), target, sources)
        return target

    def _drop_single_sources(self, block: Block) -> None:
        """Once the others skip the block, what is left to its phis is what they are given."""
        if len(block.preds) == 1:
            for phi in list(block.phis):
                replace_uses(self.function, phi.result, phi.sources[0])
                remove_phi(self.function, phi)

    def _constant(self, name: int) -> LatticeValue | None:
        definition = self.function.ssa_vars[name].definition
        if definition is not None and definition.opcode == Opcode.QM_ASSIGN and definition.op1.is_const:
            value = literal_value(self.function.op_array.literal(definition.op1))
            return None if isinstance(value, Extreme) else value
        known = self.single_value(name)
        return known if isinstance(known, Constant) else None


def thread_jumps(function: Function, single_value: SingleValue) -> int:
    """Thread jumps in ``function``; return how many edges were redirected. ``single_value(name)`` is the only value
    that inference allows the name, if there is one. A second run changes nothing."""
    return _Threader(function, single_value).run()
