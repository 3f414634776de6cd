"""Editing a function in SSA form so that it stays one: every operation keeps names, chains, phi sources and edges
consistent; the verifier's invariants hold before and after.

* Names: ``new_name``, ``new_slot``, ``replace_uses``, ``replace_operand``.
* Instructions: ``insert_instruction``, ``remove_instruction``, ``remove_instructions``, ``remove_phi``,
  ``insert_phi``.
* Edges and blocks: ``keep_successor`` (fold a branch), ``join_successors``, ``redirect_edge``, ``remove_throw_edge``,
  ``remove_unreachable``, ``split_block``, ``split_edge``, ``merge_with_successor``.

Whoever changes edges marks the function ``stale``; dominators and loops are computed again when someone asks
(``cfg.build.tree_of``). Blocks keep their ids, so removed ones leave holes, as in PHP; new ones are appended.
``preds`` and phi sources keep their places, so after an edit predecessors need not ascend any more, nor uses.

Each operation takes time linear in what it touches (the uses of the name, the sources of the phis, the block), so
that a pass over the whole function stays linear; removing many instructions is cheaper together.

Unlike Zend's (zend_ssa.c: zend_ssa_remove_instr and on), instructions disappear instead of turning into NOPs.
"""

from __future__ import annotations

from collections.abc import Iterable

from ssa2llvm.cfg.graph import reachable
from ssa2llvm.ir.function import Alias, Block, BlockFlags, Function, Instr, Phi, RangeConstraint, SsaVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind, word
from ssa2llvm.ssa.chains import bounding_name
from ssa2llvm.ssa.verifier import transfers_control

_READ_FIELDS = (("op1_use", "op1"), ("op2_use", "op2"), ("result_use", "result"))


# Names


def new_slot(function: Function) -> int:
    """Return a fresh temporary's slot."""
    function.extra_slots += 1
    return function.num_slots - 1


def new_name(function: Function, slot: int) -> int:
    """Return a fresh name of ``slot``, to be defined by the next instruction or phi inserted."""
    is_cv = slot < len(function.op_array.cvs)
    function.ssa_vars.append(SsaVar(slot, alias=function.ssa_vars[slot].alias if is_cv else Alias.NONE))
    return len(function.ssa_vars) - 1


def operand_of(function: Function, name: int) -> Operand:
    """Return the operand that stands for ``name`` in an instruction."""
    ssa_var = function.ssa_vars[name]
    if function.is_variable(ssa_var.slot):
        return Operand(OpKind.CV, ssa_var.slot)
    definition = ssa_var.definition
    is_var = definition is not None and definition.result_def == name and definition.result.kind == OpKind.VAR
    return Operand(OpKind.VAR if is_var else OpKind.TMP, ssa_var.slot)


def replace_uses(function: Function, old: int, new: int) -> None:
    """Make everything that reads ``old`` read ``new``: instructions (their operands name ``new``'s slot then), phis,
    pis and their bounds. An instruction that reads and writes an operand (``$x += 1``) ties both to one slot and can
    only be given a name of that slot: ValueError otherwise, before anything changed."""
    if old == new:
        return
    ssa_vars = function.ssa_vars
    slot = ssa_vars[new].slot
    for instr in ssa_vars[old].uses:
        _check_ties(function, instr, old, slot)
    operand = operand_of(function, new)
    for instr in ssa_vars[old].uses:
        already = new in instr.uses()
        _substitute(instr, old, new, operand)
        if not already:
            ssa_vars[new].uses.append(instr)
    ssa_vars[old].uses = []
    for phi in ssa_vars[old].phi_uses:
        if new not in phi.sources:
            ssa_vars[new].phi_uses.append(phi)
        phi.sources = [new if source == old else source for source in phi.sources]
    ssa_vars[old].phi_uses = []
    for pi in ssa_vars[old].sym_uses:
        assert isinstance(pi.constraint, RangeConstraint)
        if pi.constraint.min_var == old:
            pi.constraint.min_var, pi.constraint.min_slot = new, slot
        if pi.constraint.max_var == old:
            pi.constraint.max_var, pi.constraint.max_slot = new, slot
        ssa_vars[new].sym_uses.append(pi)
    ssa_vars[old].sym_uses = []


def _has_tied_use(function: Function, name: int, slot: int) -> bool:
    """Whether an instruction that reads ``name`` cannot read a name of ``slot`` instead."""
    return function.ssa_vars[name].slot != slot and any(
        (instr.op1_use == name and instr.op1_def >= 0)
        or (instr.op2_use == name and instr.op2_def >= 0)
        or (instr.result_use == name and instr.result_def >= 0)
        for instr in function.ssa_vars[name].uses
    )


