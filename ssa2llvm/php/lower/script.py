"""The whole file: top-level statements, namespaces, ``use``, ``const`` (Zend/zend_language_scanner.l: zend_compile;
Zend/zend_compile.c: zend_compile_top_stmt, _namespace, _use, _const_decl)."""

from __future__ import annotations

from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node
from ssa2llvm.php.internals import SPECIAL_CONSTANTS
from ssa2llvm.php.lower import (
    assign,
    calls,
    classes,
    control,
    functions,
    operators,
    strings,
    switch,
    try_finally,
    variables,
)
from ssa2llvm.php.lower.compiler import Compiler, CompileReport, Const, Emitted, Fetch, Tables, ZNode
from ssa2llvm.php.lower.const_expr import constant_expression
from ssa2llvm.php.lower.finish import finish_function
from ssa2llvm.php.lower.namespaces import unqualified
from ssa2llvm.php.parse_file import ParsedFile
from ssa2llvm.values.host import Level
from ssa2llvm.values.types import to_bytes


class _FileCompiler:
    """Compiles the statements of a file in order; functions join the script as they are declared."""

    def __init__(self, source: bytes, filename: str, tree: ast.Block) -> None:
        self.c = Compiler(source, filename, tree, TABLES)
        self.functions: list[OpArray] = []

    def compile(self, last_line: int) -> Script:
        """The script; ``last_line`` is where the scanner stopped."""
        c = self.c
        c.line = last_line
        c.function.line_start, c.function.line_end = 1, last_line
        self._top(c.tree)
        c.line = last_line
        functions.final_return(c, Const(1))
        main = finish_function(c)
        return Script(main, self.functions, c.declared_classes, c.filename, source=c.source)

    def _top(self, node: Node | None) -> None:
        """A top-level statement: functions and classes are bound early."""
        c = self.c
        if node is None:
            return
        if isinstance(node, ast.Block):
            for item in node.items:
                self._top(item)
            return
        if isinstance(node, ast.FunctionDecl) and node.kind == ast.FunctionKind.FUNCTION:
            c.at(node)
            self.functions.append(functions.declare_top_level(c, node))
            c.line = node.end_line
        elif isinstance(node, ast.ClassDecl):
            c.at(node)
            classes.declare(c, node, top_level=True)
            c.line = node.end_line
        elif isinstance(node, ast.Namespace):
            c.at(node)
            self._namespace(node)
            return
        elif isinstance(node, ast.HaltCompiler):
            c.at(node)
            if c.names.bracketed and c.names.inside:
                c.error("__HALT_COMPILER() can only be used from the outermost scope")
            return
        else:
            c.stmt(node)
        if c.names.bracketed and not c.names.inside:
            c.error("No code may exist outside of namespace {}")

    def _namespace(self, node: ast.Namespace) -> None:
        c = self.c
        names = c.names
        bracketed = node.body is not None
        mixed = "Cannot mix bracketed namespace declarations with unbracketed namespace declarations"
        if not names.bracketed:
            if names.current is not None and bracketed:
                c.error(mixed)
        elif not bracketed:
            c.error(mixed)
        elif names.current is not None or names.inside:
            c.error("Namespace declarations cannot be nested")
        is_first = names.current is None if not bracketed else not names.bracketed
        if is_first and not control.is_first_statement(c, node, allow_empty=True):
            c.error(
                "Namespace declaration statement has to be the very first statement or after any declare call in "
                "the script"
            )
        if node.name is not None and node.name.lower() == "namespace":
            c.error(f"Cannot use '{node.name}' as namespace name")
        names.enter(node.name)
        if node.body is not None:
            names.bracketed = True
            self._top(node.body)
            names.leave()


def _use(c: Compiler, node: ast.Use) -> None:
    for item in node.items:
        name = item.name if node.prefix is None else f"{node.prefix}\\{item.name}"
        if not c.names.use(node.kind or item.kind, name, item.alias):
            c.report(Level.WARNING, f"The use statement with non-compound name '{unqualified(name)}' has no effect")


def _const(c: Compiler, node: ast.ConstDecl) -> None:
    for item in node.items:
        value = constant_expression(c, item.value, allow_dynamic=True)
        if item.name.lower() in SPECIAL_CONSTANTS:
            c.error(f"Cannot redeclare constant '{item.name}'")
        name = c.names.prefix(item.name)
        imported = c.names.imports["const"].get(item.name)
        if imported is not None and imported != name:
            c.error(f"Cannot declare const {name} because the name is already in use")
        c.emit(Opcode.DECLARE_CONST, Const(to_bytes(name)), Const(value))
        c.names.declare(name, "const")


def _emitted(c: Compiler, node: Emitted, fetch: Fetch, by_ref: bool) -> tuple[ZNode, None]:
    return node.node, None


TABLES = Tables(
    expressions={
        **operators.EXPRESSIONS,
        **assign.EXPRESSIONS,
        **calls.EXPRESSIONS,
        **strings.EXPRESSIONS,
        **switch.EXPRESSIONS,
        **functions.EXPRESSIONS,
        **classes.EXPRESSIONS,
    },
    variables={**variables.VARIABLES, **calls.VARIABLES, Emitted: _emitted},
    delayed=dict(variables.DELAYED),
    statements={
        **operators.STATEMENTS,
        **control.STATEMENTS,
        **switch.STATEMENTS,
        **try_finally.STATEMENTS,
        **functions.STATEMENTS,
        **classes.STATEMENTS,
        ast.Use: _use,
        ast.ConstDecl: _const,
    },
)


def lower_file(source: bytes, filename: str, parsed: ParsedFile) -> tuple[Script, list[CompileReport]]:
    """The op arrays of a parsed file, and what PHP would have warned of.

    Raises CompileError with PHP's message for what its compiler rejects, or naming a construct that is not supported.
    """
    compiler = _FileCompiler(source, filename, parsed.tree)
    compiler.c.reports += [CompileReport(Level.WARNING, message, line) for message, line in parsed.warnings]
    script = compiler.compile(parsed.last_line)
    return script, compiler.c.reports
