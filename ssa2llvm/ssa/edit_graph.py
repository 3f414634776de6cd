"""Editing the graph of a function in SSA form: folding branches, redirecting, splitting and merging, removing what
nothing reaches.

Names, chains, phi sources and edges stay consistent; the verifier's invariants hold before and after (where an
operation says so: after ``remove_unreachable``). Whoever changes edges marks the function ``stale``; dominators and
loops are computed again when someone asks (``cfg.build.tree_of``). Blocks keep their ids, so removed ones leave holes,
as in PHP; new ones are appended. ``preds`` and phi sources keep their places, so after an edit predecessors need not
ascend any more, nor uses.

Each operation takes time linear in the blocks it touches, ``remove_unreachable`` in the function.
"""

from __future__ import annotations

from ssa2llvm.cfg.graph import reachable
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import word
from ssa2llvm.ssa.edit import (
    detach_phi,
    drop_phi,
    forget,
    has_tied_use,
    insert_instruction,
    is_guarded,
    operand_of,
    remove_phi,
    replace_uses,
)
from ssa2llvm.ssa.verifier import transfers_control


def keep_successor(function: Function, block: Block, position: int) -> None:
    """Make ``block`` always go to ``succs[position]``. The branch at its end becomes a JMP; if it defines a result,
    that must have no uses left (ValueError). What only the other edges led to stays behind until
    ``remove_unreachable``; the function is stale until then."""
    if BlockFlags.THROW_EDGE in block.flags:
        raise ValueError(f"block {block.id} branches only by exception: see remove_throw_edge")
    last = block.instrs[-1]
    if len(block.succs) > 1:
        for name in last.defs():
            if function.ssa_vars[name].uses or function.ssa_vars[name].phi_uses or function.ssa_vars[name].sym_uses:
                raise ValueError(f"{function.name_text(name)}, which {last.opcode.name} {last.number} defines, is used")
        forget(function, {last: None})
        jump = Instr(Opcode.JMP, op1=word(0), line=last.line, number=last.number)
        block.instrs[-1] = jump
    kept = block.succs[position]
    lost = [succ for succ in dict.fromkeys(block.succs) if succ != kept]
    block.succs = [kept]
    for succ in lost:
        _remove_predecessor(function, function.blocks[succ], block.id)
    function.stale = True


def remove_throw_edge(function: Function, block: Block) -> None:
    """Take away the edge to the handler: the instruction behind ``block`` is known not to throw. The function is
    stale until ``remove_unreachable``."""
    following, handler = block.succs
    block.flags &= ~BlockFlags.THROW_EDGE
    block.succs = [following]
    if handler != following:
        _remove_predecessor(function, function.blocks[handler], block.id)
    function.stale = True


def redirect_edge(function: Function, block: Block, position: int, target: Block, sources: list[int]) -> None:
    """Let the edge to ``succs[position]`` lead to ``target`` instead, which ``block`` did not lead to. Phis it led to
    lose what they took from here; those of ``target`` take ``sources``, in their order. The caller sees to it that
    every name read behind ``target`` comes this way too. Raises ValueError for a block with THROW_EDGE."""
    if BlockFlags.THROW_EDGE in block.flags or block.id in target.preds:
        raise ValueError(f"block {block.id} cannot lead to block {target.id}")
    before = function.blocks[block.succs[position]]
    block.succs[position] = target.id
    if before.id not in block.succs:
        _remove_predecessor(function, before, block.id)
    target.preds.append(block.id)
    for phi, source in zip([phi for phi in target.phis if not phi.is_pi], sources, strict=True):
        if source not in phi.sources:
            function.ssa_vars[source].phi_uses.append(phi)
        phi.sources.append(source)
    function.stale = True