def _check_ties(function: Function, instr: Instr, old: int, slot: int) -> None:
    for use, definition in (
        (instr.op1_use, instr.op1_def),
        (instr.op2_use, instr.op2_def),
        (instr.result_use, instr.result_def),
    ):
        if use == old and definition >= 0 and function.ssa_vars[definition].slot != slot:
            raise ValueError(
                f"{instr.opcode.name} {instr.number} reads and writes {function.name_text(old)} in one place; "
                f"it cannot read {function.slot_name(slot)}"
            )


def _substitute(instr: Instr, old: int, new: int, operand: Operand) -> None:
    for use_field, operand_field in _READ_FIELDS:
        if getattr(instr, use_field) == old:
            setattr(instr, use_field, new)
            if getattr(instr, operand_field).num != operand.num:
                setattr(instr, operand_field, operand)
    instr.args = [new if name == old else name for name in instr.args]


def replace_operand(function: Function, instr: Instr, which: str, operand: Operand, name: int = -1) -> None:
    """Make ``instr`` read ``operand`` (with SSA name ``name`` if it is a variable) as its ``op1`` or ``op2``."""
    old = instr.uses()
    setattr(instr, which, operand)
    setattr(instr, which + "_use", name)
    now = instr.uses()
    for gone in old:
        if gone not in now:
            function.ssa_vars[gone].uses.remove(instr)
    for come in now:
        if come not in old:
            function.ssa_vars[come].uses.append(instr)


def fix_bound(function: Function, pi: Phi, name: int, low: int | None, high: int | None) -> None:
    """Make the range of ``pi`` independent of ``name``, one of its bounds, of which only is known that it lies in
    [low, high] (None: nothing). What the range says stays true and may become weaker."""
    constraint = pi.constraint
    assert isinstance(constraint, RangeConstraint)
    if constraint.min_var == name:
        constraint.min_var = constraint.min_slot = -1
        constraint.min, constraint.underflow = _fixed(low, constraint.min, constraint.underflow)
    if constraint.max_var == name:
        constraint.max_var = constraint.max_slot = -1
        constraint.max, constraint.overflow = _fixed(high, constraint.max, constraint.overflow)
    if constraint.negative and low != high:
        # "Not equal to something between" excludes nothing.
        constraint.negative, constraint.underflow, constraint.overflow = False, True, True
    _drop(function.ssa_vars[name].sym_uses, pi)


def _fixed(bound: int | None, offset: int, is_open: bool) -> tuple[int, bool]:
    if bound is None or is_open or not -(2**63) <= bound + offset < 2**63:
        return 0, True
    return bound + offset, False


# Instructions and phis


def insert_instruction(function: Function, block: Block, position: int, instr: Instr) -> None:
    """Put ``instr``, whose names are set, before the instruction at ``position`` of ``block``."""
    block.instrs.insert(position, instr)
    for name in instr.uses():
        function.ssa_vars[name].uses.append(instr)
    for name in instr.defs():
        function.ssa_vars[name].definition = instr


def remove_instruction(function: Function, block: Block, instr: Instr) -> None:
    """Remove ``instr`` from ``block``; what it defines must have no uses left (ValueError)."""
    remove_instructions(function, block, [instr])


def remove_instructions(function: Function, block: Block, instrs: Iterable[Instr]) -> None:
    """Remove several instructions of one block. What they define may be used among themselves only (ValueError,
    before anything changed). An OP_DATA goes with its owner. The instruction whose exceptions a THROW_EDGE directs
    leaves a NOP behind, lest the next one take its place."""
    dead = dict.fromkeys(instrs)
    for position, instr in enumerate(block.instrs):
        if instr.opcode == Opcode.OP_DATA and block.instrs[position - 1] in dead:
            dead[instr] = None
    for instr in dead:
        for name in instr.defs():
            ssa_var = function.ssa_vars[name]
            if ssa_var.phi_uses or ssa_var.sym_uses or any(user not in dead for user in ssa_var.uses):
                raise ValueError(
                    f"{function.name_text(name)}, which {instr.opcode.name} {instr.number} defines, is used"
                )
    _forget(function, dead)
    rest = [instr for instr in block.instrs if instr not in dead]
    if block.instrs and block.instrs[0] in dead and _is_guarded(function, block):
        rest.insert(0, Instr(Opcode.NOP, line=block.instrs[0].line, number=block.instrs[0].number))
    block.instrs = rest


