"""Statements: echo, loops, if, break and continue, goto, return, unset, global, static, declare.

Zend/zend_compile.c: zend_compile_while, _do_while, _for, _foreach, _if, _break_continue, _goto, _label, _return,
_unset, _global_var, _static_var, _declare.  Loops are rotated: a jump to the condition at the bottom, which jumps
back.  ``break``, ``continue`` and ``goto`` get their targets when the function is finished; what they leave (loop
variables, finally blocks) is freed or called here (``unwind``).
"""

from __future__ import annotations

from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import FnFlags, Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    BIND_REF,
    FETCH_GLOBAL,
    FETCH_GLOBAL_LOCK,
    FREE_ON_RETURN,
    RETURNS_FUNCTION,
    RETURNS_VALUE,
    Operand,
    OpKind,
    word,
)
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.lower import fold
from ssa2llvm.php.lower.assign import assign_ref_to, assign_to, list_assign, propagate_references
from ssa2llvm.php.lower.compiler import NOTHING, Compiler, Const, Emitted, Fetch, StatementTable, ZNode, exact
from ssa2llvm.php.lower.const_expr import constant_expression
from ssa2llvm.php.lower.state import BreakTarget, JumpLabel, LoopVar, LoopVarKind
from ssa2llvm.php.lower.types import check_return
from ssa2llvm.php.lower.variables import (
    can_write_to,
    dim,
    ensure_writable,
    fetch_by_name,
    is_call,
    is_global_element,
    is_short_circuited,
    is_this,
    is_variable,
    prop,
    reject_short_circuit,
    separate_call,
    static_prop,
    try_cv,
)
from ssa2llvm.values.convert import to_int
from ssa2llvm.values.host import Host, Level
from ssa2llvm.values.types import is_int, to_bytes

BREAK, CONTINUE, GOTO = "break", "continue", "goto"


# -- leaving loops and try blocks ------------------------------------------------------------------------------------


def begin_loop(c: Compiler, opcode: Opcode, variable: ZNode | None, is_switch: bool = False) -> None:
    """Enter a loop or switch; ``variable`` is freed by ``opcode`` when it is left (zend_begin_loop)."""
    function = c.function
    frees = isinstance(variable, Operand) and variable.is_temp
    function.break_targets.append(BreakTarget(function.current_break, is_switch, frees))
    function.current_break = len(function.break_targets) - 1
    if frees:
        assert isinstance(variable, Operand)
        function.loop_vars.append(LoopVar(LoopVarKind.FREE, opcode, variable))
    else:
        function.loop_vars.append(LoopVar(LoopVarKind.NONE))


def end_loop(c: Compiler, continue_at: int) -> None:
    """Leave it; ``break`` goes to the next instruction."""
    function = c.function
    target = function.break_targets[function.current_break]
    target.continue_at = continue_at
    target.break_at = c.next_op
    function.current_break = target.parent
    function.loop_vars.pop()


def unwind(c: Compiler, depth: int | None, value: ZNode | None = None) -> bool:
    """Emit what leaving ``depth`` loops needs (None: the function); False if there are not so many.

    Of the last loop nothing is freed: the jump goes to the end of that loop, where it is freed anyway.
    """
    everything = depth is None
    left = 0 if depth is None else depth
    for loop_var in reversed(c.function.loop_vars):
        if loop_var.kind == LoopVarKind.FAST_CALL:
            op = c.emit(Opcode.FAST_CALL, word(loop_var.try_catch))
            op.result = loop_var.operand
            if value is not None:
                op.op2 = c.operand(value)
        elif loop_var.kind == LoopVarKind.DISCARD_EXCEPTION:
            c.emit(Opcode.DISCARD_EXCEPTION, loop_var.operand)
        else:
            if not everything:
                if left <= 1:
                    return True
                left -= 1
            if loop_var.kind == LoopVarKind.FREE:
                c.emit(loop_var.opcode, loop_var.operand, ext=FREE_ON_RETURN)
    return everything or left == 0


def _in_finally(c: Compiler) -> bool:
    return any(loop_var.kind == LoopVarKind.FAST_CALL for loop_var in c.function.loop_vars)


