"""Arguments that several commands share: the input file, optimization level and target."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TextIO

from ssa2llvm.formats.load import load_any
from ssa2llvm.ir.op_array import OpArray, Script


def add_input(parser: argparse.ArgumentParser) -> None:
    """Declare FILE: PHP source, zir, PHP's dump text, an opcache ``.bin``, or ``-`` for standard input."""
    parser.add_argument("file", metavar="FILE", help="PHP source, zir, PHP's dump text or an opcache .bin; - for stdin")


def count(least: int = 0) -> Callable[[str], int]:
    """An argument's type: a number from ``least`` on."""

    def number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is no number from {least} on")
        return int(text)

    return number


def add_level(parser: argparse.ArgumentParser) -> None:
    """Declare -O0 … -O3."""
    parser.add_argument(
        "-O", dest="level", type=int, choices=range(4), default=2, help="optimization level (default 2)"
    )


def load_for_code(path: str, reports_to: TextIO) -> Script:
    """Load a program from which code will be made; say on stderr what its format could not tell. What PHP reports while
    compiling belongs to the program's output: ``reports_to`` says where it goes."""
    # A program knows itself by its real path, as PHP's command line has it.
    script = load_any(path, "Standard input code" if path == "-" else os.path.realpath(path))
    for sentence in script.lossy:
        print(f"{path}: note: {sentence}", file=sys.stderr)
    for report in script.reports:
        reports_to.write(report)
    reports_to.flush()
    return script


def select(script: Script, name: str | None) -> list[OpArray]:
    """The op arrays called ``name`` (PHP's names are case-insensitive), or all of them. Raises CompileError if there
    is none."""
    from ssa2llvm.ir.diagnostics import CompileError

    op_arrays = script.op_arrays()
    if name is None:
        return op_arrays
    chosen = [op_array for op_array in op_arrays if op_array.name.lower() == name.lower()]
    if not chosen:
        known = ", ".join(op_array.name for op_array in op_arrays)
        raise CompileError(f"no function '{name}' here; there are: {known}", script.filename)
    return chosen
