"""Does a declared type fit another? With three answers, as the classes it names may not be known yet
(Zend/zend_inheritance.c: zend_perform_covariant_type_check).

While compiling, PHP sees only the classes that this file has bound so far, and the class in which a type is written. A
type that cannot be judged with these leaves its class to run time. Return types may become narrower in a child,
parameter types wider, property types must stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_NEVER, MAY_BE_OBJECT, MAY_BE_STATIC, MAY_BE_VOID
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope


@dataclass(frozen=True, slots=True)
class _Name:
    """A class name, and the class where it was written: PHP knows that one even while it is being declared."""

    text: str
    scope: ClassScope


_Member = _Name | tuple[_Name, ...]
"""A class name, or the names of an intersection that stands in a union."""


class Fit(Enum):
    """Zend's inheritance_status."""

    SUCCESS = "fits"
    ERROR = "does not fit"
    UNRESOLVED = "a class is not known yet"


class Variance:
    """Judges types by the classes bound so far."""

    def __init__(self, c: Compiler) -> None:
        self._classes = c.classes

    def parameter(self, child: TypeDecl, child_scope: ClassScope, parent: TypeDecl, parent_scope: ClassScope) -> Fit:
        """Whether a child's parameter accepts all that the parent's does."""
        if child.accepts_any:
            return Fit.SUCCESS
        if not parent.is_set:
            return Fit.ERROR
        return self.covariant(parent, parent_scope, child, child_scope)

    def invariant(self, child: TypeDecl, child_scope: ClassScope, parent: TypeDecl, parent_scope: ClassScope) -> Fit:
        """Whether two types are the same."""
        if child == parent and not {"self", "parent"} & {lower(name) for name in child.class_names}:
            return Fit.SUCCESS
        both = (
            self.covariant(parent, parent_scope, child, child_scope),
            self.covariant(child, child_scope, parent, parent_scope),
        )
        if Fit.ERROR in both:
            return Fit.ERROR
        return Fit.UNRESOLVED if Fit.UNRESOLVED in both else Fit.SUCCESS

    def covariant(self, narrow: TypeDecl, narrow_scope: ClassScope, wide: TypeDecl, wide_scope: ClassScope) -> Fit:
        """Whether every value of ``narrow`` is one of ``wide``."""
        if wide.mask & MAY_BE_ANY == MAY_BE_ANY and not narrow.mask & MAY_BE_VOID:
            return Fit.SUCCESS
        added = narrow.mask & ~wide.mask
        if added & MAY_BE_STATIC and self._permits_self(wide, wide_scope, narrow_scope):
            added &= ~MAY_BE_STATIC
        if added == MAY_BE_NEVER:
            return Fit.SUCCESS
        if added:
            return Fit.ERROR
        wide_members = _members(wide, wide_scope)
        if narrow.intersection:
            parts = tuple(_Name(_resolve(name, narrow_scope), narrow_scope) for name in narrow.class_names)
            return self._intersection_fits(parts, wide, wide_members)
        fits = []
        for member in _members(narrow, narrow_scope):
            if isinstance(member, _Name):
                fits.append(self._class_fits(member, wide.mask, wide.intersection, wide_members))
            else:
                fits.append(self._intersection_fits(member, wide, wide_members))
        return _all(fits)

    def _lookup(self, name: _Name) -> ClassScope | None:
        found = self._classes.get(lower(name.text))
        return name.scope if found is None and lower(name.text) == lower(name.scope.name) else found

    def _is_subclass(self, cls: ClassScope, ancestor: ClassScope) -> bool:
        pending, seen = [cls], set()
        while pending:
            each = pending.pop()
            if each is ancestor:
                return True
            seen.add(lower(each.name))
            for name in [each.parent, *each.interfaces]:
                above = self._classes.get(lower(name)) if name is not None else None
                if above is not None and lower(above.name) not in seen:
                    pending.append(above)
        return False

    def _permits_self(self, declared: TypeDecl, scope: ClassScope, self_scope: ClassScope) -> bool:
        if declared.mask & MAY_BE_OBJECT:
            return True
        names = [member.text for member in _members(declared, scope) if isinstance(member, _Name)]
        found = [self._lookup(_Name(name, self_scope)) for name in names]
        return any(cls is not None and self._is_subclass(self_scope, cls) for cls in found)

    def _one_fits(self, name: _Name, wide: _Name) -> Fit:
        if lower(name.text) == lower(wide.text):
            return Fit.SUCCESS
        cls, ancestor = self._lookup(name), self._lookup(wide)
        if cls is None or ancestor is None:
            return Fit.UNRESOLVED
        return Fit.SUCCESS if self._is_subclass(cls, ancestor) else Fit.ERROR

    def _class_fits(self, name: _Name, wide_mask: int, all_of: bool, wide: list[_Member]) -> Fit:
        """Whether a class is below one of ``wide``, or below all of them."""
        fits = []
        if wide_mask & MAY_BE_OBJECT:
            fits.append(Fit.UNRESOLVED if self._lookup(name) is None else Fit.SUCCESS)
        for member in wide:
            if isinstance(member, _Name):
                fits.append(self._one_fits(name, member))
            else:
                fits.append(_all([self._one_fits(name, part) for part in member]))
        return _all(fits) if all_of else _any(fits)

    def _intersection_fits(self, parts: tuple[_Name, ...], wide: TypeDecl, members: list[_Member]) -> Fit:
        """Whether what is all of ``parts`` is one of ``wide``, or all of it."""
        fits = []
        if wide.mask & MAY_BE_OBJECT:
            fits.append(_any([Fit.UNRESOLVED if self._lookup(part) is None else Fit.SUCCESS for part in parts]))
        for member in members:
            each = [member] if isinstance(member, _Name) else list(member)
            fits.append(_all([_any([self._one_fits(part, name) for part in parts]) for name in each]))
        return _all(fits) if wide.intersection else _any(fits)


def _resolve(name: str, scope: ClassScope) -> str:
    """``self`` and ``parent`` as the class where they were written means them."""
    if lower(name) == "self":
        return scope.name
    return scope.parent if lower(name) == "parent" and scope.parent is not None else name


def _members(declared: TypeDecl, scope: ClassScope) -> list[_Member]:
    members: list[_Member] = []
    for name in declared.class_names:
        if name.startswith("("):
            members.append(tuple(_Name(_resolve(part, scope), scope) for part in name[1:-1].split("&")))
        else:
            members.append(_Name(_resolve(name, scope), scope))
    return members


def _all(fits: list[Fit]) -> Fit:
    if Fit.ERROR in fits:
        return Fit.ERROR
    return Fit.UNRESOLVED if Fit.UNRESOLVED in fits else Fit.SUCCESS


def _any(fits: list[Fit]) -> Fit:
    if Fit.SUCCESS in fits:
        return Fit.SUCCESS
    return Fit.UNRESOLVED if Fit.UNRESOLVED in fits else Fit.ERROR
