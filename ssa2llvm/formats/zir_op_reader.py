"""One instruction of zir, read: the inverse of ``zir_ops.write_op``, with what is allowed when writing by hand.

Operands are told apart by the opcode's row in the table: a bare number is an operand word where the table says so
(RECV 1, SEND_VAL x 1, a jump), else an integer literal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ssa2llvm.formats.zend_ext import read_ext
from ssa2llvm.formats.zend_operands import NO_OP1
from ssa2llvm.formats.zend_words import NO_TRY_CATCH, read_word
from ssa2llvm.formats.zir_line import Line
from ssa2llvm.formats.zir_literals import read_literal
from ssa2llvm.formats.zir_names import read_string, read_variable
from ssa2llvm.formats.zir_ops import HIDDEN_WORDS, TABLE_OPCODES
from ssa2llvm.ir.literals import JumpTable, Key, Literal
from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, Operand, OpKind
from ssa2llvm.ir.optable import ExtKind, OpInfo, WordKind, op_info

_MNEMONIC = re.compile(r"[A-Z][A-Z_]*")
_NUMBER = re.compile(r"\d+(?![\w.])")
_TARGET = re.compile(r"(\d+)(?![\w.])|(?!(?:null|true|false)(?!\w))([^\W\d]\w*)(?![\w(\[])")
_TEMP = re.compile(r"([TV])(?:(\d+)|\.([^\W\d]\w*))(?!\w)")
_CV = re.compile(r"CV(\d+)\(")
_RAW = re.compile(r"#(-?\d+)")
_EXT = re.compile(r"ext\((-?\d+)\)")
_LINE = re.compile(r"@(\d+)")
_PLACEHOLDER = re.compile(r"_(?!\w)")
_INT_KEY = re.compile(r"-?\d+(?=[ \t]*:)")
_MAX_SLOT = 1 << 24


@dataclass(slots=True)
class _Jump:
    """A jump to a label: the field of ``op`` to fill in, or an entry of a table (``entry`` >= 0)."""

    op: Op
    where: str
    entry: int
    label: str
    error: Exception


@dataclass(slots=True)
class BodyNames:
    """Variables, temporaries, labels and literals of the function that is being read.

    Named temporaries and labels get their numbers at the end (``resolve``); until then a named temporary has a
    negative slot.
    """

    cv_of: dict[str, int] = field(default_factory=dict)
    cvs: dict[int, str] = field(default_factory=dict)
    temp_names: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    jumps: list[_Jump] = field(default_factory=list)
    literals: list[Literal] = field(default_factory=list)
    next_cv: int = 0
    highest_temp: int = -1

    def cv(self, name: str) -> int:
        """The slot of ``$name``, the next free one at its first use."""
        if name not in self.cv_of:
            while self.next_cv in self.cvs:
                self.next_cv += 1
            self.cv_of[name] = self.next_cv
            self.cvs[self.next_cv] = name
        return self.cv_of[name]

    def numbered_cv(self, line: Line, slot: int, name: str) -> int:
        """``CV3($x)``: number and name must belong together."""
        if slot > _MAX_SLOT or self.cvs.setdefault(slot, name) != name or self.cv_of.setdefault(name, slot) != slot:
            line.fail(f"CV{slot} and ${name} do not belong together")
        return slot

    def const(self, value: Literal) -> Operand:
        """A new literal."""
        self.literals.append(value)
        return Operand(OpKind.CONST, len(self.literals) - 1)

    def resolve(self, ops: list[Op]) -> int:
        """Number the named temporaries behind all others and fill in labels. Returns the number of temporaries."""
        first_named = max(self.highest_temp + 1, len(self.cvs))
        if self.temp_names:
            for op in ops:
                op.op1 = _numbered(op.op1, first_named)
                op.op2 = _numbered(op.op2, first_named)
                op.result = _numbered(op.result, first_named)
        for jump in self.jumps:
            if jump.label not in self.labels:
                raise jump.error
            self._fill(jump, self.labels[jump.label])
        return first_named + len(self.temp_names) - len(self.cvs)

    def _fill(self, jump: _Jump, target: int) -> None:
        if jump.entry >= 0:
            table = self.literals[jump.op.op2.num]
            assert isinstance(table, JumpTable)
            entries = list(table.entries)
            entries[jump.entry] = (entries[jump.entry][0], target)
            self.literals[jump.op.op2.num] = JumpTable(tuple(entries))
        elif jump.where == "extended_value":
            jump.op.extended_value = target
        else:
            setattr(jump.op, jump.where, Operand(OpKind.UNUSED, target))


def _numbered(operand: Operand, first_named: int) -> Operand:
    if operand.is_temp and operand.num < 0:
        return Operand(operand.kind, first_named - 1 - operand.num)
    return operand


def read_op(line: Line, number: int, source_line: int, names: BodyNames) -> Op:
    """Read the instruction that stands in ``line``; it becomes instruction ``number`` of its function.

    ``source_line`` holds for it unless it says ``@N`` itself. Raises CompileError at the offending column.
    """
    start = line.position
    shown = line.take(_NUMBER)
    if shown is not None and int(shown.group()) != number:
        raise line.error(f"this is instruction {number:04d}", start)
    result = _read_variable(line, names) or _read_raw(line)
    if result is not None:
        line.expect("=")
    mnemonic = line.take(_MNEMONIC)
    opcode = Opcode.__members__.get(mnemonic.group()) if mnemonic else None
    if opcode is None:
        what = f"no opcode of PHP 8.2 is called {mnemonic.group()}" if mnemonic else "expected an instruction"
        raise line.error(what, mnemonic.start() if mnemonic else None)
    info = op_info(opcode)
    op = Op(opcode, result=result or UNUSED, line=source_line)
    op.extended_value = _read_ext(line, info)
    if opcode in TABLE_OPCODES:
        op.op1 = _read_operand(line, info.op1, op, "op1", names) or UNUSED
        _read_table(line, op, names)
    else:
        _read_operands(line, info, op, names)
    if ExtKind.JMP_ADDR in info.ext:
        op.extended_value = _read_target(line, op, "extended_value", -1, names)
    mark = line.take(_LINE)
    if mark is not None:
        op.line = int(mark[1])
    line.expect_end()
    return op


def _read_ext(line: Line, info: OpInfo) -> int:
    explicit = line.take(_EXT)
    if explicit is not None:
        return int(explicit[1])
    line.at_end()
    text = (" " + line.text[line.position :]).encode("utf-8", "surrogateescape")
    found = read_ext(info, text, 0)
    if found is None:
        line.fail(f"{info.opcode.name} needs its extended value here")
    value, consumed = found
    if consumed:
        line.position += consumed - 1
    for bit, word in HIDDEN_WORDS.get(info.opcode, ()):
        if line.eat(word):
            value |= bit
    return value


def _read_operands(line: Line, info: OpInfo, op: Op, names: BodyNames) -> None:
    op2_first = info.opcode in NO_OP1
    if op2_first and info.op1 == WordKind.NONE:
        first = _read_operand(line, info.op2, op, "op2", names)
    else:
        first = _read_operand(line, info.op1, op, "op1", names)
    second = _read_operand(line, info.op2, op, "op2", names) if first is not None else None
    is_word = first is not None and first.kind == OpKind.UNUSED and info.op1 != WordKind.NONE
    if first is not None and second is None and op2_first and not is_word:
        first, second = None, first
    absent = Operand(OpKind.UNUSED, NO_TRY_CATCH) if info.op2 == WordKind.TRY_CATCH else UNUSED
    op.op1 = first or UNUSED
    op.op2 = second or absent
    wants_target = info.op2 == WordKind.JMP_ADDR and not (op.opcode == Opcode.CATCH and op.extended_value & LAST_CATCH)
    if (wants_target and second is None) or (info.op1 == WordKind.JMP_ADDR and first is None):
        line.fail(f"{op.opcode.name} needs a jump target")


def _read_operand(line: Line, kind: WordKind, op: Op, where: str, names: BodyNames) -> Operand | None:
    """An operand, or None if none comes next."""
    if line.at_end() or line.text[line.position] == "@":
        return None
    if line.take(_PLACEHOLDER):
        return UNUSED
    operand = _read_variable(line, names) or _read_raw(line)
    if operand is not None:
        return operand
    if kind == WordKind.JMP_ADDR and _TARGET.match(line.text, line.position):
        return Operand(OpKind.UNUSED, _read_target(line, op, where, -1, names))
    if kind == WordKind.NUM:
        number = line.take(_NUMBER)
        if number is not None:
            return Operand(OpKind.UNUSED, int(number.group()))
    elif kind != WordKind.NONE:
        text = (" " + line.text[line.position :]).encode("utf-8", "surrogateescape")
        found = read_word(kind, text, 0)
        if found is not None and found[1]:
            line.position += found[1] - 1
            return Operand(OpKind.UNUSED, found[0])
    return names.const(read_literal(line))


def _read_variable(line: Line, names: BodyNames) -> Operand | None:
    temp = line.take(_TEMP)
    if temp is not None:
        kind = OpKind.TMP if temp[1] == "T" else OpKind.VAR
        if temp[3] is not None:
            return Operand(kind, -1 - names.temp_names.setdefault(temp[3], len(names.temp_names)))
        slot = int(temp[2])
        if slot > _MAX_SLOT:
            line.fail("number of a temporary too large")
        names.highest_temp = max(names.highest_temp, slot)
        return Operand(kind, slot)
    numbered = line.take(_CV)
    if numbered is not None:
        name = read_variable(line)
        line.expect(")")
        return Operand(OpKind.CV, names.numbered_cv(line, int(numbered[1]), name))
    if line.text.startswith("$", line.position):
        return Operand(OpKind.CV, names.cv(read_variable(line)))
    return None


def _read_raw(line: Line) -> Operand | None:
    raw = line.take(_RAW)
    return None if raw is None else Operand(OpKind.UNUSED, int(raw[1]))


def _read_target(line: Line, op: Op, where: str, entry: int, names: BodyNames) -> int:
    match = line.take(_TARGET)
    if match is None:
        line.fail("expected a jump target")
    if match[1] is not None:
        return int(match[1])
    error = line.error(f"no label {match[2]} in this function", match.start())
    names.jumps.append(_Jump(op, where, entry, match[2], error))
    return 0


def _read_table(line: Line, op: Op, names: BodyNames) -> None:
    """``1: 0004, "x": label, default:``; the target behind ``default:`` is the instruction's extended value."""
    entries: list[tuple[Key, int]] = []
    table = names.const(None)
    op.op2 = table
    while not line.eat("default"):
        key: Key | None = read_string(line)
        if key is None:
            match = line.take(_INT_KEY)
            if match is None:
                line.fail("expected a key of the jump table or 'default:'")
            key = int(match.group())
        line.expect(":")
        entries.append((key, _read_target(line, op, "op2", len(entries), names)))
        line.expect(",")
    line.expect(":")
    names.literals[table.num] = JumpTable(tuple(entries))
