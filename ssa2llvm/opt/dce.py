"""Dead code elimination: everything is dead until shown to be needed (Cytron et al., TOPLAS 1991, section 7.1;
Zend/Optimizer/dce.c is the optimistic one for data).

Needed are instructions with effects, returns, and whatever these depend on: the definitions they read, and the
branches that decide whether they run (control dependence). A branch that decides about nothing needed becomes a jump
to where its arms meet, which Zend's DCE does not do. Loops are kept even if empty, as they might not end; LLVM
removes those that it can prove to end.

Arrays are values like others: who stores into one that nobody reads has no effect, and neither has what is stored
there, arrays in arrays included, if no object can die with them (``analysis.object_free``) and the store cannot fail
(``opt.literal_keys``). Zend asks escape analysis for that, and keeps arrays in arrays.

Calls stand and fall as a whole: INIT, SENDs and DO. A FREE is needed if what it frees is, and is a
counted value.

Not every operand is a real use: ASSIGN does not look at the value that it overwrites (unless dropping it could run a
destructor), nor FE_FETCH at its loop variable. When such a value's definition goes, the operand is given the
variable's name at entry, which is valid everywhere.

In and out: valid SSA; stale if branches went. Linear in instructions, uses and control dependences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ssa2llvm.cfg.graph import postorder
from ssa2llvm.cfg.postdominators import PostDominators, control_dependence, post_dominators
from ssa2llvm.ir.function import BlockFlags, Function, Instr, Phi
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import word
from ssa2llvm.ir.optable import Effects, Flow, op_info
from ssa2llvm.ssa.edit import fix_bound, remove_together, replace_uses
from ssa2llvm.ssa.edit_graph import remove_unreachable
from ssa2llvm.ssa.no_val import is_overwritten

Bounds = Callable[[int], tuple[int | None, int | None]]

_FREES = frozenset({Opcode.FREE, Opcode.FE_FREE})
_REMOVABLE_BRANCHES = frozenset(
    {
        Opcode.JMPZ,
        Opcode.JMPNZ,
        Opcode.JMPZ_EX,
        Opcode.JMPNZ_EX,
        Opcode.JMP_SET,
        Opcode.COALESCE,
        Opcode.JMP_NULL,
        Opcode.SWITCH_LONG,
        Opcode.SWITCH_STRING,
    }
)
_BRANCHES = (Flow.BRANCH, Flow.BRANCH_EXT, Flow.SWITCH)


class _Liveness:
    """Marks what is needed, from the roots backwards."""

    def __init__(
        self,
        function: Function,
        effects: Callable[[Instr], Effects],
        destroys: Callable[[int], bool],
        counted: Callable[[int], bool],
        calls: Mapping[Instr, Sequence[Instr]],
    ) -> None:
        self.function = function
        self.instrs: dict[Instr, None] = {}
        self.phis: dict[int, None] = {}
        self._valued: dict[int, None] = {}
        """Of ``phis`` those whose value is read; the others only keep something alive."""
        self.branches = [False] * len(function.blocks)
        self._blocks = [False] * len(function.blocks)
        self._effects = effects
        self._destroys = destroys
        self._counted = counted
        self._calls = calls
        self._block_of = {instr: block.id for block in function.blocks for instr in block.instrs}
        self._pair: dict[Instr, Instr] = {}
        for block in function.blocks:
            for first, second in zip(block.instrs, block.instrs[1:], strict=False):
                if second.opcode == Opcode.OP_DATA:
                    self._pair[first], self._pair[second] = second, first
        succs = [block.succs for block in function.blocks]
        self.post: PostDominators = post_dominators(succs, [block.preds for block in function.blocks])
        self._controllers = control_dependence(self.post)
        self._pending: list[Instr | Phi] = []

    def run(self) -> None:
        for block in self.function.blocks:
            if not block.reachable:
                continue
            for instr in block.instrs:
                if self._is_root(instr):
                    self._need(instr)
        for block_id in self._possible_endless_loops():
            self._need_block(block_id)
            self._need_branch(block_id)
        while self._pending:
            item = self._pending.pop()
            if isinstance(item, Phi):
                self._need_sources(item)
            else:
                self._need_operands(item)

    def _is_root(self, instr: Instr) -> bool:
        flow = op_info(instr.opcode).flow
        if flow in (Flow.RETURN, Flow.THROW, Flow.FAST_CALL, Flow.FAST_RET, Flow.CATCH, Flow.MATCH):
            return True
        if instr.opcode in (Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC, Opcode.GENERATOR_CREATE):
            return True
        if flow in _BRANCHES:
            leaves = self.post.ipdom(self._block_of[instr]) == self.post.exit
            if leaves or instr.opcode not in _REMOVABLE_BRANCHES:
                return True
        if instr.opcode in _FREES or instr.opcode == Opcode.JMP:
            return False
        return self._effects(instr) is not Effects.NONE

    def _possible_endless_loops(self) -> list[int]:
        """Blocks with an edge back to a block that is not yet left in a depth-first walk: every cycle has one."""
        succs = [block.succs for block in self.function.blocks]
        finished = {block: position for position, block in enumerate(postorder(succs))}
        return [block for block in finished if any(finished[succ] >= finished[block] for succ in succs[block])]

    def _need(self, instr: Instr) -> None:
        if instr in self.instrs:
            return
        self.instrs[instr] = None
        self._pending.append(instr)
        self._need_block(self._block_of[instr])

    def _need_operands(self, instr: Instr) -> None:
        for name in instr.uses():
            if is_overwritten(instr, name):
                if not self._binds_again(instr, name):
                    self._keep_alive(name)
            else:
                self._need_name(name)
        partner = self._pair.get(instr)
        if partner is not None:
            self._need(partner)
        for part in self._calls.get(instr, ()):
            self._need(part)
        for name in instr.defs():
            for user in self.function.ssa_vars[name].uses:
                if user.opcode in _FREES and self._counted(name):
                    self._need(user)
        block = self.function.blocks[self._block_of[instr]]
        if instr is block.instrs[-1]:
            self.branches[block.id] = True

    def _need_name(self, name: int) -> None:
        var = self.function.ssa_vars[name]
        if var.definition is not None:
            self._need(var.definition)
        elif var.definition_phi is not None and name not in self._valued:
            self._valued[name] = None
            self._keep_phi(var.definition_phi)

    def _binds_again(self, instr: Instr, name: int) -> bool:
        """Whether ``static $x`` unbinds what another one bound: the function's statics keep that value alive."""
        before = self.function.ssa_vars[name].definition
        return instr.opcode == Opcode.BIND_STATIC and before is not None and before.opcode == Opcode.BIND_STATIC

    def _keep_alive(self, name: int) -> None:
        """Nobody reads the value, but it has to die here and no earlier if that can be noticed."""
        var = self.function.ssa_vars[name]
        if not self._destroys(name):
            return
        if var.definition is not None:
            self._need(var.definition)
        elif var.definition_phi is not None and name not in self.phis:
            self._keep_phi(var.definition_phi)

    def _keep_phi(self, phi: Phi) -> None:
        self.phis[phi.result] = None
        self._pending.append(phi)
        self._need_block(phi.block)

    def _need_sources(self, phi: Phi) -> None:
        named = len(self.function.op_array.cvs)
        for source in phi.sources:
            # Only PHP's own variables have a name at entry that could take the place of a dead source.
            has_substitute = phi.slot < named or self.function.ssa_vars[source].slot < named
            if phi.result in self._valued or not has_substitute:
                self._need_name(source)
            else:
                self._keep_alive(source)
        edges = [phi.pi] if phi.is_pi else self.function.blocks[phi.block].preds
        for block in edges:
            self._need_block(block)
            self._need_branch(block)

    def _need_block(self, block: int) -> None:
        if self._blocks[block]:
            return
        self._blocks[block] = True
        for controller in self._controllers[block]:
            self._need_branch(controller)

    def _need_branch(self, block_id: int) -> None:
        """The way out of a block matters: its last instruction is needed, or what may throw behind it."""
        block = self.function.blocks[block_id]
        self._need_block(block_id)
        if self.branches[block_id]:
            return
        self.branches[block_id] = True
        if BlockFlags.THROW_EDGE in block.flags:
            self._need(self.function.blocks[block.succs[0]].instrs[0])
        elif len(block.succs) > 1 and block.instrs:
            last = block.instrs[-1]
            self._need(self._pair.get(last, last))


