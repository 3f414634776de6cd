"""Parsing of statements and whole files (Zend/zend_language_parser.y): ``parse`` is the entry.

Inline HTML is a statement, ``?>`` a semicolon; the alternative syntax (``if: … endif;``) nests like the braces do, so
HTML inside it belongs to its body.
"""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.first_sets import DEREFERENCE, EXPRESSION_STARTS, INNER_STARTS, VARIABLE_STARTS
from ssa2llvm.php.parse_decl import DeclarationParser


class StatementParser(DeclarationParser):
    """Statements."""

    def halt_compiler(self) -> Node:
        """``__halt_compiler();``."""
        start = self.advance()
        self.expect("(", "(")
        self.expect(")", ")")
        end = self.expect(";", ";")
        position = end.value if isinstance(end.value, int) else end.offset + len(end.text)
        return ast.HaltCompiler(Where(end.end_line, start.offset), position)

    def inner_statement(self) -> Node | None:
        """A statement or declaration that may stand in a block."""
        kind = self.token.kind
        if kind == "function" and self._at_function_declaration():
            return self.function_declaration(None)
        if self.at_class:
            return self.class_declaration(None)
        if kind == "#[":
            return self._attributed()
        if kind == "__halt_compiler":
            self.halt_compiler()
            self.reject("__HALT_COMPILER() can only be used from the outermost scope")
        return self.statement()

    def _at_function_declaration(self) -> bool:
        """``function f`` or ``function &f``, as against a closure that begins an expression statement."""
        following = self.peek().kind
        if following in ("&", "&$"):
            position = min(self.index + 2, len(self.tokens) - 1)
            following = self.tokens[position].kind
        return following != "("

    def _attributed(self) -> Node | None:
        attributes = self.attributes()
        kind = self.token.kind
        if kind == "function" and self._at_function_declaration():
            return self.function_declaration(attributes)
        if self.at_class:
            return self.class_declaration(attributes)
        static = self.accept("static")
        if self.token.kind not in ("function", "fn"):
            self.fail()
        return self._expression_statement(self.closure(attributes, static))

    def inner_block(self) -> ast.Block:
        """``{ statements }``."""
        self.expect("{", "{")
        where = Where(self.previous.end_line, self.previous.offset)
        return self._statements_until(where, "}")

    def _statements_until(self, where: Where, *closing: str) -> ast.Block:
        """Statements up to one of ``closing``, which is consumed only if it is a brace."""
        items: list[Node | None] = []
        while self.token.kind not in closing:
            self.require(INNER_STARTS, *(closing if len(closing) > 1 else ()))
            items.append(self.inner_statement())
        if closing == ("}",):
            self.advance()
        return ast.Block(where, items)

    # -- statements --------------------------------------------------------------------------------------------------

    def statement(self) -> Node | None:
        """One statement; an empty one is None."""
        token = self.token
        kind = token.kind
        simple = _STATEMENTS.get(kind)
        if simple is not None:
            if kind == "static" and self.peek().kind != "variable":
                return self._expression_statement()
            return simple(self)
        if kind == "identifier" and self.peek().kind == ":":
            self.advance()
            self.advance()
            return ast.Label(Where(token.line, token.offset), token.name)
        return self._expression_statement()

    def _expression_statement(self, left: Node | None = None) -> Node:
        node = self.expression(0, left)
        self.expect(";")
        return node

    def _empty(self) -> None:
        self.advance()

    def _inline_html(self) -> Node:
        token = self.advance()
        where = Where(token.line, token.offset)
        return ast.Echo(where, ast.Literal(where, token.value))

    def _echo(self) -> Node:
        start = self.advance()
        items: list[Node | None] = []
        while True:
            value = self.expression()
            items.append(ast.Echo(Where(value.line, start.offset), value))
            if not self.accept(","):
                break
        self.expect(";", ",", ";")
        assert items[0] is not None
        return ast.Block(items[0].where, items)

    def _condition(self) -> Node:
        self.expect("(", "(")
        condition = self.expression()
        self.expect(")")
        return condition

    def _alternative(self, ending: str) -> Node | None:
        """A statement, or ``: statements ending ;``."""
        if not self.accept(":"):
            return self.statement()
        where = Where(self.previous.end_line, self.previous.offset)
        body = self._statements_until(where, ending)
        self.advance()
        self.expect(";", ";")
        return body

    def _if(self) -> Node:
        start = self.advance()
        condition = self._condition()
        if self.accept(":"):
            return self._alternative_if(start.offset, condition)
        branches = [self._branch(condition, self.statement())]
        where = Where(branches[0].line, start.offset)
        while True:
            if self.accept("elseif"):
                condition = self._condition()
                branches.append(self._branch(condition, self.statement()))
            elif self.accept("else"):
                body = self.statement()
                line = body.line if body is not None else self.previous.end_line
                branches.append(ast.IfBranch(Where(line, self.previous.offset), None, body))
                break
            else:
                break
        return ast.If(where, branches)

    @staticmethod
    def _branch(condition: Node, body: Node | None) -> ast.IfBranch:
        return ast.IfBranch(condition.where, condition, body)

    def _alternative_if(self, offset: int, condition: Node) -> Node:
        branches: list[ast.IfBranch] = []
        endings = ("elseif", "else", "endif")
        current: Node | None = condition
        while True:
            where = Where(self.previous.end_line, self.previous.offset)
            body = self._statements_until(where, *(endings if current is not None else ("endif",)))
            branch_where = current.where if current is not None else body.where
            branches.append(ast.IfBranch(branch_where, current, body))
            if self.accept("elseif"):
                current = self._condition()
                self.expect(":", ":")
            elif self.accept("else"):
                current = None
                self.expect(":", ":")
            else:
                self.expect("endif")
                self.expect(";", ";")
                return ast.If(Where(branches[0].line, offset), branches)

    def _while(self) -> Node:
        start = self.advance()
        condition = self._condition()
        return ast.While(Where(condition.line, start.offset), condition, self._alternative("endwhile"))

    def _do(self) -> Node:
        start = self.advance()
        body = self.statement()
        self.expect("while", "while")
        condition = self._condition()
        self.expect(";", ";")
        line = body.line if body is not None else condition.line
        return ast.DoWhile(Where(line, start.offset), body, condition)

    def _for(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        init = self._expressions(";")
        condition = self._expressions(";")
        step = self._expressions(")")
        body = self._alternative("endfor")
        first = next((part[0].line for part in (init, condition, step) if part), 0)
        if not first:
            first = body.line if body is not None else self.previous.end_line
        return ast.For(Where(first, start.offset), init, condition, step, body)

    def _expressions(self, closing: str) -> list[Node]:
        items: list[Node] = []
        if self.token.kind != closing:
            self.require(EXPRESSION_STARTS, closing)
            items.append(self.expression())
            while self.accept(","):
                items.append(self.expression())
        self.expect(closing, closing)
        return items

    def _foreach(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        subject = self.expression()
        self.expect("as")
        value = self._foreach_target()
        key: Node | None = None
        if self.accept("=>"):
            key, value = value, self._foreach_target()
        is_list = isinstance(value, ast.Array) and value.syntax == ast.ArraySyntax.LIST
        expected = (")",) if key is not None else ("=>", ")")
        self.expect(")", *(expected if is_list else DEREFERENCE))
        body = self._alternative("endforeach")
        return ast.Foreach(Where(subject.line, start.offset), subject, value, key, body)

    def _foreach_target(self) -> Node:
        where = self.where()
        if self.token.kind in ("&", "&$"):
            self.advance()
            inner = self.variable()
            return ast.RefTarget(Where(inner.line, where.offset), inner)
        if self.token.kind == "list":
            return self.list_pattern()
        if self.token.kind == "[":
            self.advance()
            array = self.array_items("]", where.offset)
            array.syntax = ast.ArraySyntax.SHORT
            if self.token.kind in ("=>", ")"):
                return array
            return self.variable_after(array)
        return self.variable()

    def _switch(self) -> Node:
        start = self.advance()
        subject = self._condition()
        closing = "endswitch"
        if self.accept("{"):
            closing = "}"
        else:
            self.expect(":", ":", "{")
        self.accept(";")
        cases: list[ast.SwitchCase] = []
        while self.token.kind != closing:
            cases.append(self._switch_case(closing))
        self.advance()
        if closing == "endswitch":
            self.expect(";", ";")
        return ast.Switch(Where(subject.line, start.offset), subject, cases)

    def _switch_case(self, closing: str) -> ast.SwitchCase:
        offset = self.token.offset
        condition: Node | None = None
        if self.accept("case"):
            condition = self.expression()
        else:
            self.expect("default", *(("case", "default", closing)))
        if not self.accept(":"):
            self.expect(";", *(() if condition is not None else (":", ";")))
        where = Where(self.previous.end_line, self.previous.offset)
        body = self._statements_until(where, "case", "default", closing)
        line = condition.line if condition is not None else body.line
        return ast.SwitchCase(Where(line, offset), condition, body)

    def _break(self) -> Node:
        start = self.advance()
        depth = self.optional_expression(";")
        line = depth.line if depth is not None else self.previous.end_line
        return ast.BreakContinue(Where(line, start.offset), start.kind == "break", depth)

    def _return(self) -> Node:
        start = self.advance()
        value = self.optional_expression(";")
        line = value.line if value is not None else self.previous.end_line
        return ast.Return(Where(line, start.offset), value)

    def _global(self) -> Node:
        self.advance()
        items: list[Node | None] = []
        while True:
            variable = self.simple_variable() if self.token.kind in ("variable", "$") else self.fail("variable", "$")
            items.append(ast.Global(variable.where, variable))
            if not self.accept(","):
                break
        self.expect(";", ",", ";")
        assert items[0] is not None
        return ast.Block(items[0].where, items)

    def _static_variables(self) -> Node:
        self.advance()
        items: list[Node | None] = []
        while True:
            token = self.expect("variable", "variable")
            value = self.expression() if self.accept("=") else None
            items.append(ast.StaticVar(Where(token.line, token.offset), token.name[1:], value))
            if not self.accept(","):
                break
        self.expect(";", ",", ";")
        assert items[0] is not None
        return ast.Block(items[0].where, items)

    def _unset(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        items: list[Node | None] = []
        while True:
            variable = self.variable()
            items.append(ast.Unset(Where(variable.line, start.offset), variable))
            if not self.accept(",") or self.token.kind == ")":
                break
            self.require(VARIABLE_STARTS, ")")
        self.expect(")", *(DEREFERENCE if self.previous.kind != "," else (")",)))
        self.expect(";", ";")
        assert items[0] is not None
        return ast.Block(items[0].where, items)

    def _goto(self) -> Node:
        self.advance()
        token = self.expect("identifier", "identifier")
        self.expect(";", ";")
        return ast.Goto(Where(token.line, token.offset), token.name)

    def _try(self) -> Node:
        start = self.advance()
        body = self.inner_block()
        catches: list[ast.Catch] = []
        while self.accept("catch"):
            self.expect("(", "(")
            classes = [self.class_name()]
            while self.accept("|"):
                classes.append(self.class_name())
            variable = self.advance().name[1:] if self.token.kind == "variable" else None
            self.expect(")", ")")
            catches.append(ast.Catch(classes[0].where, classes, variable, self.inner_block()))
        finally_ = self.inner_block() if self.accept("finally") else None
        return ast.Try(Where(body.line, start.offset), body, catches, finally_)

    def _declare(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        items = self.const_list()
        self.expect(")", ",", ")")
        where = Where(items[0].line, start.offset)
        for item in items:
            if item.name.lower() == "encoding" and not isinstance(item.value, ast.Literal):
                self.reject("Encoding must be a literal")
        body = self._alternative("enddeclare")
        return ast.Declare(where, items, body)

    def const_list(self) -> list[ast.ConstElement]:
        """``NAME = value, …`` of const and declare."""
        items: list[ast.ConstElement] = []
        while True:
            token = self.expect("identifier", "identifier")
            self.expect("=", "=")
            items.append(ast.ConstElement(Where(token.line, token.offset), token.name, self.expression()))
            if not self.accept(","):
                return items


_STATEMENTS = {
    "{": StatementParser.inner_block,
    ";": StatementParser._empty,
    "inline html": StatementParser._inline_html,
    "echo": StatementParser._echo,
    "if": StatementParser._if,
    "while": StatementParser._while,
    "do": StatementParser._do,
    "for": StatementParser._for,
    "foreach": StatementParser._foreach,
    "switch": StatementParser._switch,
    "break": StatementParser._break,
    "continue": StatementParser._break,
    "return": StatementParser._return,
    "global": StatementParser._global,
    "static": StatementParser._static_variables,
    "unset": StatementParser._unset,
    "goto": StatementParser._goto,
    "try": StatementParser._try,
    "declare": StatementParser._declare,
}
