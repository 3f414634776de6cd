"""Proves that counting is right: every owned name is consumed exactly once on every path, exceptional ones too.

The rules, for the names for which ``owns`` holds:

1. A name owns one count from its definition on. A DUP adds one to a name that has one.
2. An operand is read only from a name that has a count (the result of ?: and ?? may share its operand's until it is
DUPed). A consuming operand takes one. 3. Where control joins, all edges agree on who owns what. Needed phis and pis
consume their arguments on the edge and own
   their results.
4. Where the function returns or the instruction never continues, nothing is owned.
5. A throwing instruction's ``unwind`` list is exactly what is owned while it runs, without what it consumes and what
its handler
   wants, which is owned then.
6. The use of a tied pair (`operands.tied`) is handed over without a second count, unless the name lives on or is
another
   operand of the same instruction: else ``.=`` would copy its string each turn.

7. While an element is written through its slot, the arrays around it are owned (``slots``).

One pass over blocks in the order of discovery; linear in the function plus the owning names' live ranges.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Flow, op_info
from ssa2llvm.own.handlers import may_throw, wanted_by_handlers
from ssa2llvm.own.liveness import Liveness, owned_liveness
from ssa2llvm.own.operands import consumed, edge_definitions, moved_on_edge, reads, tied
from ssa2llvm.own.slots import containers_of_slots

__all__ = ["OwnershipError", "verify_ownership"]


class OwnershipError(Exception):
    """A rule is broken: a bug of ``own`` (or of a pass behind it), never of the input."""


def verify_ownership(function: Function, owns: Callable[[int], bool]) -> None:
    """Check the rules of the module's head. Raises OwnershipError naming function, instruction, name and rule."""
    _Verifier(function, owns).run()


def _real_reads(instr: Instr) -> list[int]:
    """What an instruction reads for its own sake: counting does not keep a name alive."""
    return [] if instr.opcode in (Opcode.DROP, Opcode.DUP) else reads(instr)


