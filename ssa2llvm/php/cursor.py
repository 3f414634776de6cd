"""The parser's place in the token stream, and syntax errors in PHP's words.

PHP's parser is an LALR(1) automaton made by bison: it reports the first token that cannot continue a valid prefix,
and names what it expected when there are at most four possibilities.  A recursive-descent parser for the same
grammar stops at the same token; the callers of ``fail`` pass the expected kinds where bison would print them.
"""

from __future__ import annotations

from typing import NoReturn

from ssa2llvm.ir.diagnostics import CompileError, error_at_offset
from ssa2llvm.php.ast import Where
from ssa2llvm.php.tokens import Token, expected_name, in_grammar_order, unexpected_name

PARSE_ERROR = "PHP Parse error"
FATAL_ERROR = "PHP Fatal error"


def error_at(source: bytes, filename: str, line: int, offset: int, message: str, kind: str) -> CompileError:
    """A diagnostic for byte ``offset``, with the column and the source line if the offset lies on ``line``."""
    error = error_at_offset(source, filename, offset, message, kind)
    return error if error.line == line else CompileError(message, filename, line, 0, kind)


class Cursor:
    """Reads tokens one by one with one token of lookahead."""

    def __init__(self, source: bytes, filename: str, tokens: list[Token]) -> None:
        self.source = source
        self.filename = filename
        self.tokens = tokens
        self.index = 0
        self.token = tokens[0]
        self.previous = Token("start", b"", 0, 1, 1)
        self.maybe_name = -2  # index of a keyword that may yet turn out to be an argument's name
        self.argument = -1  # index of the token that begins the argument under way

    def advance(self) -> Token:
        """Consume and return the current token."""
        token = self.token
        if token.kind == "error":
            self.fail()
        self.previous = token
        self.index += 1
        self.token = self.tokens[self.index] if self.index < len(self.tokens) else token
        return token

    def peek(self) -> Token:
        """The token after the current one (the last one again at the end)."""
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

    def accept(self, kind: str) -> bool:
        """Consume the current token if it is of ``kind``."""
        if self.token.kind != kind:
            return False
        self.advance()
        return True

    def expect(self, kind: str, *expected: str) -> Token:
        """Consume a token of ``kind`` or fail, naming ``expected`` (by default nothing: many tokens were possible)."""
        if self.token.kind != kind:
            self.fail(*expected)
        return self.advance()

    def require(self, starts: frozenset[str], *expected: str) -> None:
        """Fail unless the current token can begin what follows."""
        if self.token.kind not in starts:
            self.fail(*expected)

    def where(self) -> Where:
        """The place of the current token, as its constant's node has it."""
        return Where(self.token.line, self.token.offset)

    def where_scanned(self, offset: int) -> Where:
        """The place of a node without children, recognised only after the current token was looked at."""
        return Where(self.token.end_line, offset)

    def fail(self, *expected: str) -> NoReturn:
        """Raise PHP's syntax error for the current token."""
        token = self.token
        if token.kind == "error":
            message = token.text.decode("utf-8", "surrogateescape")
        else:
            message = f"syntax error, unexpected {unexpected_name(token)}"
            if self.index == self.maybe_name + 1:
                expected = (":",)
            if 0 < len(expected) < 5:
                message += ", expecting " + " or ".join(map(expected_name, in_grammar_order(expected)))
        raise error_at(self.source, self.filename, token.end_line, token.offset, message, PARSE_ERROR)

    def reject(self, message: str, kind: str = FATAL_ERROR) -> NoReturn:
        """Raise an error that is not about an unexpected token, at the scanner's current line."""
        raise error_at(self.source, self.filename, self.token.end_line, self.token.offset, message, kind)