def _break_continue(c: Compiler, node: ast.BreakContinue) -> None:
    word_ = BREAK if node.is_break else CONTINUE
    depth = 1
    if node.depth is not None:
        if not isinstance(node.depth, ast.Literal):
            c.error(f"'{word_}' operator with non-integer operand is no longer supported")
        value = node.depth.value
        if not is_int(value) or value < 1:
            c.error(f"'{word_}' operator accepts only positive integers")
        depth = value
    function = c.function
    if function.current_break == -1:
        c.error(f"'{word_}' not in the 'loop' or 'switch' context")
    if not unwind(c, depth):
        c.error(f"Cannot '{word_}' {depth} level{'' if depth == 1 else 's'}")
    if not node.is_break:
        _warn_continue_switch(c, depth)
    c.emit(Opcode.JMP, word(function.current_break), word(depth))
    c.function.pending_jumps.append((c.next_op - 1, word_))


def _warn_continue_switch(c: Compiler, depth: int) -> None:
    targets = c.function.break_targets
    current = c.function.current_break
    for _ in range(depth - 1):
        current = targets[current].parent
    if not targets[current].is_switch:
        return
    level = "" if depth == 1 else f" {depth}"
    message = f'"continue{level}" targeting switch is equivalent to "break{level}"'
    if targets[current].parent != -1:
        message += f'. Did you mean to use "continue {depth + 1}"?'
    c.report(Level.WARNING, message)


def _goto(c: Compiler, node: ast.Goto) -> None:
    start = c.next_op
    label = Const(to_bytes(node.label))
    unwind(c, None)
    op = c.emit(Opcode.JMP, NOTHING, label, c.function.current_break)
    op.op1 = word(c.next_op - start - 1)
    c.function.pending_jumps.append((c.next_op - 1, GOTO))


def _label(c: Compiler, node: ast.Label) -> None:
    if node.name in c.function.labels:
        c.error(f"Label '{node.name}' already defined")
    c.function.labels[node.name] = JumpLabel(c.function.current_break, c.next_op)


def _return(c: Compiler, node: ast.Return) -> None:
    function = c.function
    is_generator = bool(function.flags & FnFlags.GENERATOR)
    by_ref = bool(function.flags & FnFlags.RETURNS_REFERENCE) and not is_generator
    value_node = node.value
    value: ZNode
    if value_node is None:
        value = Const(None)
    elif by_ref and is_variable(value_node):
        reject_short_circuit(c, value_node)
        value, _ = c.var(value_node, Fetch.W, True)
    else:
        value = c.expr(value_node)
    if function.has_finally and isinstance(value, Operand) and _in_finally(c):
        if value.is_cv or (by_ref and value.kind == OpKind.VAR):
            value = c.emit_var(Opcode.MAKE_REF, value) if by_ref else c.emit_tmp(Opcode.QM_ASSIGN, value)
    if not is_generator and function.flags & FnFlags.HAS_RETURN_TYPE:
        value = check_return(c, value if value_node is not None else None, False) or value
    is_temporary = isinstance(value, Operand) and value.is_temp
    unwind(c, None, value if is_temporary else None)
    op = c.emit(Opcode.RETURN_BY_REF if by_ref else Opcode.RETURN, value)
    if by_ref and value_node is not None:
        if is_call(value_node):
            op.extended_value = RETURNS_FUNCTION
        elif not is_variable(value_node) or is_short_circuited(value_node):
            op.extended_value = RETURNS_VALUE


# -- simple statements -----------------------------------------------------------------------------------------------


def _block(c: Compiler, node: ast.Block) -> None:
    for item in node.items:
        c.stmt(item)


def _echo(c: Compiler, node: ast.Echo) -> None:
    value = c.expr(node.value)
    c.emit(Opcode.ECHO, value)


def _global(c: Compiler, node: ast.Global) -> None:
    variable = node.variable
    name = c.expr(variable.name)
    if isinstance(name, Const):
        name = Const(fold.text(name.value))
    if is_this(variable):
        c.error("Cannot use $this as global variable")
    cv = try_cv(c, variable)
    if cv is not None:
        c.emit(Opcode.BIND_GLOBAL, cv, name)
        return
    place = c.emit_var(Opcode.FETCH_W, name, ext=FETCH_GLOBAL_LOCK)
    assign_ref_to(c, ast.Variable(variable.where, Emitted(variable.where, name)), place)


