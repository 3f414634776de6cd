"""Whole programs against PHP's tracing JIT, PHP's interpreter and C.

    python bench/suite.py [NAME…] [--runs N] [--typed | --untyped] [--json OUT]

The programs of ``bench/programs`` exist without and with declared types; seven of them also in C (``c_suite.c``),
written as a C programmer does, without PHP's checks. Each is compiled once and run with its default size. What is
measured is the processor time of the process (user and system, which other load on the machine disturbs less than
elapsed time) minus that of an empty program of the same kind, so that PHP's start-up of some 30 ms does not flatter
us. Runs of all variants are interleaved, and all must print the expected output; medians are compared. Reported are
PHP's times over ours (more is better) and ours over C's (less is better), with geometric means; programs that are not
compiled yet are named.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llvm.driver import emit
from ssa2llvm.php import compile_php

PROGRAMS = Path(__file__).parent / "programs"
PHP = ["-n", "-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1", "-d", "opcache.file_update_protection=0"]
JIT = [*PHP, "-d", "opcache.jit=tracing", "-d", "opcache.jit_buffer_size=64M"]
INTERPRETER = ["-n"]
SHORTEST = 0.0005
"""Seconds below which a difference from an empty program is noise."""


@dataclass(frozen=True)
class Row:
    """One program's medians, seconds of processor time; ``c`` is None where there is no C version."""

    program: str
    typed: bool
    ours: float
    jit: float
    interpreter: float
    c: float | None


def processor_time(command: list[str], expected: bytes | None) -> float:
    """Run to the end; seconds of user and system time. Another output than ``expected`` ends the benchmark."""
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read()
    if child.returncode != 0 or (expected is not None and printed != expected):
        raise SystemExit(f"{' '.join(command)}: exit code {child.returncode}, or not the expected output")
    return usage.ru_utime + usage.ru_stime


def compile_to(source: Path, executable: Path) -> list[str]:
    """Our executable of a PHP program."""
    emit(compile_php(source.read_bytes(), source.name), str(executable), 2)
    return [str(executable)]


class Bench:
    """Compiled programs in a folder, and what empty ones cost."""

    def __init__(self, folder: Path, runs: int) -> None:
        self._folder = folder
        self._runs = runs
        self._php = shutil.which("php8.2") or shutil.which("php") or "php"
        self._c = folder / "c_suite"
        compiler = shutil.which("clang-22") or "cc"
        subprocess.run([compiler, "-O2", "-w", PROGRAMS / "c_suite.c", "-o", self._c, "-lm"], check=True)
        self._in_c = set(re.findall(r'K\("(\w+)"', (PROGRAMS / "c_suite.c").read_text()))
        empty = folder / "empty.php"
        empty.write_text("<?php\n")
        self._start_up = self._medians(
            {
                "ours": compile_to(empty, folder / "empty"),
                "jit": [self._php, *JIT, str(empty)],
                "interpreter": [self._php, *INTERPRETER, str(empty)],
                "c": [str(self._c), "none", "0"],
            },
            None,
        )

    def _medians(self, commands: dict[str, list[str]], expected: bytes | None) -> dict[str, float]:
        times: dict[str, list[float]] = {variant: [] for variant in commands}
        for _ in range(self._runs):
            for variant, command in commands.items():
                times[variant].append(processor_time(command, expected))
        return {variant: statistics.median(values) for variant, values in times.items()}

    def measure(self, name: str, typed: bool) -> Row:
        """One program against everybody."""
        source = PROGRAMS / f"{name}{'_typed' if typed else ''}.php"
        commands = {
            "ours": compile_to(source, self._folder / source.stem),
            "jit": [self._php, *JIT, str(source)],
            "interpreter": [self._php, *INTERPRETER, str(source)],
        }
        if name in self._in_c:
            size = re.search(r"\$argv\[1\] \?\? (\d+)", source.read_text())
            assert size is not None, f"{source} has no default size"
            commands["c"] = [str(self._c), name, size[1]]
        medians = self._medians(commands, (PROGRAMS / f"{name}.expected").read_bytes())
        net = {variant: max(time - self._start_up[variant], SHORTEST) for variant, time in medians.items()}
        return Row(name, typed, net["ours"], net["jit"], net["interpreter"], net.get("c"))


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def report(rows: list[Row]) -> None:
    print("| program | types | ours, ms | PHP JIT / ours | PHP interpreter / ours | ours / C |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        against_c = "" if row.c is None else f"{row.ours / row.c:.1f}"
        print(
            f"| {row.program} | {'typed' if row.typed else 'untyped'} | {row.ours * 1e3:.0f} "
            f"| {row.jit / row.ours:.1f} | {row.interpreter / row.ours:.1f} | {against_c} |"
        )
    in_c = [row.ours / row.c for row in rows if row.c is not None]
    print(
        f"| geometric mean | | | {mean([row.jit / row.ours for row in rows]):.1f} "
        f"| {mean([row.interpreter / row.ours for row in rows]):.1f} | {f'{mean(in_c):.1f}' if in_c else ''} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="programs (default: all of bench/programs)")
    parser.add_argument("--runs", type=int, default=5)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--typed", action="store_true", help="only the programs with declared types")
    kinds.add_argument("--untyped", action="store_true", help="only those without")
    parser.add_argument("--json", metavar="OUT", help="also write the medians, in seconds, to this file")
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.stem for path in PROGRAMS.glob("*.expected"))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), arguments.runs)
        wanted = [typed for typed in (False, True) if not (arguments.untyped if typed else arguments.typed)]
        rows: list[Row] = []
        refused: list[str] = []
        for name in names:
            try:
                rows += [bench.measure(name, typed) for typed in wanted]
            except CompileError as error:
                refused.append(f"{name} is not compiled yet: {error}")
    report(rows)
    print(*refused, sep="\n")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
