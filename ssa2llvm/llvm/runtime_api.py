"""Reads the prototypes of the C runtime's headers, so that the lowering declares exactly what C defines.

Problem: every runtime function that generated code calls needs an LLVM declaration with the C ABI's types. A table in
Python beside the header in C would drift; the header, kept regular (one prototype a statement, no macros), is the
table.

The mapping is that of the SysV x86-64 and AAPCS64 ABIs for the types the headers use: an `s2l_value` of two i64 is
passed as two i64 in registers (no function has more than six register words, see api.h) and returned as {i64, i64};
`bool` is `zeroext i1`; narrow unsigned integers are `zeroext`, int32_t is `i32`. Linear in the header's size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["CType", "Prototype", "parse_prototypes", "runtime_prototypes"]

_HEADERS = ("api.h", "arrays.h", "exceptions.h", "builtins.h")
_REGISTER_WORDS = 6
_SCALARS = {
    "void": ("void", ""),
    "bool": ("i1", "zeroext"),
    "uint8_t": ("i8", "zeroext"),
    "int32_t": ("i32", ""),
    "uint32_t": ("i32", ""),
    "int64_t": ("i64", ""),
    "uint64_t": ("i64", ""),
    "double": ("double", ""),
    "s2l_value": ("value", ""),
}


@dataclass(frozen=True, slots=True)
class CType:
    """A C type as LLVM sees it: `llvm` is i1 i8 i32 i64 double ptr void, or `value` for an s2l_value by value."""

    llvm: str
    attribute: str

    @property
    def words(self) -> int:
        """General registers an argument of this type takes (a double takes none)."""
        return {"value": 2, "double": 0, "void": 0}.get(self.llvm, 1)


@dataclass(frozen=True, slots=True)
class Prototype:
    """A runtime function: its name, its result and its parameters (C names kept for readable IR)."""

    name: str
    result: CType
    parameters: tuple[tuple[str, CType], ...]
    returns: bool
    """False for _Noreturn functions."""


def _ctype(text: str) -> CType:
    words = [word for word in text.replace("*", " * ").split() if word not in ("const", "struct", "_Noreturn")]
    if "*" in words:
        return CType("ptr", "")
    llvm, attribute = _SCALARS[" ".join(words)]
    return CType(llvm, attribute)


def _parameter(text: str) -> tuple[str, CType]:
    pointer = re.match(r".*\(\*(\w+)\)", text)
    if pointer:
        return pointer.group(1), CType("ptr", "")
    match = re.fullmatch(r"(.*[\s*])(\w+)", text.strip())
    assert match, text
    return match.group(2), _ctype(match.group(1))


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PROTOTYPE = re.compile(r"([\w\s*]*?[\s*])(s2l_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;")
_FUNCTION_POINTER = re.compile(r"\(\*(\w+)\)\s*\([^()]*\)")


def parse_prototypes(header: str) -> list[Prototype]:
    """The prototypes of a header in their order; KeyError for a type outside the list in this module's head."""
    text = _COMMENT.sub(" ", header)
    text = re.sub(r"^#.*$", " ", text, flags=re.MULTILINE)
    text = re.sub(r"\btypedef\b[^;{]*(\{[^}]*\})?[^;]*;", " ", text)
    found = []
    for match in _PROTOTYPE.finditer(text):
        parameters = _FUNCTION_POINTER.sub(r"(*\1)", match.group(3)).strip()
        listed = () if parameters == "void" else tuple(_parameter(part) for part in parameters.split(","))
        prototype = Prototype(match.group(2), _ctype(match.group(1)), listed, "_Noreturn" not in match.group(1))
        words = sum(ctype.words for _, ctype in listed)
        assert words <= _REGISTER_WORDS, f"{prototype.name} takes {words} register words"
        found.append(prototype)
    return found


@cache
def runtime_prototypes() -> dict[str, Prototype]:
    """Every function of the packaged runtime headers by name."""
    folder = resources.files("ssa2llvm") / "runtime"
    prototypes = [p for name in _HEADERS for p in parse_prototypes((folder / name).read_text())]
    return {prototype.name: prototype for prototype in prototypes}
