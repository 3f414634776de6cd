"""Classes, interfaces, traits and enums (Zend/zend_compile.c: zend_compile_class_decl).

A class without parent, interfaces and traits at the top level is bound while compiling and leaves no instruction;
one that extends such a class of the same file too.  Others are declared when control reaches them (DECLARE_CLASS),
under a key made of their name and place until then.
"""

from __future__ import annotations

from ssa2llvm.ir import op_array
from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.op_array import PropertyDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_STRING
from ssa2llvm.php import ast
from ssa2llvm.php.internals import internal_classes
from ssa2llvm.php.lower import members
from ssa2llvm.php.lower.attributes import check_attributes
from ssa2llvm.php.lower.compiler import Compiler, Const, ExpressionTable, StatementTable, ZNode
from ssa2llvm.php.lower.functions import modifier_flags
from ssa2llvm.php.lower.inheritance import can_bind, verify_abstract
from ssa2llvm.php.lower.namespaces import RESERVED_CLASS_NAMES, lower, unqualified
from ssa2llvm.php.lower.state import ClassScope
from ssa2llvm.php.lower.types import compile_type, make_type
from ssa2llvm.values.types import to_bytes


def declare(c: Compiler, node: ast.ClassDecl, top_level: bool) -> ZNode:
    """Compile a class; an anonymous one gives the result of its declaration."""
    outer = c.class_scope
    name = _class_name(c, node) if node.name else _anonymous_name(c, node)
    scope = ClassScope(name, node.kind, set(node.modifiers))
    if node.extends is not None:
        scope.parent = c.names.class_reference(node.extends, "class name")
    c.class_scope = scope
    check_attributes(c, node.attributes)
    scope.interfaces = [c.names.class_reference(interface, "interface name") for interface in node.implements]
    declared = op_array.ClassDecl(name, scope.parent, line_start=node.line, line_end=node.end_line)
    declared.offset = node.where.offset
    if node.kind == "enum":
        _enum_members(c, node, scope, declared)
    for member in node.members:
        c.at(member)
        _member(c, member, declared)
    c.at(node)
    if scope.implicit_abstract and node.kind in ("class", "enum") and "abstract" not in scope.modifiers:
        verify_abstract(c, scope, None)
    c.class_scope = outer
    declared.interfaces = list(scope.interfaces)
    declared.properties += [
        PropertyDecl(promoted, type_, None, False, modifier_flags(modifiers))
        for promoted, type_, modifiers in scope.promoted
    ]
    declared.flags = _class_flags(node, scope, declared)
    return _bind(c, node, scope, declared, top_level)


def _class_name(c: Compiler, node: ast.ClassDecl) -> str:
    if c.class_scope is not None:
        c.error("Class declarations may not be nested")
    if lower(unqualified(node.name)) in RESERVED_CLASS_NAMES:
        c.error(f"Cannot use '{node.name}' as class name as it is reserved")
    name = c.names.prefix(node.name)
    imported = c.names.imports["class"].get(lower(node.name))
    if imported is not None and lower(imported) != lower(name):
        c.error(f"Cannot declare class {name} because the name is already in use")
    c.names.declare(lower(name), "class")
    return name


def _anonymous_name(c: Compiler, node: ast.ClassDecl) -> str:
    prefix = "class"
    if node.extends is not None:
        prefix = c.names.class_reference(node.extends, "class name")
    elif node.implements:
        prefix = c.names.class_reference(node.implements[0], "interface name")
    name = f"{prefix}@anonymous\0{c.filename}:{node.line}${c.class_serial:x}"
    c.class_serial += 1
    return name


_CONSTANTS_UPDATED = 1 << 12
_MODIFIER_FLAGS = {"final": 1 << 5, "abstract": 1 << 6, "readonly": 1 << 16}
_KIND_FLAGS = {"class": 0, "interface": 1 << 0, "trait": 1 << 1, "enum": 1 << 28 | 1 << 5}


