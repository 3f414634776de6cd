"""Flags that decide the control-flow graph and that PHP's dump text does not show, recovered from the code around.

PHP keeps in ``extended_value``, and never prints:

* FREE_SWITCH on the FREE of a switch or match subject, and nothing on the FE_FREE at a loop's end: such an instruction
  frees a loop variable and starts a block of its own;
* FREE_ON_RETURN on a FREE or FE_FREE that stands before a ``return`` out of the loop: no block starts there;
* THROW_IS_EXPR on THROW, EXIT and MATCH_ERROR inside an expression: the block goes on behind it.

Rules (zend-reference 6.4), each from how Zend/zend_compile.c emits these instructions:

* the subject of CASE, CASE_STRICT, SWITCH_* or MATCH, when freed, is freed by FREE_SWITCH, unless the freeing is the
  unwinding before a return;
* the unwinding before a return is a run of FREE, FE_FREE, FAST_CALL and VERIFY_RETURN_TYPE that ends in a RETURN, and
  after which the loop variable is used or freed once more;
* a THROW or EXIT followed by ``T = QM_ASSIGN bool(true)`` or ``BOOL bool(true)`` stands in an expression;
* a MATCH_ERROR behind which no arm begins, so that nothing jumps there, is that of a match without arms, which counts
  as an expression.

They are guesses: ``docs/conformance.md`` counts how often they fail on PHP's own tests. Linear.
"""

from __future__ import annotations

from ssa2llvm.formats.linear_check import jump_targets
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_ON_RETURN, FREE_SWITCH, THROW_IS_EXPR

_RETURNS = frozenset({Opcode.RETURN, Opcode.RETURN_BY_REF, Opcode.GENERATOR_RETURN})
_UNWINDING = frozenset(
    {Opcode.FREE, Opcode.FE_FREE, Opcode.FAST_CALL, Opcode.DISCARD_EXCEPTION, Opcode.VERIFY_RETURN_TYPE}
)
_SUBJECT_USERS = frozenset({Opcode.CASE, Opcode.CASE_STRICT, Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH})


def recover_hidden_flags(op_array: OpArray) -> None:
    """Set the hidden flags of ``op_array``'s instructions in place."""
    ops = op_array.ops
    subjects = {op.op1.num for op in ops if op.opcode in _SUBJECT_USERS and op.op1.is_temp}
    last_free: dict[int, int] = {}
    for number, op in enumerate(ops):
        if op.opcode in (Opcode.FREE, Opcode.FE_FREE):
            last_free[op.op1.num] = number
    unwinds = _before_return(ops)
    targets = {target for op in ops for target in jump_targets(op_array, op)}
    for number, op in enumerate(ops):
        if op.opcode == Opcode.FE_FREE or (op.opcode == Opcode.FREE and op.op1.num in subjects):
            if unwinds[number] and last_free[op.op1.num] > number:
                op.extended_value = FREE_ON_RETURN
            elif op.opcode == Opcode.FREE:
                op.extended_value = FREE_SWITCH
        elif op.opcode in (Opcode.THROW, Opcode.EXIT) and number + 1 < len(ops):
            if _is_true_of_expression(op_array, ops[number + 1]):
                op.extended_value = THROW_IS_EXPR
        elif op.opcode == Opcode.MATCH_ERROR and number + 1 not in targets:
            op.extended_value = THROW_IS_EXPR


def _before_return(ops: list[Op]) -> list[bool]:
    """For each instruction, whether only unwinding stands between it and a return."""
    result = [False] * len(ops)
    for number in range(len(ops) - 2, -1, -1):
        following = ops[number + 1].opcode
        result[number] = following in _RETURNS or (following in _UNWINDING and result[number + 1])
    return result


def _is_true_of_expression(op_array: OpArray, op: Op) -> bool:
    """Whether ``op`` is the ``T = true`` that PHP emits as the value of a throw or exit expression."""
    if op.opcode not in (Opcode.QM_ASSIGN, Opcode.BOOL, Opcode.JMPZ, Opcode.JMPNZ):
        return False
    return op.op1.is_const and op_array.literal(op.op1) is True
