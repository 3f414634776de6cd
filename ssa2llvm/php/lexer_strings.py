"""Scanning inside interpolated strings and heredocs (Zend/zend_language_scanner.l: ST_DOUBLE_QUOTES, ST_BACKQUOTE,
ST_HEREDOC, ST_NOWDOC, ST_VAR_OFFSET, ST_LOOKING_FOR_PROPERTY, ST_LOOKING_FOR_VARNAME).

The text of a heredoc is decoded when its end is found, because the indentation to take off is that of the end.
"""

from __future__ import annotations

import re

from ssa2llvm.php.lexer_state import LABEL, WORD, Heredoc, LexerState
from ssa2llvm.php.quoting import LiteralError, strip_indentation, unescape
from ssa2llvm.php.tokens import Token

_BODY = re.compile(  # what may start a token inside an interpolated string; the text before it is one token
    rb"(?P<variable>\$" + LABEL + rb")(?P<follow>\[|\??->[a-zA-Z_\x80-\xff])?|(?P<dollar>\$\{)|(?P<curly>\{(?=\$))"
)
_OFFSET = re.compile(
    rb"(?P<integer>(?:0|[1-9][0-9]*)(?!WORD))|(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9][0-9_]*)"
    rb"|(?P<variable>\$LABEL)|(?P<label>LABEL)|(?P<punctuation>[\];:,.|^&+\-/*=%!~$<>?@\[(){}\"`])".replace(
        b"LABEL", LABEL
    ).replace(b"WORD", WORD)
)
_PLAIN = rb"\\[\s\S]|\$(?![a-zA-Z_\x80-\xff{])|\{(?!\$)"  # an escape, or a sign that begins no interpolation
_TEXT = {
    '"': re.compile(rb"(?:[^\"\\${]++|" + _PLAIN + rb")*+"),
    "`": re.compile(rb"(?:[^`\\${]++|" + _PLAIN + rb")*+"),
}
_HEREDOC_LINE = re.compile(rb"(?:[^\\${\r\n]++|\\(?:[^\r\n]|(?=[\r\n])|\Z)|\$(?![a-zA-Z_\x80-\xff{])|\{(?!\$))*+")
_NOWDOC_LINE = re.compile(rb"[^\r\n]*+")
_LABEL = re.compile(LABEL)
_VARNAME = re.compile(LABEL + rb"(?=[\[}])")
_PROPERTY = re.compile(rb"(?P<space>[ \n\r\t]+)|(?P<arrow>\?->|->)|(?P<label>" + LABEL + rb")")
_MAX_INT = (1 << 63) - 1


