"""Constant folding while compiling (Zend/zend_compile.c: zend_eval_const_expr, zend_try_ct_eval_*).

PHP folds an operation only if it can neither warn nor throw; ``values`` evaluates it with a host that records, and
the result is taken if nothing was recorded.  ``fold`` works on trees (case labels, defaults, array elements);
operators fold their compiled operands through ``binary`` and ``unary``.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.internals import SPECIAL_CONSTANTS, persistent_constants
from ssa2llvm.php.lower.compiler import Compiler, Const
from ssa2llvm.php.lower.namespaces import class_fetch_type, unqualified
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.array_key import string_key
from ssa2llvm.values.convert import float_to_int, is_exact_int, to_bool, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.operators import BINARY, UNARY
from ssa2llvm.values.types import Value, to_bytes, to_text

_SCALARS = (type(None), bool, int, float, bytes)


def is_value(value: object) -> bool:
    """Whether a literal is a PHP value, and not a constant expression."""
    return isinstance(value, (*_SCALARS, PhpArray))


def binary(opcode: Opcode, left: object, right: object) -> Const | None:
    """The result of a binary operator, or None if it would warn or throw."""
    if not is_value(left) or not is_value(right):
        return None
    host = Host()
    try:
        result = BINARY[opcode](_value(left), _value(right), host)
    except PhpError:
        return None
    return Const(result) if host.clean else None


def unary(opcode: Opcode, value: object) -> Const | None:
    """The result of ``!`` or ``~``, or None if it would throw."""
    if not is_value(value):
        return None
    host = Host()
    try:
        result = UNARY[opcode](_value(value), host)
    except PhpError:
        return None
    return Const(result) if host.clean else None


def greater(or_equal: bool, left: object, right: object) -> Const | None:
    """``left > right`` or ``left >= right``."""
    opcode = Opcode.IS_SMALLER_OR_EQUAL if or_equal else Opcode.IS_SMALLER
    return binary(opcode, right, left)


def truth(value: object) -> bool:
    """Truth of a literal."""
    return to_bool(_value(value))


def text(value: object) -> bytes:
    """A literal as a string (an array gives "Array"; callers that must not say so check first)."""
    return to_string(_value(value), Host())


def _value(value: object) -> Value:
    assert isinstance(value, (*_SCALARS, PhpArray))
    return value


def constant(c: Compiler, name: str, certain: bool) -> Const | None:
    """The value of a constant that the compiler may put in place: true, false, null, and PHP's own persistent ones."""
    special = (name if certain else unqualified(name)).lower()
    if special in SPECIAL_CONSTANTS:
        return Const(SPECIAL_CONSTANTS[special])
    if c.substitute_constants and name in persistent_constants():
        return Const(persistent_constants()[name])
    return Const(c.known_constants[name]) if name in c.known_constants else None


def scope_known(c: Compiler) -> bool:
    """Whether ``self`` certainly is the class being compiled (zend_is_scope_known)."""
    if c.function.closure:
        return False
    if c.class_scope is None:
        return not c.function.is_main
    return c.class_scope.kind != "trait"


def class_constant(c: Compiler, class_name: str, name: str) -> Const | None:
    """A constant of the class being compiled, if its value is known already."""
    scope = c.class_scope
    if scope is None:
        return None
    fetch = class_fetch_type(class_name)
    own = (fetch == 1 and scope_known(c)) or (fetch == 0 and class_name.lower() == scope.name.lower())
    if not own or not c.substitute_constants or name not in scope.constants or scope.kind == "trait":
        return None
    value = scope.constants[name][0]
    if isinstance(value, _SCALARS) or (isinstance(value, PhpArray) and _is_constant_array(value)):
        return Const(value)
    return None


def _is_constant_array(array: PhpArray) -> bool:
    """Whether an array is small enough to copy (array_is_const: at most 50 elements in all)."""
    budget = 50
    pending = [array]
    while pending:
        current = pending.pop()
        if len(current) > budget:
            return False
        budget -= len(current)
        pending += [value for value in current.values() if isinstance(value, PhpArray)]
    return True


def class_name(c: Compiler, node: Node) -> Const | None:
    """``X::class``, if it is known (zend_try_compile_const_expr_resolve_class_name)."""
    if isinstance(node, ast.Literal):
        if not isinstance(node.value, bytes):
            c.error("Illegal class name")
        node = ast.Name(node.where, to_text(node.value), ast.NameForm.FULL)
    if not isinstance(node, ast.Name):
        return None
    fetch = class_fetch_type(node.text)
    ensure_class_fetch(c, fetch)
    scope = c.class_scope
    if fetch == 0:
        return Const(to_bytes(c.names.class_(node)))
    if scope is None or not scope_known(c) or fetch == 3:
        return None
    if fetch == 1:
        return Const(to_bytes(scope.name))
    return Const(to_bytes(scope.parent)) if scope.parent is not None else None


