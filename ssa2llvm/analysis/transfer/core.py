"""What a type transfer function sees and gives, and the table they stand in.

A transfer function takes the masks of an instruction's operands (``Operands``) and gives the masks of the names that
it defines (``Defs``): a pure function of its argument, testable alone, monotone in every mask. One function serves
both configurations; where Zend is wrong or imprecise it asks ``operands.sound``.

The table ``TRANSFER`` maps opcodes to functions (Zend/Optimizer/zend_inference.c:_zend_update_type_info is one
switch of 1,400 lines over the same cases). An opcode without a row has ``unknown``: nothing is known of what it
defines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

from ssa2llvm.analysis.facts import ClassFact, ReturnFact
from ssa2llvm.analysis.lattice import ANY_REF, ANY_VALUE, ARRAY_PART
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import OpArray, PropertyDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ANY, MAY_BE_INDIRECT, MAY_BE_OBJECT, MAY_BE_REF


class Keep:
    """The class of a name stays as it is."""


KEEP: Final = Keep()
ClassChange: TypeAlias = ClassFact | Keep | None


class Defs(NamedTuple):
    """Masks of the defined names; None leaves a name as it is (it may not even exist). ``data`` is what OP_DATA's op1
    defines."""

    result: int | None = None
    op1: int | None = None
    op2: int | None = None
    data: int | None = None
    result_class: ClassChange = KEEP
    op1_class: ClassChange = KEEP
    op2_class: ClassChange = KEEP


class Env(Protocol):
    """What a transfer function may ask beyond the masks: facts about the program that no pass changes."""

    @property
    def op_array(self) -> OpArray:
        """The function being inferred."""

    def returned_by(self, instr: Instr) -> ReturnFact | None:
        """What the call ``instr`` gives, None if the callee is unknown."""

    def argument(self, number: int) -> int | None:
        """The union of what all callers pass as parameter ``number`` (from 1), None if not all are known."""

    def sends_reference(self, send: Instr) -> bool | None:
        """Whether the callee takes the argument of ``send`` by reference; None if it is not known."""

    def behind_reference(self, name: int) -> int | None:
        """The types that SSA name ``name`` may lead to where it is a reference; None if these may be any."""

    def written_by_reference(self, send: Instr, old: int) -> int | None:
        """What an internal function may leave in the variable that ``send`` passes by reference, ``old`` before; 0
        for a function of the script, None if it may be anything."""

    def class_named(self, name: str) -> str | None:
        """The class of this name in its declared spelling, if the optimizer can see it."""

    def declared_class(self, name: str) -> str | None:
        """The same for a name in a declared type, which is looked up outside of the function's own class."""

    def is_trait(self, name: str) -> bool:
        """Whether the class is a trait."""

    def parent_of(self, name: str) -> str | None:
        """Its parent, if it is linked and has one."""

    def property_of(self, cls: str, name: str, static: bool) -> PropertyDecl | None:
        """A declared property that the function may access."""

    def literal_bytes(self, instr: Instr, which: str) -> bytes | None:
        """The string literal in an operand, None if it is not one."""

    def users_of_result(self, instr: Instr) -> list[Instr]:
        """The instructions that read what ``instr`` defines as its result, in order."""

    def follower(self, instr: Instr) -> Instr | None:
        """The next instruction of the block."""


@dataclass(slots=True)
class Operands:
    """Masks of what an instruction reads. An operand without a name is ``lattice.UNKNOWN``. ``data`` is OP_DATA's
    op1, ``result_in`` the result slot where it is read too, ``op1_out`` what op1's new name has so far."""

    instr: Instr
    env: Env
    sound: bool
    overloading: bool
    op1: int
    op2: int
    data: int
    result_in: int
    op1_out: int = 0
    op1_class: ClassFact | None = None
    op2_class: ClassFact | None = None
    op1_nested: int = ARRAY_PART
    """What is known of the arrays in op1's array (``Facts.nested``)."""
    op1_range: Range | None = None
    result_range: Range | None = None

    @property
    def result_fits(self) -> bool:
        """Whether arithmetic on integers is known to stay within 64 bits."""
        return self.result_range is not None and not self.result_range.flagged


Transfer: TypeAlias = Callable[[Operands], Defs]
TRANSFER: dict[Opcode, Transfer] = {}


def transfer(*opcodes: Opcode) -> Callable[[Transfer], Transfer]:
    """Enter a function into the table for these opcodes."""

    def enter(function: Transfer) -> Transfer:
        for opcode in opcodes:
            assert opcode not in TRANSFER, opcode.name
            TRANSFER[opcode] = function
        return function

    return enter


def may_be_typed(operands: Operands, elements: bool = False) -> bool:
    """Whether op1, which may be a reference (or an array that holds some), may be one to a typed property, which
    converts what is assigned. Those may hold anything by the sound facts, as no cell has a property in it."""
    held = operands.op1 >> ARRAY_SHIFT if elements else operands.op1
    return not operands.sound or held & MAY_BE_ANY == MAY_BE_ANY


def copied_class(cls: ClassFact | None, source: int, target: int) -> ClassFact | None:
    """The class of a copy: that of the source, if it can hold objects and the copy is no reference."""
    return cls if source & MAY_BE_OBJECT and not target & MAY_BE_REF else None


_WRITE_FETCHES = frozenset(
    {
        Opcode.FETCH_W,
        Opcode.FETCH_RW,
        Opcode.FETCH_FUNC_ARG,
        Opcode.FETCH_UNSET,
    }
)


def unknown(operands: Operands) -> Defs:
    """Nothing is known: op1 may be a reference to anything now; a VAR result too."""
    result = ANY_VALUE
    if operands.instr.result.kind == OpKind.VAR:
        result |= MAY_BE_REF
        if operands.instr.opcode in _WRITE_FETCHES:
            result |= MAY_BE_INDIRECT
    return Defs(result=result, op1=ANY_REF)
