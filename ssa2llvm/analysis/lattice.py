"""Arithmetic on type masks beyond union and intersection: literals, elements of arrays, declared types.

A mask (``ir.types``) is an element of a finite lattice: union is the join, 0 is unreachable code. Reference counts
(PHP's ``rc1``/``rcn`` bits) are left out throughout: PHP prints them only in its JIT's dumps, no other bit depends on
them, and our own reference counting is explicit in the code (``own``).

Follows Zend/Optimizer/zend_inference.c: zend_array_type_info, zend_array_element_type, assign_dim_result_type,
assign_dim_array_result_type, zend_convert_type. Every function here is pure and monotone in each mask.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Literal
from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.ir.operands import OpKind
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
    MAY_BE_CALLABLE,
    MAY_BE_CLASS,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_ITERABLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
    MAY_BE_VOID,
)

ARRAY_PART = MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF
"""Everything a mask can say about arrays, without the array bit itself."""

ANY_ARRAY = MAY_BE_ARRAY | ARRAY_PART
ANY_VALUE = MAY_BE_ANY | ARRAY_PART
"""Any value that is not a reference."""

ANY_REF = ANY_VALUE | MAY_BE_REF
UNKNOWN = ANY_REF | MAY_BE_UNDEF | MAY_BE_INDIRECT
"""What is known of an operand without SSA name (zend_inference.h:get_ssa_var_info)."""

REACHABLE = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_CLASS
"""An operand without any of these bits comes from code that never runs."""

EMPTY_TO_ARRAY = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_FALSE
"""Types that a write to an element turns into an array."""

INTEGER_KEYS = MAY_BE_LONG | MAY_BE_BOOL | MAY_BE_RESOURCE | MAY_BE_DOUBLE
"""Types that become integer keys."""

INT_LIKE = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG
"""Types that arithmetic reads as an integer, whatever the value."""


def literal_type(value: Literal) -> int:
    """The mask of a literal (zend_inference.h:_const_op_type)."""
    if value is None:
        return MAY_BE_NULL
    if isinstance(value, bool):
        return MAY_BE_TRUE if value else MAY_BE_FALSE
    if isinstance(value, int):
        return MAY_BE_LONG
    if isinstance(value, float):
        return MAY_BE_DOUBLE
    if isinstance(value, bytes):
        return MAY_BE_STRING
    if isinstance(value, ArrayConst):
        return _array_literal_type(value)
    if isinstance(value, Inexact):
        if value.shown is None:
            return ANY_ARRAY & ~MAY_BE_ARRAY_OF_REF
        return MAY_BE_DOUBLE if isinstance(value.shown, float) else MAY_BE_STRING
    if isinstance(value, JumpTable):
        return MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | (MAY_BE_LONG << ARRAY_SHIFT)
    return ANY_VALUE & ~MAY_BE_ARRAY_OF_REF


def _array_literal_type(array: ArrayConst) -> int:
    if not array.entries:
        return MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY
    mask = MAY_BE_ARRAY | (MAY_BE_ARRAY_PACKED if array.packed else 0)
    for key, value in array.entries:
        if not array.packed:
            mask |= MAY_BE_ARRAY_STRING_HASH if isinstance(key, bytes) else MAY_BE_ARRAY_NUMERIC_HASH
        mask |= (literal_type(value) & MAY_BE_ANY) << ARRAY_SHIFT
    return mask


def null_for_undef(mask: int) -> int:
    """The types a read of the variable yields: undefined reads as null."""
    return mask & ~MAY_BE_UNDEF | MAY_BE_NULL if mask & MAY_BE_UNDEF else mask


def hash_only(mask: int) -> bool:
    """Whether an array in ``mask`` is certainly a hash (zend_type_info.h:MAY_BE_HASH_ONLY)."""
    kinds = mask & MAY_BE_ARRAY_KEY_ANY
    is_hash = bool(kinds & (MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH))
    return is_hash and not kinds & (MAY_BE_ARRAY_PACKED | MAY_BE_ARRAY_EMPTY)


def elements_of(array: int, nested: int = ARRAY_PART) -> int:
    """What the arrays in a mask hold; ``nested`` is what an array in them may be."""
    mask = array >> ARRAY_SHIFT & MAY_BE_ANY if array & MAY_BE_ARRAY else 0
    return mask | nested if mask & MAY_BE_ARRAY else mask


def array_part(mask: int) -> int:
    """What a mask says of arrays; nothing if there is none."""
    return mask & ARRAY_PART if mask & MAY_BE_ARRAY else 0


def literal_nested(value: Literal) -> int:
    """What the arrays in a literal array are."""
    if not isinstance(value, ArrayConst):
        return ARRAY_PART if isinstance(value, (Inexact, ConstAst)) else 0
    nested = 0
    for _, element in value.entries:
        if isinstance(element, (ArrayConst, Inexact, ConstAst)):
            nested |= array_part(literal_type(element))
    return nested


def element_type(container: int, write: bool, insert: bool, nested: int = ARRAY_PART) -> int:
    """The mask of ``container[key]``: read, or (``write``) fetched to be written, or (``insert``) newly appended.
    ``nested`` is what an array in the container may be."""
    mask = 0
    if container & MAY_BE_OBJECT:
        mask |= ANY_REF | MAY_BE_INDIRECT if write else ANY_VALUE
    if container & MAY_BE_ARRAY:
        mask |= MAY_BE_NULL
        if not insert:
            mask |= (container & MAY_BE_ARRAY_OF_ANY) >> ARRAY_SHIFT
            if mask & MAY_BE_ARRAY:
                mask |= nested
            counted = MAY_BE_STRING | MAY_BE_ARRAY | MAY_BE_OBJECT | MAY_BE_RESOURCE
            if write and mask & counted and container & MAY_BE_ARRAY_OF_REF:
                mask |= MAY_BE_REF
        if write:
            mask |= MAY_BE_INDIRECT
    if container & MAY_BE_STRING:
        mask |= MAY_BE_STRING | (MAY_BE_NULL if write else 0)
    if container & EMPTY_TO_ARRAY:
        mask |= MAY_BE_NULL | (MAY_BE_INDIRECT if write else 0)
    if not write and container & (MAY_BE_TRUE | MAY_BE_LONG | MAY_BE_DOUBLE | MAY_BE_RESOURCE):
        mask |= MAY_BE_NULL
    return mask


def key_bits(array: int, dim: int, dim_kind: OpKind, only_existing: bool = False) -> int:
    """The array kinds that a write of ``array[dim]`` can produce. ``only_existing`` counts integer keys of an array
    only where ``array`` may be one already (FETCH_DIM_W) rather than also where it becomes one (ASSIGN_DIM)."""
    fresh = MAY_BE_ARRAY_PACKED if array & EMPTY_TO_ARRAY else 0
    integer = fresh
    if not only_existing or array & MAY_BE_ARRAY:
        integer |= MAY_BE_ARRAY_NUMERIC_HASH if hash_only(array) else MAY_BE_ARRAY_KEY_LONG
    if dim_kind == OpKind.UNUSED:
        return integer
    bits = 0
    if dim & INTEGER_KEYS:
        bits |= integer
    if dim & MAY_BE_STRING:
        bits |= MAY_BE_ARRAY_KEY_STRING
        if dim_kind != OpKind.CONST:  # "5" becomes the key 5; in a literal the compiler has done so already
            bits |= integer
    if dim & (MAY_BE_UNDEF | MAY_BE_NULL):
        bits |= MAY_BE_ARRAY_KEY_STRING
    return bits


def array_after_write(array: int, dim: int, value: int, dim_kind: OpKind) -> int:
    """Kinds and element types that ``array[dim] = value`` adds (0 where key or value cannot be)."""
    if not value & (MAY_BE_ANY | MAY_BE_UNDEF):
        return 0
    bits = key_bits(array, dim, dim_kind)
    if bits & MAY_BE_ARRAY_KEY_ANY:
        bits |= (null_for_undef(value) & MAY_BE_ANY) << ARRAY_SHIFT
    return bits


def container_after_write(container: int, dim: int, value: int, dim_kind: OpKind) -> int:
    """The mask of a variable after ``$container[dim] = value``."""
    mask = container
    if container & EMPTY_TO_ARRAY:
        mask = mask & ~EMPTY_TO_ARRAY | MAY_BE_ARRAY
    if mask & MAY_BE_ARRAY:
        mask |= array_after_write(container, dim, value, dim_kind)
    return mask


def declared_mask(decl: TypeDecl) -> int:
    """The values that a declared type lets through (zend_inference.c:zend_convert_type); undeclared is any value."""
    if not decl.is_set:
        return ANY_VALUE
    mask = decl.mask & MAY_BE_ANY
    if decl.mask & MAY_BE_VOID:
        mask |= MAY_BE_NULL
    if decl.mask & MAY_BE_CALLABLE:
        mask |= MAY_BE_STRING | MAY_BE_OBJECT | ANY_ARRAY
    if decl.mask & MAY_BE_ITERABLE:
        mask |= MAY_BE_OBJECT | ANY_ARRAY
    if decl.mask & MAY_BE_STATIC:
        mask |= MAY_BE_OBJECT
    if decl.mask & MAY_BE_ARRAY:
        mask |= ANY_ARRAY
    if decl.class_names:
        mask |= MAY_BE_OBJECT
    return mask


def widen_reference(mask: int) -> int:
    """A reference may change behind our backs, so its value may be anything (UPDATE_SSA_TYPE)."""
    return mask | ANY_REF if mask & MAY_BE_REF else mask
