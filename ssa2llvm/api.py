"""PHP from Python: compile a file, call its functions.

    fib = ssa2llvm.load("fib.php").functions["fib"]
    fib(30)

Values cross as Python's own: None, bool, int, float, bytes (a PHP string is bytes; str is encoded as UTF-8). A PHP
error that nobody caught arrives as ``PhpError``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ssa2llvm.formats.load import load_any


@dataclass(frozen=True, slots=True)
class Library:
    """A loaded PHP file. ``functions`` are its functions by name (those of scalars; the KeyError for another says why);
    its top-level code ran once when it was loaded."""

    path: str
    functions: Mapping[str, Callable[..., Any]]


def load(path: str | os.PathLike[str], level: int = 2) -> Library:
    """Compile the file at ``path`` (any input format) into this process at -O``level``. Raises CompileError."""
    from ssa2llvm.llvm.python_calls import load_functions

    name = os.fspath(path)
    return Library(name, load_functions(load_any(name), level))


def compile_file(
    path: str | os.PathLike[str], output: str | os.PathLike[str], level: int = 2, target: str | None = None
) -> None:
    """Compile the file at ``path`` to ``output``, whose suffix decides what is made (see ``python -m ssa2llvm
    compile``). Raises CompileError; nothing is left behind then."""
    from ssa2llvm.llvm.driver import emit

    emit(load_any(os.fspath(path)), os.fspath(output), level, target=target)
