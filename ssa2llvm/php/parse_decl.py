"""Parsing of functions, closures, classes and types (Zend/zend_language_parser.y).

Names are not resolved and nothing is checked here that PHP's grammar does not check itself: repeated modifiers are its
business, an abstract method with a body is the compiler's.
"""

from __future__ import annotations

from ssa2llvm.php import ast
from ssa2llvm.php.ast import FunctionKind, Node, Where
from ssa2llvm.php.parse_expr import ExpressionParser
from ssa2llvm.php.tokens import MODIFIER_KEYWORDS, RESERVED_NON_MODIFIERS

_CLASS_MODIFIERS = ("abstract", "final", "readonly")
_PROPERTY_MODIFIERS = ("public", "protected", "private", "readonly")
_VISIBILITY = frozenset({"public", "protected", "private"})
_TYPE_STARTS = ("array", "callable", "(", "?")


class DeclarationParser(ExpressionParser):
    """Functions, classes, types and attributes; statements come from the subclass."""

    def inner_block(self) -> ast.Block:
        """``{ … }`` with statements (declared in parse_stmt)."""
        raise NotImplementedError

    # -- types -------------------------------------------------------------------------------------------------------

    def _at_type(self, static: bool) -> bool:
        kind = self.token.kind
        return self.at_name or kind in _TYPE_STARTS or (static and kind == "static")

    def type_expression(self, static: bool) -> Node:
        """A type; ``static`` tells whether that keyword may be one (not for properties and parameters)."""
        where = self.where()
        if self.accept("?"):
            single = self._single_type(static)
            single.nullable = True
            return single
        first = self._type_element(static)
        if self.token.kind == "|":
            items = [first]
            while self.accept("|"):
                items.append(self._type_element(static))
            return ast.TypeList(where, items, False)
        if self.token.kind == "&" and isinstance(first, ast.TypeName):
            return self._intersection(first, static)
        if isinstance(first, ast.TypeList):
            self.fail("|")
        return first

    def _type_element(self, static: bool) -> Node:
        if self.accept("("):
            first = self._single_type(static)
            if self.token.kind != "&":
                self.fail("&")
            inner = self._intersection(first, static)
            self.expect(")", ")")
            return inner
        return self._single_type(static)

    def _intersection(self, first: ast.TypeName, static: bool) -> ast.TypeList:
        items: list[Node] = [first]
        while self.accept("&"):
            items.append(self._single_type(static))
        return ast.TypeList(first.where, items, True)

    def _single_type(self, static: bool) -> ast.TypeName:
        token = self.token
        if token.kind in ("array", "callable") or (static and token.kind == "static"):
            self.advance()
            return ast.TypeName(Where(token.end_line, token.offset), token.kind, ast.NameForm.PLAIN, True)
        if not self.at_name:
            self.fail()
        name = self.name()
        return ast.TypeName(name.where, name.text, name.form, False)

    def return_type(self) -> Node | None:
        """An optional ``: type``."""
        return self.type_expression(True) if self.accept(":") else None

    # -- attributes --------------------------------------------------------------------------------------------------

    def attributes(self) -> list[ast.Attribute]:
        """One or more ``#[…]`` groups."""
        found: list[ast.Attribute] = []
        while self.accept("#["):
            while True:
                name = self.class_name()
                args = self.arguments() if self.token.kind == "(" else None
                found.append(ast.Attribute(name.where, name, args))
                if not self.accept(","):
                    self.expect("]", "]")
                    break
                if self.accept("]"):
                    break
        return found

    # -- functions ---------------------------------------------------------------------------------------------------

    def parameters(self) -> list[ast.Param]:
        """A parenthesised parameter list."""
        self.expect("(", "(")
        params: list[ast.Param] = []
        if self.accept(")"):
            return params
        while True:
            params.append(self._parameter())
            if not self.accept(","):
                self.expect(")", ")")
                return params
            if self.accept(")"):
                return params

    def _parameter(self) -> ast.Param:
        where = self.where()
        attributes = self.attributes() if self.token.kind == "#[" else []
        modifiers: set[str] = set()
        while self.token.kind in _PROPERTY_MODIFIERS:
            self._add_modifier(modifiers, self.token.kind)
        type_: Node | None = self.type_expression(False) if self._at_type(False) else None
        by_ref = self.accept("&$")
        variadic = self.accept("...")
        token = self.token
        if token.kind != "variable":
            self.fail("variable")
        self.advance()
        default = self.expression() if self.accept("=") else None
        name = token.name[1:]
        line = type_.line if type_ is not None else token.line
        return ast.Param(
            Where(line, where.offset), name, type_, default, by_ref, variadic, frozenset(modifiers), attributes
        )

    def _body(self) -> tuple[ast.Block, bool]:
        """A function's block, and whether it yields."""
        outer = self.generator
        self.generator = False
        body = self.inner_block()
        generator = self.generator
        self.generator = outer
        return body, generator

    def function_declaration(self, attributes: list[ast.Attribute] | None) -> ast.FunctionDecl:
        """``function name(…) { … }``."""
        start = self.expect("function")
        by_ref = self.accept("&") or self.accept("&$")
        if self.token.kind not in ("identifier", "readonly"):
            self.fail("(")
        name = self.advance().name
        params = self.parameters()
        return_type = self.return_type()
        body, generator = self._body()
        return ast.FunctionDecl(
            Where(start.end_line, start.offset),
            FunctionKind.FUNCTION,
            name,
            params,
            None,
            return_type,
            body,
            by_ref,
            generator,
            self.previous.end_line,
            attributes=attributes,
        )

    def closure(self, attributes: list[ast.Attribute] | None, static: bool) -> Node:
        """``function (…) use (…) { … }`` or ``fn(…) => expression``."""
        start = self.advance()
        modifiers = frozenset({"static"} if static else ())
        where = Where(start.end_line, start.offset)
        by_ref = self.accept("&") or self.accept("&$")
        if start.kind == "fn":
            return self._arrow_function(where, by_ref, modifiers, attributes)
        params = self.parameters()
        uses = self._closure_uses() if self.accept("use") else None
        return_type = self.return_type()
        body, generator = self._body()
        return ast.FunctionDecl(
            where,
            FunctionKind.CLOSURE,
            "{closure}",
            params,
            uses,
            return_type,
            body,
            by_ref,
            generator,
            self.previous.end_line,
            modifiers,
            attributes,
        )

    def _arrow_function(
        self, where: Where, by_ref: bool, modifiers: frozenset[str], attributes: list[ast.Attribute] | None
    ) -> Node:
        params = self.parameters()
        return_type = self.return_type()
        self.expect("=>", "=>")
        outer = self.generator
        self.generator = False
        body = self.expression()
        generator = self.generator
        self.generator = outer
        return ast.FunctionDecl(
            where,
            FunctionKind.ARROW,
            "{closure}",
            params,
            None,
            return_type,
            body,
            by_ref,
            generator,
            self.token.end_line,
            modifiers,
            attributes,
        )

    def _closure_uses(self) -> list[ast.ClosureUse]:
        self.expect("(", "(")
        uses: list[ast.ClosureUse] = []
        while True:
            by_ref = self.accept("&") or self.accept("&$")
            token = self.token
            if token.kind != "variable":
                first = ("variable",) if by_ref else ("variable", "&$", "&")
                self.fail(*(first if by_ref or not uses else (")",)))
            self.advance()
            uses.append(ast.ClosureUse(Where(token.line, token.offset), token.name[1:], by_ref))
            if not self.accept(","):
                self.expect(")", ")")
                return uses
            if self.accept(")"):
                return uses

    # -- classes -----------------------------------------------------------------------------------------------------

    def _add_modifier(self, modifiers: set[str], modifier: str, in_class: bool = True) -> None:
        """Consume a modifier; a repeated or contradictory one is an error of the grammar's actions."""
        for repeated in ("abstract", "static", "final", "readonly"):
            if modifier == repeated and repeated in modifiers:
                self.advance()
                self.reject(f"Multiple {repeated} modifiers are not allowed")
        if modifier in _VISIBILITY and modifiers & _VISIBILITY:
            self.advance()
            self.reject("Multiple access type modifiers are not allowed")
        modifiers.add(modifier)
        self.advance()
        if {"abstract", "final"} <= modifiers:
            what = "class member" if in_class else "class"
            self.reject(f"Cannot use the final modifier on an abstract {what}")

    @property
    def at_class(self) -> bool:
        """Whether a class-like declaration begins here."""
        kind = self.token.kind
        if kind in ("abstract", "final", "class", "trait", "interface", "enum"):
            return True
        return kind == "readonly" and self.peek().kind != "("

    def class_declaration(self, attributes: list[ast.Attribute] | None) -> ast.ClassDecl:
        """A class, trait, interface or enum."""
        modifiers: set[str] = set()
        offset = self.token.offset
        while self.token.kind in _CLASS_MODIFIERS:
            self._add_modifier(modifiers, self.token.kind, False)
        if modifiers and self.token.kind != "class":
            self.fail("abstract", "class", "final", "readonly")
        kind = self.advance().kind
        where = Where(self.previous.end_line, offset)
        name = self.expect("identifier", "identifier").name
        return self._class_rest(where, kind, name, frozenset(modifiers), attributes)

    def anonymous_class(self, attributes: list[ast.Attribute] | None, where: Where) -> Node:
        """``class(…) … { … }`` after ``new``."""
        start = self.expect("class", "class")
        args = self.arguments() if self.token.kind == "(" else ast.Args(self.where_scanned(start.offset), [])
        decl_where = Where(start.end_line, start.offset)
        decl = self._class_rest(decl_where, "class", "", frozenset(), attributes)
        return ast.New(Where(decl.line, where.offset), decl, args)

    def _class_rest(
        self, where: Where, kind: str, name: str, modifiers: frozenset[str], attributes: list[ast.Attribute] | None
    ) -> ast.ClassDecl:
        backing: Node | None = None
        extends: ast.Name | None = None
        implements: list[ast.Name] = []
        if kind == "enum" and self.accept(":"):
            backing = self.type_expression(True)
        if kind == "interface":
            if self.accept("extends"):
                implements = self._class_names()
        elif kind != "trait":
            if kind == "class" and self.accept("extends"):
                extends = self.class_name()
            if self.accept("implements"):
                implements = self._class_names()
        self.expect("{", "{")
        members: list[Node] = []
        while not self.accept("}"):
            members.append(self._member())
        return ast.ClassDecl(
            where, kind, name, modifiers, extends, implements, members, backing, self.previous.end_line, attributes
        )

    def _class_names(self) -> list[ast.Name]:
        names = [self.class_name()]
        while self.accept(","):
            names.append(self.class_name())
        return names

    def _member(self) -> Node:
        where = self.where()
        if self.accept("use"):
            return self._trait_use(where)
        attributes = self.attributes() if self.token.kind == "#[" else None
        if self.accept("case"):
            name = self.identifier()
            value = self.expression() if self.accept("=") else None
            self.expect(";", ";")
            text = name.value.decode("utf-8", "surrogateescape") if isinstance(name.value, bytes) else ""
            return ast.EnumCase(name.where, text, value)
        modifiers: set[str] = set()
        if self.accept("var"):
            return self._properties(where, frozenset({"public"}))
        while self.token.kind in MODIFIER_KEYWORDS:
            self._add_modifier(modifiers, self.token.kind)
        if self.token.kind == "const":
            return self._class_constants(where, frozenset(modifiers))
        if self.token.kind == "function":
            return self._method(frozenset(modifiers), attributes)
        if not modifiers:
            self.fail("function", "const")
        return self._properties(where, frozenset(modifiers))

    def _properties(self, where: Where, modifiers: frozenset[str]) -> Node:
        type_ = self.type_expression(False) if self._at_type(False) else None
        items: list[ast.PropElement] = []
        while True:
            token = self.token
            if token.kind != "variable":
                self.fail("variable")
            self.advance()
            default = self.expression() if self.accept("=") else None
            items.append(ast.PropElement(Where(token.line, token.offset), token.name[1:], default))
            if not self.accept(","):
                self.expect(";", ",", ";")
                break
        line = type_.line if type_ is not None else items[0].line
        return ast.PropGroup(Where(line, where.offset), modifiers, type_, items)

    def _class_constants(self, where: Where, modifiers: frozenset[str]) -> Node:
        self.advance()
        items: list[ast.ConstElement] = []
        while True:
            name = self.identifier()
            self.expect("=", "=")
            value = self.expression()
            text = name.value.decode("utf-8", "surrogateescape") if isinstance(name.value, bytes) else ""
            items.append(ast.ConstElement(name.where, text, value))
            if not self.accept(","):
                self.expect(";", ",", ";")
                break
        return ast.ClassConstGroup(Where(items[0].line, where.offset), modifiers, items)

    def _method(self, modifiers: frozenset[str], attributes: list[ast.Attribute] | None) -> Node:
        start = self.advance()
        by_ref = self.accept("&") or self.accept("&$")
        name = self.identifier()
        params = self.parameters()
        return_type = self.return_type()
        body: ast.Block | None = None
        generator = False
        if not self.accept(";"):
            if self.token.kind != "{":
                self.fail(";", "{")
            body, generator = self._body()
        text = name.value.decode("utf-8", "surrogateescape") if isinstance(name.value, bytes) else ""
        return ast.FunctionDecl(
            Where(start.end_line, start.offset),
            FunctionKind.METHOD,
            text,
            params,
            None,
            return_type,
            body,
            by_ref,
            generator,
            self.previous.end_line,
            modifiers,
            attributes,
        )

    def _trait_use(self, where: Where) -> Node:
        names = self._class_names()
        adaptations: list[ast.TraitPrecedence | ast.TraitAlias] = []
        if not self.accept(";"):
            self.expect("{", ",", ";", "{")
            while not self.accept("}"):
                adaptations.append(self._adaptation())
                self.expect(";", ";")
        return ast.TraitUse(Where(names[0].line, where.offset), names, adaptations)

    def _adaptation(self) -> ast.TraitPrecedence | ast.TraitAlias:
        where = self.where()
        class_: ast.Name | None = None
        if self.peek().kind == "::":
            class_ = self.class_name()
            self.advance()
        name = self.identifier()
        text = name.value.decode("utf-8", "surrogateescape") if isinstance(name.value, bytes) else ""
        method = ast.MethodReference(where, class_, text)
        if class_ is not None and self.accept("insteadof"):
            return ast.TraitPrecedence(where, method, self._class_names())
        self.expect("as", "as" if class_ else "::")
        modifier = self.advance().kind if self.token.kind in MODIFIER_KEYWORDS else ""
        alias = ""
        kind = self.token.kind
        if kind == "identifier" or kind in RESERVED_NON_MODIFIERS or (modifier and kind in MODIFIER_KEYWORDS):
            alias = self.advance().name
        elif not modifier:
            self.fail()
        return ast.TraitAlias(where, method, modifier, alias)
