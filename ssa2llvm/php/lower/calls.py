"""Calls: of functions, methods and constructors (Zend/zend_compile.c: zend_compile_args, _call_common, _call,
_method_call, _static_call, _new).

What is known of the callee decides the instructions: a function whose frame size is known gets INIT_FCALL and
SEND_VAL/VAR/REF, any other INIT_FCALL_BY_NAME and the SEND_*_EX that ask at run time.  A user function is known
once it is compiled to its end, so a recursive call and a call before the definition are of the second kind.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags, Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FETCH_CLASS_EXCEPTION, FETCH_CLASS_MASK, FETCH_CLASS_SELF, Operand, OpKind, word
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.internals import InternalFunction
from ssa2llvm.php.lower import fold, special
from ssa2llvm.php.lower.callee import (
    MAY_HAVE_EXTRA_NAMED_PARAMS,
    Callee,
    is_finished,
    known_function,
    name_literals,
    used_stack,
)
from ssa2llvm.php.lower.compiler import Compiler, Const, ExpressionTable, Fetch, Memoize, VariableTable, ZNode
from ssa2llvm.php.lower.export import CannotExport, export
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope, UserFunction
from ssa2llvm.php.lower.variables import (
    class_operand,
    class_reference,
    emit_jmp_null,
    is_call,
    is_globals,
    is_short_circuited,
    is_this,
    is_variable,
    mark_inner,
    object_of,
    try_cv,
)
from ssa2llvm.values.types import to_bytes, to_text

UNKNOWN_ARGUMENT = 0xFFFFFFFF


def _argument_number(callee: UserFunction | InternalFunction, name: str) -> int:
    """The number of the parameter of this name (from 1), or UNKNOWN_ARGUMENT."""
    if isinstance(callee, InternalFunction):
        names = callee.params[:-1] if callee.variadic else callee.params
    else:
        names = tuple(info.name for info in callee.params[: callee.num_args])
    return names.index(name) + 1 if name in names else UNKNOWN_ARGUMENT


class _Arguments:
    """Sends the arguments of one call."""

    def __init__(self, c: Compiler, args: ast.Args, callee: Callee) -> None:
        self.c = c
        self.args = args
        self.callee = callee
        self.count = 0
        self.unpacked = False
        self.named = False
        self.may_be_undefined = False
        self.extra_named = False

    def send(self) -> None:
        around = self.c.place
        for position, arg in enumerate(self.args.items):
            self.c.place = arg.where.offset
            self._send_one(position + 1, arg)
        self.c.place = around
        if self.may_be_undefined:
            self.c.emit(Opcode.CHECK_UNDEF_ARGS)

    def _send_one(self, number: int, arg: Node) -> None:
        c = self.c
        name: str | None = None
        if isinstance(arg, ast.Unpack):
            self._unpack(arg)
            return
        if isinstance(arg, ast.NamedArg):
            self.named = True
            name = arg.name
            arg = arg.value
            number, name = self._name(name)
        else:
            if self.unpacked:
                c.error("Cannot use positional argument after argument unpacking")
            if self.named:
                c.error("Cannot use positional argument after named argument")
            self.count += 1
        opcode, value = self._argument(arg, number, name)
        op = c.emit(opcode, value)
        op.op2 = c.string(name) if name is not None else word(number)

    def _unpack(self, arg: ast.Unpack) -> None:
        c = self.c
        if self.named:
            c.error("Cannot use argument unpacking after named arguments")
        self.unpacked = True
        self.callee = None
        value = c.expr(arg.value)
        c.emit(Opcode.SEND_UNPACK, value)
        self.may_be_undefined = True
        self.extra_named = True

    def _name(self, name: str) -> tuple[int, str | None]:
        """Number and, unless it is in its place anyway, name of a named argument."""
        callee = self.callee
        if callee is None or self.unpacked:
            self.may_be_undefined = True
            self.extra_named = True
            return UNKNOWN_ARGUMENT, name
        number = _argument_number(callee, name)
        if number == self.count + 1 and not self.may_be_undefined:
            self.count += 1
            return number, None
        self.may_be_undefined = True
        return number, name

    def _argument(self, arg: Node, number: int, name: str | None) -> tuple[Opcode, ZNode]:
        """Compile one argument; choose how it is sent."""
        c = self.c
        callee = self.callee if number != UNKNOWN_ARGUMENT else None
        mode = callee.mode(number) if callee is not None else ""
        if is_call(arg) or is_globals(arg):
            value, _ = c.var(arg, Fetch.R)
            if isinstance(value, Const) or value.kind == OpKind.TMP:
                known_by_value = self.callee is not None and (callee is None or mode != "&")
                return (Opcode.SEND_VAL if known_by_value else Opcode.SEND_VAL_EX), value
            return self._send_result(callee is not None, mode), value
        if is_variable(arg) and not is_short_circuited(arg):
            if callee is None:
                return self._unknown_variable(arg, number, name)
            if mode:
                return Opcode.SEND_REF, c.var(arg, Fetch.W, True)[0]
            value, _ = c.var(arg, Fetch.R)
            is_tmp = isinstance(value, Operand) and value.kind == OpKind.TMP
            return (Opcode.SEND_VAL if is_tmp else Opcode.SEND_VAR), value
        value = c.expr(arg)
        if isinstance(value, Operand) and value.kind == OpKind.VAR:
            return self._send_result(callee is not None, mode), value
        if isinstance(value, Operand) and value.is_cv:
            if callee is None:
                return Opcode.SEND_VAR_EX, value
            return (Opcode.SEND_REF if mode else Opcode.SEND_VAR), value
        return (Opcode.SEND_VAL if callee is not None and mode != "&" else Opcode.SEND_VAL_EX), value

    @staticmethod
    def _send_result(known: bool, mode: str) -> Opcode:
        """How the result of a call (a VAR) is sent."""
        if not known:
            return Opcode.SEND_VAR_NO_REF_EX
        return {"&": Opcode.SEND_VAR_NO_REF, "~": Opcode.SEND_VAL, "": Opcode.SEND_VAR}[mode]

    def _unknown_variable(self, arg: Node, number: int, name: str | None) -> tuple[Opcode, ZNode]:
        """A variable sent to an unknown callee: by value or by reference, as run time finds."""
        c = self.c
        if isinstance(arg, ast.Variable):
            c.at(self.args)
            if is_this(arg):
                value = c.emit_var(Opcode.FETCH_THIS)
                c.function.flags |= FnFlags.USES_THIS
                return Opcode.SEND_VAR_EX, value
            cv = try_cv(c, arg)
            if cv is not None:
                return Opcode.SEND_VAR_EX, cv
        check = c.emit(Opcode.CHECK_FUNC_ARG)
        check.op2 = c.string(name) if name is not None else word(number)
        return Opcode.SEND_FUNC_ARG, c.var(arg, Fetch.FUNC_ARG, True)[0]


def _call_opcode(init: Op, callee: Callee) -> Opcode:
    """The DO_* that fits (zend_get_call_op)."""
    if isinstance(callee, InternalFunction):
        if init.opcode == Opcode.INIT_FCALL:
            return Opcode.DO_FCALL_BY_NAME if callee.deprecated else Opcode.DO_ICALL
    elif callee is not None:
        return Opcode.DO_UCALL
    elif init.opcode in (Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME):
        return Opcode.DO_FCALL_BY_NAME
    return Opcode.DO_FCALL


def finish_call(c: Compiler, args: ast.Args, callee: Callee, line: int) -> ZNode:
    """Arguments and DO_* after the INIT_* just emitted (zend_compile_call_common)."""
    init = c.function.ops[-1]
    if args.convert:
        init.extended_value = 0
        if init.opcode == Opcode.NEW:
            c.error("Cannot create Closure for new expression")
        if init.opcode == Opcode.INIT_FCALL:
            init.op1 = word(used_stack(0, callee))
        return c.emit_tmp(Opcode.CALLABLE_CONVERT)
    sender = _Arguments(c, args, callee)
    sender.send()
    init.extended_value = sender.count
    if init.opcode == Opcode.INIT_FCALL:
        init.op1 = word(used_stack(sender.count, callee))
    result = c.emit_var(_call_opcode(init, callee))
    call = c.function.ops[-1]
    if sender.extra_named and call.opcode == Opcode.DO_FCALL:
        call.extended_value = MAY_HAVE_EXTRA_NAMED_PARAMS
    call.line = line
    return result


def dynamic_call(c: Compiler, name: ZNode, args: ast.Args, line: int) -> ZNode:
    """A call of what ``name`` turns out to be (zend_compile_dynamic_call)."""
    if isinstance(name, Const) and isinstance(name.value, bytes):
        text = to_text(name.value)
        class_, separator, method = text.rpartition("::")
        if separator:
            op = c.emit(Opcode.INIT_STATIC_METHOD_CALL)
            op.op1 = class_operand(c, Const(to_bytes(class_)))
            op.op2 = name_literals(c, method)
        else:
            op = c.emit(Opcode.INIT_FCALL_BY_NAME)
            op.op2 = name_literals(c, text)
    else:
        c.emit(Opcode.INIT_DYNAMIC_CALL).op2 = c.operand(name)
    return finish_call(c, args, None, line)


def _call(c: Compiler, node: ast.Call, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    name_node = node.function
    if not isinstance(name_node, ast.Name):
        return dynamic_call(c, c.expr(name_node), node.args, node.line), None
    name, certain = c.names.function(name_node)
    is_assert = not node.args.convert
    if not certain and c.names.current is not None:
        if lower(name_node.text) == "assert" and is_assert:
            return _assert_call(c, node, name, None), None
        return _namespaced_call(c, name, node.args, node.line), None
    key = lower(name)
    callee = known_function(c, key)
    if callee is not None and key == "assert" and is_assert:
        return _assert_call(c, node, key, callee), None
    if callee is None or not is_finished(callee):
        return dynamic_call(c, Const(to_bytes(name)), node.args, node.line), None
    if not node.args.convert and isinstance(callee, InternalFunction):
        compiled = special.compile_special(c, key, node.args, fetch)
        if compiled is not None:
            return compiled, None
    c.emit(Opcode.INIT_FCALL).op2 = c.string(key)
    return finish_call(c, node.args, callee, node.line), None


def _namespaced_call(c: Compiler, name: str, args: ast.Args, line: int) -> ZNode:
    """A call of an unqualified name in a namespace: the namespace's function or the global one."""
    c.emit(Opcode.INIT_NS_FCALL_BY_NAME).op2 = _namespaced_literals(c, name)
    return finish_call(c, args, None, line)


