"""Constant expressions left for run time evaluate to PHP's values."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import compile_php
from ssa2llvm.php.constants import constant_value


def default_of(source: str):
    """The default of the only parameter of the only function."""
    function = compile_php(source.encode(), "a.php").functions[0]
    (receive,) = [op for op in function.ops if op.opcode == Opcode.RECV_INIT]
    return function.literal(receive.op2)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("PHP_INT_MAX", 2**63 - 1),
        ("-PHP_INT_MAX - 1", -(2**63)),
        ("M_PI * 2 ?: 1", 6.283185307179586),
        ("PHP_EOL . 'a\\'b\\\\'", b"\na'b\\"),
        ("[E_ALL => PHP_INT_SIZE, 'k' => 1.5][E_ALL]", 8),
        ("INF", float("inf")),
        ("OTHER ? 1 : 2", 2),
        ("MINE . 1", b"x1"),
    ],
)
def test_values(text, value):
    default = default_of(f"<?php function f($a = {text}) {{}}")
    assert isinstance(default, ConstAst)
    assert constant_value(default, {"OTHER": False, "MINE": b"x"}) == value


def test_arrays():
    default = default_of("<?php function f($a = [PHP_INT_SIZE, 'k' => true]) {}")
    assert constant_value(default) == ArrayConst(((0, 8), (b"k", True)), packed=False)


@pytest.mark.parametrize(("constants", "value"), [({"N\\X": 1, "X": 2}, 1), ({"X": 2}, 2)])
def test_unqualified_in_a_namespace(constants, value):
    default = default_of("<?php namespace N; function f($a = X) {}")
    assert constant_value(default, constants) == value


@pytest.mark.parametrize("text", ["FOO", "A::B", "1 / FOO", "new A"])
def test_what_cannot_be_known(text):
    with pytest.raises(CompileError, match="cannot be evaluated before the program runs"):
        constant_value(default_of(f"<?php function f($a = {text}) {{}}"))
