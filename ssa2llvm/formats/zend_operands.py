"""One instruction of PHP's dump text -> ``Op``.

The problem: the text is not a language. Strings and variable names stand in it raw, so that ``string("a") string("b")``
is one string or two, and which operand a lone constant belongs to follows from the opcode only
(Zend/Optimizer/zend_dump.c:zend_dump_op). The parser therefore tries the readings one after another (shortest string
first) and takes the first that uses up the text exactly. Any reading that succeeds prints back to the same bytes.

The grammar of a variable and of a jump target is a method of ``OpParser``, so that ``zend_ssa_operands`` can read the
same instructions with SSA names and block numbers in their place.

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
    rb"|(?P<array>array\(\.\.\.\))|(?P<ast>zval\(type=11\)))"
)
_TEMP = re.compile(rb" ([TV])(\d+)(?![^ ])")
_CV = re.compile(rb"CV(\d+)\(\$")
_STRING = b' string("'
_TABLE_OPCODES = frozenset({_O.SWITCH_LONG, _O.SWITCH_STRING, _O.MATCH})
_MNEMONIC = re.compile(rb"[A-Z_]+")
_OPCODE_OF = {opcode.name.encode(): opcode for opcode in Opcode if opcode < 256}
_TARGET = re.compile(rb" (\d{4,})(?![^ ,])")
_TABLE_KEY = re.compile(rb' (?:(-?\d+)|"(.*?)"):(?= )', re.DOTALL)
_CONST = Operand(OpKind.CONST, 0)


@dataclass(slots=True)
class OpContext:
    """What is known of the function while its instructions are read: names of CVs met so far, literals."""

    num_cvs: int
    cv_names: dict[int, bytes]
    literals: list[Literal]

    def names(self) -> list[str]:
        """Names of all CVs; one that no instruction mentions is called ``?N``."""
        return [decode(self.cv_names.get(slot, b"?%d" % slot)) for slot in range(self.num_cvs)]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an operand: the operand, or the literal or CV name that it still has to be given."""

    operand: Operand
    literal: Literal = None
    cv_name: bytes | None = None


_ABSENT = Reading(UNUSED)