def _is_guarded(function: Function, block: Block) -> bool:
    """Whether exceptions of the block's first instruction go along an edge of its predecessor."""
    return any(
        BlockFlags.THROW_EDGE in function.blocks[pred].flags and function.blocks[pred].succs[0] == block.id
        for pred in block.preds
    )


def remove_together(function: Function, instrs: Iterable[Instr], phis: Iterable[Phi]) -> None:
    """Remove instructions and phis of any blocks at once. What they define may be used among themselves only
    (ValueError, before anything changed). An OP_DATA must be given with its owner."""
    dead, dead_phis = dict.fromkeys(instrs), list(phis)
    dead_results = {phi.result for phi in dead_phis}
    for name in [name for instr in dead for name in instr.defs()] + [phi.result for phi in dead_phis]:
        ssa_var = function.ssa_vars[name]
        if (
            any(user not in dead for user in ssa_var.uses)
            or any(user.result not in dead_results for user in ssa_var.phi_uses)
            or any(user.result not in dead_results for user in ssa_var.sym_uses)
        ):
            raise ValueError(f"{function.name_text(name)} is still used")
    _forget(function, dead)
    for phi in dead_phis:
        _detach_phi(function, phi)
    for block in function.blocks:
        if any(instr in dead for instr in block.instrs):
            block.instrs = [instr for instr in block.instrs if instr not in dead]


def _forget(function: Function, dead: dict[Instr, None]) -> None:
    """Take instructions out of the chains, and their names out of them."""
    for name in dict.fromkeys(name for instr in dead for name in instr.uses()):
        function.ssa_vars[name].uses = [user for user in function.ssa_vars[name].uses if user not in dead]
    for instr in dead:
        for name in instr.defs():
            function.ssa_vars[name].definition = None
        instr.op1_use = instr.op2_use = instr.result_use = -1
        instr.op1_def = instr.op2_def = instr.result_def = -1
        instr.args = []


def insert_phi(function: Function, phi: Phi) -> None:
    """Put ``phi``, whose names are set, into its block: a phi last, a pi first."""
    phis = function.blocks[phi.block].phis
    phis.insert(0 if phi.is_pi else len(phis), phi)
    function.ssa_vars[phi.result].definition_phi = phi
    for source in dict.fromkeys(phi.sources):
        function.ssa_vars[source].phi_uses.append(phi)
    bound = bounding_name(phi)
    if bound >= 0:
        function.ssa_vars[bound].sym_uses.append(phi)


def remove_phi(function: Function, phi: Phi) -> None:
    """Remove a phi or pi; its result must have no uses left but the phi itself (ValueError)."""
    result = function.ssa_vars[phi.result]
    if result.uses or result.sym_uses or any(user is not phi for user in result.phi_uses):
        raise ValueError(f"{function.name_text(phi.result)}, which a phi in block {phi.block} defines, is used")
    for source in dict.fromkeys(phi.sources):
        _drop(function.ssa_vars[source].phi_uses, phi)
    bound = bounding_name(phi)
    if bound >= 0:
        _drop(function.ssa_vars[bound].sym_uses, phi)
    result.definition_phi = None
    _drop(function.blocks[phi.block].phis, phi)


def _drop(phis: list[Phi], phi: Phi) -> None:
    phis[:] = [other for other in phis if other is not phi]


# Edges and blocks


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
        _forget(function, {last: None})
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
            _drop(function.ssa_vars[source].phi_uses, phi)
    for phi in list(block.phis):
        if phi.pi == pred:
            # Other paths never saw this name. Where it was read, the edge is gone and the code below with it,
            # unless another predecessor remains, and then a phi had collected it.
            _detach_phi(function, phi)


def _detach_phi(function: Function, phi: Phi) -> None:
    """Remove a phi or pi although its result may still be read in code about to be removed."""
    for source in dict.fromkeys(phi.sources):
        _drop(function.ssa_vars[source].phi_uses, phi)
    bound = bounding_name(phi)
    if bound >= 0:
        _drop(function.ssa_vars[bound].sym_uses, phi)
    function.ssa_vars[phi.result].definition_phi = None
    _drop(function.blocks[phi.block].phis, phi)


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
    _forget(function, {instr: None for block in removed for instr in block.instrs})
    for block in removed:
        for phi in list(block.phis):
            _detach_phi(function, phi)
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
    if position == 0 and _is_guarded(function, block):
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
        if _has_tied_use(function, phi.result, function.ssa_vars[source].slot):
            copy = Instr(Opcode.COPY, operand_of(function, source), result=operand_of(function, phi.result))
            copy.op1_use, copy.result_def = source, phi.result
            _detach_phi(function, phi)
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
