"""Passes change nothing but speed: the interpreter sees the same before and after every pass and every prefix.

Of the cases and examples each is run after one prefix and one single pass, another one each time.
``tests/campaigns/behaviour.py`` runs all of them after all, and machine code too.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.op_array import Script
from ssa2llvm.opt.pass_table import Pass, PassTable
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Unit, build_program
from ssa2llvm.report.bisect import find_culprit, run_program, same_behaviour
from tests.opt.array_programs import array_program
from tests.opt.scalar_programs import scalar_programs
from tests.ssa.random_php import random_program

NAMES = level_names(TABLE, 3)
STEP_LIMIT = 200_000
TESTS = Path(__file__).parents[1]
FILES = [
    file
    for file in [*sorted((TESTS / "cases").glob("*.php")), *sorted((TESTS.parent / "examples").glob("*.php"))]
    if file.stat().st_size < 20_000
]


def way_of(position: int) -> list[str]:
    """For even positions a prefix of the pipeline, for odd ones a single pass, each in turn."""
    turn = position // 2 % len(NAMES)
    return [NAMES[turn]] if position % 2 else NAMES[: turn + 1]


def script(source: str) -> Script:
    return load_bytes(source.encode("utf-8", "surrogateescape"), "test.php")


def check(source: str, names: list[str]) -> None:
    program = build_program(script(source))
    Pipeline(TABLE, names, verify=True).run(program)
    expected, got = run_script(script(source), step_limit=STEP_LIMIT), run_program(program, STEP_LIMIT)
    if expected.stopped or got.stopped:
        return
    assert got.stdout == expected.stdout
    assert got.exit_code == expected.exit_code


def check_prefixes(source: str) -> None:
    """Run after each pass of the pipeline, which goes on from there."""
    expected = run_script(script(source), step_limit=STEP_LIMIT)
    program = build_program(script(source))
    for name in NAMES:
        Pipeline(TABLE, [name], verify=True).run(program)
        got = run_program(program, STEP_LIMIT)
        if not (expected.stopped or got.stopped):
            assert (got.stdout, got.exit_code) == (expected.stdout, expected.exit_code), name


@pytest.mark.parametrize("seed", range(12))
def test_control_flow(seed: int) -> None:
    source = random_program(seed, functions=2, runnable=True, size=25)
    check_prefixes(source)


@pytest.mark.parametrize("seed", range(40, 44))
def test_exceptions(seed: int) -> None:
    source = random_program(seed, functions=2, runnable=True, size=25, exceptions=True)
    check_prefixes(source)


@pytest.mark.parametrize("position", range(2 * len(NAMES)))
def test_exceptions_and_arrays_in_turn(position: int) -> None:
    names = way_of(position)
    check(random_program(50 + position, functions=2, runnable=True, size=25, exceptions=True), names)
    check(array_program(50 + position), names)


def test_cases_and_examples_are_found() -> None:
    assert len(FILES) > 40


@pytest.mark.parametrize("position", range(2 * len(FILES)), ids=lambda position: FILES[position // 2].stem)
def test_cases_and_examples_in_turn(position: int) -> None:
    """Each file twice: after a prefix and after a single pass."""
    check(FILES[position // 2].read_bytes().decode("utf-8", "surrogateescape"), way_of(position))


@pytest.mark.parametrize("name", sorted({row.name for row in TABLE.passes}))
@pytest.mark.parametrize("seed", range(100, 104))
def test_each_pass_alone(name: str, seed: int) -> None:
    check(random_program(seed, functions=2, runnable=True, size=25), [name])


@settings(max_examples=40)
@given(scalar_programs())
def test_scalars_of_every_type(source: str) -> None:
    check(source, NAMES)


def broken_pass(unit: Unit) -> int:
    """A pass with a fault on purpose: every ADD becomes a SUB in functions called ``victim``."""
    from ssa2llvm.ir.opcode import Opcode

    changes = 0
    for instr in unit.function.instructions():
        if unit.function.op_array.name == "victim" and instr.opcode == Opcode.ADD:
            instr.opcode = Opcode.SUB
            changes += 1
    return changes


def test_bisection_names_the_pass_and_the_function() -> None:
    source = "<?php function fine($a) { return $a + 1; } function victim($a) { return $a + 2; }"
    source += "$one = (int) (microtime(true) > 1.0); echo fine($one), victim($one), victim($one + 4);"
    table = PassTable([*TABLE.passes, Pass("broken", broken_pass, "adds wrongly")])
    culprit = find_culprit(lambda: script(source), table, [*NAMES, "broken", "clean"])
    assert culprit is not None
    assert (culprit.step.pass_name, culprit.step.function) == ("broken", "victim")
    assert not same_behaviour(culprit.expected, culprit.got)
    assert find_culprit(lambda: script(source), TABLE, NAMES) is None
