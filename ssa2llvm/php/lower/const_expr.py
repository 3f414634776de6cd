"""Constant expressions: defaults, constants, static variables (Zend/zend_compile.c: zend_const_expr_to_zval).

What folding leaves is an expression to be evaluated at run time.  It is kept as PHP source with every name resolved
(``ir.literals.ConstAst``), so that compiling it anywhere gives the same value.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.fold import fold
from ssa2llvm.php.lower.namespaces import class_fetch_type
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.source_text import fallback_constant_source, scalar_source
from ssa2llvm.values.types import to_text

_ALLOWED = (
    ast.Literal,
    ast.Binary,
    ast.Greater,
    ast.Logical,
    ast.Unary,
    ast.Sign,
    ast.Conditional,
    ast.Dim,
    ast.Array,
    ast.ArrayElement,
    ast.Unpack,
    ast.ConstFetch,
    ast.ClassConst,
    ast.ClassName,
    ast.MagicConst,
    ast.Coalesce,
    ast.New,
    ast.Args,
    ast.NamedArg,
    ast.Prop,
    ast.Name,
)
_SIGN = {
    Opcode.ADD: "+",
    Opcode.SUB: "-",
    Opcode.MUL: "*",
    Opcode.DIV: "/",
    Opcode.MOD: "%",
    Opcode.POW: "**",
    Opcode.SL: "<<",
    Opcode.SR: ">>",
    Opcode.CONCAT: ".",
    Opcode.BW_OR: "|",
    Opcode.BW_AND: "&",
    Opcode.BW_XOR: "^",
    Opcode.BOOL_XOR: "xor",
    Opcode.IS_IDENTICAL: "===",
    Opcode.IS_NOT_IDENTICAL: "!==",
    Opcode.IS_EQUAL: "==",
    Opcode.IS_NOT_EQUAL: "!=",
    Opcode.IS_SMALLER: "<",
    Opcode.IS_SMALLER_OR_EQUAL: "<=",
    Opcode.SPACESHIP: "<=>",
    Opcode.BOOL_NOT: "!",
    Opcode.BW_NOT: "~",
}


def constant_expression(c: Compiler, node: Node, allow_dynamic: bool) -> object:
    """The value of a constant expression, or a ConstAst.

    ``allow_dynamic`` permits ``new``.  Raises PHP's error for what a constant expression may not contain.
    """
    folded = fold(c, node)
    if isinstance(folded, ast.Literal):
        return folded.value
    _validate(c, folded, allow_dynamic)
    return ConstAst(source(c, folded))


def _validate(c: Compiler, node: Node, allow_dynamic: bool) -> None:
    if isinstance(node, (ast.Literal, ast.Name)):
        return
    if not isinstance(node, _ALLOWED) or (isinstance(node, ast.Args) and node.convert):
        c.error("Constant expression contains invalid operations")
    if isinstance(node, ast.ClassConst):
        _validate_class_const(c, node)
    elif isinstance(node, ast.ClassName):
        if not isinstance(node.class_, (ast.Name, ast.Literal)):
            c.error("(expression)::class cannot be used in constant expressions")
        if isinstance(node.class_, ast.Name) and class_fetch_type(node.class_.text) == 3:
            c.error("static::class cannot be used for compile-time class name resolution")
        return
    elif isinstance(node, ast.New):
        _validate_new(c, node, allow_dynamic)
    elif isinstance(node, ast.Args):
        named = False
        for item in node.items:
            if isinstance(item, ast.Unpack):
                c.error("Argument unpacking in constant expressions is not supported")
            if isinstance(item, ast.NamedArg):
                named = True
            elif named:
                c.error("Cannot use positional argument after named argument")
    for child in node.children():
        _validate(c, child, allow_dynamic)


def _validate_class_const(c: Compiler, node: ast.ClassConst) -> None:
    if not isinstance(node.class_, (ast.Name, ast.Literal)):
        c.error("Dynamic class names are not allowed in compile-time class constant references")
    if isinstance(node.class_, ast.Name) and class_fetch_type(node.class_.text) == 3:
        c.error('"static::" is not allowed in compile-time constants')


def _validate_new(c: Compiler, node: ast.New, allow_dynamic: bool) -> None:
    if not allow_dynamic:
        c.error("New expressions are not supported in this context")
    if isinstance(node.class_, ast.ClassDecl):
        c.error("Cannot use anonymous class in constant expression")
    if not isinstance(node.class_, (ast.Name, ast.Literal)):
        c.error("Cannot use dynamic class name in constant expression")
    if isinstance(node.class_, ast.Name) and class_fetch_type(c.names.class_(node.class_)) == 3:
        c.error('"static" is not allowed in compile-time constants')


def source(c: Compiler, node: Node) -> str:
    """The expression as PHP source, every name resolved and every operator in parentheses."""
    if isinstance(node, ast.Literal):
        return _literal(node.value)
    if isinstance(node, ast.Binary):
        return f"({source(c, node.left)} {_SIGN[node.op]} {source(c, node.right)})"
    if isinstance(node, ast.Greater):
        return f"({source(c, node.left)} {'>=' if node.or_equal else '>'} {source(c, node.right)})"
    if isinstance(node, ast.Logical):
        return f"({source(c, node.left)} {'&&' if node.conjunction else '||'} {source(c, node.right)})"
    if isinstance(node, ast.Unary):
        return f"({_SIGN[node.op]}{source(c, node.value)})"
    if isinstance(node, ast.Sign):
        return f"({'+' if node.factor > 0 else '-'}{source(c, node.value)})"
    if isinstance(node, ast.Conditional):
        then = "" if node.then is None else source(c, node.then)
        return f"({source(c, node.condition)} ?{then}: {source(c, node.otherwise)})"
    if isinstance(node, ast.Coalesce):
        return f"({source(c, node.value)} ?? {source(c, node.default)})"
    if isinstance(node, ast.Dim):
        return f"{source(c, node.base)}[{'' if node.index is None else source(c, node.index)}]"
    if isinstance(node, ast.Array):
        return f"[{', '.join(_element(c, item) for item in node.items if item is not None)}]"
    if isinstance(node, ast.ConstFetch):
        return _constant(c, node.name)
    if isinstance(node, ast.MagicConst):
        return "self::class"
    return _object_source(c, node)


def _object_source(c: Compiler, node: Node) -> str:
    """Constant expressions about classes."""
    if isinstance(node, ast.ClassConst):
        return f"{_class(c, node.class_)}::{_bare(node.name)}"
    if isinstance(node, ast.ClassName):
        return f"{_class(c, node.class_)}::class"
    if isinstance(node, ast.New):
        return f"(new {_class(c, node.class_)}({source(c, node.args)}))"
    if isinstance(node, ast.Args):
        return ", ".join(source(c, item) for item in node.items)
    if isinstance(node, ast.NamedArg):
        return f"{node.name}: {source(c, node.value)}"
    if isinstance(node, ast.Prop):
        return f"{source(c, node.base)}{'?->' if node.nullsafe else '->'}{{{source(c, node.name)}}}"
    raise c.unsupported(type(node).__name__, node)


def _bare(node: Node) -> str:
    assert isinstance(node, ast.Literal)
    assert isinstance(node.value, bytes)
    return to_text(node.value)


def _class(c: Compiler, node: Node) -> str:
    if isinstance(node, ast.Name):
        return node.text if class_fetch_type(node.text) else "\\" + c.names.class_(node)
    return "\\" + _bare(node)


def _constant(c: Compiler, name: ast.Name) -> str:
    resolved, certain = c.names.constant(name)
    if certain or not c.names.current:
        return "\\" + resolved
    return fallback_constant_source(resolved)


def _element(c: Compiler, item: ast.ArrayElement | ast.Unpack) -> str:
    if isinstance(item, ast.Unpack):
        return f"...{source(c, item.value)}"
    key = f"{source(c, item.key)} => " if item.key is not None else ""
    return key + source(c, item.value)


def _literal(value: object) -> str:
    if isinstance(value, ConstAst):
        return value.text
    if isinstance(value, PhpArray):
        return f"[{', '.join(f'{_literal(key)} => {_literal(item)}' for key, item in value.items())}]"
    assert value is None or isinstance(value, (int, float, bytes))
    return scalar_source(value)
