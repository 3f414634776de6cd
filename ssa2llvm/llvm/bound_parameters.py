"""Parameters by reference that stay what they were bound to.

Problem: a variable in a cell may hold a value or a reference, and may change from the one to the other; every access
asks which. A by-reference parameter holds a reference from its RECV on, and goes on holding the same one unless the
function binds the name anew: with ``=&``, ``global``, ``static``, unset, foreach by reference, or by a computed name.
Where it does none of that, the address of the value behind it is one register for the whole function.

In: the function's linear code. Linear.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode

__all__ = ["bound_parameters"]

_BINDS_OP1 = frozenset({Opcode.ASSIGN_REF, Opcode.BIND_GLOBAL, Opcode.BIND_STATIC, Opcode.UNSET_CV})
_BINDS_OP2 = frozenset({Opcode.FE_FETCH_RW})
_BINDS_BY_NAME = frozenset(
    {Opcode.FETCH_W, Opcode.FETCH_RW, Opcode.FETCH_UNSET, Opcode.FETCH_FUNC_ARG, Opcode.UNSET_VAR}
)


def bound_parameters(op_array: OpArray) -> frozenset[int]:
    """The slots of such parameters."""
    bound = {slot for slot, info in enumerate(op_array.arg_info) if info.by_ref and not info.variadic}
    for op in op_array.ops:
        if op.opcode in _BINDS_BY_NAME:
            return frozenset()
        if op.opcode in _BINDS_OP1:
            bound.discard(op.op1.num if op.op1.is_cv else -1)
        elif op.opcode in _BINDS_OP2:
            bound.discard(op.op2.num if op.op2.is_cv else -1)
    return frozenset(bound)
