"""Declared types as PHP's messages show them."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    declaration_text,
)


@pytest.mark.parametrize(
    ("mask", "names", "intersection", "text"),
    [
        (MAY_BE_LONG, (), False, "int"),
        (MAY_BE_LONG | MAY_BE_NULL, (), False, "?int"),
        (MAY_BE_LONG | MAY_BE_STRING | MAY_BE_NULL, (), False, "string|int|null"),
        (MAY_BE_NULL, (), False, "null"),
        (MAY_BE_ANY, (), False, "mixed"),
        (MAY_BE_BOOL | MAY_BE_NULL, (), False, "?bool"),
        (MAY_BE_FALSE, ("A",), False, "A|false"),
        (MAY_BE_NULL, ("A",), False, "?A"),
        (MAY_BE_ARRAY, ("Traversable",), False, "Traversable|array"),
        (0, ("A", "B"), True, "A&B"),
        (MAY_BE_NULL, ("(A&B)",), False, "(A&B)|null"),
        (MAY_BE_STATIC | MAY_BE_NULL, (), False, "?static"),
    ],
)
def test_declaration_text(mask: int, names: tuple[str, ...], intersection: bool, text: str) -> None:
    # Each text is what PHP 8.2 says in a TypeError or by ReflectionType.
    assert declaration_text(mask, names, intersection) == text
