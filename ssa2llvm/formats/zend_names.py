"""Words and number styles that PHP's dump text uses, shared by its readers and printers.

Source: Zend/Optimizer/zend_dump.c. Everything is bytes: names and strings of a PHP program need not be UTF-8, and the
dump shows them raw, cut at the first NUL (C's ``%s``).
"""

from __future__ import annotations

import math

from ssa2llvm.ir.types import (
    IS_ARRAY,
    IS_BOOL,
    IS_CALLABLE,
    IS_DOUBLE,
    IS_FALSE,
    IS_LONG,
    IS_NEVER,
    IS_NULL,
    IS_OBJECT,
    IS_RESOURCE,
    IS_STRING,
    IS_TRUE,
    IS_VOID,
)

MAIN_NAME = b"$_main"

CAST_WORDS: dict[int, bytes] = {
    IS_NULL: b"null",
    IS_FALSE: b"false",
    IS_TRUE: b"true",
    IS_LONG: b"long",
    IS_DOUBLE: b"double",
    IS_STRING: b"string",
    IS_ARRAY: b"array",
    IS_OBJECT: b"object",
    IS_RESOURCE: b"resource",
    IS_BOOL: b"bool",
    IS_CALLABLE: b"callable",
    IS_VOID: b"void",
    IS_NEVER: b"never",
}
"""CAST's extended_value, a type number, as it is printed in parentheses."""

TYPE_CHECK_WORDS: dict[int, bytes] = {
    **{1 << number: CAST_WORDS[number] for number in range(IS_NULL, IS_RESOURCE + 1)},
    (1 << IS_FALSE) | (1 << IS_TRUE): b"bool",
}
"""TYPE_CHECK's extended_value, a type mask, where it is printed as a word and not as ``TYPE [...]``."""

EVAL_WORDS: dict[int, bytes] = {
    1: b"eval",
    2: b"include",
    4: b"include_once",
    8: b"require",
    16: b"require_once",
}

CLASS_FETCH_WORDS: dict[int, bytes] = {
    1: b"self",
    2: b"parent",
    3: b"static",
    4: b"auto",
    5: b"interface",
    6: b"trait",
}


def encode(name: str) -> bytes:
    """A name as PHP holds it (the inverse of ``decode``)."""
    return name.encode("utf-8", "surrogateescape")


def decode(name: bytes) -> str:
    """A PHP name as Python text; bytes that are not UTF-8 survive as surrogates."""
    return name.decode("utf-8", "surrogateescape")


def c_string(data: bytes) -> bytes:
    """What C's ``%s`` shows of ``data``: everything before the first NUL."""
    return data.split(b"\0", 1)[0]


def c_name(name: str) -> bytes:
    """What the dump shows of a name."""
    return c_string(encode(name))


def float_text(value: float) -> bytes:
    """``value`` as C's ``%g`` prints it: six digits; a NaN's sign is shown."""
    if math.isnan(value):
        return b"-nan" if math.copysign(1.0, value) < 0 else b"nan"
    return b"%g" % value


def float_is_cut(text: bytes) -> bool:
    """Whether ``%g`` may have dropped digits of the value behind ``text``: all six places are in use.

    A value with fewer shown digits is taken as it stands. This is a judgement, not a proof (``0.1 + 0.2`` folded
    by PHP's compiler shows as ``0.3``), which is why ``Script.lossy`` mentions floats whenever there are any.
    """
    digits = text.split(b"e", 1)[0].replace(b".", b"").lstrip(b"-0")
    return len(digits) >= 6 and digits.isdigit()
