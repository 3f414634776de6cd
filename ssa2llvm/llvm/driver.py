"""Code generation from a script to something that runs: the room's public face.

    program = compile_program(script, 2)      # Script → machine code in this process
    exit_code = program.run(["app.php"])      # runs it; output goes to file descriptor 1
    emit(script, "app", 2)                    # executable, library, object, IR or assembly, by suffix
    unsupported(script)                       # everything in it that cannot be compiled

The way of a function: SSA form and facts, passes (``opt``) → calls folded, ownership explicit, out of SSA (``unit``)
→ LLVM text (``program``) → LLVM (``backend``).
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssa2llvm.ir.diagnostics import CompileErrors
from ssa2llvm.ir.op_array import Script
from ssa2llvm.llvm.backend import module_level, optimise, parse, target_machine, with_calls_kept
from ssa2llvm.llvm.debug import DebugInfo, NoDebugInfo
from ssa2llvm.llvm.emit import EXECUTABLE, LIBRARY_SUFFIXES, check_output, write_outputs
from ssa2llvm.llvm.exports import Export, export_library, find_exports
from ssa2llvm.llvm.header import ffi_text, header_text
from ssa2llvm.llvm.jit import LoadedCode, runtime_library
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.program import PROGRAM_SYMBOL, ProgramLowering
from ssa2llvm.llvm.seam import quoted
from ssa2llvm.llvm.support import unsupported
from ssa2llvm.llvm.unit import FunctionUnit, prepare
from ssa2llvm.opt.pipeline import Pipeline, level_names
from ssa2llvm.opt.reachable import reachable_units
from ssa2llvm.opt.standard import TABLE
from ssa2llvm.opt.unit import Program as OptProgram
from ssa2llvm.opt.unit import build_program

__all__ = [
    "Lowered",
    "Program",
    "compile_program",
    "emit",
    "lower_script",
    "optimised_program",
    "prepared_units",
    "unsupported",
]


Passes = Callable[[OptProgram], None]
"""What runs the passes of a caller's own choice over a program."""


def optimised_program(
    script: Script, opt_level: int, verify: bool = False, library: bool = False, passes: Passes | None = None
) -> OptProgram:
    """The script in SSA form after ``passes``, or else those of -O``opt_level`` (none at 0). Raises CompileErrors
    naming everything that cannot be compiled. ``verify`` checks the SSA form after each pass; a ``library``'s
    functions have unknown callers."""
    errors = unsupported(script)
    if errors:
        raise CompileErrors(errors)
    program = build_program(script, None if library else ())
    if passes is not None:
        passes(program)
    elif opt_level:
        Pipeline(TABLE, level_names(TABLE, opt_level), verify=verify).run(program)
    return program


def prepared_units(program: OptProgram, verify: bool = False, all_functions: bool = True) -> list[FunctionUnit]:
    """The functions of an optimised program in destructed form, with explicit ownership. Uses the program up.
    ``verify`` proves the ownership. Without ``all_functions`` those that never run are left out."""
    symbols = program.context.symbols
    units = program.units if all_functions else reachable_units(program)
    return [prepare(unit.function, unit.get("facts"), symbols, verify) for unit in units]


@dataclass(frozen=True, slots=True)
class Lowered:
    """A module's text, and what it exports to C if it is a library (otherwise nothing)."""

    text: str
    exports: list[Export]
    left_out: list[str]


def lower_script(
    script: Script,
    units: Sequence[FunctionUnit],
    triple: str,
    data_layout: str,
    kind: str = ".ll",
    library: str = "",
    debug: bool = False,
) -> Lowered:
    """The LLVM module of ``script``, whose functions are ``units``, before LLVM's own passes. ``kind`` is the suffix
    of the output it is made for: an executable gets a ``main``, a library (called ``library``) its exports."""
    module = ModuleText(script.filename, triple, data_layout)
    program = ProgramLowering(script, units, module, DebugInfo(script.filename) if debug else NoDebugInfo())
    program.lower()
    exports: list[Export] = []
    left_out: list[str] = []
    if kind in LIBRARY_SUFFIXES:
        exports, left_out = find_exports([program.signature_of(op_array) for op_array in script.functions], library)
        export_library(module, exports, library, quoted(PROGRAM_SYMBOL))
    elif kind in (EXECUTABLE, ".exe", ".ll", ".bc", ".s"):
        module.functions.append(_MAIN.replace("PROGRAM", quoted(PROGRAM_SYMBOL)))
        module.runtime("s2l_main_entry")
    return Lowered(module.text(), exports, left_out)