def bind_static(c: Compiler, name: str, value: Literal, mode: int) -> None:
    """A static variable, or one that a closure takes along (zend_compile_static_var_common)."""
    c.function.static_vars[name] = value
    if name == "this":
        c.error("Cannot use $this as static variable")
    c.emit(Opcode.BIND_STATIC, c.cv(name), ext=mode)


def _static(c: Compiler, node: ast.StaticVar) -> None:
    value: object = None
    if node.value is not None:
        value = constant_expression(c, node.value, allow_dynamic=True)
    bind_static(c, node.name, exact(value), BIND_REF)


def _unset(c: Compiler, node: ast.Unset) -> None:
    target = node.variable
    ensure_writable(c, target)
    op: Op | None
    if is_global_element(target):
        assert isinstance(target, ast.Dim)
        if target.index is None:
            c.error("Cannot use [] for unsetting")
        name = c.expr(target.index)
        if isinstance(name, Const):
            name = Const(fold.text(name.value))
        c.emit(Opcode.UNSET_VAR, name, ext=FETCH_GLOBAL)
    elif isinstance(target, ast.Variable):
        if is_this(target):
            c.error("Cannot unset $this")
        cv = try_cv(c, target)
        if cv is not None:
            c.emit(Opcode.UNSET_CV, cv)
        else:
            _, op = fetch_by_name(c, target, Fetch.UNSET, False, result=False)
            op.opcode = Opcode.UNSET_VAR
    else:
        if isinstance(target, ast.Dim):
            _, op = dim(c, target, Fetch.UNSET, False, result=False)
            opcode = Opcode.UNSET_DIM
        elif isinstance(target, ast.Prop):
            _, op = prop(c, target, Fetch.UNSET, False, result=False)
            opcode = Opcode.UNSET_OBJ
        else:
            assert isinstance(target, ast.StaticProp)
            _, op = static_prop(c, target, Fetch.UNSET, False, result=False)
            opcode = Opcode.UNSET_STATIC_PROP
        assert op is not None
        op.opcode = opcode
        op.extended_value = 0


def _declare(c: Compiler, node: ast.Declare) -> None:
    outer_ticks = c.ticks
    for item in node.items:
        if not isinstance(item.value, ast.Literal):
            c.error(f"declare({item.name}) value must be a literal")
        name = item.name.lower()
        if name == "ticks":
            value = item.value.value
            assert value is None or isinstance(value, (bool, int, float, bytes))
            c.ticks = to_int(value, Host())
        elif name == "encoding":
            if not is_first_statement(c, node):
                c.error("Encoding declaration pragma must be the very first statement in the script")
        elif name == "strict_types":
            if not is_first_statement(c, node):
                c.error("strict_types declaration must be the very first statement in the script")
            if node.body is not None:
                c.error("strict_types declaration must not use block mode")
            if not is_int(item.value.value) or item.value.value not in (0, 1):
                c.error("strict_types declaration must have 0 or 1 as its value")
            if item.value.value:
                c.function.flags |= FnFlags.STRICT_TYPES
        else:
            c.report(Level.WARNING, f"Unsupported declare '{item.name}'")
    if node.body is not None:
        c.stmt(node.body)
        c.ticks = outer_ticks


def is_first_statement(c: Compiler, node: Node, allow_empty: bool = False) -> bool:
    """Whether only declares stand before ``node`` (zend_is_first_statement)."""
    for item in c.tree.items:
        if item is node:
            return True
        if item is None:
            if not allow_empty:
                return False
        elif not isinstance(item, ast.Declare):
            return False
    return False


# -- loops and conditionals ------------------------------------------------------------------------------------------


def _while(c: Compiler, node: ast.While) -> None:
    entry = c.jump()
    begin_loop(c, Opcode.NOP, None)
    start = c.next_op
    c.stmt(node.body)
    condition_at = c.next_op
    c.patch(entry)
    condition = c.expr(node.condition)
    c.branch(Opcode.JMPNZ, condition, start)
    end_loop(c, condition_at)


