"""One instruction of PHP's dump text -> ``Op``.

The problem: the text is not a language. Strings and variable names stand in it raw, so that ``string("a") string("b")``
is one string or two, and which operand a lone constant belongs to follows from the opcode only
(Zend/Optimizer/zend_dump.c:zend_dump_op). The parser therefore tries the readings one after another (shortest string
first) and takes the first that uses up the text exactly. Any reading that succeeds prints back to the same bytes.

Cost: linear in the text for each reading; readings multiply only with the number of ``")`` inside string literals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ssa2llvm.formats.zend_ext import read_ext
from ssa2llvm.formats.zend_names import decode, float_is_cut
from ssa2llvm.formats.zend_words import read_word
from ssa2llvm.ir.literals import ConstAst, Inexact, JumpTable, Key, Literal
from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, OpInfo, WordKind, op_info

_O = Opcode
NO_OP1 = frozenset(
    {
        _O.NOP, _O.BEGIN_SILENCE, _O.CALLABLE_CONVERT, _O.CHECK_FUNC_ARG, _O.CHECK_UNDEF_ARGS, _O.FETCH_GLOBALS,
        _O.FETCH_THIS, _O.FUNC_NUM_ARGS, _O.GET_CALLED_CLASS, _O.ISSET_ISEMPTY_THIS, _O.ROPE_INIT,
        _O.VERIFY_NEVER_TYPE, _O.DO_FCALL, _O.DO_ICALL, _O.DO_UCALL, _O.DO_FCALL_BY_NAME, _O.EXT_STMT, _O.EXT_NOP,
        _O.EXT_FCALL_BEGIN, _O.EXT_FCALL_END, _O.GENERATOR_CREATE, _O.HANDLE_EXCEPTION, _O.INIT_DYNAMIC_CALL,
        _O.INIT_FCALL, _O.INIT_FCALL_BY_NAME, _O.INIT_NS_FCALL_BY_NAME, _O.FETCH_CLASS, _O.FETCH_CONSTANT, _O.TICKS,
        _O.JMP, _O.FAST_CALL, _O.RECV, _O.RECV_INIT, _O.RECV_VARIADIC, _O.DECLARE_LAMBDA_FUNCTION, _O.ASSERT_CHECK,
        _O.CALL_TRAMPOLINE, _O.USER_OPCODE,
    }
)  # fmt: skip
"""Opcodes whose op1 is never a constant or variable: what is printed first is op2 (Zend/zend_vm_def.h)."""

NO_OP2 = frozenset(
    {
        _O.NOP, _O.ADD_ARRAY_UNPACK, _O.BEGIN_SILENCE, _O.BIND_STATIC, _O.BOOL, _O.BOOL_NOT, _O.BW_NOT, _O.CAST,
        _O.CLONE, _O.COUNT, _O.DECLARE_FUNCTION, _O.DECLARE_LAMBDA_FUNCTION, _O.DEFINED, _O.DISCARD_EXCEPTION,
        _O.DO_FCALL, _O.DO_ICALL, _O.DO_UCALL, _O.DO_FCALL_BY_NAME, _O.ECHO, _O.END_SILENCE, _O.EXIT, _O.FE_FREE,
        _O.FETCH_CLASS_NAME, _O.FREE, _O.FUNC_GET_ARGS, _O.GENERATOR_RETURN, _O.GET_CLASS, _O.GET_TYPE,
        _O.INCLUDE_OR_EVAL, _O.MAKE_REF, _O.MATCH_ERROR, _O.NEW, _O.OP_DATA, _O.PRE_INC, _O.PRE_DEC, _O.POST_INC,
        _O.POST_DEC, _O.QM_ASSIGN, _O.RETURN, _O.RETURN_BY_REF, _O.SEND_UNPACK, _O.SEND_USER, _O.STRLEN, _O.THROW,
        _O.TYPE_CHECK, _O.UNSET_CV, _O.VERIFY_RETURN_TYPE, _O.YIELD_FROM, _O.COPY_TMP, _O.ISSET_ISEMPTY_CV,
        _O.FETCH_R, _O.FETCH_W, _O.FETCH_RW, _O.FETCH_IS, _O.FETCH_UNSET, _O.FETCH_FUNC_ARG, _O.UNSET_VAR,
        _O.ISSET_ISEMPTY_VAR,
    }
)  # fmt: skip
"""Opcodes whose op2 is never a constant or variable."""

_SIMPLE = re.compile(
    rb" (?:(?P<null>null)|bool\((?P<bool>true|false)\)|int\((?P<int>-?\d+)\)|"
    rb"float\((?P<float>-?(?:\d+(?:\.\d+)?(?:e[-+]\d+)?|inf|nan))\)"
    rb"|(?P<array>array\(\.\.\.\))|(?P<ast>zval\(type=11\))|(?P<temp>[TV])(?P<slot>\d+)(?![^ ,\n]))"
)
_CV = re.compile(rb" ?CV(\d+)\(\$")
_STRING = b' string("'
_TABLE_OPCODES = frozenset({_O.SWITCH_LONG, _O.SWITCH_STRING, _O.MATCH})
_RESULT = re.compile(rb"([TV])(\d+) = ")
_MNEMONIC = re.compile(rb"[A-Z_]+")
_OPCODE_OF = {opcode.name.encode(): opcode for opcode in Opcode if opcode < 256}
_TARGET = re.compile(rb" (\d{4,})$")
_TABLE_ENTRY = re.compile(rb' (?:(-?\d+)|"(.*?)"): (\d{4,}),', re.DOTALL)


@dataclass(slots=True)
class OpContext:
    """What is known of the function while its instructions are read: names of CVs met so far, literals."""

    num_cvs: int
    cv_names: dict[int, bytes]
    literals: list[Literal]

    def learn_cv(self, slot: int, name: bytes) -> None:
        """Remember the name of a CV the first time it is met."""
        self.cv_names.setdefault(slot, name)


@dataclass(frozen=True, slots=True)
class _Const:
    value: Literal


@dataclass(frozen=True, slots=True)
class _CvName:
    slot: int
    name: bytes


_Reading = Operand | _Const | _CvName


def parse_op(text: bytes, context: OpContext) -> Op | None:
    """Read one instruction, without its number; None if ``text`` is not one (it may be a part of one).

    The literals it uses are appended to ``context.literals``.
    """
    for result, after_result in _results(text, context):
        mnemonic = _MNEMONIC.match(text, after_result)
        opcode = _OPCODE_OF.get(mnemonic.group()) if mnemonic else None
        if mnemonic is None or opcode is None:
            continue
        info = op_info(opcode)
        ext = read_ext(info, text, mnemonic.end())
        if ext is None:
            continue
        extended_value, position = ext
        operands = _read_operands(info, text, position, extended_value, context)
        if operands is None:
            continue
        op1, op2, extended_value = operands
        return Op(
            opcode,
            _commit(op1, context),
            _commit(op2, context),
            _commit(result, context),
            extended_value,
        )
    return None


def _results(text: bytes, context: OpContext) -> Iterator[tuple[_Reading, int]]:
    match = _RESULT.match(text)
    if match:
        yield Operand(OpKind.TMP if match[1] == b"T" else OpKind.VAR, int(match[2])), match.end()
        return
    if text.startswith(b"CV"):
        for reading, end in _cv_readings(text, 0, context):
            if text.startswith(b" = ", end):
                yield reading, end + 3
        return
    yield UNUSED, 0


def _commit(reading: _Reading, context: OpContext) -> Operand:
    if isinstance(reading, _Const):
        context.literals.append(reading.value)
        return Operand(OpKind.CONST, len(context.literals) - 1)
    if isinstance(reading, _CvName):
        context.learn_cv(reading.slot, reading.name)
        return Operand(OpKind.CV, reading.slot)
    return reading


def _read_operands(
    info: OpInfo, text: bytes, position: int, extended_value: int, context: OpContext
) -> tuple[_Reading, _Reading, int] | None:
    """The first reading of op1, op2 and the jump target behind them that ends exactly at the end of ``text``."""
    if ExtKind.JMP_ADDR in info.ext:
        target = _TARGET.search(text, position)
        if target is None:
            return None
        extended_value, end = int(target[1]), target.start()
    else:
        end = len(text)
    for op1, after_op1 in _operand_readings(text, position, info.op1, info.opcode not in NO_OP1, context):
        if info.opcode in _TABLE_OPCODES:
            readings = _table_readings(text, after_op1)
        else:
            readings = _operand_readings(text, after_op1, info.op2, info.opcode not in NO_OP2, context)
        for op2, after_op2 in readings:
            if after_op2 == end:
                return op1, op2, extended_value
        if info.opcode == Opcode.CATCH and after_op1 == end:  # the last one of its try block shows no target
            return op1, UNUSED, LAST_CATCH
    return None


def _operand_readings(
    text: bytes, position: int, word: WordKind, may_be_value: bool, context: OpContext
) -> Iterator[tuple[_Reading, int]]:
    if may_be_value and word != WordKind.JMP_ADDR:
        yield from _value_readings(text, position, context)
    found = read_word(word, text, position)
    if found is not None:
        number, end = found
        yield Operand(OpKind.UNUSED, number), end


def _value_readings(text: bytes, position: int, context: OpContext) -> Iterator[tuple[_Reading, int]]:
    """Every way to read a constant or a variable at ``position``."""
    if text.startswith(_STRING, position):
        start = position + len(_STRING)
        end = text.find(b'")', start)
        while end >= 0:
            yield _Const(text[start:end]), end + 2
            end = text.find(b'")', end + 1)
        return
    match = _SIMPLE.match(text, position)
    if match is None:
        yield from _cv_readings(text, position, context)
        return
    if match["temp"]:
        yield Operand(OpKind.TMP if match["temp"] == b"T" else OpKind.VAR, int(match["slot"])), match.end()
        return
    if match["int"] and not -(1 << 63) <= int(match["int"]) < 1 << 63:
        return
    yield _Const(_simple_literal(match)), match.end()


def _simple_literal(match: re.Match[bytes]) -> Literal:
    if match["null"]:
        return None
    if match["bool"]:
        return match["bool"] == b"true"
    if match["int"]:
        return int(match["int"])
    if match["array"]:
        return Inexact(None)
    if match["ast"]:
        return ConstAst()
    shown = match["float"]
    value = -math.nan if shown == b"-nan" else float(shown)
    return Inexact(value) if float_is_cut(shown) else value


def _cv_readings(text: bytes, position: int, context: OpContext) -> Iterator[tuple[_Reading, int]]:
    match = _CV.match(text, position)
    if match is None or int(match[1]) >= context.num_cvs:
        return
    slot, start = int(match[1]), match.end()
    known = context.cv_names.get(slot)
    if known is not None:
        end = start + len(known)
        if text.startswith(known + b")", start):
            yield _CvName(slot, known), end + 1
        return
    end = text.find(b")", start)
    while end >= 0:
        yield _CvName(slot, text[start:end]), end + 1
        end = text.find(b")", end + 1)


def _table_readings(text: bytes, position: int) -> Iterator[tuple[_Reading, int]]:
    """The jump table of SWITCH_LONG, SWITCH_STRING and MATCH."""
    entries: list[tuple[Key, int]] = []
    while match := _TABLE_ENTRY.match(text, position):
        key: Key = int(match[1]) if match[1] is not None else match[2]
        entries.append((key, int(match[3])))
        position = match.end()
    if text.startswith(b" default:", position):
        yield _Const(JumpTable(tuple(entries))), position + len(b" default:")


def cv_names(context: OpContext) -> list[str]:
    """Names of all CVs; one that no instruction mentions is called ``?N``."""
    return [decode(context.cv_names.get(slot, b"?%d" % slot)) for slot in range(context.num_cvs)]
