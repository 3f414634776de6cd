"""Parameter and result types in weak and strict mode, against live PHP."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from ssa2llvm.ir import types as t
from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.coerce import TypeMismatch, argument_error, coerce, return_error, type_text
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import Value, type_name
from tests.values.oracle import assert_same, source

TYPES = {
    "int": t.MAY_BE_LONG,
    "?int": t.MAY_BE_LONG | t.MAY_BE_NULL,
    "float": t.MAY_BE_DOUBLE,
    "?float": t.MAY_BE_DOUBLE | t.MAY_BE_NULL,
    "string": t.MAY_BE_STRING,
    "bool": t.MAY_BE_BOOL,
    "array": t.MAY_BE_ARRAY,
    "int|float": t.MAY_BE_LONG | t.MAY_BE_DOUBLE,
    "int|string": t.MAY_BE_LONG | t.MAY_BE_STRING,
    "float|bool": t.MAY_BE_DOUBLE | t.MAY_BE_BOOL,
    "int|bool|null": t.MAY_BE_LONG | t.MAY_BE_BOOL | t.MAY_BE_NULL,
    "int|false": t.MAY_BE_LONG | t.MAY_BE_FALSE,
    "mixed": t.MAY_BE_ANY,
    "array|string|null": t.MAY_BE_ARRAY | t.MAY_BE_STRING | t.MAY_BE_NULL,
}
VALUES: list[Value] = [
    None, True, False, 0, 5, 2**63 - 1, 1.0, 1.5, -0.0, 2.0**63, -(2.0**63), 1e300, math.nan, math.inf, b"", b"5",
    b"5.0", b"5.5", b" 5 ", b"5x", b"abc", b"1e3", b"9223372036854775808", PhpArray.from_list([1]),
]  # fmt: skip


@pytest.mark.parametrize("strict", [False, True], ids=["weak", "strict"])
def test_parameters_and_results(strict: bool) -> None:
    """Inside ``eval`` the mode can be chosen per question; that caller's file name is part of the message, so it is
    cut.
    """
    mode = f"declare(strict_types={int(strict)});"
    questions: list[tuple[str, Callable[[Host], Value]]] = []
    for text, mask in TYPES.items():
        declared = TypeDecl(mask)
        for value in VALUES:

            def argument(host: Host, value: Value = value, declared: TypeDecl = declared) -> Value:
                try:
                    return coerce(value, declared, strict, host)
                except TypeMismatch:
                    raise argument_error("f", 1, "x", declared, value, "") from None

            def result(host: Host, value: Value = value, declared: TypeDecl = declared) -> Value:
                try:
                    return coerce(value, declared, strict, host)
                except TypeMismatch:
                    raise return_error("{closure}", declared, type_name(value)) from None

            body = f"$f = function ({text} $x) {{ return $x; }}; return $f({source(value)});"
            questions.append((f"cut(fn() => eval({source((mode + body).encode())}))", argument))
            body = f"$f = function ($x): {text} {{ return $x; }}; return $f({source(value)});"
            questions.append((f"eval({source((mode + body).encode())})", result))
    assert_same(questions, CUT)


CUT = r"""
function cut($f) {
    try {
        return $f();
    } catch (TypeError $e) {
        throw new TypeError(preg_replace(['~, called in .*~', '~^{closure}~'], ['', 'f'], $e->getMessage()));
    }
}
"""


def test_type_texts() -> None:
    assert type_text(TypeDecl(t.MAY_BE_LONG | t.MAY_BE_NULL)) == "?int"
    assert type_text(TypeDecl(t.MAY_BE_LONG | t.MAY_BE_STRING | t.MAY_BE_NULL)) == "string|int|null"
    assert type_text(TypeDecl(t.MAY_BE_NULL, ("A",))) == "?A"
    assert type_text(TypeDecl(0, ("A", "B"), intersection=True)) == "A&B"
    assert type_text(TypeDecl(t.MAY_BE_ARRAY, ("Traversable",))) == "Traversable|array"
    assert type_text(TypeDecl(t.MAY_BE_VOID)) == "void"
    assert type_text(TypeDecl(t.MAY_BE_NULL)) == "null"
