"""Parsing of whole files: top-level statements, namespaces, imports (Zend/zend_language_parser.y: top_statement).

``parse`` is the entry to the parser.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.php import ast
from ssa2llvm.php.ast import Node, Where
from ssa2llvm.php.first_sets import TOP_STARTS
from ssa2llvm.php.lexer import tokenize
from ssa2llvm.php.parse_stmt import StatementParser
from ssa2llvm.php.quoting import octal_overflows
from ssa2llvm.php.tokens import Token

_USE_NAMES = ("identifier", "namespaced name", "fully qualified name")


class FileParser(StatementParser):
    """Whole files."""

    def file(self) -> ast.Block:
        """The whole file."""
        where = Where(self.token.line if self.token.kind == "end of file" else 1, 0)
        items: list[Node | None] = []
        while self.token.kind != "end of file":
            self.require(TOP_STARTS, "end of file")
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
            items = self.const_list()
            self.expect(";", ",", ";")
            return ast.ConstDecl(items[0].where, items)
        if kind == "__halt_compiler":
            return self.halt_compiler()
        return self.inner_statement()

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
        first = self._use_name(*(_USE_NAMES if kind else ()))
        if self.token.kind == "\\":
            return self._group_use(start.offset, kind, first)
        items = [self._use_element(first, kind or "class")]
        while self.accept(","):
            items.append(self._use_element(self._use_name(*_USE_NAMES), kind or "class"))
        self.expect(";", ",", ";")
        return ast.Use(Where(items[0].line, start.offset), kind or "class", None, items)

    def _use_name(self, *expected: str) -> tuple[str, Where]:
        """A name to import; without ``expected`` any is allowed, and too many things were possible to name them."""
        token = self.token
        if token.kind not in (expected or _USE_NAMES) or token.kind in ("function", "const"):
            self.fail(*expected)
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
        starts = ("identifier", "namespaced name", *([] if kind else ["function", "const"]))
        while True:
            item_kind = kind or "class"
            if not kind and self.token.kind in ("function", "const"):
                item_kind = self.advance().kind
            items.append(self._use_element(self._use_name(*starts), item_kind))
            if not self.accept(",") or self.token.kind not in starts:
                break
        self.expect("}", "}")
        self.expect(";", ";")
        return ast.Use(Where(prefix[1].line, offset), kind, prefix[0], items)


def _scan_warnings(tokens: list[Token]) -> list[tuple[str, int]]:
    """What PHP's scanner warns of, with the lines: octal escapes that do not fit a byte."""
    warnings: list[tuple[str, int]] = []
    raw = False
    for token in tokens:
        if token.kind == "heredoc start":
            raw = token.text.rstrip(b"\r\n").endswith(b"'")
        elif token.kind == "quoted string":
            raw = token.text.lstrip(b"bB").startswith(b"'")
        if not raw and token.kind in ("quoted string", "string content"):
            for escape, lines in octal_overflows(token.text):
                message = f"Octal escape sequence overflow {escape.decode()} is greater than \\377"
                warnings.append((message, token.line + lines))
        if token.kind in ("quoted string", "heredoc end"):
            raw = False
    return warnings


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file's tree, the line of its end, and what the scanner warned of, with the lines."""

    tree: ast.Block
    last_line: int
    warnings: list[tuple[str, int]]


def parse(source: bytes, filename: str) -> ParsedFile:
    """Parse a PHP file.

    Raises CompileError with PHP's message and line for what PHP's scanner or grammar rejects.
    """
    parser = FileParser(source, filename, tokenize(source))
    tree = parser.file()
    return ParsedFile(tree, parser.token.end_line, _scan_warnings(parser.tokens[: parser.index]))
