"""Is inference right? Watches a run and compares each value with what was inferred of its SSA name.

What is compared: the type, the range of an int, and of arrays their kind and (a sample of) their keys and elements.
Facts of variables that live in memory say nothing about a moment, and are not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.ranges import open_ends
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.interp.places import PLACES
from ssa2llvm.interp.trace import show
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir import types as t
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.coerce import type_bit
from ssa2llvm.values.types import PhpObject, Ref

_SAMPLE = 50
_FETCHES_FOR_WRITE = frozenset(
    {Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_FUNC_ARG, Opcode.FETCH_DIM_UNSET, Opcode.FETCH_LIST_W}
)


def array_mask(array: PhpArray) -> int:
    """The kind, key and element bits that an array needs in a type mask."""
    if not len(array):
        return t.MAY_BE_ARRAY | t.MAY_BE_ARRAY_EMPTY
    mask = t.MAY_BE_ARRAY | (t.MAY_BE_ARRAY_PACKED if array.is_packed else 0)
    for key, element in islice(array.elements(), _SAMPLE):
        if not array.is_packed:
            mask |= t.MAY_BE_ARRAY_NUMERIC_HASH if isinstance(key, int) else t.MAY_BE_ARRAY_STRING_HASH
        if isinstance(element, Ref):
            mask |= t.MAY_BE_ARRAY_OF_REF
            element = element.value
        mask |= type_bit(element) << t.ARRAY_SHIFT
    return mask


def value_mask(content: object) -> int:
    """The bits that a cell's content needs in a type mask; 0 for what is no value (a place, a foreach)."""
    if isinstance(content, Undefined):
        return t.MAY_BE_UNDEF
    if isinstance(content, Ref):
        return t.MAY_BE_REF | value_mask(content.value)
    if isinstance(content, PhpArray):
        return array_mask(content)
    if content is None or isinstance(content, (bool, int, float, bytes, PhpObject)):
        return type_bit(content)
    return 0


@dataclass(frozen=True, slots=True)
class Violation:
    """A value that inference had excluded."""

    function: str
    name: int
    variable: str
    value: str
    fact: str

    def __str__(self) -> str:
        return f"{self.function}: #{self.name}.{self.variable} is {self.value}, inferred {self.fact}"


class SoundnessObserver:
    """A ``machine.Observer`` that collects what contradicts the facts, the first violation of each name."""

    def __init__(self, functions: Iterable[tuple[Function, Facts]]) -> None:
        self.violations: list[Violation] = []
        self._known = {
            id(function.op_array): (function, facts, reference_slots(function)) for function, facts in functions
        }
        self._reported: set[tuple[int, int]] = set()

    def defined(self, function: OpArray, name: int, value: object) -> None:
        """See machine.Observer."""
        known = self._known.get(id(function))
        if known is None or isinstance(value, PLACES):
            return
        body, facts, in_memory = known
        if isinstance(value, Undefined) and body.ssa_vars[name].slot >= len(function.cvs):
            return  # a temporary that has no value on the path taken
        if body.ssa_vars[name].slot in in_memory or (id(function), name) in self._reported:
            return
        if not self._agrees(body, facts, name, value):
            self._reported.add((id(function), name))
            variable = body.slot_name(body.ssa_vars[name].slot)
            shown = f"{show(value)} {t.type_text(value_mask(value))}"
            self.violations.append(Violation(function.name, name, variable, shown, facts.text(name)))

    def _agrees(self, body: Function, facts: Facts, name: int, value: object) -> bool:
        needed = value_mask(value)
        definition = body.ssa_vars[name].definition
        if definition is not None and definition.opcode in _FETCHES_FOR_WRITE:
            needed &= t.MAY_BE_ANY | t.MAY_BE_UNDEF | t.MAY_BE_REF  # its new element is still to be written
        if needed & ~facts.types[name] & ~t.MAY_BE_INDIRECT:
            return False
        known = facts.ranges[name]
        if known is not None and type(value) is int:
            return value in open_ends(known)
        return True
