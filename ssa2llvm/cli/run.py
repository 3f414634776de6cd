"""``run FILE [ARGS…]``: compile in memory and run, or let the reference interpreter run any form of the program."""

from __future__ import annotations

import argparse
import sys

from ssa2llvm.cli.inputs import add_input, add_level, load_for_code


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_level(parser)
    parser.add_argument(
        "--interpret",
        choices=["linear", "ssa", "owned", "destructed"],
        metavar="FORM",
        help="do not compile: interpret the linear, ssa, owned or destructed form",
    )
    parser.add_argument("--trace", action="store_true", help="with --interpret: print each block arrival and phi")
    add_input(parser)
    parser.add_argument("args", nargs=argparse.REMAINDER, metavar="ARGS", help="the program's own arguments")


def run(args: argparse.Namespace) -> int:
    """Run the program; its exit code is ours."""
    script = load_for_code(args.file)
    if args.interpret:
        from ssa2llvm.interp.run import run_script
        from ssa2llvm.interp.trace import BlockTracer

        outcome = run_script(script, args.interpret, tracer=BlockTracer(sys.stderr) if args.trace else None)
        sys.stdout.flush()
        sys.stdout.buffer.write(outcome.stdout)
        sys.stdout.buffer.flush()
        return outcome.exit_code
    from ssa2llvm.llvm.driver import compile_program

    return compile_program(script, args.level).run([args.file, *args.args])
