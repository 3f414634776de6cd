"""From an op array to basic blocks, for every opcode of PHP 8.2 (Zend/Optimizer/zend_cfg.c:zend_build_cfg).

Leaders are: instruction 0; targets; what follows a branch, a return or a throw; the FREE that ends a foreach or
switch (so that it survives when its loop dies); starts and ends of try regions. A throw used as an expression ends no
block. Blocks that nothing reaches keep their number and their instructions.

Three flavours, as PHP has them:

* DFA: what SSA form is built on. If instruction 0 is a target, an empty block is put in front, so that the entry has
  no predecessors. Unreachable blocks lose their successors.
* BLOCK_PASS: what PHP prints "before block pass" and the only graph it shows of functions with try/catch. No entry
  block is added, and unreachable blocks keep their successors.
* JIT: what PHP's JIT builds for itself. As DFA, but what follows a parameter, a call or a yield begins a block too,
  for the interpreter may enter the machine code there.

Zend's graph has no edges for exceptions, and pretends that a FAST_CALL may fall through. Under Config.SOUND those are
put right afterwards by ``cfg.exceptions``. Functions without try regions have the same blocks in both configurations.

In: an op array of any origin. Out: a Function without SSA names whose blocks lie in the order of the linear form,
with successors in Zend's order, predecessors, dominators and loops. O(instructions + edges * log blocks).

Differences from Zend: bad jump targets and running off the end are diagnosed instead of being undefined behaviour.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum

from ssa2llvm.cfg.dominators import DominatorTree, dominator_tree, tree_from_idoms
from ssa2llvm.cfg.exceptions import add_exception_edges
from ssa2llvm.cfg.graph import predecessors
from ssa2llvm.cfg.loops import identify_loops
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.op_array import Op, OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_ON_RETURN, FREE_SWITCH, LAST_CATCH, THROW_IS_EXPR
from ssa2llvm.ir.optable import OPCODES, Flow


class Flavour(Enum):
    """Which of PHP's graphs to build (see the module's documentation)."""

    DFA = "dfa"
    BLOCK_PASS = "block pass"
    JIT = "jit"


_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT})
_LEAVES = frozenset(
    {
        Opcode.DO_FCALL,
        Opcode.DO_UCALL,
        Opcode.DO_FCALL_BY_NAME,
        Opcode.INCLUDE_OR_EVAL,
        Opcode.GENERATOR_CREATE,
        Opcode.YIELD,
        Opcode.YIELD_FROM,
    }
)
"""Opcodes during which other PHP code may run and then return into the middle of the function."""


_FLOW: dict[int, Flow] = {info.opcode: info.flow for info in OPCODES}


def build_cfg(op_array: OpArray, config: Config = Config.SOUND, flavour: Flavour = Flavour.DFA) -> Function:
    """Return the control-flow graph of ``op_array``: blocks, flags, edges, dominators, loops; no SSA names yet.

    Raises CompileError for an op array that PHP could not have compiled (a jump out of the function, a switch without
    table, control running off the end).
    """
    function = Function(op_array, config=config)
    starts, block_of = _find_leaders(op_array, flavour)
    _make_blocks(function, starts)
    for block in function.blocks:
        block.succs = _successors(op_array, block, block_of)
    _mark_reachable(function, block_of)
    if flavour is Flavour.JIT:
        _mark_entries(function)
    if flavour is not Flavour.BLOCK_PASS:
        for block in function.blocks:
            if not block.reachable:
                block.succs = []
    if config is Config.SOUND and flavour is Flavour.DFA and op_array.try_catch:
        add_exception_edges(function)
    link_predecessors(function)
    refresh(function)
    return function


def link_predecessors(function: Function) -> None:
    """Compute ``preds`` of every block from the successors of the reachable ones."""
    succs = [block.succs if block.reachable else [] for block in function.blocks]
    for block, preds in zip(function.blocks, predecessors(succs), strict=True):
        block.preds = preds


def refresh(function: Function) -> DominatorTree:
    """Compute dominators and loops from the edges, store them in the blocks, and return the tree."""
    blocks = function.blocks
    succs = [block.succs if block.reachable else [] for block in blocks]
    preds = [block.preds for block in blocks]
    tree = dominator_tree(succs, preds)
    loops = identify_loops(succs, preds, tree)
    loop_flags = BlockFlags.LOOP_HEADER | BlockFlags.IRREDUCIBLE_LOOP
    for block in blocks:
        number = block.id
        block.idom = tree.idom[number]
        block.level = tree.level[number]
        block.children = tree.children[number]
        block.loop_header = loops.header[number]
        if block.flags & loop_flags:
            block.flags &= ~loop_flags
        if loops.is_header[number]:
            block.flags |= BlockFlags.LOOP_HEADER
        if loops.is_irreducible[number]:
            block.flags |= BlockFlags.IRREDUCIBLE_LOOP
    function.has_loops = loops.any
    function.irreducible = loops.irreducible
    function.stale = False
    return tree


def tree_of(function: Function) -> DominatorTree:
    """Return the dominator tree, from the blocks or, if edits made them stale, computed anew."""
    if function.stale:
        return refresh(function)
    return tree_from_idoms([block.idom for block in function.blocks])


def is_loop_var_free(op: Op) -> bool:
    """Whether ``op`` ends the life of a foreach's or switch's variable on the regular way out
    (zend_optimizer_internal.h:zend_optimizer_is_loop_var_free)."""
    return (op.opcode == Opcode.FE_FREE and op.extended_value != FREE_ON_RETURN) or (
        op.opcode == Opcode.FREE and op.extended_value == FREE_SWITCH
    )


def jump_targets(op_array: OpArray, number: int) -> list[int]:
    """Return the instruction numbers that instruction ``number`` can jump to, in successor order, without the next
    one."""
    op = op_array.ops[number]
    flow = _FLOW[op.opcode]
    if flow is Flow.JUMP or flow is Flow.FAST_CALL:
        targets = [op.op1.num]
    elif flow is Flow.BRANCH or (flow is Flow.CATCH and not op.extended_value & LAST_CATCH):
        targets = [op.op2.num]
    elif flow is Flow.BRANCH_EXT:
        targets = [op.extended_value]
    elif flow is Flow.SWITCH or flow is Flow.MATCH:
        table = op_array.literal(op.op2) if op.op2.is_const else None
        if not isinstance(table, JumpTable):
            raise _error(op_array, number, f"{op.opcode.name} has no jump table")
        targets = [target for _, target in table.entries]
        targets.append(op.extended_value)
    else:
        return []
    for target in targets:
        if not 0 <= target < len(op_array.ops):
            last = len(op_array.ops) - 1
            raise _error(op_array, number, f"{op.opcode.name} jumps to {target}; the last instruction is {last}")
    return targets


def _error(op_array: OpArray, number: int, what: str) -> CompileError:
    line = op_array.ops[number].line if number < len(op_array.ops) else 0
    return CompileError(f"in {op_array.name}, instruction {number}: {what}", file=op_array.filename, line=line)


def _find_leaders(op_array: OpArray, flavour: Flavour) -> tuple[list[int], list[int]]:
    """Return the first instruction of each block (twice 0 for an extra entry block) and the block of each
    instruction."""
    ops = op_array.ops
    count = len(ops)
    if count == 0:
        raise CompileError(f"{op_array.name} has no instructions", file=op_array.filename)
    leader = [False] * (count + 1)
    leader[0] = True
    zero_is_target = False
    for number, op in enumerate(ops):
        flow = _FLOW[op.opcode]
        if flow is Flow.NEXT:
            if flavour is Flavour.JIT and (op.opcode in _LEAVES or op.opcode in _RECEIVES):
                leader[number + 1] = True
            if (
                (op.opcode == Opcode.FREE or op.opcode == Opcode.FE_FREE)
                and is_loop_var_free(op)
                and not (
                    number > 0
                    and ops[number - 1].opcode == Opcode.MATCH_ERROR
                    and ops[number - 1].extended_value == THROW_IS_EXPR
                )
            ):
                leader[number] = True
                zero_is_target |= number == 0
            continue
        if flow is Flow.THROW and op.extended_value == THROW_IS_EXPR:
            continue
        if flow in (Flow.FAST_CALL, Flow.FAST_RET) and not op_array.try_catch:
            raise _error(op_array, number, f"{op.opcode.name} in a function without finally")
        for target in jump_targets(op_array, number):
            leader[target] = True
            zero_is_target |= target == 0
        leader[number + 1] = True
    for entry in op_array.try_catch:
        for position, place in enumerate((entry.try_op, entry.catch_op, entry.finally_op, entry.finally_end)):
            if not 0 <= place < count:
                raise CompileError(
                    f"in {op_array.name}: the exception table names instruction {place}, there are only {count}",
                    file=op_array.filename,
                )
            # 0 is a place for a try region, and means "none" for what handles it.
            if place or position == 0:
                leader[place] = True
    starts = [0] if zero_is_target and flavour is not Flavour.BLOCK_PASS else []
    block_of = []
    for number in range(count):
        if leader[number]:
            starts.append(number)
        block_of.append(len(starts) - 1)
    return starts, block_of


def _make_blocks(function: Function, starts: list[int]) -> None:
    ops = function.op_array.ops
    instrs = [
        Instr(op.opcode, op.op1, op.op2, op.result, op.extended_value, op.line, number, offset=op.offset)
        for number, op in enumerate(ops)
    ]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(ops)
        function.blocks.append(Block(number, instrs[start:end], start=start, length=end - start))


def _successors(op_array: OpArray, block: Block, block_of: list[int]) -> list[int]:
    if not block.instrs:
        return [block.id + 1]
    last = block.instrs[-1]
    flow = _FLOW[last.opcode]
    if flow in (Flow.RETURN, Flow.THROW, Flow.FAST_RET):
        return []
    succs = [block_of[target] for target in jump_targets(op_array, last.number)]
    if flow is not Flow.JUMP and flow is not Flow.MATCH:
        succs.append(block.id + 1)
    return succs


def _mark_reachable(function: Function, block_of: list[int]) -> None:
    """Set the flags of Zend's zend_mark_reachable_blocks: how blocks are reached, ends, try regions."""
    blocks = function.blocks
    blocks[0].flags |= BlockFlags.START
    _reach_from(function, 0)
    try_blocks = []
    for entry in function.op_array.try_catch:
        catch, finally_, end = (
            block_of[op] if op else 0 for op in (entry.catch_op, entry.finally_op, entry.finally_end)
        )
        try_blocks.append([block_of[entry.try_op], catch, finally_, end])
    changed = True
    while changed:
        changed = False
        for region in try_blocks:
            changed |= _reach_handlers(function, region)
    function.try_blocks = [TryCatch(*region) for region in try_blocks]
    _mark_loop_frees(function, block_of)