def ensure_class_fetch(c: Compiler, fetch: int) -> None:
    """``self`` needs a class, ``parent`` a class with a parent."""
    if not fetch or not scope_known(c):
        return
    scope = c.class_scope
    if scope is None:
        word = {1: "self", 2: "parent", 3: "static"}[fetch]
        c.error(f'Cannot use "{word}" when no class scope is active')
    if fetch == 2 and scope.parent is None:
        c.error('Cannot use "parent" when current class scope has no parent')


def array(c: Compiler, node: ast.Array) -> Const | None:
    """An array literal all of whose elements are constant; folds the elements in place in any case."""
    if node.syntax == ast.ArraySyntax.LIST:
        c.error("Cannot use list() as standalone expression")
    is_constant = True
    last: Node | None = None
    for item in node.items:
        if item is None:
            if last is not None:
                c.at(last)
            c.error("Cannot use empty array elements in arrays")
        item.value = fold(c, item.value)
        if isinstance(item, ast.ArrayElement):
            if item.key is not None:
                item.key = fold(c, item.key)
                is_constant = is_constant and isinstance(item.key, ast.Literal)
            is_constant = is_constant and not item.by_ref
        is_constant = is_constant and isinstance(item.value, ast.Literal)
        last = item
    if not is_constant:
        return None
    result = PhpArray(0) if not node.items else PhpArray()
    for item in node.items:
        assert item is not None
        assert isinstance(item.value, ast.Literal)
        if isinstance(item, ast.Unpack):
            if not _unpack_constant(c, result, item.value.value):
                return None
        elif not _add_constant(c, result, item.key, item.value.value):
            return None
    return Const(result)


def _unpack_constant(c: Compiler, result: PhpArray, value: object) -> bool:
    if not isinstance(value, PhpArray):
        c.error("Only arrays and Traversables can be unpacked")
    for key, element in value.items():
        if isinstance(key, bytes):
            result.put(key, element)
        elif not _append(result, element):
            return False
    return True


def _append(result: PhpArray, value: Value) -> bool:
    try:
        result.append(value)
    except PhpError:
        return False
    return True


def _add_constant(c: Compiler, result: PhpArray, key_node: Node | None, value: object) -> bool:
    if not is_value(value):
        return False
    element = _value(value)
    if key_node is None:
        return _append(result, element)
    assert isinstance(key_node, ast.Literal)
    key = key_node.value
    if isinstance(key, bytes):
        result.put(string_key(key), element)
    elif isinstance(key, float):
        if not is_exact_int(key):
            return False
        result.put(float_to_int(key), element)
    elif key is None:
        result.put(b"", element)
    elif isinstance(key, int):
        result.put(int(key), element)
    else:
        c.error("Illegal offset type")
    return True


def magic(c: Compiler, node: ast.MagicConst) -> Const | None:
    """A magic constant; None only for ``__CLASS__`` in a trait."""
    function = c.function
    scope = c.class_scope
    kind = node.kind
    if kind == "__line__":
        return Const(node.line)
    if kind in ("__file__", "__dir__"):
        return Const(to_bytes(c.filename if kind == "__file__" else directory(c.filename)))
    if kind == "__namespace__":
        return Const(to_bytes(c.names.current or ""))
    if kind == "__function__":
        return Const(to_bytes(function.name))
    if kind == "__method__":
        if scope is not None and function.scope is None and not function.closure:
            return Const(b"")
        prefix = f"{function.scope.name}::" if function.scope is not None and function.name else ""
        return Const(to_bytes(prefix + function.name))
    if kind == "__trait__":
        return Const(to_bytes(scope.name) if scope is not None and scope.kind == "trait" else b"")
    if scope is None:
        return Const(b"")
    return None if scope.kind == "trait" else Const(to_bytes(scope.name))


def directory(path: str) -> str:
    """``__DIR__`` of a file (zend_dirname)."""
    import os.path

    head = os.path.dirname(path)
    return head if head else os.getcwd()


def _offset(container: object, index: object) -> Const | None:
    """An element of a constant array or a byte of a constant string."""
    if isinstance(container, PhpArray):
        if isinstance(index, bytes):
            index = string_key(index)
        if isinstance(index, bool) or not isinstance(index, (int, bytes)) or index not in container:
            return None
        return Const(container.get(index))
    if isinstance(container, bytes):
        position: object = numeric_value(index) if isinstance(index, bytes) else index
        if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position < len(container):
            return None
        return Const(container[position : position + 1])
    return None


def fold(c: Compiler, node: Node) -> Node:
    """``node`` with every constant subtree that PHP would evaluate now replaced by a literal."""
    handler = _FOLDERS.get(type(node))
    if handler is None:
        return node
    folded = handler(c, node)
    if isinstance(folded, Const):
        return ast.Literal(node.where._replace(line=c.line), folded.value)
    return folded


def _fold_binary(c: Compiler, node: ast.Binary) -> Node | Const:
    node.left = fold(c, node.left)
    node.right = fold(c, node.right)
    if isinstance(node.left, ast.Literal) and isinstance(node.right, ast.Literal):
        return binary(node.op, node.left.value, node.right.value) or node
    return node


def _fold_greater(c: Compiler, node: ast.Greater) -> Node | Const:
    node.left = fold(c, node.left)
    node.right = fold(c, node.right)
    if isinstance(node.left, ast.Literal) and isinstance(node.right, ast.Literal):
        return greater(node.or_equal, node.left.value, node.right.value) or node
    return node


