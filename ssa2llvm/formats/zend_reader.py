"""PHP's dump text -> ``Script``: the linear sections (``opcache.opt_debug_level=0x10000`` and its kin).

Reads what Zend/Optimizer/zend_dump.c:zend_dump_op_array prints without a CFG: header, instructions, live ranges,
exception table. ``print_zend_text(read_zend_text(text)) == text`` holds for everything PHP prints. What the text
does not show is listed in ``Script.lossy``: literals it cuts become ``Inexact``, declarations are unknown
(``OpArray.declarations_known``), and the flags of FREE, FE_FREE, THROW are guessed by ``zend_heuristics``.

Functions are told apart by order and name only (zend-reference 1.7); methods are those whose name has a class in
front. Linear in the length of the text for real dumps.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ssa2llvm.formats.linear_check import linear_problem
from ssa2llvm.formats.zend_heuristics import recover_hidden_flags
from ssa2llvm.formats.zend_names import MAIN_NAME, decode
from ssa2llvm.formats.zend_operands import OpContext, OpParser
from ssa2llvm.formats.zend_stream import Header, error_at, is_section_start, match_header, next_section_start
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ConstAst, Inexact
from ssa2llvm.ir.op_array import (
    ArgInfo,
    ClassDecl,
    FnFlags,
    LiveRange,
    LiveRangeKind,
    Op,
    OpArray,
    Script,
    TryCatch,
)
from ssa2llvm.ir.opcode import Opcode

_NUMBER = re.compile(rb"(\d{4,}) ")
_LIVE_RANGE = re.compile(rb"     (\d+): (\d{4,}) - (\d{4,}) \((tmp/var|loop|silence|rope|new)\)\n")
_TRY = re.compile(rb"     (\d{4,}), (\d{4,}|-), (\d{4,}|-), (?:(\d{4,})|-\n)")
_MAX_CVS = 1 << 20


@dataclass(slots=True)
class _Cursor:
    data: bytes
    filename: str
    position: int = 0

    def error(self, message: str, position: int | None = None) -> CompileError:
        return error_at(self.data, self.position if position is None else position, self.filename, message)


def read_zend_text(text: bytes, filename: str) -> Script:
    """Read a dump. ``filename`` is the dump's own name, for diagnostics.

    If the dump shows several stages, the op arrays are those "before optimizer", or else those of the first stage
    shown in linear form. Raises CompileError for text that is no dump, or a damaged one.
    """
    found = read_linear_sections(text, filename)
    if not found:
        raise CompileError("no functions in linear form in this dump", filename, 1, 1)
    messages = [header.message for header, _ in found]
    stage = b"before optimizer" if b"before optimizer" in messages else messages[0]
    op_arrays = [op_array for header, op_array in found if header.message == stage]
    if not op_arrays[0].is_main:
        raise CompileError(f"the dump does not start with the main script but with {op_arrays[0].name}", filename, 1, 1)
    script = nest_op_arrays(op_arrays)
    script.lossy = _what_the_text_hides(op_arrays)
    return script


def read_linear_sections(text: bytes, filename: str) -> list[tuple[Header, OpArray]]:
    """Every section in linear form, in order; sections of other kinds are skipped."""
    cursor = _Cursor(text, filename)
    found = []
    if not text.startswith(b"\n"):
        cursor.position = next_section_start(text, 0)
        if cursor.position == len(text) or text[: cursor.position].strip():
            raise CompileError("not a dump of PHP opcodes (no empty line and function name)", filename, 1, 1)
    while cursor.position < len(text):
        matched = match_header(text, cursor.position)
        if matched is not None and not text.startswith((b"BB", b"     ;"), matched[1]):
            header, body = matched
            found.append((header, _read_op_array(cursor, header, body)))
        elif is_section_start(text, cursor.position):
            cursor.position = next_section_start(text, cursor.position + 1)
        else:
            raise cursor.error("expected the header of a function")
    return found


def _read_op_array(cursor: _Cursor, header: Header, body: int) -> OpArray:
    start = cursor.position + 1
    cursor.position = body
    if header.num_cvs > _MAX_CVS or header.num_args > header.num_cvs:
        raise cursor.error(f"{decode(header.name)}: impossible number of variables or arguments in the header")
    context = OpContext(header.num_cvs, {}, [])
    parser = OpParser(context)
    last = header.num_ops - 1
    ops = [_read_instruction(cursor, number, number == last, parser) for number in range(header.num_ops)]
    scope, _, name = header.name.rpartition(b"::")
    op_array = OpArray(
        name=decode(name),
        filename=decode(header.filename),
        line_start=header.line_start,
        line_end=header.line_end,
        ops=ops,
        literals=context.literals,
        cvs=context.names(),
        num_temps=header.num_temps,
        num_args=header.num_args,
        scope=decode(scope) if scope else None,
        is_main=header.name == MAIN_NAME,
        declarations_known=False,
    )
    op_array.live_ranges = _read_live_ranges(cursor, header.num_ops)
    op_array.try_catch = _read_exception_table(cursor, header.num_ops)
    problem = linear_problem(op_array)
    if problem is not None:
        raise cursor.error(f"{op_array.name}: {problem}", start)
    if cursor.position < len(cursor.data) and not cursor.data.startswith(b"\n", cursor.position):
        raise cursor.error("text after the end of a function")
    _infer_declarations(op_array)
    recover_hidden_flags(op_array)
    return op_array


def _read_instruction(cursor: _Cursor, number: int, is_last: bool, parser: OpParser) -> Op:
    """Read instruction ``number``, however many lines its strings take."""
    data, start = cursor.data, cursor.position
    head = _NUMBER.match(data, start)
    if head is None or head[1] != b"%04d" % number:
        raise cursor.error(f"expected instruction {number:04d}")
    following = b"\n" if is_last else b"\n%04d " % (number + 1)
    end = data.find(following, head.end())
    while end >= 0:
        if not is_last or _is_function_end(data, end + 1):
            op = parser.parse(data[head.end() : end])
            if op is not None:
                cursor.position = end + 1
                return op
        end = data.find(following, end + 1)
    raise cursor.error(f"cannot read instruction {number:04d}", head.end())


def _is_function_end(data: bytes, position: int) -> bool:
    """Whether the instructions of a function can end at ``position``, the start of a line."""
    if position == len(data) or data.startswith((b"LIVE RANGES:\n", b"EXCEPTION TABLE:\n"), position):
        return True
    return data.startswith(b"\n", position) and is_section_start(data, position)


def _read_live_ranges(cursor: _Cursor, num_ops: int) -> list[LiveRange]:
    ranges: list[LiveRange] = []
    if not cursor.data.startswith(b"LIVE RANGES:\n", cursor.position):
        return ranges
    cursor.position += len(b"LIVE RANGES:\n")
    while match := _LIVE_RANGE.match(cursor.data, cursor.position):
        start, end = int(match[2]), int(match[3])
        if not start <= end <= num_ops:
            raise cursor.error("live range outside the function")
        ranges.append(LiveRange(int(match[1]), LiveRangeKind(match[4].decode()), start, end))
        cursor.position = match.end()
    return ranges


def _read_exception_table(cursor: _Cursor, num_ops: int) -> list[TryCatch]:
    entries: list[TryCatch] = []
    if not cursor.data.startswith(b"EXCEPTION TABLE:\n", cursor.position):
        return entries
    cursor.position += len(b"EXCEPTION TABLE:\n")
    while match := _TRY.match(cursor.data, cursor.position):
        numbers = [int(part) if part and part != b"-" else 0 for part in match.groups()]
        if max(numbers) >= num_ops:
            raise cursor.error("exception table points outside the function")
        entries.append(TryCatch(*numbers))
        cursor.position = match.end()
    return entries


def _infer_declarations(op_array: OpArray) -> None:
    """What the instructions tell of the declaration: names of parameters, generator, variadic."""
    by_position: dict[int, ArgInfo] = {}
    for op in op_array.ops:
        if op.opcode in (Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC) and op.result.is_cv:
            variadic = op.opcode == Opcode.RECV_VARIADIC
            by_position[op.op1.num] = ArgInfo(op_array.cvs[op.result.num], variadic=variadic)
            if variadic:
                op_array.flags |= FnFlags.VARIADIC
            if op.opcode == Opcode.RECV:
                op_array.required_num_args = op.op1.num
        elif op.opcode == Opcode.GENERATOR_CREATE:
            op_array.flags |= FnFlags.GENERATOR
        elif op.opcode in (Opcode.VERIFY_RETURN_TYPE, Opcode.VERIFY_NEVER_TYPE):
            op_array.flags |= FnFlags.HAS_RETURN_TYPE
        elif op.opcode == Opcode.RETURN_BY_REF:
            op_array.flags |= FnFlags.RETURNS_REFERENCE
    op_array.arg_info = [by_position[position] for position in sorted(by_position)]
    if op_array.name.endswith("{closure}"):
        op_array.flags |= FnFlags.CLOSURE
    if any(entry.finally_op for entry in op_array.try_catch):
        op_array.flags |= FnFlags.HAS_FINALLY


def nest_op_arrays(op_arrays: list[OpArray]) -> Script:
    """Put op arrays listed in PHP's order (zend_optimizer.c:zend_foreach_op_array) back into a Script.

    Each op array is followed by as many closures and conditional functions as its DECLARE instructions count. Where
    they do not (dead code removed), those left over stand among the functions: the order is kept in any case.
    """
    main, rest = op_arrays[0], op_arrays[1:]
    functions: list[OpArray] = []
    classes: list[ClassDecl] = []
    open_scopes: list[tuple[OpArray, int]] = [(main, _num_dynamic_defs(main))]
    for op_array in rest:
        while open_scopes and len(open_scopes[-1][0].dynamic_defs) >= open_scopes[-1][1]:
            open_scopes.pop()
        if open_scopes and op_array.scope is None:
            open_scopes[-1][0].dynamic_defs.append(op_array)
        elif op_array.scope is not None:
            if not classes or classes[-1].name != op_array.scope:
                classes.append(ClassDecl(op_array.scope))
            classes[-1].methods.append(op_array)
            open_scopes = []
        elif classes:
            classes[-1].methods.append(op_array)
        else:
            functions.append(op_array)
        open_scopes.append((op_array, _num_dynamic_defs(op_array)))
    return Script(main=main, functions=functions, classes=classes, filename=main.filename)


def _num_dynamic_defs(op_array: OpArray) -> int:
    declared = (Opcode.DECLARE_LAMBDA_FUNCTION, Opcode.DECLARE_FUNCTION)
    return max((op.op2.num + 1 for op in op_array.ops if op.opcode in declared), default=0)


def _what_the_text_hides(op_arrays: list[OpArray]) -> list[str]:
    literals = [literal for op_array in op_arrays for literal in op_array.literals]
    lossy = ["the text shows no declared types, flags, static variables, class bodies or line numbers"]
    floats = sum(isinstance(literal, float) for literal in literals)
    cut = sum(isinstance(literal, Inexact) and isinstance(literal.shown, float) for literal in literals)
    arrays = sum(isinstance(literal, Inexact) and literal.shown is None for literal in literals)
    expressions = sum(isinstance(literal, ConstAst) for literal in literals)
    if any(isinstance(literal, bytes) for literal in literals):
        lossy.append("strings are shown only up to their first NUL byte")
    if floats:
        lossy.append(f"floats are shown to six digits; {floats} that use fewer are taken as shown")
    if cut:
        lossy.append(f"{cut} floats use all six digits and are not known exactly")
    if arrays:
        lossy.append(f"the contents of {arrays} constant arrays are not shown")
    if expressions:
        lossy.append(f"{expressions} constant expressions are not shown")
    return lossy
