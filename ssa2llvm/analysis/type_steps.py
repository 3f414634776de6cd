"""One step of type propagation: what an instruction or a pi defines, given facts of what it reads.

The transfer functions (``transfer``) see masks; this is where the masks of an instruction's operands come from. It
knows nothing of worklists, so that engines with different ideas of what is reachable share it: ``type_solver`` takes
every edge for possible, ``opt.sctp`` only those that types allow.

Constant time a step.
"""

from __future__ import annotations

from ssa2llvm.analysis.count_rules import counted_defs
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import ARRAY_PART, REACHABLE, UNKNOWN
from ssa2llvm.analysis.reference_counts import without_counts
from ssa2llvm.analysis.transfer import table
from ssa2llvm.analysis.transfer.core import Defs, Operands
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr, Phi, TypeConstraint
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import MAY_BE_REF

NEEDS_DATA = frozenset(
    {
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_OBJ_OP,
        Opcode.ASSIGN_STATIC_PROP_OP,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_OBJ,
    }
)
"""Opcodes that read the operand of the OP_DATA behind them."""


def operand_type(view: FunctionView, facts: Facts, operand: Operand, use: int) -> int:
    """The mask of an operand: a literal's own, that of its name, or that of anything."""
    if operand.kind == OpKind.CONST:
        return view.literal_mask(operand.num)
    return facts.types[use] if use >= 0 else UNKNOWN | view.counts


def nested_in(view: FunctionView, facts: Facts, operand: Operand, use: int) -> int:
    """What the arrays in the array in an operand may be (``Facts.nested``)."""
    if operand.kind == OpKind.CONST:
        return view.literal_nested(operand.num) if view.sound else ARRAY_PART
    return facts.nested_in(use)


def operands_of(view: FunctionView, facts: Facts, instr: Instr) -> Operands:
    """What ``instr`` (no OP_DATA) reads, by ``facts``."""
    data = view.sites[instr].data
    ranged = instr.op1_def if instr.opcode == Opcode.ASSIGN_OP else instr.result_def
    return Operands(
        instr=instr,
        env=view,
        sound=view.sound,
        overloading=view.context.options.overloading and not view.sound,
        op1=operand_type(view, facts, instr.op1, instr.op1_use),
        op2=operand_type(view, facts, instr.op2, instr.op2_use),
        data=operand_type(view, facts, data.op1, data.op1_use) if data is not None else UNKNOWN | view.counts,
        result_in=facts.types[instr.result_use] if instr.result_use >= 0 else UNKNOWN | view.counts,
        op1_out=facts.types[instr.op1_def] if instr.op1_def >= 0 else 0,
        op1_class=facts.classes[instr.op1_use] if instr.op1_use >= 0 else None,
        op2_class=facts.classes[instr.op2_use] if instr.op2_use >= 0 else None,
        op1_nested=nested_in(view, facts, instr.op1, instr.op1_use),
        op1_range=facts.ranges[instr.op1_use] if instr.op1_use >= 0 else None,
        result_range=facts.ranges[ranged] if ranged >= 0 else None,
    )


def defined_by(view: FunctionView, facts: Facts, instr: Instr) -> Defs | None:
    """What ``instr`` (no OP_DATA) defines by ``facts``; None if something that it reads has no type, so that it
    never runs."""
    operands = operands_of(view, facts, instr)
    unreachable = (
        not operands.op1 & REACHABLE
        or not operands.op2 & REACHABLE
        or not operands.result_in & REACHABLE
        or (instr.opcode in NEEDS_DATA and not operands.data & REACHABLE)
    )
    if unreachable:
        return None
    return counted_defs(operands, view) if view.counts else table.defs_of(operands)


def type_behind_pi(view: FunctionView, pi: Phi, mask: int) -> int:
    """What is left of ``mask``, the type of what ``pi`` copies, on the edge of ``pi``."""
    constraint = pi.constraint
    if isinstance(constraint, TypeConstraint):
        return without_counts(mask & constraint.mask) if view.counts else mask & constraint.mask
    if view.sound and constraint is not None and not mask & MAY_BE_REF:
        return mask & ~view.comparisons.excluded_types(pi)
    return mask
