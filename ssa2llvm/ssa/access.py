"""Which slots an instruction reads and defines, for liveness and renaming alike.

The opcode table says which operands an opcode writes besides its result; this module answers it for one instruction:
a written operand counts only if it is a CV (or any variable, where the table says so), some only if a flag asks for a
reference (Zend/Optimizer/zend_ssa.c:_zend_ssa_rename_op with build flags 0).

OP_DATA is the second half of the instruction before it. Its operand is read by that instruction, and defined by it if
a reference is taken; its SSA names stand in the OP_DATA itself.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, BIND_REF, OpKind
from ssa2llvm.ir.optable import OPCODES, Writes

OP1 = 1
OP2 = 2

DATA_OWNERS = frozenset(
    {
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_OBJ,
        Opcode.ASSIGN_STATIC_PROP,
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_OBJ_OP,
        Opcode.ASSIGN_STATIC_PROP_OP,
        Opcode.ASSIGN_OBJ_REF,
        Opcode.ASSIGN_STATIC_PROP_REF,
    }
)
"""Opcodes that are followed by an OP_DATA."""

DATA_REFERENCED = frozenset({Opcode.ASSIGN_OBJ_REF, Opcode.ASSIGN_STATIC_PROP_REF})
"""Owners that turn a CV in OP_DATA into a reference, and so define it."""

READS_DATA_LATE = frozenset({Opcode.ASSIGN_OBJ_REF, Opcode.ASSIGN_DIM_OP, Opcode.ASSIGN_OBJ_OP})
"""Owners for which Zend names the read of OP_DATA after the definition of op1, so that ``$a[0] += $a`` seems to read
its own result. Config.SOUND reads it before."""

FETCHES = frozenset({Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW})
"""foreach: op2 is only written; a CV there counts as read too, because its old value is freed."""

_CV_KINDS = 1 << OpKind.CV
_VAR_KINDS = _CV_KINDS | 1 << OpKind.VAR | 1 << OpKind.TMP


def _table_row(writes: Writes) -> tuple[int, int, int]:
    """(kinds of op1 that are written, kinds of op2, needed flag: 0 none, 1 element ref, 2 bind ref, 3 generator)."""
    op1 = op2 = needed = 0
    if writes & (Writes.OP1_CV | Writes.OP1_CV_IF_REF | Writes.OP1_CV_IF_REF_GENERATOR):
        op1 = _CV_KINDS
    if writes & Writes.OP1_VAR:
        op1 = _VAR_KINDS
    if writes & (Writes.OP2_CV | Writes.OP2_CV_IF_REF):
        op2 = _CV_KINDS
    if writes & Writes.OP2_VAR:
        op2 = _VAR_KINDS
    if writes & Writes.OP1_CV_IF_REF:
        needed = 1
    elif writes & Writes.OP2_CV_IF_REF:
        needed = 2
    elif writes & Writes.OP1_CV_IF_REF_GENERATOR:
        needed = 3
    return op1, op2, needed


_ROWS: list[tuple[int, int, int] | None] = [None] * (max(Opcode) + 1)
for _info in OPCODES:
    _row = _table_row(_info.writes)
    if _row != (0, 0, 0):
        _ROWS[_info.opcode] = _row

ACCUMULATES = frozenset(info.opcode for info in OPCODES if Writes.RESULT_TOO_IS_READ in info.writes)
"""Opcodes that read the temporary they define (ADD_ARRAY_ELEMENT, ADD_ARRAY_UNPACK)."""


def written_operands(op: Op, yields_reference: bool) -> int:
    """Return which of OP1 and OP2 ``op`` defines. ``yields_reference``: the function is a generator by reference."""
    row = _ROWS[op.opcode]
    if row is None:
        return 0
    op1_kinds, op2_kinds, needed = row
    if needed:
        if needed == 1:
            wanted = op.extended_value & ARRAY_ELEMENT_REF
        elif needed == 2:
            wanted = op.extended_value & BIND_REF
        else:
            wanted = yields_reference
        if not wanted:
            return 0
    return (op1_kinds >> op.op1.kind & 1) * OP1 | (op2_kinds >> op.op2.kind & 1) * OP2


def yields_reference(op_array: OpArray) -> bool:
    """Whether YIELD turns its operand into a reference in this function."""
    return FnFlags.RETURNS_REFERENCE in op_array.flags
