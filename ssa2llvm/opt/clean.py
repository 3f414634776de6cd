"""Clean the graph: jumps to jumps, empty blocks, blocks that only ever follow each other (Cooper and Torczon,
Engineering a Compiler, section 10.2, "Clean"; Zend/Optimizer/block_pass.c and dfa_pass.c:zend_dfa_optimize_jmps).

* A branch whose ways all lead to one block becomes a jump.
* A block that does nothing but go on is bypassed, unless a phi behind it would have to tell two ways from one block
  apart, or exceptions need it as a place.
* A block and the only successor it has, of which it is the only predecessor, become one.

Nothing is evaluated and no instruction with an effect is touched. Valid SSA in and out; the function is stale if
anything changed. A sweep is linear in blocks and edges, times the length of chains of empty blocks; there are two as a
rule.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import word
from ssa2llvm.ir.optable import Flow, op_info
from ssa2llvm.ssa.edit import remove_instruction
from ssa2llvm.ssa.edit_graph import merge_with_successor, remove_unreachable

_PINNED = BlockFlags.THROW_EDGE | BlockFlags.CATCH | BlockFlags.FINALLY | BlockFlags.FINALLY_END | BlockFlags.TRY
_PLAIN_BRANCHES = frozenset({Opcode.JMPZ, Opcode.JMPNZ, Opcode.SWITCH_LONG, Opcode.SWITCH_STRING})


def clean_graph(function: Function) -> int:
    """Clean ``function``; return the number of changes. A second run changes nothing."""
    changes = 0
    while True:
        # A bypassed block may leave a branch both of whose ways are one, and so on.
        found = _clean_once(function)
        if not found:
            return changes
        changes += found


def _clean_once(function: Function) -> int:
    changes = 0
    for block in function.blocks:
        if block.reachable:
            changes += _simplify_branch(function, block)
    for block in function.blocks[1:]:
        if block.reachable and _does_nothing(block) and _can_bypass(function, block):
            _bypass(function, block)
            changes += 1
    for block in function.blocks:
        while block.reachable and _follows_alone(function, block):
            merge_with_successor(function, block)
            changes += 1
    remove_unreachable(function)
    return changes


def _simplify_branch(function: Function, block: Block) -> int:
    """``if ($x) {}``: the test remains as far as it can be noticed; what is left to this pass is the branch."""
    if len(block.succs) < 2 or len(set(block.succs)) > 1 or not block.instrs or BlockFlags.THROW_EDGE in block.flags:
        return 0
    last = block.instrs[-1]
    if last.opcode not in _PLAIN_BRANCHES or not _is_silent(last):
        return 0
    remove_instruction(function, block, last)
    block.instrs.append(Instr(Opcode.JMP, op1=word(0), line=last.line, number=last.number))
    block.succs = block.succs[:1]
    function.stale = True
    return 1


def _is_silent(branch: Instr) -> bool:
    """Whether testing the operand cannot be noticed: a temporary is never undefined, and the tests that reach here
    made a bool of it. A variable may be undefined, whose warning must stay."""
    return branch.op1.is_temp or branch.op1.is_const


def _does_nothing(block: Block) -> bool:
    if block.phis or len(block.succs) != 1 or block.flags & _PINNED or block.succs[0] == block.id:
        return False
    return not block.instrs or (len(block.instrs) == 1 and block.instrs[0].opcode == Opcode.JMP)


def _can_bypass(function: Function, block: Block) -> bool:
    target = function.blocks[block.succs[0]]
    if not block.preds or target.id == 0 or any(phi.pi == block.id for phi in target.phis):
        return False
    for pred_id in block.preds:
        pred = function.blocks[pred_id]
        if BlockFlags.THROW_EDGE in pred.flags or (pred.instrs and not _can_retarget(pred.instrs[-1])):
            return False
        if pred_id in target.preds and any(not phi.is_pi for phi in target.phis):
            return False
        if any(phi.pi == pred_id for phi in target.phis):
            return False
    return True


def _can_retarget(last: Instr) -> bool:
    """Successors carry the meaning of every branch but those of try/finally."""
    return op_info(last.opcode).flow not in (Flow.FAST_CALL, Flow.FAST_RET, Flow.CATCH)


def _bypass(function: Function, block: Block) -> None:
    target = function.blocks[block.succs[0]]
    position = target.preds.index(block.id)
    incoming = list(block.preds)
    for pred_id in incoming:
        pred = function.blocks[pred_id]
        pred.succs = [target.id if succ == block.id else succ for succ in pred.succs]
    fresh = [pred_id for pred_id in incoming if pred_id not in target.preds]
    target.preds[position : position + 1] = fresh
    for phi in target.phis:
        if not phi.is_pi:
            phi.sources[position : position + 1] = [phi.sources[position]] * len(fresh)
    block.preds, block.succs, block.instrs = [], [], []
    block.flags, block.length = BlockFlags.NONE, 0
    function.stale = True


def _follows_alone(function: Function, block: Block) -> bool:
    if len(block.succs) != 1 or block.succs[0] in (block.id, 0):
        return False
    following = function.blocks[block.succs[0]]
    if following.preds != [block.id] or BlockFlags.THROW_EDGE in block.flags or following.flags & _PINNED:
        return False
    if block.instrs and op_info(block.instrs[-1].opcode).flow not in (Flow.NEXT, Flow.JUMP):
        return False
    return not any(phi.is_pi for phi in following.phis)
