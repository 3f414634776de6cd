"""``dump FILE --stage STAGE``: a program at one stage of the way, in PHP's own format wherever PHP has one.

A stage is a row of ``STAGES``: a function from a loaded script and the arguments to bytes. Stages up to ``types`` print
what PHP's optimizer prints, byte for byte under ``--as-zend``; later ones are ours.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from ssa2llvm.cli.inputs import add_input, select
from ssa2llvm.cli.optimizer import add_optimizer, optimize
from ssa2llvm.formats.load import load_any
from ssa2llvm.formats.zend_block_printer import (
    print_cfg,
    print_dominators,
    print_liveness,
    print_phi_placement,
    print_ssa,
    print_ssa_vars,
)
from ssa2llvm.formats.zend_printer import print_op_array
from ssa2llvm.formats.zir_printer import print_zir
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import Script
from ssa2llvm.report.destructed_text import print_destructed

Printer = Callable[[argparse.Namespace, Script], bytes]


def _config(args: argparse.Namespace) -> Config:
    return Config.ZEND if args.as_zend else Config.SOUND


def _each_function(show: Callable[[Function], bytes], with_ssa: bool) -> Printer:
    """A stage that is printed function by function. Functions for which PHP builds no SSA form are passed over under
    ``--as-zend``, as PHP does."""

    def run(args: argparse.Namespace, script: Script) -> bytes:
        from ssa2llvm.cfg.build import build_cfg
        from ssa2llvm.ssa.build import SsaContext, build_ssa

        context, parts = SsaContext(script), []
        for op_array in select(script, args.function):
            try:
                function = (
                    build_ssa(op_array, _config(args), context) if with_ssa else build_cfg(op_array, _config(args))
                )
            except CompileError as refusal:
                if not args.as_zend:
                    raise
                print(refusal, file=sys.stderr)
                continue
            parts.append(show(function))
        return b"".join(parts)

    return run


def _opcodes(args: argparse.Namespace, script: Script) -> bytes:
    if args.format == "zir":
        return print_zir(script).encode("utf-8", "surrogateescape")
    return b"".join(print_op_array(op_array) for op_array in select(script, args.function))


def _liveness(function: Function) -> bytes:
    from ssa2llvm.ssa.liveness import slot_masks

    return print_liveness(function, *slot_masks(function))


def _types(args: argparse.Namespace, script: Script) -> bytes:
    from ssa2llvm.analysis.infer_script import infer_zend_script

    if not args.as_zend:
        return _optimized(args, script, [])
    parts = []
    chosen = {id(op_array) for op_array in select(script, args.function)}
    for function, facts in infer_zend_script(script):
        if function is not None and facts is not None and id(function.op_array) in chosen:
            parts.append(print_ssa(function, "before dfa pass", facts, with_vars=True))
    return b"".join(parts)


def _optimized(args: argparse.Namespace, script: Script, names: list[str] | None) -> bytes:
    """SSA form with facts after the passes that the arguments ask for, or after ``names``."""
    if names is not None:
        args.passes = ",".join(names)
    program = optimize(args, script)
    chosen = {id(op_array) for op_array in select(script, args.function)}
    return b"".join(
        print_ssa(unit.function, "after optimizer" if names is None else "inferred", unit.get("facts"), with_vars=True)
        for unit in program.units
        if id(unit.function.op_array) in chosen
    )


def _owned(args: argparse.Namespace, script: Script) -> bytes:
    from ssa2llvm.own.stage import make_owned

    program = optimize(args, script)
    chosen = {id(op_array) for op_array in select(script, args.function)}
    parts = []
    for unit in program.units:
        if id(unit.function.op_array) in chosen:
            make_owned(unit.function, unit.get("facts"), program.context.symbols, verify=True)
            parts.append(print_ssa(unit.function, "owned"))
    return b"".join(parts)


def _destructed(args: argparse.Namespace, script: Script) -> bytes:
    from ssa2llvm.llvm.driver import prepared_units

    parts = []
    chosen = {id(op_array) for op_array in select(script, args.function)}
    for unit in prepared_units(optimize(args, script), verify=True):
        if id(unit.op_array) in chosen:
            parts.append(print_destructed(unit.destructed))
    return b"".join(parts)


def _module_text(args: argparse.Namespace, script: Script) -> str:
    from ssa2llvm.llvm.backend import target_machine
    from ssa2llvm.llvm.driver import lower_script, prepared_units

    machine = target_machine(None, args.level)
    return lower_script(script, prepared_units(optimize(args, script)), machine.triple, str(machine.target_data)).text


def _llvm(args: argparse.Namespace, script: Script) -> bytes:
    return _module_text(args, script).encode("utf-8", "surrogateescape")


def _asm(args: argparse.Namespace, script: Script) -> bytes:
    from ssa2llvm.llvm.backend import optimise, parse, target_machine

    machine = target_machine(None, args.level)
    module = parse(_module_text(args, script))
    optimise(module, machine, args.level)
    return str(machine.emit_assembly(module)).encode()


STAGES: dict[str, Printer] = {
    "opcodes": _opcodes,
    "cfg": _each_function(print_cfg, with_ssa=False),
    "dominators": _each_function(print_dominators, with_ssa=False),
    "liveness": _each_function(_liveness, with_ssa=False),
    "phi": _each_function(print_phi_placement, with_ssa=True),
    "ssa": _each_function(print_ssa, with_ssa=True),
    "chains": _each_function(print_ssa_vars, with_ssa=True),
    "types": _types,
    "opt": lambda args, script: _optimized(args, script, None),
    "own": _owned,
    "destruct": _destructed,
    "llvm": _llvm,
    "asm": _asm,
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input(parser)
    parser.add_argument("--stage", required=True, choices=list(STAGES), metavar="STAGE", help=", ".join(STAGES))
    parser.add_argument("--as-zend", action="store_true", help="as PHP's optimizer does it, its errors included")
    parser.add_argument("--function", metavar="NAME", help="only this function ($_main: the main script)")
    parser.add_argument("--format", choices=["zend", "zir", "json", "dot"], default="zend", help="default: zend")
    add_optimizer(parser)


def run(args: argparse.Namespace) -> int:
    """Print the stage on standard output."""
    script = load_any(args.file)
    sys.stdout.flush()
    sys.stdout.buffer.write(STAGES[args.stage](args, script))
    sys.stdout.buffer.flush()
    return 0
