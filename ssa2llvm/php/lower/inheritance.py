"""Early binding of a class to its parent in the same file (Zend/zend_inheritance.c: zend_try_early_bind,
zend_verify_abstract_class).

Zend binds early unless checking a method against the parent's needs a class that is not loaded.  Here a method that
overrides one with the same class names (or none) in its signature is taken as checkable; the full variance rules
are not applied.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope, UserFunction

_SHOWN_METHODS = 3


def _class_types(function: UserFunction) -> list[TypeDecl]:
    types = [info.type for info in function.params]
    if function.op_array is not None:
        types.append(function.op_array.return_type)
    return types


def _names(declared: TypeDecl) -> list[str]:
    return sorted(lower(name) for name in declared.class_names)


def can_bind(c: Compiler, scope: ClassScope, parent: ClassScope) -> bool:
    """Whether the class can be linked while compiling."""
    for key, method in scope.methods.items():
        overridden = parent.methods.get(key)
        if overridden is None or "private" in overridden.modifiers:
            continue
        for own, inherited in zip(_class_types(method), _class_types(overridden), strict=False):
            if _names(own) == _names(inherited):
                continue
            needed = {*_names(own), *_names(inherited)} - {"self", "parent", "static"}
            if any(name not in c.classes and name != lower(scope.name) for name in needed):
                return False
    return True


def verify_abstract(c: Compiler, scope: ClassScope, parent: ClassScope | None) -> None:
    """A class that is not declared abstract must implement every abstract method."""
    if scope.kind not in ("class", "enum") or "abstract" in scope.modifiers:
        return
    missing: list[str] = []
    for method in scope.methods.values():
        if "abstract" in method.modifiers:
            missing.append(f"{scope.name}::{method.name}")
    if parent is not None:
        for key, method in parent.methods.items():
            if "abstract" in method.modifiers and key not in scope.methods:
                missing.append(f"{method.declared_in}::{method.name}")
    if not missing:
        return
    count = len(missing)
    shown = ", ".join(missing[:_SHOWN_METHODS]) + (", ..." if count > _SHOWN_METHODS else "")
    plural = "" if count == 1 else "s"
    if scope.kind == "enum":
        c.error(f"Enum {scope.name} must implement {count} abstract private method{plural} ({shown})")
    c.error(
        f"Class {scope.name} contains {count} abstract method{plural} and must therefore be declared abstract or "
        f"implement the remaining methods ({shown})"
    )
