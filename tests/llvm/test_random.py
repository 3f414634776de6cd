"""Random programs: compiled code prints what the interpreter prints, at every level, and leaks nothing.

The seeds are fixed, so that a failure is the program's and not the day's; tests/interp compares the interpreter with
PHP.
"""

from __future__ import annotations

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.llvm.driver import unsupported
from ssa2llvm.php import compile_php
from tests.interp.random_php import Generator
from tests.llvm.harness import run_jit


def agree(source: bytes, level: int) -> None:
    script = compile_php(source, "program.php")
    assert not unsupported(script)
    wanted = run_script(script)
    run = run_jit(source, "program.php", level)
    assert run.output.decode("utf-8", "replace") == wanted.stdout.decode("utf-8", "replace")
    assert (run.exit_code, run.leaked) == (wanted.exit_code, 0)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("seed", range(10))
def test_scalars_strings_and_control_flow(seed, level):
    agree(b"<?php\n" + Generator(seed, arrays=False, exceptions=False, references=False).program(2).encode(), level)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("seed", range(11))
def test_arrays_and_references(seed, level):
    agree(b"<?php\n" + Generator(seed, exceptions=False).program(2).encode(), level)


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("seed", [*range(11), 19, 74])
def test_exceptions(seed, level):
    agree(b"<?php\n" + Generator(seed).program(2).encode(), level)
