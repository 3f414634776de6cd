"""The one error that bad input raises: a message with its position, printed as one line (plus the source line and a
caret)."""

from __future__ import annotations

from typing import Final

_WIDTH: Final = 160
"""How many characters of a source line are shown."""


class CompileError(Exception):
    """Input that cannot be compiled, or a wish that cannot be met. ``line`` and ``column`` count from 1; 0 means
    unknown.

    ``kind`` is ``error`` for what ssa2llvm says, or PHP's own word (``PHP Fatal error``, ``PHP Parse error``) for
    what PHP rejects too.
    """

    def __init__(
        self, message: str, file: str = "", line: int = 0, column: int = 0, kind: str = "error", source_line: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.kind = kind
        self.source_line = source_line

    def __str__(self) -> str:
        """``file:line:column: error: what``, leaving out what is unknown; then the source line and a caret if known."""
        position = ":".join(
            [part for part in (self.file, str(self.line or ""), str(self.column or "") if self.line else "") if part]
        )
        text = f"{position}: {self.kind}: {self.message}" if position else f"{self.kind}: {self.message}"
        if self.source_line and self.column:
            text += "\n" + _with_caret(self.source_line, self.column)
        return text


def _with_caret(line: str, column: int) -> str:
    """The source line with a caret below ``column``; of a long line (generated code) only what is around it."""
    start = column - 1
    if len(line) > _WIDTH:
        first = max(0, min(start - _WIDTH // 2, len(line) - _WIDTH))
        line = ("…" if first else "") + line[first : first + _WIDTH] + ("…" if first + _WIDTH < len(line) else "")
        start += bool(first) - first
    margin = "".join("\t" if char == "\t" else " " for char in line[:start]).ljust(start)
    return f"{line}\n{margin}^"


def error_at_offset(source: bytes, file: str, offset: int, message: str, kind: str = "error") -> CompileError:
    """A diagnostic for byte ``offset`` of a PHP source: line, column, the source line and a caret."""
    start = source.rfind(b"\n", 0, offset) + 1
    end = source.find(b"\n", offset)
    text = source[start : end if end >= 0 else len(source)].decode("utf-8", "replace")
    column = len(source[start:offset].decode("utf-8", "replace")) + 1
    return CompileError(message, file, source.count(b"\n", 0, offset) + 1, column, kind, text)


class UsageError(CompileError):
    """A wish that cannot be met whatever the input: options that do not exist or do not go together."""


class CompileErrors(CompileError):
    """Several diagnostics of one run (``check`` reports all of them); reads as the first one."""

    def __init__(self, errors: list[CompileError]) -> None:
        first = errors[0]
        super().__init__(first.message, first.file, first.line, first.column, first.kind, first.source_line)
        self.errors = errors

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)
