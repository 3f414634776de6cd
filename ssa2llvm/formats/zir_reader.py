"""zir -> ``Script`` (grammar: docs/zir.md). The inverse of ``zir_printer``, and pleasant to write by hand.

Line by line, with an explicit stack of open functions and classes. Every diagnostic has line and column. What was read
passes ``linear_check`` before it leaves.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ssa2llvm.formats.linear_check import linear_problem
from ssa2llvm.formats.zir_line import Line
from ssa2llvm.formats.zir_literals import read_literal
from ssa2llvm.formats.zir_names import read_name, read_string, read_variable
from ssa2llvm.formats.zir_op_reader import BodyNames, read_op
from ssa2llvm.formats.zir_printer import MAGIC, derived_arg_counts, derived_flags
from ssa2llvm.formats.zir_types import read_type
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import JumpTable, Literal
from ssa2llvm.ir.op_array import (
    NO_TYPE,
    ArgInfo,
    ClassDecl,
    FnFlags,
    LiveRange,
    LiveRangeKind,
    Op,
    OpArray,
    PropertyDecl,
    Script,
    StaticVar,
    TryCatch,
)
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind

_LABEL = re.compile(r"([^\W\d]\w*):(?=[ \t]*(?:;|$))")
_WORD = re.compile(r"[a-z_]+(?!\w)")
_HEX = re.compile(r"0x[0-9a-fA-F]+|\d+")
_LIVE_KIND = re.compile(r"\((tmp/var|loop|silence|rope|new)\)")
_FLAG_OF = {flag.name.lower(): flag for flag in FnFlags if flag.name}


@dataclass(slots=True)
class _Body:
    """A function that is being read, and what its optional lines said."""

    op_array: OpArray
    start: Line
    names: BodyNames = field(default_factory=BodyNames)
    source_line: int = 0
    flags: FnFlags | None = None
    arg_counts: tuple[int, int] | None = None
    num_temps: int | None = None


class _Reader:
    def __init__(self, text: str, filename: str) -> None:
        self._lines = text.split("\n")
        self._file = filename
        self._open: list[_Body | ClassDecl] = []
        self._main: OpArray | None = None
        self._script = Script(main=OpArray("$_main"))

    def read(self) -> Script:
        if self._lines[0].strip() != MAGIC:
            raise CompileError(f"the first line of zir must be '{MAGIC}'", self._file, 1, 1)
        line = Line("", self._file, 1)
        for number, text in enumerate(self._lines[1:], start=2):
            line = Line(text.rstrip("\r"), self._file, number)
            if not line.at_end():
                self._read_line(line)
        if self._open:
            raise line.error("a function or class is not closed: expected '}'")
        self._script.main = self._main or _empty_main(self._script.filename)
        return self._script

    def _read_line(self, line: Line) -> None:
        current = self._open[-1] if self._open else None
        if isinstance(current, _Body):
            self._read_in_function(line, current)
        elif isinstance(current, ClassDecl):
            self._read_in_class(line, current)
        else:
            self._read_at_top(line)

    def _read_at_top(self, line: Line) -> None:
        if line.eat("file"):
            self._script.filename = _string(line)
        elif line.eat("lossy"):
            self._script.lossy.append(_string(line))
        elif line.eat("main"):
            if self._main is not None:
                line.fail("a second main script")
            self._main = self._begin_function(line, is_main=True)
            return
        elif line.eat("function"):
            self._script.functions.append(self._begin_function(line))
            return
        elif line.eat("class"):
            self._begin_class(line)
        else:
            line.fail("expected 'main', 'function', 'class' or 'file'")
        line.expect_end()

    def _begin_function(self, line: Line, is_main: bool = False, scope: str | None = None) -> OpArray:
        if is_main:
            quoted = read_string(line)
            name = "$_main" if quoted is None else quoted.decode("utf-8", "surrogateescape")
        else:
            name = read_name(line, "the name of a function")
        op_array = OpArray(name, filename=self._script.filename, scope=scope, is_main=is_main)
        if line.eat("("):
            while not line.eat(")"):
                if op_array.arg_info:
                    line.expect(",")
                op_array.arg_info.append(_read_param(line))
            if line.eat(":"):
                op_array.return_type = read_type(line)
        elif not is_main:
            line.fail("expected '('")
        line.expect("{")
        line.expect_end()
        body = _Body(op_array, line)
        for arg in op_array.arg_info:
            body.names.cv(arg.name)
        self._open.append(body)
        return op_array

    def _read_in_function(self, line: Line, body: _Body) -> None:
        label = line.take(_LABEL)
        if label is not None:
            if body.names.labels.setdefault(label[1], len(body.op_array.ops)) != len(body.op_array.ops):
                raise line.error(f"label {label[1]} stands twice", label.start())
            return
        if line.eat("}"):
            self._open.pop()
            _finish(body)
        elif line.eat("function"):
            body.op_array.dynamic_defs.append(self._begin_function(line))
            return
        elif not _read_directive(line, body):
            op = read_op(line, len(body.op_array.ops), body.source_line, body.names)
            body.source_line = op.line
            body.op_array.ops.append(op)
        line.expect_end()

    def _begin_class(self, line: Line) -> None:
        cls = ClassDecl(read_name(line, "the name of a class"))
        if line.eat("extends"):
            cls.parent = read_name(line, "the name of a class")
        if line.eat("implements"):
            cls.interfaces.append(read_name(line, "the name of an interface"))
            while line.eat(","):
                cls.interfaces.append(read_name(line, "the name of an interface"))
        line.expect("{")
        self._script.classes.append(cls)
        self._open.append(cls)

    def _read_in_class(self, line: Line, cls: ClassDecl) -> None:
        if line.eat("}"):
            self._open.pop()
        elif line.eat("lines"):
            cls.line_start, cls.line_end = _read_range(line, "-")
        elif line.eat("flags"):
            match = line.take(_HEX)
            if match is None:
                line.fail("expected a number")
            cls.flags = int(match.group(), 0)
        elif line.eat("const"):
            name = read_name(line, "the name of a constant")
            line.expect("=")
            cls.constants.append((name, _read_value(line)))
        elif line.eat("property"):
            cls.properties.append(_read_property(line))
        elif line.eat("function"):
            cls.methods.append(self._begin_function(line, scope=cls.name))
            return
        else:
            line.fail("expected 'function', 'property', 'const' or '}'")
        line.expect_end()


def read_zir(text: str, filename: str = "<zir>") -> Script:
    """Read zir. ``filename`` is the text's own name, for diagnostics. Raises CompileError."""
    return _Reader(text, filename).read()


