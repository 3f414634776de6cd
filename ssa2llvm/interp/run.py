"""The interpreter's front door: run a script or one of its functions, in a chosen form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ssa2llvm.interp.code import Code, linear_code
from ssa2llvm.interp.errors import Thrown, uncaught_text
from ssa2llvm.interp.forms import prepare_form
from ssa2llvm.interp.handlers import HANDLERS
from ssa2llvm.interp.machine import Exit, Machine, Observer, StepLimit, Tracer
from ssa2llvm.interp.ownership import Ledger
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import FatalError, NeedsProgram, Report
from ssa2llvm.values.types import Ref, Value, to_bytes

FATAL_EXIT_CODE = 255
_CALLBACK_DEPTH = 20_000
"""Python frames allowed: only callbacks out of builtins nest the run loop."""


@dataclass(slots=True)
class Outcome:
    """How a run ended: what it printed (warnings included), what ``run`` exits with, and the diagnostics on their own.

    ``result`` is what a called function returned; ``stopped`` says that the step limit ended the run.
    """

    stdout: bytes
    exit_code: int
    reports: list[Report]
    result: Value = None
    stopped: bool = False


def make_machine(
    script: Script,
    compile_function: Callable[[OpArray], Code] = linear_code,
    observer: Observer | None = None,
    tracer: Tracer | None = None,
    step_limit: int | None = None,
    ledger: Ledger | None = None,
    variants: Sequence[OpArray] = (),
) -> Machine:
    """A machine for a script. ``compile_function`` says what is run for an op array: ``code.linear_code`` of it, or
    ``code.ssa_code`` or ``code.destructed_code`` of what the passes made of it. A ``ledger`` checks the owned form.
    ``variants`` are the copies of functions that passes made."""
    return Machine(script, compile_function, HANDLERS, observer, tracer, step_limit, ledger, variants)


def _finish(machine: Machine, body: Callable[[], Value]) -> Outcome:
    """Run ``body`` and turn every way of ending into an Outcome."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLBACK_DEPTH))
    host = machine.host
    outcome = Outcome(b"", 0, host.reports)
    try:
        outcome.result = body()
    except Exit as leave:
        outcome.exit_code = leave.code
    except Thrown as thrown:
        host.write(to_bytes(uncaught_text(thrown.exception)))
        outcome.exit_code = FATAL_EXIT_CODE
    except FatalError as error:
        file, line = machine.position()
        host.write(to_bytes(f"\nFatal error: {error.message} in {file} on line {line}\n"))
        outcome.exit_code = FATAL_EXIT_CODE
    except NeedsProgram as missing:
        file, line = machine.position()
        raise CompileError(f"the interpreter does not have {missing}", file, line) from None
    except StepLimit:
        outcome.stopped = True
    while host.buffers:
        text = host.pop_buffer()
        host.write(text or b"")
    outcome.stdout = bytes(host.output)
    return outcome


def run_machine(machine: Machine, argv: Sequence[bytes] | None = None) -> Outcome:
    """Run the main script, which sees ``argv`` (the script's name first) as ``$argv`` and ``$argc``."""

    def body() -> Value:
        machine.enter(machine.main, [], None)
        if argv is not None:
            machine.set_global("argv", PhpArray.from_list(argv))
            machine.set_global("argc", len(argv))
        return machine.run(0)

    return _finish(machine, body)


def run_script(
    script: Script,
    form: str = "linear",
    observer: Observer | None = None,
    tracer: Tracer | None = None,
    step_limit: int | None = None,
    argv: Sequence[bytes] | None = None,
) -> Outcome:
    """Run a script in a form built without passes: ``linear``, ``ssa``, ``owned`` (counts checked) or ``destructed``.

    Code that went through passes is run by ``make_machine`` and ``run_machine``.
    """
    prepared = prepare_form(form, script)
    machine = make_machine(script, prepared.compile_function, observer, tracer, step_limit, prepared.ledger)
    return run_machine(machine, argv)


def call_function(
    script: Script, name: str, arguments: Sequence[Value | Ref], form: str = "linear", step_limit: int | None = None
) -> Outcome:
    """Call one function of a script, whose main script does not run. Raises KeyError if there is no such function."""
    prepared = prepare_form(form, script)
    machine = make_machine(script, prepared.compile_function, step_limit=step_limit, ledger=prepared.ledger)
    function = machine.functions[name.lower()]
    return _finish(machine, lambda: machine.call_callee(function, list(arguments)))
