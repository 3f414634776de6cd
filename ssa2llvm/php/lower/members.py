"""What stands inside a class: methods, properties, constants, enum cases, trait uses.

Zend/zend_compile.c: zend_begin_method_decl, zend_compile_prop_decl, _class_const_decl, _enum_case, _use_trait.
"""

from __future__ import annotations

from ssa2llvm.ir import op_array
from ssa2llvm.ir.literals import ConstAst, Literal
from ssa2llvm.ir.op_array import NO_TYPE, FnFlags, PropertyDecl
from ssa2llvm.ir.types import MAY_BE_CALLABLE, MAY_BE_DOUBLE, MAY_BE_NEVER, MAY_BE_NULL, MAY_BE_VOID
from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler, exact
from ssa2llvm.php.lower.const_expr import constant_expression
from ssa2llvm.php.lower.functions import compile_body, modifier_flags, new_state
from ssa2llvm.php.lower.magic_methods import check_magic_method
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope, FunctionState, UserFunction
from ssa2llvm.php.lower.types import accepts, compile_type, make_type
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Level
from ssa2llvm.values.types import is_int, type_name

_VISIBILITY = ("public", "protected", "private")


def _with_visibility(modifiers: frozenset[str]) -> frozenset[str]:
    """Members without a visibility are public."""
    return modifiers if modifiers & frozenset(_VISIBILITY) else modifiers | {"public"}


# -- methods ---------------------------------------------------------------------------------------------------------


def method(c: Compiler, node: ast.FunctionDecl, declared: op_array.ClassDecl) -> None:
    """Compile a method into the class; an abstract one only declares its parameters."""
    scope = c.class_scope
    assert scope is not None
    modifiers = _with_visibility(node.modifiers)
    if "readonly" in modifiers:
        c.error("Cannot use 'readonly' as method modifier")
    if {"private", "final"} <= modifiers and lower(node.name) != "__construct":
        c.report(Level.WARNING, "Private methods cannot be final as they are never overridden by other classes")
    modifiers = _check_abstract(c, scope, node, modifiers)
    key = lower(node.name)
    function = UserFunction(node.name, [], 0, False, node.line, modifiers, declared_in=scope.name)
    if key in scope.methods:
        c.error(f"Cannot redeclare {scope.name}::{node.name}()")
    scope.methods[key] = function
    if key == "__tostring" and scope.kind != "trait" and "stringable" not in map(lower, scope.interfaces):
        scope.interfaces.append("Stringable")
    state = new_state(c, node, node.name, scope)
    state.flags |= modifier_flags(modifiers)
    if key == "__construct":
        state.flags |= FnFlags.CTOR

    def check(function_state: FunctionState = state) -> None:
        c.line = node.line
        check_magic_method(c, scope.name, key, function_state)

    compiled = compile_body(c, node, state, function, register=check)
    if "abstract" not in modifiers:
        declared.methods.append(compiled)


def _check_abstract(
    c: Compiler, scope: ClassScope, node: ast.FunctionDecl, modifiers: frozenset[str]
) -> frozenset[str]:
    """Which methods may or must have a body."""
    name = f"{scope.name}::{node.name}()"
    in_interface = scope.kind == "interface"
    if in_interface:
        if "public" not in modifiers:
            c.error(f"Access type for interface method {name} must be public")
        for word in ("final", "abstract"):
            if word in modifiers:
                c.error(f"Interface method {name} must not be {word}")
        modifiers |= {"abstract"}
    what = "Interface" if in_interface else "Abstract"
    if "abstract" in modifiers:
        if "private" in modifiers and scope.kind != "trait":
            c.error(f"{what} function {name} cannot be declared private")
        if node.body is not None:
            c.error(f"{what} function {name} cannot contain body")
        scope.implicit_abstract = True
    elif node.body is None:
        c.error(f"Non-abstract method {name} must contain body")
    return modifiers


# -- properties ------------------------------------------------------------------------------------------------------


def properties(c: Compiler, node: ast.PropGroup, declared: op_array.ClassDecl) -> None:
    """Declare the properties of one statement."""
    scope = c.class_scope
    assert scope is not None
    if scope.kind == "interface":
        c.error("Interfaces may not include properties")
    if scope.kind == "enum":
        c.error(f"Enum {scope.name} cannot include properties")
    modifiers = _with_visibility(node.modifiers)
    if "abstract" in modifiers:
        c.error("Properties cannot be declared abstract")
    for item in node.items:
        _property(c, scope, node, item, modifiers, declared)


