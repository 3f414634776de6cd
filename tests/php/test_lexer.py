"""Tokens: kinds, values and PHP's line numbers."""

from __future__ import annotations

import math

import pytest

from ssa2llvm.php.lexer import tokenize
from ssa2llvm.php.quoting import LiteralError, decode_number, strip_indentation, unescape


def kinds(source: str) -> list[str]:
    return [token.kind for token in tokenize(source.encode())]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("1_000", 1000),
        ("0x7FFFFFFFFFFFFFFF", 2**63 - 1),
        ("0x8000000000000000", 2.0**63),
        ("0b11", 3),
        ("0o17", 15),
        ("017", 15),
        ("9223372036854775807", 2**63 - 1),
        ("9223372036854775808", 9223372036854775808.0),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e999", math.inf),
        # PHP converts digit by digit: 64 ones in binary are not the nearest float to 2**64 - 1.
        ("0b" + "1" * 64, 1.844674407370955e19),
    ],
)
def test_numbers(text, value):
    number = decode_number(text.encode())
    assert number == value
    assert type(number) is type(value)


def test_octal_with_a_nine_is_no_number():
    with pytest.raises(LiteralError, match="Invalid numeric literal"):
        decode_number(b"09")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (rb"a\n\t\\\$\"", b'a\n\t\\$"'),
        (rb"\x41\x4\101\u{e9}\u{1F600}", "A\x04A\u00e9\U0001f600".encode()),
        (rb"\q\8\xg\u0041", rb"\q\8\xg\u0041"),
        (rb"\400", b"\x00"),
        (rb"\`", rb"\`"),
    ],
)
def test_escapes(text, value):
    assert unescape(text, b'"') == value


@pytest.mark.parametrize("text", [rb"\u{}", rb"\u{110000}", rb"\u{12", rb"\u{xy}"])
def test_bad_code_points(text):
    with pytest.raises(LiteralError, match="Invalid UTF-8 codepoint escape sequence"):
        unescape(text, b'"')


def test_heredoc_indentation():
    assert strip_indentation(b"  a\n\n    b", 2, True, True, True) == b"a\n\n  b"
    with pytest.raises(LiteralError, match="at least 2"):
        strip_indentation(b"  a\n b", 2, True, True, True)
    with pytest.raises(LiteralError, match="tabs and spaces"):
        strip_indentation(b"\ta", 1, True, True, True)


def test_casts_names_and_ampersands():
    assert kinds("<?php ( INT ) \\a\\b namespace\\c d\\e & $f &...$g & h") == [
        "(int)",
        "fully qualified name",
        "namespace-relative name",
        "namespaced name",
        "&$",
        "variable",
        "&$",
        "...",
        "variable",
        "&",
        "identifier",
        "end of file",
    ]


def test_words_after_an_arrow_are_names():
    assert kinds("<?php $a->class?->/* c */list") == [
        "variable",
        "->",
        "identifier",
        "?->",
        "identifier",
        "end of file",
    ]


def test_enum_is_a_keyword_only_before_a_name():
    assert kinds("<?php enum A enum extends enum (")[:5] == [
        "enum",
        "identifier",
        "identifier",
        "extends",
        "identifier",
    ]


def test_interpolation():
    assert kinds('<?php "a $b[0] $c->d {$e} ${f} $g->"') == [
        '"',
        "string content",
        "variable",
        "[",
        "number",
        "]",
        "string content",
        "variable",
        "->",
        "identifier",
        "string content",
        "{$",
        "variable",
        "}",
        "string content",
        "${",
        "variable name",
        "}",
        "string content",
        "variable",
        "string content",
        '"',
        "end of file",
    ]


def test_lines():
    source = "<?php\n$a = 'x\ny';\n?>\nhtml\n<?= $b ?>\n<?php\n<<<E\n  p\n  q\n  E;\n$c"
    lines = {token.text: (token.line, token.end_line) for token in tokenize(source.encode())}
    assert lines[b"$a"] == (2, 2)
    assert lines[b"'x\ny'"] == (2, 3)
    assert lines[b"html\n"] == (5, 6)
    assert lines[b"$b"] == (6, 6)
    assert lines[b"<<<E\n"] == (8, 9)
    assert lines[b"  p\n  q"] == (9, 10)
    assert lines[b"  E"] == (11, 11)
    assert lines[b"$c"] == (12, 12)


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("<?php\n( ]", "Unclosed '(' does not match ']'", 2),
        ("<?php\n(\n]", "Unclosed '(' on line 2 does not match ']'", 3),
        ("<?php }", "Unmatched '}'", 1),
        ("<?php {\n", "Unclosed '{' on line 1", 2),
        ("<?php /* x", "Unterminated comment starting line 1", 1),
        ("<?php 08", "Invalid numeric literal", 1),
        ("<?php $x =\n" + "[" * 9994 + "]" * 9994, "memory exhausted", 2),
    ],
)
def test_faults(source, message, line):
    fault = tokenize(source.encode())[-1]
    assert (fault.kind, fault.text.decode(), fault.line) == ("error", message, line)


def test_brackets_nest_as_deep_as_in_php():
    assert tokenize(b"<?php $x = " + b"[" * 9993 + b"]" * 9993 + b";")[-1].kind == "end of file"


def test_open_tags():
    assert kinds("<?php") == ["end of file"]
    assert kinds("a<?= 1") == ["inline html", "echo", "integer", "end of file"]
    assert kinds("#!/usr/bin/php\nx") == ["inline html", "end of file"]
