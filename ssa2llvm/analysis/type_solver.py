"""Types of all names of a function: a worklist over def-use chains, lowest name first
(Zend/Optimizer/zend_inference.c:zend_infer_types_ex).

Every name starts unreachable (0) and grows by the transfer functions of ``transfer``; the lattice is finite, so this
ends after at most 32 changes a name. Types are a least fixpoint and do not depend on the order; classes of objects
are not monotone in Zend, which is why its order is kept.

In: references marked, ranges inferred. Out: ``facts.types`` and ``facts.classes``. Under Config.ZEND a type that
loses a bit stops the inference, as PHP warns and gives up (``Narrowed``); the sound configuration joins instead, and
joins classes too. Under Config.ZEND masks have the bits of ``reference_counts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from ssa2llvm.analysis.facts import ClassFact, Facts
from ssa2llvm.analysis.handler_states import half_written
from ssa2llvm.analysis.lattice import ANY_REF, ARRAY_PART, widen_reference
from ssa2llvm.analysis.nested import NOTHING_NESTED, holds_arrays, nested_defs
from ssa2llvm.analysis.reference_counts import settled
from ssa2llvm.analysis.transfer.core import ClassChange, Keep
from ssa2llvm.analysis.type_steps import NEEDS_DATA, defined_by, type_behind_pi
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.analysis.worklist import LowestFirst
from ssa2llvm.ir.function import Alias, Instr, Phi, TypeConstraint
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)

UNKNOWN_ALIAS = ANY_REF | MAY_BE_UNDEF
"""A variable that may change without an instruction that names it."""

_RESPONSE_HEADER = MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_LONG | (MAY_BE_STRING << ARRAY_SHIFT)


def aliased_type(view: FunctionView, name: int) -> int:
    """What a variable may be that changes without an instruction that names it: a global is a reference to what the
    whole script stores in it."""
    if Alias.SYMTABLE not in view.function.ssa_vars[name].alias:
        return _RESPONSE_HEADER
    if view.cell_of(name) is None:
        return UNKNOWN_ALIAS
    return view.widened(name, MAY_BE_REF)


class Narrowed(Exception):
    """A type lost a bit: the transfer functions are not monotone here, and PHP gives the function up."""


class TypeSolver:
    """Infers ``facts.types`` and ``facts.classes`` of one function from ``facts.ranges``."""

    def __init__(self, view: FunctionView, facts: Facts, doubles: Set[int] = frozenset()) -> None:
        """``facts.types`` hold the initial masks (references marked). ``doubles`` are names whose integer literal is
        taken for a float."""
        self._view = view
        self._function = view.function
        self._vars = view.function.ssa_vars
        self._facts = facts
        self._types = facts.types
        self._classes = facts.classes
        self._nested = facts.nested
        self._num_cvs = len(view.op_array.cvs)
        self._counts = view.counts
        self._doubles = doubles
        self._worklist = LowestFirst((), len(self._vars))

    def solve(self, names: Iterable[int]) -> None:
        """Bring ``names`` and all that depends on them to the fixpoint. Raises ``Narrowed`` under Config.ZEND."""
        for name in names:
            self._worklist.add(name)
        for name in self._worklist.drain():
            var = self._vars[name]
            if var.definition_phi is not None:
                phi = var.definition_phi
                if phi.is_pi:
                    self._solve_pi(name, phi)
                else:
                    self._solve_phi(name, phi)
            elif var.definition is not None:
                self._solve_instr(self._view.sites[var.definition].owner)

    # Updates

    def _set_type(self, name: int, mask: int, nested: int = ARRAY_PART) -> None:
        """Let ``name`` have the types ``mask`` too, and ``nested`` (``Facts.nested``) if it may hold arrays in an
        array."""
        var = self._vars[name]
        mask = self._view.widened(name, mask) if self._view.sound else widen_reference(mask)
        if var.slot < self._num_cvs and var.alias is not Alias.NONE:
            mask |= aliased_type(self._view, name)
            mask |= self._counts
        if name in self._doubles:
            mask = mask & ~MAY_BE_LONG | MAY_BE_DOUBLE
        if self._counts:
            mask = settled(mask, var.slot < self._num_cvs, var.slot < self._view.op_array.num_args)
        old = self._types[name]
        if self._view.sound:
            mask |= old
            if holds_arrays(mask):
                self._set_nested(name, mask, nested)
        if mask == old:
            return
        if old & ~mask:
            raise Narrowed(self._function.name_text(name))
        self._types[name] = mask
        self._requeue(name)

    def _set_nested(self, name: int, mask: int, nested: int) -> None:
        old = self._nested[name]
        nested = self._view.nested_widened(name, mask, nested | old)
        if nested != old:
            self._nested[name] = nested
            self._requeue(name)

    def _set_class(self, name: int, cls: ClassFact | None) -> None:
        if self._classes[name] != cls:
            self._classes[name] = cls
            self._requeue(name)

    def _requeue(self, name: int) -> None:
        for other in (*self._view.sites.dependents(name), *self._view.results_fed_by(name)):
            self._worklist.add(other)

    # Phis

    def _solve_pi(self, name: int, phi: Phi) -> None:
        source = phi.sources[0]
        mask, cls = type_behind_pi(self._view, phi, self._types[source]), self._classes[source]
        constraint = phi.constraint
        if isinstance(constraint, TypeConstraint) and mask & MAY_BE_OBJECT and constraint.class_name is not None:
            cls = self._constrained(cls, constraint.class_name)
        self._set_type(name, mask, self._facts.nested_in(source))
        self._set_class(name, None if mask & MAY_BE_REF else cls)

    def _constrained(self, cls: ClassFact | None, name: str) -> ClassFact:
        """The class of an object that is also an instance of ``name``."""
        if cls is None:
            return ClassFact(name, is_instanceof=True)
        if cls.name != name and cls.is_instanceof:
            if self._view.context.symbols.classes.is_subclass(name, cls.name):
                return ClassFact(name, is_instanceof=True)
        return cls

    def _solve_phi(self, name: int, phi: Phi) -> None:
        mask = nested = 0
        for source in phi.sources:
            mask |= self._types[source]
            nested |= self._facts.nested_in(source)
        if self._view.sound and self._view.handlers.may_be_half_written(phi):
            mask = half_written(mask)
            nested |= half_written(MAY_BE_ARRAY | nested | MAY_BE_ARRAY_EMPTY) & ARRAY_PART
        self._set_type(name, mask, nested)
        objects = [source for source in phi.sources if self._types[source] & MAY_BE_OBJECT]
        cls = self._classes[objects[0]] if objects else None
        for source in objects[1:]:
            cls = self._view.context.symbols.classes.join(cls, self._classes[source])
        self._set_class(name, cls)

    # Instructions

    def _solve_instr(self, instr: Instr) -> None:
        data = self._view.sites[instr].data
        defs = defined_by(self._view, self._facts, instr)
        if defs is None:
            self._apply_unreachable(instr, data)
            return
        nested = nested_defs(self._view, self._facts, instr, defs) if self._view.sound else NOTHING_NESTED
        if defs.result is not None and instr.result_def >= 0:
            self._apply(instr.result_def, defs.result, defs.result_class, nested.result)
        if defs.op1 is not None and instr.op1_def >= 0:
            self._apply(instr.op1_def, defs.op1, defs.op1_class, nested.op1)
        if defs.op2 is not None and instr.op2_def >= 0:
            self._apply(instr.op2_def, defs.op2, defs.op2_class, nested.op2)
        if defs.data is not None and data is not None and data.op1_def >= 0:
            self._set_type(data.op1_def, defs.data)

    def _apply(self, name: int, mask: int, cls: ClassChange, nested: int) -> None:
        was_object = bool(self._types[name] & MAY_BE_OBJECT)
        self._set_type(name, mask, nested)
        if isinstance(cls, Keep):
            return
        if self._view.sound and was_object and cls != self._classes[name]:
            cls = self._view.context.symbols.classes.join(self._classes[name], cls)
        self._set_class(name, cls)

    def _apply_unreachable(self, instr: Instr, data: Instr | None) -> None:
        names = [instr.result_def, instr.op1_def, instr.op2_def]
        if data is not None and instr.opcode in NEEDS_DATA:
            names.append(data.op1_def)
        for name in names:
            if name >= 0 and not self._types[name] & MAY_BE_REF:
                self._set_type(name, 0)
