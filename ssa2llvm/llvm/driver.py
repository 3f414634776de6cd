"""Code generation from a script to something that runs: the room's public face.

    program = compile_program(script, 2)      # Script → machine code in this process
    exit_code = program.run(["app.php"])      # runs it; output goes to file descriptor 1
    emit(script, "app", 2)                    # executable, library, object, IR or assembly, by suffix

The way of a function: SSA form (``ssa``) → facts (``analysis``) → passes (``opt``) → calls folded, ownership explicit, out of
SSA (``unit``) → LLVM text (``program``) → LLVM (``backend``).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence

from ssa2llvm.analysis.calls import Symbols
from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.infer import infer
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import Script
from ssa2llvm.llvm.backend import optimise, parse, target_machine
from ssa2llvm.llvm.debug import NoDebugInfo
from ssa2llvm.llvm.jit import LoadedCode, runtime_library
from ssa2llvm.llvm.module import ModuleText
from ssa2llvm.llvm.program import PROGRAM_SYMBOL, ProgramLowering
from ssa2llvm.llvm.unit import FunctionUnit, prepare
from ssa2llvm.ssa.build import SsaContext, build_ssa

__all__ = ["Program", "compile_program", "lower_script"]


def _units(script: Script, verify: bool) -> list[FunctionUnit]:
    ssa_context = SsaContext(script)
    context = ScriptContext(script, Config.SOUND)
    symbols = Symbols(script, Config.SOUND)
    units = []
    for op_array in script.op_arrays():
        function = build_ssa(op_array, Config.SOUND, ssa_context)
        units.append(prepare(function, infer(function, context), symbols, verify))
    return units


def lower_script(script: Script, triple: str, data_layout: str, verify: bool = False) -> str:
    """The text of the program's LLVM module, before LLVM's own passes."""
    module = ModuleText(script.filename, triple, data_layout)
    program = ProgramLowering(script, _units(script, verify), module, NoDebugInfo())
    program.lower()
    return module.text()


class _Report(ctypes.Structure):
    """s2l_report."""

    _fields_ = [("exit_code", ctypes.c_int64), ("live", ctypes.c_int64)]


class Program:
    """A compiled program in this process."""

    def __init__(self, code: LoadedCode) -> None:
        self._code = code
        self.leaked = 0
        """Counted objects that were alive after the last run: 0, or there is a bug."""

    def run(self, argv: Sequence[str] = ()) -> int:
        """Run the program once; its output goes to file descriptor 1. Returns PHP's exit code."""
        sys.stdout.flush()
        report = _Report()
        descriptor = ctypes.c_void_p(self._code.address(PROGRAM_SYMBOL))
        code = runtime_library().s2l_run(descriptor, None, ctypes.byref(report))
        self.leaked = report.live
        return int(code)


def compile_program(script: Script, opt_level: int = 2, verify: bool = False) -> Program:
    """Compile ``script`` into this process at -O``opt_level``. ``verify`` proves ownership on the way (tests).

    Raises CompileError for what cannot be compiled."""
    machine = target_machine(None, opt_level, jit=True)
    module = parse(lower_script(script, machine.triple, str(machine.target_data), verify))
    optimise(module, machine, opt_level)
    code = LoadedCode(module, machine)
    code.link([PROGRAM_SYMBOL])
    return Program(code)
