"""``Script`` -> PHP's dump text, byte for byte what ``opcache.opt_debug_level=0x10000`` prints.

Follows Zend/Optimizer/zend_dump.c: zend_dump_op, zend_dump_op_line and zend_dump_op_array, with the quirks of
zend-reference 1.2 (raw strings cut at NUL, ``%g`` floats, the exception table's missing newline). The printers of
graphs and SSA form (``zend_block_printer``) share ``op_text``, the one place that knows how an instruction looks; they
differ in how a variable and a jump target are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ssa2llvm.formats.zend_ext import print_ext
from ssa2llvm.formats.zend_names import MAIN_NAME, c_name, c_string, float_text
from ssa2llvm.formats.zend_words import print_word
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Literal
from ssa2llvm.ir.op_array import Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, WordKind, op_info


class OperandStyle(Protocol):
    """How an instruction's variables and jump targets are shown."""

    def result_prefix(self) -> bytes:
        """``V3 = `` before the opcode, or nothing."""

    def op1(self) -> bytes:
        """The variable in op1, with the space before it."""

    def op2(self) -> bytes:
        """The variable in op2, with the space before it."""

    def result_suffix(self) -> bytes:
        """What stands at the end of the line for a result that is also read."""

    def jump(self, target: int) -> bytes:
        """A jump target, with the space before it. Called once for each target, in the order of printing."""


class SlotText:
    """How the slots of one op array print: ``CV0($x)``, ``T3``, ``V4``. ``X5`` is PHP's way to show a temporary
    where it does not know which of the two it is. ``extra`` names further variables, which PHP does not have."""

    def __init__(self, op_array: OpArray, extra: Mapping[int, str] | None = None) -> None:
        names = dict(enumerate(op_array.cvs)) | dict(extra or {})
        self._cvs = {slot: b"CV%d($%s)" % (slot, c_name(name)) for slot, name in names.items()}

    def operand(self, operand: Operand) -> bytes:
        """A variable operand."""
        if operand.kind == OpKind.CV:
            return self._cvs[operand.num]
        return b"T%d" % operand.num if operand.kind == OpKind.TMP else b"V%d" % operand.num

    def slot(self, slot: int) -> bytes:
        """A slot of unknown kind."""
        return self._cvs[slot] if slot in self._cvs else b"X%d" % slot

    def slot_like(self, operand: Operand) -> bytes:
        """The slot of ``operand``, a CV if it is one by number (as PHP's SSA printer does)."""
        return self._cvs[operand.num] if operand.num in self._cvs else self.operand(operand)


class _LinearStyle:
    """Plain slots, and targets as instruction numbers."""

    def __init__(self, slots: SlotText, op: Op) -> None:
        self._slots = slots
        self._op = op

    def result_prefix(self) -> bytes:
        return self._slots.operand(self._op.result) + b" = " if self._op.result.is_var else b""

    def op1(self) -> bytes:
        return b" " + self._slots.operand(self._op.op1)

    def op2(self) -> bytes:
        return b" " + self._slots.operand(self._op.op2)

    def result_suffix(self) -> bytes:
        return b""

    def jump(self, target: int) -> bytes:
        return b" %04d" % target


def const_text(value: Literal) -> bytes:
    """A literal as PHP's dump shows it, with the space before it."""
    if value is None:
        return b" null"
    if value is True:
        return b" bool(true)"
    if value is False:
        return b" bool(false)"
    if isinstance(value, Inexact) and value.shown is not None:
        value = value.shown
    if isinstance(value, int):
        return b" int(%d)" % value
    if isinstance(value, float):
        return b" float(%s)" % float_text(value)
    if isinstance(value, bytes):
        return b' string("%s")' % c_string(value)
    if isinstance(value, ConstAst):
        return b" zval(type=11)"
    assert isinstance(value, ArrayConst | Inexact | JumpTable)
    return b" array(...)"


