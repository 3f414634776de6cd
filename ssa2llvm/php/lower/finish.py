"""The end of a function: jumps resolved, temporaries moved behind the variables, live ranges (Zend/zend_opcode.c:
pass_two).

``break``, ``continue`` and ``goto`` are JMPs whose operands still say how many loops they leave; FAST_CALL names a
try block.  A ``goto`` emitted the frees for all enclosing loops; those of loops that it stays in become NOPs.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, Op, OpArray, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, OpKind, word
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.live_ranges import live_ranges
from ssa2llvm.values.operators import is_commuted
from ssa2llvm.values.types import to_text


def finish_function(c: Compiler) -> OpArray:
    """The finished op array of the function being compiled."""
    function = c.function
    for opnum, kind in function.pending_jumps:
        if kind == "goto":
            _resolve_goto(c, opnum)
        else:
            _resolve_break(c, opnum, kind)
    if function.flags & FnFlags.HAS_FINALLY:
        for opnum, _ in function.pending_jumps:
            _check_finally(c, opnum, function.ops[opnum].op1.num)
    shift = len(function.cvs)
    for op in function.ops:
        _finish_op(c, op, shift)
    op_array = OpArray(
        name=function.name if not function.is_main else "$_main",
        filename=c.filename,
        line_start=function.line_start,
        line_end=function.line_end,
        ops=function.ops,
        literals=function.literals,
        cvs=list(function.cvs),
        num_temps=function.temps,
        num_args=function.num_args,
        required_num_args=function.required_num_args,
        arg_info=function.arg_info,
        return_type=function.return_type,
        flags=function.flags,
        try_catch=[TryCatch(t.try_op, t.catch_op, t.finally_op, t.finally_end) for t in function.try_catch],
        static_vars=c.static_vars(),
        dynamic_defs=function.dynamic_defs,
        scope=function.scope.name if function.scope is not None else None,
        is_main=function.is_main,
        offset=function.offset,
    )
    op_array.live_ranges = live_ranges(op_array)
    return op_array


def _finish_op(c: Compiler, op: Op, shift: int) -> None:
    function = c.function
    if op.opcode == Opcode.FAST_CALL:
        op.op1 = word(function.try_catch[op.op1.num].finally_op)
    elif op.opcode in (Opcode.RETURN, Opcode.RETURN_BY_REF) and function.flags & FnFlags.GENERATOR:
        op.opcode = Opcode.GENERATOR_RETURN
        op.extended_value = 0
    elif op.opcode == Opcode.ASSERT_CHECK and function.ops[op.op2.num - 1].result.kind == OpKind.UNUSED:
        op.result = UNUSED
    op.op1 = _shifted(op.op1, shift)
    op.op2 = _shifted(op.op2, shift)
    op.result = _shifted(op.result, shift)
    if is_commuted(op.opcode, op.op1.kind, op.op2.kind):
        op.op1, op.op2 = op.op2, op.op1


def _shifted(operand: Operand, shift: int) -> Operand:
    return Operand(operand.kind, operand.num + shift) if operand.is_temp else operand


def _resolve_break(c: Compiler, opnum: int, kind: str) -> None:
    op = c.function.ops[opnum]
    targets = c.function.break_targets
    target = targets[op.op1.num]
    for _ in range(op.op2.num - 1):
        target = targets[target.parent]
    op.op1 = word(target.break_at if kind == "break" else target.continue_at)
    op.op2 = UNUSED


def _resolve_goto(c: Compiler, opnum: int) -> None:
    function = c.function
    op = function.ops[opnum]
    name = function.literals[op.op2.num]
    assert isinstance(name, bytes)
    function.literals[op.op2.num] = None
    label = function.labels.get(to_text(name))
    if label is None:
        c.line = op.line
        c.error(f"'goto' to undefined label '{to_text(name)}'")
    removable = op.op1.num
    current = op.extended_value
    while current != label.break_target:
        if current == -1:
            c.line = op.line
            c.error("'goto' into loop or switch statement is disallowed")
        removable -= function.break_targets[current].frees
        current = function.break_targets[current].parent
    for element in function.try_catch:
        if element.try_op > opnum:
            break
        leaves = label.opnum > element.finally_end or label.opnum < element.try_op
        if element.finally_op and opnum < element.finally_op - 1 and leaves:
            removable -= 1
    op.op1 = word(label.opnum)
    op.op2 = UNUSED
    op.extended_value = 0
    for index in range(opnum - removable, opnum):
        function.ops[index] = Op(Opcode.NOP, line=function.ops[index].line)


def _check_finally(c: Compiler, opnum: int, target: int) -> None:
    """No jump may enter or leave a finally block (zend_check_finally_breakout)."""
    for element in c.function.try_catch:
        first, last = element.finally_op, element.finally_end
        if not first <= opnum < last and first <= target <= last:
            c.line = c.function.ops[opnum].line
            c.error("jump into a finally block is disallowed")
        if first <= opnum <= last and not first <= target <= last:
            c.line = c.function.ops[opnum].line
            c.error("jump out of a finally block is disallowed")
