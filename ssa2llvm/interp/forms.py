"""The forms in which a script can be run without passes: for ``--trace``, and for tests of everything before
``opt``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ssa2llvm.analysis.calls import CallMap, Symbols
from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.infer_script import infer_script
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.analysis.settled_arguments import settled_context
from ssa2llvm.destruct.destruct import Destructed, destruct
from ssa2llvm.interp.code import Code, destructed_code, linear_code, ssa_code
from ssa2llvm.interp.ownership import Ledger, Owning
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.own.stage import make_owned
from ssa2llvm.ssa.build import SsaContext, build_ssa

FORMS = ("linear", "ssa", "owned", "destructed")


@dataclass(frozen=True, slots=True)
class Form:
    """How to get the code of an op array, and who checks counts while it runs."""

    compile_function: Callable[[OpArray], Code]
    ledger: Ledger | None = None


def prepare_form(name: str, script: Script) -> Form:
    """The form of this name for the functions of a script. Raises ValueError for an unknown one."""
    if name == "linear":
        return Form(linear_code)
    context = SsaContext(script)
    if name == "ssa":
        return Form(lambda op_array: ssa_code(build_ssa(op_array, Config.SOUND, context)))
    if name == "destructed":
        symbols = Symbols(script, Config.SOUND)
        return Form(lambda op_array: destructed_code(_destructed(build_ssa(op_array, Config.SOUND, context), symbols)))
    if name == "owned":
        return _owned(script)
    raise ValueError(f"no form {name!r}: one of {', '.join(FORMS)}")


def _tied(instr: Instr) -> list[tuple[int, int]]:
    """An array literal grows in place."""
    if instr.opcode in (Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK):
        return [(instr.result_use, instr.result_def)]
    return []


def _destructed(function: Function, symbols: Symbols) -> Destructed:
    in_memory = reference_slots(function, CallMap(function, symbols))
    variables = function.ssa_vars
    return destruct(function, lambda name: None if variables[name].slot in in_memory else "value", tied=_tied)


def _owned(script: Script) -> Form:
    """Every function of the script with its calls folded and its counting explicit."""
    context = ScriptContext(script, Config.SOUND)
    ssa_context = settled_context(script, context.symbols)
    functions = [build_ssa(op_array, Config.SOUND, ssa_context) for op_array in script.op_arrays()]
    codes: dict[int, Code] = {}
    owning: dict[int, Owning] = {}
    for function, facts in zip(functions, infer_script(functions, context), strict=True):
        owned = make_owned(function, facts, context.symbols, join_data=True)
        codes[id(function.op_array)] = ssa_code(function, owned.cells)
        owning[id(function.op_array)] = Owning.of(function, owned.owns)
    return Form(lambda op_array: codes[id(op_array)], Ledger(owning))
