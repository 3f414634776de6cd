"""``extended_value`` in PHP's dump text: the words behind the opcode's name, read and printed.

One form of ``NUM OP TYPE TYPE_MASK EVAL SRC``, or any combination of bit fields, by the opcode's row in the table
(Zend/Optimizer/zend_dump.c:zend_dump_op; zend-reference 1.3). A jump target in ``extended_value`` is printed last in
the line and is not handled here, nor are bits that the text does not show.
"""

from __future__ import annotations

import re

from ssa2llvm.formats.zend_names import CAST_WORDS, EVAL_WORDS, TYPE_CHECK_WORDS
from ssa2llvm.formats.zend_types import read_type_mask
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    ARRAY_ELEMENT_REF,
    ARRAY_NOT_PACKED,
    ARRAY_SIZE_SHIFT,
    FETCH_DIM_WRITE,
    FETCH_GLOBAL,
    FETCH_GLOBAL_LOCK,
    FETCH_LOCAL,
    FETCH_REF,
    ISEMPTY,
    RETURNS_FUNCTION,
    RETURNS_VALUE,
)
from ssa2llvm.ir.optable import ExtKind, OpInfo
from ssa2llvm.ir.types import type_text

_NUM = re.compile(rb" (\d+)(?![^ ])")
_WORD = re.compile(rb" \(([A-Za-z_]+)\)")
_TYPE = re.compile(rb" TYPE( \[[^\n]*?\])(?=$| )")
_CAST_NUMBER = {text: number for number, text in CAST_WORDS.items()}
_CHECK_MASK = {text: mask for mask, text in TYPE_CHECK_WORDS.items()}
_EVAL_NUMBER = {text: number for number, text in EVAL_WORDS.items()}
_SRC_NUMBER = {b"value": RETURNS_VALUE, b"function": RETURNS_FUNCTION}
_FETCH_NUMBER = {b" (global)": FETCH_GLOBAL, b" (local)": FETCH_LOCAL, b" (global+lock)": FETCH_GLOBAL_LOCK}
_OPCODE_OF = {opcode.name.encode(): int(opcode) for opcode in Opcode}


def print_ext(info: OpInfo, value: int) -> bytes:
    """The words of ``extended_value`` as PHP prints them behind the opcode's name."""
    ext = info.ext
    if ext == ExtKind.NONE or ext == ExtKind.JMP_ADDR or ext == ExtKind.LAST_CATCH:
        return b""
    if ext == ExtKind.NUM:
        return b" %d" % value
    if ext == ExtKind.OP:
        return b" (%s)" % Opcode(value).name.encode()
    if ext == ExtKind.TYPE:
        return b" (%s)" % CAST_WORDS.get(value, b"???")
    if ext == ExtKind.EVAL:
        return b" (%s)" % EVAL_WORDS.get(value, b"???")
    if ext == ExtKind.TYPE_MASK:
        word = TYPE_CHECK_WORDS.get(value)
        return b" (%s)" % word if word else b" TYPE " + type_text(value).encode()
    if ext == ExtKind.SRC:
        return b" (value)" if value == RETURNS_VALUE else b" (function)" if value & RETURNS_FUNCTION else b""
    return _print_bits(ext, value)


def _print_bits(ext: ExtKind, value: int) -> bytes:
    text = b""
    if ExtKind.VAR_FETCH in ext:
        text += next((word for word, bit in _FETCH_NUMBER.items() if value & bit), b"")
    if ExtKind.ISSET in ext:
        text += b" (empty)" if value & ISEMPTY else b" (isset)"
    if ExtKind.ARRAY_INIT in ext:
        text += b" %d" % (value >> ARRAY_SIZE_SHIFT) + (b"" if value & ARRAY_NOT_PACKED else b" (packed)")
    if ExtKind.REF in ext and value & ARRAY_ELEMENT_REF:
        text += b" (ref)"
    if ext & (ExtKind.DIM_WRITE | ExtKind.FETCH_REF):
        flags = value & (FETCH_REF | FETCH_DIM_WRITE)
        text += b" (ref)" if flags == FETCH_REF else b" (dim write)" if flags == FETCH_DIM_WRITE else b""
    return text


def read_ext(info: OpInfo, text: bytes, position: int) -> tuple[int, int] | None:
    """Read the words at ``position``: (``extended_value``, position behind them), or None if they do not fit."""
    ext = info.ext
    if ext == ExtKind.NONE or ext == ExtKind.JMP_ADDR or ext == ExtKind.LAST_CATCH:
        return 0, position
    if ext == ExtKind.NUM:
        number = _NUM.match(text, position)
        return (int(number[1]), number.end()) if number else None
    if ext & (ExtKind.OP | ExtKind.TYPE | ExtKind.EVAL | ExtKind.TYPE_MASK | ExtKind.SRC):
        return _read_word(ext, text, position)
    return _read_bits(ext, text, position)


def _read_word(ext: ExtKind, text: bytes, position: int) -> tuple[int, int] | None:
    word = _WORD.match(text, position)
    if ext == ExtKind.SRC:
        if word is None or word[1] not in _SRC_NUMBER:
            return 0, position
        return _SRC_NUMBER[word[1]], word.end()
    if ext == ExtKind.TYPE_MASK and word is None:
        typed = _TYPE.match(text, position)
        mask = read_type_mask(typed[1]) if typed else None
        return (mask, typed.end()) if typed and mask is not None else None
    if word is None:
        return None
    numbers = {
        ExtKind.OP: _OPCODE_OF,
        ExtKind.TYPE: _CAST_NUMBER,
        ExtKind.EVAL: _EVAL_NUMBER,
        ExtKind.TYPE_MASK: _CHECK_MASK,
    }[ext]
    number = numbers.get(word[1])
    return None if number is None else (number, word.end())


def _read_bits(ext: ExtKind, text: bytes, position: int) -> tuple[int, int] | None:
    value = 0
    if ExtKind.VAR_FETCH in ext:
        for word, bit in _FETCH_NUMBER.items():
            if text.startswith(word, position):
                value, position = value | bit, position + len(word)
                break
    if ExtKind.ISSET in ext:
        if text.startswith(b" (empty)", position):
            value |= ISEMPTY
        elif not text.startswith(b" (isset)", position):
            return None
        position += len(b" (empty)")
    if ExtKind.ARRAY_INIT in ext:
        size = _NUM.match(text, position)
        if size is None:
            return None
        value, position = value | int(size[1]) << ARRAY_SIZE_SHIFT, size.end()
        if text.startswith(b" (packed)", position):
            position += len(b" (packed)")
        else:
            value |= ARRAY_NOT_PACKED
    if ext & (ExtKind.REF | ExtKind.FETCH_REF | ExtKind.DIM_WRITE) and text.startswith(b" (ref)", position):
        value, position = value | ARRAY_ELEMENT_REF, position + len(b" (ref)")
    elif ext & (ExtKind.FETCH_REF | ExtKind.DIM_WRITE) and text.startswith(b" (dim write)", position):
        value, position = value | FETCH_DIM_WRITE, position + len(b" (dim write)")
    return value, position
