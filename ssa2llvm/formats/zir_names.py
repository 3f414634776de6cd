"""Strings, names and variables of zir. What a ``write_*`` wrote, its ``read_*`` gives back."""

from __future__ import annotations

import re

from ssa2llvm.formats.zir_line import Line

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"'}
_UNESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"'}
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"(?:[^\W\d]\w*\\)*\{closure\}|[^\W\d][\w\\]*")


def write_string(data: bytes) -> str:
    """Quote a byte string; what is not printable UTF-8 is written ``\\xHH``."""
    parts = []
    for char in data.decode("utf-8", "surrogateescape"):
        if char in _UNESCAPES:
            parts.append(_UNESCAPES[char])
        elif char.isprintable():
            parts.append(char)
        else:
            parts += [f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape")]
    return '"' + "".join(parts) + '"'


def read_string(line: Line) -> bytes | None:
    """A quoted string, or None if none comes next."""
    match = line.take(_STRING)
    if match is None:
        return None
    parts: list[bytes] = []
    last = 0
    for escape in _ESCAPE.finditer(match[1]):
        parts.append(match[1][last : escape.start()].encode("utf-8", "surrogateescape"))
        last = escape.end()
        code = escape[1]
        if code[0] == "x" and len(code) == 3:
            parts.append(bytes([int(code[1:], 16)]))
        elif code in _ESCAPES:
            parts.append(_ESCAPES[code].encode())
        else:
            raise line.error(f"unknown escape \\{code}", match.start(1) + escape.start())
    parts.append(match[1][last:].encode("utf-8", "surrogateescape"))
    return b"".join(parts)


def write_name(name: str) -> str:
    """A function's, class's or file's name: bare if it is a PHP name, else quoted."""
    if _NAME.fullmatch(name) and name.isprintable():
        return name
    return write_string(name.encode("utf-8", "surrogateescape"))


def read_name(line: Line, what: str) -> str:
    """A name, bare or quoted; fails if none comes next."""
    quoted = read_string(line)
    if quoted is not None:
        return quoted.decode("utf-8", "surrogateescape")
    match = line.take(_NAME)
    if match is None:
        line.fail(f"expected {what}")
    return match.group()


def write_variable(name: str) -> str:
    """``$name``, or ``$"odd name"``."""
    if _IDENTIFIER.fullmatch(name) and name.isprintable():
        return "$" + name
    return "$" + write_string(name.encode("utf-8", "surrogateescape"))


def read_variable(line: Line) -> str:
    """A variable's name, without the dollar; fails if none comes next."""
    line.expect("$")
    quoted = read_string(line)
    if quoted is not None:
        return quoted.decode("utf-8", "surrogateescape")
    match = line.take(_IDENTIFIER)
    if match is None:
        line.fail("expected the name of a variable")
    return match.group()