def _property(
    c: Compiler,
    scope: ClassScope,
    node: ast.PropGroup,
    item: ast.PropElement,
    modifiers: frozenset[str],
    declared: op_array.ClassDecl,
) -> None:
    name = f"{scope.name}::${item.name}"
    type_ = NO_TYPE
    if node.type is not None:
        type_ = compile_type(c, node.type)
        if type_.mask & (MAY_BE_VOID | MAY_BE_NEVER | MAY_BE_CALLABLE):
            c.error(f"Property {name} cannot have type {type_.text}")
    if "final" in modifiers:
        c.error(
            f"Cannot declare property {name} final, the final modifier is allowed only for methods, classes, and "
            "class constants"
        )
    if item.name in scope.properties:
        c.error(f"Cannot redeclare {name}")
    default: object = None
    if item.default is not None:
        default = constant_expression(c, item.default, allow_dynamic=False)
        if type_.is_set and not isinstance(default, ConstAst):
            default = _typed_default(c, name, type_, default)
    if "readonly" in modifiers or "readonly" in scope.modifiers:
        if not type_.is_set:
            c.error(f"Readonly property {name} must have type")
        if item.default is not None:
            c.error(f"Readonly property {name} cannot have default value")
        if "static" in modifiers:
            c.error(f"Static property {name} cannot be readonly")
    scope.properties.add(item.name)
    flags = modifier_flags(modifiers)
    declared.properties.append(PropertyDecl(item.name, type_, exact(default), "static" in modifiers, flags))


def _typed_default(c: Compiler, name: str, type_: op_array.TypeDecl, default: object) -> object:
    if accepts(type_, default):
        return default
    if type_.mask & MAY_BE_DOUBLE and is_int(default):
        return float(default)
    if default is None and not type_.intersection:
        nullable = make_type(type_.mask | MAY_BE_NULL, type_.class_names).text
        c.error(
            f"Default value for property of type {type_.text} may not be null. "
            f"Use the nullable type {nullable} to allow null default value"
        )
    assert default is None or isinstance(default, (bool, int, float, bytes, PhpArray))
    c.error(f"Cannot use {type_name(default)} as default value for property {name} of type {type_.text}")


# -- constants -------------------------------------------------------------------------------------------------------


def constants(c: Compiler, node: ast.ClassConstGroup, declared: op_array.ClassDecl) -> None:
    """Declare class constants."""
    scope = c.class_scope
    assert scope is not None
    modifiers = _with_visibility(node.modifiers)
    for item in node.items:
        for word in ("static", "abstract", "readonly"):
            if word in modifiers:
                c.error(f"Cannot use '{word}' as constant modifier")
        if {"private", "final"} <= modifiers:
            c.error(f"Private constant {scope.name}::{item.name} cannot be final as it is not visible to other classes")
        value = constant_expression(c, item.value, allow_dynamic=False)
        _declare_constant(c, scope, item.name, value, modifiers, declared)


def _declare_constant(
    c: Compiler,
    scope: ClassScope,
    name: str,
    value: object,
    modifiers: frozenset[str],
    declared: op_array.ClassDecl,
) -> None:
    if scope.kind == "interface" and "public" not in modifiers:
        c.error(f"Access type for interface constant {scope.name}::{name} must be public")
    if lower(name) == "class":
        c.error("A class constant must not be called 'class'; it is reserved for class name fetching")
    if name in scope.constants:
        c.error(f"Cannot redefine class constant {scope.name}::{name}")
    scope.constants[name] = (value, modifiers)
    literal: Literal = exact(value)
    declared.constants.append((name, literal))


def enum_case(c: Compiler, node: ast.EnumCase, declared: op_array.ClassDecl) -> None:
    """Declare an enum's case, a constant whose object is made at run time."""
    scope = c.class_scope
    assert scope is not None
    if scope.kind != "enum":
        c.error("Case can only be used in enums")
    if scope.backed and node.value is None:
        c.error(f"Case {node.name} of backed enum {scope.name} must have a value")
    if not scope.backed and node.value is not None:
        c.error(f"Case {node.name} of non-backed enum {scope.name} must not have a value")
    if node.value is not None:
        constant_expression(c, node.value, allow_dynamic=False)
    value = ConstAst(f"\\{scope.name}::{node.name}")
    _declare_constant(c, scope, node.name, value, frozenset({"public"}), declared)


# -- traits ----------------------------------------------------------------------------------------------------------


def use_trait(c: Compiler, node: ast.TraitUse) -> None:
    """``use T { … }``: checked here, bound when the class is linked."""
    scope = c.class_scope
    assert scope is not None
    for name in node.names:
        if scope.kind == "interface":
            c.error(f"Cannot use traits inside of interfaces. {name.text} is used in {scope.name}")
        scope.traits.append(c.names.class_reference(name, "trait name"))
    for adaptation in node.adaptations:
        if isinstance(adaptation, ast.TraitAlias):
            if adaptation.modifier in ("static", "abstract", "final", "readonly"):
                c.error(f"Cannot use '{adaptation.modifier}' as method modifier")
        if adaptation.method.class_ is not None:
            c.names.class_reference(adaptation.method.class_, "trait name")
        if isinstance(adaptation, ast.TraitPrecedence):
            for name in adaptation.excluded:
                c.names.class_reference(name, "trait name")
