"""Functions, closures and arrow functions (Zend/zend_compile.c: zend_compile_func_decl, _params, _closure_binding,
_closure_uses, find_implicit_binds)."""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.op_array import NO_TYPE, ArgInfo, FnFlags, OpArray, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_EXPLICIT, BIND_IMPLICIT, BIND_REF, RETURNS_FUNCTION, RETURNS_VALUE, word
from ssa2llvm.ir.types import MAY_BE_CALLABLE, MAY_BE_DOUBLE, MAY_BE_NEVER, MAY_BE_OBJECT, MAY_BE_STRING, MAY_BE_VOID
from ssa2llvm.php import ast
from ssa2llvm.php.ast import FunctionKind, Node
from ssa2llvm.php.internals import AUTO_GLOBALS, internal_function
from ssa2llvm.php.lower.attributes import check_attributes
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, ExpressionTable, Fetch, StatementTable, ZNode
from ssa2llvm.php.lower.const_expr import constant_expression
from ssa2llvm.php.lower.control import bind_static
from ssa2llvm.php.lower.finish import finish_function
from ssa2llvm.php.lower.namespaces import lower
from ssa2llvm.php.lower.state import ClassScope, FunctionState, UserFunction
from ssa2llvm.php.lower.types import accepts, check_return, compile_type, make_type, type_number
from ssa2llvm.php.lower.variables import is_call, is_variable, reject_short_circuit
from ssa2llvm.values.host import Level
from ssa2llvm.values.types import is_int, to_bytes

_MODIFIER_FLAGS = {
    "static": FnFlags.STATIC,
    "abstract": FnFlags.ABSTRACT,
    "final": FnFlags.FINAL,
    "public": FnFlags.PUBLIC,
    "protected": FnFlags.PROTECTED,
    "private": FnFlags.PRIVATE,
}
_DEFAULT_TYPE_NAMES = {1: "null", 2: "bool", 3: "bool", 4: "int", 5: "float", 6: "string", 7: "array"}
CLOSURE_KINDS = (FunctionKind.CLOSURE, FunctionKind.ARROW)


def modifier_flags(modifiers: frozenset[str]) -> FnFlags:
    """FnFlags of the modifiers."""
    flags = FnFlags.NONE
    for modifier in modifiers:
        flags |= _MODIFIER_FLAGS.get(modifier, FnFlags.NONE)
    return flags


def new_state(c: Compiler, node: ast.FunctionDecl, name: str, scope: ClassScope | None) -> FunctionState:
    """A fresh function with the flags of its declaration."""
    state = FunctionState(name, closure=node.kind in CLOSURE_KINDS, scope=scope)
    state.flags = c.function.flags & FnFlags.STRICT_TYPES
    state.flags |= modifier_flags(node.modifiers)
    if node.by_ref:
        state.flags |= FnFlags.RETURNS_REFERENCE
    if node.generator:
        state.flags |= FnFlags.GENERATOR
    if state.closure:
        state.flags |= FnFlags.CLOSURE
    state.line_start, state.line_end, state.offset = node.line, node.end_line, node.where.offset
    return state


def declare_top_level(c: Compiler, node: ast.FunctionDecl) -> OpArray:
    """A function at the top level: compiled when reached, known to later calls only when complete."""
    name = _declared_name(c, node)
    key = lower(name)
    state = new_state(c, node, name, None)
    function = UserFunction(name, [], 0, False, node.line)

    def register() -> None:
        known = c.functions.get(key)
        if known is not None or internal_function(key) is not None:
            c.line = node.line
            where = f" (previously declared in {c.filename}:{known.line})" if known is not None else ""
            c.error(f"Cannot redeclare {name}(){where}")
        c.functions[key] = function

    return compile_body(c, node, state, function, register=register)


def _declared_name(c: Compiler, node: ast.FunctionDecl) -> str:
    name = c.names.prefix(node.name)
    key = lower(name)
    imported = c.names.imports["function"].get(lower(node.name))
    if imported is not None and lower(imported) != key:
        c.error(f"Cannot declare function {name} because the name is already in use")
    if key == "__autoload":
        c.error("__autoload() is no longer supported, use spl_autoload_register() instead")
    if lower(node.name) == "assert":
        c.error("Defining a custom assert() function is not allowed, as the function has special semantics")
    c.names.declare(key, "function")
    return name


