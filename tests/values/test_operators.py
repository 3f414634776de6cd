"""Every operator on every pair of edge values, against live PHP."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from ssa2llvm.values import arith, bitwise, compare, incdec
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, Value
from tests.values.oracle import ask_python, assert_same, php_answers, readable, source

INTS: list[Value] = [0, 1, -1, 2, 3, 7, -8, 63, 64, 100, 2**31, 2**53, 2**53 + 1, 2**62, PHP_INT_MAX, PHP_INT_MAX - 1,
                     PHP_INT_MIN, PHP_INT_MIN + 1, 3037000500]  # fmt: skip
FLOATS: list[Value] = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 1e3, 1e18, 2.0**53, 2.0**63, -(2.0**63), 1e19, 1e22, 1e300,
                       5e-324, 0.1, math.inf, -math.inf, math.nan, 123456789012345678.0]  # fmt: skip
STRINGS: list[Value] = [
    b"", b"0", b"1", b"-1", b"abc", b"ABC", b"5 apples", b" 7", b"7 ", b"7 x", b"1e3", b"0x1A", b".5", b"5.", b"1.5",
    b"-0", b"00", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"-9223372036854775808 ",
    b"99999999999999999999", b"99999999999999999998", b"1e1000", b"-1e1000", b"inf", b"nan", b"a\0b", b"\xff\x80",
    b"1\0", b"1e", b"+1", b"--1", b"0.0", b"az", b"Zz9", b"zz",
]  # fmt: skip
ARRAYS: list[Value] = [
    PhpArray(0),
    PhpArray.from_list([1]),
    PhpArray.from_list([1, 2]),
    PhpArray.from_items([(1, 2), (0, 1)]),
    PhpArray.from_items([(b"a", 1)]),
    PhpArray.from_list([PhpArray.from_list([1.0]), b"x"]),
    PhpArray.from_list([math.nan]),
]
VALUES: list[Value] = [None, False, True, *INTS, *FLOATS, *STRINGS, *ARRAYS]

BINARY: dict[str, Callable[[Value, Value, Host], Value]] = {
    "+": arith.add,
    "-": arith.subtract,
    "*": arith.multiply,
    "/": arith.divide,
    "%": arith.modulo,
    "**": arith.power,
    "|": bitwise.bitwise_or,
    "&": bitwise.bitwise_and,
    "^": bitwise.bitwise_xor,
    "<<": bitwise.shift_left,
    ">>": bitwise.shift_right,
    ".": bitwise.concat,
    "xor": bitwise.logical_xor,
    "==": compare.loosely_equal,
    "<": compare.is_smaller,
    "<=": compare.is_smaller_or_equal,
    "<=>": compare.compare,
    "===": lambda left, right, host: compare.identical(left, right),
}


@pytest.mark.parametrize("operator", BINARY)
def test_binary_operator_on_all_pairs(operator: str) -> None:
    values = "$values = [" + ", ".join(source(value) for value in VALUES) + "];\n"
    loop = f"foreach ($values as $a) foreach ($values as $b) ask(fn() => $a {operator} $b);\n"
    answers = iter(php_answers(values + loop))
    differences = []
    for left in VALUES:
        for right in VALUES:
            theirs = next(answers)
            ours = ask_python(lambda host, a=left, b=right: BINARY[operator](a, b, host))
            if ours != theirs:
                differences.append(
                    f"{source(left)} {operator} {source(right)}: php {readable(theirs)} ours {readable(ours)}"
                )
    assert next(answers, None) is None
    assert not differences, f"{len(differences)} differ:\n" + "\n".join(differences[:20])


def test_unary_operators_and_increments() -> None:
    questions: list[tuple[str, Callable[[Host], Value]]] = []
    for value in [*VALUES, b"Az", b"zZ9", b"a-z", b"z\xff", b"9z", b"9", b"1.5e3", b"a9"]:
        text = source(value)
        questions += [
            (f"~{text}", lambda host, v=value: bitwise.bitwise_not(v, host)),
            (f"(function () {{ $x = {text}; $x++; return $x; }})()", lambda host, v=value: incdec.increment(v)),
            (f"(function () {{ $x = {text}; $x--; return $x; }})()", lambda host, v=value: incdec.decrement(v)),
        ]
    assert_same(questions)


def test_random_numbers() -> None:
    """Random operands over the whole range of magnitudes, where overflow and rounding happen."""
    random_source = random.Random(82)

    def number() -> Value:
        if random_source.random() < 0.5:
            return random_source.choice([-1, 1]) * random_source.getrandbits(random_source.randint(1, 63))
        return math.ldexp(random_source.uniform(-1, 1), random_source.randint(-80, 80))

    questions: list[tuple[str, Callable[[Host], Value]]] = []
    for _ in range(150):
        left, right = number(), number()
        for operator in ("+", "-", "*", "/", "%", "**", "<=>", "|", "."):
            questions.append(
                (
                    f"{source(left)} {operator} {source(right)}",
                    lambda host, a=left, b=right, op=operator: BINARY[op](a, b, host),
                )
            )
    assert_same(questions)
