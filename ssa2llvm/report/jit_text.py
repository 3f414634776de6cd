"""The form of a function that PHP's JIT builds for itself, as its "(JIT)" dumps show it (opcache.jit_debug=2).

The JIT builds SSA form anew, with other build flags than the optimizer (``ssa.build``, ``rc_inference``), and prints
it with reference counts, hiding unreachable blocks. Of functions that it builds none of it prints the blocks.
"""

from __future__ import annotations

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.facts import Facts, ReturnFact
from ssa2llvm.cfg.build import Flavour, build_cfg
from ssa2llvm.formats.zend_block_printer import print_jit
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ssa.aliases import accesses_indirectly


def jit_text(op_array: OpArray, function: Function | None, facts: Facts | None, context: ScriptContext) -> bytes:
    """PHP's text for ``op_array``. ``function`` and ``facts`` are what ``infer_zend_script`` gives for it."""
    if function is None or facts is None:
        function, facts = build_cfg(op_array, Config.ZEND, Flavour.JIT), None
        declared = FnFlags.HAS_RETURN_TYPE in op_array.flags
        returns = context.signature_returned(op_array) if declared else ReturnFact()
    else:
        returns = facts.returns
    flags = ", dynamic" if op_array.is_main or accesses_indirectly(op_array) else ""
    if function.irreducible:
        flags += ", irreducible"
    if not function.has_loops:
        flags += ", no_loops"
    cls = (returns.cls.name, returns.cls.is_instanceof) if returns.cls is not None else None
    return print_jit(function, facts, flags, returns.types, cls, returns.printed_range)
