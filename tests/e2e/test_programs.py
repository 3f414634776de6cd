"""Whole programs, compiled: the bug corpus, the benchmarks and the examples print what PHP printed.

Outputs were recorded from PHP 8.2 with opcache off. Each program runs under the JIT at -O0 and -O2 and as an
executable; one that is not compiled yet must be refused with a diagnostic that names the place, and is listed here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/cases").glob("*.php"))
BENCH = sorted((ROOT / "bench/programs").glob("*.php"))
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.php")) if path.with_suffix(".out").exists()]

NOT_COMPILED_YET = {
    "wordcount",  # closures
    "wordcount_typed",
}


def expected(program: Path) -> bytes:
    for candidate in (program.stem, program.stem.removesuffix("_typed")):
        for suffix in (".expected", ".out"):
            file = program.with_name(candidate + suffix)
            if file.exists():
                return file.read_bytes()
    raise FileNotFoundError(program)


def command(*args: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "ssa2llvm", *args], cwd=ROOT, capture_output=True, timeout=280, check=False
    )


def without_folder(output: bytes, program: Path) -> bytes:
    return output.replace(f"{program.parent}/".encode(), b"")


def check(program: Path, result: subprocess.CompletedProcess[bytes]) -> None:
    assert result.returncode == 0, result.stderr.decode()
    assert without_folder(result.stdout, program) == expected(program)


def compiled(programs: list[Path]) -> list[Path]:
    return [program for program in programs if program.stem not in NOT_COMPILED_YET]


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("program", compiled(CASES), ids=lambda path: path.stem)
def test_case(program: Path, level: str) -> None:
    check(program, command("run", level, str(program)))


@pytest.mark.parametrize("program", compiled(CASES)[::4] + EXAMPLES, ids=lambda path: path.stem)
def test_executable(program: Path, tmp_path: Path) -> None:
    output = tmp_path / "program"
    made = command("compile", str(program), "-o", str(output))
    assert made.returncode == 0, made.stderr.decode()
    check(program, subprocess.run([output], capture_output=True, timeout=120, check=False))


@pytest.mark.parametrize("program", compiled(BENCH), ids=lambda path: path.stem)
def test_benchmark(program: Path) -> None:
    check(program, command("run", "-O2", str(program)))


@pytest.mark.parametrize(
    "program", [path for path in CASES + BENCH if path.stem in NOT_COMPILED_YET], ids=lambda path: path.stem
)
def test_what_is_not_compiled_yet_is_named(program: Path) -> None:
    result = command("run", str(program))
    assert result.returncode == 1
    assert result.stdout == b""
    first = result.stderr.decode().splitlines()[0]
    assert first.startswith(f"{program}:")
    assert "error: " in first
    assert "not compiled yet" in first
