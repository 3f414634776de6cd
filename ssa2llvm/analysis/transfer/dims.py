"""Array elements: literals built up, elements read, written, fetched to be written, unset.

Zend/Optimizer/zend_inference.c: the cases ASSIGN_DIM, ASSIGN_DIM_OP, FETCH_DIM_*, FETCH_LIST_*, INIT_ARRAY,
ADD_ARRAY_ELEMENT, ADD_ARRAY_UNPACK, UNSET_DIM. An element fetched to be written (``$a[k][] = ...``, ``$a[k]++``) is
typed by looking at the instruction that follows.

The sound configuration differs (docs/zend-bugs.md): ``$a[k]++`` adds integers and the key to an array of floats too;
an element fetched to be written is null until it is, and stays so for a handler in the function if that throws;
unpacking into an array renumbers, so the result may be packed whatever it unpacks; an element without key leaves a
packed array packed; ``unset`` may leave an array empty; a write into a number throws, so no number is left afterwards.
"""

from __future__ import annotations

from ssa2llvm.analysis.lattice import (
    ANY_VALUE,
    ARRAY_PART,
    EMPTY_TO_ARRAY,
    array_after_write,
    container_after_write,
    element_type,
    key_bits,
    null_for_undef,
)
from ssa2llvm.analysis.transfer.arithmetic import binary_type
from ssa2llvm.analysis.transfer.core import Defs, Operands, copied_class, may_be_typed, transfer
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, ARRAY_NOT_PACKED, OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_ARRAY_STRING_HASH,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)

_NO_CONTAINER = MAY_BE_TRUE | MAY_BE_LONG | MAY_BE_DOUBLE | MAY_BE_RESOURCE
"""Writing an element of these throws."""

_HASH_KINDS = MAY_BE_ARRAY_PACKED | MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH


def _written(operands: Operands, value: int) -> int:
    """op1 after an element was written."""
    mask = container_after_write(operands.op1, operands.op2, value, operands.instr.op2.kind)
    if operands.sound and not mask & MAY_BE_REF:
        mask &= ~_NO_CONTAINER
    if operands.sound and operands.instr.op2.kind == OpKind.UNUSED and _stays_packed(operands.op1):
        mask &= ~MAY_BE_ARRAY_NUMERIC_HASH
    return mask


def _stays_packed(array: int) -> bool:
    """Whether an array to which an element without key is added is packed afterwards: it was, or had no table yet."""
    return not array & (MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH | MAY_BE_REF)


@transfer(Opcode.ASSIGN_DIM)
def assign_dim(operands: Operands) -> Defs:
    """``$a[k] = value``; op1's new name keeps kinds it had, for Zend looks at the name it is about to type."""
    container, value = operands.op1, operands.data
    mask = _written(operands, value) | operands.op1_out & _HASH_KINDS
    result = 0
    if container & MAY_BE_STRING:
        result |= MAY_BE_STRING | MAY_BE_NULL
    if container & MAY_BE_OBJECT:
        result |= ANY_VALUE
    if container & (MAY_BE_ARRAY | EMPTY_TO_ARRAY):
        result |= null_for_undef(value) & ANY_VALUE
        if container & MAY_BE_ARRAY_OF_REF and may_be_typed(operands, elements=True):  # a typed reference converts
            result |= MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_NUMBER | MAY_BE_STRING
    if container & _NO_CONTAINER:
        result |= MAY_BE_NULL
    cls = copied_class(operands.op1_class, container, mask)
    return Defs(result=result, op1=mask, data=value, op1_class=cls)


@transfer(Opcode.ASSIGN_DIM_OP)
def assign_dim_op(operands: Operands) -> Defs:
    """``$a[k] += value``."""
    container = operands.op1
    old = element_type(container, write=True, insert=False)
    value = MAY_BE_REF if container & MAY_BE_ARRAY_OF_REF and may_be_typed(operands, elements=True) else 0
    value |= binary_type(operands.instr.extended_value, old, operands.data, False, operands)
    mask = _written(operands, value)
    result = value
    if operands.instr.op2.kind == OpKind.UNUSED:  # the next index may not exist
        result |= MAY_BE_NULL
    if operands.data & (MAY_BE_ARRAY | MAY_BE_OBJECT):
        result |= MAY_BE_NULL
    if old & (MAY_BE_ANY & ~(MAY_BE_NULL | MAY_BE_FALSE | MAY_BE_STRING | MAY_BE_ARRAY)):
        result |= MAY_BE_NULL
    if result & MAY_BE_REF:
        result = result & ~MAY_BE_REF | MAY_BE_ANY
    return Defs(result=result, op1=mask, op1_class=copied_class(operands.op1_class, container, mask))


