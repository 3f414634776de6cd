"""``Script`` -> zir, our lossless text (grammar: docs/zir.md).

``read_zir(print_zir(script))`` is the same script, literal numbers aside: the reader gives every use of a literal its
own entry. What can be derived is left out (flags that follow from the signature, the file name of every function).
"""

from __future__ import annotations

from ssa2llvm.formats.zir_literals import write_literal
from ssa2llvm.formats.zir_names import write_name, write_string, write_variable
from ssa2llvm.formats.zir_ops import write_op
from ssa2llvm.formats.zir_types import write_type
from ssa2llvm.ir.op_array import ArgInfo, ClassDecl, FnFlags, OpArray, PropertyDecl, Script, TryCatch, TypeDecl
from ssa2llvm.ir.opcode import Opcode

MAGIC = "; zir 1"


def print_zir(script: Script) -> str:
    """The whole script; ends in a newline."""
    lines = [MAGIC]
    if script.filename:
        lines.append(f"file {_quoted(script.filename)}")
    lines += [f"lossy {_quoted(sentence)}" for sentence in script.lossy]
    for op_array in (script.main, *script.functions):
        lines.append("")
        _function_lines(op_array, script.filename, None, lines)
    for cls in script.classes:
        lines.append("")
        _class_lines(cls, script.filename, lines)
    return "\n".join(lines) + "\n"


def print_function(op_array: OpArray, filename: str = "") -> str:
    """One function on its own, without those it defines: everything that is known of it. ``filename`` is the file that
    goes without saying."""
    lines = [_signature(op_array)]
    _body_lines(op_array, filename, None, lines)
    return "\n".join([*lines, "}"]) + "\n"


def derived_flags(op_array: OpArray) -> FnFlags:
    """The flags that signature and instructions imply."""
    flags = FnFlags.NONE
    if op_array.return_type.is_set:
        flags |= FnFlags.HAS_RETURN_TYPE
    if any(arg.type.is_set for arg in op_array.arg_info):
        flags |= FnFlags.HAS_TYPE_HINTS
    if any(arg.variadic for arg in op_array.arg_info):
        flags |= FnFlags.VARIADIC
    if any(entry.finally_op for entry in op_array.try_catch):
        flags |= FnFlags.HAS_FINALLY
    if any(op.opcode == Opcode.GENERATOR_CREATE for op in op_array.ops):
        flags |= FnFlags.GENERATOR
    if op_array.name == "{closure}" or op_array.name.endswith("\\{closure}"):
        flags |= FnFlags.CLOSURE
    return flags


def derived_arg_counts(arg_info: list[ArgInfo]) -> tuple[int, int]:
    """(number of parameters, number of required ones) that the signature implies; a variadic one does not count."""
    counted = [arg for arg in arg_info if not arg.variadic]
    required = max((index + 1 for index, arg in enumerate(counted) if not arg.default_text), default=0)
    return len(counted), required


def flag_words(flags: FnFlags) -> list[str]:
    """Names of flags, in order of their bits."""
    return [flag.name.lower() for flag in FnFlags if flag and flag in flags and flag.name]


def _quoted(text: str) -> str:
    return write_string(text.encode("utf-8", "surrogateescape"))


def _function_lines(top: OpArray, filename: str, scope: str | None, lines: list[str]) -> None:
    """``top`` with its closures inside it, without recursion: closures may nest deeply."""
    pending: list[tuple[OpArray | None, str | None]] = [(top, scope)]
    while pending:
        op_array, outer_scope = pending.pop()
        if op_array is None:
            lines.append("}")
            continue
        lines.append(_signature(op_array))
        _body_lines(op_array, filename, outer_scope, lines)
        pending.append((None, None))
        pending += [(nested, None) for nested in reversed(op_array.dynamic_defs)]


