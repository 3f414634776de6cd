"""Namespaces: how names of functions, constants and classes are resolved (Zend/zend_compile.c:
zend_resolve_*_name).

An unqualified function or constant that no ``use`` names stays open: the compiler prefixes the current namespace
and marks it "not fully qualified", and run time tries the global one if that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ssa2llvm.php.ast import Name, NameForm
from ssa2llvm.php.tokens import words
from ssa2llvm.values.types import to_bytes, to_text

RESERVED_CLASS_NAMES = words(
    "bool false float int null parent self static string true void never iterable object mixed"
)
_SPECIAL_CLASSES = {"self": 1, "parent": 2, "static": 3}


def lower(name: str) -> str:
    """Lower case as PHP has it: ASCII letters only."""
    return to_text(to_bytes(name).lower())


def class_fetch_type(name: str) -> int:
    """FETCH_CLASS_SELF, _PARENT or _STATIC for these words, else FETCH_CLASS_DEFAULT."""
    return _SPECIAL_CLASSES.get(name.lower(), 0)


def unqualified(name: str) -> str:
    """The last part of a name."""
    return name.rpartition("\\")[2]


class Namespaces:
    """The current namespace, its imports, and what the file declared so far."""

    def __init__(self, error: Callable[[str], NoReturn]) -> None:
        self._error = error
        self.current: str | None = None
        self.inside = False
        self.bracketed = False
        self.imports: dict[str, dict[str, str]] = {"class": {}, "function": {}, "const": {}}
        self.seen: dict[str, set[str]] = {}

    def enter(self, name: str | None) -> None:
        """Begin a namespace (None is the global one)."""
        self.current = name
        self.inside = True
        self.imports = {"class": {}, "function": {}, "const": {}}

    def leave(self) -> None:
        """End a bracketed namespace."""
        self.inside = False
        self.current = None
        self.imports = {"class": {}, "function": {}, "const": {}}

    def declare(self, name: str, kind: str) -> None:
        """Remember that the file declares ``name`` (lower case, except for constants)."""
        self.seen.setdefault(name, set()).add(kind)

    def prefix(self, name: str) -> str:
        """``name`` in the current namespace."""
        return f"{self.current}\\{name}" if self.current else name

    def function(self, name: Name) -> tuple[str, bool]:
        """The function ``name`` means, and whether that is certain."""
        return self._resolve(name, "function")

    def constant(self, name: Name) -> tuple[str, bool]:
        """The constant ``name`` means, and whether that is certain."""
        return self._resolve(name, "const")

    def _resolve(self, name: Name, kind: str) -> tuple[str, bool]:
        text = name.text
        if text.startswith("\\"):
            return text[1:], True
        if name.form == NameForm.FULL:
            return text, True
        if name.form == NameForm.RELATIVE:
            return self.prefix(text), True
        imported = self.imports[kind].get(text if kind == "const" else lower(text))
        if imported is not None:
            return imported, True
        first, separator, rest = text.partition("\\")
        if separator:
            imported = self.imports["class"].get(lower(first))
            if imported is not None:
                return f"{imported}\\{rest}", True
        return self.prefix(text), bool(separator)

    def class_(self, name: Name) -> str:
        """The class ``name`` means; ``self``, ``parent`` and ``static`` stay."""
        text = name.text
        if class_fetch_type(text):
            if name.form == NameForm.FULL:
                self._error(f"'\\{text}' is an invalid class name")
            if name.form == NameForm.RELATIVE:
                self._error(f"'namespace\\{text}' is an invalid class name")
            return text
        if name.form == NameForm.RELATIVE:
            return self.prefix(text)
        if name.form == NameForm.FULL:
            if text.startswith("\\"):
                text = text[1:]
                if class_fetch_type(text):
                    self._error(f"'\\{text}' is an invalid class name")
            return text
        first, separator, rest = text.partition("\\")
        imported = self.imports["class"].get(lower(first))
        if imported is not None:
            return f"{imported}\\{rest}" if separator else imported
        return self.prefix(text)

    def class_reference(self, name: Name, what: str) -> str:
        """A class name where ``self`` and its kin are not allowed."""
        if name.form != NameForm.FULL and class_fetch_type(name.text):
            self._error(f"Cannot use '{name.text}' as {what}, as it is reserved")
        return self.class_(name)

    def use(self, kind: str, name: str, alias: str | None) -> bool:
        """Import ``name``; return whether it has an effect (a plain name outside a namespace has none)."""
        effect = True
        if alias is None:
            alias = unqualified(name)
            effect = "\\" in name or bool(self.current)
        lookup = alias if kind == "const" else lower(alias)
        if kind == "class" and unqualified(alias).lower() in RESERVED_CLASS_NAMES:
            self._error(f"Cannot use {name} as {alias} because '{alias}' is a special class name")
        declared = f"{lower(self.current)}\\{lookup}" if self.current else lookup
        word = "" if kind == "class" else f" {kind}"
        clash = f"Cannot use{word} {name} as {alias} because the name is already in use"
        if kind in self.seen.get(declared, ()) and lower(name) != lower(declared):
            self._error(clash)
        if lookup in self.imports[kind]:
            self._error(clash)
        self.imports[kind][lookup] = name
        return effect
