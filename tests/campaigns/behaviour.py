"""Passes change nothing but speed: the whole campaign, over programs that are files and programs that are made up.

    python tests/campaigns/behaviour.py [FILE|DIR…] [--random N] [--machine] [--jobs N] [--seed N]

Each program is run after every single pass of -O3 and after every prefix of it: by the interpreter, and with
``--machine`` as machine code. Each run must print what PHP prints with its optimizer off, and exit as PHP does. A
second run of each single pass must change nothing. Without files: tests/cases and examples; ``--random`` adds made-up
programs of each kind that the tests have (control flow, exceptions, types, arrays, scalars).

The test suite does the same on a sample (tests/opt/test_behaviour*.py); this takes an hour. Exit code 1 if anything
differs. What the interpreter or the compiler refuses is counted and named, never skipped silently.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llvm.driver import compile_program
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Program, build_program
from ssa2llvm.report.bisect import run_program
from tests.llvm.harness import run_caught
from tests.opt.array_programs import array_program
from tests.opt.scalar_programs import scalar_programs
from tests.opt.typed_programs import typed_programs
from tests.ssa.random_php import random_program
from tests.tools import run_php

ROOT = Path(__file__).parents[2]
NAMES = level_names(TABLE, 3)
STEP_LIMIT = 200_000
SHOWN = "test.php"


@dataclass
class Report:
    """What came of one program: (way of running, outcome) → how often; what differed."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


def prefixes_and_singles() -> list[list[str]]:
    """Every prefix of the pipeline, then every pass alone where that is no prefix."""
    return [NAMES[:length] for length in range(len(NAMES) + 1)] + [[name] for name in NAMES[1:]]


def check(name: str, source: bytes, by_machine: bool) -> Report:
    """Run one program in all ways."""
    report = Report(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / SHOWN
        file.write_bytes(source)
        php = run_php(file)
        expected = php.stdout.replace(str(file).encode(), SHOWN.encode()), php.returncode
    try:
        first = run_script(load_bytes(source, SHOWN), step_limit=STEP_LIMIT)
    except CompileError as error:
        report.counts[f"refused: {error}"] += 1
        return report
    long = first.stopped
    if not long and (first.stdout, first.exit_code) != expected:
        report.differences.append("the interpreter on linear form")
    for names in prefixes_and_singles():
        program = optimized(source, names)
        if len(names) == 1 and any(step.changes for step in Pipeline(TABLE, names, verify=True).run(program)):
            report.differences.append(f"{names[0]} run twice changes something")
        if not long:
            got = run_program(program, STEP_LIMIT * 2)
            count(report, "interpreter", names, (got.stdout, got.exit_code), expected)
        if by_machine:
            count(report, "machine", names, machine_run(source, names), expected)
    return report


def optimized(source: bytes, names: list[str]) -> Program:
    """The program behind the passes ``names``, each of which leaves valid SSA form."""
    program = build_program(load_bytes(source, SHOWN))
    Pipeline(TABLE, names, verify=True).run(program)
    return program


def machine_run(source: bytes, names: list[str]) -> tuple[bytes, int] | str:
    """What machine code prints, or why there is none."""
    program = optimized(source, names)
    try:
        ran = run_caught(compile_program(program.script, 0, verify=True, optimised=program), SHOWN)
    except CompileError as error:
        return f"refused: {error}"
    return ran.output, ran.exit_code


def count(
    report: Report, way: str, names: list[str], got: tuple[bytes, int] | str, expected: tuple[bytes, int]
) -> None:
    """Enter the outcome of one run into the report."""
    if isinstance(got, str):
        report.counts[f"{way} {got}"] += 1
    elif got == expected:
        report.counts[f"{way} equal"] += 1
    else:
        report.differences.append(f"{way} after {','.join(names) or 'nothing'}")


def made_up(seed: int, number: int) -> Iterator[tuple[str, bytes]]:
    """``number`` programs of each kind."""
    for offset in range(number):
        at = seed + offset
        yield f"control flow {at}", random_program(at, functions=2, runnable=True, size=25).encode()
        yield f"arrays {at}", array_program(at).encode()
        yield f"exceptions {at}", random_program(at, functions=2, runnable=True, size=25, exceptions=True).encode()
    for kind, strategy in (("types", typed_programs()), ("scalars", scalar_programs())):
        for position, source in enumerate(_drawn(strategy, seed, number)):
            yield f"{kind} {seed}/{position}", source.encode()


def _drawn(strategy: SearchStrategy[str], seed: int, number: int) -> list[str]:
    """The first examples that hypothesis makes of a strategy."""
    drawn: list[str] = []

    @seeded(seed)
    @settings(max_examples=number, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(source: str) -> None:
        drawn.append(source)

    collect()
    return drawn


def programs(paths: list[Path], seed: int, number: int) -> Iterator[tuple[str, bytes]]:
    """(name, source) of everything to run."""
    for path in paths:
        for file in sorted(path.rglob("*.php")) if path.is_dir() else [path]:
            yield str(file), file.read_bytes()
    if number:
        yield from made_up(seed, number)


def main() -> int:
    """Run the campaign; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--random", type=int, default=0, metavar="N", help="also N made-up programs of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--machine", action="store_true", help="run machine code too")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    paths = args.paths or ([ROOT / "tests" / "cases", ROOT / "examples"] if not args.random else [])
    totals: Counter[str] = Counter()
    differing = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        waiting = [
            (name, pool.submit(check, name, source, args.machine))
            for name, source in programs(paths, args.seed, args.random)
        ]
        for name, future in waiting:
            try:
                report = future.result()
            except Exception as error:  # a bug of ours, which must not hide the other programs'
                report = Report(name, differences=[f"{type(error).__name__}: {error}"])
            totals.update(report.counts)
            for difference in report.differences:
                differing += 1
                print(f"{name}: {difference}", flush=True)
    for what, number in totals.most_common():
        print(f"{number:8} {what}")
    print(f"{len(waiting)} programs, {differing} differences")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