class StringLexer(LexerState):
    """The states inside strings."""

    def string(self) -> None:
        """One token of a double-quoted or backtick string: its end, text, or the start of an interpolation."""
        quote = self.state.encode("ascii")
        if self.source.startswith(quote, self.position):
            self.state = "script"
            self.emit(quote.decode("ascii"), self.position + 1)
            return
        text = _TEXT[self.state].match(self.source, self.position)
        assert text is not None
        scan = text.end()
        if self.source[scan : scan + 1] == b"\\":  # a backslash ends the file
            scan += 1
        if scan == self.position:
            self._interpolation()
            return
        body = self.source[self.position : scan]
        try:
            self.emit("string content", scan, unescape(body, quote))
        except LiteralError as error:
            self.line += error.line_offset
            self.fail(error.message)

    def _interpolation(self) -> None:
        """``$name``, ``$name[…]``, ``$name->name``, ``${`` or ``{$`` at the current place."""
        match = _BODY.match(self.source, self.position)
        assert match is not None
        if match["dollar"]:
            self.emit("${", match.end())
            self.open("{")
            self.braces.append(self.state)
            self.state = "script"
            name = _VARNAME.match(self.source, self.position)
            if name:
                self.emit("variable name", name.end(), name.group())
        elif match["curly"]:
            self.emit("{$", match.end())
            self.open("{")
            self.braces.append(self.state)
            self.state = "script"
        else:
            self.emit("variable", match.end("variable"), match["variable"][1:])
            if match["follow"] == b"[":
                self._offset()
            elif match["follow"]:
                self._property()

    def _offset(self) -> None:
        """Tokens up to the ``]`` of ``$name[…]`` inside a string."""
        self.emit("[", self.position + 1)
        while not self.failed and self.position < len(self.source):
            match = _OFFSET.match(self.source, self.position)
            if match is None:
                bad = self.source[self.position] in b" \n\r\t\\'#"
                if bad:
                    self.tokens.append(Token("string content", b"", self.position, self.line, self.line, b""))
                    return
                self.emit("invalid character", self.position + 1)
                continue
            text = match.group()
            if match["integer"] is not None:
                value = int(text)
                self.emit("number", match.end(), value if value <= _MAX_INT else text)
            elif match["number"] is not None:
                self.emit("number", match.end(), text)
            elif match["variable"] is not None:
                self.emit("variable", match.end(), text[1:])
            elif match["label"] is not None:
                self.emit("identifier", match.end(), text)
            else:
                self.emit(text.decode("ascii"), match.end())
                if text == b"]":
                    return

    def _property(self) -> None:
        """The arrow and the name of ``$name->name`` inside a string."""
        match = _PROPERTY.match(self.source, self.position)
        assert match is not None
        self.emit(match.group().decode("ascii"), match.end())
        label = _LABEL.match(self.source, self.position)
        assert label is not None
        self.emit("identifier", label.end(), label.group())

    def _rule_heredoc(self, match: re.Match[bytes]) -> None:
        """``<<<LABEL``; the body follows, unless the label ends it at once."""
        label = match["plain"] or match["quoted"] or match["nowdoc"]
        heredoc = Heredoc(label, match["nowdoc"] is not None)
        self.emit("heredoc start", match.end())
        heredoc.first_token = len(self.tokens)
        self.heredocs.append(heredoc)
        self.state = "heredoc"
        at_once = re.compile(rb"([ \t]*)" + re.escape(label) + rb"(?!" + WORD + rb")")
        closing = at_once.match(self.source, self.position)
        if closing:
            self._finish_heredoc(closing.group(1), closing.end())

    def heredoc_body(self) -> None:
        """One chunk of text of the innermost heredoc, or an interpolation."""
        heredoc = self.heredocs[-1]
        line = _NOWDOC_LINE if heredoc.raw else _HEREDOC_LINE
        scan = self.position
        closing = None
        while scan < len(self.source):
            text = line.match(self.source, scan)
            assert text is not None
            scan = text.end()
            if self.source[scan : scan + 1] not in (b"\r", b"\n"):
                break
            closing = heredoc.end.match(self.source, scan)
            if closing:
                break
            scan += 1
        if scan == self.position and closing is None:
            self._interpolation()
            return
        if closing is None and scan == len(self.source):
            self.emit("string content", scan, b"")
            return
        at_line_start = self.source[self.position - 1] in b"\r\n"
        heredoc.chunks.append((len(self.tokens), at_line_start, closing is not None))
        self.emit("string content", scan)
        if closing:
            self.position = closing.end(1)
            self.pending_line = True
            self._finish_heredoc(closing.group(2), closing.end())

    def _finish_heredoc(self, indentation: bytes, end: int) -> None:
        """Emit the end token, then decode the chunks, now that the indentation is known."""
        heredoc = self.heredocs.pop()
        self.state = "script"
        if b" " in indentation and b"\t" in indentation:
            if heredoc.chunks:
                self.line = self.tokens[heredoc.chunks[-1][0]].line
                self.pending_line = False
            self.fail("Invalid indentation - tabs and spaces cannot be mixed")
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
        self.emit("heredoc end", end)

    def _replace_by_error(self, index: int, message: str, line: int) -> None:
        """The text at token ``index`` proved faulty: the file ends there."""
        offset = self.tokens[index].offset
        del self.tokens[index:]
        self.tokens.append(Token("error", message.encode(), offset, line, line))
        self.failed = True


def _shallow(width: int) -> str:
    return f"Invalid body indentation level (expecting an indentation level of at least {width})"
