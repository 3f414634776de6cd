"""Run twice, a pass changes nothing the second time: alone, and where it stands in the pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import build_program
from tests.opt.array_programs import array_program
from tests.ssa.random_php import random_program

TESTS = Path(__file__).parents[1]
NAMES = level_names(TABLE, 3)
CASES = [file for file in sorted((TESTS / "cases").glob("*.php")) if file.stat().st_size < 20_000]
RECORDED = sorted((TESTS / "conform" / "programs").glob("*.php"))
FILES = [*RECORDED, *CASES, *sorted((TESTS / "llvm" / "programs").glob("*.php"))]
MADE_UP = {
    **{f"control{seed}": random_program(seed, functions=3, size=25) for seed in (801, 802, 803)},
    **{f"exceptions{seed}": random_program(seed, 2, runnable=True, size=25, exceptions=True) for seed in (804, 805)},
    **{f"arrays{seed}": array_program(seed) for seed in (806, 807)},
}


def changes_of_second_run(source: bytes, names: list[str]) -> dict[str, int]:
    """Run each pass of ``names`` twice in a row; what the second runs change."""
    program = build_program(load_bytes(source, "test.php"))
    found = {}
    for name in names:
        Pipeline(TABLE, [name]).run(program)
        again = sum(step.changes for step in Pipeline(TABLE, [name], verify=True).run(program))
        if again:
            found[name] = again
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_in_the_pipeline(file: Path) -> None:
    assert changes_of_second_run(file.read_bytes(), NAMES) == {}


@pytest.mark.parametrize("name", MADE_UP)
def test_of_programs_made_up(name: str) -> None:
    assert changes_of_second_run(MADE_UP[name].encode(), NAMES) == {}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("file", [*RECORDED, *CASES[::4]], ids=lambda file: file.stem)
def test_alone(file: Path, name: str) -> None:
    assert changes_of_second_run(file.read_bytes(), [name]) == {}
