"""Which code a form of a function is, when no pass has been run: for tests and for ``--trace``."""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.destruct.destruct import destruct
from ssa2llvm.interp.code import Code, destructed_code, linear_code, ssa_code
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ssa.build import SsaContext, build_ssa


def compiler_for(form: str, script: Script) -> Callable[[OpArray], Code]:
    """The function from op array to code for ``linear``, ``ssa`` or ``destructed``."""
    if form == "linear":
        return linear_code
    context = SsaContext(script)

    def compile_ssa(op_array: OpArray) -> Code:
        return ssa_code(build_ssa(op_array, Config.SOUND, context))

    def compile_destructed(op_array: OpArray) -> Code:
        function = build_ssa(op_array, Config.SOUND, context)
        return destructed_code(destruct(function, lambda name: "value"))

    return compile_ssa if form == "ssa" else compile_destructed
