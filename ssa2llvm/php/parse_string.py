"""Parsing of interpolated strings, heredocs and backticks (Zend/zend_language_parser.y: encaps_list)."""

from __future__ import annotations

from typing import NoReturn

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.first_sets import DEREFERENCE
from ssa2llvm.php.grammar import Grammar


class StringParser(Grammar):
    """Strings with variables in them."""

    def interpolated(self, opening: str, closing: str) -> Node:
        """A double-quoted string, heredoc or backtick string: a Literal, or an Encaps if it has variables."""
        start = self.expect(opening)
        parts = self._encaps_parts(closing)
        self.expect(closing)
        if not parts:
            return ast.Literal(Where(self.previous.end_line, start.offset), b"")
        if len(parts) == 1 and isinstance(parts[0], ast.Literal):
            return parts[0]
        return ast.Encaps(Where(parts[0].line, start.offset), parts)

    def _encaps_parts(self, closing: str) -> list[Node]:
        parts: list[Node] = []
        while self.token.kind != closing:
            token = self.token
            if token.kind == "string content":
                self.advance()
                parts.append(ast.Literal(Where(token.line, token.offset), token.value or b""))
                continue
            if token.kind not in ("variable", "${", "{$"):
                self._fail_in_string(closing, parts)
            parts.append(self._encaps_variable())
        return parts

    def _fail_in_string(self, closing: str, parts: list[Node]) -> NoReturn:
        """A string was not closed: what was possible depends on what it holds."""
        only_text = len(parts) == 1 and isinstance(parts[0], ast.Literal)
        if closing == "`":
            self.fail("`")
        end = (closing,) if closing == "heredoc end" else ()
        self.fail(*(("variable", "${", "{$", *end) if only_text else ()))

    def _encaps_variable(self) -> Node:
        token = self.token
        where = self.where()
        if token.kind == "variable":
            variable = ast.Variable(where, self.variable_name())
            if self.accept("["):
                index = self._encaps_offset()
                self.expect("]", "]")
                return ast.Dim(where, variable, index)
            if self.token.kind in ("->", "?->"):
                nullsafe = self.advance().kind == "?->"
                name = self.expect("identifier", "identifier")
                literal = ast.Literal(Where(name.line, name.offset), name.value)
                return ast.Prop(where, variable, literal, nullsafe)
            return variable
        if token.kind == "${":
            self.advance()
            return self._dollar_curly(where)
        if token.kind == "{$":
            self.advance()
            inner = self.variable()
            self.expect("}", *DEREFERENCE)
            return inner
        self.fail()

    def _encaps_offset(self) -> Node:
        token = self.token
        where = self.where()
        if token.kind == "variable":
            return ast.Variable(where, self.variable_name())
        negative = self.accept("-")
        token = self.token
        if token.kind == "number" and negative:
            self.advance()
            value = token.value
            if isinstance(value, int):
                return ast.Literal(where, -value if value else b"-0")
            assert isinstance(value, bytes)
            return ast.Literal(where, b"-" + value)
        if token.kind not in ("number", "identifier") or negative:
            self.fail(*(("number",) if negative else ("identifier", "variable", "number", "-")))
        self.advance()
        return ast.Literal(where, token.value)

    def _dollar_curly(self, where: Where) -> Node:
        """``${name}``, ``${name[index]}`` or ``${expression}`` in a string."""
        token = self.token
        if token.kind != "variable name":
            inner = self.expression()
            self.expect("}")
            return ast.Variable(Where(inner.line, where.offset), inner, "expression")
        self.advance()
        name = ast.Literal(Where(token.line, token.offset), token.value)
        if not self.accept("["):
            self.expect("}", "[", "}")
            return ast.Variable(name.where, name, "name")
        index = self.expression()
        self.expect("]")
        self.expect("}", "}")
        return ast.Dim(name.where, ast.Variable(name.where, name), index, False, "name")