def _reach_from(function: Function, start: int) -> None:
    """Mark everything that ``start`` reaches, and how."""
    blocks = function.blocks
    work = [start]
    blocks[start].flags |= BlockFlags.REACHABLE
    while work:
        block = blocks[work.pop()]
        if not block.succs:
            block.flags |= BlockFlags.EXIT
        flow = _FLOW[block.instrs[-1].opcode] if block.instrs else Flow.NEXT
        for position, succ_id in enumerate(block.succs):
            if succ_id >= len(blocks):
                number = block.start + block.length
                raise _error(function.op_array, number, "control runs off the end of the function")
            if flow is Flow.MATCH or flow is Flow.JUMP:
                how = BlockFlags.TARGET
            elif flow is Flow.SWITCH:
                last = position == len(block.succs) - 1
                how = BlockFlags.FOLLOW | BlockFlags.TARGET if last else BlockFlags.TARGET
            elif len(block.succs) == 1:
                how = BlockFlags.FOLLOW
            else:
                how = BlockFlags.FOLLOW if position else BlockFlags.TARGET
            succ = blocks[succ_id]
            if BlockFlags.REACHABLE not in succ.flags:
                how |= BlockFlags.REACHABLE
                work.append(succ_id)
            succ.flags |= how


def _mark_entries(function: Function) -> None:
    """Mark the blocks at which the JIT's code may be entered."""
    for block in function.blocks:
        if block.reachable and block.instrs:
            opcode = block.instrs[-1].opcode
            if opcode in _RECEIVES:
                function.blocks[block.id + 1].flags |= BlockFlags.RECV_ENTRY
            elif opcode in _LEAVES:
                function.blocks[block.id + 1].flags |= BlockFlags.ENTRY