_FETCHES_THAT_CREATE = frozenset(
    {Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_FUNC_ARG, Opcode.FETCH_LIST_W}
)
_READS = frozenset({Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R})
_WRITES_ELEMENT = frozenset(
    {
        Opcode.FETCH_DIM_W,
        Opcode.FETCH_DIM_RW,
        Opcode.FETCH_DIM_FUNC_ARG,
        Opcode.FETCH_LIST_W,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
    }
)
MAKES_REFERENCE = frozenset(
    {
        Opcode.SEND_VAR_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
        Opcode.SEND_REF,
        Opcode.ASSIGN_REF,
        Opcode.YIELD,
        Opcode.INIT_ARRAY,
        Opcode.ADD_ARRAY_ELEMENT,
        Opcode.RETURN_BY_REF,
        Opcode.VERIFY_RETURN_TYPE,
        Opcode.MAKE_REF,
        Opcode.FE_RESET_RW,
    }
)
"""Uses that make a reference of the element, or may."""

_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})
_NEEDS_OBJECT = frozenset(
    {
        Opcode.FETCH_OBJ_W,
        Opcode.FETCH_OBJ_RW,
        Opcode.FETCH_OBJ_FUNC_ARG,
        Opcode.ASSIGN_OBJ,
        Opcode.ASSIGN_OBJ_OP,
        Opcode.ASSIGN_OBJ_REF,
        Opcode.PRE_INC_OBJ,
        Opcode.PRE_DEC_OBJ,
        Opcode.POST_INC_OBJ,
        Opcode.POST_DEC_OBJ,
        Opcode.SEND_VAR,
        Opcode.FETCH_DIM_R,
        Opcode.FREE,
    }
)
"""Uses that throw unless the element is an object already, or do not write."""

_ANY_ELEMENT = MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF


def _elements_after(use: Instr, mask: int, keys: int, operands: Operands) -> int:
    """What the array gains when ``use`` writes through the fetched element."""
    sound, nulls = operands.sound, MAY_BE_NULL << ARRAY_SHIFT
    is_seen = operands.op1 & MAY_BE_REF or operands.env.op_array.try_catch  # by whoever catches what is thrown
    missing = nulls if sound and is_seen else 0
    if use.opcode in _WRITES_ELEMENT:
        return keys | MAY_BE_ARRAY | (MAY_BE_ARRAY << ARRAY_SHIFT) | missing
    if use.opcode in _STEPS:
        longs, doubles = MAY_BE_LONG << ARRAY_SHIFT, MAY_BE_DOUBLE << ARRAY_SHIFT
        if sound:  # the element may be missing: null then, which goes up to 1 but does not go down
            stays = nulls if use.opcode in (Opcode.PRE_DEC, Opcode.POST_DEC) else missing
            return keys | longs | doubles | stays
        if mask & longs:
            return keys | doubles
        return 0 if mask & doubles else keys | longs | doubles
    if use.opcode in _NEEDS_OBJECT:
        return keys | nulls if sound else 0
    if sound and use.opcode in MAKES_REFERENCE:  # null if it was missing; the solver adds what such elements may hold
        return keys | nulls | MAY_BE_ARRAY_OF_REF
    return keys | _ANY_ELEMENT


def _created(operands: Operands) -> int | None:
    """op1 after an element was fetched to be written; None if the key cannot be one."""
    instr, container = operands.instr, operands.op1
    mask = container
    if container & EMPTY_TO_ARRAY:
        if instr.opcode != Opcode.FETCH_DIM_FUNC_ARG:
            mask &= ~EMPTY_TO_ARRAY
        mask |= MAY_BE_ARRAY
    keys = key_bits(container, operands.op2, instr.op2.kind, only_existing=True)
    if keys & (MAY_BE_ARRAY_KEY_LONG | MAY_BE_ARRAY_KEY_STRING):
        users = operands.env.users_of_result(instr)
        if not users:
            mask |= keys | MAY_BE_ARRAY | (MAY_BE_NULL << ARRAY_SHIFT)
        elif len(users) > 1 or users[0] is not operands.env.follower(instr):
            mask |= keys | _ANY_ELEMENT
        else:
            mask |= _elements_after(users[0], mask, keys, operands)
    if instr.opcode != Opcode.FETCH_DIM_FUNC_ARG and (keys or operands.sound):
        mask &= ~MAY_BE_ARRAY_EMPTY
    if mask & MAY_BE_ARRAY and not mask & MAY_BE_ARRAY_KEY_ANY and instr.opcode != Opcode.FETCH_DIM_FUNC_ARG:
        return None
    if operands.sound and not mask & MAY_BE_REF and instr.opcode != Opcode.FETCH_DIM_FUNC_ARG:
        mask &= ~_NO_CONTAINER
    return mask