def _fold_logical(c: Compiler, node: ast.Logical) -> Node | Const:
    node.left = fold(c, node.left)
    node.right = fold(c, node.right)
    if not isinstance(node.left, ast.Literal) or not is_value(node.left.value):
        return node
    left = truth(node.left.value)
    if left != node.conjunction:
        return Const(left)
    if not isinstance(node.right, ast.Literal) or not is_value(node.right.value):
        return node
    return Const(truth(node.right.value))


def _fold_unary(c: Compiler, node: ast.Unary) -> Node | Const:
    node.value = fold(c, node.value)
    return (unary(node.op, node.value.value) if isinstance(node.value, ast.Literal) else None) or node


def _fold_sign(c: Compiler, node: ast.Sign) -> Node | Const:
    node.value = fold(c, node.value)
    if isinstance(node.value, ast.Literal):
        return binary(Opcode.MUL, node.value.value, node.factor) or node
    return node


def _fold_coalesce(c: Compiler, node: ast.Coalesce) -> Node | Const:
    node.value = fold(c, node.value)
    if not isinstance(node.value, ast.Literal):
        node.default = fold(c, node.default)
        return node
    if node.value.value is None:
        return fold(c, node.default)
    return node.value


def _fold_conditional(c: Compiler, node: ast.Conditional) -> Node | Const:
    node.condition = fold(c, node.condition)
    if not isinstance(node.condition, ast.Literal) or not is_value(node.condition.value):
        if node.then is not None:
            node.then = fold(c, node.then)
        node.otherwise = fold(c, node.otherwise)
        return node
    if not truth(node.condition.value):
        return fold(c, node.otherwise)
    return fold(c, node.then) if node.then is not None else node.condition


def _fold_dim(c: Compiler, node: ast.Dim) -> Node | Const:
    if node.index is None:
        c.error("Cannot use [] for reading")
    if node.curly:
        c.error(CURLY_OFFSET)
    node.base = fold(c, node.base)
    node.index = fold(c, node.index)
    if isinstance(node.base, ast.Literal) and isinstance(node.index, ast.Literal):
        return _offset(node.base.value, node.index.value) or node
    return node


CURLY_OFFSET = "Array and string offset access syntax with curly braces is no longer supported"


def _fold_array(c: Compiler, node: ast.Array) -> Node | Const:
    return array(c, node) or node


def _fold_magic(c: Compiler, node: ast.MagicConst) -> Node | Const:
    return magic(c, node) or node


def _fold_const(c: Compiler, node: ast.ConstFetch) -> Node | Const:
    name, certain = c.names.constant(node.name)
    return constant(c, name, certain) or node


def _fold_class_const(c: Compiler, node: ast.ClassConst) -> Node | Const:
    node.class_ = fold(c, node.class_)
    node.name = fold(c, node.name)
    resolved = resolve_class_node(c, node.class_)
    if resolved is None or not isinstance(node.name, ast.Literal) or not isinstance(node.name.value, bytes):
        return node
    return class_constant(c, resolved, to_text(node.name.value)) or node


def resolve_class_node(c: Compiler, node: Node) -> str | None:
    """The class that a name or constant string means."""
    if isinstance(node, ast.Literal):
        if not isinstance(node.value, bytes):
            c.error("Illegal class name")
        node = ast.Name(node.where, to_text(node.value), ast.NameForm.FULL)
    return c.names.class_(node) if isinstance(node, ast.Name) else None


def _fold_class_name(c: Compiler, node: ast.ClassName) -> Node | Const:
    return class_name(c, node.class_) or node


def _fold_args(c: Compiler, node: ast.Args) -> Node | Const:
    node.items = [fold(c, item) for item in node.items]
    return node


def _fold_new(c: Compiler, node: ast.New) -> Node | Const:
    node.class_ = fold(c, node.class_)
    fold(c, node.args)
    return node


def _fold_named_arg(c: Compiler, node: ast.NamedArg) -> Node | Const:
    node.value = fold(c, node.value)
    return node


def _fold_prop(c: Compiler, node: ast.Prop) -> Node | Const:
    node.base = fold(c, node.base)
    node.name = fold(c, node.name)
    return node


_FOLDERS: dict[type[Node], Callable[..., Node | Const]] = {
    ast.Binary: _fold_binary,
    ast.Greater: _fold_greater,
    ast.Logical: _fold_logical,
    ast.Unary: _fold_unary,
    ast.Sign: _fold_sign,
    ast.Coalesce: _fold_coalesce,
    ast.Conditional: _fold_conditional,
    ast.Dim: _fold_dim,
    ast.Array: _fold_array,
    ast.MagicConst: _fold_magic,
    ast.ConstFetch: _fold_const,
    ast.ClassConst: _fold_class_const,
    ast.ClassName: _fold_class_name,
    ast.Args: _fold_args,
    ast.New: _fold_new,
    ast.NamedArg: _fold_named_arg,
    ast.Prop: _fold_prop,
}
