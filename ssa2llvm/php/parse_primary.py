"""Parsing of primaries: variables, calls, names, and what may follow them (Zend/zend_language_parser.y: variable,
callable_expr, fully_dereferenceable, dereferenceable_scalar, constant, class_constant, new_expr).

What may follow a primary (``[``, ``->``, ``::``, ``(``) depends on its *grade*, the grammar's fully_dereferenceable,
callable_expr and so on.
"""

from __future__ import annotations

from enum import Enum

from ssa2llvm.ir.operands import EvalKind
from ssa2llvm.php import ast
from ssa2llvm.php.ast import NameForm, Node, Where
from ssa2llvm.php.cursor import PARSE_ERROR
from ssa2llvm.php.first_sets import (
    ARGUMENT_STARTS,
    DEREFERENCE,
    EXPRESSION_STARTS,
    MAGIC_CONSTANTS,
    NAME_FORM,
    NAMED_OR_KEYWORD,
    VARIABLE_STARTS,
)
from ssa2llvm.php.parse_array import ArrayParser
from ssa2llvm.php.precedence import Level
from ssa2llvm.php.tokens import SEMI_RESERVED


class Grade(Enum):
    """What a primary is to the grammar, and so what may follow it."""

    PLAIN = "an expression that nothing may follow directly"
    VARIABLE = "callable_variable: anything may follow, and it can be assigned to"
    MEMBER = "a property or static member: a variable too, but a call after it is part of its own syntax"
    SCALAR = "a parenthesised expression, array or string"
    CONSTANT = "a constant: only [ and -> may follow"
    CLASS_CONSTANT = "a class constant: [ -> and :: may follow"


ASSIGNABLE = (Grade.VARIABLE, Grade.MEMBER)


