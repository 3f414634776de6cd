"""Links a test driver with the runtime, and asks it cases."""

from __future__ import annotations

import subprocess
from pathlib import Path

from ssa2llvm.llvm.runtime_build import RUNTIME_FOLDER

HERE = Path(__file__).parent
WARNINGS = ("-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wconversion")
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")


def link_driver(compiler: str, archive: Path, target: Path, driver: str, *flags: str) -> str:
    """Compiles a driver and links it with the runtime's archive; the program's path."""
    command = [compiler, *WARNINGS, *flags, f"-I{RUNTIME_FOLDER}", str(HERE / driver), str(archive)]
    command += ["-o", str(target), "-lm", "-pthread"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return str(target)


def answers(program: list[str], cases: list[str], timeout: float = 120) -> list[str]:
    """The driver's (or evaluate.php's) answer to each case."""
    text = "\n".join(cases) + "\n"
    result = subprocess.run(program, input=text.encode(), capture_output=True, timeout=timeout, check=False)
    output = result.stdout.decode(errors="replace")
    assert result.returncode == 0, result.stderr.decode(errors="replace") + output[-500:]
    lines = output.splitlines()
    if lines and lines[-1].startswith("live:"):
        assert lines.pop() == "live:0"
    assert len(lines) == len(cases), f"{len(lines)} answers to {len(cases)} cases: {lines[-1:]}"
    return lines