class OpParser:
    """Reads the instructions of one function."""

    def __init__(self, context: OpContext) -> None:
        self.context = context

    def parse(self, text: bytes) -> Op | None:
        """Read one instruction, without its number; None if ``text`` is not one (it may be a part of one).

        The literals it uses are appended to ``context.literals``.
        """
        for result, after_result in self.results(text):
            mnemonic = _MNEMONIC.match(text, after_result)
            opcode = _OPCODE_OF.get(mnemonic.group()) if mnemonic else None
            if mnemonic is None or opcode is None:
                continue
            info = op_info(opcode)
            ext = read_ext(info, text, mnemonic.end())
            if ext is None:
                continue
            op = self.read_operands(info, text, ext[1], ext[0], result)
            if op is not None:
                return op
        return None

    def results(self, text: bytes) -> Iterator[tuple[Reading, int]]:
        """Every way to read ``V3 = `` at the start, or nothing there."""
        for reading, end in self.variables(b" " + text, 0):
            if text.startswith(b" = ", end - 1):
                yield reading, end + 2
        yield _ABSENT, 0

    def read_operands(
        self, info: OpInfo, text: bytes, position: int, extended_value: int, result: Reading
    ) -> Op | None:
        """The first reading of op1, op2 and the jump target behind them that ends exactly at the end of ``text``."""
        end = len(text)
        if ExtKind.JMP_ADDR in info.ext:
            found = self.last_target(text, position)
            if found is None:
                return None
            extended_value, end = found
        for op1, after_op1 in self.operands(text, position, info.op1, info.opcode not in NO_OP1):
            if info.opcode in _TABLE_OPCODES:
                readings = self.tables(text, after_op1)
            else:
                readings = self.operands(text, after_op1, info.op2, info.opcode not in NO_OP2)
            for op2, after_op2 in readings:
                if after_op2 == end:
                    return self.build(info.opcode, op1, op2, result, extended_value)
            if info.opcode == Opcode.CATCH and after_op1 == end:  # the last one of its try block shows no target
                return self.build(info.opcode, op1, _ABSENT, result, LAST_CATCH)
        return None

    def build(self, opcode: Opcode, op1: Reading, op2: Reading, result: Reading, extended_value: int) -> Op:
        """The instruction, once its reading is chosen."""
        return Op(opcode, self.commit(op1), self.commit(op2), self.commit(result), extended_value)

    def commit(self, reading: Reading) -> Operand:
        """Enter the literal or the CV's name that a chosen reading brings."""
        if reading.operand.kind == OpKind.CONST:
            self.context.literals.append(reading.literal)
            return Operand(OpKind.CONST, len(self.context.literals) - 1)
        if reading.cv_name is not None:
            self.context.cv_names.setdefault(reading.operand.num, reading.cv_name)
        return reading.operand

    def operands(self, text: bytes, position: int, word: WordKind, may_be_value: bool) -> Iterator[tuple[Reading, int]]:
        """Every way to read an operand whose word, if it is one, has the meaning ``word``."""
        if word == WordKind.JMP_ADDR:
            found = self.target(text, position)
        else:
            if may_be_value:
                yield from self.values(text, position)
            found = read_word(word, text, position)
        if found is not None:
            yield Reading(Operand(OpKind.UNUSED, found[0])), found[1]

    def values(self, text: bytes, position: int) -> Iterator[tuple[Reading, int]]:
        """Every way to read a constant or a variable."""
        if text.startswith(_STRING, position):
            start = position + len(_STRING)
            end = text.find(b'")', start)
            while end >= 0:
                yield _constant(text[start:end]), end + 2
                end = text.find(b'")', end + 1)
            return
        match = _SIMPLE.match(text, position)
        if match is None:
            yield from self.variables(text, position)
        elif not match["int"] or -(1 << 63) <= int(match["int"]) < 1 << 63:
            yield _constant(_simple_literal(match)), match.end()

    def variables(self, text: bytes, position: int) -> Iterator[tuple[Reading, int]]:
        """Every way to read a variable, with the space before it."""
        temp = _TEMP.match(text, position)
        if temp is not None:
            yield Reading(Operand(OpKind.TMP if temp[1] == b"T" else OpKind.VAR, int(temp[2]))), temp.end()
        elif text.startswith(b" CV", position):
            yield from self.cvs(text, position + 1)

    def cvs(self, text: bytes, position: int) -> Iterator[tuple[Reading, int]]:
        """Every way to read ``CV1($name)``: the name may hold ``)``."""
        match = _CV.match(text, position)
        if match is None or int(match[1]) >= self.context.num_cvs:
            return
        operand, start = Operand(OpKind.CV, int(match[1])), match.end()
        known = self.context.cv_names.get(operand.num)
        if known is not None:
            if text.startswith(known + b")", start):
                yield Reading(operand, cv_name=known), start + len(known) + 1
            return
        end = text.find(b")", start)
        while end >= 0:
            yield Reading(operand, cv_name=text[start:end]), end + 1
            end = text.find(b")", end + 1)

    def target(self, text: bytes, position: int) -> tuple[int, int] | None:
        """A jump target and where it ends."""
        match = _TARGET.match(text, position)
        return (int(match[1]), match.end()) if match else None

    def last_target(self, text: bytes, position: int) -> tuple[int, int] | None:
        """The jump target at the end of the line and where it begins."""
        start = text.rfind(b" ", position)
        found = self.target(text, start) if start >= 0 else None
        return (found[0], start) if found and found[1] == len(text) else None

    def tables(self, text: bytes, position: int) -> Iterator[tuple[Reading, int]]:
        """The jump table of SWITCH_LONG, SWITCH_STRING and MATCH, up to the default's target."""
        entries: list[tuple[Key, int]] = []
        while match := _TABLE_KEY.match(text, position):
            found = self.target(text, match.end())
            if found is None or not text.startswith(b",", found[1]):
                break
            entries.append((int(match[1]) if match[1] is not None else match[2], found[0]))
            position = found[1] + 1
        if text.startswith(b" default:", position):
            yield _constant(JumpTable(tuple(entries))), position + len(b" default:")


def _constant(value: Literal) -> Reading:
    return Reading(_CONST, value)


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
