"""LLVM behind llvmlite: targets, verification, pass pipelines, code.

llvmlite 0.50 carries LLVM 22 with assertions: it must only be given verified IR, so `parse` verifies before anything
else sees a module. The pipelines are LLVM's own -O0 to -O3 through the new pass manager. LLVM's cost is superlinear
in the size of one function; modules with a function beyond ``HUGE_FUNCTION`` lines of IR are compiled at -O1 instead
of -O2 and -O3, and at -O0 without inlining the prelude (docs).
"""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm

from ssa2llvm.ir.diagnostics import UsageError

__all__ = ["HUGE_FUNCTION", "module_level", "optimise", "parse", "target_machine", "with_calls_kept"]

HUGE_FUNCTION = 200_000
"""Lines of IR above which a function's module is optimised at level 1 at most."""


@cache
def _initialise(everything: bool) -> None:
    if everything:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    else:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()


def target_machine(triple: str | None, level: int, jit: bool = False) -> llvm.TargetMachine:
    """The code generator for ``triple`` (None: this machine, with all its features for the JIT). Raises UsageError
    for an unknown target."""
    _initialise(triple is not None)
    if triple is None:
        target = llvm.Target.from_default_triple()
        features = llvm.get_host_cpu_features().flatten() if jit else ""
        cpu = llvm.get_host_cpu_name() if jit else ""
        return target.create_target_machine(cpu=cpu, features=features, opt=level, reloc="pic", codemodel="small")
    try:
        target = llvm.Target.from_triple(triple)
    except RuntimeError as error:
        raise UsageError(f"unknown target '{triple}'") from error
    return target.create_target_machine(opt=level, reloc="pic", codemodel="default")


def parse(text: str) -> llvm.ModuleRef:
    """Parse and verify a module's text. A failure is a bug of the lowering and raises AssertionError with LLVM's
    words."""
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise AssertionError(f"generated IR is not valid: {error}") from error
    return module


def module_level(text: str, level: int) -> int:
    """The level at which to run LLVM's passes on the module ``text`` if -O``level`` was asked for."""
    return 1 if level >= 2 and _longest_function(text) > HUGE_FUNCTION else level


def with_calls_kept(text: str, level: int) -> str:
    """The module ``text`` as it is to be compiled at -O``level``: at -O0 the fast paths of the prelude stay functions
    if some function is huge. Inlined into straight code without optimization they only make LLVM's work four times
    as long."""
    if level > 0 or _longest_function(text) <= HUGE_FUNCTION:
        return text
    return text.replace("\nattributes #10 = { alwaysinline ", "\nattributes #10 = { ")


def _longest_function(text: str) -> int:
    longest, start = 0, 0
    for number, line in enumerate(text.splitlines()):
        if line.startswith("define "):
            start = number
        elif line == "}":
            longest = max(longest, number - start)
    return longest


def optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    """Run LLVM's pipeline of -O``level`` (0 to 3) in place."""
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.slp_vectorization = level >= 2
    options.loop_vectorization = level >= 2
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
