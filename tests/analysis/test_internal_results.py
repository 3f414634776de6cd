"""What internal functions return, by their arguments: against brute force where it is arithmetic, against PHP's own
Reflection where it is declared."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from ssa2llvm.analysis.internal_results import internal_range, internal_type, range_result
from ssa2llvm.analysis.internals import internal_function
from ssa2llvm.analysis.ranges import ANY_INT, INT_MAX, INT_MIN, Range
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_REF,
    MAY_BE_STRING,
    type_text,
)
from tests.tools import PHP_FLAGS, need_tool

_INTERVALS = [(low, high) for low in range(-4, 5) for high in range(low, 5)]


def _int(low: int, high: int) -> tuple[int, Range | None]:
    return MAY_BE_LONG, Range(low, high)


@pytest.mark.parametrize(
    ("name", "real"),
    [
        ("min", min),
        ("max", max),
        ("intdiv", lambda a, b: (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if b else None),
    ],
)
def test_ranges_of_two_integers(name: str, real: Callable[[int, int], int | None]) -> None:
    for a, b in _INTERVALS:
        for c, d in _INTERVALS:
            found = internal_range(name, [_int(a, b), _int(c, d)])
            results = [real(x, y) for x in range(a, b + 1) for y in range(c, d + 1)]
            known = [result for result in results if result is not None]
            assert all(result in found for result in known), (a, b, c, d, found)
            if name != "intdiv":
                assert (found.min, found.max) == (min(known), max(known))


def test_abs() -> None:
    for a, b in _INTERVALS:
        found = internal_range("abs", [_int(a, b)])
        results = [abs(x) for x in range(a, b + 1)]
        assert (found.min, found.max) == (min(results), max(results))
    assert internal_range("abs", [_int(INT_MIN, 0)]) == Range(0, INT_MAX)
    assert internal_type("abs", MAY_BE_LONG | MAY_BE_DOUBLE, [_int(INT_MIN, 0)]) == MAY_BE_LONG | MAY_BE_DOUBLE
    assert internal_type("abs", MAY_BE_LONG | MAY_BE_DOUBLE, [_int(-5, 0)]) == MAY_BE_LONG


def test_unknown_functions_and_mixed_arguments_say_nothing() -> None:
    assert internal_range("crc32", []) == Range(0, (1 << 32) - 1)
    assert internal_range("no_such", []) == ANY_INT
    assert internal_range("min", [_int(0, 1), (MAY_BE_STRING, None)]) == ANY_INT
    mixed = [_int(0, 1), (MAY_BE_STRING | MAY_BE_NULL, None)]
    assert internal_type("max", -1, mixed) == MAY_BE_LONG | MAY_BE_STRING | MAY_BE_NULL
    behind = internal_type("max", -1, [*mixed, (MAY_BE_REF | MAY_BE_FALSE, None)])  # what the reference leads to counts
    assert behind == MAY_BE_LONG | MAY_BE_STRING | MAY_BE_NULL | MAY_BE_FALSE


def test_elements_of_a_slice_are_those_of_the_array() -> None:
    longs = MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | MAY_BE_LONG << ARRAY_SHIFT
    declared = internal_function("array_slice")
    assert declared is not None
    found = internal_type("array_slice", declared.returns, [(longs, None), _int(0, 3)])
    assert found & (MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY) == MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY
    assert type_text(found & ~MAY_BE_ARRAY_KEY_ANY) == "[array of [long]]"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([MAY_BE_LONG, MAY_BE_LONG], "[[empty, packed] array [long] of [long]]"),
        ([MAY_BE_LONG, MAY_BE_DOUBLE], "[[empty, packed] array [long] of [double]]"),
        ([MAY_BE_STRING, MAY_BE_STRING], "[[empty, packed] array [long] of [long, double, string]]"),
        ([MAY_BE_LONG, MAY_BE_LONG, MAY_BE_DOUBLE], "[[empty, packed] array [long] of [double]]"),
        ([MAY_BE_LONG], "[[empty, packed] array [long] of [long, double, string]]"),
    ],
)
def test_range_follows_its_arguments(arguments: list[int], expected: str) -> None:
    assert type_text(range_result(arguments, positional=True)) == expected


def test_declared_results_agree_with_reflection() -> None:
    names = ["strlen", "strpos", "explode", "sqrt", "in_array", "array_sum", "str_repeat", "file_get_contents", "usort"]
    code = f"foreach ({names!r} as $n) echo (new ReflectionFunction($n))->getReturnType(), ' ';".replace("'", '"')
    command = [need_tool("php"), *PHP_FLAGS, "-r", code]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=30).stdout.decode().split()
    words = {"int": "long", "float": "double", "true": "true"}
    for name, declared in zip(names, printed, strict=True):
        known = internal_function(name)
        assert known is not None
        ours = type_text(known.returns)
        for word in declared.split("|"):
            assert words.get(word, word) in ours, (name, declared, ours)
