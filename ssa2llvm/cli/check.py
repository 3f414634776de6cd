"""``check FILE…``: everything that cannot be compiled, all in one run; then each stage of the rest is verified."""

from __future__ import annotations

import argparse
import sys

from ssa2llvm.formats.load import load_any
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import Script


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="PHP source, zir, PHP's dump text or an opcache .bin")


def run(args: argparse.Namespace) -> int:
    """Check every file; exit code 1 if any has a diagnostic."""
    failed = False
    for path in args.files:
        try:
            script = load_any(path)
            errors = problems(script)
        except CompileError as unreadable:
            errors = [unreadable]
        for error in errors:
            print(error, file=sys.stderr)
        failed = failed or bool(errors)
        if not errors:
            print(f"{path}: ok ({len(script.op_arrays())} functions)")
    return 1 if failed else 0


def problems(script: Script) -> list[CompileError]:
    """What cannot be compiled in ``script``; if that is nothing, verify its SSA form after each pass and its ownership,
    and LLVM's view of the module."""
    from ssa2llvm.llvm.backend import parse, target_machine
    from ssa2llvm.llvm.driver import lower_script, prepared_units, unsupported
    from ssa2llvm.opt.pipeline import Pipeline, level_names
    from ssa2llvm.opt.standard import TABLE
    from ssa2llvm.opt.unit import build_program

    errors = unsupported(script)
    if errors:
        return errors
    program = build_program(script)
    Pipeline(TABLE, level_names(TABLE, 3), verify=True).run(program)
    machine = target_machine(None, 0)
    parse(lower_script(script, prepared_units(program, verify=True), machine.triple, str(machine.target_data)).text)
    return []
