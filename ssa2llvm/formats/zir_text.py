"""The small parts of zir: a cursor over one line, strings, names, literals, declared types.

zir (docs/zir.md) is line oriented: everything that stands in PHP's dump raw is escaped, so that a newline always ends
an instruction. Each ``write_*`` has its ``read_*``, and reading what was written gives the same value.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import NoReturn

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Key, Literal
from ssa2llvm.ir.op_array import NO_TYPE, TypeDecl
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_CALLABLE,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_ITERABLE,
    MAY_BE_LONG,
    MAY_BE_NEVER,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RESOURCE,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
    MAY_BE_VOID,
    declaration_text,
)

_BLANKS = ("", " ", "\t", ";")
_SPACE = re.compile(r"[ \t]*(?:;[^\n]*)?")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"'}
_UNESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"'}
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NAME = re.compile(r"(?:[^\W\d]\w*\\)*\{closure\}|[^\W\d][\w\\]*")
_INT = re.compile(r"-?\d+(?![\w.])")
_FLOAT = re.compile(r"-?(?:0x[\da-f.]+p[-+]?\d+|\d+(?:\.\d*)?(?:e[-+]?\d+)?|inf|nan)(?!\w)", re.IGNORECASE)
_WRAPPED = re.compile(r"(null|true|false|bool|int|float|string|constant|inexact|packed|hash)(?!\w)")
_MAX_DEPTH = 200

TYPE_WORDS: tuple[tuple[int, str], ...] = (
    (MAY_BE_ANY, "mixed"),
    (MAY_BE_STATIC, "static"),
    (MAY_BE_ARRAY, "array"),
    (MAY_BE_STRING, "string"),
    (MAY_BE_LONG, "int"),
    (MAY_BE_DOUBLE, "float"),
    (MAY_BE_ITERABLE, "iterable"),
    (MAY_BE_OBJECT, "object"),
    (MAY_BE_CALLABLE, "callable"),
    (MAY_BE_BOOL, "bool"),
    (MAY_BE_FALSE, "false"),
    (MAY_BE_TRUE, "true"),
    (MAY_BE_VOID, "void"),
    (MAY_BE_NEVER, "never"),
    (MAY_BE_RESOURCE, "resource"),
    (MAY_BE_UNDEF, "undef"),
    (MAY_BE_NULL, "null"),
)
"""Words of declared types, in PHP's order (Zend/zend_compile.c:zend_type_to_string)."""
_TYPE_MASK = {word: mask for mask, word in TYPE_WORDS}


class Line:
    """A cursor over one line of zir. Blanks, and a comment from ``;`` on, are skipped before every token."""

    def __init__(self, text: str, file: str, number: int) -> None:
        self.text = text
        self.file = file
        self.number = number
        self.position = 0

    def error(self, message: str, position: int | None = None) -> CompileError:
        """A diagnostic that points at ``position``, by default at the next token."""
        self._skip()
        column = (self.position if position is None else position) + 1
        return CompileError(message, self.file, self.number, column, source_line=self.text)

    def fail(self, message: str) -> NoReturn:
        """Raise ``error``."""
        raise self.error(message)

    def _skip(self) -> None:
        if self.text[self.position : self.position + 1] not in _BLANKS:
            return
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Consume ``pattern`` if it comes next."""
        self._skip()
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def eat(self, token: str) -> bool:
        """Consume ``token`` if it comes next; a word must end there."""
        self._skip()
        end = self.position + len(token)
        if not self.text.startswith(token, self.position):
            return False
        if token[-1].isalnum() and end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            return False
        self.position = end
        return True

    def expect(self, token: str) -> None:
        """Consume ``token`` or fail."""
        if not self.eat(token):
            self.fail(f"expected '{token}'")

    def at_end(self) -> bool:
        """Whether nothing but blanks and a comment is left."""
        self._skip()
        return self.position == len(self.text)

    def expect_end(self) -> None:
        """Fail unless the line ends here."""
        if not self.at_end():
            self.fail("unexpected text at the end of the line")

    def integer(self) -> int:
        """A decimal number."""
        match = self.take(_INT)
        if match is None:
            self.fail("expected a number")
        return int(match.group())


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


def _text_of(declared: TypeDecl) -> str:
    return declaration_text(declared.mask, declared.class_names, declared.intersection)


def write_type(declared: TypeDecl) -> str:
    """A declared type: ``int|null``, ``A&B``; its text follows as ``as "(A&B)|C"`` where it cannot be derived."""
    words = [write_name(name) for name in declared.class_names]
    mask = declared.mask
    for bits, word in TYPE_WORDS:
        if mask & bits == bits:
            words.append(word)
            mask &= ~bits
    if mask:
        words.append(f"mask({mask:#x})")
    text = ("&" if declared.intersection else "|").join(words)
    if declared.text not in ("", _text_of(declared)):
        text += f" as {write_string(declared.text.encode('utf-8', 'surrogateescape'))}"
    return text


_HEX = re.compile(r"0x[0-9a-fA-F]+")


def read_type(line: Line) -> TypeDecl:
    """A declared type, ``?int`` included; fails if none comes next."""
    mask = MAY_BE_NULL if line.eat("?") else 0
    names: list[str] = []
    separator = ""
    while True:
        if line.eat("mask("):
            match = line.take(_HEX)
            if match is None:
                line.fail("expected a hexadecimal mask")
            mask |= int(match.group(), 16)
            line.expect(")")
        else:
            name = read_name(line, "a type")
            if name.lower() in _TYPE_MASK:
                mask |= _TYPE_MASK[name.lower()]
            else:
                names.append(name)
        found = "|" if line.eat("|") else "&" if _another_type(line) else ""
        if not found:
            break
        if separator and found != separator:
            line.fail("a type joins its parts either by | or by &")
        separator = found
    declared = TypeDecl(mask, tuple(names), separator == "&")
    text = read_string(line) if line.eat("as") else None
    if not declared.is_set:
        return NO_TYPE
    return replace(declared, text=_text_of(declared) if text is None else text.decode("utf-8", "surrogateescape"))


_AMPERSAND = re.compile(r"&(?![ \t]*(?:\$|\.\.\.))")


def _another_type(line: Line) -> bool:
    """Whether an ``&`` joins types; before ``$`` it marks a reference parameter."""
    return line.take(_AMPERSAND) is not None
