"""Literals of zir: ``int(1)``, ``float(0.1)``, ``string("a\\n")``, ``[1, "k" => 2]``, ``constant("A::B")``, and short.

Exact both ways: floats by the shortest text that gives them back, strings byte for byte, arrays with their kind.
"""

from __future__ import annotations

import math
import re

from ssa2llvm.formats.zir_line import Line
from ssa2llvm.formats.zir_names import read_string, write_string
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Key, Literal

_INT = re.compile(r"-?\d+(?![\w.])")
_FLOAT = re.compile(r"-?(?:0x[\da-f.]+p[-+]?\d+|\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)(?!\w)", re.IGNORECASE)
_WRAPPED = re.compile(r"(null|true|false|bool|int|float|string|constant|inexact|packed|hash)(?!\w)")
_MAX_DEPTH = 200


def _write_float(value: float) -> str:
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return repr(value)


def _read_float(line: Line) -> float:
    match = line.take(_FLOAT)
    if match is None:
        line.fail("expected a float")
    text = match.group().lower()
    if text == "-nan":
        return -math.nan
    return float.fromhex(text) if "0x" in text else float(text)


def write_literal(value: Literal) -> str:
    """A literal: ``int(1)``, ``float(0.1)``, ``string("a\\n")``, ``[1, "k" => 2]``, ``constant("A::B")``."""
    if isinstance(value, bool):
        return f"bool({'true' if value else 'false'})"
    if isinstance(value, int):
        return f"int({value})"
    if isinstance(value, float):
        return f"float({_write_float(value)})"
    if isinstance(value, bytes):
        return f"string({write_string(value)})"
    return _write_short(value)


def _write_short(value: Literal) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"float({_write_float(value)})"
    if isinstance(value, bytes):
        return write_string(value)
    if isinstance(value, ConstAst):
        return f"constant({write_string(value.text.encode('utf-8', 'surrogateescape'))})"
    if isinstance(value, Inexact):
        return "inexact(array)" if value.shown is None else f"inexact({_write_short(value.shown)})"
    assert isinstance(value, ArrayConst), "a jump table is written by its instruction"
    return _write_array(value)


def _is_list(keys: list[Key]) -> bool:
    return bool(keys) and keys == list(range(len(keys))) and all(isinstance(key, int) for key in keys)


def _write_array(array: ArrayConst) -> str:
    keys = [key for key, _ in array.entries]
    is_list = _is_list(keys)
    items = [
        _write_short(item) if is_list else f"{_write_short(key)} => {_write_short(item)}" for key, item in array.entries
    ]
    prefix = "" if array.packed == is_list else "packed" if array.packed else "hash"
    return f"{prefix}[{', '.join(items)}]"


def read_literal(line: Line, depth: int = 0) -> Literal | JumpTable:
    """A literal, in full or short form (``5``, ``1.5``, ``"text"``, ``true``); fails if none comes next."""
    if depth > _MAX_DEPTH:
        line.fail("array literal nested too deeply")
    string = read_string(line)
    if string is not None:
        return string
    match = line.take(_INT)
    if match is not None:
        return _in_range(line, int(match.group()))
    word = line.take(_WRAPPED)
    if word is not None:
        return _read_wrapped(line, word[1], depth)
    if line.eat("["):
        return _read_array(line, None, depth)
    if line.text[line.position : line.position + 1].isdigit() or line.text.startswith("-", line.position):
        return _read_float(line)
    line.fail("expected a literal")


def _in_range(line: Line, number: int) -> int:
    if not -(1 << 63) <= number < 1 << 63:
        line.fail("the integer before this does not fit in 64 bits")
    return number


def _read_wrapped(line: Line, word: str, depth: int) -> Literal:
    simple: dict[str, Literal] = {"null": None, "true": True, "false": False}
    if word in simple:
        return simple[word]
    if word in ("packed", "hash"):
        line.expect("[")
        return _read_array(line, word == "packed", depth)
    line.expect("(")
    value: Literal
    if word == "bool":
        value = line.eat("true")
        if not value:
            line.expect("false")
    elif word == "int":
        value = _in_range(line, line.integer())
    elif word == "float":
        value = _read_float(line)
    elif word == "inexact":
        value = _read_inexact(line)
    else:
        data = read_string(line)
        if data is None:
            line.fail("expected a quoted string")
        value = ConstAst(data.decode("utf-8", "surrogateescape")) if word == "constant" else data
    line.expect(")")
    return value


def _read_inexact(line: Line) -> Inexact:
    if line.eat("array"):
        return Inexact(None)
    shown = read_literal(line)
    if not isinstance(shown, float | bytes):
        line.fail("only floats, strings and arrays can be inexact")
    return Inexact(shown)


def _read_array(line: Line, packed: bool | None, depth: int) -> ArrayConst:
    entries: list[tuple[Key, Literal]] = []
    seen: set[Key] = set()
    while not line.eat("]"):
        if entries and not line.eat(","):
            line.fail("expected ',' or ']'")
        item = read_literal(line, depth + 1)
        key: Key = len(entries)
        if line.eat("=>"):
            if isinstance(item, bool) or not isinstance(item, int | bytes):
                line.fail("an array key is an integer or a string")
            key, item = item, read_literal(line, depth + 1)
        if key in seen:
            line.fail("array key used twice")
        seen.add(key)
        entries.append((key, item))
    is_list = _is_list([key for key, _ in entries])
    return ArrayConst(tuple(entries), is_list if packed is None else packed)
