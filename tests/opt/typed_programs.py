"""Small PHP programs in which types decide: variables of several types, tested in loops, changed behind references,
left by exceptions.

What a program prints includes PHP's diagnostics, so that a pass that decides a test away together with its warning is
found out.
"""

from __future__ import annotations

from hypothesis import strategies as st

VALUES = ["null", "true", "false", "0", "1", "7", "1.5", "'a'", "''", "'5'", "[]", "[1, 'x']", "['k' => null]"]
NAMES = ["$a", "$b", "$c"]
TESTS = [
    "is_int({0})", "!is_int({0})", "is_string({0})", "is_array({0})", "is_null({0})", "is_bool({0})", "is_float({0})",
    "isset({0})", "!isset({0})", "empty({0})", "{0} === null", "{0} !== {1}", "{0} === {1}", "{0} == null",
    "{0} == {1}", "{0} < 5", "{0} >= 0", "{0}", "!{0}", "isset({0}['k'])", "isset({0}[0])", "is_scalar({0})",
    "{0} instanceof Countable", "is_int({0}) && {0} > 3", "is_string({0}) || is_null({0})", "{0} xor {1}", "maybe()",
]  # fmt: skip
ACTIONS = [
    "{0} = {1};", "{0} = {1} ?? 'none';", "{0} = {1} ?: 0;", "{0} = is_int({1}) ? {1} % 7 : 3;", "{0} = [{1}];",
    "{0} = [1, {1}][0] ?? null;", "unset({0});", "{0} = &{1};", "{0} = \"<\" . type({1});", "echo type({0}), ' ';",
    "{0} = is_array({1}) ? count({1}) : {1};", "if (is_array({0})) {{ {0}[] = 2; }}", "change({0});",
    "if (is_int({0})) {{ {0}++; }}", "foreach ((array) {1} as {0}) {{ echo type({0}); }}", "{0} = back({1});",
    "switch ({0}) {{ case 1: {1} = 'one'; break; case 7: case 'a': {1} = 2.5; break; default: echo '-'; }}",
    "{0} = match (true) {{ is_int({1}) => 'int', is_null({1}) => null, default => 1.5 }};",
    "try {{ {0} = {1}; fail(is_string({0})); {0} = 4; }} catch (Exception $e) {{ echo type({0}), '!'; }}",
]  # fmt: skip

PRELUDE = """<?php
function type($v) { return gettype($v); }
function change(&$v) { if (is_int($v)) { $v = 'changed'; } }
function back($v) { return is_null($v) ? 1 : $v; }
function maybe() { static $n = 0; return ++$n % 3 == 0; }
function fail($really) { if ($really) { throw new Exception('failed'); } }
"""


def _filled(templates: list[str], operands: list[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(templates), st.sampled_from(NAMES), st.sampled_from(operands)).map(
        lambda t: t[0].format(t[1], t[2])
    )


def _statements() -> st.SearchStrategy[str]:
    # What is asked of a place, or given to one, must be a variable.
    simple = st.one_of(
        _filled(ACTIONS, NAMES),
        st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)).map(lambda t: f"{t[0]} = {t[1]};"),
    )
    test = _filled(TESTS, NAMES)
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.tuples(test, inner, inner).map(lambda t: f"if ({t[0]}) {{ {t[1]} }} else {{ {t[2]} }}"),
            st.tuples(test, inner).map(lambda t: f"while ($fuel-- > 0 && ({t[0]})) {{ {t[1]} }}"),
            inner.map(lambda body: f"for ($i = 0; $i < 3; $i++) {{ {body} }}"),
            st.tuples(inner, inner).map(" ".join),
        ),
        max_leaves=8,
    )


def typed_programs() -> st.SearchStrategy[str]:
    """Whole programs: a function of two parameters, called twice."""

    def assemble(parts: tuple[list[str], list[str]]) -> str:
        values, body = parts
        lines = "\n    ".join(body)
        return (
            f"{PRELUDE}function f($a, $b) {{\n    $fuel = 20;\n    {lines}\n"
            "    var_dump($a ?? 'unset', $b ?? 'unset', $c ?? 'unset');\n}\n"
            f"f({values[0]}, {values[1]});\nf({values[2]}, {values[3]});\n"
        )

    return st.tuples(
        st.lists(st.sampled_from(VALUES), min_size=4, max_size=4), st.lists(_statements(), min_size=2, max_size=6)
    ).map(assemble)
