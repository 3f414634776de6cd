"""The value of a constant expression that was left for run time (``ir.literals.ConstAst``).

PHP keeps the default of a parameter as an expression even where it knows its value (``$x = PHP_INT_MAX``), for the
sake of reflection. Whoever runs or compiles the program evaluates it here.
"""

from __future__ import annotations

from collections.abc import Mapping

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ConstAst, Literal
from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler, exact
from ssa2llvm.php.lower.fold import fold
from ssa2llvm.php.lower.script import TABLES
from ssa2llvm.php.parse_file import parse
from ssa2llvm.values.types import to_text


def constant_value(expression: ConstAst, constants: Mapping[str, object] | None = None) -> Literal:
    """Evaluate ``expression``; ``constants`` are the program's own, by name without a leading backslash.

    Raises CompileError if it needs a constant that is in neither PHP's own nor ``constants``, a class, or an operation
    that warns or throws.
    """
    source = f"<?php {expression.text};".encode("utf-8", "surrogateescape")
    tree = parse(source, "constant expression").tree
    compiler = Compiler(source, "constant expression", tree, TABLES)
    compiler.known_constants = constants or {}
    node = tree.items[0]
    assert node is not None
    _decide_namespaced(node, compiler.known_constants)
    value = fold(compiler, node)
    if not isinstance(value, ast.Literal):
        raise CompileError(f"the constant expression {expression.text} cannot be evaluated before the program runs")
    return exact(value.value)


def _decide_namespaced(root: ast.Node, constants: Mapping[str, object]) -> None:
    """``defined('N\\X') ? \\N\\X : \\X``, the text of an unqualified constant in a namespace: which of the two it
    is."""
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Conditional) and isinstance(node.condition, ast.Call):
            (name,) = node.condition.args.items
            assert isinstance(name, ast.Literal)
            assert isinstance(name.value, bytes)
            node.condition = ast.Literal(name.where, to_text(name.value) in constants)
        pending.extend(node.children())
