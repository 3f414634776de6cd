"""Inference of a whole script.

Config.ZEND goes through the functions once, in PHP's order (main, functions, methods, each with its closures): a call
knows what its callee returns if the callee came earlier (Zend/Optimizer/zend_optimizer.c:zend_optimize_script).
"""

from __future__ import annotations

from ssa2llvm.analysis.context import Options, ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.type_solver import Narrowed
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import FnFlags, OpArray, Script
from ssa2llvm.ssa.build import SsaContext, build_ssa, refusal


def infer_zend_script(script: Script, options: Options | None = None) -> list[tuple[Function | None, Facts | None]]:
    """Return (SSA form, facts) of every op array in PHP's order; (None, None) where PHP has neither."""
    context = ScriptContext(script, Config.ZEND, options)
    ssa_context = SsaContext(script)
    op_arrays = script.op_arrays()
    for op_array in op_arrays:
        if FnFlags.HAS_RETURN_TYPE in op_array.flags:
            context.set_returned(op_array, context.signature_returned(op_array))
    return [_infer_one(op_array, context, ssa_context) for op_array in op_arrays]


def _infer_one(
    op_array: OpArray, context: ScriptContext, ssa_context: SsaContext
) -> tuple[Function | None, Facts | None]:
    if refusal(op_array) is None:
        try:
            function = build_ssa(op_array, Config.ZEND, ssa_context)
            facts = infer(function, context)
        except (CompileError, Narrowed):
            pass
        else:
            context.set_returned(op_array, facts.returns)
            return function, facts
    context.set_returned(op_array, context.signature_returned(op_array))
    return None, None
