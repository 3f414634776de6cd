"""What PHP's compiler knows before it reads a line: its internal functions, constants and class names.

A call of an internal function becomes INIT_FCALL and sends its arguments as the function's parameters ask; an internal
constant that is persistent is replaced by its value.  The lists are those of the reference PHP without extensions
(``php -n``), in ``data/*.tsv``, read once when first needed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class InternalFunction:
    """Parameters by name; ``modes`` are "" (by value), "&" (by reference) or "~" (by reference if it is possible)."""

    name: str
    params: tuple[str, ...]
    modes: tuple[str, ...]
    variadic: bool
    deprecated: bool

    def mode(self, number: int) -> str:
        """How argument ``number`` (from 1) is sent."""
        if number <= len(self.modes):
            return self.modes[number - 1]
        return self.modes[-1] if self.variadic else ""


def _rows(name: str) -> list[list[str]]:
    text = files("ssa2llvm.php").joinpath("data", name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


@cache
def _functions() -> dict[str, list[str]]:
    return {row[0].rstrip("!"): row for row in _rows("functions.tsv")}


@cache
def internal_function(name: str) -> InternalFunction | None:
    """The internal function of this lower-case name, if PHP has one."""
    row = _functions().get(name)
    if row is None:
        return None
    words = row[1].split()
    params = tuple(word.lstrip("&~.") for word in words)
    modes = tuple(word[0] if word[0] in "&~" else "" for word in words)
    variadic = any("..." in word for word in words)
    return InternalFunction(name, params, modes, variadic, row[0].endswith("!"))


def _value(text: str) -> bool | int | float | bytes:
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"'):
        decoded: str = json.loads(text)
        return decoded.encode()
    return int(text) if text.lstrip("-").isdigit() else float(text)


@cache
def persistent_constants() -> dict[str, bool | int | float | bytes]:
    """Constants that the compiler replaces by their values."""
    return {name: _value(text) for name, text in _rows("constants.tsv")}


@cache
def internal_classes() -> frozenset[str]:
    """Lower-case names of PHP's own classes, interfaces and traits."""
    return frozenset(row[0] for row in _rows("classes.tsv"))


#: ``true``, ``false`` and ``null``, which are recognised in any spelling.
SPECIAL_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}

#: Variables that are global in every scope (``$GLOBALS`` is handled by itself).
AUTO_GLOBALS = frozenset({"_GET", "_POST", "_COOKIE", "_SERVER", "_ENV", "_REQUEST", "_FILES", "_SESSION", "GLOBALS"})
