"""Values as PHP source: PHP's own reader of literals, here our front end, gives the value back."""

from __future__ import annotations

import math

import pytest

from ssa2llvm.php import compile_php
from ssa2llvm.values.source_text import fallback_constant_source, scalar_source


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (-7, "-7"),
        (-(2**63), "(-9223372036854775807 - 1)"),
        (2.0, "2.0"),
        (1e25, "1.0E+25"),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (b"it's \\ \x00\xff", "'it\\'s \\\\ \x00\udcff'"),
    ],
)
def test_a_value_comes_back(value: object, text: str) -> None:
    assert scalar_source(value) == text  # type: ignore[arg-type]
    script = compile_php(f"<?php return {text};".encode("utf-8", "surrogateescape"), "a.php")
    returned = script.main.literal(script.main.ops[0].op1)
    assert type(returned) is type(value)
    assert returned == value
    if isinstance(value, float) and isinstance(returned, float):
        assert math.copysign(1, returned) == math.copysign(1, value)


@pytest.mark.parametrize(
    ("value", "text"), [(math.inf, "\\INF"), (-math.inf, "-\\INF"), (math.nan, "\\NAN")], ids=["inf", "-inf", "nan"]
)
def test_floats_without_digits_are_constants(value: float, text: str) -> None:
    assert scalar_source(value) == text


def test_an_unqualified_constant_falls_back_to_the_global_one() -> None:
    assert fallback_constant_source("A\\B\\C") == r"(\defined('A\\B\\C') ? \A\B\C : \C)"