def _reach_handlers(function: Function, region: list[int]) -> bool:
    """Mark the handlers of one entry of the exception table, [try, catch, finally, end] as blocks, if its try region
    is reached; return whether anything new was reached. A region that is only entered in its middle is made to start
    there (``region`` is changed)."""
    blocks = function.blocks
    changed = False

    def reached(number: int) -> bool:
        return BlockFlags.REACHABLE in blocks[number].flags

    start, catch, finally_, end = region
    if not reached(start) and catch:
        region[0] = next((number for number in range(start, catch) if reached(number)), start)
    if not reached(region[0]) and finally_ and any(reached(number) for number in range(start, finally_)):
        # The catch block is entered although its try region never is.
        region[0] = catch
        if not reached(catch):
            _reach_from(function, catch)
        changed = True
    if not reached(region[0]):
        return changed
    blocks[region[0]].flags |= BlockFlags.TRY
    for handler, flag in (
        (catch, BlockFlags.CATCH),
        (finally_, BlockFlags.FINALLY),
        (end, BlockFlags.FINALLY_END),
    ):
        if handler:
            blocks[handler].flags |= flag
            if not reached(handler):
                _reach_from(function, handler)
                changed = True
    return changed


def _mark_loop_frees(function: Function, block_of: list[int]) -> None:
    """Mark unreachable blocks that free the variable of a loop or switch whose start is reachable."""
    unreachable = [block for block in function.blocks if not block.reachable]
    frees = [(block, instr) for block in unreachable for instr in block.instrs if is_loop_var_free(instr)]
    if not frees:
        return
    definitions: dict[int, list[int]] = {}
    for number, op in enumerate(function.op_array.ops):
        if op.result.is_temp:
            definitions.setdefault(op.result.num, []).append(number)
    for block, instr in frees:
        numbers = definitions.get(instr.op1.num, [])
        before = bisect_left(numbers, instr.number)
        if before and function.blocks[block_of[numbers[before - 1]]].reachable:
            block.flags |= BlockFlags.UNREACHABLE_FREE
