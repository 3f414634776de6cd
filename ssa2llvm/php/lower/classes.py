"""Classes (Zend/zend_compile.c: zend_compile_class_decl)."""
from __future__ import annotations
from ssa2llvm.ir import op_array
from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler, ZNode

def declared(c: Compiler) -> list[op_array.ClassDecl]:
    return []

def declare(c: Compiler, node: ast.ClassDecl, top_level: bool) -> None:
    raise c.unsupported("a class", node)

def _expr(c: Compiler, node: ast.ClassDecl) -> ZNode:
    raise c.unsupported("a class", node)

EXPRESSIONS = {ast.ClassDecl: _expr}
STATEMENTS = {}
