"""Our stages equal PHP's recorded ones, from the file cache, from our front end, and from the text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ssa2llvm.report.conform_compare import Verdict
from ssa2llvm.report.conform_oracle import LEVELS, Oracle, read_answer
from ssa2llvm.report.conform_run import Job, compare_file, recording_of
from ssa2llvm.report.conform_stages import USUAL
from tests.tools import need_tool

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.php"))
JOB = Job("", None, USUAL, recorded=True)
FROM_TEXT = {"types", "liveness", "phi", "ssa", "chains"}
"""Stages for which the text may not tell enough: parameter types, which classes exist (pis of instanceof), that a
generator yields by reference (and so defines what it yields)."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_stage_is_phps(program: Path) -> None:
    result = compare_file(program, JOB)
    assert result.problem == ""
    found = [difference for difference in result.differences if difference.verdict is not Verdict.HIDDEN]
    assert found == []
    assert {difference.stage for difference in result.differences} <= FROM_TEXT
    equal: Counter[tuple[str, str]] = Counter()
    for (level, source, _, verdict), number in result.counts.items():
        if verdict == "equal":
            equal[level, source] += number
    functions = sum(number for key, number in result.counts.items() if key[:3] == ("20", "bin", "refusal"))
    assert functions > 0
    for source in (("20", "bin"), ("20", "source"), ("30", "bin")):
        assert equal[source] >= 2 * functions
    assert result.counts["20", "source", "exact", "equal"] == functions


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_the_recordings_are_what_php_says(program: Path) -> None:
    oracle = Oracle(need_tool("php"))
    for name in JOB.levels:
        recorded = read_answer(recording_of(program), LEVELS[name])
        assert recorded is not None
        assert oracle.record(program, LEVELS[name]).dump == recorded.dump
