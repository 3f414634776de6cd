"""Variables, offsets and properties, for reading and for writing.

Zend/zend_compile.c: zend_compile_simple_var, zend_delayed_compile_dim/prop, zend_compile_static_prop.  A fetch for
anything but reading is first emitted as the reading opcode and then moved by its use's distance
(zend_adjust_for_fetch_type).
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    FETCH_CLASS_DEFAULT,
    FETCH_CLASS_EXCEPTION,
    FETCH_DIM_WRITE,
    FETCH_GLOBAL,
    FETCH_LOCAL,
    FETCH_REF,
    Operand,
    OpKind,
    word,
)
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.internals import AUTO_GLOBALS
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, Fetch, VariableTable, ZNode
from ssa2llvm.php.lower.namespaces import class_fetch_type
from ssa2llvm.values.array_key import string_key
from ssa2llvm.values.types import to_bytes, to_text

JMP_NULL_IS = 4
VARIABLE_NODES = (ast.Variable, ast.Dim, ast.Prop, ast.StaticProp)
CALL_NODES = (ast.Call, ast.MethodCall, ast.StaticCall)


def variable_name(node: Node) -> str | None:
    """The name of a plain ``$name``, else None."""
    if isinstance(node, ast.Variable) and isinstance(node.name, ast.Literal):
        return to_text(fold.text(node.name.value))
    return None


def is_this(node: Node) -> bool:
    """Whether it is ``$this``."""
    return variable_name(node) == "this"


def is_globals(node: Node) -> bool:
    """Whether it is ``$GLOBALS``."""
    return variable_name(node) == "GLOBALS"


def is_global_element(node: Node) -> bool:
    """Whether it is ``$GLOBALS[…]``, which is compiled like a variable."""
    return isinstance(node, ast.Dim) and is_globals(node.base)


def is_variable(node: Node) -> bool:
    """Whether it names a place (zend_is_variable)."""
    return isinstance(node, VARIABLE_NODES)


def is_call(node: Node) -> bool:
    """Whether it is a call (zend_is_call)."""
    return isinstance(node, CALL_NODES)


def is_short_circuited(node: Node) -> bool:
    """Whether a ``?->`` stands in its chain."""
    while True:
        if isinstance(node, (ast.Prop, ast.MethodCall)):
            if node.nullsafe:
                return True
            node = node.base
        elif isinstance(node, ast.Dim):
            node = node.base
        elif isinstance(node, (ast.StaticProp, ast.StaticCall)):
            node = node.class_
        else:
            return False


def can_write_to(node: Node) -> bool:
    """Whether an assignment to it can be compiled (zend_can_write_to_variable)."""
    while isinstance(node, ast.Dim) or (isinstance(node, ast.Prop) and not node.nullsafe):
        node = node.base
    return (is_variable(node) or is_call(node)) and not is_short_circuited(node)


def reject_short_circuit(c: Compiler, node: Node) -> None:
    """A nullsafe chain has no reference."""
    if is_short_circuited(node):
        c.error("Cannot take reference of a nullsafe chain")


def mark_inner(node: Node) -> None:
    """The chain goes on outside ``node``: its end is not the chain's end."""
    if isinstance(node, (ast.Dim, ast.Prop, ast.StaticProp, ast.MethodCall, ast.StaticCall)):
        node.inner = True


def ensure_writable(c: Compiler, node: Node) -> None:
    """Reject targets that the grammar allows and the compiler does not (zend_ensure_writable_variable)."""
    if isinstance(node, ast.Call):
        c.error("Can't use function return value in write context")
    if isinstance(node, (ast.MethodCall, ast.StaticCall)):
        c.error("Can't use method return value in write context")
    if is_short_circuited(node):
        c.error("Can't use nullsafe operator in write context")
    if is_globals(node):
        c.error("$GLOBALS can only be modified using the $GLOBALS[$name] = $value syntax")


def try_cv(c: Compiler, node: Node) -> Operand | None:
    """The CV of a plain local variable."""
    name = variable_name(node)
    return None if name is None or name in AUTO_GLOBALS else c.cv(name)


def adjust(op: Op, fetch: Fetch) -> None:
    """Turn a fetch for reading into one for ``fetch``; only reading gives a TMP."""
    factor = 1 if op.opcode == Opcode.FETCH_STATIC_PROP_R else 3
    op.opcode = Opcode(op.opcode + factor * fetch)
    if fetch in (Fetch.R, Fetch.IS) and op.result.is_temp:
        op.result = Operand(OpKind.TMP, op.result.num)


def fetch_by_name(
    c: Compiler, node: ast.Variable, fetch: Fetch, delayed: bool, result: bool = True
) -> tuple[ZNode, Op]:
    """A variable that is no CV: a superglobal, or one named at run time."""
    name = c.expr(node.name)
    if isinstance(name, Const):
        name = Const(fold.text(name.value))
    if delayed:
        op = c.emit_delayed(Opcode.FETCH_R, name)
    else:
        op = c.emit(Opcode.FETCH_R, name)
        if result:
            op.result = c.temporary(OpKind.VAR)
    is_global = isinstance(name, Const) and isinstance(name.value, bytes) and to_text(name.value) in AUTO_GLOBALS
    op.extended_value = FETCH_GLOBAL if is_global else FETCH_LOCAL
    adjust(op, fetch)
    return op.result, op


