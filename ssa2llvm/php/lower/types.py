"""Type declarations and the check of return values.

Zend/zend_compile.c: zend_compile_typename, zend_compile_single_typename, zend_type_to_string,
zend_emit_return_type_check.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import NO_TYPE, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    IS_ARRAY,
    IS_DOUBLE,
    IS_FALSE,
    IS_LONG,
    IS_NULL,
    IS_STRING,
    IS_TRUE,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_CALLABLE,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NEVER,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_VOID,
    declaration_text,
)
from ssa2llvm.php import ast
from ssa2llvm.php.ast import NameForm, Node
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, ZNode
from ssa2llvm.php.lower.namespaces import RESERVED_CLASS_NAMES, class_fetch_type, lower, unqualified
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Level

_BUILTIN = {
    "null": MAY_BE_NULL,
    "true": MAY_BE_TRUE,
    "false": MAY_BE_FALSE,
    "int": MAY_BE_LONG,
    "float": MAY_BE_DOUBLE,
    "string": MAY_BE_STRING,
    "bool": MAY_BE_BOOL,
    "void": MAY_BE_VOID,
    "never": MAY_BE_NEVER,
    "object": MAY_BE_OBJECT,
    "mixed": MAY_BE_ANY,
}
_KEYWORDS = {"array": MAY_BE_ARRAY, "callable": MAY_BE_CALLABLE, "static": MAY_BE_STATIC}
_CONFUSABLE = {"boolean": "bool", "integer": "int", "double": "float", "resource": ""}


def make_type(mask: int, class_names: tuple[str, ...] = (), intersection: bool = False) -> TypeDecl:
    """A declared type with its text. A member of a union that is an intersection is one name, ``(A&B)``."""
    text = declaration_text(mask, class_names, intersection)
    if text.startswith("?("):
        text = f"{text[1:]}|null"
    return TypeDecl(mask, class_names, intersection, text)


def compile_type(c: Compiler, node: Node, force_nullable: bool = False) -> TypeDecl:
    """The type that ``node`` declares; ``force_nullable`` for a parameter whose default is null."""
    if isinstance(node, ast.TypeList):
        declared = _intersection(c, node) if node.intersection else _union(c, node)
        nullable = False
    else:
        assert isinstance(node, ast.TypeName)
        declared = _single(c, node)
        nullable = node.nullable
    mask = declared.mask
    if mask == MAY_BE_ANY and nullable:
        c.error("Type mixed cannot be marked as nullable since mixed already includes null")
    if mask & MAY_BE_NULL and nullable:
        c.error("null cannot be marked as nullable")
    if force_nullable and declared.intersection:
        declared = make_type(0, (f"({'&'.join(declared.class_names)})",))
    if nullable or force_nullable:
        mask |= MAY_BE_NULL
        declared = make_type(mask, declared.class_names, declared.intersection)
    if mask & MAY_BE_VOID and (declared.class_names or mask != MAY_BE_VOID):
        c.error("Void can only be used as a standalone type")
    if mask & MAY_BE_NEVER and (declared.class_names or mask != MAY_BE_NEVER):
        c.error("never can only be used as a standalone type")
    return declared


def _single(c: Compiler, node: ast.TypeName) -> TypeDecl:
    text = node.text
    if node.keyword:
        if text == "static" and c.class_scope is None and fold.scope_known(c):
            c.error('Cannot use "static" when no class scope is active')
        return make_type(_KEYWORDS[text])
    key = lower(text)
    if key in _BUILTIN or key == "iterable":
        if node.form != NameForm.PLAIN:
            c.error(f"Type declaration '{key}' must be unqualified")
        if key == "iterable":
            return make_type(MAY_BE_ARRAY, ("Traversable",))
        return make_type(_BUILTIN[key])
    fetch = class_fetch_type(text) if node.form != NameForm.FULL else 0
    if fetch:
        fold.ensure_class_fetch(c, fetch)
        name = text
    else:
        name = c.names.class_(ast.Name(node.where, text, node.form))
        if lower(unqualified(name)) in RESERVED_CLASS_NAMES:
            c.error(f"Cannot use '{name}' as class name as it is reserved")
    if node.form == NameForm.PLAIN and text in _CONFUSABLE and text not in c.names.imports["class"]:
        _warn_confusable(c, text, name)
    return make_type(0, (name,))


def _warn_confusable(c: Compiler, text: str, name: str) -> None:
    extra = ' or import the class with "use"' if c.names.current else ""
    suffix = f'Write "\\{name}"{extra} to suppress this warning'
    meant = _CONFUSABLE[text]
    if meant:
        c.report(Level.WARNING, f'"{text}" will be interpreted as a class name. Did you mean "{meant}"? {suffix}')
    else:
        c.report(
            Level.WARNING,
            f'"{text}" is not a supported builtin type and will be interpreted as a class name. {suffix}',
        )


def _union(c: Compiler, node: ast.TypeList) -> TypeDecl:
    mask = 0
    names: list[str] = []
    only_iterable = True
    for item in node.items:
        if isinstance(item, ast.TypeList):
            only_iterable = False
            _add_class_type(c, names, _intersection(c, item).class_names)
            continue
        assert isinstance(item, ast.TypeName)
        single = _single(c, item)
        if single.mask == MAY_BE_ANY:
            c.error("Type mixed can only be used as a standalone type")
        is_iterable = bool(single.class_names and single.mask)
        only_iterable = only_iterable and (not single.class_names or is_iterable)
        overlap = mask & single.mask
        if overlap:
            c.error(f"Duplicate type {declaration_text(overlap)} is redundant")
        if (mask & MAY_BE_TRUE and single.mask == MAY_BE_FALSE) or (mask & MAY_BE_FALSE and single.mask == MAY_BE_TRUE):
            c.error("Type contains both true and false, bool should be used instead")
        mask |= single.mask
        if single.class_names:
            _add_class_type(c, names, single.class_names)
    if mask & MAY_BE_OBJECT and ((names and not only_iterable) or mask & MAY_BE_STATIC):
        text = make_type(mask, tuple(names)).text
        c.error(f"Type {text} contains both object and a class type, which is redundant")
    return make_type(mask, tuple(names))


def _add_class_type(c: Compiler, names: list[str], members: tuple[str, ...]) -> None:
    """Add a class, or an intersection of several, to a union; what says nothing new is an error."""
    for other in names:
        others = other.strip("()").split("&")
        smaller, larger = (others, members) if len(others) < len(members) else (members, others)
        if not {lower(name) for name in smaller} <= {lower(name) for name in larger}:
            continue
        if len(members) == len(others) == 1:
            c.error(f"Duplicate type {members[0]} is redundant")
        if len(members) == len(others):
            c.error(f"Type {'&'.join(members)} is redundant with type {'&'.join(others)}")
        narrow, wide = "&".join(larger), "&".join(smaller)
        c.error(f"Type {narrow} is redundant as it is more restrictive than type {wide}")
    names.append(members[0] if len(members) == 1 else f"({'&'.join(members)})")


def _intersection(c: Compiler, node: ast.TypeList) -> TypeDecl:
    names: list[str] = []
    for item in node.items:
        assert isinstance(item, ast.TypeName)
        single = _single(c, item)
        if single.mask:
            c.error(f"Type {single.text} cannot be part of an intersection type")
        name = single.class_names[0]
        if lower(name) in ("self", "parent"):
            c.error(f"Type {name} cannot be part of an intersection type")
        if any(lower(name) == lower(other) for other in names):
            c.error(f"Duplicate type {name} is redundant")
        names.append(name)
    return make_type(0, tuple(names), intersection=True)


def type_number(value: object) -> int:
    """The type number of a literal; 0 for a constant expression."""
    if value is None:
        return IS_NULL
    if value is True:
        return IS_TRUE
    if value is False:
        return IS_FALSE
    if isinstance(value, int):
        return IS_LONG
    if isinstance(value, float):
        return IS_DOUBLE
    if isinstance(value, bytes):
        return IS_STRING
    return IS_ARRAY if isinstance(value, PhpArray) else 0


def accepts(declared: TypeDecl, value: object) -> bool:
    """Whether a literal is of the declared type, exactly."""
    number = type_number(value)
    return bool(number) and bool(declared.mask & (1 << number))


def check_return(c: Compiler, value: ZNode | None, implicit: bool) -> ZNode | None:
    """Emit the check of a return value where one is needed; a constant moves to a temporary for it."""
    declared = c.function.return_type
    if declared == NO_TYPE:
        return value
    if declared.mask & MAY_BE_VOID:
        if value is not None:
            hint = ""
            if isinstance(value, Const) and value.value is None:
                hint = ' (did you mean "return;" instead of "return null;"?)'
            c.error(f"A void function must not return a value{hint}")
        return value
    if declared.mask & MAY_BE_NEVER:
        c.error("A never-returning function must not return")
    if value is None and not implicit:
        hint = ' (did you mean "return null;" instead of "return;"?)' if declared.mask & MAY_BE_NULL else ""
        c.error(f"A function with return type must return a value{hint}")
    if value is not None and declared.mask & MAY_BE_ANY == MAY_BE_ANY:
        return value
    if isinstance(value, Const) and accepts(declared, value.value):
        return value
    op = c.emit(Opcode.VERIFY_RETURN_TYPE, value if value is not None else NOTHING)
    if isinstance(value, Const):
        op.result = c.temporary()
        return op.result
    return value
