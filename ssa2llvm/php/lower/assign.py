"""Assignments: plain, by reference, compound, ``??=``, destructuring, ``++`` and ``--``.

Zend/zend_compile.c: zend_compile_assign, _assign_ref, _compound_assign, _assign_coalesce, _list_assign,
_post_incdec, _pre_incdec.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_REF, RETURNS_FUNCTION, Operand, OpKind
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower.compiler import Compiler, Const, Emitted, ExpressionTable, Fetch, Memoize, ZNode
from ssa2llvm.php.lower.variables import (
    can_write_to,
    delayed_dim,
    delayed_prop,
    ensure_writable,
    fetch_by_name,
    is_call,
    is_global_element,
    is_globals,
    is_this,
    is_variable,
    numeric_offset,
    prop,
    reject_short_circuit,
    static_prop,
    try_cv,
    variable_name,
)


def as_tmp(op: Op) -> Operand:
    """Make the result a TMP: what an assignment to a place inside something gives."""
    op.result = Operand(OpKind.TMP, op.result.num)
    return op.result


def _root_variable(node: Node) -> str | None:
    """The plain variable at the start of a chain of places."""
    while isinstance(node, (ast.Dim, ast.Prop)):
        node = node.base
    if isinstance(node, ast.StaticProp):
        node = node.class_
    return variable_name(node)


def value_of(c: Compiler, value: Node, target: Node) -> ZNode:
    """The right side; in ``$a[0] = $a`` it is copied before the left side changes it."""
    name = variable_name(value)
    if name is not None and name == _root_variable(target) and not is_this(value):
        return copied_variable(c, value)
    return c.expr(value)


def copied_variable(c: Compiler, value: Node) -> ZNode:
    """A plain variable as a temporary."""
    assert isinstance(value, ast.Variable)
    cv = try_cv(c, value)
    if cv is None:
        return fetch_by_name(c, value, Fetch.R, False)[0]
    return c.emit_tmp(Opcode.QM_ASSIGN, cv)


def assign(c: Compiler, node: ast.Assign) -> ZNode:
    """``target = value``."""
    target = node.target
    if is_this(target):
        c.error("Cannot re-assign $this")
    ensure_writable(c, target)
    start = len(c.delayed)
    if isinstance(target, ast.Variable) or is_global_element(target):
        place, _ = c.delayed_var(target, Fetch.W)
        value = c.expr(node.value)
        c.delayed_end(start)
        c.at(target)
        return c.emit_tmp(Opcode.ASSIGN, place, value)
    if isinstance(target, ast.Array):
        return _destructure(c, target, node.value)
    return _assign_inside(c, target, node.value, start)


def _assign_inside(c: Compiler, target: Node, value_node: Node, start: int) -> ZNode:
    """An offset, property or static property: the fetch becomes the assignment, the value follows as OP_DATA."""
    if isinstance(target, ast.Dim):
        delayed_dim(c, target, Fetch.W, False)
        value = value_of(c, value_node, target)
        opcode = Opcode.ASSIGN_DIM
    elif isinstance(target, ast.Prop):
        delayed_prop(c, target, Fetch.W, False)
        value = c.expr(value_node)
        opcode = Opcode.ASSIGN_OBJ
    else:
        c.delayed_var(target, Fetch.W)
        value = c.expr(value_node)
        opcode = Opcode.ASSIGN_STATIC_PROP
    op = c.delayed_end(start)
    assert op is not None
    op.opcode = opcode
    op.extended_value = 0
    result = as_tmp(op)
    c.emit(Opcode.OP_DATA, value)
    return result


def assign_to(c: Compiler, target: Node, value: ZNode) -> None:
    """Assign a computed value to ``target`` and drop the result (zend_emit_assign_znode)."""
    c.free(c.expr(ast.Assign(target.where, target, Emitted(target.where, value))))


def assign_ref_to(c: Compiler, target: Node, value: ZNode) -> None:
    """Bind ``target`` to a computed reference and drop the result (zend_emit_assign_ref_znode)."""
    c.free(c.expr(ast.AssignRef(target.where, target, Emitted(target.where, value))))


# -- destructuring ---------------------------------------------------------------------------------------------------


def propagate_references(pattern: ast.Array) -> bool:
    """Mark the nested patterns that hold a reference; tell whether there is any (zend_propagate_list_refs)."""
    found = False
    for item in pattern.items:
        if isinstance(item, ast.ArrayElement):
            if isinstance(item.value, ast.Array):
                item.by_ref = propagate_references(item.value)
            found = found or item.by_ref
    return found


def _destructure(c: Compiler, pattern: ast.Array, value_node: Node) -> ZNode:
    value: ZNode
    if propagate_references(pattern):
        if not (is_variable(value_node) or is_call(value_node)):
            c.error("Cannot assign reference to non referenceable value")
        reject_short_circuit(c, value_node)
        value, _ = c.var(value_node, Fetch.W, True)
        value = c.emit_var(Opcode.MAKE_REF, value)
    elif isinstance(value_node, ast.Variable):
        value = copied_variable(c, value_node)
    else:
        value = c.expr(value_node)
    list_assign(c, pattern, value)
    return value


def _is_keyed(pattern: ast.Array) -> bool:
    for item in pattern.items:
        if item is not None:
            return isinstance(item, ast.ArrayElement) and item.key is not None
    return False


def _verify_target(c: Compiler, target: Node, syntax: ast.ArraySyntax) -> None:
    if isinstance(target, ast.Array):
        if target.syntax == ast.ArraySyntax.LONG:
            c.error("Cannot assign to array(), use [] instead")
        if target.syntax != syntax:
            c.error("Cannot mix [] and list()")
    elif not can_write_to(target):
        c.error("Assignments can only happen to writable values")


def list_assign(c: Compiler, pattern: ast.Array, value: ZNode) -> None:
    """Take ``value`` apart; it stays owned by the caller (zend_compile_list_assign)."""
    keyed = _is_keyed(pattern)
    empty = True
    for position, item in enumerate(pattern.items):
        if item is None:
            if keyed:
                c.error("Cannot use empty array entries in keyed array assignment")
            continue
        if isinstance(item, ast.Unpack):
            c.error("Spread operator is not supported in assignments")
        empty = False
        if (item.key is not None) != keyed:
            c.error("Cannot mix keyed and unkeyed array entries in assignments")
        key = c.expr(item.key) if item.key is not None else Const(position)
        _verify_target(c, item.value, pattern.syntax)
        opcode = Opcode.FETCH_LIST_R
        if item.by_ref:
            is_cv = isinstance(value, Operand) and value.is_cv
            opcode = Opcode.FETCH_DIM_W if is_cv else Opcode.FETCH_LIST_W
        op = c.emit(opcode, value, key)
        op.result = element = c.temporary(OpKind.VAR)
        numeric_offset(c, op, key)
        if item.by_ref:
            element = c.emit_var(Opcode.MAKE_REF, element)
        if isinstance(item.value, ast.Array):
            list_assign(c, item.value, element)
            c.free(element)
        elif item.by_ref:
            assign_ref_to(c, item.value, element)
        else:
            assign_to(c, item.value, element)
    if empty:
        c.error("Cannot use empty list")


# -- references and compound assignments -----------------------------------------------------------------------------


def assign_ref(c: Compiler, node: ast.AssignRef) -> ZNode:
    """``target = &source``."""
    if is_this(node.target):
        c.error("Cannot re-assign $this")
    ensure_writable(c, node.target)
    reject_short_circuit(c, node.source)
    if is_globals(node.source):
        c.error("Cannot acquire reference to $GLOBALS")
    start = len(c.delayed)
    target, _ = c.delayed_var(node.target, Fetch.W, True)
    source, _ = c.var(node.source, Fetch.W, True)
    plain = isinstance(node.target, ast.Variable) and isinstance(node.target.name, ast.Literal)
    source_is_cv = isinstance(source, Operand) and source.is_cv
    if not plain and not isinstance(node.source, Emitted) and not source_is_cv:
        source = c.emit_var(Opcode.MAKE_REF, source)
    op = c.delayed_end(start)
    if is_call(node.source) and not (isinstance(source, Operand) and source.kind == OpKind.VAR):
        c.error("Cannot use result of built-in function in write context")
    flags = RETURNS_FUNCTION if is_call(node.source) else 0
    if op is not None and op.opcode in (Opcode.FETCH_OBJ_W, Opcode.FETCH_STATIC_PROP_W):
        is_object = op.opcode == Opcode.FETCH_OBJ_W
        op.opcode = Opcode.ASSIGN_OBJ_REF if is_object else Opcode.ASSIGN_STATIC_PROP_REF
        op.extended_value = (op.extended_value & ~FETCH_REF) | flags
        c.emit(Opcode.OP_DATA, source)
        return target
    return c.emit_var(Opcode.ASSIGN_REF, target, source, flags)


def compound(c: Compiler, node: ast.AssignOp) -> ZNode:
    """``target op= value``."""
    target = node.target
    ensure_writable(c, target)
    start = len(c.delayed)
    if isinstance(target, ast.Variable) or is_global_element(target):
        place, _ = c.delayed_var(target, Fetch.RW)
        value = c.expr(node.value)
        c.delayed_end(start)
        return c.emit_tmp(Opcode.ASSIGN_OP, place, value, node.op)
    if isinstance(target, ast.Dim):
        delayed_dim(c, target, Fetch.RW, False)
        value = value_of(c, node.value, target)
        opcode = Opcode.ASSIGN_DIM_OP
    elif isinstance(target, ast.Prop):
        delayed_prop(c, target, Fetch.RW, False)
        value = c.expr(node.value)
        opcode = Opcode.ASSIGN_OBJ_OP
    else:
        c.delayed_var(target, Fetch.RW)
        value = c.expr(node.value)
        opcode = Opcode.ASSIGN_STATIC_PROP_OP
    op = c.delayed_end(start)
    assert op is not None
    op.opcode = opcode
    op.extended_value = node.op
    result = as_tmp(op)
    c.emit(Opcode.OP_DATA, value)
    return result


def coalesce(c: Compiler, node: ast.AssignCoalesce) -> ZNode:
    """``target ??= value``: the target is compiled for isset, then again for writing; its inner expressions only
    once."""
    target = node.target
    ensure_writable(c, target)
    if is_this(target):
        c.error("Cannot re-assign $this")
    outer_memo, outer_mode = c.memo, c.memoize
    c.memo = {}
    c.memoize = Memoize.COMPILE
    current, _ = c.var(target, Fetch.IS)
    test = c.next_op
    result = c.emit_tmp(Opcode.COALESCE, current)
    c.memoize = Memoize.NONE
    value = value_of(c, node.value, target) if isinstance(target, ast.Dim) else c.expr(node.value)
    c.memoize = Memoize.FETCH
    place, _ = c.var(target, Fetch.W)
    if isinstance(target, ast.Variable) or is_global_element(target):
        assigned: ZNode = c.emit_tmp(Opcode.ASSIGN, place, value)
    else:
        op = c.function.ops[-1]
        op.opcode = _COALESCE_ASSIGN[type(target)]
        op.extended_value = 0
        assigned = as_tmp(op)
        c.emit(Opcode.OP_DATA, value)
    c.emit(Opcode.QM_ASSIGN, assigned).result = result
    copies = [item for item in c.memo.values() if isinstance(item, Operand) and item.is_temp]
    if copies:
        over = c.jump()
        c.patch(test)
        for item in copies:
            c.emit(Opcode.FREE, item)
        c.patch(over)
    else:
        c.patch(test)
    c.memo, c.memoize = outer_memo, outer_mode
    return result


_COALESCE_ASSIGN: dict[type[Node], Opcode] = {
    ast.Dim: Opcode.ASSIGN_DIM,
    ast.Prop: Opcode.ASSIGN_OBJ,
    ast.StaticProp: Opcode.ASSIGN_STATIC_PROP,
}


# -- increments ------------------------------------------------------------------------------------------------------


def increment(c: Compiler, node: ast.IncDec) -> ZNode:
    """``++``/``--`` before or after a place."""
    target = node.target
    ensure_writable(c, target)
    base = Opcode.PRE_INC if node.prefix else Opcode.POST_INC
    step = 0 if node.increment else 1
    if isinstance(target, (ast.Prop, ast.StaticProp)):
        op: Op | None
        if isinstance(target, ast.Prop):
            _, op = prop(c, target, Fetch.RW, False, result=node.prefix)
            base = Opcode.PRE_INC_OBJ if node.prefix else Opcode.POST_INC_OBJ
        else:
            _, op = static_prop(c, target, Fetch.RW, False, result=node.prefix)
            base = Opcode.PRE_INC_STATIC_PROP if node.prefix else Opcode.POST_INC_STATIC_PROP
        assert op is not None
        op.opcode = Opcode(base + step)
        op.extended_value = 0
        if node.prefix:
            return as_tmp(op)
        op.result = c.temporary()
        return op.result
    place, _ = c.var(target, Fetch.RW)
    return c.emit_tmp(Opcode(base + step), place)


EXPRESSIONS: ExpressionTable = {
    ast.Assign: assign,
    ast.AssignRef: assign_ref,
    ast.AssignOp: compound,
    ast.AssignCoalesce: coalesce,
    ast.IncDec: increment,
}