def _statement(c: Compiler, node: ast.FunctionDecl) -> None:
    """A function inside a block or another function, declared when control reaches it; or a closure nobody uses."""
    if node.kind != FunctionKind.FUNCTION:
        c.free(c.expr(node))
        return
    name = _declared_name(c, node)
    number = _reserve_definition(c)
    c.emit(Opcode.DECLARE_FUNCTION, Const(to_bytes(lower(name)))).op2 = word(number)
    state = new_state(c, node, name, None)
    function = UserFunction(name, [], 0, False, node.line)
    outer_scope, c.class_scope = c.class_scope, None
    c.function.dynamic_defs[number] = compile_body(c, node, state, function)
    c.class_scope = outer_scope


def _reserve_definition(c: Compiler) -> int:
    """A number for a function defined at run time; its op array follows when it is compiled."""
    c.function.dynamic_defs.append(OpArray(""))
    return len(c.function.dynamic_defs) - 1


def _closure(c: Compiler, node: ast.FunctionDecl) -> ZNode:
    name = c.names.prefix(node.name)
    c.names.declare(lower(name), "function")
    number = _reserve_definition(c)
    result = c.emit_tmp(Opcode.DECLARE_LAMBDA_FUNCTION)
    c.function.ops[-1].op2 = word(number)
    state = new_state(c, node, name, None)
    implicit: list[str] = []
    if node.kind == FunctionKind.ARROW:
        implicit = _implicit_binds(node)
        for variable in implicit:
            _bind_lexical(c, result, variable, BIND_IMPLICIT)
    elif node.uses is not None:
        _bind_uses(c, result, node.uses)
    function = UserFunction(name, [], 0, False, node.line)
    c.function.dynamic_defs[number] = compile_body(c, node, state, function, implicit)
    return result


def _bind_lexical(c: Compiler, closure: ZNode, name: str, mode: int) -> None:
    c.emit(Opcode.BIND_LEXICAL, closure, c.cv(name), mode)


def _bind_uses(c: Compiler, closure: ZNode, uses: list[ast.ClosureUse]) -> None:
    """Hand the variables of ``use (…)`` to the closure."""
    names: set[str] = set()
    for use in uses:
        if use.name == "this":
            c.error("Cannot use $this as lexical variable")
        if use.name in AUTO_GLOBALS:
            c.error("Cannot use auto-global as lexical variable")
        if use.name in names:
            c.error(f"Cannot use variable ${use.name} twice")
        names.add(use.name)
        c.at(use)
        _bind_lexical(c, closure, use.name, BIND_REF if use.by_ref else 0)


def _implicit_binds(node: ast.FunctionDecl) -> list[str]:
    """The outer variables that an arrow function's body names, in order (find_implicit_binds)."""
    found: dict[str, None] = {}
    pending: list[Node] = [node.body] if node.body is not None else []
    while pending:
        current = pending.pop()
        if isinstance(current, ast.Variable) and isinstance(current.name, ast.Literal):
            if isinstance(current.name.value, bytes):
                name = current.name.value.decode("utf-8", "surrogateescape")
                if name not in AUTO_GLOBALS and name != "this":
                    found.setdefault(name)
            continue
        if isinstance(current, ast.FunctionDecl):
            if current.kind == FunctionKind.CLOSURE:
                for use in current.uses or ():
                    found.setdefault(use.name)
            elif current.kind == FunctionKind.ARROW and current.body is not None:
                pending.append(current.body)
            continue
        if isinstance(current, ast.ClassDecl):
            continue
        pending.extend(reversed(list(current.children())))
    params = {param.name for param in node.params}
    return [name for name in found if name not in params]


def compile_body(
    c: Compiler,
    node: ast.FunctionDecl,
    state: FunctionState,
    function: UserFunction,
    implicit: list[str] | None = None,
    register: Callable[[], None] | None = None,
) -> OpArray:
    """Compile a function to its end; ``register`` is called after its body, before its last instructions."""
    outer = c.function
    outer_memo, c.memo = c.memo, {}
    c.function = state
    check_attributes(c, node.attributes)
    fallback = make_type(MAY_BE_STRING) if state.scope is not None and lower(node.name) == "__tostring" else NO_TYPE
    _params(c, node, fallback)
    function.params = state.arg_info
    function.num_args = state.num_args
    function.variadic = bool(state.flags & FnFlags.VARIADIC)
    if state.flags & FnFlags.GENERATOR:
        check_generator(c)
        c.emit(Opcode.GENERATOR_CREATE).offset = node.where.offset
    for name in implicit or ():
        bind_static(c, name, None, BIND_IMPLICIT)
    if node.uses:
        _closure_uses(c, node.uses)
    body = node.body
    if node.kind == FunctionKind.ARROW and body is not None:
        if not state.return_type.mask & MAY_BE_NEVER:
            body = ast.Return(body.where, body)
    c.stmt(body)
    if register is not None:
        register()
    c.line = node.end_line
    final_return(c, Const(None))
    op_array = finish_function(c)
    function.done = True
    function.op_array = op_array
    c.function = outer
    c.memo = outer_memo
    return op_array