_MAIN = """\
define i32 @main(i32 %argc, ptr %argv) nounwind {
  %code = call i32 @s2l_main_entry(ptr PROGRAM, i32 %argc, ptr %argv)
  ret i32 %code
}
"""


class _Report(ctypes.Structure):
    """s2l_report."""

    _fields_ = [("exit_code", ctypes.c_int64), ("live", ctypes.c_int64)]


class _Options(ctypes.Structure):
    """s2l_options."""

    _fields_ = [
        ("write", ctypes.c_void_p),
        ("user", ctypes.c_void_p),
        ("stack_size", ctypes.c_uint64),
        ("argument_count", ctypes.c_uint64),
        ("arguments", ctypes.c_void_p),
    ]


class Program:
    """A compiled program in this process."""

    def __init__(self, code: LoadedCode) -> None:
        self._code = code
        self.leaked = 0
        """Counted objects that were alive after the last run: 0, or there is a bug."""

    def run(self, argv: Sequence[str] = ()) -> int:
        """Run the program once; its output goes to file descriptor 1. Returns PHP's exit code. ``argv`` is the
        program's ``$argv``, the script's name first."""
        sys.stdout.flush()
        report = _Report()
        encoded = [os.fsencode(argument) for argument in argv]
        arguments = (ctypes.c_char_p * len(encoded))(*encoded)
        options = _Options(None, None, 0, len(encoded), ctypes.cast(arguments, ctypes.c_void_p))
        descriptor = ctypes.c_void_p(self._code.address(PROGRAM_SYMBOL))
        code = runtime_library().s2l_run(descriptor, ctypes.byref(options), ctypes.byref(report))
        self.leaked = report.live
        return int(code)


def compile_program(
    script: Script, opt_level: int = 2, verify: bool = False, optimised: OptProgram | None = None
) -> Program:
    """Compile ``script`` into this process at -O``opt_level``. ``verify`` checks SSA form and ownership on the way
    (tests); ``optimised`` is the script's optimised form if the caller has it already (it is used up).

    Raises CompileError for what cannot be compiled."""
    program = optimised if optimised is not None else optimised_program(script, opt_level, verify)
    machine = target_machine(None, opt_level, jit=True)
    units = prepared_units(program, verify, all_functions=not opt_level)
    lowered = lower_script(script, units, machine.triple, str(machine.target_data), kind="")
    module = parse(with_calls_kept(lowered.text, opt_level))
    optimise(module, machine, module_level(lowered.text, opt_level))
    code = LoadedCode(module, machine)
    code.link([PROGRAM_SYMBOL])
    return Program(code)


def emit(
    script: Script,
    out_path: str,
    opt_level: int = 2,
    target: str | None = None,
    debug: bool = False,
    verify: bool = False,
    passes: Passes | None = None,
) -> None:
    """Write ``script`` as the file ``out_path``, whose suffix decides what it is (``llvm.emit``), for ``target`` (a
    triple; None: this machine). The file appears whole or not at all. ``passes`` run instead of the level's. Raises
    CompileError."""
    path = Path(out_path)
    kind = check_output(path)
    machine = target_machine(target, opt_level)
    program = optimised_program(script, opt_level, verify, kind in LIBRARY_SUFFIXES, passes)
    units = prepared_units(program, verify, all_functions=not opt_level or kind not in (EXECUTABLE, ".exe"))
    library = re.sub(r"\W", "_", path.stem.removeprefix("lib") or path.stem, flags=re.ASCII)
    lowered = lower_script(script, units, machine.triple, str(machine.target_data), kind, library, debug)
    module = parse(with_calls_kept(lowered.text, opt_level))
    optimise(module, machine, module_level(lowered.text, opt_level))
    beside: dict[str, str] = {}
    if kind in LIBRARY_SUFFIXES:
        beside[".h"] = header_text(library, lowered.exports, lowered.left_out, script.filename)
    if kind == ".so":
        beside[".ffi.h"] = ffi_text(library, lowered.exports, lowered.left_out, path.name)
    write_outputs(path, module, machine, target, beside)