def _string(line: Line) -> str:
    data = read_string(line)
    if data is None:
        line.fail("expected a quoted string")
    return data.decode("utf-8", "surrogateescape")


def _read_value(line: Line) -> Literal:
    value = read_literal(line)
    assert not isinstance(value, JumpTable)
    return value


def _read_range(line: Line, separator: str) -> tuple[int, int]:
    first = line.take(_HEX)
    line.expect(separator)
    second = line.take(_HEX)
    if first is None or second is None:
        line.fail("expected a number")
    return int(first.group()), int(second.group())


def _read_param(line: Line) -> ArgInfo:
    line.at_end()
    declared = NO_TYPE if line.text.startswith(("$", "&", "..."), line.position) else read_type(line)
    by_ref = line.eat("&")
    variadic = line.eat("...")
    name = read_variable(line)
    default = _string(line) if line.eat("=") else ""
    return ArgInfo(name, declared, by_ref, variadic, default)


def _read_flags(line: Line) -> FnFlags:
    flags = FnFlags.NONE
    while match := line.take(_WORD):
        if match.group() not in _FLAG_OF:
            raise line.error(f"no flag is called {match.group()}", match.start())
        flags |= _FLAG_OF[match.group()]
    return flags


def _read_property(line: Line) -> PropertyDecl:
    flags = _read_flags(line)
    declared = read_type(line) if line.eat(":") else NO_TYPE
    name = read_variable(line)
    default = _read_value(line) if line.eat("=") else None
    return PropertyDecl(name, declared, default, FnFlags.STATIC in flags, flags)


def _read_directive(line: Line, body: _Body) -> bool:
    """A line of a function that is no instruction; False if it is none of these."""
    op_array = body.op_array
    if not line.text[line.position].islower():
        return False
    if line.eat("file"):
        op_array.filename = _string(line)
    elif line.eat("lines"):
        op_array.line_start, op_array.line_end = _read_range(line, "-")
    elif line.eat("scope"):
        op_array.scope = None if line.eat("none") else _string(line)
    elif line.eat("undeclared"):
        op_array.declarations_known = False
    elif line.eat("flags"):
        body.flags = _read_flags(line)
    elif line.eat("args"):
        body.arg_counts = _read_range(line, "required")
    elif line.eat("vars"):
        _read_vars(line, body)
    elif line.eat("temps"):
        body.num_temps = line.integer()
    elif line.eat("static"):
        name = read_variable(line)
        value = _read_value(line) if line.eat("=") else None
        op_array.static_vars.append(StaticVar(name, value))
    elif line.eat("live"):
        op_array.live_ranges.append(_read_live_range(line))
    elif line.eat("try"):
        op_array.try_catch.append(_read_try(line))
    else:
        return False
    return True


def _read_vars(line: Line, body: _Body) -> None:
    if body.op_array.ops:
        line.fail("'vars' must stand before the instructions")
    body.names.cv_of.clear()
    body.names.cvs.clear()
    if line.eat("none"):
        return
    while True:
        slot = len(body.names.cvs)
        body.names.numbered_cv(line, slot, read_variable(line))
        if not line.eat(","):
            return


def _read_live_range(line: Line) -> LiveRange:
    slot = line.integer()
    line.expect(":")
    start, end = _read_range(line, "-")
    kind = line.take(_LIVE_KIND)
    if kind is None:
        line.fail("expected (tmp/var), (loop), (silence), (rope) or (new)")
    return LiveRange(slot, LiveRangeKind(kind[1]), start, end)


def _read_try(line: Line) -> TryCatch:
    places = []
    for position in range(4):
        if position:
            line.expect(",")
        places.append(0 if position and line.eat("-") else line.integer())
    return TryCatch(*places)


def _finish(body: _Body) -> None:
    """Close a function: number what has names only, fill in what was left out, check."""
    op_array, names = body.op_array, body.names
    missing = [slot for slot in range(len(names.cvs)) if slot not in names.cvs]
    if missing:
        raise body.start.error(f"variable CV{missing[0]} of {op_array.name} has no name")
    op_array.cvs = [names.cvs[slot] for slot in range(len(names.cvs))]
    op_array.literals = names.literals
    num_temps = max(0, names.resolve(op_array.ops))
    op_array.num_temps = num_temps if body.num_temps is None else body.num_temps
    op_array.num_args, op_array.required_num_args = body.arg_counts or derived_arg_counts(op_array.arg_info)
    op_array.flags = derived_flags(op_array) if body.flags is None else body.flags
    problem = linear_problem(op_array)
    if problem is not None:
        raise body.start.error(f"{op_array.name}: {problem}", 0)


def _empty_main(filename: str) -> OpArray:
    """The main script of a file that holds only functions."""
    ops = [Op(Opcode.RETURN, Operand(OpKind.CONST, 0))]
    return OpArray("$_main", filename=filename, ops=ops, literals=[1], is_main=True)
