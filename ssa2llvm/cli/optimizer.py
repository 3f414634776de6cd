"""Options that steer and watch the optimizer, shared by every command that runs it."""

from __future__ import annotations

import argparse
import sys

from ssa2llvm.cfg.build import tree_of
from ssa2llvm.cli.inputs import add_level, count
from ssa2llvm.formats.zend_block_printer import print_ssa
from ssa2llvm.ir.diagnostics import UsageError
from ssa2llvm.ir.op_array import Script
from ssa2llvm.opt.pipeline import Pipeline, Step, level_names, zend_names
from ssa2llvm.opt.scdf import TraceEntry
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Program, Unit, build_program


def _bits(text: str) -> int:
    try:
        bits = int(text, 0)
    except ValueError:
        bits = -1
    if bits < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no set of bits (like 0xA0)")
    return bits


def add_optimizer(parser: argparse.ArgumentParser) -> None:
    """Declare -O, the choice of passes, and what to print about them (on stderr)."""
    add_level(parser)
    group = parser.add_argument_group("optimizer")
    chosen = group.add_mutually_exclusive_group()
    chosen.add_argument("--passes", metavar="A,B,…", help="run these passes in this order instead of the level's")
    chosen.add_argument(
        "--zend-passes",
        metavar="BITS",
        type=_bits,
        help="run what stands for these bits of opcache.optimization_level, e.g. 0xA0",
    )
    group.add_argument("--limit", metavar="N", type=count(), help="stop the optimizer after N steps (see --stats)")
    group.add_argument("--dump-after", metavar="PASS", help="print SSA form after this pass, on stderr")
    group.add_argument("--trace-sccp", action="store_true", help="print SCCP's lattice step by step, on stderr")
    group.add_argument("--trace-sctp", action="store_true", help="print SCTP's types step by step, on stderr")
    group.add_argument("--verify-each", action="store_true", help="verify SSA form after every pass")
    group.add_argument("--stats", action="store_true", help="print each step and what it changed, on stderr")
    group.add_argument("--time-passes", action="store_true", help="print the time spent in each pass, on stderr")


def watches(args: argparse.Namespace) -> str:
    """The first option given that steers or watches passes; "" if there is none."""
    options = {
        "--passes": args.passes is not None,
        "--zend-passes": args.zend_passes is not None,
        "--limit": args.limit is not None,
        "--dump-after": args.dump_after is not None,
        "--trace-sccp": args.trace_sccp,
        "--trace-sctp": args.trace_sctp,
        "--verify-each": args.verify_each,
        "--stats": args.stats,
        "--time-passes": args.time_passes,
    }
    return next((option for option, given in options.items() if given), "")


def pass_names(args: argparse.Namespace) -> list[str]:
    """The passes that the arguments ask for. Raises UsageError for an unknown pass or an order that cannot be."""
    if args.passes is not None:
        names = [name for name in args.passes.split(",") if name]
    elif args.zend_passes is not None:
        names = zend_names(TABLE, args.zend_passes)
    else:
        names = level_names(TABLE, args.level)
    try:
        TABLE.check(names)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if args.dump_after is not None and args.dump_after not in names:
        raise UsageError(f"pass '{args.dump_after}' does not run; these do: {', '.join(names) or 'none'}")
    return names


def optimize(args: argparse.Namespace, script: Script) -> Program:
    """Bring a script into SSA form and run the passes that the arguments ask for."""
    program = build_program(script)
    run_passes(args, program)
    return program


def run_passes(args: argparse.Namespace, program: Program) -> None:
    """Run the passes that the arguments ask for, and print on stderr what they want to know."""
    pipeline = Pipeline(TABLE, pass_names(args), verify=args.verify_each, limit=args.limit)

    def dump(step: Step, target: Unit | Program) -> None:
        if step.pass_name == args.dump_after:
            for unit in target.units if isinstance(target, Program) else [target]:
                sys.stderr.buffer.write(print_ssa(unit.function, f"after {step.pass_name}", unit.get("facts")))

    pipeline.observers.append(dump)
    if args.trace_sccp:
        program.hooks["sccp"] = lambda unit, sccp: _print_trace("SCCP", unit, sccp.trace)
    if args.trace_sctp:
        program.hooks["sctp"] = lambda unit, sctp: _print_trace("SCTP", unit, sctp.trace)
    steps = pipeline.run(program)
    for unit in program.units:
        tree_of(unit.function)  # edits leave the dominator tree to whoever asks; printers do not
    if args.stats:
        for step in steps:
            print(f"{step.number:4} {step.pass_name:<16} {step.function:<24} {step.changes:6} changes", file=sys.stderr)
        _print_variants(program)
    if args.time_passes:
        _print_times(steps)


def _print_variants(program: Program) -> None:
    """How many copies of functions the optimizer made, and of which."""
    variants = [unit.function.op_array.symbol for unit in program.units if unit.function.op_array.variant]
    if variants:
        print(f"{len(variants):4} variants: {', '.join(variants)}", file=sys.stderr)


def _print_trace(title: str, unit: Unit, trace: list[TraceEntry] | None) -> None:
    """One line for each lowering: what was looked at, the name, its old and its new value."""
    function = unit.function
    print(f"{title} of {function.op_array.symbol}", file=sys.stderr)
    for entry in trace or ():
        print(f"  {entry.cause:<24} {function.name_text(entry.name)}: {entry.old} -> {entry.new}", file=sys.stderr)


def _print_times(steps: list[Step]) -> None:
    total = sum(step.seconds for step in steps) or 1.0
    seconds: dict[str, float] = {}
    for step in steps:
        seconds[step.pass_name] = seconds.get(step.pass_name, 0.0) + step.seconds
    for name, spent in seconds.items():
        print(f"{name:<16} {spent * 1000:10.2f} ms {100 * spent / total:5.1f} %", file=sys.stderr)
