"""Attributes: their arguments are constant expressions; nothing is emitted for them (Zend/zend_compile.c:
zend_compile_attributes)."""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler
from ssa2llvm.php.lower.const_expr import constant_expression


def check_attributes(c: Compiler, attributes: list[ast.Attribute] | None) -> None:
    """Resolve the names and validate the arguments, as PHP does; attributes have no effect on the code."""
    for attribute in attributes or ():
        args = attribute.args
        if args is not None and args.convert:
            c.error("Cannot create Closure as attribute argument")
        c.names.class_(attribute.name)
        names: set[str] = set()
        for item in args.items if args is not None else ():
            value = item
            if isinstance(item, ast.Unpack):
                c.error("Cannot use unpacking in attribute argument list")
            if isinstance(item, ast.NamedArg):
                if item.name in names:
                    c.error(f"Duplicate named parameter ${item.name}")
                names.add(item.name)
                value = item.value
            elif names:
                c.error("Cannot use positional argument after named argument")
            constant_expression(c, value, allow_dynamic=True)
