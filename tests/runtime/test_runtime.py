"""The C runtime against PHP: recorded answers, live PHP, sanitizers, and another machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest

from tests.runtime import array_cases, cases
from tests.runtime.build import HERE, answers
from tests.tools import PHP_FLAGS, need_tool

Link = Callable[..., list[str]]
RECORDED = HERE / "recorded"
GROUPS = {
    "operators": lambda: cases.operator_cases(cases.RECORDED_VALUES),
    "coercions": lambda: cases.coercion_cases(cases.RECORDED_VALUES),
    "builtins": lambda: cases.builtin_cases(cases.RECORDED_VALUES[:4]),
    "doubles": lambda: cases.double_cases(150, seed=3),
    "parsing": lambda: cases.parsing_cases(60, seed=4),
    "arrays": lambda: array_cases.script_cases(100, seed=5),
}
LIVE = {
    "operators": lambda: cases.operator_cases(cases.EDGE_VALUES),
    "coercions": lambda: cases.coercion_cases(cases.EDGE_VALUES),
    "builtins": lambda: cases.builtin_cases(cases.EDGE_VALUES),
    "doubles": lambda: cases.double_cases(4000, seed=1),
    "parsing": lambda: cases.parsing_cases(2000, seed=2),
    "array operators": array_cases.array_operator_cases,
    "array builtins": array_cases.array_builtin_cases,
    "array loops": array_cases.loop_cases,
    "array scripts": lambda: array_cases.script_cases(2000, seed=6),
}


def php_answers(asked: list[str]) -> list[str]:
    return answers([need_tool("php"), *PHP_FLAGS, str(HERE / "evaluate.php")], asked)


def differences(asked: list[str], ours: list[str], wanted: list[str]) -> list[str]:
    """The first few differing answers, readable."""
    pairs = zip(asked, ours, wanted, strict=True)
    return [f"{unquote(a)}: {unquote(o)} instead of {unquote(w)}" for a, o, w in pairs if o != w][:5]


def recorded(group: str) -> tuple[list[str], list[str]]:
    asked = GROUPS[group]()
    return asked, (RECORDED / f"{group}.txt").read_text().splitlines()


@pytest.mark.parametrize("group", GROUPS)
def test_answers_as_php_did_when_recorded(group: str, link: Link) -> None:
    asked, wanted = recorded(group)
    assert differences(asked, answers(link("driver.c"), asked), wanted) == []


@pytest.mark.parametrize("group", GROUPS)
def test_recording_is_what_php_says_now(group: str) -> None:
    asked, wanted = recorded(group)
    assert differences(asked, php_answers(asked), wanted) == []


@pytest.mark.parametrize("group", LIVE)
def test_answers_as_php_does(group: str, link: Link) -> None:
    asked = LIVE[group]()
    assert differences(asked, answers(link("driver.c"), asked), php_answers(asked)) == []


@pytest.mark.parametrize("group", LIVE)
def test_sanitizers_find_nothing(group: str, link: Link) -> None:
    asked = LIVE[group]()
    assert answers(link("driver.c", "sanitized"), asked) == answers(link("driver.c"), asked)


def is_inexact(line: str) -> bool:
    """Whether a case asks libm for more than IEEE 754 fixes: a transcendental function or a power."""
    return re.match(r"(a?(sin|cos|tan)h?|atan2|exp(m1)?|log(10|1p)?|pow|hypot) ", line) is not None


def test_aarch64_answers_alike(link: Link) -> None:
    # The last bit of those may differ between machines' libm.
    for group in GROUPS:
        asked = [line for line in GROUPS[group]() if not is_inexact(line)]
        ours = answers(link("driver.c", "aarch64"), asked)
        assert differences(asked, ours, answers(link("driver.c"), asked)) == []
