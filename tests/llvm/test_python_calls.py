"""PHP functions called from Python."""

from __future__ import annotations

import pytest

from ssa2llvm.llvm.python_calls import PhpError, load_functions
from ssa2llvm.php import compile_php

SOURCE = b"""<?php
$top = 40;
function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function add($a, $b = 2) { return $a + $b; }
function sum(int $a, int $b): int|float { return $a + $b; }
function half(float $x): float { return $x / 2; }
function negate(bool $b): bool { return !$b; }
function shout(string $s): string { return strtoupper($s) . "!"; }
function echoed($x) { return $x; }
function top() { global $top; return ++$top; }
function bad(int $n) { return intdiv(1, $n); }
function nothing(): void { }
"""


@pytest.fixture(scope="module")
def php():
    return load_functions(compile_php(SOURCE, "lib.php"), 1)


def test_scalars(php):
    assert php["fib"](20) == 6765
    assert php["half"](3) == 1.5
    assert php["negate"](True) is False
    assert php["nothing"]() is None
    assert php["shout"]("abc") == b"ABC!"
    assert php["shout"](b"a\0b") == b"A\0B!"


def test_untyped_parameters_and_defaults(php):
    assert php["add"](1) == 3
    assert php["add"](1, 0.5) == 1.5
    assert php["add"]("40") == 42
    for value in (None, True, False, 7, -1.5, b"bytes", b"", b"x"):
        result = php["echoed"](value)
        assert (type(result), result) == (type(value), value)


def test_an_int_that_overflows_comes_back_as_float(php):
    assert php["sum"](2**63 - 1, 1) == 2.0**63
    assert php["sum"](1, 2) == 3


def test_globals_live_between_calls(php):
    assert [php["top"](), php["top"]()] == [41, 42]


def test_errors_are_exceptions(php):
    with pytest.raises(PhpError) as raised:
        php["bad"](0)
    assert raised.value.class_name == "DivisionByZeroError"
    assert raised.value.message.startswith("Division by zero")
    assert php["bad"](1) == 1
    with pytest.raises(PhpError) as raised:
        php["add"]("x")
    assert raised.value.class_name == "TypeError"


@pytest.mark.parametrize("arguments", [(), (1, 2, 3), (2**63,), ("x",)])
def test_what_python_cannot_pass(php, arguments):
    with pytest.raises(TypeError):
        php["fib"](*arguments)


def test_top_level_code_that_fails():
    with pytest.raises(PhpError, match="exit"):
        load_functions(compile_php(b"<?php exit(3);", "bad.php"), 1)