def _closure_uses(c: Compiler, uses: list[ast.ClosureUse]) -> None:
    for use in uses:
        if use.name in c.function.cvs:
            c.error(f"Cannot use lexical variable ${use.name} as a parameter name")
        c.at(use)
        bind_static(c, use.name, None, BIND_EXPLICIT | (BIND_REF if use.by_ref else 0))


def final_return(c: Compiler, value: Const) -> None:
    """The implicit return at the end (zend_emit_final_return)."""
    function = c.function
    if function.flags & FnFlags.HAS_RETURN_TYPE and not function.flags & FnFlags.GENERATOR:
        if function.return_type.mask & MAY_BE_NEVER:
            c.emit(Opcode.VERIFY_NEVER_TYPE)
            return
        check_return(c, None, True)
    by_ref = bool(function.flags & FnFlags.RETURNS_REFERENCE)
    if by_ref:
        c.emit(Opcode.RETURN_BY_REF, value, ext=RETURNS_FUNCTION | RETURNS_VALUE)
    else:
        c.emit(Opcode.RETURN, value)


def check_generator(c: Compiler) -> None:
    """A generator's declared return type must admit a Generator (zend_mark_function_as_generator)."""
    function = c.function
    if function.is_main:
        c.error('The "yield" expression can only be used inside a function')
    if function.flags & FnFlags.HAS_RETURN_TYPE:
        declared = function.return_type
        names = {lower(name) for name in declared.class_names}
        if not declared.mask & MAY_BE_OBJECT and not names & {"traversable", "iterator", "generator"}:
            c.error(f"Generator return type must be a supertype of Generator, {declared.text} given")
    function.flags |= FnFlags.GENERATOR


# -- parameters ------------------------------------------------------------------------------------------------------


def _params(c: Compiler, node: ast.FunctionDecl, fallback: TypeDecl) -> None:
    function = c.function
    if node.return_type is not None or fallback.is_set:
        function.return_type = compile_type(c, node.return_type) if node.return_type is not None else fallback
        function.flags |= FnFlags.HAS_RETURN_TYPE
        if function.return_type.mask & MAY_BE_VOID and function.flags & FnFlags.RETURNS_REFERENCE:
            c.report(Level.DEPRECATED, "Returning by reference from a void function is deprecated")
    params = node.params
    last_required = max((i for i, p in enumerate(params) if p.default is None and not p.variadic), default=-1)
    for position, param in enumerate(params):
        _param(c, param, position, params[last_required].name if position < last_required else None)
    function.num_args = len(params) - (1 if function.flags & FnFlags.VARIADIC else 0)
    for param in params:
        if param.modifiers:
            opcode = Opcode.ASSIGN_OBJ_REF if param.by_ref else Opcode.ASSIGN_OBJ
            op = c.emit(opcode)
            op.op2 = c.string(param.name)
            c.emit(Opcode.OP_DATA, c.cv(param.name))


def _param(c: Compiler, param: ast.Param, position: int, required_after: str | None) -> None:
    """One parameter: its RECV and its description."""
    function = c.function
    if param.name in AUTO_GLOBALS:
        c.error(f"Cannot re-assign auto-global variable {param.name}")
    cv = c.cv(param.name)
    if cv.num != position:
        c.error(f"Redefinition of parameter ${param.name}")
    if param.name == "this":
        c.error("Cannot use $this as parameter")
    if function.flags & FnFlags.VARIADIC:
        c.error("Only the last parameter can be variadic")
    opcode = Opcode.RECV
    default: object = None
    if param.variadic:
        opcode = Opcode.RECV_VARIADIC
        function.flags |= FnFlags.VARIADIC
        if param.default is not None:
            c.error("Variadic parameter cannot have a default value")
    elif param.default is not None:
        opcode, default = _default(c, param, required_after)
    else:
        function.required_num_args = position + 1
    check_attributes(c, param.attributes)
    declared = NO_TYPE
    if param.type is not None:
        declared, default = _param_type(c, param, default)
    op = c.emit(opcode, word(position + 1), Const(default) if opcode == Opcode.RECV_INIT else NOTHING)
    op.result, op.offset = cv, param.where.offset
    text = ""
    if opcode == Opcode.RECV_INIT and isinstance(default, ConstAst):
        text = default.text
    function.arg_info.append(ArgInfo(param.name, declared, param.by_ref, param.variadic, text))
    if param.modifiers:
        _promote(c, param, declared)


