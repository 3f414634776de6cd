"""Editing a function in SSA form so that it stays one: names, operands, instructions and phis.

Every operation keeps names, chains and phi sources consistent; the verifier's invariants hold before and after. Edges
and blocks are edited with ``ssa.edit_graph``.

Each operation takes time linear in what it touches (the uses of the name, the sources of the phis, the block), so
that a pass over the whole function stays linear; removing many instructions is cheaper together.

Unlike Zend's (zend_ssa.c: zend_ssa_remove_instr and on), instructions disappear instead of turning into NOPs.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from ssa2llvm.ir.function import Alias, Block, BlockFlags, Function, Instr, Phi, RangeConstraint, SsaVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ssa.chains import bounding_name

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


def has_tied_use(function: Function, name: int, slot: int) -> bool:
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
    drop_phi(function.ssa_vars[name].sym_uses, pi)


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
    forget(function, dead)
    _take_out(function, block, dead)


def _take_out(function: Function, block: Block, dead: Container[Instr]) -> None:
    rest = [instr for instr in block.instrs if instr not in dead]
    if block.instrs and block.instrs[0] in dead and is_guarded(function, block):
        rest.insert(0, Instr(Opcode.NOP, line=block.instrs[0].line, number=block.instrs[0].number))
    block.instrs = rest


def is_guarded(function: Function, block: Block) -> bool:
    """Whether exceptions of the block's first instruction go along an edge of its predecessor."""
    return any(
        BlockFlags.THROW_EDGE in function.blocks[pred].flags and function.blocks[pred].succs[0] == block.id
        for pred in block.preds
    )


def remove_together(function: Function, instrs: Iterable[Instr], phis: Iterable[Phi]) -> None:
    """Remove instructions and phis of any blocks at once. What they define may be used among themselves only
    (ValueError, before anything changed). An OP_DATA must be given with its owner; for the NOPs that stay behind see
    ``remove_instructions``."""
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
    forget(function, dead)
    for phi in dead_phis:
        detach_phi(function, phi)
    for block in function.blocks:
        if any(instr in dead for instr in block.instrs):
            _take_out(function, block, dead)


def forget(function: Function, dead: dict[Instr, None]) -> None:
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
        drop_phi(function.ssa_vars[source].phi_uses, phi)
    bound = bounding_name(phi)
    if bound >= 0:
        drop_phi(function.ssa_vars[bound].sym_uses, phi)
    result.definition_phi = None
    drop_phi(function.blocks[phi.block].phis, phi)


def detach_phi(function: Function, phi: Phi) -> None:
    """Remove a phi or pi although its result may still be read in code about to be removed."""
    for source in dict.fromkeys(phi.sources):
        drop_phi(function.ssa_vars[source].phi_uses, phi)
    bound = bounding_name(phi)
    if bound >= 0:
        drop_phi(function.ssa_vars[bound].sym_uses, phi)
    function.ssa_vars[phi.result].definition_phi = None
    drop_phi(function.blocks[phi.block].phis, phi)


def drop_phi(phis: list[Phi], phi: Phi) -> None:
    """Take ``phi`` out of a list of phis, by identity."""
    phis[:] = [other for other in phis if other is not phi]
