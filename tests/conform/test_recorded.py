"""Our stages equal PHP's recorded ones, from the file cache, from our front end, and from the text; inference at the
levels that go beyond one function, too, and reference counts."""

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
INFERENCE = sorted((Path(__file__).parent / "inference").glob("*.php"))
JOB = Job("", None, USUAL, recorded=True)
INFERENCE_JOB = Job("", None, ("types", "rc"), ("60", "68", "20060", "jit"), recorded=True)
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


@pytest.mark.parametrize("program", INFERENCE, ids=lambda path: path.stem)
def test_inference_is_phps(program: Path) -> None:
    result = compare_file(program, INFERENCE_JOB)
    assert (result.problem, result.differences) == ("", [])
    stages = {(level, stage) for level, source, stage, verdict in result.counts if verdict == "equal"}
    assert stages == {("60", "types"), ("68", "types"), ("20060", "types"), ("jit", "rc")}
    # The JIT prints main scripts, generators and functions with try too, the optimizer only what has SSA form.
    assert result.counts["jit", "bin", "rc", "equal"] >= result.counts["60", "bin", "types", "equal"] >= 5


def recorded_levels() -> list[tuple[Path, str]]:
    """Each recorded program with each of its levels."""
    jobs = [(JOB, PROGRAMS), (INFERENCE_JOB, INFERENCE)]
    return [(program, name) for job, programs in jobs for program in programs for name in job.levels]


@pytest.mark.parametrize(("program", "level"), recorded_levels(), ids=lambda value: getattr(value, "stem", value))
def test_the_recordings_are_what_php_says(program: Path, level: str) -> None:
    recorded = read_answer(recording_of(program), LEVELS[level])
    assert recorded is not None
    answer = Oracle(need_tool("php")).record(program, LEVELS[level], recorded.image)
    assert answer.dump == recorded.dump
