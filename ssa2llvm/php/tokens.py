"""What a PHP token is, and how PHP names it in a syntax error.

The *kind* of a token is a string.  For a keyword or an operator it is the lower-case spelling (``"while"``,
``"+="``); for the others it is the description PHP prints (``"variable"``, ``"integer"``); no spelling collides
with a description.  Two spellings need two kinds: ``"&"`` is an ampersand *not* followed by a variable or ``...``,
``"&$"`` one that is, which is what lets one token of lookahead tell ``A & $b`` in a parameter list from the
intersection type ``A & B``.

Source of the facts: Zend/zend_language_parser.y (token names, zend_yytnamerr), Zend/zend_language_scanner.l.
"""

from __future__ import annotations

from dataclasses import dataclass


def words(text: str) -> frozenset[str]:
    """The words of ``text`` as a set."""
    return frozenset(text.split())


KEYWORDS = words(
    """
    include include_once eval require require_once or xor and print yield instanceof new clone exit if elseif else endif
    echo do while endwhile for endfor foreach endforeach declare enddeclare as switch endswitch case default match break
    continue goto function fn const return try catch finally throw use insteadof global static abstract final private
    protected public readonly var unset isset empty __halt_compiler class trait interface enum extends implements
    namespace list array callable __line__ __file__ __dir__ __class__ __trait__ __method__ __function__ __namespace__
    """
)

MODIFIER_KEYWORDS = words("static abstract final private protected public readonly")

#: Keywords that may still name a method, a constant or a property (the grammar's ``semi_reserved``).
SEMI_RESERVED = KEYWORDS - {"__halt_compiler"}

#: The grammar's ``reserved_non_modifiers``.
RESERVED_NON_MODIFIERS = SEMI_RESERVED - MODIFIER_KEYWORDS

#: Kinds whose name in a message is a description; any other kind is printed as ``token "spelling"``.
DESCRIBED = frozenset(
    {
        "integer",
        "floating-point number",
        "identifier",
        "fully qualified name",
        "namespace-relative name",
        "namespaced name",
        "variable",
        "inline html",
        "string content",
        "quoted string",
        "variable name",
        "number",
        "end of file",
        "heredoc start",
        "heredoc end",
        "invalid character",
    }
)

#: Magic constants are spelt in capitals in PHP's messages.
_CAPITAL = frozenset(k for k in KEYWORDS if k.startswith("__") and k != "__halt_compiler")


@dataclass(slots=True)
class Token:
    """One token: ``line`` is where it starts, ``end_line`` the scanner's line after it; ``value`` is its decoded
    constant."""

    kind: str
    text: bytes
    offset: int
    line: int
    end_line: int
    value: bytes | int | float | None = None

    @property
    def name(self) -> str:
        """The text as a name (PHP names are bytes; surrogateescape keeps them exact)."""
        return self.text.decode("utf-8", "surrogateescape")


#: Bison lists what it expected in the order in which the grammar file first names the tokens.
_ORDER_TEXT = """
end of file|throw|or|xor|and|print|yield|=>|=|?|:|??|.|-|elseif|else|integer|identifier|fully qualified name
namespace-relative name|namespaced name|variable|string content|quoted string|variable name|number|if|endif|while|as
endswitch|case|default|function|const|use|insteadof|abstract|final|readonly|class|&$|&|->|?->|heredoc start|heredoc end
${|{$|::|,|]|(|)|;|{|}|[|`|"|$
"""
_ORDER = {kind: position for position, kind in enumerate(_ORDER_TEXT.strip().replace("\n", "|").split("|"))}


def in_grammar_order(kinds: tuple[str, ...]) -> list[str]:
    """``kinds`` in bison's order."""
    return sorted(kinds, key=lambda kind: _ORDER.get(kind, len(_ORDER)))


def spelling(kind: str) -> str:
    """The kind as PHP spells it between quotes."""
    if kind == "&$":
        return "&"
    return kind.upper() if kind in _CAPITAL else kind


def expected_name(kind: str) -> str:
    """How PHP names ``kind`` after "expecting"; of the two ampersands it shows one by its internal name."""
    if kind == "&":
        return "amp"
    return kind if kind in DESCRIBED else f'"{spelling(kind)}"'


def unexpected_name(token: Token) -> str:
    """How PHP names ``token`` after "unexpected" (zend_yytnamerr)."""
    kind = token.kind
    if kind == "end of file":
        return kind
    if kind == '"':
        return "double-quote mark"
    if kind not in DESCRIBED:
        return f'token "{spelling(kind)}"'
    content = token.text
    if kind == "invalid character" and len(content) == 1:
        return f"character 0x{content[0]:02X}"
    label = "T_INLINE_HTML" if kind == "inline html" else kind
    content = content.split(b"\n", 1)[0]
    if kind == "quoted string":
        label = {b'"': "double-quoted string", b"'": "single-quoted string"}.get(content[:1], label)
    if content[:1] in (b'"', b"'"):
        content = content[1:]
    if content[-1:] in (b'"', b"'"):
        content = content[:-1]
    shown = content.decode("utf-8", "surrogateescape")
    if len(content) > 33:
        shown = content[:30].decode("utf-8", "surrogateescape") + "..."
    return f'{label} "{shown}"'
