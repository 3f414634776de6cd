"""``dump FILE --stage STAGE``: a program at one stage of the way, in PHP's own format wherever PHP has one.

A stage is a row of ``STAGES``: how to get the functions at that stage, and how each prints. Stages up to ``types``
print what PHP's optimizer prints, byte for byte under ``--as-zend``; later ones are ours. JSON and Graphviz serve all
stages of functions alike.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.cli.inputs import add_input, select
from ssa2llvm.cli.optimizer import add_optimizer, optimize, watches
from ssa2llvm.formats.load import load_any
from ssa2llvm.formats.zend_block_printer import (
    VarFacts,
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
from ssa2llvm.ir.diagnostics import CompileError, UsageError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.opt.unit import Program, Unit


@dataclass(frozen=True, slots=True)
class Subject:
    """A function at some stage, with facts if the stage has any, and what prints it."""

    function: Function
    text: Callable[[], bytes]
    facts: VarFacts | None = None


Maker = Callable[[argparse.Namespace, Script, Sequence[OpArray]], list[Subject]]


def _plain(show: Callable[[Function], bytes], with_ssa: bool) -> Maker:
    """A stage without facts. Functions for which PHP builds no SSA form are passed over under ``--as-zend``, as PHP
    does, with a note on stderr."""

    def make(args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
        from ssa2llvm.cfg.build import Flavour, build_cfg
        from ssa2llvm.ssa.build import SsaContext, build_ssa

        config = Config.ZEND if args.as_zend else Config.SOUND
        flavour = Flavour.JIT if args.rc else Flavour.DFA
        context, subjects = SsaContext(script), []
        for op_array in chosen:
            try:
                if with_ssa:
                    function = build_ssa(op_array, config, context, args.rc)
                else:
                    function = build_cfg(op_array, config, flavour)
            except CompileError as refusal:
                if not args.as_zend:
                    raise
                print(refusal, file=sys.stderr)
                continue
            subjects.append(Subject(function, partial(show, function)))
        return subjects

    return make


def _liveness(function: Function) -> bytes:
    from ssa2llvm.ssa.liveness import slot_masks

    return print_liveness(function, *slot_masks(function))


def _types(args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    if not args.as_zend:
        args.passes = ""
        return _after_passes("inferred", args, script, chosen)
    from ssa2llvm.analysis.infer_script import infer_zend_script

    if args.rc:
        return _counted(script, chosen)
    wanted = _Identity(chosen)
    return [
        _with_facts(function, facts, "before dfa pass")
        for function, facts in infer_zend_script(script)
        if function is not None and facts is not None and function.op_array in wanted
    ]


def _counted(script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    from ssa2llvm.analysis.context import Options, ScriptContext
    from ssa2llvm.analysis.infer_script import infer_zend_script
    from ssa2llvm.cfg.build import Flavour, build_cfg
    from ssa2llvm.report.jit_text import jit_text

    options = Options(counts_references=True)
    context, subjects = ScriptContext(script, Config.ZEND, options), []
    wanted = _Identity(chosen)
    inferred = infer_zend_script(script, options)
    for op_array, (function, facts) in zip(script.op_arrays(), inferred, strict=True):
        if op_array in wanted:
            text = partial(jit_text, op_array, function, facts, context)
            blocks = function if function is not None else build_cfg(op_array, Config.ZEND, Flavour.JIT)
            subjects.append(Subject(blocks, text, facts))
    return subjects


def _with_facts(function: Function, facts: VarFacts, message: str) -> Subject:
    return Subject(function, partial(print_ssa, function, message, facts, with_vars=True), facts)


class _Identity:
    """Membership by identity (two op arrays may well be equal); variants of a member belong to it."""

    def __init__(self, op_arrays: Sequence[OpArray]) -> None:
        self._ids = {id(op_array) for op_array in op_arrays}
        self._names = {op_array.name for op_array in op_arrays}

    def __contains__(self, op_array: OpArray) -> bool:
        return id(op_array) in self._ids or bool(op_array.variant and op_array.name in self._names)


def _units(args: argparse.Namespace, program: Program, chosen: Sequence[OpArray]) -> list[Unit]:
    """The functions to show after passes: those chosen and all copies of them, or the one copy that --function names.
    Raises UsageError if there is no such copy."""
    wanted = _Identity(chosen)
    units = [unit for unit in program.units if unit.function.op_array in wanted]
    if not _copy_of(args.function):
        return units
    named = [unit for unit in units if unit.function.op_array.symbol.lower() == args.function.lower()]
    if not named:
        known = ", ".join(unit.function.op_array.symbol for unit in units)
        raise UsageError(f"no function '{args.function}' here; there are: {known}", args.file)
    return named


def _copy_of(name: str | None) -> str:
    """The name of the function of which ``name`` is a copy (``add`` of ``add{long,long}``); "" if it is none."""
    return name.partition("{")[0] if name and "{" in name else ""


def _after_passes(message: str, args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    units = _units(args, optimize(args, script), chosen)
    return [_with_facts(unit.function, unit.get("facts"), message) for unit in units]


def _opt(args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    return _after_passes("after optimizer", args, script, chosen)


def _owned(args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    from ssa2llvm.own.stage import make_owned

    program = optimize(args, script)
    subjects = []
    for unit in _units(args, program, chosen):
        function = unit.function
        make_owned(function, unit.get("facts"), program.context.symbols, verify=True)
        subjects.append(Subject(function, partial(print_ssa, function, "owned")))
    return subjects


def _destructed(args: argparse.Namespace, script: Script, chosen: Sequence[OpArray]) -> list[Subject]:
    from ssa2llvm.llvm.driver import prepared_units
    from ssa2llvm.report.destructed_text import print_destructed

    program = optimize(args, script)
    wanted = {id(unit.function.op_array) for unit in _units(args, program, chosen)}
    return [
        Subject(unit.destructed.function, partial(print_destructed, unit.destructed))
        for unit in prepared_units(program, verify=True)
        if id(unit.op_array) in wanted
    ]


FUNCTION_STAGES: dict[str, Maker] = {
    "cfg": _plain(print_cfg, with_ssa=False),
    "dominators": _plain(print_dominators, with_ssa=False),
    "liveness": _plain(_liveness, with_ssa=False),
    "phi": _plain(print_phi_placement, with_ssa=True),
    "ssa": _plain(print_ssa, with_ssa=True),
    "chains": _plain(print_ssa_vars, with_ssa=True),
    "types": _types,
    "opt": _opt,
    "own": _owned,
    "destruct": _destructed,
}
"""Stages that are functions in block form."""

_UP_TO_TYPES = tuple(FUNCTION_STAGES)[: tuple(FUNCTION_STAGES).index("types") + 1]
STAGES = ("opcodes", *FUNCTION_STAGES, "llvm", "asm")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input(parser)
    parser.add_argument("--stage", required=True, choices=STAGES, metavar="STAGE", help=", ".join(STAGES))
    parser.add_argument("--as-zend", action="store_true", help="as PHP's optimizer does it, its errors included")
    parser.add_argument(
        "--rc", action="store_true", help="with --as-zend up to types: as PHP's JIT does it, with reference counts"
    )
    parser.add_argument("--function", metavar="NAME", help="only this function ($_main: the main script)")
    parser.add_argument(
        "--format", choices=["zend", "zir", "json", "dot"], default="zend", help="default zend; zir is for opcodes only"
    )
    parser.add_argument(
        "--explain",
        metavar="$x@LINE|#N",
        help="why the variable has its types and range on that line, or the SSA name N wherever it is",
    )
    add_optimizer(parser)


def run(args: argparse.Namespace) -> int:
    """Print the stage on standard output."""
    output = stage_bytes(args, load_any(args.file))
    sys.stdout.flush()
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    return 0


def stage_bytes(args: argparse.Namespace, script: Script) -> bytes:
    """What ``run`` prints. Raises UsageError for wishes that do not go together."""
    _check(args)
    chosen = select(script, _copy_of(args.function) or args.function)
    if args.stage == "opcodes":
        return _opcodes(args.format, script, chosen)
    if args.stage in ("llvm", "asm"):
        _only_format(args, "zend")
        return _llvm(args, script)
    _only_format(args, "zend", "json", "dot")
    subjects = FUNCTION_STAGES[args.stage](args, script, chosen)
    if args.explain:
        return _explained(args, subjects)
    if args.format == "zend":
        return b"".join(subject.text() for subject in subjects)
    return _for_machines(args.format, subjects).encode("utf-8", "surrogateescape")


def _check(args: argparse.Namespace) -> None:
    """No option is ignored: what it says nothing about, it does not go with."""
    after_types = args.stage not in ("opcodes", *_UP_TO_TYPES)
    if args.as_zend and after_types:
        raise UsageError("--as-zend ends at stage types: code is never made from PHP's facts", args.file)
    if args.rc and (not args.as_zend or args.stage not in _UP_TO_TYPES):
        raise UsageError("--rc goes with --as-zend and a stage from cfg to types", args.file)
    of_programs = args.stage in ("llvm", "asm") or (args.stage == "opcodes" and args.format in ("zir", "json"))
    if args.function and of_programs:
        shown = f"stage {args.stage}" if args.format == "zend" else f"format {args.format} of opcodes"
        raise UsageError(f"{shown} shows whole programs, so --function does not go with it", args.file)
    if not after_types and watches(args):
        raise UsageError(f"no pass runs up to stage {args.stage}, so {watches(args)} does not go with it", args.file)
    if _copy_of(args.function) and not after_types:
        raise UsageError(f"functions have no copies at stage {args.stage}", args.file)
    if args.explain and args.stage not in ("types", "opt"):
        raise UsageError(f"stage {args.stage} has no types to explain; types and opt have", args.file)


def _explained(args: argparse.Namespace, subjects: list[Subject]) -> bytes:
    from ssa2llvm.analysis.explain import explain

    told = [
        (subject.function.op_array.symbol, explain(subject.function, subject.facts, name))
        for subject in subjects
        if isinstance(subject.facts, Facts)
        for name in _names_to_explain(args, subject.function)
    ]
    if not told:
        raise CompileError(f"{args.explain} is not used at stage {args.stage}", args.file)
    lines: list[str] = []
    for symbol, steps in told:
        if len(told) > 1:
            lines.append(f"{symbol}:")
        lines += map(str, steps)
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _names_to_explain(args: argparse.Namespace, function: Function) -> list[int]:
    from ssa2llvm.analysis.explain import names_at

    number = args.explain.removeprefix("#")
    if number != args.explain and number.isdigit():
        return [int(number)] if int(number) < len(function.ssa_vars) else []
    variable, at, line = args.explain.rpartition("@")
    if not at or not line.isdigit():
        raise UsageError(f"--explain wants $variable@LINE or #N, not '{args.explain}'", args.file)
    return names_at(function, variable, int(line))[:1]


def _only_format(args: argparse.Namespace, *formats: str) -> None:
    if args.format not in formats:
        raise UsageError(f"stage {args.stage} has no format {args.format}", args.file)


def _for_machines(form: str, subjects: list[Subject]) -> str:
    functions = [subject.function for subject in subjects]
    if form == "json":
        from ssa2llvm.report.plain import print_json

        return print_json(functions)
    from ssa2llvm.report.graphviz import print_dot

    facts = [subject.facts for subject in subjects if subject.facts is not None]
    return print_dot(functions, facts if len(facts) == len(functions) else None)


def _opcodes(form: str, script: Script, chosen: Sequence[OpArray]) -> bytes:
    if form == "zend":
        return b"".join(print_op_array(op_array) for op_array in chosen)
    if form == "zir":
        return print_zir(script).encode("utf-8", "surrogateescape")
    if form == "json":
        from ssa2llvm.report.plain import print_json

        return print_json(script).encode("utf-8", "surrogateescape")
    raise UsageError("opcodes are no graph; --stage cfg is", script.filename)


def _llvm(args: argparse.Namespace, script: Script) -> bytes:
    from ssa2llvm.llvm.backend import optimise, parse, target_machine
    from ssa2llvm.llvm.driver import lower_script, prepared_units

    machine = target_machine(None, args.level)
    units = prepared_units(optimize(args, script))
    text = lower_script(script, units, machine.triple, str(machine.target_data)).text
    if args.stage == "llvm":
        return text.encode("utf-8", "surrogateescape")
    module = parse(text)
    optimise(module, machine, args.level)
    return str(machine.emit_assembly(module)).encode("utf-8", "surrogateescape")