class _Verifier:
    def __init__(self, function: Function, owns: Callable[[int], bool]) -> None:
        self._function = function
        self._owns = owns
        self._phis: Liveness = owned_liveness(function, owns)
        self._wanted: Liveness = owned_liveness(function, owns, _real_reads)
        self._containers = containers_of_slots(function)
        self._handled = wanted_by_handlers(function, self._phis)
        self._entry: dict[int, dict[int, int]] = {0: {}}

    def run(self) -> None:
        work = [0]
        while work:
            block = self._function.blocks[work.pop()]
            state = self._through(block, dict(self._entry[block.id]))
            if not block.succs and state:
                self._fail(f"block {block.id} ends owning {self._names(state)}")
            for target in dict.fromkeys(block.succs):
                arriving = self._across(block.id, target, dict(state))
                if target not in self._entry:
                    self._entry[target] = arriving
                    work.append(target)
                elif arriving != self._entry[target]:
                    self._fail(
                        f"block {target} is entered from block {block.id} owning {self._names(arriving)}, "
                        f"from elsewhere owning {self._names(self._entry[target])}"
                    )

    # ---- one block

    def _through(self, block: Block, state: dict[int, int]) -> dict[int, int]:
        live_after = self._live_after(block)
        for instr, live in zip(block.instrs, live_after, strict=True):
            for name in [*reads(instr), *self._containers.get(instr, ())]:
                shared = instr.opcode == Opcode.DUP and name in state
                if self._owns(name) and state.get(name, 0) < 1 and not shared:
                    self._fail(f"{_text(instr)} reads {self._function.name_text(name)}, which owns nothing")
            taken = [name for name in consumed(instr) if self._owns(name)]
            for name in taken:
                self._take(state, name, instr)
            if instr.opcode == Opcode.DUP:
                state[instr.op1_use] = state.get(instr.op1_use, 0) + self._owns(instr.op1_use)
            self._check_tied(instr, state, live)
            if may_throw(instr):
                wanted = self._handled.get(instr, set())
                for name in sorted(wanted):
                    if state.get(name, 0) != 1:
                        self._fail(f"{_text(instr)} throws to a handler that wants {self._function.name_text(name)}")
                owned = sorted(name for name, count in state.items() for _ in range(count) if name not in wanted)
                if owned != instr.unwind:
                    self._fail(f"{_text(instr)} unwinds {instr.unwind} but {owned} are owned")
            if instr is block.instrs[-1] and _never_goes_on(instr, block):
                # Its unwind list and its handler have what is left.
                for name in [*reads(instr), *self._handled.get(instr, ())]:
                    if self._owns(name) and name not in taken:
                        state.pop(name, None)
            if edge_definitions(instr) is None:
                for name in instr.defs():
                    if self._owns(name):
                        state[name] = state.get(name, 0) + 1
        return state

    def _live_after(self, block: Block) -> list[set[int]]:
        """For the tied pairs of a block: which of their uses are really read behind each instruction."""
        candidates = {use for instr in block.instrs for use, _ in tied(instr) if self._owns(use)}
        if not candidates:
            return [set()] * len(block.instrs)
        live = {name for succ in block.succs for name in candidates if name in self._wanted.live_on(block.id, succ)}
        result: list[set[int]] = []
        for instr in reversed(block.instrs):
            result.append(set(live))
            live |= candidates.intersection(_real_reads(instr))
        result.reverse()
        return result

    def _check_tied(self, instr: Instr, state: dict[int, int], live: set[int]) -> None:
        for use, _ in tied(instr):
            operands = (instr.op1_use, instr.op2_use, *instr.args, *self._handled.get(instr, ()))
            if self._owns(use) and use not in live and operands.count(use) == 1 and state.get(use, 0):
                self._fail(f"{_text(instr)} copies {self._function.name_text(use)} though nobody reads it afterwards")

    def _take(self, state: dict[int, int], name: int, where: Instr | None) -> None:
        count = state.get(name, 0)
        if count < 1:
            place = _text(where) if where is not None else "a phi"
            self._fail(f"{place} consumes {self._function.name_text(name)}, which owns nothing")
        if count == 1:
            del state[name]
        else:
            state[name] = count - 1

    # ---- edges

    def _across(self, source: int, target: int, state: dict[int, int]) -> dict[int, int]:
        block = self._function.blocks[source]
        if BlockFlags.THROW_EDGE in block.flags and len(block.succs) > 1 and target == block.succs[1]:
            alive_there = self._phis.live_on(source, target)
            state = {name: count for name, count in state.items() if name in alive_there}
        only_here = edge_definitions(block.instrs[-1]) if block.instrs else None
        if only_here is not None and target == block.succs[only_here[0]]:
            moved = moved_on_edge(block.instrs[-1])
            alive = self._phis.live_on(source, target)
            for name in only_here[1]:
                if not self._owns(name) or (moved >= 0 and name not in alive):
                    continue
                shares = moved >= 0 and self._owns(moved) and moved in alive
                if moved >= 0 and self._owns(moved) and not shares:
                    self._take(state, moved, block.instrs[-1])
                state[name] = 0 if shares else 1
        for name in self._phis.edge_reads.get((source, target), []):
            self._take(state, name, None)
        for phi in self._phis.needed[target]:
            if self._owns(phi.result) and (not phi.is_pi or phi.pi == source):
                state[phi.result] = 1
        return state

    # ---- reports

    def _names(self, state: dict[int, int]) -> str:
        listed = [f"{self._function.name_text(name)} x{count}" for name, count in sorted(state.items())]
        return ", ".join(listed) or "nothing"

    def _fail(self, what: str) -> None:
        raise OwnershipError(f"{self._function.op_array.name}: {what}")


def _never_goes_on(instr: Instr, block: Block) -> bool:
    """Whether the last instruction of a block always throws: a FAST_RET does if its finally is only entered so."""
    return op_info(instr.opcode).flow is Flow.THROW or (may_throw(instr) and not block.succs)


def _text(instr: Instr) -> str:
    """An instruction for messages."""
    return f"{instr.opcode.name} (number {instr.number}, line {instr.line})"