def _do_while(c: Compiler, node: ast.DoWhile) -> None:
    begin_loop(c, Opcode.NOP, None)
    start = c.next_op
    c.stmt(node.body)
    condition_at = c.next_op
    condition = c.expr(node.condition)
    c.branch(Opcode.JMPNZ, condition, start)
    end_loop(c, condition_at)


def _expression_list(c: Compiler, items: list[Node]) -> ZNode:
    """Expressions of which only the last one's value counts; none is true."""
    result: ZNode = Const(True)
    for item in items:
        c.free(result)
        result = c.expr(item)
    return result


def _for(c: Compiler, node: ast.For) -> None:
    c.free(_expression_list(c, node.init))
    entry = c.jump()
    begin_loop(c, Opcode.NOP, None)
    start = c.next_op
    c.stmt(node.body)
    step_at = c.next_op
    c.free(_expression_list(c, node.step))
    c.patch(entry)
    condition = _expression_list(c, node.condition)
    c.branch(Opcode.JMPNZ, condition, start)
    end_loop(c, step_at)


def _foreach(c: Compiler, node: ast.Foreach) -> None:
    if isinstance(node.key, ast.RefTarget):
        c.error("Key element cannot be a reference")
    if isinstance(node.key, ast.Array):
        c.error("Cannot use list as key element")
    target = node.value
    by_ref = isinstance(target, ast.RefTarget)
    if isinstance(target, ast.RefTarget):
        target = target.value
    if isinstance(target, ast.Array) and propagate_references(target):
        by_ref = True
    subject: ZNode
    if by_ref and is_variable(node.subject) and can_write_to(node.subject):
        subject, _ = c.var(node.subject, Fetch.W, True)
    else:
        subject = c.expr(node.subject)
    if by_ref:
        separate_call(c, subject, node.subject, Fetch.W)
    reset_at = c.next_op
    iterator = c.emit_var(Opcode.FE_RESET_RW if by_ref else Opcode.FE_RESET_R, subject)
    begin_loop(c, Opcode.FE_FREE, iterator)
    fetch_at = c.next_op
    fetch = c.emit(Opcode.FE_FETCH_RW if by_ref else Opcode.FE_FETCH_R, iterator)
    _bind_value(c, target, fetch, by_ref)
    if node.key is not None:
        fetch.result = c.temporary()
        assign_to(c, node.key, fetch.result)
    c.stmt(node.body)
    c.at(node)
    c.jump(fetch_at)
    c.function.ops[reset_at].op2 = word(c.next_op)
    fetch.extended_value = c.next_op
    end_loop(c, fetch_at)
    c.emit(Opcode.FE_FREE, iterator)


def _bind_value(c: Compiler, target: Node, fetch: Op, by_ref: bool) -> None:
    """Let FE_FETCH write the loop's variable, or a temporary that is assigned to it."""
    if is_this(target):
        c.error("Cannot re-assign $this")
    cv = try_cv(c, target) if isinstance(target, ast.Variable) else None
    if cv is not None:
        fetch.op2 = cv
        return
    value = c.temporary(OpKind.VAR)
    fetch.op2 = value
    if isinstance(target, ast.Array):
        list_assign(c, target, value)
        c.free(value)
    elif by_ref:
        assign_ref_to(c, target, value)
    else:
        assign_to(c, target, value)


def _if(c: Compiler, node: ast.If) -> None:
    to_end: list[int] = []
    for position, branch in enumerate(node.branches):
        if branch.condition is None:
            c.stmt(branch.body)
            continue
        if position > 0:
            c.at(branch.condition)
        condition = c.expr(branch.condition)
        to_next = c.branch(Opcode.JMPZ, condition)
        c.stmt(branch.body)
        if position != len(node.branches) - 1:
            c.at(branch)
            to_end.append(c.jump())
        c.patch(to_next)
    for opnum in to_end:
        c.patch(opnum)


STATEMENTS: StatementTable = {
    ast.Block: _block,
    ast.Echo: _echo,
    ast.Global: _global,
    ast.StaticVar: _static,
    ast.Unset: _unset,
    ast.Return: _return,
    ast.BreakContinue: _break_continue,
    ast.Goto: _goto,
    ast.Label: _label,
    ast.While: _while,
    ast.DoWhile: _do_while,
    ast.For: _for,
    ast.Foreach: _foreach,
    ast.If: _if,
    ast.Declare: _declare,
}
