"""Builds the test driver against the runtime's sources: plain, with sanitizers, or for another machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ssa2llvm.llvm.runtime_build import RUNTIME_FOLDER

HERE = Path(__file__).parent
WARNINGS = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wconversion"]
SANITIZERS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]


def build_driver(compiler: str, target: Path, flags: list[str], driver: str = "driver.c") -> Path:
    """Compiles all of the runtime and a driver into one program, every warning an error."""
    sources = sorted(str(path) for path in RUNTIME_FOLDER.glob("*.c"))
    command = [
        compiler,
        *WARNINGS,
        "-ffp-contract=off",
        "-fno-strict-aliasing",
        *flags,
        f"-I{RUNTIME_FOLDER}",
        str(HERE / driver),
        *sources,
    ]
    result = subprocess.run(
        [*command, "-o", str(target), "-lm", "-pthread"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return target


def answers(program: list[str], cases: list[str], timeout: float = 120) -> list[str]:
    """The driver's (or evaluate.php's) answer to each case."""
    text = "\n".join(cases) + "\n"
    result = subprocess.run(program, input=text.encode(), capture_output=True, timeout=timeout, check=False)
    assert result.returncode == 0, (
        result.stderr.decode(errors="replace") + result.stdout.decode(errors="replace")[-500:]
    )
    lines = result.stdout.decode().splitlines()
    if lines and lines[-1].startswith("live:"):
        assert lines.pop() == "live:0"
    assert len(lines) == len(cases), f"{len(lines)} answers to {len(cases)} cases: {lines[-1:]}"
    return lines
