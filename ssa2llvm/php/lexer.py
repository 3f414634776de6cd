"""PHP source → tokens, with PHP's line numbers and PHP's lexical errors.

Follows Zend/zend_language_scanner.l: the start conditions (inline HTML, scripting, the interpolated strings,
property and offset look-ups inside them), the check that brackets nest, and where the scanner's line counter stands
after each token. The whole file is scanned at once, in linear time.  Differences from Zend: a fault is a token of
kind ``"error"`` (``text`` is the message) that the parser reports when it reaches it, and the indentation of a
heredoc is taken off when its end is found, so that nothing is scanned twice.

The rules of each state are one regular expression; the scanner generator's longest match is had by writing the
longer alternative first.
"""

from __future__ import annotations

import re

from ssa2llvm.php.lexer_state import DIGITS, LABEL, WORD
from ssa2llvm.php.lexer_strings import StringLexer
from ssa2llvm.php.quoting import LiteralError, decode_number, unescape, unescape_single
from ssa2llvm.php.tokens import KEYWORDS, Token

_SCRIPTING = re.compile(
    rb"(?P<space>[ \n\r\t]+)"
    rb"|(?P<attribute>\#\[)"
    rb"|(?P<comment>(?:\#|//)(?:(?!\?>)[^\r\n])*)"
    rb"|(?P<block>/\*)"
    rb"|(?P<variable>\$"
    + LABEL
    + rb")"
    rb"|(?P<number>0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[bB][01]+(?:_[01]+)*|0[oO][0-7]+(?:_[0-7]+)*"
    rb"|(?:D\.(?:D)?|\.D|D)[eE][+-]?D|D\.(?:D)?|\.D|D)".replace(b"D", DIGITS)
    + rb"|(?P<heredoc>[bB]?<<<[ \t]*(?:(?P<plain>"
    + LABEL
    + rb")|'(?P<nowdoc>"
    + LABEL
    + rb")'"
    rb"|\"(?P<quoted>" + LABEL + rb")\")(?:\r\n|\n|\r))"
    rb"|(?P<single>[bB]?')"
    rb"|(?P<double>[bB]?\")"
    rb"|(?P<yieldfrom>[yY][iI][eE][lL][dD][ \n\r\t]+[fF][rR][oO][mM](?!" + WORD + rb"))"
    rb"|(?P<name>\\?" + LABEL + rb"(?:\\" + LABEL + rb")*)"
    rb"|(?P<cast>\([ \t]*(?P<type>int|integer|double|float|real|string|binary|array|object|bool|boolean|unset)[ \t]*\))"
    rb"|(?P<close>\?>(?:\r\n|\n|\r)?)"
    rb"|(?P<arrow>\?->|->)"
    rb"|(?P<ampersand>&(?=[ \t\r\n]*(?:\$|\.\.\.)))"
    rb"|(?P<operator><<=|>>=|\*\*=|\?\?=|===|!==|<=>|\.\.\.|::|\?\?|=>|\+\+|--|==|!=|<>|<=|>=|\+=|-=|\*\*|\*=|/=|\.=|%="
    rb"|&=|\|=|\^=|\|\||&&|<<|>>|[;:,.|^&+\-/*=%!~$<>?@])"
    rb"|(?P<bracket>[\[\](){}])"
    rb"|(?P<backslash>\\)"
    rb"|(?P<backtick>`)",
    re.IGNORECASE,
)
_CASTS = {
    b"int": "(int)",
    b"integer": "(int)",
    b"double": "(double)",
    b"float": "(double)",
    b"string": "(string)",
    b"binary": "(string)",
    b"array": "(array)",
    b"object": "(object)",
    b"bool": "(bool)",
    b"boolean": "(bool)",
    b"unset": "(unset)",
}
_OPEN_TAG = re.compile(rb"<\?=|<\?php(?=[ \t\r\n]|\Z)|<\?", re.IGNORECASE)
_ENUM = re.compile(rb"[ \n\r\t]+(?P<next>" + LABEL + rb")")
_AFTER_ARROW = re.compile(rb"[ \n\r\t]+|(?:\#(?!\[)|//)(?:(?!\?>)[^\r\n])*|/\*[\s\S]*?\*/")
_SINGLE = re.compile(rb"(?:[^'\\]++|\\[\s\S])*+'")
_DOUBLE = re.compile(rb"(?:[^\"\\${]++|\\[\s\S]|\$(?![a-zA-Z_\x80-\xff{])|\{(?!\$))*+\"")
_PROPERTY_NAME = re.compile(LABEL)
_HALT = re.compile(rb"\s*(\()\s*(\))\s*(?:(;)|\?>(?:\r\n|\n|\r)?)")


