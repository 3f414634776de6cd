"""Small PHP programs over scalars of every type: operators on edge values, tests, undefined variables, calls.

What a program prints includes PHP's diagnostics, so that a pass that folds a warning away is found out.
"""

from __future__ import annotations

from hypothesis import strategies as st

VALUES = [
    "null", "true", "false", "0", "1", "-1", "2", "7", "PHP_INT_MAX", "PHP_INT_MIN", "0.0", "-0.0", "1.5", "1e20",
    "NAN", "INF", "''", "'0'", "'5'", "'1.5'", "'abc'", "'5 apples'", "'1e3'", "' 7'",
]  # fmt: skip
BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    ".",
    "<",
    "<=",
    "==",
    "!=",
    "===",
    "!==",
    "<=>",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "??",
]
UNARY = ["!", "-", "~", "(int)", "(string)", "(bool)", "(float)"]
NAMES = ["$a", "$b", "$c", "$undefined"]


def _expressions() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.sampled_from(VALUES), st.sampled_from(NAMES))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(BINARY), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(st.sampled_from(UNARY), inner).map(lambda t: f"({t[0]} {t[1]})"),
            st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ? {t[1]} : {t[2]})"),
        ),
        max_leaves=4,
    )


def _statements() -> st.SearchStrategy[str]:
    target = st.sampled_from(["$a", "$b", "$c"])
    simple = st.one_of(
        st.tuples(target, _expressions()).map(lambda t: f"{t[0]} = {t[1]};"),
        st.tuples(target, st.sampled_from(["+=", "-=", ".=", "*="]), _expressions()).map(
            lambda t: f"{t[0]} {t[1]} {t[2]};"
        ),
        target.map(lambda name: f"{name}++;"),
        target.map(lambda name: f"--{name};"),
        target.map(lambda name: f"unset({name});"),
        _expressions().map(lambda text: f"var_dump({text});"),
        st.tuples(target, st.sampled_from(VALUES)).map(lambda t: f"{t[0]} = g({t[1]}, {t[0]});"),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.tuples(_expressions(), inner, inner).map(lambda t: f"if ({t[0]}) {{ {t[1]} }} else {{ {t[2]} }}"),
            inner.map(lambda body: f"for ($i = 0; $i < 3; $i++) {{ {body} }}"),
            st.tuples(inner, inner).map(" ".join),
        ),
        max_leaves=6,
    )


def scalar_programs() -> st.SearchStrategy[str]:
    """Whole programs: a function of two parameters, called with edge values; an error ends the program, as in PHP."""

    def assemble(parts: tuple[str, str, str, list[str]]) -> str:
        first, second, result, body = parts
        lines = "\n    ".join(body)
        return (
            "<?php\nfunction g($x, $y) { return $x ? $y : $x; }\n"
            f"function f($a, $b) {{\n    $c = 1;\n    {lines}\n    return {result};\n}}\n"
            f"var_dump(f({first}, {second}));\n"
        )

    return st.tuples(
        st.sampled_from(VALUES), st.sampled_from(VALUES), _expressions(), st.lists(_statements(), max_size=4)
    ).map(assemble)