class _Remover:
    """Removes what was not marked."""

    def __init__(self, function: Function, live: _Liveness, bounds: Bounds) -> None:
        self.function = function
        self.live = live
        self.bounds = bounds
        self.changes = 0

    def run(self) -> int:
        dead = [
            instr
            for block in self.function.blocks
            if block.reachable
            for instr in block.instrs
            if instr not in self.live.instrs and not self._shapes_graph(instr)
        ]
        dead_phis = [phi for block in self.function.blocks for phi in block.phis if phi.result not in self.live.phis]
        self.changes += self._remove_branches()
        dead += self._retired
        for instr in dead:
            for name in instr.defs():
                self._abandon(name)
        for phi in dead_phis:
            self._abandon(phi.result)
        remove_together(self.function, dead, dead_phis)
        self.changes += len(dead) + len(dead_phis)
        remove_unreachable(self.function)
        return self.changes

    def _shapes_graph(self, instr: Instr) -> bool:
        """Jumps and branches go only with their edges."""
        return op_info(instr.opcode).flow is not Flow.NEXT

    def _remove_branches(self) -> int:
        """Let branches nobody needs go straight to where their arms meet."""
        self._retired: list[Instr] = []
        count = 0
        for block in self.function.blocks:
            if not block.reachable or len(block.succs) < 2 or self.live.branches[block.id]:
                continue
            last = block.instrs[-1] if block.instrs else None
            meeting = self.live.post.ipdom(block.id)
            if last is None or last.opcode not in _REMOVABLE_BRANCHES or meeting == self.live.post.exit:
                continue
            self._redirect(block.id, meeting)
            self._retired.append(last)
            block.instrs[-1] = Instr(Opcode.JMP, op1=word(0), line=last.line, number=last.number)
            count += 1
        return count

    def _redirect(self, block_id: int, target_id: int) -> None:
        block, target = self.function.blocks[block_id], self.function.blocks[target_id]
        for succ in dict.fromkeys(block.succs):
            if succ != target_id:
                self._lose_predecessor(succ, block_id)
        if block_id not in target.preds:
            target.preds.append(block_id)
            for phi in target.phis:
                if not phi.is_pi:
                    # A phi here is dead, or this branch would have been needed; it keeps its shape until removed.
                    phi.sources.append(phi.sources[0])
        block.succs = [target_id]
        self.function.stale = True

    def _lose_predecessor(self, block_id: int, pred: int) -> None:
        block = self.function.blocks[block_id]
        position = block.preds.index(pred)
        del block.preds[position]
        for phi in block.phis:
            if not phi.is_pi:
                source = phi.sources.pop(position)
                if source not in phi.sources:
                    uses = self.function.ssa_vars[source].phi_uses
                    uses[:] = [other for other in uses if other is not phi]

    def _abandon(self, name: int) -> None:
        """Nobody needs the value of ``name``; let those who only mention it mention the variable's name at entry."""
        var = self.function.ssa_vars[name]
        for pi in list(var.sym_uses):
            if pi.result in self.live.phis:
                fix_bound(self.function, pi, name, *self.bounds(name))
        named = len(self.function.op_array.cvs)
        if var.slot < named:
            replace_uses(self.function, name, var.slot)
            return
        for phi in [phi for phi in var.phi_uses if phi.result in self.live.phis and phi.slot < named]:
            var.phi_uses = [other for other in var.phi_uses if other is not phi]
            if phi.slot not in phi.sources:
                self.function.ssa_vars[phi.slot].phi_uses.append(phi)
            phi.sources = [phi.slot if source == name else source for source in phi.sources]


def eliminate_dead_code(
    function: Function,
    effects: Callable[[Instr], Effects],
    destroys: Callable[[int], bool],
    counted: Callable[[int], bool],
    calls: Mapping[Instr, Sequence[Instr]],
    bounds: Bounds,
) -> int:
    """Remove from ``function`` all that no run can notice; return the number of instructions, phis and branches
    removed.

    ``effects(instr)`` is what an instruction may do besides its definitions; ``destroys(name)`` whether dropping the
    value may run a destructor, ``counted(name)`` whether it has to be freed at all; ``calls`` maps each instruction
    of a call to all of them. ``bounds(name)`` are the least and greatest integer it can be, as far as known: what is
    kept of a range relative to a name that goes.
    """
    live = _Liveness(function, effects, destroys, counted, calls)
    live.run()
    return _Remover(function, live, bounds).run()
