"""Programs in every form, against live PHP: output with warnings and fatal errors, and exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.interp.run import run_script
from tests.interp.compiled import compile_with_php, php_output, program
from tests.interp.snippets import SNIPPETS

STEPS = 200_000
NO_SSA = {"globals and statics"}
"""Programs with ``$$name``, of which there is no SSA form."""


@pytest.mark.parametrize("name", SNIPPETS)
def test_every_form_prints_what_php_prints(name: str, tmp_path: Path) -> None:
    file = program(tmp_path, SNIPPETS[name])
    expected = php_output(file)
    script = compile_with_php(file)
    for form in ("linear",) if name in NO_SSA else ("linear", "ssa", "destructed"):
        outcome = run_script(script, form, step_limit=STEPS)
        assert (outcome.stdout.decode("latin-1"), outcome.exit_code) == (expected[0].decode("latin-1"), expected[1]), (
            form
        )
        assert not outcome.stopped
