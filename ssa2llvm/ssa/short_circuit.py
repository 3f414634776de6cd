"""Conditions of ``&&`` and ``||`` branch straight to where they lead, for Config.SOUND, before names are given.

PHP compiles ``while ($i < 9 && $x)`` to

    b1: T7 = IS_SMALLER $i 9     T7 = JMPZ_EX T7 -> b3
    b2: T7 = BOOL $x
    b3: JMPNZ T7 -> body

where nothing is known of $i in the body, as the branch there is on a T7 that two blocks define. Zend's passes 1 and 5
thread such jumps before SSA form is built, and so does this (b1: JMPZ T7 -> end; b2: JMPZ $x -> end), so that pis
find a comparison right before its branch. Loop counters keep their bounds and stay ints.

* A block that does nothing but test T (perhaps through one BOOL_NOT) is jumped over by a JMPZ_EX or JMPNZ_EX of T,
whose
  jump says what T is.
* ``T = BOOL x`` before such a block becomes the test itself, of x.
* A JMPZ_EX whose T nobody reads any more becomes a JMPZ.
* A branch on ``T = BOOL x`` or ``T = BOOL_NOT x`` right before it is one on x, so that ``if (!($i < 9))`` counts too.

Tests read the same operands as before, once each and in the same order, so that warnings stay; T is a bool and needs
no freeing. In: a Function without names, and its slots' liveness. Out: whether anything changed; edges, reachability
and loops are up to date then, liveness must be computed again. O(instructions + lengths of the chains followed).
"""

from __future__ import annotations

from typing import NamedTuple

from ssa2llvm.cfg.build import link_predecessors, refresh
from ssa2llvm.cfg.graph import reachable
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED
from ssa2llvm.ssa.liveness import SlotLiveness

_PLAIN = {Opcode.JMPZ_EX: Opcode.JMPZ, Opcode.JMPNZ_EX: Opcode.JMPNZ}
_NEGATED = {Opcode.JMPZ: Opcode.JMPNZ, Opcode.JMPNZ: Opcode.JMPZ}
_TESTS = frozenset({Opcode.JMPZ, Opcode.JMPNZ, Opcode.JMPZ_EX, Opcode.JMPNZ_EX})
_JUMPS_IF_TRUE = frozenset({Opcode.JMPNZ, Opcode.JMPNZ_EX})


class _Test(NamedTuple):
    """What a block that only tests a temporary does: where it leads, and whether the temporary lives on in itself
    (JMPZ_EX)."""

    if_true: int
    if_false: int
    keeps: Opcode | None


def thread_short_circuits(function: Function, live: SlotLiveness) -> bool:
    """Thread the function's short-circuit jumps; return whether anything changed."""
    threader = _Threader(function, live)
    changed = False
    for block in function.blocks:
        if block.reachable and block.instrs:
            changed |= threader.turn_bool_into_test(block)
    for block in function.blocks:
        if block.reachable and block.instrs and block.instrs[-1].opcode in _PLAIN:
            changed |= threader.thread_jump(block)
    for block in function.blocks:
        while threader.test_what_was_converted(block):
            changed = True
    if changed:
        _clear_unreachable(function)
        link_predecessors(function)
        refresh(function)
    return changed


class _Threader:
    def __init__(self, function: Function, live: SlotLiveness) -> None:
        self.blocks = function.blocks
        self.live = live

    def test_of(self, block: Block, slot: int) -> _Test | None:
        """What ``block`` does if all it does is to test the temporary ``slot``, else None."""
        instrs = block.instrs
        negated = False
        tested = slot
        if len(instrs) == 2 and instrs[0].opcode == Opcode.BOOL_NOT and instrs[0].op1.is_temp:
            if instrs[0].op1.num != slot:
                return None
            negated, tested = True, instrs[0].result.num
            if any(self.live.is_live_in(succ, tested) for succ in block.succs):
                return None
        elif len(instrs) != 1:
            return None
        last = instrs[-1]
        if last.opcode not in _TESTS or not last.op1.is_temp or last.op1.num != tested:
            return None
        keeps = None
        if last.opcode in _PLAIN:
            # The temporary goes on as its own result, or else another one has to be defined.
            if negated or last.result.num != slot:
                return None
            keeps = last.opcode
        jump, on = block.succs
        if (last.opcode in _JUMPS_IF_TRUE) != negated:
            return _Test(jump, on, keeps)
        return _Test(on, jump, keeps)

    def turn_bool_into_test(self, block: Block) -> bool:
        """``T = BOOL x`` and a test of T in the next block become one test of x."""
        last = block.instrs[-1]
        if last.opcode != Opcode.BOOL or not last.result.is_temp or len(block.succs) != 1:
            return False
        slot = last.result.num
        following = self.blocks[block.succs[0]]
        test = self.test_of(following, slot)
        if test is None or following is block:
            return False
        if test.keeps is None:
            if any(self.live.is_live_in(succ, slot) for succ in following.succs):
                return False
            block.instrs[-1] = Instr(Opcode.JMPZ, last.op1, line=last.line, number=last.number)
            block.succs = [test.if_false, test.if_true]
        else:
            block.instrs[-1] = Instr(test.keeps, last.op1, result=last.result, line=last.line, number=last.number)
            block.succs = list(following.succs)
        return True

    def thread_jump(self, block: Block) -> bool:
        """Let the jump of a JMPZ_EX or JMPNZ_EX skip the blocks that test its result, which it knows."""
        last = block.instrs[-1]
        slot = last.result.num
        value = last.opcode in _JUMPS_IF_TRUE
        target = block.succs[0]
        passed = {block.id}
        while target not in passed:
            test = self.test_of(self.blocks[target], slot)
            if test is None:
                break
            passed.add(target)
            target = test.if_true if value else test.if_false
        changed = target != block.succs[0]
        block.succs[0] = target
        if not any(self.live.is_live_in(succ, slot) for succ in block.succs):
            last.opcode = _PLAIN[last.opcode]
            last.result = UNUSED
            changed = True
        return changed

    def test_what_was_converted(self, block: Block) -> bool:
        """Test x instead of the BOOL or BOOL_NOT of x before the branch."""
        if len(block.instrs) < 2:
            return False
        convert, branch = block.instrs[-2:]
        if (
            branch.opcode not in _NEGATED
            or convert.opcode not in (Opcode.BOOL, Opcode.BOOL_NOT)
            or not convert.result.is_temp
            or branch.op1 != convert.result
            or any(self.live.is_live_in(succ, convert.result.num) for succ in block.succs)
        ):
            return False
        branch.op1 = convert.op1
        if convert.opcode == Opcode.BOOL_NOT:
            branch.opcode = _NEGATED[branch.opcode]
        del block.instrs[-2]
        block.length -= 1
        return True


def _clear_unreachable(function: Function) -> None:
    for block, is_reached in zip(function.blocks, reachable([block.succs for block in function.blocks]), strict=True):
        if block.reachable and not is_reached:
            block.flags = BlockFlags.NONE
            block.succs = []
