"""The program's cells: numbers for global and static variables and constant arrays.

One table of values in the context holds everything that outlives a call: the globals that functions can name, each
function's statics, constant arrays once they are built, and where the keys written in a function were found last. A
number is given when a name is first asked for, so the table is as long as the program needs. Statics start with their
declared value, but for arrays: these, and globals, are undefined at first, and the code that binds the static gives it
its array (``lower_variable``).
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, Literal, literal_key
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.seam import Val, double

__all__ = ["Cells", "initial_value"]


class Cells:
    """Numbers the cells of one program; ``string`` makes a string constant."""

    def __init__(self, string: Callable[[bytes], Val]) -> None:
        self._string = string
        self._globals: dict[str, int] = {}
        self._statics: dict[tuple[int, str], int] = {}
        self._constants: dict[tuple[object, ...], int] = {}
        self._guesses: dict[tuple[int, bytes], int] = {}
        self._initial: list[str] = []

    def __len__(self) -> int:
        return len(self._initial)

    def of_global(self, name: str) -> int:
        """The number of global variable ``name``."""
        if name not in self._globals:
            self._globals[name] = self._add(f"{{ i64 0, i64 {int(Tag.UNDEF)} }}")
        return self._globals[name]

    def of_static(self, op_array: OpArray, name: str) -> int:
        """The number of static variable ``name`` of a function. Raises CompileError for a value that cannot be one
        yet."""
        key = (id(op_array), name)
        if key not in self._statics:
            self._statics[key] = self._add(self._constant(op_array, initial_value(op_array, name)))
        return self._statics[key]

    def of_constant(self, value: ArrayConst) -> int:
        """The number of the cell in which a constant array is kept, one for equal constants."""
        key = _array_key(value)
        if key not in self._constants:
            self._constants[key] = self._add(f"{{ i64 0, i64 {int(Tag.UNDEF)} }}")
        return self._constants[key]

    def of_guess(self, op_array: OpArray, key: bytes) -> int:
        """The number of the cell in which a function keeps where hashes had a string key last."""
        place = (id(op_array), key)
        if place not in self._guesses:
            self._guesses[place] = self._add(f"{{ i64 0, i64 {int(Tag.LONG)} }}")
        return self._guesses[place]

    def _add(self, constant: str) -> int:
        self._initial.append(constant)
        return len(self._initial) - 1

    def _constant(self, op_array: OpArray, value: Literal) -> str:
        if isinstance(value, ArrayConst):
            return f"{{ i64 0, i64 {int(Tag.UNDEF)} }}"
        if value is None:
            return f"{{ i64 0, i64 {int(Tag.NULL)} }}"
        if isinstance(value, bool):
            return f"{{ i64 0, i64 {int(Tag.TRUE if value else Tag.FALSE)} }}"
        if isinstance(value, int):
            return f"{{ i64 {value}, i64 {int(Tag.LONG)} }}"
        if isinstance(value, float):
            return f"{{ i64 {int(double(value).ref, 16)}, i64 {int(Tag.DOUBLE)} }}"
        if isinstance(value, bytes):
            return f"{{ i64 ptrtoint (ptr {self._string(value).ref} to i64), i64 {int(Tag.STRING)} }}"
        raise CompileError(
            "this initial value of a static variable is not compiled yet", op_array.filename, op_array.line_start
        )

    def definition(self, symbol: str) -> str:
        """The text of the table of initial values."""
        rows = ", ".join(f"%s2l_value {row}" for row in self._initial)
        return f"{symbol} = internal constant [{len(self)} x %s2l_value] [{rows}]"


def initial_value(op_array: OpArray, name: str) -> Literal:
    """The declared value of a static variable. Raises CompileError if there is none."""
    declared = [static.value for static in op_array.static_vars if static.name == name]
    if not declared:
        raise CompileError(f"static ${name} has no declaration", op_array.filename, op_array.line_start)
    return declared[-1]


def _array_key(value: ArrayConst) -> tuple[object, ...]:
    """Equal for the same constants only: 1, 1.0 and true are three."""
    entries = [
        (key, _array_key(element) if isinstance(element, ArrayConst) else literal_key(element))
        for key, element in value.entries
    ]
    return (value.packed, *entries)
