"""Is an op array that was read from somewhere well formed? The one gate behind every reader.

Later stages index lists by slot, literal and instruction number without looking; a reader must let no op array through
in which one of these is out of range. One pass over the instructions.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, THROW_IS_EXPR, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, Flow, WordKind, op_info

_TABLE_OPCODES = frozenset({Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH})
_FOLLOWED_BY_OP_DATA = frozenset(
    {
        Opcode.ASSIGN_DIM, Opcode.ASSIGN_OBJ, Opcode.ASSIGN_STATIC_PROP, Opcode.ASSIGN_DIM_OP, Opcode.ASSIGN_OBJ_OP,
        Opcode.ASSIGN_STATIC_PROP_OP, Opcode.ASSIGN_OBJ_REF, Opcode.ASSIGN_STATIC_PROP_REF,
    }
)  # fmt: skip
_OPERATORS = frozenset(range(Opcode.ADD, Opcode.POW + 1))
_MAX_TEMPS = 1 << 20
"""Later stages have tables with a place for each slot; a header that promises more temporaries than this is wrong."""
_ENDS = frozenset({Flow.RETURN, Flow.JUMP, Flow.THROW, Flow.MATCH, Flow.FAST_RET})


def linear_problem(op_array: OpArray) -> str | None:
    """The first thing wrong with ``op_array``, or None. Nested functions are not looked into."""
    if not op_array.ops:
        return "no instructions"
    if not 0 <= op_array.num_temps <= _MAX_TEMPS:
        return f"{op_array.num_temps} temporaries"
    for number, op in enumerate(op_array.ops):
        problem = _op_problem(op_array, op, number)
        if problem is not None:
            return f"instruction {number:04d} ({op.opcode.name}): {problem}"
    last = op_array.ops[-1].opcode
    if op_info(last).flow not in _ENDS and _runs_off_the_end(op_array):
        return f"control runs off the end after {last.name}"
    for live_range in op_array.live_ranges:
        if not len(op_array.cvs) <= live_range.slot < op_array.num_slots:
            return f"live range of slot {live_range.slot}, which is no temporary"
    return None


def _runs_off_the_end(op_array: OpArray) -> bool:
    """Whether the last instruction can be reached (PHP's block pass leaves FREEs behind that cannot)."""
    count = len(op_array.ops)
    handlers = [place for entry in op_array.try_catch for place in (entry.catch_op, entry.finally_op) if place]
    pending, seen = [0, *handlers], [False] * count
    while pending:
        number = pending.pop()
        if number == count - 1:
            return True
        if seen[number]:
            continue
        seen[number] = True
        op = op_array.ops[number]
        pending += jump_targets(op_array, op)
        if op_info(op.opcode).flow not in _ENDS or _is_expression(op):
            pending.append(number + 1)
    return False


def _is_expression(op: Op) -> bool:
    """Whether a THROW, EXIT or MATCH_ERROR stands inside an expression, so that PHP lets its block go on."""
    return op_info(op.opcode).flow == Flow.THROW and bool(op.extended_value & THROW_IS_EXPR)


def _op_problem(op_array: OpArray, op: Op, number: int) -> str | None:
    for operand in (op.op1, op.op2, op.result):
        problem = _operand_problem(op_array, operand)
        if problem is not None:
            return problem
    info = op_info(op.opcode)
    if (info.op1 == WordKind.JMP_ADDR and op.op1.kind != OpKind.UNUSED) or (
        info.op2 == WordKind.JMP_ADDR and op.op2.kind != OpKind.UNUSED
    ):
        return "its jump target is a value"
    for target in jump_targets(op_array, op):
        if not 0 <= target < len(op_array.ops):
            return f"jumps to {target:04d}, outside the function"
    if op.opcode in _TABLE_OPCODES and not (op.op2.is_const and isinstance(op_array.literals[op.op2.num], JumpTable)):
        return "has no jump table"
    if info.ext == ExtKind.OP and op.extended_value not in _OPERATORS:
        return "its operator is none"
    if op.opcode in _FOLLOWED_BY_OP_DATA and (
        number + 1 >= len(op_array.ops) or op_array.ops[number + 1].opcode != Opcode.OP_DATA
    ):
        return "needs OP_DATA behind it"
    return None


def _operand_problem(op_array: OpArray, operand: Operand) -> str | None:
    if operand.kind == OpKind.CONST and not 0 <= operand.num < len(op_array.literals):
        return f"no literal {operand.num}"
    if operand.kind == OpKind.CV and not 0 <= operand.num < len(op_array.cvs):
        return f"no variable {operand.num}"
    if operand.is_temp and not len(op_array.cvs) <= operand.num < op_array.num_slots:
        return f"no temporary {operand.num}"
    return None


def jump_targets(op_array: OpArray, op: Op) -> list[int]:
    """The instructions that ``op`` may jump to."""
    info = op_info(op.opcode)
    targets = []
    if info.op1 == WordKind.JMP_ADDR:
        targets.append(op.op1.num)
    if info.op2 == WordKind.JMP_ADDR and not (op.opcode == Opcode.CATCH and op.extended_value & LAST_CATCH):
        targets.append(op.op2.num)
    if ExtKind.JMP_ADDR in info.ext:
        targets.append(op.extended_value)
    if op.opcode in _TABLE_OPCODES and op.op2.is_const:
        table = op_array.literals[op.op2.num]
        if isinstance(table, JumpTable):
            targets += [target for _, target in table.entries]
    return targets
