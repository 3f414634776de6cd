"""Decoding of literals: numbers, escape sequences, and the indentation of heredocs.

Follows Zend/zend_language_scanner.l (the number rules, zend_scan_escape_string, strip_multiline_string_indentation)
and Zend/zend_strtod.c (zend_hex_strtod and its octal and binary kin, which round after every digit; an exact
conversion would differ in the last bit).
"""

from __future__ import annotations

import re

_MAX_INT = (1 << 63) - 1
_SIMPLE = {
    0x6E: b"\n",
    0x72: b"\r",
    0x74: b"\t",
    0x66: b"\f",
    0x76: b"\v",
    0x65: b"\x1b",
    0x5C: b"\\",
    0x24: b"$",
}
_ESCAPE = re.compile(rb"\\(?:[0-7]{1,3}|[xX][0-9a-fA-F]{1,2}|u\{[^}]*\}?|[\s\S])")
_NEWLINE = re.compile(rb"\r\n|\r|\n")


class LiteralError(Exception):
    """A literal PHP rejects; ``line_offset`` counts newlines before the fault inside the literal."""

    def __init__(self, message: str, line_offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line_offset = line_offset


def count_newlines(text: bytes) -> int:
    """Lines that ``text`` ends, counting ``\\r\\n`` once (the scanner's HANDLE_NEWLINES)."""
    if b"\r" not in text:
        return text.count(b"\n")
    return len(_NEWLINE.findall(text))


def _accumulate(digits: str, base: int) -> float:
    """The float of digits too many for an int, rounded after every operation that PHP makes: for bases 2 and 8 it
    adds the digit's character code and subtracts that of "0"."""
    value = 0.0
    zero = 0 if base == 16 else ord("0")
    for digit in digits:
        value = value * base + (int(digit, base) + zero) - zero
    return value


def decode_number(text: bytes) -> int | float:
    """The value of an integer or floating-point literal; an integer too large becomes a float.

    Raises LiteralError for an old-style octal with a digit 8 or 9.
    """
    digits = text.decode("ascii").replace("_", "").lower()
    for prefix, base in (("0x", 16), ("0b", 2), ("0o", 8)):
        if digits.startswith(prefix):
            body = digits[2:].lstrip("0")
            value = int(body, base) if body else 0
            return value if value <= _MAX_INT else _accumulate(body, base)
    if digits.isdigit():
        octal = digits[0] == "0"
        if octal and ("8" in digits or "9" in digits):
            raise LiteralError("Invalid numeric literal")
        value = int(digits, 8 if octal else 10)
        if value <= _MAX_INT:
            return value
        return _accumulate(digits, 8) if octal else float(digits)
    return float(digits)


def _unicode_escape(body: bytes, before: int) -> bytes:
    """``u{...}`` of an escape: UTF-8 of any code point up to 10FFFF, surrogates included, as PHP encodes them."""
    if not re.fullmatch(rb"u\{[0-9a-fA-F]+\}", body):
        raise LiteralError("Invalid UTF-8 codepoint escape sequence", before)
    point = int(body[2:-1], 16)
    if point > 0x10FFFF:
        raise LiteralError("Invalid UTF-8 codepoint escape sequence: Codepoint too large", before)
    return chr(point).encode("utf-8", "surrogatepass")


def unescape(text: bytes, quote: bytes) -> bytes:
    """Resolve the escapes of a double-quoted string (``quote`` is its delimiter), of backticks or of a heredoc
    (``b""``)."""
    if b"\\" not in text:
        return text

    def replace(match: re.Match[bytes]) -> bytes:
        body = match.group(0)[1:]
        first = body[0]
        if first in _SIMPLE:
            return _SIMPLE[first]
        if body == quote:
            return quote
        if 0x30 <= first <= 0x37:
            return bytes([int(body, 8) & 0xFF])
        if first in b"xX" and len(body) > 1:
            return bytes([int(body[1:], 16)])
        if first == 0x75 and len(body) > 1:
            return _unicode_escape(body, count_newlines(text[: match.start()]))
        return match.group(0)

    return _ESCAPE.sub(replace, text)


def octal_overflows(text: bytes) -> list[tuple[bytes, int]]:
    """The octal escapes beyond ``\\377`` in raw text, each with the count of newlines before it."""
    if b"\\" not in text:
        return []
    found = (match for match in _ESCAPE.finditer(text) if re.fullmatch(rb"\\[4-7][0-7]{2}", match.group()))
    return [(match.group(), count_newlines(text[: match.start()])) for match in found]


def unescape_single(text: bytes) -> bytes:
    """Resolve the two escapes of a single-quoted string."""
    if b"\\" not in text:
        return text
    return re.sub(rb"\\([\\'])", lambda match: match.group(1), text)


def strip_indentation(text: bytes, width: int, spaces: bool, at_line_start: bool, ends_line: bool) -> bytes:
    """Remove ``width`` columns from each line of a heredoc chunk.

    ``at_line_start``: the chunk begins a line; ``ends_line``: a newline (already cut off) follows it.  Blank lines
    may be shorter.  Raises LiteralError for a line that is indented too little or with the other kind of white
    space.
    """
    if width == 0:
        return text
    lines = re.split(rb"(\r\n|\r|\n)", text)
    out: list[bytes] = []
    for position in range(0, len(lines), 2):
        line = lines[position]
        newline = lines[position + 1] if position + 1 < len(lines) else b""
        if position > 0 or at_line_start:
            complete = bool(newline) or ends_line
            for column in range(width):
                if column == len(line):
                    if complete:
                        break
                    raise LiteralError(_too_shallow(width), position // 2)
                if line[column] not in b" \t":
                    raise LiteralError(_too_shallow(width), position // 2)
                if spaces != (line[column] == 0x20):
                    raise LiteralError("Invalid indentation - tabs and spaces cannot be mixed", position // 2)
            line = line[min(width, len(line)) :]
        out.append(line + newline)
    return b"".join(out)


def _too_shallow(width: int) -> str:
    return f"Invalid body indentation level (expecting an indentation level of at least {width})"