def _namespaced_literals(c: Compiler, name: str) -> Operand:
    operand = name_literals(c, name)
    if "\\" in name:
        c.string(lower(name.rpartition("\\")[2]))
    return operand


def _assert_call(c: Compiler, node: ast.Call, name: str, callee: Callee) -> ZNode:
    """``assert(…)``: skipped altogether when assertions are off; its source text is the default message."""
    if c.memoize != Memoize.NONE:
        return c.memoized(node)
    check = c.next_op
    c.emit(Opcode.ASSERT_CHECK)
    if callee is not None:
        c.emit(Opcode.INIT_FCALL).op2 = c.string(name)
    else:
        c.emit(Opcode.INIT_NS_FCALL_BY_NAME).op2 = _namespaced_literals(c, name)
    if len(node.args.items) == 1:
        node.args.items.append(_assert_message(c, node))
    result = finish_call(c, node.args, callee, node.line)
    op = c.function.ops[check]
    op.op2 = word(c.next_op)
    op.result = c.operand(result)
    return result


def _assert_message(c: Compiler, node: ast.Call) -> Node:
    """The condition's source as a second argument."""
    (condition,) = node.args.items
    try:
        text = b"assert(" + export(condition) + b")"
    except CannotExport as reason:
        raise c.unsupported(f"assert() without a message of {reason}", node) from None
    message = ast.Literal(node.where._replace(line=c.line), text)
    return ast.NamedArg(message.where, "description", message) if isinstance(condition, ast.NamedArg) else message


