"""Whether a value may have one owner (``rc1``) or several (``rcn``): the bits, and what PHP makes of them outside of
single instructions.

Masks carry two further bits, ``ONE`` and ``MANY``, of the strings, arrays, objects and resources in a name
(Zend/zend_type_info.h). PHP always infers them, but shows them only in the dumps of its JIT, which builds an SSA form
of its own for them: there an instruction that shares a variable's value defines the variable anew (``ssa.access``).
The JIT may then write into an array without asking who else has it. Here Config.ZEND infers them, and no other; they
stay in the facts with ``Options.counts_references``. Our own counting is explicit in the code (``own``).

What instructions do to the bits stands in ``count_rules``.
"""

from __future__ import annotations

from typing import Final

from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_OBJECT,
    MAY_BE_RC1,
    MAY_BE_RCN,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
)

ONE: Final = MAY_BE_RC1
MANY: Final = MAY_BE_RCN
BOTH: Final = ONE | MANY

COUNTED: Final = MAY_BE_STRING | MAY_BE_ARRAY | MAY_BE_OBJECT | MAY_BE_RESOURCE
"""Types of values that have a reference count."""


def without_counts(mask: int) -> int:
    """``mask`` after a type test: what has no counted type left has no bits either."""
    return mask if mask & COUNTED else mask & ~BOTH


def may_be_shared(mask: int) -> int:
    """A mask of which nothing but the types is known, with bits (zend_inference.c:zend_convert_type)."""
    return mask | BOTH if mask & COUNTED else mask


def settled(mask: int, is_cv: bool, is_argument: bool) -> int:
    """What a name holds for the compiler to rely on: references, arguments (backtraces have them) and strings in
    variables (array keys have them) may be shared behind the instructions' backs (zend_inference.c:UPDATE_SSA_TYPE)."""
    if mask & MAY_BE_REF:
        mask |= BOTH
    if is_argument and mask & ONE:
        mask |= MANY
    if is_cv:
        if mask & (MAY_BE_REF | MANY):
            mask |= BOTH
        elif mask & ONE and mask & MAY_BE_STRING:
            mask |= MANY
    return mask


def returned(mask: int, by_reference: bool) -> int:
    """The bits of a value that is returned (zend_inference.c:zend_func_return_info)."""
    if by_reference:
        return mask & ~BOTH
    return mask | MANY if mask & ONE else mask