def join_successors(function: Function, block: Block, position: int, other: int) -> None:
    """Let the edge to ``succs[position]`` lead where ``succs[other]`` does: the branch never takes it. The function is
    stale until ``remove_unreachable``. Raises ValueError for a block with THROW_EDGE."""
    if BlockFlags.THROW_EDGE in block.flags:
        raise ValueError(f"block {block.id} branches only by exception")
    lost = block.succs[position]
    block.succs[position] = block.succs[other]
    if lost not in block.succs:
        _remove_predecessor(function, function.blocks[lost], block.id)
    function.stale = True


def _remove_predecessor(function: Function, block: Block, pred: int) -> None:
    """Take ``pred`` out of ``block``'s predecessors, and what its phis and pis take from there."""
    position = block.preds.index(pred)
    del block.preds[position]
    for phi in list(block.phis):
        if phi.is_pi:
            continue
        source = phi.sources.pop(position)
        if source not in phi.sources:
            drop_phi(function.ssa_vars[source].phi_uses, phi)
    for phi in list(block.phis):
        if phi.pi == pred:
            # Other paths never saw this name. Where it was read, the edge is gone and the code below with it,
            # unless another predecessor remains, and then a phi had collected it.
            detach_phi(function, phi)


def remove_unreachable(function: Function) -> list[int]:
    """Empty every block that the entry no longer reaches, and return their ids, ascending. Their edges go, with the
    phi sources and pis on them; names they defined lose their definitions. With a FAST_CALL goes the way back behind
    it, one successor of its finally's FAST_RET."""
    blocks = function.blocks
    closed: set[Instr] = set()
    while True:
        is_reachable = reachable([block.succs for block in blocks])
        removed = [block for block in blocks if block.reachable and not is_reachable[block.id]]
        calls = [block.instrs[-1] for block in removed if block.instrs and block.instrs[-1].opcode == Opcode.FAST_CALL]
        open_calls = [call for call in calls if call not in closed]
        if not open_calls:
            break
        for call in open_calls:
            _close_return(function, call, closed)
            closed.add(call)
    for block in removed:
        for succ in dict.fromkeys(block.succs):
            if is_reachable[succ]:
                _remove_predecessor(function, blocks[succ], block.id)
        block.succs = []
    forget(function, {instr: None for block in removed for instr in block.instrs})
    for block in removed:
        for phi in list(block.phis):
            detach_phi(function, phi)
        block.instrs = []
        block.preds = []
        block.length = 0
        block.flags = BlockFlags.NONE
    if removed:
        function.stale = True
    return [block.id for block in removed]


def _close_return(function: Function, call: Instr, closed: set[Instr]) -> None:
    """Remove the edge from FAST_RET back behind the FAST_CALL ``call``: successors of a FAST_RET stand in the order of
    the calls of its finally (``cfg.exceptions``). ``closed`` calls have lost theirs already."""
    region = next(region for region in function.op_array.try_catch if region.finally_op == call.op1.num)
    position = 0
    returning = None
    for block in function.blocks:
        last = block.instrs[-1] if block.instrs and block.reachable else None
        if last is None:
            continue
        if last.opcode == Opcode.FAST_RET and last.number == region.finally_end:
            returning = block
        elif last.opcode == Opcode.FAST_CALL and last.op1.num == call.op1.num and last not in closed:
            position += last.number < call.number
    if returning is not None:
        target = returning.succs.pop(position)
        if target not in returning.succs:
            _remove_predecessor(function, function.blocks[target], returning.id)


def split_block(function: Function, block: Block, position: int) -> Block:
    """Cut ``block`` before the instruction at ``position``; return the new block with the rest, to which it falls
    through. Raises ValueError if that separates an OP_DATA from its owner, or a throwing instruction from the edge to
    its handler."""
    if position < len(block.instrs) and block.instrs[position].opcode == Opcode.OP_DATA:
        raise ValueError(f"block {block.id} cannot be cut before an OP_DATA")
    if position == 0 and is_guarded(function, block):
        raise ValueError(f"block {block.id} must start with the instruction whose exceptions its predecessor directs")
    rest = _new_block(function)
    rest.instrs = block.instrs[position:]
    rest.start, rest.length = block.start + position, len(rest.instrs)
    del block.instrs[position:]
    block.length = len(block.instrs)
    moved = block.flags & (BlockFlags.THROW_EDGE | BlockFlags.EXIT)
    rest.flags = BlockFlags.REACHABLE | BlockFlags.FOLLOW | moved
    block.flags &= ~moved
    rest.succs, block.succs = block.succs, [rest.id]
    rest.preds = [block.id]
    for succ in dict.fromkeys(rest.succs):
        _rename_predecessor(function.blocks[succ], block.id, rest.id)
    return rest