class PrimaryParser(ArrayParser):
    """Primaries and postfix chains."""

    def primary(self) -> tuple[Node, Grade]:
        """A primary without what follows it."""
        token = self.token
        kind = token.kind
        where = self.where()
        if kind in ("variable", "$"):
            return self.simple_variable(), Grade.VARIABLE
        if kind in NAME_FORM:
            return self._named(self.name())
        if kind == "(":
            self.advance()
            inner = self.expression()
            self.expect(")")
            if isinstance(inner, ast.Conditional):
                inner.parenthesized = True
            return inner, Grade.SCALAR
        if kind == "quoted string":
            self.advance()
            return ast.Literal(where, token.value), Grade.SCALAR
        if kind == '"':
            return self.interpolated('"', '"'), Grade.SCALAR
        if kind == "[":
            self.advance()
            array = self.array_items("]", where.offset)
            array.syntax = ast.ArraySyntax.SHORT
            return array, Grade.SCALAR
        if kind == "array":
            self.advance()
            self.expect("(", "(")
            return self.array_items(")", where.offset), Grade.SCALAR
        if kind in MAGIC_CONSTANTS:
            # At the start of an argument it could be the argument's name: the next token decides, and gives the line.
            decided_by = self.peek() if self.index == self.argument else token
            self.advance()
            return ast.MagicConst(Where(decided_by.end_line, token.offset), kind), Grade.CONSTANT
        if kind == "static" and self.peek().kind not in ("function", "fn"):
            name = self.class_name()
            if self.token.kind != "::":
                self.fail("::")
            return self._static_access(name)
        if kind == "readonly" and self.peek().kind == "(":
            self.advance()
            name = ast.Name(where, self.previous.name, NameForm.FULL)
            return ast.Call(where, name, self.arguments()), Grade.VARIABLE
        return self._keyword_primary(kind, where), Grade.PLAIN

    def _keyword_primary(self, kind: str, where: Where) -> Node:
        """Primaries that begin with a keyword or a rare sign; nothing may follow them directly."""
        if kind == "new":
            return self._new()
        if kind in ("function", "fn"):
            return self.closure(None, False)
        if kind == "static":
            self.advance()
            return self.closure(None, True)
        if kind == "#[":
            attributes = self.attributes()
            static = self.accept("static")
            if self.token.kind not in ("function", "fn"):
                self.fail()
            return self.closure(attributes, static)
        if kind == "isset":
            return self._isset()
        if kind in ("empty", "eval"):
            self.advance()
            self.expect("(", "(")
            value = self.expression()
            self.expect(")")
            if kind == "empty":
                return ast.Empty(Where(value.line, where.offset), value)
            return ast.Include(Where(value.line, where.offset), EvalKind.EVAL, value)
        if kind == "exit":
            return self._exit()
        if kind == "match":
            return self.match_expression()
        if kind == "list":
            pattern = self.list_pattern()
            self.expect("=", "=")
            return ast.Assign(pattern.where, pattern, self.expression(Level.ASSIGN + 1))
        if kind == "heredoc start":
            return self.interpolated("heredoc start", "heredoc end")
        if kind == "`":
            value = self.interpolated("`", "`")
            return ast.ShellExec(value.where, value)
        self.fail()

    def _exit(self) -> Node:
        start = self.advance()
        value: Node | None = None
        line = self.token.end_line
        if self.accept("("):
            value = self.optional_expression(")")
            line = value.line if value else self.previous.end_line
        return ast.Exit(Where(line, start.offset), value)

    def name(self) -> ast.Name:
        """A qualified or unqualified name."""
        token = self.token
        form = NAME_FORM.get(token.kind)
        if form is None:
            self.fail()
        self.advance()
        assert isinstance(token.value, bytes)
        return ast.Name(Where(token.line, token.offset), token.value.decode("utf-8", "surrogateescape"), form)

    @property
    def at_name(self) -> bool:
        """Whether the current token is a name."""
        return self.token.kind in NAME_FORM

    def class_name(self, *expected: str) -> ast.Name:
        """A name or ``static``."""
        if self.token.kind == "static":
            token = self.advance()
            return ast.Name(Where(token.end_line, token.offset), "static", NameForm.PLAIN)
        if not self.at_name:
            self.fail(*expected)
        return self.name()

    def _named(self, name: ast.Name) -> tuple[Node, Grade]:
        if self.token.kind == "(":
            return ast.Call(name.where, name, self.arguments()), Grade.VARIABLE
        if self.token.kind == "::":
            return self._static_access(name)
        return ast.ConstFetch(name.where, name), Grade.CONSTANT

    def simple_variable(self) -> ast.Variable:
        """``$name``, ``$$name``, ``${expression}``."""
        where = self.where()
        name = self.variable_name()
        return ast.Variable(Where(name.line, where.offset), name)

    def variable_name(self) -> Node:
        """The name part of a variable: a literal, an expression, or another variable."""
        token = self.token
        if token.kind == "variable":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        self.expect("$", "variable", "$")
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            return inner
        if self.token.kind not in ("variable", "$"):
            self.fail("variable", "{", "$")
        return self.simple_variable()

    def variable(self, *expected: str) -> Node:
        """A variable in the grammar's sense: something that can be written to or called."""
        if self.token.kind not in VARIABLE_STARTS:
            self.fail(*expected)
        return self.variable_after(*self.primary())

    def variable_after(self, node: Node, grade: Grade = Grade.SCALAR) -> Node:
        """The variable that begins with the primary ``node``."""
        node, grade = self.postfix(node, grade)
        if grade not in ASSIGNABLE:
            self.fail(*(DEREFERENCE if grade != Grade.PLAIN else ()))
        return node

    def postfix(self, node: Node, grade: Grade) -> tuple[Node, Grade]:
        """Offsets, properties, static members and calls after ``node``."""
        while grade != Grade.PLAIN:
            kind = self.token.kind
            if kind in ("[", "{"):
                self.advance()
                index = self._offset(kind)
                node, grade = ast.Dim(node.where, node, index, kind == "{"), Grade.VARIABLE
            elif kind in ("->", "?->"):
                self.advance()
                name = self.property_name()
                if self.token.kind == "(":
                    node = ast.MethodCall(node.where, node, name, self.arguments(), kind == "?->")
                    grade = Grade.VARIABLE
                else:
                    node, grade = ast.Prop(node.where, node, name, kind == "?->"), Grade.MEMBER
            elif kind == "::" and grade != Grade.CONSTANT:
                node, grade = self._static_access(node)
            elif kind == "(" and grade in (Grade.VARIABLE, Grade.SCALAR):
                if isinstance(node, ast.Literal) and isinstance(node.value, bytes):
                    node = ast.Name(node.where, node.value.decode("utf-8", "surrogateescape"), NameForm.FULL)
                where = Where(self.token.end_line, node.where.offset)
                node, grade = ast.Call(where, node, self.arguments()), Grade.VARIABLE
            else:
                break
        return node, grade

    def _offset(self, opening: str) -> Node | None:
        """What stands in the brackets of an offset, and the closing one."""
        if opening == "{":
            index = self.expression()
            self.expect("}")
            return index
        return self.optional_expression("]")

    def optional_expression(self, closing: str) -> Node | None:
        """An expression or nothing, then ``closing``."""
        value: Node | None = None
        if self.token.kind != closing:
            self.require(EXPRESSION_STARTS, closing)
            value = self.expression()
        self.expect(closing, closing)
        return value

    def property_name(self) -> Node:
        """What stands after an arrow."""
        token = self.token
        if token.kind == "identifier":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            return inner
        if token.kind not in ("variable", "$"):
            self.fail("identifier", "variable", "{", "$")
        return self.simple_variable()

    def _static_access(self, class_: Node) -> tuple[Node, Grade]:
        """``::`` and what follows it."""
        self.expect("::")
        token = self.token
        if token.kind in ("variable", "$"):
            name = self.variable_name()
            if self.token.kind == "(":
                wrapped = ast.Variable(name.where, name)
                return ast.StaticCall(class_.where, class_, wrapped, self.arguments()), Grade.VARIABLE
            return ast.StaticProp(class_.where, class_, name), Grade.MEMBER
        if self.accept("{"):
            inner = self.expression()
            self.expect("}")
            if self.token.kind != "(":
                self.fail("(")
            return ast.StaticCall(class_.where, class_, inner, self.arguments()), Grade.VARIABLE
        identifier = self.identifier()
        if self.token.kind == "(":
            return ast.StaticCall(class_.where, class_, identifier, self.arguments()), Grade.VARIABLE
        if isinstance(identifier.value, bytes) and identifier.value.lower() == b"class":
            return ast.ClassName(class_.where, class_), Grade.CLASS_CONSTANT
        return ast.ClassConst(class_.where, class_, identifier), Grade.CLASS_CONSTANT

    def identifier(self, *expected: str) -> ast.Literal:
        """A name that may also be a keyword, as a literal."""
        token = self.token
        if token.kind == "identifier":
            self.advance()
            return ast.Literal(Where(token.line, token.offset), token.value)
        if token.text == b"<?=":
            self.reject('Cannot use "<?=" as an identifier', PARSE_ERROR)
        if token.kind not in SEMI_RESERVED:
            self.fail(*expected)
        self.advance()
        return ast.Literal(Where(token.end_line, token.offset), token.text)

    def arguments(self) -> ast.Args:
        """A parenthesised argument list."""
        start = self.expect("(", "(")
        items: list[Node] = []
        if self.token.kind == "...":
            if self.peek().kind == ")":
                self.advance()
                self.advance()
                return ast.Args(Where(self.previous.end_line, start.offset), items, True)
        if self.accept(")"):
            return ast.Args(Where(self.previous.end_line, start.offset), items)
        line = 0
        while True:
            items.append(self._argument())
            if not line:
                line = min(items[0].line, self.token.end_line)
            if not self.accept(","):
                self.expect(")", ")")
                break
            if self.accept(")"):
                break
            self.require(ARGUMENT_STARTS, ")")
        return ast.Args(Where(line, start.offset), items)

    def _argument(self) -> Node:
        where = self.where()
        if self.accept("..."):
            value = self.expression()
            return ast.Unpack(Where(value.line, where.offset), value)
        kind = self.token.kind
        named = kind in SEMI_RESERVED and kind not in EXPRESSION_STARTS
        if named or ((kind == "identifier" or kind in SEMI_RESERVED) and self.peek().kind == ":"):
            name = self.identifier()
            self.expect(":", ":")
            assert isinstance(name.value, bytes)
            return ast.NamedArg(name.where, name.value.decode("utf-8", "surrogateescape"), self.expression())
        if kind in NAMED_OR_KEYWORD:
            self.maybe_name = self.index
        self.argument = self.index
        return self.expression()

    def class_reference(self) -> Node:
        """What may follow ``new`` and ``instanceof``."""
        token = self.token
        if token.kind == "(":
            self.advance()
            inner = self.expression()
            self.expect(")")
            return inner
        node: Node
        if token.kind in ("variable", "$"):
            node = self.simple_variable()
        else:
            node = self.class_name()
            if self.token.kind != "::":
                return node
        while True:
            kind = self.token.kind
            if kind in ("[", "{") and not isinstance(node, ast.Name):
                self.advance()
                index = self._offset(kind)
                node = ast.Dim(node.where, node, index, kind == "{")
            elif kind in ("->", "?->"):
                self.advance()
                node = ast.Prop(node.where, node, self.property_name(), kind == "?->")
            elif kind == "::":
                self.advance()
                if self.token.kind not in ("variable", "$"):
                    self.fail("variable", "$")
                node = ast.StaticProp(node.where, node, self.variable_name())
            else:
                return node

    def _new(self) -> Node:
        start = self.advance()
        if self.token.kind == "#[":
            attributes = self.attributes()
            if self.token.kind != "class":
                self.fail("class", "#[")
            return self.anonymous_class(attributes, Where(start.line, start.offset))
        if self.token.kind == "class":
            return self.anonymous_class(None, Where(start.line, start.offset))
        class_ = self.class_reference()
        if self.token.kind == "(":
            args = self.arguments()
        else:
            args = ast.Args(self.where_scanned(start.offset), [])
        return ast.New(Where(class_.line, start.offset), class_, args)

    def _isset(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        node: Node | None = None
        while True:
            value = self.expression()
            item = ast.Isset(Where(value.line, start.offset), value)
            node = item if node is None else ast.Logical(node.where, True, node, item)
            if not self.accept(","):
                self.expect(")", ")")
                return node
            if self.accept(")"):
                return node
            self.require(EXPRESSION_STARTS, ")")
