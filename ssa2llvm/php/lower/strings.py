"""Interpolated strings and array literals (Zend/zend_compile.c: zend_compile_encaps_list, zend_compile_array).

Three or more parts make a rope: ROPE_INIT, ROPE_ADD …, ROPE_END on a row of temporaries.  Zend emits the rope first
and changes its mind at the end: one part is a cast, two are a FAST_CONCAT.  The slot of a constant part is reserved
when the constant is met and filled when the next variable part comes, because the constants between are joined; a
slot that is not needed stays a NOP.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_NOT_PACKED, ARRAY_SIZE_SHIFT, UNUSED, Operand, OpKind
from ssa2llvm.ir.types import IS_STRING
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, ExpressionTable, Fetch, ZNode
from ssa2llvm.php.lower.variables import ensure_writable
from ssa2llvm.values.array_key import string_key
from ssa2llvm.values.host import Level

_ROPE = Operand(OpKind.TMP, -1)  # the rope's row of temporaries, chosen when the number of parts is known
_POINTERS_A_SLOT = 2


def _encaps(c: Compiler, node: ast.Encaps) -> ZNode:
    count = 0
    first = -1
    pending: bytes | None = None
    reserved = -1
    for part in node.parts:
        _report_deprecated(c, part)
        value = c.expr(part)
        if isinstance(value, Const):
            text = fold.text(value.value)
            if pending is not None:
                pending += text
            elif text:
                pending = text
                reserved = c.next_op
                c.emit(Opcode.NOP)
            continue
        if count == 0:
            first = reserved if pending is not None else c.next_op
        if pending is not None:
            _rope_part(c, c.function.ops[reserved], count, Const(pending))
            count += 1
            pending = None
        _rope_part(c, c.emit(Opcode.NOP), count, value)
        count += 1
    if pending is not None:
        last = reserved
        _rope_part(c, c.function.ops[reserved], count, Const(pending))
        count += 1
    else:
        last = _last_rope_op(c, first)
    return _finish(c, first, last, count)


def _last_rope_op(c: Compiler, first: int) -> int:
    for opnum in range(c.next_op - 1, first - 1, -1):
        if c.function.ops[opnum].result == _ROPE:
            return opnum
    return first


def _rope_part(c: Compiler, op: Op, number: int, value: ZNode) -> None:
    op.opcode = Opcode.ROPE_INIT if number == 0 else Opcode.ROPE_ADD
    if number:
        op.op1 = _ROPE
    op.op2 = c.operand(value)
    op.result = _ROPE
    op.extended_value = number


def _finish(c: Compiler, first: int, last: int, count: int) -> ZNode:
    """Close the rope whose parts stand in the instructions from ``first`` to ``last``."""
    ops = c.function.ops
    op = ops[last]
    if count == 1:
        op.opcode = Opcode.CAST
        op.extended_value = IS_STRING
        op.op1, op.op2 = op.op2, UNUSED
        op.result = c.temporary()
        return op.result
    if count == 2:
        init = ops[first]
        op.opcode = Opcode.FAST_CONCAT
        op.extended_value = 0
        op.op1 = init.op2
        op.result = c.temporary()
        ops[first] = Op(Opcode.NOP, line=init.line)
        return op.result
    ops[first].extended_value = count
    op.opcode = Opcode.ROPE_END
    op.result = c.temporary()
    row = c.temporary()
    op.op1 = row
    for _ in range((count + _POINTERS_A_SLOT - 1) // _POINTERS_A_SLOT - 1):
        c.temporary()
    for opnum in range(last - 1, first - 1, -1):
        part = ops[opnum]
        if part.result == _ROPE:
            part.result = row
            if part.opcode == Opcode.ROPE_ADD:
                part.op1 = row
    return op.result


def _report_deprecated(c: Compiler, part: Node) -> None:
    style = part.dollar_curly if isinstance(part, (ast.Variable, ast.Dim)) else ""
    if style == "name":
        c.report(Level.DEPRECATED, "Using ${var} in strings is deprecated, use {$var} instead")
    elif style == "expression":
        c.report(Level.DEPRECATED, "Using ${expr} (variable variables) in strings is deprecated, use {${expr}} instead")


def _array(c: Compiler, node: ast.Array) -> ZNode:
    constant = fold.array(c, node)
    if constant is not None:
        return constant
    result: ZNode = NOTHING
    init = -1
    packed = True
    for position, item in enumerate(node.items):
        assert item is not None
        if isinstance(item, ast.Unpack):
            value = c.expr(item.value)
            if position == 0:
                init = c.next_op
                result = c.emit_tmp(Opcode.INIT_ARRAY)
            c.emit(Opcode.ADD_ARRAY_UNPACK, value).result = c.operand(result)
            continue
        key: ZNode = NOTHING
        if item.key is not None:
            key = c.expr(item.key)
            if isinstance(key, Const) and isinstance(key.value, bytes):
                key = Const(string_key(key.value))
        if item.by_ref:
            ensure_writable(c, item.value)
            value, _ = c.var(item.value, Fetch.W, True)
        else:
            value = c.expr(item.value)
        if position == 0:
            init = c.next_op
            result = c.emit_tmp(Opcode.INIT_ARRAY, value, key, len(node.items) << ARRAY_SIZE_SHIFT)
        else:
            c.emit(Opcode.ADD_ARRAY_ELEMENT, value, key).result = c.operand(result)
        c.function.ops[-1].extended_value |= int(item.by_ref)
        if isinstance(key, Const) and isinstance(key.value, bytes):
            packed = False
    if not packed:
        c.function.ops[init].extended_value |= ARRAY_NOT_PACKED
    return result


EXPRESSIONS: ExpressionTable = {
    ast.Encaps: _encaps,
    ast.Array: _array,
}
