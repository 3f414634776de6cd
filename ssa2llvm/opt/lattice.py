"""The lattice of SCCP: unknown so far, one constant, an array of which some elements are known, anything.

``TOP`` is above every constant, constants are above ``BOTTOM``; two different arrays meet in the *partial array* of
the entries on which they agree, which may still lose entries but never gain any: its length, order and other keys are
unknown, so that only reading a key it holds gives a constant. A partial array keeps Zend's reading of emptiness: with
entries it is certainly not empty, without it may be either (Zend/Optimizer/sccp.c).

Height: 2 for scalars, 2 + number of entries for arrays, so every name is lowered finitely often.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Key, Literal
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.compare import identical
from ssa2llvm.values.number_format import float_repr
from ssa2llvm.values.types import Value, to_text


class Extreme(Enum):
    """The two ends of the lattice."""

    TOP = auto()
    BOTTOM = auto()


TOP = Extreme.TOP
BOTTOM = Extreme.BOTTOM


@dataclass(frozen=True, slots=True)
class PartialArray:
    """An array that holds at least these entries at these keys; nothing is known of the rest. ``nested`` are elements
    that are partial arrays themselves. Never changed in place."""

    known: PhpArray
    nested: Mapping[Key, PartialArray] = field(default_factory=dict)

    @property
    def has_entries(self) -> bool:
        """Whether it surely is not empty."""
        return len(self.known) > 0 or len(self.nested) > 0


@dataclass(frozen=True, slots=True)
class Constant:
    """One PHP value. The wrapper keeps Python's ``True == 1`` out of comparisons of lattice values."""

    value: Value


LatticeValue: TypeAlias = Extreme | Constant | PartialArray


def literal_value(literal: Literal) -> LatticeValue:
    """The lattice value of a literal; BOTTOM for what is not a plain value or not known exactly."""
    if isinstance(literal, (ConstAst, Inexact, JumpTable)):
        return BOTTOM
    if not isinstance(literal, ArrayConst):
        return Constant(literal)
    array = PhpArray() if literal.entries else PhpArray(0)
    for key, entry in literal.entries:
        value = literal_value(entry)
        if not isinstance(value, Constant):
            return BOTTOM
        array.set(key, value.value)
    return Constant(array)


def same_value(left: LatticeValue, right: LatticeValue) -> bool:
    """Whether two lattice values are the same: constants identical as PHP's ``===`` sees it, but NaN is itself and
    the two zeros differ."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return same_constant(left.value, right.value)
    if isinstance(left, PartialArray) and isinstance(right, PartialArray):
        return (
            same_constant(left.known, right.known)
            and left.nested.keys() == right.nested.keys()
            and all(same_value(element, right.nested[key]) for key, element in left.nested.items())
        )
    return left is right


def same_constant(left: Value, right: Value) -> bool:
    """Whether no PHP program can tell the values apart."""
    if isinstance(left, float) and isinstance(right, float):
        return float_repr(left) == float_repr(right)
    if isinstance(left, PhpArray) and isinstance(right, PhpArray):
        left_entries, right_entries = list(left.items()), list(right.items())
        return len(left_entries) == len(right_entries) and all(
            type(left_key) is type(right_key) and left_key == right_key and same_constant(left_value, right_value)
            for (left_key, left_value), (right_key, right_value) in zip(left_entries, right_entries, strict=True)
        )
    return identical(left, right)


def array_part(value: LatticeValue) -> PartialArray | None:
    """The known entries of an array or partial array; None for anything else."""
    if isinstance(value, PartialArray):
        return value
    if isinstance(value, Constant) and isinstance(value.value, PhpArray):
        return PartialArray(value.value)
    return None


def element_of(array: PartialArray, key: Key) -> LatticeValue:
    """The element at ``key``; BOTTOM if nothing is known of it, not even that it is there."""
    if key in array.nested:
        return array.nested[key]
    return Constant(array.known.get(key)) if key in array.known else BOTTOM


def with_element(array: PartialArray, key: Key, element: LatticeValue) -> PartialArray:
    """The array after a store of ``element`` at ``key``."""
    known, nested = array.known.copy(), dict(array.nested)
    if isinstance(element, Constant):
        known.set(key, copy_value(element.value))
        nested.pop(key, None)
    else:
        known.remove(key)
        nested.pop(key, None)
        if isinstance(element, PartialArray):
            nested[key] = element
    return PartialArray(known, nested)


def meet(left: LatticeValue, right: LatticeValue) -> LatticeValue:
    """The greatest lower bound (sccp.c:join_phi_values)."""
    if left is TOP or right is BOTTOM:
        return right
    if right is TOP or left is BOTTOM:
        return left
    if same_value(left, right):
        return left
    left_array, right_array = array_part(left), array_part(right)
    if left_array is None or right_array is None:
        return BOTTOM
    common = PhpArray()
    nested: dict[Key, PartialArray] = {}
    for key in [*(key for key, _ in left_array.known.items()), *left_array.nested]:
        element = meet(element_of(left_array, key), element_of(right_array, key))
        if isinstance(element, Constant):
            common.set(key, element.value)
        elif isinstance(element, PartialArray):
            nested[key] = element
    return PartialArray(common, nested)


def lattice_text(value: LatticeValue) -> str:
    """The value as Zend's SCCP dump writes it (zend_dump.c:zend_dump_const, sccp.c:scp_dump_value), for traces."""
    if isinstance(value, Extreme):
        return value.name.lower()
    if isinstance(value, PartialArray):
        entries = [_entries_text(value.known)] if len(value.known) else []
        entries += [f"{_key_text(key)} => {lattice_text(element)}" for key, element in value.nested.items()]
        return f"partial [{', '.join(entries)}]"
    return constant_text(value.value)


def constant_text(value: Value) -> str:
    """A constant in the dump's notation: ``int(5)``, ``string("a")``, ``[int(0) => …]``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"bool({'true' if value else 'false'})"
    if isinstance(value, int):
        return f"int({value})"
    if isinstance(value, float):
        return f"float({float_repr(value)})"
    if isinstance(value, bytes):
        return f'string("{to_text(value)}")'
    if isinstance(value, PhpArray):
        return f"[{_entries_text(value)}]"
    return "object"


def _entries_text(array: PhpArray) -> str:
    return ", ".join(f"{_key_text(key)} => {constant_text(value)}" for key, value in array.items())


def _key_text(key: Key) -> str:
    return str(key) if isinstance(key, int) else f'"{to_text(key)}"'
