"""The source text of an expression as PHP writes it into the message of a failed ``assert()`` (Zend/zend_ast.c:
zend_ast_export_ex).

The text is made from the tree, so spacing and parentheses are PHP's, not the programmer's: a subexpression is put in
parentheses where its priority is lower than its place asks for. Differs from Zend: what would have to be indented (a
closure's body, an anonymous class, a match inside the condition of another) is not written; ``assert`` of it is not
supported.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import EvalKind
from ssa2llvm.ir.types import IS_ARRAY, IS_BOOL, IS_DOUBLE, IS_LONG, IS_NULL, IS_OBJECT, IS_STRING
from ssa2llvm.php import ast
from ssa2llvm.php.ast import FunctionKind, NameForm, Node
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import to_bytes

_BINARY = {
    Opcode.ADD: (b"+", 200, 200, 201),
    Opcode.SUB: (b"-", 200, 200, 201),
    Opcode.MUL: (b"*", 210, 210, 211),
    Opcode.DIV: (b"/", 210, 210, 211),
    Opcode.MOD: (b"%", 210, 210, 211),
    Opcode.SL: (b"<<", 190, 190, 191),
    Opcode.SR: (b">>", 190, 190, 191),
    Opcode.CONCAT: (b".", 185, 185, 186),
    Opcode.BW_OR: (b"|", 140, 140, 141),
    Opcode.BW_AND: (b"&", 160, 160, 161),
    Opcode.BW_XOR: (b"^", 150, 150, 151),
    Opcode.IS_IDENTICAL: (b"===", 170, 171, 171),
    Opcode.IS_NOT_IDENTICAL: (b"!==", 170, 171, 171),
    Opcode.IS_EQUAL: (b"==", 170, 171, 171),
    Opcode.IS_NOT_EQUAL: (b"!=", 170, 171, 171),
    Opcode.IS_SMALLER: (b"<", 180, 181, 181),
    Opcode.IS_SMALLER_OR_EQUAL: (b"<=", 180, 181, 181),
    Opcode.POW: (b"**", 250, 251, 250),
    Opcode.BOOL_XOR: (b"xor", 40, 40, 41),
    Opcode.SPACESHIP: (b"<=>", 180, 181, 181),
}
_CASTS = {
    IS_NULL: b"(unset)",
    IS_BOOL: b"(bool)",
    IS_LONG: b"(int)",
    IS_DOUBLE: b"(double)",
    IS_STRING: b"(string)",
    IS_ARRAY: b"(array)",
    IS_OBJECT: b"(object)",
}
_INCLUDES = {
    EvalKind.EVAL: b"eval",
    EvalKind.INCLUDE: b"include",
    EvalKind.INCLUDE_ONCE: b"include_once",
    EvalKind.REQUIRE: b"require",
    EvalKind.REQUIRE_ONCE: b"require_once",
}
_ASSIGN, _UNARY, _CONDITIONAL, _YIELD, _ITEM = 90, 240, 100, 70, 20
_ESCAPES = {10: b"\\n", 13: b"\\r", 9: b"\\t", 12: b"\\f", 11: b"\\v", 27: b"\\e"}


class CannotExport(Exception):
    """The expression contains what is not written; the text of the exception names it."""


def export(node: Node, priority: int = 0) -> bytes:
    """``node`` as PHP source, in parentheses if its place asks for more than ``priority``. Raises CannotExport."""
    writer = _WRITERS.get(type(node))
    if writer is None:
        raise CannotExport(type(node).__name__)
    return writer(node, priority)


def _wrap(text: bytes, priority: int, own: int) -> bytes:
    return b"(" + text + b")" if priority > own else text


def _infix(left: Node, sign: bytes, right: Node, priority: int, levels: tuple[int, int, int]) -> bytes:
    own, left_level, right_level = levels
    text = export(left, left_level) + b" " + sign + b" " + export(right, right_level)
    return _wrap(text, priority, own)


def _prefix(sign: bytes, value: Node, priority: int, own: int = _UNARY) -> bytes:
    return _wrap(sign + export(value, own + 1), priority, own)


def _call(name: bytes, inner: Node) -> bytes:
    return name + b"(" + export(inner) + b")"


def _list(items: list[Node], priority: int = _ITEM) -> bytes:
    return b", ".join(export(item, priority) for item in items)


# -- names and literals ------------------------------------------------------------------------------------------------


def _literal(node: ast.Literal, priority: int) -> bytes:
    value = node.value
    if isinstance(value, bytes):
        return b"'" + value.replace(b"\\", b"\\\\").replace(b"'", b"\\'") + b"'"
    if value is None or isinstance(value, bool):
        return {None: b"null", True: b"true", False: b"false"}[value]
    assert isinstance(value, (int, float))
    return to_string(value, Host())


def _name(node: Node) -> bytes:
    """A name as it was written, or an expression in its place."""
    if isinstance(node, ast.Name):
        prefix = {NameForm.PLAIN: b"", NameForm.FULL: b"\\", NameForm.RELATIVE: b"namespace\\"}[node.form]
        return prefix + to_bytes(node.text)
    if isinstance(node, ast.Literal) and isinstance(node.value, bytes):
        return node.value
    return export(node)


def _variable_name(node: Node) -> bytes:
    """What stands after ``$`` or an arrow."""
    if isinstance(node, ast.Literal) and isinstance(node.value, bytes):
        first = node.value[:1]
        words = node.value.replace(b"_", b"a")
        if words.isalnum() and not first.isdigit():
            return node.value
    elif isinstance(node, ast.Variable):
        return export(node)
    return b"{" + _name(node) + b"}"


def _quoted(text: bytes, quote: bytes) -> bytes:
    out = bytearray()
    for byte in text:
        if byte < 0x20:
            out += _ESCAPES.get(byte) or b"\\0%o%o" % (byte // 8, byte % 8)
        else:
            out += (b"\\" if byte in quote + b"$\\" else b"") + bytes([byte])
    return bytes(out)


def _parts(parts: list[Node], quote: bytes) -> bytes:
    """The inside of an interpolated string; a variable gets braces if what follows could belong to its name."""
    out = b""
    for position, part in enumerate(parts):
        if isinstance(part, ast.Literal):
            out += _quoted(_bytes(part), quote)
            continue
        following = parts[position + 1] if position + 1 < len(parts) else None
        clear = True
        if isinstance(following, ast.Literal):
            first = _bytes(following)[:1]
            clear = not (first == b"[" or first == b"_" or first.isalnum() or first >= b"\x7f")
        if isinstance(part, ast.Variable) and isinstance(part.name, ast.Literal) and clear:
            out += export(part)
        else:
            out += b"{" + export(part) + b"}"
    return out


def _bytes(node: ast.Literal) -> bytes:
    """The bytes of a string part."""
    assert isinstance(node.value, bytes)
    return node.value


# -- places, calls, arrays ---------------------------------------------------------------------------------------------


def _dim(node: ast.Dim, priority: int) -> bytes:
    index = b"" if node.index is None else export(node.index)
    return export(node.base, 260) + b"[" + index + b"]"


def _prop(node: ast.Prop, priority: int) -> bytes:
    return export(node.base) + (b"?->" if node.nullsafe else b"->") + _variable_name(node.name)


def _method_call(node: ast.MethodCall, priority: int) -> bytes:
    arrow = b"?->" if node.nullsafe else b"->"
    return export(node.base) + arrow + _call(_variable_name(node.name), node.args)


def _new(node: ast.New, priority: int) -> bytes:
    if isinstance(node.class_, ast.ClassDecl):
        raise CannotExport("an anonymous class")
    return b"new " + _call(_name(node.class_), node.args)


def _args(node: ast.Args, priority: int) -> bytes:
    return b"..." if node.convert else _list(node.items)


def _element(node: ast.ArrayElement, priority: int) -> bytes:
    key = b"" if node.key is None else export(node.key, 80) + b" => "
    return key + (b"&" if node.by_ref else b"") + export(node.value, 80)


def _array(node: ast.Array, priority: int) -> bytes:
    return b"[" + b", ".join(b"" if item is None else export(item, _ITEM) for item in node.items) + b"]"


# -- other expressions -------------------------------------------------------------------------------------------------


def _binary(node: ast.Binary, priority: int) -> bytes:
    sign, *levels = _BINARY[node.op]
    return _infix(node.left, sign, node.right, priority, (levels[0], levels[1], levels[2]))


def _assign_op(node: ast.AssignOp, priority: int) -> bytes:
    return _infix(node.target, _BINARY[node.op][0] + b"=", node.value, priority, (_ASSIGN, 91, 90))


def _increment(node: ast.IncDec, priority: int) -> bytes:
    sign = b"++" if node.increment else b"--"
    if node.prefix:
        return _prefix(sign, node.target, priority)
    return _wrap(export(node.target, _UNARY + 1) + sign, priority, _UNARY)


def _conditional(node: ast.Conditional, priority: int) -> bytes:
    middle = b" ?: " if node.then is None else b" ? " + export(node.then, 101) + b" : "
    return _wrap(export(node.condition, 100) + middle + export(node.otherwise, 101), priority, _CONDITIONAL)


def _yield(node: ast.Yield, priority: int) -> bytes:
    key = b"" if node.key is None else export(node.key, _YIELD) + b" => "
    value = b"" if node.value is None else export(node.value, _YIELD)
    return _wrap(b"yield " + key + value, priority, _YIELD)


def _match(node: ast.Match, priority: int) -> bytes:
    arms = b""
    for arm in node.arms:
        if any(_contains_match(condition) for condition in arm.conditions or ()):
            raise CannotExport("a match inside the condition of a match")
        conditions = b"default" if arm.conditions is None else _list(arm.conditions, 0)
        arms += b"    " + conditions + b" => " + export(arm.body) + b",\n"
    return b"match (" + export(node.subject) + b") {\n" + arms + b"}"


def _contains_match(root: Node) -> bool:
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Match):
            return True
        pending.extend(node.children())
    return False


def _arrow_function(node: ast.FunctionDecl, priority: int) -> bytes:
    if node.kind != FunctionKind.ARROW or node.body is None or node.attributes:
        raise CannotExport("a closure with statements or attributes")
    start = b"static fn" if "static" in node.modifiers else b"fn"
    params = b", ".join(_param(param) for param in node.params)
    returns = b"" if node.return_type is None else b": " + _type(node.return_type)
    body = node.body.value if isinstance(node.body, ast.Return) else node.body
    assert body is not None
    return start + (b"&" if node.by_ref else b"") + b"(" + params + b")" + returns + b" => " + export(body)


def _param(node: ast.Param) -> bytes:
    if node.attributes:
        raise CannotExport("a parameter with attributes")
    text = b"" if node.type is None else _type(node.type) + b" "
    text += (b"&" if node.by_ref else b"") + (b"..." if node.variadic else b"") + b"$" + to_bytes(node.name)
    return text if node.default is None else text + b" = " + export(node.default)


def _type(node: Node) -> bytes:
    if isinstance(node, ast.TypeList):
        return (b"&" if node.intersection else b"|").join(_type(item) for item in node.items)
    assert isinstance(node, ast.TypeName)
    prefix = b"?" if node.nullable else b""
    if node.keyword:
        return prefix + to_bytes(node.text)
    return prefix + _name(ast.Name(node.where, node.text, node.form))


_WRITERS: dict[type[Node], Callable[..., bytes]] = {
    ast.Literal: _literal,
    ast.Name: lambda node, priority: _name(node),
    ast.MagicConst: lambda node, priority: node.kind.upper().encode(),
    ast.ConstFetch: lambda node, priority: _name(node.name),
    ast.Variable: lambda node, priority: b"$" + _variable_name(node.name),
    ast.Dim: _dim,
    ast.Prop: _prop,
    ast.StaticProp: lambda node, priority: _name(node.class_) + b"::$" + _variable_name(node.name),
    ast.Call: lambda node, priority: _call(_name(node.function), node.args),
    ast.MethodCall: _method_call,
    ast.StaticCall: lambda node, priority: _name(node.class_) + b"::" + _call(_variable_name(node.name), node.args),
    ast.New: _new,
    ast.Args: _args,
    ast.Unpack: lambda node, priority: b"..." + export(node.value, priority),
    ast.NamedArg: lambda node, priority: to_bytes(node.name) + b": " + export(node.value, priority),
    ast.Clone: lambda node, priority: _prefix(b"clone ", node.value, priority, 270),
    ast.ClassConst: lambda node, priority: _name(node.class_) + b"::" + _name(node.name),
    ast.ClassName: lambda node, priority: _name(node.class_) + b"::class",
    ast.Assign: lambda node, priority: _infix(node.target, b"=", node.value, priority, (_ASSIGN, 91, 90)),
    ast.AssignRef: lambda node, priority: _infix(node.target, b"=&", node.source, priority, (_ASSIGN, 91, 90)),
    ast.AssignOp: _assign_op,
    ast.AssignCoalesce: lambda node, priority: _infix(node.target, b"??=", node.value, priority, (_ASSIGN, 91, 90)),
    ast.Binary: _binary,
    ast.Greater: lambda node, priority: _infix(
        node.left, b">=" if node.or_equal else b">", node.right, priority, (180, 181, 181)
    ),
    ast.Logical: lambda node, priority: _infix(
        node.left,
        b"&&" if node.conjunction else b"||",
        node.right,
        priority,
        (130, 130, 131) if node.conjunction else (120, 120, 121),
    ),
    ast.Unary: lambda node, priority: _prefix(b"!" if node.op == Opcode.BOOL_NOT else b"~", node.value, priority),
    ast.Sign: lambda node, priority: _prefix(b"+" if node.factor > 0 else b"-", node.value, priority),
    ast.IncDec: _increment,
    ast.Cast: lambda node, priority: _prefix(_CASTS[node.type], node.value, priority),
    ast.Conditional: _conditional,
    ast.Coalesce: lambda node, priority: _infix(node.value, b"??", node.default, priority, (110, 111, 110)),
    ast.Silence: lambda node, priority: _prefix(b"@", node.value, priority),
    ast.InstanceOf: lambda node, priority: export(node.value) + b" instanceof " + _name(node.class_),
    ast.Print: lambda node, priority: _prefix(b"print ", node.value, priority, 60),
    ast.Exit: lambda node, priority: b"exit" if node.value is None else _call(b"exit", node.value),
    ast.Throw: lambda node, priority: b"throw " + export(node.value, priority),
    ast.Yield: _yield,
    ast.YieldFrom: lambda node, priority: _prefix(b"yield from ", node.value, priority, 85),
    ast.Include: lambda node, priority: _call(_INCLUDES[node.kind], node.value),
    ast.Isset: lambda node, priority: _call(b"isset", node.value),
    ast.Empty: lambda node, priority: _call(b"empty", node.value),
    ast.ShellExec: lambda node, priority: (
        b"`" + _parts(node.value.parts if isinstance(node.value, ast.Encaps) else [node.value], b"`") + b"`"
    ),
    ast.ArrayElement: _element,
    ast.Array: _array,
    ast.Encaps: lambda node, priority: b'"' + _parts(node.parts, b'"') + b'"',
    ast.Match: _match,
    ast.FunctionDecl: _arrow_function,
}
