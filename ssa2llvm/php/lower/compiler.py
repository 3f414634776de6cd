"""State of one compilation and the primitives that emit instructions (Zend/zend_compile.c: CG(), zend_emit_op and
kin).

A *node* is the compile-time result of an expression: an ``Operand`` (temporaries numbered from 0, moved behind the
CVs when the function is finished) or a ``Const``, whose literal is added only when an instruction uses it, each
time anew, as in Zend.

The line of an instruction is that of the expression or statement compiled last (``line``), which is deliberately
not restored after a subexpression: PHP's lines are made so.

Three mechanisms of Zend that the lowering functions rely on:

* *delayed* instructions: in ``$a[f()] = g()`` the write to ``$a`` comes after both calls. Fetches of a write
  context are collected in ``delayed`` and appended when the value has been compiled (``delayed_end``);
* *short circuits*: the ``?->`` of one chain all jump to its end; ``short_circuits`` collects their JMP_NULLs;
* *memoization*: ``$a[f()] ??= g()`` compiles its left side twice, but f() once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NoReturn, TypeAlias

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst, JumpTable, Literal
from ssa2llvm.ir.op_array import ClassDecl, Op, StaticVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    JMP_NULL_IN_EMPTY,
    JMP_NULL_IN_EXPR,
    JMP_NULL_IN_ISSET,
    UNUSED,
    Operand,
    OpKind,
    word,
)
from ssa2llvm.php import ast
from ssa2llvm.php.cursor import FATAL_ERROR, error_at
from ssa2llvm.php.lower.namespaces import Namespaces
from ssa2llvm.php.lower.state import ClassScope, FunctionState, UserFunction
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Level
from ssa2llvm.values.types import to_bytes


@dataclass(frozen=True, slots=True)
class Const:
    """A constant result: a PHP value, a ConstAst, or a finished ArrayConst."""

    value: object


ZNode: TypeAlias = Operand | Const
NOTHING = UNUSED


@dataclass(slots=True)
class Emitted(ast.Node):
    """A tree node that stands for a result computed already (ZEND_AST_ZNODE)."""

    node: ZNode


class Fetch(IntEnum):
    """Why a variable is fetched (Zend's BP_VAR_*); the number is the distance to the opcode for reading."""

    R = 0
    W = 1
    RW = 2
    IS = 3
    FUNC_ARG = 4
    UNSET = 5


class Memoize(IntEnum):
    """Modes of compiling the left side of ``??=``."""

    NONE = 0
    COMPILE = 1
    FETCH = 2


@dataclass(frozen=True, slots=True)
class CompileReport:
    """A warning or deprecation that PHP emits while compiling."""

    level: Level
    message: str
    line: int


ExpressionTable: TypeAlias = "dict[type[ast.Node], Callable[..., ZNode]]"
VariableTable: TypeAlias = "dict[type[ast.Node], Callable[..., tuple[ZNode, Op | None]]]"
StatementTable: TypeAlias = "dict[type[ast.Node], Callable[..., None]]"
_SHORT_CIRCUITED = (ast.Dim, ast.Prop, ast.StaticProp, ast.MethodCall, ast.StaticCall)


@dataclass(slots=True)
class Tables:
    """Lowering functions by node class. ``variables`` are those that can be fetched for other uses than reading."""

    expressions: ExpressionTable
    variables: VariableTable
    delayed: VariableTable
    statements: StatementTable


class Compiler:
    """Compiles one file."""

    def __init__(self, source: bytes, filename: str, tree: ast.Block, tables: Tables) -> None:
        self.source = source
        self.filename = filename
        self.tree = tree
        self.tables = tables
        self.line = 1
        self.offset = 0
        self.place = -1
        """Where the innermost node under way begins: the place of the instructions emitted for it."""
        self.names = Namespaces(self.error)
        self.function = FunctionState("", is_main=True)
        self.class_scope: ClassScope | None = None
        self.functions: dict[str, UserFunction] = {}
        self.classes: dict[str, ClassScope] = {}
        self.delayed: list[Op | int] = []
        self.short_circuits: list[int] = []
        self.memo: dict[int, ZNode] = {}
        self.memoize = Memoize.NONE
        self.substitute_constants = True
        self.known_constants: Mapping[str, object] = {}  # the program's own, when it is evaluated rather than compiled
        self.ticks = 0
        self.reports: list[CompileReport] = []
        self.class_serial = 0
        self.declared_classes: list[ClassDecl] = []

    # -- diagnostics -------------------------------------------------------------------------------------------------

    def at(self, node: ast.Node) -> None:
        """Move to the line of ``node``."""
        self.line, self.offset = node.where

    def error(self, message: str, kind: str = FATAL_ERROR) -> NoReturn:
        """PHP rejects the program at the current line."""
        raise error_at(self.source, self.filename, self.line, self.offset, message, kind)

    def unsupported(self, what: str, node: ast.Node) -> CompileError:
        """The diagnostic for valid PHP that is not compiled yet."""
        return error_at(self.source, self.filename, node.line, node.where.offset, f"{what} is not supported", "error")

    def report(self, level: Level, message: str) -> None:
        """PHP warns at the current line and goes on."""
        self.reports.append(CompileReport(level, message, self.line))

    # -- literals, variables, temporaries ------------------------------------------------------------------------------

    def literal(self, value: object) -> int:
        """Add a literal; return its index."""
        self.function.literals.append(exact(value))
        return len(self.function.literals) - 1

    def string(self, text: str) -> Operand:
        """A new string literal as an operand."""
        return Operand(OpKind.CONST, self.literal(to_bytes(text)))

    def operand(self, node: ZNode) -> Operand:
        """``node`` as an operand; a constant becomes a new literal."""
        return Operand(OpKind.CONST, self.literal(node.value)) if isinstance(node, Const) else node

    def cv(self, name: str) -> Operand:
        """The named variable."""
        cvs = self.function.cvs
        slot = cvs.get(name)
        if slot is None:
            slot = cvs[name] = len(cvs)
        return Operand(OpKind.CV, slot)

    def temporary(self, kind: OpKind = OpKind.TMP) -> Operand:
        """A fresh temporary."""
        self.function.temps += 1
        return Operand(kind, self.function.temps - 1)

    # -- instructions ------------------------------------------------------------------------------------------------

    @property
    def next_op(self) -> int:
        """Number of the instruction emitted next."""
        return len(self.function.ops)

    def emit(self, opcode: Opcode, op1: ZNode = NOTHING, op2: ZNode = NOTHING, ext: int = 0) -> Op:
        """Append an instruction without a result."""
        op = Op(opcode, self.operand(op1), self.operand(op2), UNUSED, ext, self.line, offset=self.place)
        self.function.ops.append(op)
        return op

    def emit_tmp(self, opcode: Opcode, op1: ZNode = NOTHING, op2: ZNode = NOTHING, ext: int = 0) -> Operand:
        """Append an instruction with a fresh TMP result."""
        op = self.emit(opcode, op1, op2, ext)
        op.result = self.temporary()
        return op.result

    def emit_var(self, opcode: Opcode, op1: ZNode = NOTHING, op2: ZNode = NOTHING, ext: int = 0) -> Operand:
        """Append an instruction with a fresh VAR result."""
        op = self.emit(opcode, op1, op2, ext)
        op.result = self.temporary(OpKind.VAR)
        return op.result

    def jump(self, target: int = 0) -> int:
        """Append a JMP; return its number for ``patch``."""
        self.emit(Opcode.JMP, word(target))
        return self.next_op - 1

    def branch(self, opcode: Opcode, condition: ZNode, target: int = 0) -> int:
        """Append JMPZ or JMPNZ; return its number."""
        self.emit(opcode, condition).op2 = word(target)
        return self.next_op - 1

    def patch(self, opnum: int, target: int | None = None) -> None:
        """Let the jump ``opnum`` go to ``target``, by default the next instruction."""
        op = self.function.ops[opnum]
        destination = word(self.next_op if target is None else target)
        if op.opcode == Opcode.JMP:
            op.op1 = destination
        else:
            op.op2 = destination

    def free(self, node: ZNode) -> None:
        """Drop a result that nobody uses (zend_do_free): let its instruction not produce it, or free it."""
        if isinstance(node, Const) or not node.is_temp:
            return
        ops = self.function.ops
        index = len(ops) - 1
        while ops[index].opcode in (Opcode.END_SILENCE, Opcode.OP_DATA):
            index -= 1
        op = ops[index]
        if node.kind == OpKind.TMP:
            if op.result == node:
                if op.opcode in (Opcode.BOOL, Opcode.BOOL_NOT):
                    return
                if op.opcode in _POST_TO_PRE:
                    op.opcode = _POST_TO_PRE[op.opcode]
                    op.result = UNUSED
                    return
                if op.opcode in _RESULT_OPTIONAL:
                    op.result = UNUSED
                    return
            self.emit(Opcode.FREE, node)
            return
        if op.result == node:
            if op.opcode == Opcode.FETCH_THIS:
                op.opcode = Opcode.NOP
            op.result = UNUSED
            return
        for op in reversed(ops[: index + 1]):
            if op.opcode in (Opcode.FETCH_LIST_R, Opcode.FETCH_LIST_W) and op.op1 == node:
                self.emit(Opcode.FREE, node)
                return
            if op.result == node:
                if op.opcode == Opcode.NEW:
                    self.emit(Opcode.FREE, node)
                return

    # -- delayed instructions ----------------------------------------------------------------------------------------

    def emit_delayed(self, opcode: Opcode, op1: ZNode, op2: ZNode = NOTHING, result: bool = True) -> Op:
        """An instruction with a VAR result, to be appended by ``delayed_end``."""
        op = Op(opcode, self.operand(op1), self.operand(op2), UNUSED, 0, self.line, offset=self.place)
        if result:
            op.result = self.temporary(OpKind.VAR)
        self.delayed.append(op)
        return op

    def delayed_end(self, start: int) -> Op | None:
        """Append what was delayed since ``start`` entries; return the last of it."""
        last: Op | None = None
        for entry in self.delayed[start:]:
            if isinstance(entry, Op):
                last = entry
                self.function.ops.append(entry)
            else:
                last = self.function.ops[entry]
        del self.delayed[start:]
        return last

    # -- dispatch ----------------------------------------------------------------------------------------------------

    def expr(self, node: ast.Node) -> ZNode:
        """Compile an expression for its value."""
        checkpoint = len(self.short_circuits)
        self.at(node)
        around, self.place = self.place, node.where.offset
        if self.memoize != Memoize.NONE:
            result = self.memoized(node)
        else:
            result = self._expr_inner(node)
        self.commit_short_circuits(checkpoint, result, node)
        self.place = around
        return result

    def _expr_inner(self, node: ast.Node) -> ZNode:
        handler = self.tables.expressions.get(type(node))
        if handler is not None:
            return handler(self, node)
        if type(node) in self.tables.variables:
            return self.var(node, Fetch.R)[0]
        raise self.unsupported(type(node).__name__, node)

    def var(self, node: ast.Node, fetch: Fetch, by_ref: bool = False) -> tuple[ZNode, Op | None]:
        """Compile a variable or call for ``fetch``; also return the fetching instruction, if any."""
        checkpoint = len(self.short_circuits)
        self.at(node)
        around, self.place = self.place, node.where.offset
        handler = self.tables.variables.get(type(node))
        op: Op | None = None
        if handler is not None:
            result, op = handler(self, node, fetch, by_ref)
        else:
            if fetch in (Fetch.W, Fetch.RW, Fetch.UNSET):
                self.error("Cannot use temporary expression in write context")
            result = self.expr(node)
        self.commit_short_circuits(checkpoint, result, node)
        self.place = around
        return result, op

    def delayed_var(self, node: ast.Node, fetch: Fetch, by_ref: bool = False) -> tuple[ZNode, Op | None]:
        """Compile a variable so that its fetches are delayed."""
        handler = self.tables.delayed.get(type(node))
        if handler is not None:
            return handler(self, node, fetch, by_ref)
        return self.var(node, fetch)

    def stmt(self, node: ast.Node | None) -> None:
        """Compile a statement (None is an empty one)."""
        if node is None:
            return
        self.at(node)
        around, self.place = self.place, node.where.offset
        handler = self.tables.statements.get(type(node))
        if handler is not None:
            handler(self, node)
        else:
            self.free(self.expr(node))
        if self.ticks and not isinstance(node, (ast.Block, ast.Label)):
            if not self.function.ops or self.function.ops[-1].opcode != Opcode.TICKS:
                self.emit(Opcode.TICKS, ext=self.ticks)
        self.place = around

    # -- short circuits and memoization --------------------------------------------------------------------------------

    def commit_short_circuits(self, checkpoint: int, result: ZNode, node: ast.Node) -> None:
        """At the end of the outermost node of a chain, let its JMP_NULLs come here."""
        if len(self.short_circuits) == checkpoint or getattr(node, "inner", False):
            return
        if not isinstance(node, (*_SHORT_CIRCUITED, ast.Isset, ast.Empty)):
            return
        kind = JMP_NULL_IN_EXPR
        if isinstance(node, ast.Isset):
            kind = JMP_NULL_IN_ISSET
        elif isinstance(node, ast.Empty):
            kind = JMP_NULL_IN_EMPTY
        while len(self.short_circuits) > checkpoint:
            op = self.function.ops[self.short_circuits.pop()]
            op.op2 = word(self.next_op)
            op.result = self.operand(result)
            op.extended_value |= kind

    def memoized(self, node: ast.Node) -> ZNode:
        """An expression inside the left side of ``??=``: compiled the first time, taken from memory the second."""
        if self.memoize == Memoize.FETCH:
            return self.memo[id(node)]
        self.memoize = Memoize.NONE
        result = self.expr(node)
        self.memoize = Memoize.COMPILE
        remembered = result
        if isinstance(result, Operand) and result.is_temp:
            remembered = (self.emit_var if result.kind == OpKind.VAR else self.emit_tmp)(Opcode.COPY_TMP, result)
        self.memo[id(node)] = remembered
        return result

    def static_vars(self) -> list[StaticVar]:
        """The function's static variables in the order of their table."""
        return [StaticVar(name, value) for name, value in self.function.static_vars.items()]


_POST_TO_PRE = {
    Opcode.POST_INC: Opcode.PRE_INC,
    Opcode.POST_DEC: Opcode.PRE_DEC,
    Opcode.POST_INC_OBJ: Opcode.PRE_INC_OBJ,
    Opcode.POST_DEC_OBJ: Opcode.PRE_DEC_OBJ,
    Opcode.POST_INC_STATIC_PROP: Opcode.PRE_INC_STATIC_PROP,
    Opcode.POST_DEC_STATIC_PROP: Opcode.PRE_DEC_STATIC_PROP,
}
_RESULT_OPTIONAL = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_OBJ,
        Opcode.ASSIGN_STATIC_PROP,
        Opcode.ASSIGN_OP,
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_OBJ_OP,
        Opcode.ASSIGN_STATIC_PROP_OP,
        *_POST_TO_PRE.values(),
    }
)


def exact(value: object) -> Literal:
    """A compile-time value as a literal of the program."""
    if isinstance(value, PhpArray):
        return ArrayConst(tuple((key, exact(item)) for key, item in value.items()), value.is_packed)
    if value is None or isinstance(value, (bool, int, float, bytes, ArrayConst, ConstAst, JumpTable)):
        return value
    raise TypeError(f"not a literal: {value!r}")
