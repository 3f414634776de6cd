"""Parsing of array literals, list() patterns and ``match`` (Zend/zend_language_parser.y: array_pair_list, match)."""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.first_sets import ARM_STARTS, DEREFERENCE, EXPRESSION_STARTS, ITEM_STARTS
from ssa2llvm.php.parse_string import StringParser
from ssa2llvm.php.precedence import Level


class ArrayParser(StringParser):
    """Arrays and match."""

    def match_expression(self) -> Node:
        """``match (…) { … }``."""
        start = self.advance()
        self.expect("(", "(")
        subject = self.expression()
        self.expect(")")
        self.expect("{", "{")
        arms: list[ast.MatchArm] = []
        while not self.accept("}"):
            self.require(ARM_STARTS, "}")
            arms.append(self._match_arm())
            if not self.accept(","):
                self.expect("}", "}")
                break
        return ast.Match(Where(subject.line, start.offset), subject, arms)

    def _match_arm(self) -> ast.MatchArm:
        where = self.where()
        if self.token.kind == "default" and self.peek().kind in ("=>", ","):
            self.advance()
            self.accept(",")
            self.expect("=>", "=>")
            body = self.expression()
            return ast.MatchArm(Where(body.line, where.offset), None, body)
        conditions = [self.expression()]
        line = min(conditions[0].line, self.token.end_line)
        while self.accept(","):
            if self.token.kind == "=>":
                break
            self.require(EXPRESSION_STARTS, "=>")
            conditions.append(self.expression())
        self.expect("=>", "=>")
        return ast.MatchArm(Where(line, where.offset), conditions, self.expression())

    def list_pattern(self) -> ast.Array:
        """``list(…)``."""
        start = self.expect("list")
        self.expect("(", "(")
        array = self.array_items(")", start.offset)
        array.syntax = ast.ArraySyntax.LIST
        return array

    def array_items(self, closing: str, offset: int) -> ast.Array:
        """The elements up to and with the ``closing`` bracket; one trailing comma is no element."""
        items: list[ast.ArrayElement | ast.Unpack | None] = []
        line = 0
        while True:
            if self.token.kind in (",", closing):
                item = None
            else:
                self.require(ITEM_STARTS, closing)
                item = self._array_item()
            items.append(item)
            if not line:
                line = min(item.line, self.token.end_line) if item else self.token.end_line
            if not self.accept(","):
                break
        self.expect(closing, closing)
        if items[-1] is None:
            items.pop()
        return ast.Array(Where(line, offset), items, ast.ArraySyntax.LONG)

    def _array_item(self) -> ast.ArrayElement | ast.Unpack:
        where = self.where()
        if self.accept("..."):
            value = self.expression()
            return ast.Unpack(Where(value.line, where.offset), value)
        value, by_ref = self._array_value()
        key: Node | None = None
        if not by_ref and self.accept("=>"):
            key = value
            value, by_ref = self._array_value()
        return ast.ArrayElement(Where(value.line, where.offset), value, key, by_ref)

    def _array_value(self) -> tuple[Node, bool]:
        """An element's value, a reference to a variable, or a nested list()."""
        if self.token.kind in ("&", "&$"):
            self.advance()
            value = self.variable()
            if self.token.kind not in (",", "]", ")"):
                self.fail(*DEREFERENCE)
            return value, True
        if self.token.kind == "list":
            pattern = self.list_pattern()
            if not self.accept("="):
                return pattern, False
            assign = ast.Assign(pattern.where, pattern, self.expression(Level.ASSIGN + 1))
            return self.expression(0, assign), False
        return self.expression(), False
