"""A cursor over one line of zir (docs/zir.md): tokens, blanks, comments, and where an error is.

zir is line oriented: everything that stands in PHP's dump raw is escaped, so that a newline always ends an instruction.
"""

from __future__ import annotations

import re
from typing import NoReturn

from ssa2llvm.ir.diagnostics import CompileError

_BLANKS = ("", " ", "\t", ";")
_SPACE = re.compile(r"[ \t]*(?:;[^\n]*)?")
_INT = re.compile(r"-?\d+(?![\w.])")


class Line:
    """A cursor over one line of zir. Blanks, and a comment from ``;`` on, are skipped before every token."""

    def __init__(self, text: str, file: str, number: int) -> None:
        self.text = text
        self.file = file
        self.number = number
        self.position = 0

    def error(self, message: str, position: int | None = None) -> CompileError:
        """A diagnostic that points at ``position``, by default at the next token."""
        self._skip()
        column = (self.position if position is None else position) + 1
        return CompileError(message, self.file, self.number, column, source_line=self.text)

    def fail(self, message: str) -> NoReturn:
        """Raise ``error``."""
        raise self.error(message)

    def _skip(self) -> None:
        if self.text[self.position : self.position + 1] not in _BLANKS:
            return
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Consume ``pattern`` if it comes next."""
        self._skip()
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def eat(self, token: str) -> bool:
        """Consume ``token`` if it comes next; a word must end there."""
        self._skip()
        end = self.position + len(token)
        if not self.text.startswith(token, self.position):
            return False
        if token[-1].isalnum() and end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            return False
        self.position = end
        return True

    def expect(self, token: str) -> None:
        """Consume ``token`` or fail."""
        if not self.eat(token):
            self.fail(f"expected '{token}'")

    def at_end(self) -> bool:
        """Whether nothing but blanks and a comment is left."""
        self._skip()
        return self.position == len(self.text)

    def expect_end(self) -> None:
        """Fail unless the line ends here."""
        if not self.at_end():
            self.fail("unexpected text at the end of the line")

    def integer(self) -> int:
        """A decimal number."""
        match = self.take(_INT)
        if match is None:
            self.fail("expected a number")
        return int(match.group())