def _default(c: Compiler, param: ast.Param, required_after: str | None) -> tuple[Opcode, object]:
    """The default value; a required parameter behind it makes this one required too."""
    assert param.default is not None
    c.substitute_constants = False
    default = constant_expression(c, param.default, allow_dynamic=True)
    c.substitute_constants = True
    if required_after is None:
        return Opcode.RECV_INIT, default
    implicitly_nullable = param.type is not None and not getattr(param.type, "nullable", False) and default is None
    if not implicitly_nullable:
        c.report(
            Level.DEPRECATED,
            f"Optional parameter ${param.name} declared before required parameter ${required_after} "
            "is implicitly treated as a required parameter",
        )
    return Opcode.RECV, default


def _param_type(c: Compiler, param: ast.Param, default: object) -> tuple[TypeDecl, object]:
    """The declared type, and the default converted to it (an int default of a float parameter)."""
    assert param.type is not None
    c.function.flags |= FnFlags.HAS_TYPE_HINTS
    has_default = param.default is not None and not param.variadic
    force_nullable = has_default and default is None and not param.modifiers
    declared = compile_type(c, param.type, force_nullable)
    if declared.mask & MAY_BE_VOID:
        c.error("void cannot be used as a parameter type")
    if declared.mask & MAY_BE_NEVER:
        c.error("never cannot be used as a parameter type")
    if has_default and not isinstance(default, ConstAst) and not force_nullable and not accepts(declared, default):
        if declared.mask & MAY_BE_DOUBLE and is_int(default):
            return declared, float(default)
        kind = _DEFAULT_TYPE_NAMES[type_number(default)]
        c.error(f"Cannot use {kind} as default value for parameter ${param.name} of type {declared.text}")
    return declared, default


def _promote(c: Compiler, param: ast.Param, declared: TypeDecl) -> None:
    """A constructor parameter that declares a property."""
    scope = c.function.scope
    if scope is None or lower(c.function.name) != "__construct":
        c.error("Cannot declare promoted property outside a constructor")
    if c.function.flags & FnFlags.ABSTRACT or scope.kind == "interface":
        c.error("Cannot declare promoted property in an abstract constructor")
    if param.variadic:
        c.error("Cannot declare variadic promoted property")
    if param.name in scope.properties:
        c.error(f"Cannot redeclare {scope.name}::${param.name}")
    if declared.mask & MAY_BE_CALLABLE:
        c.error(f"Property {scope.name}::${param.name} cannot have type {declared.text}")
    readonly = "readonly" in param.modifiers or "readonly" in scope.modifiers
    if readonly and not declared.is_set:
        c.error(f"Readonly property {scope.name}::${param.name} must have type")
    scope.properties.add(param.name)
    scope.promoted.append((param.name, declared, param.modifiers))


# -- generators ------------------------------------------------------------------------------------------------------


def _yield(c: Compiler, node: ast.Yield) -> ZNode:
    by_ref = bool(c.function.flags & FnFlags.RETURNS_REFERENCE)
    check_generator(c)
    key = c.expr(node.key) if node.key is not None else NOTHING
    value: ZNode = NOTHING
    if node.value is not None:
        if by_ref and is_variable(node.value):
            reject_short_circuit(c, node.value)
            value, _ = c.var(node.value, Fetch.W, True)
        else:
            value = c.expr(node.value)
    source = 1 if node.value is not None and by_ref and is_call(node.value) else 0
    return c.emit_var(Opcode.YIELD, value, key, source)


def _yield_from(c: Compiler, node: ast.YieldFrom) -> ZNode:
    check_generator(c)
    if c.function.flags & FnFlags.RETURNS_REFERENCE:
        c.error('Cannot use "yield from" inside a by-reference generator')
    value = c.expr(node.value)
    return c.emit_tmp(Opcode.YIELD_FROM, value)


EXPRESSIONS: ExpressionTable = {
    ast.FunctionDecl: _closure,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
STATEMENTS: StatementTable = {ast.FunctionDecl: _statement}