class Lexer(StringLexer):
    """Scans one file; ``tokens`` holds the result after ``scan``."""

    def scan(self) -> list[Token]:
        """All tokens, the last of kind ``"end of file"`` or ``"error"``."""
        if self.source.startswith(b"#!"):
            match = re.match(rb"#!.*?(?:\r\n|\n|\r)", self.source)
            if match:
                self.position = match.end()
                self.line = 2
        steps = {
            "html": self._html,
            "script": self._script,
            '"': self.string,
            "`": self.string,
            "heredoc": self.heredoc_body,
        }
        while not self.failed and self.position < len(self.source):
            steps[self.state]()
        if not self.failed:
            self._end()
        return self.tokens

    # -- inline HTML -------------------------------------------------------------------------------------------------

    def _html(self) -> None:
        match = _OPEN_TAG.search(self.source, self.position)
        start = match.start() if match else len(self.source)
        if start > self.position:
            self.emit("inline html", start, self.source[self.position : start])
        if match is None:
            return
        self.state = "script"
        if match.group() == b"<?=":
            self.emit("echo", match.end())
            return
        end = match.end()
        if len(match.group()) == 5:  # "<?php" takes one white space or newline with it
            end += 2 if self.source[end : end + 2] == b"\r\n" else min(1, len(self.source) - end)
        self.skip(end)

    # -- code --------------------------------------------------------------------------------------------------------

    def _script(self) -> None:
        match = _SCRIPTING.match(self.source, self.position)
        if match is None:
            self.emit("invalid character", self.position + 1)
            return
        rule = match.lastgroup or ""
        getattr(self, f"_rule_{rule}")(match)

    def _rule_space(self, match: re.Match[bytes]) -> None:
        self.skip(match.end())

    _rule_comment = _rule_space

    def _rule_block(self, match: re.Match[bytes]) -> None:
        end = self.source.find(b"*/", match.end())
        if end < 0:
            self.fail(f"Unterminated comment starting line {self.line + self.pending_line}")
        else:
            self.skip(end + 2)

    def _rule_attribute(self, match: re.Match[bytes]) -> None:
        self.emit("#[", match.end())
        self.open("[")

    def _rule_variable(self, match: re.Match[bytes]) -> None:
        self.emit("variable", match.end(), match.group()[1:])

    def _rule_number(self, match: re.Match[bytes]) -> None:
        try:
            value = decode_number(match.group())
        except LiteralError as error:
            self.fail(error.message)
            return
        self.emit("floating-point number" if isinstance(value, float) else "integer", match.end(), value)

    def _rule_single(self, match: re.Match[bytes]) -> None:
        closing = _SINGLE.match(self.source, match.end())
        if closing is None:
            self.emit("string content", len(self.source))
            return
        self.emit("quoted string", closing.end(), unescape_single(self.source[match.end() : closing.end() - 1]))

    def _rule_double(self, match: re.Match[bytes]) -> None:
        closing = _DOUBLE.match(self.source, match.end())
        if closing is None:
            self.emit('"', match.end())
            self.state = '"'
            return
        body = self.source[match.end() : closing.end() - 1]
        try:
            value = unescape(body, b'"')
        except LiteralError as error:
            self.line += error.line_offset
            self.fail(error.message)
            return
        self.emit("quoted string", closing.end(), value)

    def _rule_backtick(self, match: re.Match[bytes]) -> None:
        self.emit("`", match.end())
        self.state = "`"

    def _rule_yieldfrom(self, match: re.Match[bytes]) -> None:
        self.emit("yield from", match.end())

    def _rule_name(self, match: re.Match[bytes]) -> None:
        text = match.group()
        end = match.end()
        if text.startswith(b"\\"):
            self.emit("fully qualified name", end, text[1:])
        elif b"\\" in text:
            if text[:10].lower() == b"namespace\\":
                self.emit("namespace-relative name", end, text[10:])
            else:
                self.emit("namespaced name", end, text)
        else:
            self.emit(self._keyword(text, end), end, text)
            if self.tokens[-1].kind == "__halt_compiler":
                self._halt()

    def _keyword(self, text: bytes, end: int) -> str:
        word = text.decode("latin-1").lower() if text.isascii() else ""
        if word == "die":
            return "exit"
        if word == "enum":
            following = _ENUM.match(self.source, end)
            if following is None or following["next"].lower() in (b"extends", b"implements"):
                return "identifier"
        return word if word in KEYWORDS else "identifier"

    def _halt(self) -> None:
        """``__halt_compiler();`` ends the code: what follows is data."""
        rest = _HALT.match(self.source, self.position)
        if rest is None:
            return
        for group in (1, 2):
            self.skip(rest.start(group))
            self.emit(rest.group(group).decode("ascii"), rest.end(group))
        if rest.group(3):
            self.skip(rest.start(3))
        self.emit(";", rest.end())
        self.tokens[-1].value = rest.end()
        self.source = self.source[: rest.end()]

    def _rule_cast(self, match: re.Match[bytes]) -> None:
        kind = match["type"].lower()
        if kind == b"real":
            self.fail("The (real) cast has been removed, use (float) instead")
            return
        self.emit(_CASTS[kind], match.end())

    def _rule_close(self, match: re.Match[bytes]) -> None:
        self.emit(";", self.position + 2, text=match.group())
        self.position = match.end()
        self.pending_line = match.end() - match.start() > 2
        self.state = "html"

    def _rule_arrow(self, match: re.Match[bytes]) -> None:
        """After an arrow any word is a property name; comments and white space may stand between."""
        self.emit(match.group().decode("ascii"), match.end())
        while True:
            space = _AFTER_ARROW.match(self.source, self.position)
            if space is None:
                break
            self.skip(space.end())
        label = _PROPERTY_NAME.match(self.source, self.position)
        if label:
            self.emit("identifier", label.end(), label.group())

    def _rule_ampersand(self, match: re.Match[bytes]) -> None:
        self.emit("&$", match.end())

    def _rule_operator(self, match: re.Match[bytes]) -> None:
        text = match.group()
        self.emit("!=" if text == b"<>" else text.decode("ascii"), match.end())

    def _rule_backslash(self, match: re.Match[bytes]) -> None:
        self.emit("\\", match.end())

    def _rule_bracket(self, match: re.Match[bytes]) -> None:
        bracket = match.group().decode("ascii")
        if bracket in "([{":
            self.emit(bracket, match.end())
            self.open(bracket)
            if bracket == "{":
                self.braces.append("script")
            return
        if not self.close(bracket):
            return
        self.emit(bracket, match.end())
        if bracket == "}" and self.braces:
            self.state = self.braces.pop()


def tokenize(source: bytes) -> list[Token]:
    """The tokens of a PHP file (bytes as they stand on disk), closed by ``"end of file"`` or ``"error"``."""
    return Lexer(source).scan()
