"""Early binding of a class to its parent in the same file (Zend/zend_inheritance.c: zend_try_early_bind,
zend_can_early_bind, zend_verify_abstract_class).

Zend binds early unless checking a method's signature or a property's type against the parent's needs a class that is
not loaded; the first check that does not succeed decides.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import NO_TYPE, ClassDecl, FnFlags, TypeDecl
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope, UserFunction
from ssa2llvm.php.lower.variance import Fit, Variance

_SHOWN_METHODS = 3


def can_bind(c: Compiler, scope: ClassScope, declared: ClassDecl, parent: ClassScope) -> bool:
    """Whether the class can be linked while compiling: nothing about it hangs on a class that is not known. (What is
    known not to fit is an error that linking reports.)"""
    variance = Variance(c)
    for key, inherited in parent.methods.items():
        method = scope.methods.get(key)
        overridden = _prototype(c, parent, key, inherited)
        if method is None or overridden is None:
            continue
        fit = _method_fit(variance, method, scope, overridden, c.classes.get(lower(overridden.declared_in), parent))
        if fit is not Fit.SUCCESS:
            return fit is Fit.ERROR
    own = {prop.name: prop.type for prop in declared.properties}
    for name, (inherited_type, owner) in _typed_properties(c, parent).items():
        if name in own and own[name].is_set:
            fit = variance.invariant(own[name], scope, inherited_type, owner)
            if fit is not Fit.SUCCESS:
                return fit is Fit.ERROR
    return True


def _prototype(c: Compiler, parent: ClassScope, key: str, inherited: UserFunction) -> UserFunction | None:
    """The method whose signature one in a child of ``parent`` must fit: none for a private method, for a constructor
    the abstract one of an ancestor."""
    if "private" in inherited.modifiers:
        return None
    if key != "__construct":
        return inherited
    cls: ClassScope | None = parent
    while cls is not None:
        constructor = cls.methods.get(key)
        if constructor is not None and "abstract" in constructor.modifiers:
            return constructor
        cls = c.classes.get(lower(cls.parent)) if cls.parent is not None else None
    return None


def _method_fit(
    variance: Variance, method: UserFunction, scope: ClassScope, overridden: UserFunction, owner: ClassScope
) -> Fit:
    worst = Fit.SUCCESS
    for position in range(max(len(method.params), len(overridden.params))):
        inherited = _parameter_type(overridden, position)
        if inherited is None:
            continue
        own = _parameter_type(method, position)
        if own is None:
            return Fit.ERROR
        fit = variance.parameter(own, scope, inherited, owner)
        if fit is Fit.ERROR:
            return fit
        if fit is Fit.UNRESOLVED:
            worst = fit
    inherited, own = _return_type(overridden), _return_type(method)
    if not inherited.is_set:
        return worst
    if not own.is_set:
        return Fit.ERROR
    fit = variance.covariant(own, scope, inherited, owner)
    return worst if fit is Fit.SUCCESS else fit


def _parameter_type(function: UserFunction, position: int) -> TypeDecl | None:
    """The type of a parameter; the last one of a variadic function stands for all behind it."""
    if position < len(function.params):
        return function.params[position].type
    return function.params[-1].type if function.variadic else None


def _return_type(function: UserFunction) -> TypeDecl:
    return function.op_array.return_type if function.op_array is not None else NO_TYPE


def _typed_properties(c: Compiler, cls: ClassScope) -> dict[str, tuple[TypeDecl, ClassScope]]:
    """Type and class of each typed property that a child of ``cls`` inherits."""
    found: dict[str, tuple[TypeDecl, ClassScope]] = {}
    declared = {lower(each.name): each for each in c.declared_classes}
    current: ClassScope | None = cls
    while current is not None:
        for prop in declared[lower(current.name)].properties:
            if prop.type.is_set and FnFlags.PRIVATE not in prop.flags:
                found.setdefault(prop.name, (prop.type, current))
        current = c.classes.get(lower(current.parent)) if current.parent is not None else None
    return found


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