def _signature(op_array: OpArray) -> str:
    if op_array.is_main:
        name = "" if op_array.name == "$_main" else " " + _quoted(op_array.name)
        head = f"main{name}"
        if not op_array.arg_info and not op_array.return_type.is_set:
            return head + " {"
    else:
        head = f"function {write_name(op_array.name)}"
    params = ", ".join(_param(arg) for arg in op_array.arg_info)
    returns = f": {write_type(op_array.return_type)}" if op_array.return_type.is_set else ""
    return f"{head}({params}){returns} {{"


def _param(arg: ArgInfo) -> str:
    declared = write_type(arg.type) + " " if arg.type.is_set else ""
    marks = ("&" if arg.by_ref else "") + ("..." if arg.variadic else "")
    default = f" = {_quoted(arg.default_text)}" if arg.default_text else ""
    return f"{declared}{marks}{write_variable(arg.name)}{default}"


def _body_lines(op_array: OpArray, filename: str, scope: str | None, lines: list[str]) -> None:
    if op_array.filename != filename:
        lines.append(f"file {_quoted(op_array.filename)}")
    if op_array.line_start or op_array.line_end:
        lines.append(f"lines {op_array.line_start}-{op_array.line_end}")
    if op_array.scope != scope:
        lines.append("scope none" if op_array.scope is None else f"scope {_quoted(op_array.scope)}")
    if not op_array.declarations_known:
        lines.append("undeclared")
    if op_array.flags != derived_flags(op_array):
        lines.append(" ".join(["flags", *flag_words(op_array.flags)]))
    counts = (op_array.num_args, op_array.required_num_args)
    if counts != derived_arg_counts(op_array.arg_info):
        lines.append(f"args {counts[0]} required {counts[1]}")
    if op_array.cvs or op_array.arg_info:
        lines.append("vars " + (", ".join(write_variable(name) for name in op_array.cvs) or "none"))
    if op_array.num_temps:
        lines.append(f"temps {op_array.num_temps}")
    lines += [f"static {write_variable(var.name)} = {write_literal(var.value)}" for var in op_array.static_vars]
    line = 0
    for number, op in enumerate(op_array.ops):
        mark = "" if op.line == line else f" @{op.line}"
        line = op.line
        lines.append(f"{number:04d} {write_op(op_array, op)}{mark}")
    lines += [
        f"live {live.slot}: {live.start:04d} - {live.end:04d} ({live.kind.value})" for live in op_array.live_ranges
    ]
    lines += [_try_line(entry) for entry in op_array.try_catch]


def _try_line(entry: TryCatch) -> str:
    rest = (entry.catch_op, entry.finally_op, entry.finally_end)
    return f"try {entry.try_op:04d}, " + ", ".join(f"{place:04d}" if place else "-" for place in rest)


def _class_lines(cls: ClassDecl, filename: str, lines: list[str]) -> None:
    head = f"class {write_name(cls.name)}"
    if cls.parent is not None:
        head += f" extends {write_name(cls.parent)}"
    if cls.interfaces:
        head += " implements " + ", ".join(write_name(name) for name in cls.interfaces)
    lines.append(head + " {")
    if cls.line_start or cls.line_end:
        lines.append(f"lines {cls.line_start}-{cls.line_end}")
    if cls.flags:
        lines.append(f"flags {cls.flags:#x}")
    lines += [f"const {write_name(name)} = {write_literal(value)}" for name, value in cls.constants]
    lines += [_property_line(prop) for prop in cls.properties]
    for method in cls.methods:
        _function_lines(method, filename, cls.name, lines)
    lines.append("}")


def _property_line(prop: PropertyDecl) -> str:
    words = ["property", *flag_words(prop.flags | FnFlags.STATIC if prop.static else prop.flags)]
    words.append(f"{_type_with_colon(prop.type)}{write_variable(prop.name)} = {write_literal(prop.default)}")
    return " ".join(words)


def _type_with_colon(declared: TypeDecl) -> str:
    return f": {write_type(declared)} " if declared.is_set else ""
