"""The recordings in examples/ are what PHP makes of the programs beside them (examples/record.sh)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import php_dump, run_php

ROOT = Path(__file__).parents[2]
PROGRAMS = [path for path in sorted((ROOT / "examples").glob("*.php")) if path.with_suffix(".zend").exists()]


def test_there_are_examples() -> None:
    assert {path.stem for path in PROGRAMS} >= {"collatz", "fib", "gcd", "mandelbrot"}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_recordings_are_current(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert php_dump(program.relative_to(ROOT)) == program.with_suffix(".zend").read_bytes()
    assert run_php(program.relative_to(ROOT)).stdout == program.with_suffix(".out").read_bytes()
