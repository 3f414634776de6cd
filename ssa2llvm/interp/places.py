"""Places: what a write-fetch (FETCH_DIM_W, FETCH_W …) leaves in its result for the next instruction to write through.

PHP keeps a pointer there (``IS_INDIRECT``). Here it is an object with four abilities: ``get`` the value (UNDEF if
there is none), ``set`` it, make it a ``reference`` cell, and ``bind`` it to one.
"""

from __future__ import annotations

from typing import Protocol

from ssa2llvm.interp.undefined import UNDEF, Consumed, Undefined
from ssa2llvm.ir.literals import Key
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import Ref, Value


class InterpreterBug(Exception):
    """The code being run breaks a rule of its form: a bug of the compiler (or of the interpreter), never of the
    program.
    """


class Place(Protocol):
    """Somewhere a value can be written."""

    def get(self) -> Value | Undefined:
        """The value, looking through a reference."""

    def set(self, value: Value) -> None:
        """Assign, through a reference if there is one."""

    def reference(self) -> Ref:
        """The reference cell here, made if there is none; an undefined variable becomes null."""

    def bind(self, cell: Ref) -> None:
        """Make this place share ``cell``."""


class CellPlace:
    """A variable of a frame."""

    __slots__ = ("cells", "index")

    def __init__(self, cells: list[object], index: int) -> None:
        self.cells = cells
        self.index = index

    def get(self) -> Value | Undefined:
        """See Place."""
        content = self.cells[self.index]
        if isinstance(content, Ref):
            return content.value
        if isinstance(content, Consumed):
            raise InterpreterBug("a variable is read after a later definition took its value over")
        return content  # type: ignore[return-value]

    def set(self, value: Value) -> None:
        """See Place."""
        content = self.cells[self.index]
        if isinstance(content, Ref):
            content.value = value
        else:
            self.cells[self.index] = value

    def reference(self) -> Ref:
        """See Place."""
        content = self.cells[self.index]
        if isinstance(content, Ref):
            return content
        value = self.get()
        cell = Ref(None if isinstance(value, Undefined) else value)
        self.cells[self.index] = cell
        return cell

    def bind(self, cell: Ref) -> None:
        """See Place."""
        self.cells[self.index] = cell


class RefPlace:
    """A reference cell reached otherwise than through a variable."""

    __slots__ = ("cell",)

    def __init__(self, cell: Ref) -> None:
        self.cell = cell

    def get(self) -> Value | Undefined:
        """See Place."""
        return self.cell.value

    def set(self, value: Value) -> None:
        """See Place."""
        self.cell.value = value

    def reference(self) -> Ref:
        """See Place."""
        return self.cell

    def bind(self, cell: Ref) -> None:
        """Not reachable from PHP code: nothing names the cell."""
        raise InterpreterBug("a nameless reference cannot be bound again")


class ElementPlace:
    """An element of an array that belongs to a variable; the element exists."""

    __slots__ = ("array", "key")

    def __init__(self, array: PhpArray, key: Key) -> None:
        self.array = array
        self.key = key

    def get(self) -> Value | Undefined:
        """See Place."""
        return self.array.get(self.key) if self.key in self.array else UNDEF

    def set(self, value: Value) -> None:
        """See Place."""
        self.array.set(self.key, value)

    def reference(self) -> Ref:
        """See Place."""
        return self.array.reference(self.key)

    def bind(self, cell: Ref) -> None:
        """See Place."""
        self.array.put(self.key, cell)


class NowherePlace:
    """The result of a write-fetch that found nothing to write to: reads null, forgets what is written."""

    __slots__ = ()

    def get(self) -> Value | Undefined:
        """See Place."""
        return None

    def set(self, value: Value) -> None:
        """See Place."""

    def reference(self) -> Ref:
        """See Place."""
        return Ref(None)

    def bind(self, cell: Ref) -> None:
        """See Place."""


class SymbolPlace:
    """A variable that exists by name only, once it is written."""

    __slots__ = ("name", "symbols")

    def __init__(self, symbols: dict[str, Ref], name: str) -> None:
        self.symbols = symbols
        self.name = name

    def get(self) -> Value | Undefined:
        """See Place."""
        cell = self.symbols.get(self.name)
        return UNDEF if cell is None else cell.value

    def set(self, value: Value) -> None:
        """See Place."""
        self.reference().value = value

    def reference(self) -> Ref:
        """See Place."""
        return self.symbols.setdefault(self.name, Ref(None))

    def bind(self, cell: Ref) -> None:
        """See Place."""
        self.symbols[self.name] = cell


PLACES = (CellPlace, RefPlace, ElementPlace, NowherePlace, SymbolPlace)
