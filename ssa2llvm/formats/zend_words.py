"""Operand words that are neither constants nor variables, as PHP's dump shows them, read and printed.

What a word means is the opcode's business (``optable``, ``WordKind``); how it looks is
Zend/Optimizer/zend_dump.c:zend_dump_unused_op. Kinds CLASS_FETCH, CONST_FETCH and TRY_CATCH may show nothing.
"""

from __future__ import annotations

import re

from ssa2llvm.formats.zend_names import CLASS_FETCH_WORDS
from ssa2llvm.ir.operands import (
    CONSTANT_UNQUALIFIED_IN_NAMESPACE,
    FETCH_CLASS_EXCEPTION,
    FETCH_CLASS_MASK,
    FETCH_CLASS_NO_AUTOLOAD,
    FETCH_CLASS_SILENT,
)
from ssa2llvm.ir.optable import WordKind

NO_TRY_CATCH = 0xFFFFFFFF
"""FAST_RET's op2 where no enclosing try block has a finally (Zend's ``(uint32_t)-1``)."""

_PATTERNS: dict[WordKind, re.Pattern[bytes]] = {
    WordKind.NUM: re.compile(rb" (\d+)(?![^ ])"),
    WordKind.JMP_ADDR: re.compile(rb" (\d{4,})(?![^ ])"),
    WordKind.TRY_CATCH: re.compile(rb"(?: try-catch\((\d+)\))?"),
    WordKind.THIS: re.compile(rb" THIS"),
    WordKind.NEXT: re.compile(rb" NEXT"),
    WordKind.CONSTRUCTOR: re.compile(rb" CONSTRUCTOR"),
    WordKind.CONST_FETCH: re.compile(rb"( \(unqualified-in-namespace\))?"),
    WordKind.CLASS_FETCH: re.compile(
        rb"(?: \((self|parent|static|auto|interface|trait)\))?( \(no-autoload\))?( \(silent\))?( \(exception\))?"
    ),
}
_FIXED = {WordKind.THIS: b" THIS", WordKind.NEXT: b" NEXT", WordKind.CONSTRUCTOR: b" CONSTRUCTOR"}
_CLASS_FETCH_NUMBER = {text: number for number, text in CLASS_FETCH_WORDS.items()}


def print_word(kind: WordKind, number: int) -> bytes:
    """The word with the space before it, or nothing. Jump targets print as instruction numbers."""
    if kind in _FIXED:
        return _FIXED[kind]
    if kind == WordKind.NUM:
        return b" %d" % number
    if kind == WordKind.JMP_ADDR:
        return b" %04d" % number
    if kind == WordKind.TRY_CATCH:
        return b"" if number == NO_TRY_CATCH else b" try-catch(%d)" % number
    if kind == WordKind.CONST_FETCH:
        return b" (unqualified-in-namespace)" if number & CONSTANT_UNQUALIFIED_IN_NAMESPACE else b""
    if kind == WordKind.CLASS_FETCH:
        word = CLASS_FETCH_WORDS.get(number & FETCH_CLASS_MASK)
        text = b" (%s)" % word if word else b""
        text += b" (no-autoload)" if number & FETCH_CLASS_NO_AUTOLOAD else b""
        text += b" (silent)" if number & FETCH_CLASS_SILENT else b""
        return text + (b" (exception)" if number & FETCH_CLASS_EXCEPTION else b"")
    return b""


def read_word(kind: WordKind, text: bytes, position: int) -> tuple[int, int] | None:
    """Read a word at ``position`` (its leading space included): (number, position behind it), None if none fits."""
    if kind == WordKind.NONE:
        return 0, position
    match = _PATTERNS[kind].match(text, position)
    if match is None:
        return None
    number = 0
    if kind in (WordKind.NUM, WordKind.JMP_ADDR):
        number = int(match[1])
    elif kind == WordKind.TRY_CATCH:
        number = int(match[1]) if match[1] else NO_TRY_CATCH
    elif kind == WordKind.CONST_FETCH:
        number = CONSTANT_UNQUALIFIED_IN_NAMESPACE if match[1] else 0
    elif kind == WordKind.CLASS_FETCH:
        number = _CLASS_FETCH_NUMBER.get(match[1], 0)
        number |= FETCH_CLASS_NO_AUTOLOAD if match[2] else 0
        number |= FETCH_CLASS_SILENT if match[3] else 0
        number |= FETCH_CLASS_EXCEPTION if match[4] else 0
    return number, match.end()