def _method_call(c: Compiler, node: ast.MethodCall, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    checkpoint = len(c.short_circuits)
    base = object_of(c, node.base)
    on_this = base is not None and isinstance(base, Operand) and base.kind == OpKind.UNUSED
    if base is None:
        mark_inner(node.base)
        base = c.expr(node.base)
        if node.nullsafe:
            emit_jmp_null(c, base, fetch)
    name = c.expr(node.name)
    op = c.emit(Opcode.INIT_METHOD_CALL, base)
    callee: Callee = None
    if isinstance(name, Const):
        if not isinstance(name.value, bytes):
            c.error("Method name must be a string")
        method = to_text(name.value)
        op.op2 = name_literals(c, method)
        if on_this and c.class_scope is not None and fold.scope_known(c):
            found = c.class_scope.methods.get(lower(method))
            if found is not None and found.modifiers & {"private", "final"}:
                callee = found
    else:
        op.op2 = c.operand(name)
    result = finish_call(c, node.args, callee, node.name.line)
    if node.args.convert and len(c.short_circuits) != checkpoint:
        c.error("Cannot combine nullsafe operator with Closure creation")
    return result, None


def _static_call(c: Compiler, node: ast.StaticCall, fetch: Fetch, by_ref: bool) -> tuple[ZNode, Op | None]:
    mark_inner(node.class_)
    class_ = class_reference(c, node.class_, FETCH_CLASS_EXCEPTION)
    name = c.expr(node.name)
    method: str | None = None
    if isinstance(name, Const):
        if not isinstance(name.value, bytes):
            c.error("Method name must be a string")
        method = to_text(name.value)
    op = c.emit(Opcode.INIT_STATIC_METHOD_CALL)
    op.op1 = class_operand(c, class_)
    callee: Callee = None
    if method is None:
        op.op2 = c.operand(name)
    elif lower(method) != "__construct":
        op.op2 = name_literals(c, method)
        scope = _static_scope(c, class_)
        if scope is not None:
            callee = _accessible_method(c, scope, lower(method))
    return finish_call(c, node.args, callee, node.name.line), None


def _static_scope(c: Compiler, class_: ZNode) -> ClassScope | None:
    """The class of a static call, if it is one of this file."""
    if isinstance(class_, Const):
        assert isinstance(class_.value, bytes)
        key = to_text(class_.value.lower())
        if key in c.classes:
            return c.classes[key]
        scope = c.class_scope
        return scope if scope is not None and lower(scope.name) == key else None
    if class_.kind == OpKind.UNUSED and class_.num & FETCH_CLASS_MASK == FETCH_CLASS_SELF and fold.scope_known(c):
        return c.class_scope
    return None


def _accessible_method(c: Compiler, scope: ClassScope, name: str) -> UserFunction | None:
    """A method that may be called from here for certain (zend_get_compatible_func_or_null)."""
    found = scope.methods.get(name)
    if found is None or scope is c.class_scope or not found.modifiers & {"private", "protected"}:
        return found
    return None


def _new(c: Compiler, node: ast.New) -> ZNode:
    if isinstance(node.class_, ast.ClassDecl):
        class_ = c.expr(node.class_)
    else:
        class_ = class_reference(c, node.class_, FETCH_CLASS_EXCEPTION)
    result = c.emit_var(Opcode.NEW)
    c.function.ops[-1].op1 = class_operand(c, class_)
    c.free(finish_call(c, node.args, None, node.line))
    return result


def _clone(c: Compiler, node: ast.Clone) -> ZNode:
    value = c.expr(node.value)
    return c.emit_tmp(Opcode.CLONE, value)


def _shell_exec(c: Compiler, node: ast.ShellExec) -> ZNode:
    name = ast.Name(node.where._replace(line=c.line), "shell_exec", ast.NameForm.FULL)
    return c.expr(ast.Call(name.where, name, ast.Args(node.where, [node.value])))


EXPRESSIONS: ExpressionTable = {
    ast.New: _new,
    ast.Clone: _clone,
    ast.ShellExec: _shell_exec,
}
VARIABLES: VariableTable = {
    ast.Call: _call,
    ast.MethodCall: _method_call,
    ast.StaticCall: _static_call,
}
