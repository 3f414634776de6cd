"""Every value that a program ever has lies in its sound fact: on random programs and on the bug corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.formats.load import load_any, load_bytes
from ssa2llvm.ir.config import Config
from ssa2llvm.report.audit import audit
from ssa2llvm.report.random_programs import ProgramMaker, random_program
from ssa2llvm.report.random_references import ReferenceProgramMaker

_CORPUS = Path(__file__).parents[1] / "cases"


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_random_programs(random: object) -> None:
    source = ProgramMaker(random).make()  # type: ignore[arg-type]
    auditor, _ = audit(load_bytes(source.encode(), "random.php"), Config.SOUND, step_limit=5000)
    assert [str(finding) for finding in auditor.findings] == [], source


def test_the_campaign_finds_null_compared_with_an_integer_in_zend_facts() -> None:
    """Program 65 compares null with -1; PHP takes it for an integer below (docs/zend-bugs.md, 1)."""
    auditor, _ = audit(load_bytes(random_program(65).encode(), "random-65.php"), Config.ZEND)
    assert any(finding.reason == "is out of range" for finding in auditor.findings)


def test_an_auditor_that_cannot_fail_would_be_useless() -> None:
    """A wrong fact is reported with what was seen, once."""
    source = b"<?php function f($n) { for ($i = 0; $i < 5; $i++) { $n += $i; } return $n; } echo f(1);"
    auditor, outcome = audit(load_bytes(source, "t.php"), Config.SOUND)
    assert outcome.stdout == b"11"
    assert auditor.checked > 20
    assert auditor.findings == []


@pytest.mark.parametrize(
    "name", ["014_inc_dec_overflow", "031_loop_rebind_types", "048_try_finally_return", "055_int_float"]
)
def test_bug_corpus(name: str) -> None:
    (file,) = _CORPUS.glob(f"{name}*.php")
    auditor, outcome = audit(load_any(str(file)), Config.SOUND, step_limit=50_000)
    assert auditor.findings == []
    assert auditor.checked > 0
    assert outcome.exit_code == 0


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_random_programs_with_references(random: object) -> None:
    """Values that change through other names, and those in arrays in arrays."""
    source = ReferenceProgramMaker(random).make()  # type: ignore[arg-type]
    auditor, _ = audit(load_bytes(source.encode(), "random.php"), Config.SOUND, step_limit=3000)
    assert [str(finding) for finding in auditor.findings] == [], source


def test_a_variable_lives_on_after_it_was_spread() -> None:
    """Found by asking at every use: the interpreter forgot it in SSA form."""
    source = b"<?php function f(...$args) { return count($args); } $a = [1, 2]; echo f(...$a, ...$a), count($a);"
    auditor, outcome = audit(load_bytes(source, "t.php"), Config.SOUND)
    assert outcome.stdout == b"42"
    assert auditor.findings == []
