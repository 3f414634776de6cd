"""Runs PHP programs through the compiler in this process and catches what they print."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ssa2llvm.llvm.driver import Program, compile_program
from ssa2llvm.php import compile_php


@dataclass(frozen=True)
class Run:
    """What a program printed, its exit code, and how many counted objects it left behind."""

    output: bytes
    exit_code: int
    leaked: int


def run_jit(source: bytes, filename: str = "program.php", level: int = 2) -> Run:
    """Compile ``source`` at -O``level``, proving SSA form and ownership on the way, and run it."""
    return run_caught(compile_program(compile_php(source, filename), level, verify=True), filename)


def run_caught(program: Program, filename: str = "program.php") -> Run:
    """Run a compiled program and catch what it prints."""
    with tempfile.TemporaryFile() as caught:
        saved = os.dup(1)
        os.dup2(caught.fileno(), 1)
        try:
            exit_code = program.run([filename])
        finally:
            os.dup2(saved, 1)
            os.close(saved)
        caught.seek(0)
        return Run(caught.read(), exit_code, program.leaked)


PROGRAMS = Path(__file__).parent / "programs"


def recorded() -> list[Path]:
    """The programs whose output real PHP was recorded for."""
    return sorted(PROGRAMS.glob("*.php"))
