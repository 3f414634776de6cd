"""Which code a form of a function is, when no pass has been run: for tests and for ``--trace``."""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.destruct.destruct import destruct
from ssa2llvm.interp.code import Code, destructed_code, linear_code, ssa_code
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.build import SsaContext, build_ssa

FORMS = ("linear", "ssa", "destructed")


def _tied(instr: Instr) -> list[tuple[int, int]]:
    """An array literal grows in place."""
    if instr.opcode in (Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK):
        return [(instr.result_use, instr.result_def)]
    return []


def compiler_for(form: str, script: Script) -> Callable[[OpArray], Code]:
    """The function from op array to code for ``linear``, ``ssa`` or ``destructed``."""
    if form == "linear":
        return linear_code
    if form not in FORMS:
        raise ValueError(f"no form {form!r}: one of {', '.join(FORMS)}")
    context = SsaContext(script)

    def compile_ssa(op_array: OpArray) -> Code:
        return ssa_code(build_ssa(op_array, Config.SOUND, context))

    def compile_destructed(op_array: OpArray) -> Code:
        function = build_ssa(op_array, Config.SOUND, context)
        in_memory = reference_slots(function)
        variables = function.ssa_vars
        return destructed_code(
            destruct(function, lambda name: None if variables[name].slot in in_memory else "value", tied=_tied)
        )

    return compile_ssa if form == "ssa" else compile_destructed
