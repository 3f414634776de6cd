"""PHP source → tokens, with PHP's line numbers and PHP's lexical errors.

Follows Zend/zend_language_scanner.l: the start conditions (inline HTML, scripting, the interpolated strings, property and
offset look-ups inside them), the check that brackets nest, and where the scanner's line counter stands after each token.
The whole file is scanned at once, in linear time.  Differences from Zend: a fault is a token of kind ``"error"`` (``text``
is the message) that the parser reports when it reaches it, and the indentation of a heredoc is taken off when its end is
found, so that nothing is scanned twice.

The rules of each state are one regular expression; the scanner generator's longest match is had by writing the longer
alternative first.
"""

from __future__ import annotations

import re

from ssa2llvm.php.quoting import (
    LiteralError,
    count_newlines,
    decode_number,
    strip_indentation,
    unescape,
    unescape_single,
)
from ssa2llvm.php.tokens import KEYWORDS, Token

_LABEL = rb"[a-zA-Z_\x80-\xff][a-zA-Z0-9_\x80-\xff]*"
_WORD = rb"[a-zA-Z0-9_\x80-\xff]"
_DIGITS = rb"[0-9]+(?:_[0-9]+)*"

_SCRIPTING = re.compile(
    rb"(?P<space>[ \n\r\t]+)"
    rb"|(?P<attribute>\#\[)"
    rb"|(?P<comment>(?:\#|//)(?:(?!\?>)[^\r\n])*)"
    rb"|(?P<block>/\*)"
    rb"|(?P<variable>\$" + _LABEL + rb")"
    rb"|(?P<number>0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*|0[bB][01]+(?:_[01]+)*|0[oO][0-7]+(?:_[0-7]+)*"
    rb"|(?:D\.(?:D)?|\.D|D)[eE][+-]?D|D\.(?:D)?|\.D|D)".replace(b"D", _DIGITS) +
    rb"|(?P<heredoc>[bB]?<<<[ \t]*(?:(?P<plain>" + _LABEL + rb")|'(?P<nowdoc>" + _LABEL + rb")'"
    rb"|\"(?P<quoted>" + _LABEL + rb")\")(?:\r\n|\n|\r))"
    rb"|(?P<single>[bB]?')"
    rb"|(?P<double>[bB]?\")"
    rb"|(?P<yieldfrom>[yY][iI][eE][lL][dD][ \n\r\t]+[fF][rR][oO][mM](?!" + _WORD + rb"))"
    rb"|(?P<name>\\?" + _LABEL + rb"(?:\\" + _LABEL + rb")*)"
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
_BODY = re.compile(  # what may start a token inside an interpolated string; the text before it is one token
    rb"(?P<variable>\$" + _LABEL + rb")(?P<follow>\[|\??->[a-zA-Z_\x80-\xff])?|(?P<dollar>\$\{)|(?P<curly>\{(?=\$))"
)
_OFFSET = re.compile(
    rb"(?P<integer>0(?!" + _WORD + rb")|[1-9][0-9]*(?!" + _WORD + rb"))|(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9]"
    rb"[0-9_]*)|(?P<variable>\$" + _LABEL + rb")|(?P<label>" + _LABEL + rb")|(?P<punctuation>[\];:,.|^&+\-/*=%!~$<>?@\[(){}\"`])"
)
_VARNAME = re.compile(_LABEL + rb"(?=[\[}])")
_PROPERTY = re.compile(rb"(?P<space>[ \n\r\t]+)|(?P<arrow>\?->|->)|(?P<label>" + _LABEL + rb")")
_ENUM = re.compile(rb"[ \n\r\t]+(?P<next>" + _LABEL + rb")")
_MAX_INT = (1 << 63) - 1


class _Heredoc:
    """An open heredoc: its label, and the chunks whose indentation is known only when the label closes it."""

    def __init__(self, label: bytes, raw: bool) -> None:
        self.label = label
        self.raw = raw
        self.end = re.compile(rb"(\r\n|\n|\r|(?<![\s\S]))([ \t]*)" + re.escape(label) + rb"(?!" + _WORD + rb")")
        self.chunks: list[tuple[int, bool, bool]] = []
        self.first_token = 0


class Lexer:
    """Scans one file; ``tokens`` holds the result after ``scan``."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.position = 0
        self.line = 1
        self.pending_line = False  # the newline of ``?>\n`` or before a heredoc's end counts from the next token on
        self.tokens: list[Token] = []
        self.nesting: list[tuple[str, int]] = []
        self.braces: list[tuple[str, _Heredoc | None]] = []  # the string states to return to at "}"
        self.heredocs: list[_Heredoc] = []
        self.state = "html"
        self.failed = False

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
            '"': self._string,
            "`": self._string,
            "heredoc": self._heredoc_body,
        }
        while not self.failed and self.position < len(self.source):
            steps[self.state]()
        if not self.failed:
            self._end()
        return self.tokens

    # -- emitting -----------------------------------------------------------------------------------------------------

    def _emit(self, kind: str, end: int, value: bytes | int | float | None = None, text: bytes | None = None) -> Token:
        """Append a token that ends at ``end`` and move there; newlines inside it are counted."""
        if self.pending_line:
            self.line += 1
            self.pending_line = False
        start = self.line
        raw = self.source[self.position : end]
        self.line += count_newlines(raw)
        token = Token(kind, raw if text is None else text, self.position, start, self.line, value)
        self.tokens.append(token)
        self.position = end
        return token

    def _skip(self, end: int) -> None:
        if self.pending_line:
            self.line += 1
            self.pending_line = False
        self.line += count_newlines(self.source[self.position : end])
        self.position = end

    def _fail(self, message: str) -> None:
        """End with an error token at the current place."""
        if self.pending_line:
            self.line += 1
            self.pending_line = False
        self.tokens.append(Token("error", message.encode("utf-8", "surrogateescape"), self.position, self.line, self.line))
        self.failed = True

    def _end(self) -> None:
        if self.pending_line:
            self.line += 1
            self.pending_line = False
        if self.nesting:
            self._bad_nesting(None)
            return
        self.tokens.append(Token("end of file", b"\0", len(self.source), self.line, self.line))

    def _open(self, bracket: str) -> None:
        self.nesting.append((bracket, self.line))

    def _bad_nesting(self, closing: str | None) -> None:
        opening, line = self.nesting[-1]
        message = f"Unclosed '{opening}'"
        if line != self.line:
            message += f" on line {line}"
        if closing is not None:
            message += f" does not match '{closing}'"
        self._fail(message)

    def _close(self, bracket: str) -> bool:
        """Leave a nesting level; False after a fault."""
        if not self.nesting:
            self._fail(f"Unmatched '{bracket}'")
            return False
        if {"{": "}", "[": "]", "(": ")"}[self.nesting[-1][0]] != bracket:
            self._bad_nesting(bracket)
            return False
        self.nesting.pop()
        return True

    # -- inline HTML --------------------------------------------------------------------------------------------------

    def _html(self) -> None:
        match = _OPEN_TAG.search(self.source, self.position)
        start = match.start() if match else len(self.source)
        if start > self.position:
            self._emit("inline html", start, self.source[self.position : start])
        if match is None:
            return
        self.state = "script"
        if match.group() == b"<?=":
            self._emit("echo", match.end())
            return
        end = match.end()
        if len(match.group()) == 5:  # "<?php" takes one white space or newline with it
            end += 2 if self.source[end : end + 2] == b"\r\n" else min(1, len(self.source) - end)
        self._skip(end)

    # -- code ---------------------------------------------------------------------------------------------------------

    def _script(self) -> None:
        match = _SCRIPTING.match(self.source, self.position)
        if match is None:
            self._emit("invalid character", self.position + 1)
            return
        rule = match.lastgroup or ""
        getattr(self, f"_rule_{rule}")(match)

    def _rule_space(self, match: re.Match[bytes]) -> None:
        self._skip(match.end())

    _rule_comment = _rule_space

    def _rule_block(self, match: re.Match[bytes]) -> None:
        end = self.source.find(b"*/", match.end())
        if end < 0:
            self._fail(f"Unterminated comment starting line {self.line + self.pending_line}")
        else:
            self._skip(end + 2)

    def _rule_attribute(self, match: re.Match[bytes]) -> None:
        self._emit("#[", match.end())
        self._open("[")

    def _rule_variable(self, match: re.Match[bytes]) -> None:
        self._emit("variable", match.end(), match.group()[1:])

    def _rule_number(self, match: re.Match[bytes]) -> None:
        try:
            value = decode_number(match.group())
        except LiteralError as error:
            self._fail(error.message)
            return
        self._emit("floating-point number" if isinstance(value, float) else "integer", match.end(), value)

    def _rule_single(self, match: re.Match[bytes]) -> None:
        closing = re.compile(rb"(?:[^'\\]|\\[\s\S])*'").match(self.source, match.end())
        if closing is None:
            self._emit("string content", len(self.source))
            return
        self._emit("quoted string", closing.end(), unescape_single(self.source[match.end() : closing.end() - 1]))

    def _rule_double(self, match: re.Match[bytes]) -> None:
        closing = re.compile(rb"(?:[^\"\\$\{]|\\[\s\S]|\$(?![a-zA-Z_\x80-\xff{])|\{(?!\$))*\"").match(self.source, match.end())
        if closing is None:
            self._emit('"', match.end())
            self.state = '"'
            return
        body = self.source[match.end() : closing.end() - 1]
        try:
            value = unescape(body, b'"')
        except LiteralError as error:
            self.line += error.line_offset
            self._fail(error.message)
            return
        self._emit("quoted string", closing.end(), value)

    def _rule_backtick(self, match: re.Match[bytes]) -> None:
        self._emit("`", match.end())
        self.state = "`"

    def _rule_yieldfrom(self, match: re.Match[bytes]) -> None:
        self._emit("yield from", match.end())

    def _rule_name(self, match: re.Match[bytes]) -> None:
        text = match.group()
        end = match.end()
        if text.startswith(b"\\"):
            self._emit("fully qualified name", end, text[1:])
        elif b"\\" in text:
            if text[:10].lower() == b"namespace\\":
                self._emit("namespace-relative name", end, text[10:])
            else:
                self._emit("namespaced name", end, text)
        else:
            self._emit(self._keyword(text, end), end, text)
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
        rest = re.compile(rb"\s*(\()\s*(\))\s*(?:(;)|\?>(?:\r\n|\n|\r)?)").match(self.source, self.position)
        if rest is None:
            return
        for group in (1, 2):
            self._skip(rest.start(group))
            self._emit(rest.group(group).decode("ascii"), rest.end(group))
        if rest.group(3):
            self._skip(rest.start(3))
        self._emit(";", rest.end())
        self.tokens[-1].value = rest.end()
        self.source = self.source[: rest.end()]

    def _rule_cast(self, match: re.Match[bytes]) -> None:
        kind = match["type"].lower()
        if kind == b"real":
            self._fail("The (real) cast has been removed, use (float) instead")
            return
        self._emit(_CASTS[kind], match.end())

    def _rule_close(self, match: re.Match[bytes]) -> None:
        self._emit(";", self.position + 2, text=match.group())
        self.position = match.end()
        self.pending_line = match.end() - match.start() > 2
        self.state = "html"

    def _rule_arrow(self, match: re.Match[bytes]) -> None:
        """After an arrow any word is a property name; comments and white space may stand between."""
        self._emit(match.group().decode("ascii"), match.end())
        while True:
            space = re.compile(rb"[ \n\r\t]+|(?:\#(?!\[)|//)(?:(?!\?>)[^\r\n])*|/\*[\s\S]*?\*/").match(self.source, self.position)
            if space is None:
                break
            self._skip(space.end())
        label = re.compile(_LABEL).match(self.source, self.position)
        if label:
            self._emit("identifier", label.end(), label.group())

    def _rule_ampersand(self, match: re.Match[bytes]) -> None:
        self._emit("&$", match.end())

    def _rule_operator(self, match: re.Match[bytes]) -> None:
        text = match.group()
        self._emit("!=" if text == b"<>" else text.decode("ascii"), match.end())

    def _rule_backslash(self, match: re.Match[bytes]) -> None:
        self._emit("\\", match.end())

    def _rule_bracket(self, match: re.Match[bytes]) -> None:
        bracket = match.group().decode("ascii")
        if bracket in "([{":
            self._emit(bracket, match.end())
            self._open(bracket)
            if bracket == "{":
                self.braces.append(("script", None))
            return
        if not self._close(bracket):
            return
        self._emit(bracket, match.end())
        if bracket == "}" and self.braces:
            self.state, _ = self.braces.pop()

    # -- interpolated strings -----------------------------------------------------------------------------------------

    def _string(self) -> None:
        """One token of a double-quoted or backtick string: its end, text, or the start of an interpolation."""
        quote = self.state.encode("ascii")
        if self.source.startswith(quote, self.position):
            self.state = "script"
            self._emit(quote.decode("ascii"), self.position + 1)
            return
        scan = self.position
        while scan < len(self.source):
            byte = self.source[scan]
            if byte == 0x5C:
                scan += 2
                continue
            if byte == quote[0] or (byte in b"${" and _BODY.match(self.source, scan)):
                break
            scan += 1
        scan = min(scan, len(self.source))
        if scan == self.position:
            self._interpolation()
            return
        body = self.source[self.position : scan]
        try:
            self._emit("string content", scan, unescape(body, quote))
        except LiteralError as error:
            self.line += error.line_offset
            self._fail(error.message)

    def _interpolation(self) -> None:
        """``$name``, ``$name[…]``, ``$name->name``, ``${`` or ``{$`` at the current place."""
        match = _BODY.match(self.source, self.position)
        assert match is not None
        if match["dollar"]:
            self._emit("${", match.end())
            self._open("{")
            self.braces.append((self.state, None))
            self.state = "script"
            name = _VARNAME.match(self.source, self.position)
            if name:
                self._emit("variable name", name.end(), name.group())
        elif match["curly"]:
            self._emit("{$", match.end())
            self._open("{")
            self.braces.append((self.state, None))
            self.state = "script"
        else:
            self._emit("variable", match.end("variable"), match["variable"][1:])
            if match["follow"] == b"[":
                self._offset()
            elif match["follow"]:
                self._property()

    def _offset(self) -> None:
        """Tokens up to the ``]`` of ``$name[…]`` inside a string."""
        self._emit("[", self.position + 1)
        while not self.failed and self.position < len(self.source):
            match = _OFFSET.match(self.source, self.position)
            if match is None:
                bad = self.source[self.position] in b" \n\r\t\\'#"
                if bad:
                    self.tokens.append(Token("string content", b"", self.position, self.line, self.line, b""))
                    return
                self._emit("invalid character", self.position + 1)
                continue
            text = match.group()
            if match["integer"] is not None:
                value = int(text)
                self._emit("number", match.end(), value if value <= _MAX_INT else text)
            elif match["number"] is not None:
                self._emit("number", match.end(), text)
            elif match["variable"] is not None:
                self._emit("variable", match.end(), text[1:])
            elif match["label"] is not None:
                self._emit("identifier", match.end(), text)
            else:
                self._emit(text.decode("ascii"), match.end())
                if text == b"]":
                    return

    def _property(self) -> None:
        """The arrow and the name of ``$name->name`` inside a string."""
        match = _PROPERTY.match(self.source, self.position)
        assert match is not None
        self._emit(match.group().decode("ascii"), match.end())
        label = re.compile(_LABEL).match(self.source, self.position)
        assert label is not None
        self._emit("identifier", label.end(), label.group())

    # -- heredocs -----------------------------------------------------------------------------------------------------

    def _rule_heredoc(self, match: re.Match[bytes]) -> None:
        label = match["plain"] or match["quoted"] or match["nowdoc"]
        heredoc = _Heredoc(label, match["nowdoc"] is not None)
        self._emit("heredoc start", match.end())
        heredoc.first_token = len(self.tokens)
        self.heredocs.append(heredoc)
        self.state = "heredoc"
        closing = re.compile(rb"([ \t]*)" + re.escape(label) + rb"(?!" + _WORD + rb")").match(self.source, self.position)
        if closing:
            self._finish_heredoc(closing.group(1), closing.end())

    def _heredoc_body(self) -> None:
        """One chunk of text of the innermost heredoc, or an interpolation."""
        heredoc = self.heredocs[-1]
        scan = self.position
        closing = None
        while scan < len(self.source):
            byte = self.source[scan]
            if byte in b"\r\n":
                closing = heredoc.end.match(self.source, scan)
                if closing:
                    break
            elif not heredoc.raw:
                if byte == 0x5C and self.source[scan + 1 : scan + 2] not in (b"\n", b"\r", b""):
                    scan += 2
                    continue
                if byte in b"${" and _BODY.match(self.source, scan):
                    break
            scan += 1
        scan = min(scan, len(self.source))
        if scan == self.position and closing is None:
            self._interpolation()
            return
        if closing is None and scan == len(self.source):
            self._emit("string content", scan)
            return
        if closing is None or scan > self.position or self.tokens[-1].kind != "heredoc start":
            at_line_start = self.source[self.position - 1] in b"\r\n"
            if scan > self.position or closing is not None:
                heredoc.chunks.append((len(self.tokens), at_line_start, closing is not None))
                self._emit("string content", scan)
        if closing:
            self.position = closing.end(1)
            self.pending_line = True
            self._finish_heredoc(closing.group(2), closing.end())

    def _finish_heredoc(self, indentation: bytes, end: int) -> None:
        """Emit the end token, then decode the chunks, now that the indentation is known."""
        heredoc = self.heredocs.pop()
        self.state = "script"
        if b" " in indentation and b"\t" in indentation:
            self._fail("Invalid indentation - tabs and spaces cannot be mixed")
            return
        width = len(indentation)
        first = self.tokens[heredoc.first_token] if heredoc.first_token < len(self.tokens) else None
        if width and first is not None and first.kind in ("variable", "${", "{$"):
            self._replace_by_error(heredoc.first_token, _shallow(width), first.line)
            return
        for index, at_line_start, ends_line in heredoc.chunks:
            token = self.tokens[index]
            try:
                text = strip_indentation(token.text, width, b" " in indentation, at_line_start, ends_line)
                token.value = text if heredoc.raw else unescape(text, b"")
            except LiteralError as error:
                self._replace_by_error(index, error.message, token.line + error.line_offset)
                return
        self._emit("heredoc end", end)

    def _replace_by_error(self, index: int, message: str, line: int) -> None:
        """The text at token ``index`` proved faulty: the file ends there."""
        offset = self.tokens[index].offset
        del self.tokens[index:]
        self.tokens.append(Token("error", message.encode(), offset, line, line))
        self.failed = True


def _shallow(width: int) -> str:
    return f"Invalid body indentation level (expecting an indentation level of at least {width})"


def tokenize(source: bytes) -> list[Token]:
    """The tokens of a PHP file (bytes as they stand on disk), closed by ``"end of file"`` or ``"error"``."""
    return Lexer(source).scan()
