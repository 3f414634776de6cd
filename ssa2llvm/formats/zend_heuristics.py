"""Flags that decide the control-flow graph and that PHP's dump text does not show, recovered from the code around.

PHP keeps in ``extended_value``, and never prints:

* FREE_SWITCH on the FREE of a switch or match subject. Like the FE_FREE at a loop's end it starts a block of its own;
* FREE_ON_RETURN on a FREE or FE_FREE by which a ``return``, ``break 2``, ``continue 2`` or ``goto`` leaves the loop or
  switch: no block starts there;
* THROW_IS_EXPR on THROW, EXIT and MATCH_ERROR inside an expression: the block goes on behind it.

Rules, each from how Zend/zend_compile.c emits these instructions:

* a temporary that CASE, CASE_STRICT, SWITCH_*, MATCH or MATCH_ERROR looks at is a subject, and so is one whose
  definition (not the QM_ASSIGN at the end of an arm) is followed by a JMP to the next instruction and which nothing but
  FREE uses: a switch with a default only;
* the last FREE or FE_FREE of a subject or iterator in the code belongs to its end, all those before it leave early;
* a throw or exit has the value ``true`` in an expression: a THROW or EXIT followed by a use of the constant ``true`` to
  which nothing jumps stands in one;
* a MATCH_ERROR behind which no arm begins, so that nothing jumps there, is that of a match without arms, which counts
  as an expression.

They are guesses: docs/conformance.md says how often they fail on PHP's own tests. Linear.
"""

from __future__ import annotations

from itertools import pairwise

from ssa2llvm.formats.linear_check import jump_targets
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_ON_RETURN, FREE_SWITCH, THROW_IS_EXPR

_FREES = (Opcode.FREE, Opcode.FE_FREE)
_SUBJECT_USERS = frozenset(
    {Opcode.CASE, Opcode.CASE_STRICT, Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH, Opcode.MATCH_ERROR}
)


def recover_hidden_flags(op_array: OpArray) -> None:
    """Set the hidden flags of ``op_array``'s instructions in place."""
    ops = op_array.ops
    subjects = _subjects(ops)
    last_free = {op.op1.num: number for number, op in enumerate(ops) if op.opcode in _FREES}
    targets = {target for op in ops for target in jump_targets(op_array, op)}
    for number, op in enumerate(ops):
        if op.opcode == Opcode.FE_FREE or (op.opcode == Opcode.FREE and op.op1.num in subjects):
            if number < last_free[op.op1.num]:
                op.extended_value = FREE_ON_RETURN
            elif op.opcode == Opcode.FREE:
                op.extended_value = FREE_SWITCH
        elif number + 1 < len(ops) and number + 1 not in targets:
            is_throw = op.opcode in (Opcode.THROW, Opcode.EXIT)
            if op.opcode == Opcode.MATCH_ERROR or (is_throw and _uses_true(op_array, ops[number + 1])):
                op.extended_value = THROW_IS_EXPR


def _subjects(ops: list[Op]) -> set[int]:
    """Temporaries that a switch or match looks at."""
    subjects = {op.op1.num for op in ops if op.opcode in _SUBJECT_USERS and op.op1.is_temp}
    used = {operand.num for op in ops if op.opcode not in _FREES for operand in (op.op1, op.op2) if operand.is_temp}
    for number, (op, following) in enumerate(pairwise(ops)):
        to_next = following.opcode == Opcode.JMP and following.op1.num == number + 2
        if to_next and op.opcode != Opcode.QM_ASSIGN and op.result.is_temp and op.result.num not in used:
            subjects.add(op.result.num)
    return subjects


def _uses_true(op_array: OpArray, op: Op) -> bool:
    return any(operand.is_const and op_array.literal(operand) is True for operand in (op.op1, op.op2))
