"""Values and names of constants as PHP source that gives them back wherever it is compiled.

The front end and the file cache's reader write constant expressions with it (``ir.literals.ConstAst``): the two texts
of one expression must be the same.
"""

from __future__ import annotations

from ssa2llvm.values.number_format import float_repr
from ssa2llvm.values.types import PHP_INT_MIN, to_text


def scalar_source(value: bool | int | float | bytes | None) -> str:
    """A scalar as a PHP expression. The least integer has no literal of its own: its digits alone are a float."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if value != PHP_INT_MIN else f"({PHP_INT_MIN + 1} - 1)"
    if isinstance(value, float):
        text = float_repr(value)
        if text in ("INF", "-INF", "NAN"):
            return text.replace("INF", "\\INF").replace("NAN", "\\NAN")
        return text if "." in text or "E" in text else f"{text}.0"
    escaped = value.replace(b"\\", b"\\\\").replace(b"'", b"\\'")
    return f"'{to_text(escaped)}'"


def fallback_constant_source(name: str) -> str:
    """The constant that an unqualified name in a namespace stands for: that of the namespace (``name`` is its full
    name) if it is defined when the expression is evaluated, else the global one."""
    quoted = name.replace("\\", "\\\\")
    return f"(\\defined('{quoted}') ? \\{name} : \\{name.rpartition(chr(92))[2]})"
