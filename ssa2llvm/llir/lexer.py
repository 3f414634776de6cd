"""LLVM IR text as tokens with their places, so that text can be judged line by line and rewritten in place.

llvmlite's binding shows a parsed module, but cannot change one, and shows nothing at all of a module that LLVM refuses.
Both `verify` (which explains what LLVM refuses) and the rewriting of instructions therefore work on tokens.  The
lexer knows LLVM's lexical rules (LLVM/lib/AsmParser/LLLexer.cpp in outline) and nothing of its grammar; it accepts
anything.  Linear in the size of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum


class TokenKind(Enum):
    """What a token is, by its first characters."""

    LOCAL = "local name"
    GLOBAL = "global name"
    METADATA = "metadata"
    STRING = "string"
    LABEL = "label"
    WORD = "word"
    PUNCTUATION = "punctuation"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is normalised (quotes that need not be are gone); `start` and `end` are its place in the file, `line`
    and `column` count from 1."""

    kind: TokenKind
    text: str
    start: int
    end: int
    line: int
    column: int


_PATTERN = re.compile(
    r"""
    (?P<space>   [ \t\r\n]+ | ;[^\n]* )
  | (?P<label>   (?: "[^"]*" | [-$._a-zA-Z0-9]+ ) :(?!:) )
  | (?P<local>   % (?: "[^"]*" | [-$._a-zA-Z0-9]+ ) )
  | (?P<global>  @ (?: "[^"]*" | [-$._a-zA-Z0-9]+ ) )
  | (?P<meta>    ! (?: "[^"]*" | [-$._a-zA-Z0-9\\]+ )? )
  | (?P<string>  c?"[^"]*" )
  | (?P<word>    [-+$.#_a-zA-Z0-9]+ )
  | (?P<punct>   . )
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {
    "label": TokenKind.LABEL,
    "local": TokenKind.LOCAL,
    "global": TokenKind.GLOBAL,
    "meta": TokenKind.METADATA,
    "string": TokenKind.STRING,
    "word": TokenKind.WORD,
    "punct": TokenKind.PUNCTUATION,
}
_NEEDLESS_QUOTES = re.compile(r'"([-$._a-zA-Z][-$._a-zA-Z0-9]*)"')


def plain_name(text: str) -> str:
    """The one spelling of a name that may be written with quotes or without."""
    return _NEEDLESS_QUOTES.sub(r"\1", text) if '"' in text else text


def tokenise(text: str) -> list[Token]:
    """All tokens of `text`, comments and space left out."""
    tokens: list[Token] = []
    line = 1
    line_start = 0
    for match in _PATTERN.finditer(text):
        group = match.lastgroup
        assert group is not None
        content = match.group()
        if group != "space":
            kind = _KINDS[group]
            named = kind in (TokenKind.LOCAL, TokenKind.GLOBAL, TokenKind.LABEL)
            spelling = plain_name(content) if named else content
            tokens.append(Token(kind, spelling, match.start(), match.end(), line, match.start() - line_start + 1))
        newlines = content.count("\n")
        if newlines:
            line += newlines
            line_start = match.start() + content.rindex("\n") + 1
    return tokens
