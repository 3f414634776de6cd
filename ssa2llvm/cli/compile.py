"""``compile FILE -o OUT``: OUT's suffix decides what is made."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from ssa2llvm.cli.inputs import add_input, load_for_code
from ssa2llvm.cli.optimizer import add_optimizer, pass_names, run_passes


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input(parser)
    parser.add_argument(
        "-o",
        dest="output",
        required=True,
        metavar="OUT",
        help="no suffix: executable; .so, .o, .a: library and header; .ll, .bc, .s: what LLVM sees",
    )
    parser.add_argument("--target", metavar="TRIPLE", help="for example aarch64-linux-gnu (default: this machine)")
    add_optimizer(parser)


def run(args: argparse.Namespace) -> int:
    """Write OUT, whole or not at all."""
    from ssa2llvm.llvm.driver import emit

    pass_names(args)  # wrong usage is said before anything is read
    script = load_for_code(args.file, sys.stderr)
    emit(script, args.output, args.level, target=args.target, passes=partial(run_passes, args))
    return 0
