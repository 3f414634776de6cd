"""Which slots an instruction reads and defines, for liveness and renaming alike.

The opcode table says which operands an opcode writes besides its result; this module answers it for one instruction:
a written operand counts only if it is a CV (or any variable, where the table says so), some only if a flag asks for a
reference (Zend/Optimizer/zend_ssa.c:_zend_ssa_rename_op with build flags 0).

With Zend's build flags RC_INFERENCE and USE_CV_RESULTS (``Access.COUNTS``; only PHP's JIT sets them) a CV whose value
gains an owner is defined anew, as its reference count changes, and a CV as result is read, as its old value is freed.

OP_DATA is the second half of the instruction before it. Its operand is read by that instruction, and defined by it if
a reference is taken; its SSA names stand in the OP_DATA itself.
"""

from __future__ import annotations

from enum import IntFlag, auto

from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import FnFlags, Op
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

DATA_SHARED = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_OBJ, Opcode.ASSIGN_STATIC_PROP})
"""Owners that store what is in OP_DATA, so that it gains an owner."""

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


_SHARES_OP1 = frozenset(
    {
        Opcode.SEND_VAR,
        Opcode.CAST,
        Opcode.QM_ASSIGN,
        Opcode.JMP_SET,
        Opcode.COALESCE,
        Opcode.FE_RESET_R,
        Opcode.INIT_ARRAY,
        Opcode.ADD_ARRAY_ELEMENT,
        Opcode.YIELD,
    }
)
_SHARES_OP2 = frozenset({Opcode.ASSIGN, Opcode.BIND_LEXICAL})


class Access(IntFlag):
    """What reads and definitions depend on besides the instruction. ``YIELDS_REFERENCE``: YIELD turns its operand into
    a reference. ``COUNTS``: a change of the reference count is a definition."""

    YIELDS_REFERENCE = auto()
    COUNTS = auto()


def access_of(function: Function) -> Access:
    """The mode in which the instructions of ``function`` are looked at."""
    access = Access.YIELDS_REFERENCE if FnFlags.RETURNS_REFERENCE in function.op_array.flags else Access(0)
    return access | Access.COUNTS if function.rc_inference else access


def written_operands(op: Op, access: Access) -> int:
    """Return which of OP1 and OP2 ``op`` defines."""
    if access & Access.COUNTS:
        if op.opcode in _SHARES_OP1:
            return OP1 if op.op1.kind == OpKind.CV else 0
        if op.opcode in _SHARES_OP2:
            both = OP1 if op.opcode == Opcode.ASSIGN and op.op1.kind == OpKind.CV else 0
            return both | (OP2 if op.op2.kind == OpKind.CV else 0)
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
            wanted = access & Access.YIELDS_REFERENCE
        if not wanted:
            return 0
    return (op1_kinds >> op.op1.kind & 1) * OP1 | (op2_kinds >> op.op2.kind & 1) * OP2


def defines_data(owner: Op, access: Access) -> bool:
    """Whether ``owner`` defines a CV in its OP_DATA."""
    return owner.opcode in DATA_REFERENCED or bool(access & Access.COUNTS and owner.opcode in DATA_SHARED)


def reads_result(op: Op, access: Access) -> bool:
    """Whether ``op`` reads the variable that its result goes to, be it only to free what was in it."""
    return op.opcode in ACCUMULATES or bool(
        access & Access.COUNTS and op.result.kind == OpKind.CV and op.opcode != Opcode.RECV
    )
