"""Parsing of expressions, with exactly PHP's grammar and precedence (Zend/zend_language_parser.y).

Operator precedence parsing by climbing: ``expression(minimum)`` reads a prefix expression and then every binary
operator that binds at least as tightly as ``minimum``.  Three points where PHP's table is not the textbook's:

* an assignment needs a *variable* on its left and nothing else, so it may stand inside tighter operators: ``!$a =
  3`` is ``!($a = 3)``; it is recognised where the variable ends, whatever ``minimum`` is;
* comparison and equality are non-associative: a second operator of the same level is a syntax error;
* prefix operators have a level for their operand only: in ``2 ** -$a`` the minus is read although it binds less
  tightly.
"""

from __future__ import annotations

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.first_sets import EXPRESSION_STARTS
from ssa2llvm.php.parse_primary import ASSIGNABLE, PrimaryParser
from ssa2llvm.php.precedence import BINARY, CAST, COMPOUND, INCLUDE_KINDS, LEVEL, NON_ASSOCIATIVE, Level
from ssa2llvm.values.convert import to_string
from ssa2llvm.values.host import Host


class ExpressionParser(PrimaryParser):
    """Operators."""

    def expression(self, minimum: int = 0, left: Node | None = None) -> Node:
        """An expression whose operators bind at least as tightly as ``minimum``; ``left`` is what was already read."""
        if left is None:
            left = self._prefix()
        while True:
            kind = self.token.kind
            level = LEVEL.get(kind, -1)
            if level < minimum or level < 0:
                return left
            self.advance()
            left = self._infix(kind, level, left)
            if level in NON_ASSOCIATIVE and LEVEL.get(self.token.kind) == level:
                self.fail()

    def _infix(self, kind: str, level: int, left: Node) -> Node:
        if kind == "?":
            return self._conditional(left)
        if kind == "instanceof":
            return ast.InstanceOf(left.where, left, self.class_reference())
        right_associative = level in (Level.COALESCE, Level.POWER)
        right = self.expression(level if right_associative else level + 1)
        if kind in ("&&", "and"):
            return ast.Logical(left.where, True, left, right)
        if kind in ("||", "or"):
            return ast.Logical(left.where, False, left, right)
        if kind == "??":
            return ast.Coalesce(left.where, left, right)
        if kind in (">", ">="):
            return ast.Greater(left.where, kind == ">=", left, right)
        if kind == "." and isinstance(left, ast.Literal) and isinstance(right, ast.Literal):
            joined = _text(left) + _text(right)
            return ast.Literal(Where(self.token.end_line, left.where.offset), joined)
        return ast.Binary(left.where, BINARY[kind], left, right)

    def _conditional(self, condition: Node) -> Node:
        if self.accept(":"):
            return ast.Conditional(condition.where, condition, None, self.expression(Level.TERNARY + 1))
        then = self.expression()
        self.expect(":")
        return ast.Conditional(condition.where, condition, then, self.expression(Level.TERNARY + 1))

    def _prefix(self) -> Node:
        token = self.token
        kind = token.kind
        if kind in ("integer", "floating-point number"):
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if kind in ("+", "-"):
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Sign(Where(value.line, token.offset), 1 if kind == "+" else -1, value)
        if kind in ("!", "~"):
            self.advance()
            value = self.expression((Level.NOT if kind == "!" else Level.UNARY) + 1)
            opcode = Opcode.BOOL_NOT if kind == "!" else Opcode.BW_NOT
            return ast.Unary(Where(value.line, token.offset), opcode, value)
        if kind in ("++", "--"):
            self.advance()
            target = self.variable()
            return ast.IncDec(Where(target.line, token.offset), True, kind == "++", target)
        if kind in CAST:
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Cast(Where(value.line, token.offset), CAST[kind], value)
        if kind == "@":
            self.advance()
            value = self.expression(Level.UNARY + 1)
            return ast.Silence(Where(value.line, token.offset), value)
        if kind == "print":
            self.advance()
            value = self.expression(Level.PRINT + 1)
            return ast.Print(Where(value.line, token.offset), value)
        if kind == "clone":
            self.advance()
            value = self.expression(Level.CLONE + 1)
            return ast.Clone(Where(value.line, token.offset), value)
        if kind == "throw":
            self.advance()
            value = self.expression(Level.THROW + 1)
            return ast.Throw(Where(value.line, token.offset), value)
        if kind in INCLUDE_KINDS:
            self.advance()
            value = self.expression(Level.INCLUDE + 1)
            return ast.Include(Where(value.line, token.offset), INCLUDE_KINDS[kind], value)
        if kind in ("yield", "yield from"):
            return self._yield()
        return self._operand()

    def _yield(self) -> Node:
        token = self.advance()
        self.generator = True
        if token.kind == "yield from":
            value = self.expression(Level.YIELD_FROM + 1)
            return ast.YieldFrom(Where(value.line, token.offset), value)
        if self.token.kind not in EXPRESSION_STARTS:
            return ast.Yield(self.where_scanned(token.offset), None, None)
        value = self.expression(Level.YIELD + 1)
        if self.accept("=>"):
            key, value = value, self.expression(Level.DOUBLE_ARROW + 1)
            return ast.Yield(Where(value.line, token.offset), value, key)
        return ast.Yield(Where(value.line, token.offset), value, None)

    def _operand(self) -> Node:
        """A primary with what follows it, then an assignment or a postfix operator if it is a variable."""
        pattern = self.token.kind == "["
        node, grade = self.primary()
        if pattern and self.accept("="):
            return ast.Assign(node.where, node, self.expression(Level.ASSIGN + 1))
        node, grade = self.postfix(node, grade)
        if grade not in ASSIGNABLE:
            return node
        kind = self.token.kind
        if kind == "=":
            self.advance()
            if self.token.kind in ("&", "&$"):
                self.advance()
                return ast.AssignRef(node.where, node, self.variable())
            return ast.Assign(node.where, node, self.expression(Level.ASSIGN + 1))
        if kind in COMPOUND:
            self.advance()
            return ast.AssignOp(node.where, COMPOUND[kind], node, self.expression(Level.ASSIGN + 1))
        if kind == "??=":
            self.advance()
            return ast.AssignCoalesce(node.where, node, self.expression(Level.ASSIGN + 1))
        if kind in ("++", "--"):
            self.advance()
            return ast.IncDec(node.where, False, kind == "++", node)
        return node


def _text(node: ast.Literal) -> bytes:
    """A scanned literal as a string: PHP joins literals while parsing."""
    value = node.value
    assert value is None or isinstance(value, (int, float, bytes))
    return to_string(value, Host())
