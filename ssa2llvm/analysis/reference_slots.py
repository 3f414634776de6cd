"""Which variables of a function may be references, and so live in memory rather than in SSA names.

Problem: a variable that takes part in ``=&``, ``global``, ``static``, a by-reference argument or a closure's ``use
(&$x)`` can change behind the function's back, and writing to it can change others. Flow-sensitive knowledge of that
is MAY_BE_REF in the type mask (zend_inference.c:zend_mark_cv_references); code needs one answer per variable: its
storage. So this is flow-insensitive, over the instructions alone, and a superset of the former. Variables that
something may reach by name (``ssa.aliases``) live in memory too.

Linear in the number of instructions and names.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Alias, Function
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, BIND_REF

__all__ = ["reference_slots"]

_ALWAYS_OP1 = frozenset(
    {
        Opcode.ASSIGN_REF,
        Opcode.MAKE_REF,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_STATIC,
        Opcode.SEND_REF,
        Opcode.FE_RESET_RW,
        Opcode.ASSIGN_OBJ_REF,
        Opcode.ASSIGN_STATIC_PROP_REF,
    }
)


def reference_slots(function: Function) -> frozenset[int]:
    """Slots of the variables of ``function`` that may be references or that others reach by name."""
    slots = {var.slot for var in function.ssa_vars if Alias.SYMTABLE in var.alias}
    for op in function.op_array.ops:
        if op.opcode in _ALWAYS_OP1 and op.op1.is_cv:
            slots.add(op.op1.num)
        if (
            (op.opcode == Opcode.ASSIGN_REF and op.op2.is_cv)
            or (op.opcode == Opcode.BIND_LEXICAL and op.op2.is_cv and op.extended_value & BIND_REF)
            or (op.opcode == Opcode.FE_FETCH_RW and op.op2.is_cv)
        ):
            slots.add(op.op2.num)
        elif op.opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            if op.op1.is_cv and op.extended_value & ARRAY_ELEMENT_REF:
                slots.add(op.op1.num)
    return frozenset(slots)