def op_text(op_array: OpArray, op: Op, style: OperandStyle) -> bytes:
    """One instruction without its number and without the newline."""
    info = op_info(op.opcode)
    parts = [style.result_prefix(), op.opcode.name.encode(), print_ext(info, op.extended_value)]
    if op.op1.is_const:
        parts.append(const_text(op_array.literal(op.op1)))
    elif op.op1.is_var:
        parts.append(style.op1())
    elif info.op1 == WordKind.JMP_ADDR:
        parts.append(style.jump(op.op1.num))
    else:
        parts.append(print_word(info.op1, op.op1.num))
    if op.op2.is_const:
        literal = op_array.literal(op.op2)
        if isinstance(literal, JumpTable):
            parts += [_key_text(key) + style.jump(target) + b"," for key, target in literal.entries]
            parts.append(b" default:")
        else:
            parts.append(const_text(literal))
    elif op.op2.is_var:
        parts.append(style.op2())
    elif info.op2 == WordKind.JMP_ADDR:
        if op.opcode != Opcode.CATCH or not op.extended_value & LAST_CATCH:
            parts.append(style.jump(op.op2.num))
    else:
        parts.append(print_word(info.op2, op.op2.num))
    if ExtKind.JMP_ADDR in info.ext:
        parts.append(style.jump(op.extended_value))
    parts.append(style.result_suffix())
    return b"".join(parts)


def _key_text(key: int | bytes) -> bytes:
    return b" %d:" % key if isinstance(key, int) else b' "%s":' % c_string(key)


def number_text(number: int) -> bytes:
    """An instruction's number as it starts a line: at least four digits and one space; ``+`` for one that a pass has
    inserted, which has none."""
    return b"%04d " % number if number >= 0 else b"   + "


def full_name(op_array: OpArray) -> bytes:
    """``Class::method``, a function's name, or ``$_main``."""
    if op_array.is_main:
        return MAIN_NAME
    name = c_name(op_array.symbol)
    return c_name(op_array.scope) + b"::" + name if op_array.scope else name


def header_text(op_array: OpArray, message: str, num_ssa_vars: int | None = None, flags: str = "") -> bytes:
    """The comment lines at the head of an op array. ``flags`` is as printed, e.g. ``", no_loops"``."""
    ssa = b"" if num_ssa_vars is None else b", ssa_vars=%d" % num_ssa_vars
    return b"\n%s:\n     ; (lines=%d, args=%d, vars=%d, tmps=%d%s%s)\n     ; (%s)\n     ; %s:%d-%d\n" % (
        full_name(op_array),
        len(op_array.ops),
        op_array.num_args,
        len(op_array.cvs),
        op_array.num_temps,
        ssa,
        flags.encode(),
        message.encode(),
        c_name(op_array.filename),
        op_array.line_start,
        op_array.line_end,
    )


def print_op_array(op_array: OpArray, message: str = "before optimizer", with_live_ranges: bool = True) -> bytes:
    """One op array in linear form. PHP leaves live ranges out of what it prints between passes."""
    slots = SlotText(op_array)
    lines = [header_text(op_array, message)]
    for number, op in enumerate(op_array.ops):
        lines.append(number_text(number) + op_text(op_array, op, _LinearStyle(slots, op)) + b"\n")
    if op_array.live_ranges and with_live_ranges:
        lines.append(b"LIVE RANGES:\n")
        for live in op_array.live_ranges:
            lines.append(b"     %d: %04d - %04d (%s)\n" % (live.slot, live.start, live.end, live.kind.value.encode()))
    if op_array.try_catch:
        lines.append(b"EXCEPTION TABLE:\n")
        for entry in op_array.try_catch:
            lines.append(b"     %04d" % entry.try_op)
            lines += [b", %04d" % place if place else b", -" for place in (entry.catch_op, entry.finally_op)]
            # PHP forgets the newline when there is a finally.
            lines.append(b", %04d" % entry.finally_end if entry.finally_end else b", -\n")
    return b"".join(lines)


def print_zend_text(script: Script, message: str = "before optimizer") -> bytes:
    """The whole script, in PHP's order. ``message`` is the stage in parentheses."""
    return b"".join(print_op_array(op_array, message) for op_array in script.op_arrays())
