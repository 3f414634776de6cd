"""Operators, literals, casts, conditionals and the small language constructs that are expressions.

Zend/zend_compile.c: zend_compile_binary_op, _greater, _unary_op, _unary_pm, _short_circuiting, _cast, _conditional,
_coalesce, _silence, _print, _exit, _throw, _instanceof, _isset_or_empty, _include_or_eval, _const, _class_const,
_class_name, _magic_const.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    CONSTANT_UNQUALIFIED_IN_NAMESPACE,
    FETCH_CLASS_EXCEPTION,
    FETCH_CLASS_NO_AUTOLOAD,
    FETCH_CLASS_SELF,
    FETCH_CLASS_SILENT,
    FETCH_GLOBAL,
    ISEMPTY,
    THROW_IS_EXPR,
    Operand,
    OpKind,
    word,
)
from ssa2llvm.ir.types import IS_BOOL, IS_NULL, IS_STRING, MAY_BE_ANY, MAY_BE_FALSE, MAY_BE_NULL, MAY_BE_TRUE
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, Emitted, ExpressionTable, Fetch, StatementTable, ZNode
from ssa2llvm.php.lower.namespaces import class_fetch_type
from ssa2llvm.php.lower.variables import (
    class_operand,
    class_reference,
    dim,
    fetch_by_name,
    is_global_element,
    is_globals,
    is_this,
    is_variable,
    mark_inner,
    prop,
    static_prop,
    try_cv,
)
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import to_text, type_name

_HALT_OFFSET = "__COMPILER_HALT_OFFSET__"
_EQUALITY = (Opcode.IS_EQUAL, Opcode.IS_NOT_EQUAL)
_IDENTITY = (Opcode.IS_IDENTICAL, Opcode.IS_NOT_IDENTICAL)


def _literal(c: Compiler, node: ast.Literal) -> ZNode:
    return Const(node.value)


def _emitted(c: Compiler, node: Emitted) -> ZNode:
    return node.node


# -- binary and unary operators --------------------------------------------------------------------------------------


def _binary(c: Compiler, node: ast.Binary) -> ZNode:
    left = c.expr(node.left)
    right = c.expr(node.right)
    if isinstance(left, Const) and isinstance(right, Const):
        folded = fold.binary(node.op, left.value, right.value)
        if folded is not None:
            return folded
    opcode = node.op
    if opcode in _EQUALITY or opcode in _IDENTITY:
        constant, other = (left, right) if isinstance(left, Const) else (right, left)
        if isinstance(constant, Const):
            special = _compare_with_constant(c, opcode, constant.value, other)
            if special is not None:
                return special
    elif opcode == Opcode.CONCAT:
        left = _as_string(c, left)
        right = _as_string(c, right)
        if isinstance(left, Const) and isinstance(right, Const):
            opcode = Opcode.FAST_CONCAT
    return c.emit_tmp(opcode, left, right)


def _compare_with_constant(c: Compiler, opcode: Opcode, value: object, other: ZNode) -> ZNode | None:
    """Comparison with true, false or null: a test of the other operand alone."""
    if opcode in _EQUALITY:
        if value is True or value is False:
            keeps = (opcode == Opcode.IS_EQUAL) == (value is True)
            return c.emit_tmp(Opcode.BOOL if keeps else Opcode.BOOL_NOT, other)
        return None
    if value is None or value is True or value is False:
        mask = {None: MAY_BE_NULL, True: MAY_BE_TRUE, False: MAY_BE_FALSE}[value]
        if opcode == Opcode.IS_NOT_IDENTICAL:
            mask = MAY_BE_ANY - mask
        return c.emit_tmp(Opcode.TYPE_CHECK, other, ext=mask)
    return None


def _as_string(c: Compiler, node: ZNode) -> ZNode:
    if not isinstance(node, Const):
        return node
    if isinstance(node.value, PhpArray):
        return c.emit_tmp(Opcode.CAST, node, ext=IS_STRING)
    return Const(fold.text(node.value))


def _greater(c: Compiler, node: ast.Greater) -> ZNode:
    left = c.expr(node.left)
    right = c.expr(node.right)
    if isinstance(left, Const) and isinstance(right, Const):
        folded = fold.greater(node.or_equal, left.value, right.value)
        if folded is not None:
            return folded
    return c.emit_tmp(Opcode.IS_SMALLER_OR_EQUAL if node.or_equal else Opcode.IS_SMALLER, right, left)


def _unary(c: Compiler, node: ast.Unary) -> ZNode:
    value = c.expr(node.value)
    if isinstance(value, Const):
        folded = fold.unary(node.op, value.value)
        if folded is not None:
            return folded
    return c.emit_tmp(node.op, value)


def _sign(c: Compiler, node: ast.Sign) -> ZNode:
    value = c.expr(node.value)
    if isinstance(value, Const):
        folded = fold.binary(Opcode.MUL, value.value, node.factor)
        if folded is not None:
            return folded
    return c.emit_tmp(Opcode.MUL, value, Const(node.factor))


def _logical(c: Compiler, node: ast.Logical) -> ZNode:
    left = c.expr(node.left)
    if isinstance(left, Const):
        truth = fold.truth(left.value)
        if truth != node.conjunction:
            return Const(truth)
        right = c.expr(node.right)
        if isinstance(right, Const):
            return Const(fold.truth(right.value))
        return c.emit_tmp(Opcode.BOOL, right)
    opnum = c.next_op
    op = c.emit(Opcode.JMPZ_EX if node.conjunction else Opcode.JMPNZ_EX, left)
    op.result = left if left.kind == OpKind.TMP else c.temporary()
    result = op.result
    right = c.expr(node.right)
    c.emit(Opcode.BOOL, right).result = result
    c.patch(opnum)
    return result


def _cast(c: Compiler, node: ast.Cast) -> ZNode:
    value = c.expr(node.value)
    if node.type == IS_BOOL:
        return c.emit_tmp(Opcode.BOOL, value)
    if node.type == IS_NULL:
        c.error("The (unset) cast is no longer supported")
    return c.emit_tmp(Opcode.CAST, value, ext=node.type)


# -- conditionals ----------------------------------------------------------------------------------------------------


def _conditional(c: Compiler, node: ast.Conditional) -> ZNode:
    inner = node.condition
    if isinstance(inner, ast.Conditional) and not inner.parenthesized:
        _reject_nested(c, inner.then is not None, node.then is not None)
    if node.then is None:
        condition = c.expr(node.condition)
        opnum = c.next_op
        result = c.emit_tmp(Opcode.JMP_SET, condition)
        otherwise = c.expr(node.otherwise)
        c.emit(Opcode.QM_ASSIGN, otherwise).result = result
        c.patch(opnum)
        return result
    condition = c.expr(node.condition)
    to_else = c.branch(Opcode.JMPZ, condition)
    then = c.expr(node.then)
    result = c.emit_tmp(Opcode.QM_ASSIGN, then)
    to_end = c.jump()
    c.patch(to_else)
    otherwise = c.expr(node.otherwise)
    c.emit(Opcode.QM_ASSIGN, otherwise).result = result
    c.patch(to_end)
    return result


def _reject_nested(c: Compiler, inner_full: bool, outer_full: bool) -> None:
    """Nesting without parentheses is an error unless both are ``?:``."""
    if not inner_full and not outer_full:
        return
    first = "a ? b : c" if inner_full else "a ?: b"
    last = ("c", "d") if not inner_full else ("d", "e")
    head, middle = first.rsplit(" ", 1)
    second = f"? {last[0]} : {last[1]}" if outer_full else f"?: {last[0]}"
    c.error(
        f"Unparenthesized `{first} {second}` is not supported. "
        f"Use either `({first}) {second}` or `{head} ({middle} {second})`"
    )


def _coalesce(c: Compiler, node: ast.Coalesce) -> ZNode:
    value, _ = c.var(node.value, Fetch.IS)
    opnum = c.next_op
    result = c.emit_tmp(Opcode.COALESCE, value)
    default = c.expr(node.default)
    c.emit(Opcode.QM_ASSIGN, default).result = result
    c.patch(opnum)
    return result


# -- language constructs ---------------------------------------------------------------------------------------------


def _silence(c: Compiler, node: ast.Silence) -> ZNode:
    silence = c.emit_tmp(Opcode.BEGIN_SILENCE)
    if isinstance(node.value, ast.Variable):
        result, _ = fetch_by_name(c, node.value, Fetch.R, False)
    else:
        result = c.expr(node.value)
    c.emit(Opcode.END_SILENCE, silence)
    return result


def _print(c: Compiler, node: ast.Print) -> ZNode:
    value = c.expr(node.value)
    c.emit(Opcode.ECHO, value)
    return Const(1)


def _exit(c: Compiler, node: ast.Exit) -> ZNode:
    _leave(c, node).extended_value = THROW_IS_EXPR
    return Const(True)


def _leave(c: Compiler, node: ast.Exit) -> Op:
    value = c.expr(node.value) if node.value is not None else NOTHING
    return c.emit(Opcode.EXIT, value)


def _exit_statement(c: Compiler, node: ast.Exit) -> None:
    _leave(c, node)


def _throw(c: Compiler, node: ast.Throw) -> ZNode:
    value = c.expr(node.value)
    c.emit(Opcode.THROW, value, ext=THROW_IS_EXPR)
    return Const(True)


def _throw_statement(c: Compiler, node: ast.Throw) -> None:
    value = c.expr(node.value)
    c.emit(Opcode.THROW, value)


def _instanceof(c: Compiler, node: ast.InstanceOf) -> ZNode:
    value = c.expr(node.value)
    if isinstance(value, Const):
        return Const(False)
    flags = FETCH_CLASS_NO_AUTOLOAD | FETCH_CLASS_EXCEPTION | FETCH_CLASS_SILENT
    class_ = class_reference(c, node.class_, flags)
    result = c.emit_tmp(Opcode.INSTANCEOF, value)
    c.function.ops[-1].op2 = class_operand(c, class_)
    return result


def _include(c: Compiler, node: ast.Include) -> ZNode:
    value = c.expr(node.value)
    return c.emit_var(Opcode.INCLUDE_OR_EVAL, value, ext=node.kind)


def _isset_or_empty(c: Compiler, node: ast.Isset | ast.Empty) -> ZNode:
    variable = node.value
    is_empty = isinstance(node, ast.Empty)
    flag = ISEMPTY if is_empty else 0
    if not is_variable(variable):
        if is_empty:
            return c.expr(ast.Unary(variable.where, Opcode.BOOL_NOT, variable))
        c.error('Cannot use isset() on the result of an expression (you can use "null !== expression" instead)')
    if is_globals(variable):
        return Const(not is_empty)
    if is_global_element(variable):
        assert isinstance(variable, ast.Dim)
        if variable.index is None:
            c.error("Cannot use [] for reading")
        name = c.expr(variable.index)
        if isinstance(name, Const):
            name = Const(fold.text(name.value))
        return c.emit_tmp(Opcode.ISSET_ISEMPTY_VAR, name, ext=FETCH_GLOBAL | flag)
    mark_inner(variable)
    op = _isset_fetch(c, variable)
    op.result = Operand(OpKind.TMP, op.result.num)
    op.extended_value |= flag
    return op.result


def _isset_fetch(c: Compiler, variable: Node) -> Op:
    """The fetch of a place, turned into its test."""
    op: Op | None
    if isinstance(variable, ast.Variable):
        cv = None if is_this(variable) else try_cv(c, variable)
        if is_this(variable):
            op = c.emit(Opcode.ISSET_ISEMPTY_THIS)
            op.result = c.temporary(OpKind.VAR)
            c.function.flags |= FnFlags.USES_THIS
        elif cv is not None:
            op = c.emit(Opcode.ISSET_ISEMPTY_CV, cv)
            op.result = c.temporary(OpKind.VAR)
        else:
            _, op = fetch_by_name(c, variable, Fetch.IS, False)
            op.opcode = Opcode.ISSET_ISEMPTY_VAR
        return op
    if isinstance(variable, ast.Dim):
        _, op = dim(c, variable, Fetch.IS, False)
        opcode = Opcode.ISSET_ISEMPTY_DIM_OBJ
    elif isinstance(variable, ast.Prop):
        _, op = prop(c, variable, Fetch.IS, False)
        opcode = Opcode.ISSET_ISEMPTY_PROP_OBJ
    else:
        assert isinstance(variable, ast.StaticProp)
        _, op = static_prop(c, variable, Fetch.IS, False)
        opcode = Opcode.ISSET_ISEMPTY_STATIC_PROP
    assert op is not None
    op.opcode = opcode
    op.extended_value = 0
    return op


# -- constants -------------------------------------------------------------------------------------------------------


def _const(c: Compiler, node: ast.ConstFetch) -> ZNode:
    name, certain = c.names.constant(node.name)
    relative = node.name.form == ast.NameForm.RELATIVE
    if _HALT_OFFSET in (name, "" if relative else node.name.text):
        last = c.tree.items[-1] if c.tree.items else None
        if isinstance(last, ast.HaltCompiler):
            return Const(last.position)
    value = fold.constant(c, name, certain)
    if value is not None:
        return value
    open_ = not certain and c.names.current is not None
    result = c.emit_tmp(Opcode.FETCH_CONSTANT)
    op = c.function.ops[-1]
    op.op1 = word(CONSTANT_UNQUALIFIED_IN_NAMESPACE if open_ else 0)
    op.op2 = c.string(name)
    namespace, separator, rest = name.rpartition("\\")
    if separator:
        c.string(f"{namespace.lower()}\\{rest}")
    if open_ or not separator:
        c.string(rest)
    return result


def _class_const(c: Compiler, node: ast.ClassConst) -> ZNode:
    node.class_ = fold.fold(c, node.class_)
    node.name = fold.fold(c, node.name)
    resolved = fold.resolve_class_node(c, node.class_)
    if resolved is not None and isinstance(node.name, ast.Literal) and isinstance(node.name.value, bytes):
        value = fold.class_constant(c, resolved, to_text(node.name.value))
        if value is not None:
            return value
    class_ = class_reference(c, node.class_, FETCH_CLASS_EXCEPTION)
    name = c.expr(node.name)
    result = c.emit_tmp(Opcode.FETCH_CLASS_CONSTANT, NOTHING, name)
    c.function.ops[-1].op1 = class_operand(c, class_)
    return result


def _class_name(c: Compiler, node: ast.ClassName) -> ZNode:
    known = fold.class_name(c, node.class_)
    if known is not None:
        return known
    if isinstance(node.class_, ast.Name):
        result = c.emit_tmp(Opcode.FETCH_CLASS_NAME)
        c.function.ops[-1].op1 = word(class_fetch_type(node.class_.text))
        return result
    value = c.expr(node.class_)
    if isinstance(value, Const):
        assert value.value is None or isinstance(value.value, (bool, int, float, bytes, PhpArray))
        c.error(f'Cannot use "::class" on value of type {type_name(value.value)}')
    return c.emit_tmp(Opcode.FETCH_CLASS_NAME, value)


def _magic(c: Compiler, node: ast.MagicConst) -> ZNode:
    value = fold.magic(c, node)
    if value is not None:
        return value
    result = c.emit_tmp(Opcode.FETCH_CLASS_NAME)
    c.function.ops[-1].op1 = word(FETCH_CLASS_SELF)
    return result


EXPRESSIONS: ExpressionTable = {
    ast.Literal: _literal,
    Emitted: _emitted,
    ast.Binary: _binary,
    ast.Greater: _greater,
    ast.Unary: _unary,
    ast.Sign: _sign,
    ast.Logical: _logical,
    ast.Cast: _cast,
    ast.Conditional: _conditional,
    ast.Coalesce: _coalesce,
    ast.Silence: _silence,
    ast.Print: _print,
    ast.Exit: _exit,
    ast.Throw: _throw,
    ast.InstanceOf: _instanceof,
    ast.Include: _include,
    ast.Isset: _isset_or_empty,
    ast.Empty: _isset_or_empty,
    ast.ConstFetch: _const,
    ast.ClassConst: _class_const,
    ast.ClassName: _class_name,
    ast.MagicConst: _magic,
}
STATEMENTS: StatementTable = {
    ast.Exit: _exit_statement,
    ast.Throw: _throw_statement,
}
