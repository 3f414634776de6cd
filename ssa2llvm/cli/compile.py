"""``compile FILE -o OUT``: OUT's suffix decides what is made."""

from __future__ import annotations

import argparse
import sys

from ssa2llvm.cli.inputs import add_input, add_level, load_for_code


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
    add_level(parser)
    parser.add_argument("--target", metavar="TRIPLE", help="for example aarch64-linux-gnu (default: this machine)")


def run(args: argparse.Namespace) -> int:
    """Write OUT, whole or not at all."""
    from ssa2llvm.llvm.driver import emit

    emit(load_for_code(args.file, sys.stderr), args.output, args.level, target=args.target)
    return 0
