"""Find the first optimizer step that changes what a program prints.

The interpreter runs the linear form, which no pass has touched, and the SSA form after the first n steps; bisection
over n finds the step (``opt.pipeline.first_bad_step``). No code is generated, so a fault found here is a pass's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ssa2llvm.interp.code import ssa_code
from ssa2llvm.interp.run import Outcome, make_machine, run_machine, run_script
from ssa2llvm.ir.op_array import Script
from ssa2llvm.opt.pass_table import PassTable
from ssa2llvm.opt.pipeline import Pipeline, Step, first_bad_step
from ssa2llvm.opt.unit import Program, build_program


@dataclass(frozen=True, slots=True)
class Culprit:
    """The step to blame, and the outcomes without any pass and with the passes up to and including it."""

    step: Step
    expected: Outcome
    got: Outcome


def run_program(program: Program, step_limit: int | None = None) -> Outcome:
    """Interpret a program in the SSA form that the passes left."""
    functions = {id(unit.function.op_array): unit.function for unit in program.units}
    variants = [unit.function.op_array for unit in program.units if unit.function.op_array.variant]
    machine = make_machine(
        program.script, lambda op_array: ssa_code(functions[id(op_array)]), step_limit=step_limit, variants=variants
    )
    return run_machine(machine)


def same_behaviour(left: Outcome, right: Outcome) -> bool:
    """Whether both printed the same (diagnostics included) and ended the same way."""
    return left.stdout == right.stdout and left.exit_code == right.exit_code


def find_culprit(load: Callable[[], Script], table: PassTable, names: Sequence[str]) -> Culprit | None:
    """Bisect over the pipeline ``names``; None if no step changes anything. ``load`` makes a fresh script each time,
    as passes change what they work on. Raises ValueError if SSA form without passes behaves differently already."""
    expected = run_script(load())
    steps: list[Step] = []
    latest: list[Outcome] = []

    def behaves(limit: int) -> bool:
        program = build_program(load())
        steps[:] = Pipeline(table, list(names), limit=limit).run(program)
        latest[:] = [run_program(program)]
        return same_behaviour(expected, latest[0])

    program = build_program(load())
    total = len(Pipeline(table, list(names)).run(program))
    number = first_bad_step(behaves, total)
    if number is None:
        return None
    behaves(number)
    return Culprit(steps[-1], expected, latest[0])
