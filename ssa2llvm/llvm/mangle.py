"""Names of symbols.

Problem: a PHP function may be called ``main``, ``malloc``, ``write`` or contain bytes that assemblers dislike; C sees
the exported ones. So internal symbols live behind a prefix with a dot, which no C identifier has (``php.main``); LLVM
quotes any byte. Exported symbols are C identifiers: the PHP name itself where C allows it, and otherwise (keywords,
names of the C library that a header would clash with, namespaces, bytes over 127) an escaped form that is injective.

PHP compares function names without case in ASCII only; `fold_case` is that comparison's key.
"""

from __future__ import annotations

import re

__all__ = ["c_identifier", "fold_case", "symbol"]

_UPPER = {ord("A") + i: ord("a") + i for i in range(26)}
_C_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

_RESERVED = frozenset(
    (  # noqa: SIM905 - a table of words, not of literals
        "auto break case char const continue default do double else enum extern float for goto if inline int "
        "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
        "volatile while alignas alignof bool complex imaginary noreturn constexpr false nullptr true typeof "
        "asm class delete new operator private protected public template this throw try using virtual catch "
        "namespace main abort atexit exit free malloc calloc realloc read write open close memcpy memmove "
        "memset memcmp strlen strcmp printf puts putchar getchar signal system time clock abs labs div rand "
        "srand sin cos tan exp log pow sqrt floor ceil round fmod index select send recv connect accept bind "
        "listen fork wait kill pause sleep link unlink access dup pipe remove rename stat"
    ).split()
)


def fold_case(name: str) -> str:
    """The key under which PHP finds a function: ASCII lower case, without a leading backslash."""
    return name.removeprefix("\\").translate(_UPPER)


def symbol(kind: str, name: str) -> str:
    """The internal symbol of ``name``: ``php.fib``, ``entry.fib``. ``kind`` must contain no dot."""
    return f"{kind}.{name}"


def c_identifier(name: str) -> str:
    """The exported C name of a PHP function: itself if it can be, else ``php_`` and the name with each byte that C
    does not allow, and each underscore that could be mistaken for an escape, written ``_xHH``."""
    if _C_NAME.fullmatch(name) and name not in _RESERVED and not name.startswith(("php_", "s2l_")):
        return name
    escaped = []
    for byte in name.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        if byte < 128 and char.isalnum():
            escaped.append(char)
        elif char == "_":
            escaped.append("_")
        else:
            escaped.append(f"_x{byte:02X}")
    text = "".join(escaped)
    if "_x" in name:
        text = "".join("_x5F" if char == "_" else char for char in escaped)
    return "php_" + text
