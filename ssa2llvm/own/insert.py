"""Makes reference counting explicit: DUP, DROP, and moves at last uses.

Problem: who counts a string or array, and when? Counting at every copy and every overwrite (as PHP's VM does) costs
two memory operations each and forces copies: ``$s .= "x"`` in a loop is only in place if no other count is alive.
Liveness knows better: a value's last reader takes it over for nothing.

Source: Reinking, Xie, de Moura, Leijen, "Perceus: Garbage Free Reference Counting with Reuse" (PLDI 2021), on SSA
form: the rules of its figure 8 become
  * a consuming operand that lives on (or is read by the same instruction again) is DUPed before the instruction;
  * a borrowed operand that dies is DROPped after it, a result that nobody reads likewise;
  * what a terminator defines on one of its edges only (JMP_SET, COALESCE, FE_FETCH) is owned there only; the result
  of
    the first two takes their operand's count over, or if that lives on there, shares it until it is DUPed;
  * a phi or pi consumes its argument on the edge; what lives before a branch and not behind one of its edges is
  DROPped
    on that edge, in a block of its own if neither end is private to it.

In: SSA form after ``opt`` and ``opt.calls``. Out: the same with DUP and DROP, every name that owns something
(``owns``) consumed exactly once on every path; ``instr.unwind`` says what a throwing instruction must drop (it
consumes what it consumes even then), but for what its handler wants (``handlers``). `verify_ownership` checks all of
it.

Cost: linear in the function plus the total length of the owning names' live ranges.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.optable import Flow, op_info
from ssa2llvm.own.handlers import may_throw, wanted_by_handlers
from ssa2llvm.own.liveness import Liveness, owned_liveness
from ssa2llvm.own.operands import consumed, edge_definitions, moved_on_edge, reads
from ssa2llvm.own.slots import containers_of_slots

__all__ = ["insert_ownership"]


def insert_ownership(function: Function, owns: Callable[[int], bool]) -> None:
    """Insert the counting of every name for which ``owns`` holds, in place; blocks may be added on edges."""
    _Insertion(function, owns).run()


def _is_terminator(instr: Instr) -> bool:
    return op_info(instr.opcode).flow is not Flow.NEXT


class _Insertion:
    def __init__(self, function: Function, owns: Callable[[int], bool]) -> None:
        self._function = function
        self._owns = owns
        self._containers = containers_of_slots(function)
        self._wanted: dict[Instr, set[int]] = {}
        self._wanted = wanted_by_handlers(function, owned_liveness(function, owns, self._reads))
        self._liveness: Liveness = owned_liveness(function, owns, self._reads)
        self._at_end: dict[int, set[int]] = {}  # what is owned at the end of a block, behind its terminator
        self._terminator_names: dict[int, set[int]] = {}
        self._served: set[tuple[int, int]] = set()  # edges whose drops stand at the head of the target

    def run(self) -> None:
        blocks = [block for block in self._function.blocks if block.reachable]
        for block in blocks:
            self._count_in(block)
        for block in blocks:
            self._count_on_edges(block)

    # ---- inside blocks

    def _count_in(self, block: Block) -> None:
        live: set[int] = set()
        for succ in block.succs:
            live |= self._liveness.live_on(block.id, succ)
        backwards: list[Instr] = []
        unwind: list[int] = []
        unwind_of: frozenset[int] | None = None
        self._at_end[block.id] = set(live)
        for position in range(len(block.instrs) - 1, -1, -1):
            instr = block.instrs[position]
            last = position == len(block.instrs) - 1 and _is_terminator(instr)
            read = [name for name in self._reads(instr) if self._owns(name)]
            taken = [name for name in consumed(instr) if self._owns(name)]
            borrowed = self._borrowed(instr, read, taken)
            defined = [name for name in instr.defs() if self._owns(name)]
            if may_throw(instr):
                stays = frozenset(live.difference(defined).union(borrowed)).difference(self._wanted.get(instr, ()))
                if stays != unwind_of:
                    unwind_of, unwind = stays, sorted(stays)
                instr.unwind = unwind
            if last:
                self._at_end[block.id] |= set(borrowed) | set(defined)
                self._terminator_names[block.id] = set(read) | set(defined)
            else:
                dying = [name for name in (*borrowed, *defined) if name not in live]
                backwards += [self._counting(Opcode.DROP, name) for name in reversed(dying)]
            backwards.append(instr)
            for name in dict.fromkeys(taken):
                wanted = taken.count(name) + (name in live or name in borrowed)
                backwards += [self._counting(Opcode.DUP, name) for _ in range(wanted - 1)]
            live.difference_update(defined)
            live.update(read)
        backwards.reverse()
        block.instrs = backwards

    def _reads(self, instr: Instr) -> list[int]:
        """What an instruction reads: the arrays around the slot it uses and what its handler wants included."""
        more = self._more_reads(instr)
        return list(dict.fromkeys([*reads(instr), *more])) if more else reads(instr)

    def _more_reads(self, instr: Instr) -> list[int]:
        return [*self._containers.get(instr, ()), *sorted(self._wanted.get(instr, ()))]

    def _borrowed(self, instr: Instr, read: list[int], taken: list[int]) -> list[int]:
        """Of the names read, those that some operand only borrows."""
        operands = [instr.op1_use, instr.op2_use, instr.result_use, *instr.args, *self._more_reads(instr)]
        return [name for name in read if operands.count(name) > taken.count(name)]

    def _counting(self, opcode: Opcode, name: int) -> Instr:
        var = self._function.ssa_vars[name]
        kind = OpKind.CV if self._function.is_variable(var.slot) else OpKind.TMP
        instr = Instr(opcode, Operand(kind, var.slot), op1_use=name)
        var.uses.append(instr)
        return instr

    # ---- on edges

    def _count_on_edges(self, block: Block) -> None:
        """Serve the edges that leave ``block``."""
        for target in dict.fromkeys(block.succs):
            dups, drops = self._edge_actions(block.id, target)
            if (not dups and not drops) or (block.id, target) in self._served:
                continue
            actions = [self._counting(Opcode.DUP, name) for name in dups]
            actions += [self._counting(Opcode.DROP, name) for name in drops]
            entered = self._function.blocks[target]
            if len(set(block.succs)) == 1 and not self._terminator_names.get(block.id, set()) & {*dups, *drops}:
                end = len(block.instrs) - (bool(block.instrs) and _is_terminator(block.instrs[-1]))
                block.instrs[end:end] = actions
            elif len(entered.preds) == 1 and not dups:
                entered.instrs[:0] = actions
            elif not self._dropped_at_head(entered, dups, drops):
                split_edge(self._function, block, entered).instrs = actions

    def _edge_actions(self, source: int, target: int) -> tuple[list[int], list[int]]:
        """Names to DUP (once for each count that is missing) and to DROP on an edge. What a handler does not want is
        dropped by the instruction that throws."""
        block = self._function.blocks[source]
        wanted = list(self._liveness.edge_reads.get((source, target), []))
        live_in = self._liveness.live_in[target]
        owned = self._at_end[source]
        dups: list[int] = []
        only_on_edge = edge_definitions(block.instrs[-1]) if block.instrs else None
        if only_on_edge is not None:
            edge, defined = only_on_edge
            moved = moved_on_edge(block.instrs[-1])
            if target != block.succs[edge]:
                owned = owned.difference(defined)
            elif moved >= 0 and defined:
                owned = owned.difference(defined)
                result = defined[0]
                count = wanted.count(result) + (result in live_in)
                stays = bool(wanted.count(moved) + (moved in live_in))
                if count and self._owns(result):
                    dups += [result] * (count - 1 + stays)
                    if not stays:
                        wanted.append(moved)
        drops: list[int] = []
        if BlockFlags.THROW_EDGE in block.flags and len(block.succs) > 1 and target == block.succs[1]:
            owned = owned.intersection(self._liveness.live_on(source, target))
        for name in sorted(owned):
            count = wanted.count(name) + (name in live_in)
            if count == 0:
                drops.append(name)
            else:
                dups += [name] * (count - 1)
        return dups, drops

    def _dropped_at_head(self, entered: Block, dups: list[int], drops: list[int]) -> bool:
        """Drop at the head of ``entered`` what all its edges drop, if they agree: no block on any of them is
        needed."""
        if dups:
            return False
        for pred in entered.preds:
            if pred not in self._at_end or self._edge_actions(pred, entered.id) != ([], drops):
                return False
        entered.instrs[:0] = [self._counting(Opcode.DROP, name) for name in drops]
        self._served.update((pred, entered.id) for pred in entered.preds)
        return True


def split_edge(function: Function, source: Block, target: Block) -> Block:
    """Put a new block on the edge (all equal edges) from ``source`` to ``target``; phi arguments stay aligned."""
    block = Block(len(function.blocks), flags=BlockFlags.REACHABLE | BlockFlags.FOLLOW)
    function.blocks.append(block)
    block.succs, block.preds = [target.id], [source.id]
    source.succs = [block.id if succ == target.id else succ for succ in source.succs]
    target.preds[target.preds.index(source.id)] = block.id
    for phi in target.phis:
        if phi.pi == source.id:
            phi.pi = block.id
    function.stale = True
    return block
