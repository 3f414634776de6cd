"""Passes change nothing but speed: the interpreter sees the same before and after every pass and every prefix."""

from __future__ import annotations

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
from tests.opt.scalar_programs import scalar_programs
from tests.ssa.random_php import random_program

NAMES = level_names(TABLE, 3)
STEP_LIMIT = 200_000


def script(source: str) -> Script:
    return load_bytes(source.encode(), "test.php")


def check(source: str, names: list[str]) -> None:
    program = build_program(script(source))
    Pipeline(TABLE, names, verify=True).run(program)
    expected, got = run_script(script(source), step_limit=STEP_LIMIT), run_program(program, STEP_LIMIT)
    if expected.stopped or got.stopped:
        return
    assert got.stdout == expected.stdout
    assert got.exit_code == expected.exit_code


@pytest.mark.parametrize("seed", range(12))
def test_control_flow(seed: int) -> None:
    source = random_program(seed, functions=2, runnable=True, size=25)
    for length in range(1, len(NAMES) + 1):
        check(source, NAMES[:length])


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