def simple(c: Compiler, node: ast.Variable, fetch: Fetch, delayed: bool) -> tuple[ZNode, Op | None]:
    """``$name`` (zend_compile_simple_var)."""
    reading = fetch in (Fetch.R, Fetch.IS)
    if is_this(node) or is_globals(node):
        opcode = Opcode.FETCH_THIS if is_this(node) else Opcode.FETCH_GLOBALS
        if opcode == Opcode.FETCH_THIS:
            c.function.flags |= FnFlags.USES_THIS
        op = c.emit(opcode)
        op.result = c.temporary(OpKind.TMP if reading else OpKind.VAR)
        return op.result, op
    cv = try_cv(c, node)
    if cv is not None:
        return cv, None
    return fetch_by_name(c, node, fetch, delayed)


def separate_call(c: Compiler, result: ZNode, node: Node, fetch: Fetch) -> None:
    """The result of a call is about to be written to: give it a place of its own."""
    if fetch in (Fetch.R, Fetch.IS, Fetch.FUNC_ARG) or not is_call(node):
        return
    if isinstance(result, Operand) and result.kind == OpKind.VAR:
        c.emit(Opcode.SEPARATE, result).result = result
    else:
        c.error("Cannot use result of built-in function in write context")


def delayed_dim(c: Compiler, node: ast.Dim, fetch: Fetch, by_ref: bool, result: bool = True) -> tuple[ZNode, Op]:
    """``base[index]`` (zend_delayed_compile_dim)."""
    if node.curly and not node.inner:  # PHP overlooks it inside a longer chain
        c.error(fold.CURLY_OFFSET)
    if is_globals(node.base):
        if node.index is None:
            c.error("Cannot append to $GLOBALS")
        name = c.expr(node.index)
        if isinstance(name, Const):
            name = Const(fold.text(name.value))
        op = c.emit_delayed(Opcode.FETCH_R, name, result=result)
        op.extended_value = FETCH_GLOBAL
        adjust(op, fetch)
        return op.result, op
    mark_inner(node.base)
    base, container = c.delayed_var(node.base, fetch)
    if container is not None and fetch == Fetch.W:
        if container.opcode in (Opcode.FETCH_STATIC_PROP_W, Opcode.FETCH_OBJ_W):
            container.extended_value |= FETCH_DIM_WRITE
    separate_call(c, base, node.base, fetch)
    index: ZNode = NOTHING
    if node.index is None:
        if fetch in (Fetch.R, Fetch.IS):
            c.error("Cannot use [] for reading")
        if fetch == Fetch.UNSET:
            c.error("Cannot use [] for unsetting")
    else:
        index = c.expr(node.index)
    op = c.emit_delayed(Opcode.FETCH_DIM_R, base, index, result)
    adjust(op, fetch)
    numeric_offset(c, op, index)
    return op.result, op


def numeric_offset(c: Compiler, op: Op, index: ZNode) -> None:
    """A constant offset like "5" is the integer; the string stays behind it for ArrayAccess
    (zend_handle_numeric_dim)."""
    if isinstance(index, Const) and isinstance(index.value, bytes):
        key = string_key(index.value)
        if isinstance(key, int):
            c.literal(index.value)
            c.function.literals[op.op2.num] = key


def dim(c: Compiler, node: ast.Dim, fetch: Fetch, by_ref: bool, result: bool = True) -> tuple[ZNode, Op | None]:
    """``base[index]``, emitted at once."""
    start = len(c.delayed)
    value, _ = delayed_dim(c, node, fetch, by_ref, result)
    return value, c.delayed_end(start)


def this_exists(c: Compiler) -> bool:
    """Whether ``$this`` is certainly set: in instance methods (this_guaranteed_exists)."""
    return c.function.scope is not None and not c.function.flags & FnFlags.STATIC


def object_of(c: Compiler, node: Node) -> ZNode | None:
    """The object operand if ``node`` is ``$this``: nothing at all where it certainly exists."""
    if not is_this(node):
        return None
    result: ZNode = NOTHING
    if not this_exists(c):
        result = c.emit_var(Opcode.FETCH_THIS)
    c.function.flags |= FnFlags.USES_THIS
    return result


def emit_jmp_null(c: Compiler, value: ZNode, fetch: Fetch) -> None:
    """The jump of a ``?->``; its target is the end of the chain."""
    c.emit(Opcode.JMP_NULL, value, ext=JMP_NULL_IS if fetch == Fetch.IS else 0)
    c.short_circuits.append(c.next_op - 1)