def split_edge(function: Function, block: Block, position: int) -> Block:
    """Put an empty block on the edge to ``succs[position]`` and return it. If further edges lead from ``block`` to
    the same place, only this one is redirected. Raises ValueError for the regular edge out of a block with
    THROW_EDGE."""
    if position == 0 and BlockFlags.THROW_EDGE in block.flags:
        raise ValueError(f"the instruction behind block {block.id} must follow it directly")
    target = function.blocks[block.succs[position]]
    middle = _new_block(function)
    middle.flags = BlockFlags.REACHABLE | BlockFlags.FOLLOW
    middle.start = target.start
    middle.succs, middle.preds = [target.id], [block.id]
    block.succs[position] = middle.id
    if target.id in block.succs:
        source_position = target.preds.index(block.id)
        target.preds.append(middle.id)
        for phi in target.phis:
            if not phi.is_pi:
                phi.sources.append(phi.sources[source_position])
    else:
        _rename_predecessor(target, block.id, middle.id)
    return middle


def merge_with_successor(function: Function, block: Block) -> Block:
    """Append to ``block`` the only block it leads to, which has no other predecessor; return the emptied block, now
    unreachable. Phis there have one source and are replaced by it, pis by what they copy; a name that an instruction
    ties to its variable, where that source is another's, is copied instead. Raises ValueError if there is no such
    block, or ``block`` ends in more than a JMP."""
    if len(block.succs) != 1 or function.blocks[block.succs[0]].preds != [block.id] or block.succs[0] == block.id:
        raise ValueError(f"block {block.id} and its successor are not alone with each other")
    ends_in_jump = bool(block.instrs) and block.instrs[-1].opcode == Opcode.JMP
    if block.instrs and transfers_control(block.instrs[-1]) and not ends_in_jump:
        raise ValueError(f"block {block.id} ends in {block.instrs[-1].opcode.name}")
    rest = function.blocks[block.succs[0]]
    if ends_in_jump:
        block.instrs.pop()
    for phi in list(rest.phis):
        source = phi.sources[0]
        if has_tied_use(function, phi.result, function.ssa_vars[source].slot):
            copy = Instr(Opcode.COPY, operand_of(function, source), result=operand_of(function, phi.result))
            copy.op1_use, copy.result_def = source, phi.result
            detach_phi(function, phi)
            insert_instruction(function, block, len(block.instrs), copy)
        else:
            replace_uses(function, phi.result, source)
            remove_phi(function, phi)
    block.instrs += rest.instrs
    block.length = len(block.instrs)
    block.flags |= rest.flags & (BlockFlags.THROW_EDGE | BlockFlags.EXIT)
    block.succs, rest.succs = rest.succs, []
    for succ in dict.fromkeys(block.succs):
        _rename_predecessor(function.blocks[succ], rest.id, block.id)
    rest.instrs, rest.preds, rest.length, rest.flags = [], [], 0, BlockFlags.NONE
    function.stale = True
    return rest


def _new_block(function: Function) -> Block:
    block = Block(len(function.blocks))
    function.blocks.append(block)
    function.stale = True
    return block


def _rename_predecessor(block: Block, old: int, new: int) -> None:
    """The edge from ``old`` comes from ``new`` now."""
    block.preds[block.preds.index(old)] = new
    for phi in block.phis:
        if phi.pi == old:
            phi.pi = new
