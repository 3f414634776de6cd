"""The pipeline: which passes run, in which order, and everything a person wants to know about the run.

A run is a sequence of *steps*, one for each (pass, function), numbered from 1. The number is what ``limit`` cuts at,
which is how a miscompilation is bisected to one pass on one function (``first_bad_step``).

Invariants: after every step the function is valid SSA (checked when ``verify`` is set, as in all tests); analyses
that a pass does not preserve are recomputed. Time is linear in the passes' own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ssa2llvm.opt.pass_table import AnyPass, Pass, PassTable
from ssa2llvm.opt.unit import Program, Unit


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a pass: its number, the function it ran on ("" for a whole-program pass), the number of
    changes it made and the seconds it took."""

    number: int
    pass_name: str
    function: str
    changes: int
    seconds: float


Observer = Callable[[Step, Unit | Program], None]
"""Called after every step, for dumps and traces."""


class VerifyError(Exception):
    """A pass left a function that is not valid SSA: a bug of the pass, never of the input."""


@dataclass(slots=True)
class Pipeline:
    """``names`` is the running order, checked against the table's constraints. ``verify`` runs the SSA verifier
    after each step; ``limit`` stops after that many steps (None: all)."""

    table: PassTable
    names: list[str]
    verify: bool = False
    limit: int | None = None
    observers: list[Observer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table.check(self.names)

    def run(self, program: Program) -> list[Step]:
        """Run over ``program`` in place; return the steps made. Raises VerifyError (with ``verify``) naming pass
        and function."""
        steps: list[Step] = []
        for name in self.names:
            row = self.table[name]
            targets: Sequence[Unit | Program] = program.units if isinstance(row, Pass) else [program]
            for target in targets:
                if self.limit is not None and len(steps) >= self.limit:
                    return steps
                steps.append(self._step(row, target, len(steps) + 1))
        return steps

    def _step(self, row: AnyPass, target: Unit | Program, number: int) -> Step:
        started = time.perf_counter()
        if isinstance(row, Pass):
            assert isinstance(target, Unit)
            function = target.function.op_array.symbol
            changes = row.run(target)
            if changes:
                target.invalidate(row.preserves)
        else:
            assert isinstance(target, Program)
            function = ""
            changes = row.run(target)
        step = Step(number, row.name, function, changes, time.perf_counter() - started)
        if self.verify:
            verify_step(step, target)
        for observer in self.observers:
            observer(step, target)
        return step


def verify_step(step: Step, target: Unit | Program) -> None:
    """Raise VerifyError if a function of ``target`` is not valid SSA."""
    from ssa2llvm.ssa.verifier import verify

    for unit in target.units if isinstance(target, Program) else [target]:
        violations = verify(unit.function)
        if violations:
            raise VerifyError(
                f"after pass '{step.pass_name}' (step {step.number}), {unit.function.op_array.symbol}: {violations[0]}"
            )


def level_names(table: PassTable, level: int) -> list[str]:
    """The passes of -O``level`` in running order."""
    return [row.name for row in table.passes if row.level <= level]


def zend_names(table: PassTable, bits: int) -> list[str]:
    """The passes that stand for the given bits of ``opcache.optimization_level``. Those inside Zend's data-flow
    pass (SCCP, DCE) run only if its bit 0x20 is set too, as in PHP."""
    return [row.name for row in table.passes if row.zend_bits and row.zend_bits & bits == row.zend_bits]


def first_bad_step(run_with_limit: Callable[[int], bool], total: int) -> int | None:
    """Find the first step that makes a program go wrong, by bisection.

    ``run_with_limit(n)`` optimizes a fresh copy with the first n steps only and says whether the program still
    behaves; ``total`` is the number of steps of the whole pipeline. Returns the step's number, or None if all is
    well. O(log total) runs. Raises ValueError if the program misbehaves without any pass: then no pass is to blame.
    """
    if not run_with_limit(0):
        raise ValueError("the program misbehaves before any pass ran")
    if run_with_limit(total):
        return None
    good, bad = 0, total
    while bad - good > 1:
        middle = (good + bad) // 2
        if run_with_limit(middle):
            good = middle
        else:
            bad = middle
    return bad