def _class_flags(node: ast.ClassDecl, scope: ClassScope, declared: op_array.ClassDecl) -> int:
    """What PHP's ce_flags say of the declaration, and whether every constant and default is known already
    (ZEND_ACC_CONSTANTS_UPDATED)."""
    flags = _KIND_FLAGS[node.kind] | sum(_MODIFIER_FLAGS[modifier] for modifier in scope.modifiers)
    if not node.name:
        flags |= 1 << 2
    if scope.implicit_abstract:
        flags |= 1 << 4
    values = [value for _, value in declared.constants] + [prop.default for prop in declared.properties]
    return flags if any(isinstance(value, ConstAst) for value in values) else flags | _CONSTANTS_UPDATED


def _enum_members(c: Compiler, node: ast.ClassDecl, scope: ClassScope, declared: op_array.ClassDecl) -> None:
    """The interfaces that an enum implements and the properties that it has (zend_enum.c:zend_enum_register_props)."""
    declared.properties.append(PropertyDecl("name", make_type(MAY_BE_STRING)))
    if node.backing is not None:
        backing = compile_type(c, node.backing)
        if backing.class_names or backing.mask not in (MAY_BE_LONG, MAY_BE_STRING):
            c.error(f"Enum backing type must be int or string, {backing.text} given")
        scope.backed = True
        declared.properties.append(PropertyDecl("value", backing))
    scope.interfaces += ["UnitEnum", "BackedEnum"] if scope.backed else ["UnitEnum"]
    scope.properties |= {"name", "value"} if scope.backed else {"name"}


def _member(c: Compiler, member: ast.Node, declared: op_array.ClassDecl) -> None:
    if isinstance(member, ast.FunctionDecl):
        members.method(c, member, declared)
    elif isinstance(member, ast.PropGroup):
        members.properties(c, member, declared)
    elif isinstance(member, ast.ClassConstGroup):
        members.constants(c, member, declared)
    elif isinstance(member, ast.EnumCase):
        members.enum_case(c, member, declared)
    else:
        assert isinstance(member, ast.TraitUse)
        members.use_trait(c, member)


def _bind(c: Compiler, node: ast.ClassDecl, scope: ClassScope, declared: op_array.ClassDecl, top_level: bool) -> ZNode:
    """Bind the class now if that is possible, else emit its declaration."""
    key = lower(scope.name)
    simple = not scope.interfaces and not scope.traits
    taken = key in c.classes or key in internal_classes()
    c.declared_classes.append(declared)
    if simple and top_level:
        if scope.parent is None:
            if not taken:
                c.classes[key] = scope
                return Const(None)
        else:
            parent = c.classes.get(lower(scope.parent))
            if parent is not None and not taken and can_bind(c, scope, declared, parent):
                verify_abstract(c, scope, parent)
                scope.inherit(parent)
                c.classes[key] = scope
                return Const(None)
    op = c.emit(Opcode.DECLARE_CLASS)
    if scope.parent is not None:
        op.op2 = c.string(lower(scope.parent))
    op.op1 = c.string(key)
    if not node.name:
        op.opcode = Opcode.DECLARE_ANON_CLASS
        op.result = c.temporary(OpKind.VAR)
        return op.result
    c.literal(to_bytes(f"\0{key}{c.filename}:{node.line}${c.class_serial:x}"))
    c.class_serial += 1
    if scope.parent is not None and top_level and simple:
        op.opcode = Opcode.DECLARE_CLASS_DELAYED
    return Const(None)


def _anonymous(c: Compiler, node: ast.ClassDecl) -> ZNode:
    return declare(c, node, top_level=False)


def _statement(c: Compiler, node: ast.ClassDecl) -> None:
    declare(c, node, top_level=False)


EXPRESSIONS: ExpressionTable = {ast.ClassDecl: _anonymous}
STATEMENTS: StatementTable = {ast.ClassDecl: _statement}
