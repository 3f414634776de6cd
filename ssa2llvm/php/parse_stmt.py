"""Parsing of statements and whole files (Zend/zend_language_parser.y): ``parse`` is the entry.

Inline HTML is a statement, ``?>`` a semicolon; the alternative syntax (``if: … endif;``) nests like the braces do, so
HTML inside it belongs to its body.
"""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.lexer import tokenize
from ssa2llvm.php.parse_decl import DeclarationParser
from ssa2llvm.php.parse_expr import EXPRESSION_STARTS, VARIABLE_STARTS


class Parser(DeclarationParser):
    """Statements."""

    def file(self) -> ast.Block:
        """The whole file."""
        where = Where(self.token.line if self.token.kind == "end of file" else 1, 0)
        items: list[Node | None] = []
        while self.token.kind != "end of file":
            self.require(_TOP_STARTS, "end of file")
            items.append(self._top_statement())
            if isinstance(items[-1], ast.HaltCompiler):
                break
        return ast.Block(where, items)

    def _top_statement(self) -> Node | None:
        kind = self.token.kind
        if kind == "namespace":
            return self._namespace()
        if kind == "use":
            return self._use()
        if kind == "const":
            self.advance()
            items = self._const_list()
            self.expect(";", ",", ";")
            return ast.ConstDecl(items[0].where, items)
        if kind == "__halt_compiler":
            return self._halt_compiler()
        return self._inner_statement()

    def _halt_compiler(self) -> Node:
        start = self.advance()
        self.expect("(", "(")
        self.expect(")", ")")
        end = self.expect(";", ";")
        position = end.value if isinstance(end.value, int) else end.offset + len(end.text)
        return ast.HaltCompiler(Where(end.end_line, start.offset), position)

    def _inner_statement(self) -> Node | None:
        kind = self.token.kind
        if kind == "function" and self._at_function_declaration():
            return self.function_declaration(None)
        if self.at_class:
            return self.class_declaration(None)
        if kind == "#[":
            return self._attributed()
        if kind == "__halt_compiler":
            self._halt_compiler()
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
            if self.token.kind == "end of file":
                self.fail()
            items.append(self._inner_statement())
        if closing == ("}",):
            self.advance()
        return ast.Block(where, items)

    # -- statements ---------------------------------------------------------------------------------------------------

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
            self.expect(")", ")")
        else:
            self.expect(")", "=>", ")")
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
        self.expect(")", ")")
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
        items = self._const_list()
        self.expect(")", ",", ")")
        where = Where(items[0].line, start.offset)
        for item in items:
            if item.name.lower() == "encoding" and not isinstance(item.value, ast.Literal):
                self.reject("Encoding must be a literal")
        body = self._alternative("enddeclare")
        return ast.Declare(where, items, body)

    def _const_list(self) -> list[ast.ConstElement]:
        items: list[ast.ConstElement] = []
        while True:
            token = self.expect("identifier", "identifier")
            self.expect("=", "=")
            items.append(ast.ConstElement(Where(token.line, token.offset), token.name, self.expression()))
            if not self.accept(","):
                return items

    # -- namespaces ---------------------------------------------------------------------------------------------------

    def _namespace(self) -> Node:
        start = self.advance()
        name: str | None = None
        line = start.line
        if self.token.kind != "{":
            if self.token.kind == "namespaced name":
                token = self.advance()
                name, line = token.name, token.line
            else:
                literal = self.identifier("{")
                assert isinstance(literal.value, bytes)
                name, line = literal.value.decode("utf-8", "surrogateescape"), literal.line
            if self.accept(";"):
                return ast.Namespace(Where(line, start.offset), name, None)
            if self.token.kind != "{":
                self.fail("{")
        self.advance()
        where = Where(self.previous.end_line, self.previous.offset)
        items: list[Node | None] = []
        while not self.accept("}"):
            if self.token.kind == "end of file":
                self.fail()
            items.append(self._top_statement())
        body = ast.Block(where, items)
        return ast.Namespace(Where(line if name is not None else where.line, start.offset), name, body)

    def _use(self) -> Node:
        start = self.advance()
        kind = ""
        if self.token.kind in ("function", "const"):
            kind = self.advance().kind
        first = self._use_name(True)
        if self.token.kind == "\\":
            return self._group_use(start.offset, kind, first)
        items = [self._use_element(first, kind or "class")]
        while self.accept(","):
            items.append(self._use_element(self._use_name(True), kind or "class"))
        self.expect(";", ",", ";")
        return ast.Use(Where(items[0].line, start.offset), kind or "class", None, items)

    def _use_name(self, leading: bool, mixed: bool = False) -> tuple[str, Where]:
        token = self.token
        kinds = ("identifier", "namespaced name", *(("fully qualified name",) if leading else ()))
        if token.kind not in kinds:
            self.fail(*kinds, *(("function", "const") if mixed else ()))
        self.advance()
        assert isinstance(token.value, bytes)
        return token.value.decode("utf-8", "surrogateescape"), Where(token.line, token.offset)

    def _use_element(self, name: tuple[str, Where], kind: str) -> ast.UseElement:
        alias = self.expect("identifier", "identifier").name if self.accept("as") else None
        return ast.UseElement(name[1], name[0], alias, kind)

    def _group_use(self, offset: int, kind: str, prefix: tuple[str, Where]) -> Node:
        self.advance()
        self.expect("{", "{")
        items: list[ast.UseElement] = []
        while True:
            item_kind = kind or "class"
            if not kind and self.token.kind in ("function", "const"):
                item_kind = self.advance().kind
            items.append(self._use_element(self._use_name(False, mixed=not kind), item_kind))
            if not self.accept(",") or self.token.kind == "}":
                break
        self.expect("}", "}")
        self.expect(";", ";")
        return ast.Use(Where(prefix[1].line, offset), kind, prefix[0], items)


_TOP_STARTS = EXPRESSION_STARTS | frozenset(
    """{ ; echo if while do for foreach switch break continue return global unset goto try declare class trait interface
    enum abstract final namespace use const __halt_compiler""".split()
    + ["inline html"]
)
_STATEMENTS = {
    "{": Parser.inner_block,
    ";": Parser._empty,
    "inline html": Parser._inline_html,
    "echo": Parser._echo,
    "if": Parser._if,
    "while": Parser._while,
    "do": Parser._do,
    "for": Parser._for,
    "foreach": Parser._foreach,
    "switch": Parser._switch,
    "break": Parser._break,
    "continue": Parser._break,
    "return": Parser._return,
    "global": Parser._global,
    "static": Parser._static_variables,
    "unset": Parser._unset,
    "goto": Parser._goto,
    "try": Parser._try,
    "declare": Parser._declare,
}


def parse(source: bytes, filename: str) -> tuple[ast.Block, int]:
    """The tree of a PHP file, and the line of its end.

    Raises CompileError with PHP's message and line for what PHP's scanner or grammar rejects.
    """
    parser = Parser(source, filename, tokenize(source))
    tree = parser.file()
    return tree, parser.token.end_line
