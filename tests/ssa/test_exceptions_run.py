"""Random programs with try, catch, finally and throw do in SSA form, with and without passes, what they do in linear
form: edges of exceptions, and handlers that see the right values."""

from __future__ import annotations

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program
from ssa2llvm.php import compile_php
from ssa2llvm.report.bisect import run_program
from tests.ssa.random_php import random_program


def program(seed: int) -> bytes:
    return random_program(seed, functions=3, runnable=True, exceptions=True, size=[15, 30][seed % 2]).encode()


@pytest.mark.parametrize("seed", range(16))
def test_ssa_form(seed: int) -> None:
    script = compile_php(program(seed), "random.php")
    assert run_script(script, form="ssa").stdout == run_script(script, form="linear").stdout


@pytest.mark.parametrize("seed", [0, 1, 37, 43, 77, 89])
def test_after_the_passes(seed: int) -> None:
    """The way back behind a removed FAST_CALL must go with it: without that, 37 and up fail."""
    optimised = build_program(compile_php(program(seed), "random.php"))
    Pipeline(TABLE, level_names(TABLE, 2), verify=True).run(optimised)
    expected = run_script(compile_php(program(seed), "random.php"), form="linear")
    assert run_program(optimised).stdout == expected.stdout
