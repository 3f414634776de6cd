"""One instruction of zir, written.

It looks like PHP's dump: ``T4 = ADD CV0($a) int(1)``. What differs: literals are exact, and flags that PHP does not
show have words (``FREE (switch) T3``) or a number (``ext(7)``). ``_`` holds the place of an operand that is absent,
``#7`` is an operand word that has no meaning of its own. ``zir_op_reader`` is the inverse; docs/zir.md the grammar.
"""

from __future__ import annotations

from ssa2llvm.formats.zend_ext import print_ext, read_ext
from ssa2llvm.formats.zend_operands import NO_OP1
from ssa2llvm.formats.zend_words import print_word, read_word
from ssa2llvm.formats.zir_literals import write_literal
from ssa2llvm.formats.zir_names import write_string, write_variable
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, OpInfo, WordKind, op_info

TABLE_OPCODES = frozenset({Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH})
_THROWS = ((1, "(expr)"),)
_BINDS = ((2, "(implicit)"), (4, "(explicit)"))
_FREES = ((1, "(on return)"), (2, "(switch)"))
HIDDEN_WORDS: dict[Opcode, tuple[tuple[int, str], ...]] = {
    Opcode.FREE: _FREES,
    Opcode.FE_FREE: _FREES,
    Opcode.THROW: _THROWS,
    Opcode.EXIT: _THROWS,
    Opcode.MATCH_ERROR: _THROWS,
    Opcode.JMP_NULL: ((1, "(isset)"), (2, "(empty)")),
    Opcode.BIND_STATIC: _BINDS,
    Opcode.BIND_LEXICAL: _BINDS,
    Opcode.CATCH: ((LAST_CATCH, "(last)"),),
    Opcode.COUNT: ((1, "(sizeof)"),),
}
"""Bits of extended_value that matter and that PHP's dump does not show, with our words for them."""


def write_op(op_array: OpArray, op: Op) -> str:
    """One instruction, without its number and its source line."""
    info = op_info(op.opcode)
    text = ""
    if op.result.is_var:
        text = _variable(op_array, op.result) + " = "
    elif op.result != UNUSED:
        text = f"#{op.result.num} = "
    text += op.opcode.name + _ext_text(info, op.extended_value)
    op1 = _operand(op_array, op.op1, info.op1)
    if op.opcode in TABLE_OPCODES:
        return f"{text} {op1 or '_'}{_table_text(op_array, op)}"
    op2 = _operand(op_array, op.op2, info.op2)
    if op.opcode == Opcode.CATCH and op.extended_value & LAST_CATCH and op.op2 == UNUSED:
        op2 = ""
    if ExtKind.JMP_ADDR in info.ext:
        return f"{text} {op1 or '_'} {op2 or '_'} {op.extended_value:04d}"
    op2_first = op.opcode in NO_OP1 and (info.op1 == WordKind.NONE or not op2.startswith("#"))
    if op2 and not op1 and not op2_first:
        op1 = "_"
    if op1 and not op2 and op2_first and (op.op1.kind != OpKind.UNUSED or info.op1 == WordKind.NONE):
        op2 = "_"
    return " ".join(part for part in (text, op1, op2) if part)


def _variable(op_array: OpArray, operand: Operand) -> str:
    if operand.kind == OpKind.CV:
        return f"CV{operand.num}({write_variable(op_array.cvs[operand.num])})"
    return f"{'T' if operand.kind == OpKind.TMP else 'V'}{operand.num}"


def _operand(op_array: OpArray, operand: Operand, kind: WordKind) -> str:
    if operand.is_const:
        return write_literal(op_array.literal(operand))
    if operand.is_var:
        return _variable(op_array, operand)
    word = print_word(kind, operand.num) if operand.num >= 0 else b""
    if read_word(kind, word, 0) == (operand.num, len(word)):
        return word.decode().strip()
    return f"#{operand.num}"


def _table_text(op_array: OpArray, op: Op) -> str:
    table = op_array.literal(op.op2)
    assert isinstance(table, JumpTable)
    entries = [f" {key if isinstance(key, int) else write_string(key)}: {target:04d}," for key, target in table.entries]
    return f"{''.join(entries)} default: {op.extended_value:04d}"


def _ext_text(info: OpInfo, value: int) -> str:
    if ExtKind.JMP_ADDR in info.ext:
        return ""
    hidden = [(bit, word) for bit, word in HIDDEN_WORDS.get(info.opcode, ()) if value & bit]
    if value >= 0:
        shown = print_ext(info, value)
        found = read_ext(info, shown, 0)
        if found and found[1] == len(shown) and found[0] | sum(bit for bit, _ in hidden) == value:
            return shown.decode() + "".join(f" {word}" for _, word in hidden)
    return f" ext({value})"