@transfer(
    Opcode.FETCH_DIM_R,
    Opcode.FETCH_DIM_IS,
    Opcode.FETCH_DIM_RW,
    Opcode.FETCH_DIM_W,
    Opcode.FETCH_DIM_UNSET,
    Opcode.FETCH_DIM_FUNC_ARG,
    Opcode.FETCH_LIST_R,
    Opcode.FETCH_LIST_W,
)
def fetch_dim(operands: Operands) -> Defs:
    """``$a[k]``: the element, or null where there is none."""
    instr, container = operands.instr, operands.op1
    opcode = instr.opcode
    op1: int | None = container
    if opcode in _FETCHES_THAT_CREATE:
        op1 = _created(operands)
        if op1 is None:
            return Defs()
    # list() of a string gives null
    read = container & ~MAY_BE_STRING | MAY_BE_NULL if opcode == Opcode.FETCH_LIST_R else container
    is_append = instr.op2.kind == OpKind.UNUSED
    result = element_type(read, opcode not in _READS, is_append, operands.op1_nested)
    if opcode == Opcode.FETCH_DIM_FUNC_ARG and container & _NO_CONTAINER:
        result |= MAY_BE_NULL
    if opcode == Opcode.FETCH_DIM_IS and container & MAY_BE_STRING:
        result |= MAY_BE_NULL
    return Defs(result=result, op1=op1, op1_class=copied_class(operands.op1_class, container, op1 or 0))


@transfer(Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT)
def array_element(operands: Operands) -> Defs:
    """``[k => value, ...]``, one element an instruction."""
    instr, value = operands.instr, operands.op1
    is_reference = bool(instr.extended_value & ARRAY_ELEMENT_REF)
    array = operands.result_in if instr.opcode == Opcode.ADD_ARRAY_ELEMENT else 0
    result = MAY_BE_ARRAY | array
    with_hash = instr.opcode == Opcode.INIT_ARRAY and bool(instr.extended_value & ARRAY_NOT_PACKED)
    if instr.opcode == Opcode.INIT_ARRAY and instr.op1.kind == OpKind.UNUSED:
        result |= MAY_BE_ARRAY_EMPTY | (MAY_BE_ARRAY_NUMERIC_HASH if with_hash and operands.sound else 0)
    possible = instr.op2.kind == OpKind.UNUSED or operands.op2 & (
        MAY_BE_ANY & ~(MAY_BE_ARRAY | MAY_BE_OBJECT) | MAY_BE_UNDEF
    )
    if instr.op1.kind != OpKind.UNUSED and possible:
        written = array_after_write(array, operands.op2, value, instr.op2.kind)
        if operands.sound and instr.op2.kind == OpKind.UNUSED and _stays_packed(array) and not with_hash:
            written &= ~MAY_BE_ARRAY_NUMERIC_HASH
        result |= written
        if is_reference:
            result |= MAY_BE_ARRAY_OF_REF if operands.sound else _ANY_ELEMENT
    op1 = null_for_undef(value) | MAY_BE_REF if is_reference else value
    return Defs(result=result, op1=op1)


@transfer(Opcode.ADD_ARRAY_UNPACK)
def array_unpack(operands: Operands) -> Defs:
    """``[...$values]``: integer keys are renumbered, string keys kept."""
    result = operands.result_in | operands.op1 & ARRAY_PART
    if operands.op1 & MAY_BE_OBJECT:
        result |= MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY
    if operands.sound and operands.op1 & MAY_BE_ARRAY_KEY_LONG:
        result |= MAY_BE_ARRAY_KEY_LONG
    return Defs(result=result)


@transfer(Opcode.UNSET_DIM)
def unset_dim(operands: Operands) -> Defs:
    """``unset($a[k])``: types stay, but the array may end up empty."""
    mask = operands.op1
    if operands.sound and mask & MAY_BE_ARRAY:
        mask |= MAY_BE_ARRAY_EMPTY
    return Defs(op1=mask, op1_class=copied_class(operands.op1_class, operands.op1, mask))
