"""What the parts of the parser need of one another: expressions contain functions, functions statements, statements
expressions."""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.cursor import Cursor


class Grammar(Cursor):
    """The nonterminals that are used before they are defined; each is implemented further down the line of classes."""

    generator = False  # whether the function being parsed contains a yield

    def expression(self, minimum: int = 0, left: Node | None = None) -> Node:
        """An expression whose operators bind at least as tightly as ``minimum``; ``left`` was read already."""
        raise NotImplementedError

    def variable(self, *expected: str) -> Node:
        """Something that can be written to or called."""
        raise NotImplementedError

    def simple_variable(self) -> ast.Variable:
        """``$name``, ``$$name`` or ``${expression}``."""
        raise NotImplementedError

    def variable_name(self) -> Node:
        """The name part of a variable."""
        raise NotImplementedError

    def closure(self, attributes: list[ast.Attribute] | None, static: bool) -> Node:
        """A closure or arrow function."""
        raise NotImplementedError

    def anonymous_class(self, attributes: list[ast.Attribute] | None, where: Where) -> Node:
        """``class … { }`` after ``new``."""
        raise NotImplementedError

    def attributes(self) -> list[ast.Attribute]:
        """One or more ``#[…]`` groups."""
        raise NotImplementedError

    def inner_block(self) -> ast.Block:
        """``{ statements }``."""
        raise NotImplementedError
