"""The C runtime against PHP: recorded answers, live PHP, sanitizers, and another machine."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.runtime import array_cases, cases
from tests.runtime.build import HERE, SANITIZERS, answers, build_driver
from tests.tools import PHP_FLAGS, need_tool

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


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    target = tmp_path_factory.mktemp("runtime") / "driver"
    return [str(build_driver(need_tool("cc"), target, ["-O2"]))]


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    target = tmp_path_factory.mktemp("runtime") / "sanitized"
    return [str(build_driver(need_tool("cc"), target, SANITIZERS))]


def recorded(group: str) -> tuple[list[str], list[str]]:
    asked = GROUPS[group]()
    return asked, (RECORDED / f"{group}.txt").read_text().splitlines()


@pytest.mark.parametrize("group", GROUPS)
def test_answers_as_php_did_when_recorded(group: str, driver: list[str]) -> None:
    asked, wanted = recorded(group)
    assert differences(asked, answers(driver, asked), wanted) == []


@pytest.mark.parametrize("group", GROUPS)
def test_recording_is_what_php_says_now(group: str) -> None:
    asked, wanted = recorded(group)
    assert differences(asked, php_answers(asked), wanted) == []


@pytest.mark.parametrize("group", LIVE)
def test_answers_as_php_does(group: str, driver: list[str]) -> None:
    asked = LIVE[group]()
    assert differences(asked, answers(driver, asked), php_answers(asked)) == []


@pytest.mark.parametrize("group", LIVE)
def test_sanitizers_find_nothing(group: str, driver: list[str], sanitized: list[str]) -> None:
    asked = LIVE[group]()
    assert answers(sanitized, asked) == answers(driver, asked)


def test_aarch64_answers_alike(tmp_path: Path, driver: list[str]) -> None:
    program = build_driver(need_tool("aarch64-gcc"), tmp_path / "driver", ["-O2", "-static"])
    # libm may differ in the last bit between machines: only what IEEE 754 fixes is compared.
    inexact = {
        "exp",
        "expm1",
        "log",
        "log10",
        "log1p",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "pow",
        "hypot",
    }
    for group in GROUPS:
        asked = [line for line in GROUPS[group]() if line.split()[0] not in inexact]
        assert (
            differences(asked, answers([need_tool("qemu-aarch64"), str(program)], asked), answers(driver, asked)) == []
        )