def delayed_prop(c: Compiler, node: ast.Prop, fetch: Fetch, by_ref: bool, result: bool = True) -> tuple[ZNode, Op]:
    """``base->name`` (zend_delayed_compile_prop)."""
    base = object_of(c, node.base)
    if base is None:
        mark_inner(node.base)
        base, _ = c.delayed_var(node.base, fetch)
        separate_call(c, base, node.base, fetch)
        if node.nullsafe:
            if isinstance(base, Operand) and base.kind == OpKind.TMP:
                _flush_delayed(c, base)
            emit_jmp_null(c, base, fetch)
    name = c.expr(node.name)
    if isinstance(name, Const):
        name = Const(fold.text(name.value))
    op = c.emit_delayed(Opcode.FETCH_OBJ_R, base, name, result)
    adjust(op, fetch)
    if by_ref:
        op.extended_value |= FETCH_REF
    return op.result, op


def _flush_delayed(c: Compiler, value: Operand) -> None:
    """Append the delayed instructions that compute ``value``, which a JMP_NULL is about to test."""
    start = len(c.delayed)
    while start > 0:
        entry = c.delayed[start - 1]
        if not isinstance(entry, Op) or entry.result != value:
            break
        start -= 1
        if entry.op1.kind != OpKind.TMP:
            break
        value = entry.op1
    for position in range(start, len(c.delayed)):
        entry = c.delayed[position]
        if isinstance(entry, Op):
            c.function.ops.append(entry)
            c.delayed[position] = c.next_op - 1


def prop(c: Compiler, node: ast.Prop, fetch: Fetch, by_ref: bool, result: bool = True) -> tuple[ZNode, Op | None]:
    """``base->name``, emitted at once."""
    start = len(c.delayed)
    value, _ = delayed_prop(c, node, fetch, by_ref, result)
    return value, c.delayed_end(start)


def class_reference(c: Compiler, node: Node, flags: int) -> ZNode:
    """A class operand: a Const name, a word for ``self`` and its kin, or a fetched class (zend_compile_class_ref)."""
    if isinstance(node, ast.Name):
        fetch = class_fetch_type(node.text) if node.form != ast.NameForm.FULL else FETCH_CLASS_DEFAULT
        if fetch == FETCH_CLASS_DEFAULT:
            return Const(to_bytes(c.names.class_(node)))
        fold.ensure_class_fetch(c, fetch)
        return word(fetch | flags)
    name = c.expr(node)
    if not isinstance(name, Const):
        op = c.emit(Opcode.FETCH_CLASS, word(FETCH_CLASS_DEFAULT | flags), name)
        op.result = c.temporary(OpKind.VAR)
        return op.result
    if not isinstance(name.value, bytes):
        c.error("Illegal class name")
    text = to_text(name.value)
    fetch = class_fetch_type(text)
    if fetch == FETCH_CLASS_DEFAULT:
        return Const(to_bytes(c.names.class_(ast.Name(node.where, text, ast.NameForm.FULL))))
    fold.ensure_class_fetch(c, fetch)
    return word(fetch | flags)


def class_operand(c: Compiler, class_: ZNode) -> Operand:
    """The operand of a class: a constant name is followed by its lower-case form in the literals."""
    if not isinstance(class_, Const):
        return class_
    operand = c.operand(class_)
    assert isinstance(class_.value, bytes)
    c.literal(class_.value.lower())
    return operand


def static_prop(
    c: Compiler, node: ast.StaticProp, fetch: Fetch, by_ref: bool, delayed: bool = False, result: bool = True
) -> tuple[ZNode, Op]:
    """``class::$name`` (zend_compile_static_prop)."""
    mark_inner(node.class_)
    class_ = class_reference(c, node.class_, FETCH_CLASS_EXCEPTION)
    name = c.expr(node.name)
    if isinstance(name, Const):
        name = Const(fold.text(name.value))
    if delayed:
        op = c.emit_delayed(Opcode.FETCH_STATIC_PROP_R, name, result=result)
    else:
        op = c.emit(Opcode.FETCH_STATIC_PROP_R, name)
        if result:
            op.result = c.temporary(OpKind.VAR)
    op.op2 = class_operand(c, class_)
    if by_ref and fetch in (Fetch.W, Fetch.FUNC_ARG):
        op.extended_value |= FETCH_REF
    adjust(op, fetch)
    return op.result, op


def _variable(c: Compiler, node: ast.Variable, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    return simple(c, node, fetch, False)


def _delayed_variable(c: Compiler, node: ast.Variable, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    return simple(c, node, fetch, True)


def _delayed_static_prop(c: Compiler, node: ast.StaticProp, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    return static_prop(c, node, fetch, by_ref, delayed=True)


VARIABLES: VariableTable = {
    ast.Variable: _variable,
    ast.Dim: dim,
    ast.Prop: prop,
    ast.StaticProp: static_prop,
}
DELAYED: VariableTable = {
    ast.Variable: _delayed_variable,
    ast.Dim: delayed_dim,
    ast.Prop: delayed_prop,
    ast.StaticProp: _delayed_static_prop,
}
