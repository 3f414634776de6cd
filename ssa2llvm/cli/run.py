"""``run FILE [ARGS…]``: compile in memory and run, or let the reference interpreter run any form of the program."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial

from ssa2llvm.cli.inputs import add_input, load_for_code
from ssa2llvm.cli.optimizer import add_optimizer, pass_names, run_passes, watches
from ssa2llvm.formats.load import load_any


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--interpret",
        choices=["linear", "ssa", "owned", "destructed"],
        metavar="FORM",
        help="do not compile: interpret the linear, ssa, owned or destructed form",
    )
    parser.add_argument("--trace", action="store_true", help="with --interpret: print each block arrival and phi")
    parser.add_argument(
        "--bisect", action="store_true", help="find the first optimizer step that changes what the program prints"
    )
    add_optimizer(parser)
    add_input(parser)
    rest = parser.add_argument("args", nargs=argparse.REMAINDER, metavar="ARGS", help="the program's own arguments")
    rest.required = False  # argparse would ask for it where FILE is missing
    parser.set_defaults(usage_error=parser.error)


def run(args: argparse.Namespace) -> int:
    """Run the program; its exit code is ours."""
    if args.trace and not args.interpret:
        args.usage_error("--trace goes with --interpret")
    if args.bisect and args.interpret:
        args.usage_error("--bisect goes without --interpret")
    if args.interpret and watches(args):
        args.usage_error(f"no pass runs with --interpret, so {watches(args)} does not go with it")
    pass_names(args)  # wrong usage is said before anything is read
    if args.bisect:
        return _bisect(args)
    script = load_for_code(args.file, sys.stdout)
    if args.interpret:
        from ssa2llvm.interp.run import run_script
        from ssa2llvm.interp.trace import BlockTracer

        argv = [os.fsencode(argument) for argument in (args.file, *args.args)]
        tracer = BlockTracer(sys.stderr) if args.trace else None
        outcome = run_script(script, args.interpret, tracer=tracer, argv=argv)
        sys.stdout.flush()
        sys.stdout.buffer.write(outcome.stdout)
        sys.stdout.buffer.flush()
        return outcome.exit_code
    from ssa2llvm.llvm.driver import compile_program, optimised_program

    optimised = optimised_program(script, args.level, passes=partial(run_passes, args))
    return compile_program(script, args.level, optimised=optimised).run([args.file, *args.args])


def _bisect(args: argparse.Namespace) -> int:
    """Exit code 1 if a step is to blame."""
    from ssa2llvm.opt.standard import TABLE
    from ssa2llvm.report.bisect import find_culprit

    culprit = find_culprit(lambda: load_any(args.file), TABLE, pass_names(args))
    if culprit is None:
        print("no step changes what the program prints")
        return 0
    step = culprit.step
    print(f"step {step.number}: pass '{step.pass_name}' on {step.function or 'the whole program'}")
    for label, outcome in (("before", culprit.expected), ("after", culprit.got)):
        print(f"{label}: exit code {outcome.exit_code}, prints {outcome.stdout!r}")
    return 1
