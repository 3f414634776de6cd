"""Type masks print as they do in PHP's dumps."""

from __future__ import annotations

import pytest

from ssa2llvm.ir import types as t


@pytest.mark.parametrize(
    ("mask", "text"),
    [
        (t.MAY_BE_LONG | t.MAY_BE_DOUBLE, "[long, double]"),
        (t.MAY_BE_UNDEF | t.MAY_BE_REF | t.MAY_BE_ANY, "[undef, ref, any]"),
        (t.MAY_BE_NULL | t.MAY_BE_BOOL, "[null, bool]"),
        (t.MAY_BE_FALSE, "[false]"),
        (0, "[]"),
        (
            t.MAY_BE_ARRAY | t.MAY_BE_ARRAY_PACKED | (t.MAY_BE_LONG << t.ARRAY_SHIFT),
            "[packed array [long] of [long]]",
        ),
        (
            t.MAY_BE_ARRAY | t.MAY_BE_ARRAY_STRING_HASH | (t.MAY_BE_STRING << t.ARRAY_SHIFT),
            "[hash array [string] of [string]]",
        ),
        (t.MAY_BE_ARRAY | t.MAY_BE_ARRAY_EMPTY, "[empty array]"),
        (t.MAY_BE_ANY_ARRAY, "[array of [any, ref]]"),
        (
            t.MAY_BE_ARRAY | t.MAY_BE_ARRAY_EMPTY | t.MAY_BE_ARRAY_PACKED | (t.MAY_BE_BOOL << t.ARRAY_SHIFT),
            "[[empty, packed] array [long] of [false, true]]",
        ),
    ],
)
def test_text(mask: int, text: str) -> None:
    assert t.type_text(mask) == text


def test_class_facts() -> None:
    assert t.type_text(t.MAY_BE_OBJECT, "Foo") == "[object (Foo)]"
    assert t.type_text(t.MAY_BE_OBJECT | t.MAY_BE_REF, "Foo", is_instanceof=True) == "[ref, object (instanceof Foo)]"


def test_refcounts_are_shown_on_request_only() -> None:
    mask = t.MAY_BE_STRING | t.MAY_BE_RC1 | t.MAY_BE_RCN
    assert t.type_text(mask) == "[string]"
    assert t.type_text(mask, show_rc=True) == "[rc1, rcn, string]"
