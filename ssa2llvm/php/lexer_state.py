"""The scanner's state, and the tokens and faults it emits (Zend/zend_language_scanner.l: enter_nesting, exit_nesting,
report_bad_nesting, HANDLE_NEWLINES)."""

from __future__ import annotations

import re

from ssa2llvm.php.quoting import count_newlines
from ssa2llvm.php.tokens import Token

LABEL = rb"[a-zA-Z_\x80-\xff][a-zA-Z0-9_\x80-\xff]*"
WORD = rb"[a-zA-Z0-9_\x80-\xff]"
DIGITS = rb"[0-9]+(?:_[0-9]+)*"

MAX_NESTING = 9_993
"""How deep brackets may nest: what PHP's parser, whose stack has 10,000 places, still takes of ``[`` or ``(``. The
syntax tree is walked by recursion, which must end before the machine's stack does."""


class Heredoc:
    """An open heredoc: its label, and the chunks whose indentation is known only when the label closes it."""

    def __init__(self, label: bytes, raw: bool) -> None:
        self.label = label
        self.raw = raw
        self.end = re.compile(rb"(\r\n|\n|\r|(?<![\s\S]))([ \t]*)" + re.escape(label) + rb"(?!" + WORD + rb")")
        self.chunks: list[tuple[int, bool, bool]] = []
        self.first_token = 0


class LexerState:
    """Where the scanner is, and what it has found."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.position = 0
        self.line = 1
        self.pending_line = False  # the newline of ``?>\n`` or before a heredoc's end counts from the next token on
        self.tokens: list[Token] = []
        self.nesting: list[tuple[str, int]] = []
        self.braces: list[str] = []  # the string states to return to at "}"
        self.heredocs: list[Heredoc] = []
        self.state = "html"
        self.failed = False

    def settle(self) -> None:
        """Count the newline that was left for the next token."""
        self.line += self.pending_line
        self.pending_line = False

    def emit(self, kind: str, end: int, value: bytes | int | float | None = None, text: bytes | None = None) -> Token:
        """Append a token that ends at ``end`` and move there; newlines inside it are counted."""
        self.settle()
        start = self.line
        raw = self.source[self.position : end]
        self.line += count_newlines(raw)
        token = Token(kind, raw if text is None else text, self.position, start, self.line, value)
        self.tokens.append(token)
        self.position = end
        return token

    def skip(self, end: int) -> None:
        """Move to ``end`` without a token."""
        self.settle()
        self.line += count_newlines(self.source[self.position : end])
        self.position = end

    def fail(self, message: str) -> None:
        """End with an error token at the current place."""
        self.settle()
        self.tokens.append(
            Token("error", message.encode("utf-8", "surrogateescape"), self.position, self.line, self.line)
        )
        self.failed = True

    def _end(self) -> None:
        self.settle()
        if self.nesting:
            self.bad_nesting(None)
            return
        self.tokens.append(Token("end of file", b"\0", len(self.source), self.line, self.line))

    def open(self, bracket: str) -> None:
        """Enter a nesting level."""
        self.nesting.append((bracket, self.line))
        if len(self.nesting) > MAX_NESTING:
            self.fail("memory exhausted")

    def bad_nesting(self, closing: str | None) -> None:
        """Fail: ``closing`` (None is the end of the file) does not fit the innermost open bracket."""
        opening, line = self.nesting[-1]
        message = f"Unclosed '{opening}'"
        if line != self.line:
            message += f" on line {line}"
        if closing is not None:
            message += f" does not match '{closing}'"
        self.fail(message)

    def close(self, bracket: str) -> bool:
        """Leave a nesting level; False after a fault."""
        if not self.nesting:
            self.fail(f"Unmatched '{bracket}'")
            return False
        if {"{": "}", "[": "]", "(": ")"}[self.nesting[-1][0]] != bracket:
            self.bad_nesting(bracket)
            return False
        self.nesting.pop()
        return True
