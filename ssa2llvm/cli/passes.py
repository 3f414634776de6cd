"""``passes``: the pass table, as it is."""

from __future__ import annotations

import argparse

from ssa2llvm.opt.pass_table import ZEND_PASSES, ProgramPass
from ssa2llvm.opt.standard import TABLE


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--orders", action="store_true", help="print the order constraints and their reasons too")


def run(args: argparse.Namespace) -> int:
    """Print a row for each pass in running order."""
    rows = TABLE.passes
    width = max(len(row.name) for row in rows)
    for row in rows:
        scope = "program " if isinstance(row, ProgramPass) else "function"
        bits = f"{row.zend_bits:#x}" if row.zend_bits else "-"
        print(f"{row.name:<{width}}  -O{row.level}  {scope}  zend {bits:<7} {row.doc}")
        if row.paper:
            print(f"{'':<{width}}  {row.paper}")
    if args.orders:
        print()
        for order in TABLE.orders:
            print(f"{order.earlier} before {order.later}: {order.reason}")
    print("\nZend's bits: " + ", ".join(f"{bit:#x} {name}" for bit, name in ZEND_PASSES.items()))
    return 0
