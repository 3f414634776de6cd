"""Number formatting, numeric strings and casts, against live PHP."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable

from ssa2llvm.values import arith, bitwise, convert, number_format
from ssa2llvm.values.host import Host
from ssa2llvm.values.numeric import numeric_value, string_to_float
from ssa2llvm.values.types import Value
from tests.values.oracle import assert_same, source
from tests.values.test_operators import VALUES

Question = tuple[str, Callable[[Host], Value]]


def _random_floats(count: int, seed: int) -> list[float]:
    random_source = random.Random(seed)
    numbers = [struct.unpack(">d", random_source.randbytes(8))[0] for _ in range(count // 3)]
    numbers += [random_source.uniform(-1000, 1000) for _ in range(count // 3)]
    numbers += [
        random_source.randint(-(10**6), 10**6) * 10.0 ** random_source.randint(-25, 25) for _ in range(count // 3)
    ]
    numbers += [float(random_source.randint(10**13, 10**14) * 10 + 5) for _ in range(count // 30)]
    return numbers


EDGE_FLOATS = [0.0, -0.0, 1e14, 1e15, 1e16, 1e17, 1e18, 99999999999999.0, 999999999999999.9, 0.0001, 0.00001,
               123456.789012345678, -1.5e-7, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308, 2.5,
               100000.0, 1e22, 0.1 + 0.2, 100000000000005.0, 100000000000015.0, 123456789012345.0]  # fmt: skip


def test_floats_as_text() -> None:
    questions: list[Question] = []
    for number in EDGE_FLOATS + _random_floats(900, 1):
        text = source(number)
        questions += [
            (f"(string) {text}", lambda host, n=number: number_format.float_to_string(n).encode()),
            (f"var_export({text}, true)", lambda host, n=number: number_format.float_export(n).encode()),
            (f"json_encode([{text}], JSON_PARTIAL_OUTPUT_ON_ERROR)", lambda host, n=number: _json(n)),
        ]
    assert_same(questions)


def _json(number: float) -> bytes:
    text = number_format.float_repr(number) if math.isfinite(number) else "0"
    return f"[{text.replace('E', 'e')}]".encode()


def test_echo_precision_and_shortest_digits() -> None:
    assert number_format.float_to_string(0.1 + 0.2) == "0.3"
    assert number_format.float_repr(0.1 + 0.2) == "0.30000000000000004"
    assert number_format.float_to_string(1e15) == "1.0E+15"
    assert number_format.float_repr(1e15) == "1000000000000000"
    assert number_format.float_repr(1e18) == "1.0E+18"


def test_dump_text_is_c_printf_g() -> None:
    # The figures of zend-reference.md, section 1.2.
    assert [number_format.float_dump(n) for n in (0.1 + 0.2, 123456789.123, 1.0, math.inf, math.nan, -0.0)] == [
        "0.3",
        "1.23457e+08",
        "1",
        "inf",
        "nan",
        "-0",
    ]


def test_casts() -> None:
    questions: list[Question] = []
    for value in [*VALUES, 1.5e19, -1e19, 4294967296.5, 1e25, -1e25]:
        text = source(value)
        questions += [
            (f"(int) {text}", lambda host, v=value: convert.to_int(v, host)),
            (f"(float) {text}", lambda host, v=value: convert.to_float(v, host)),
            (f"(string) {text}", lambda host, v=value: convert.to_string(v, host)),
            (f"(bool) {text}", lambda host, v=value: convert.to_bool(v)),
            (f"(array) {text}", lambda host, v=value: convert.to_array(v)),
        ]
    assert_same(questions)


def test_random_numeric_strings() -> None:
    """Strings built from the characters that matter to the scanner."""
    random_source = random.Random(7)
    texts = {
        bytes(random_source.choice(b"0019.eE+- \n\0x") for _ in range(random_source.randint(0, 7))) for _ in range(1500)
    }
    texts |= {
        b"%d%s" % (2**63 + delta, tail) for delta in range(-2, 3) for tail in (b"", b" ", b"x", b".0", b"e1", b"\0")
    }
    texts |= {
        b"-%d%s" % (2**63 + delta, tail) for delta in range(-2, 3) for tail in (b"", b" ", b"x", b".0", b"e1", b"\0")
    }
    questions: list[Question] = []
    for text in sorted(texts):
        questions += [
            (f"is_numeric({source(text)})", lambda host, t=text: numeric_value(t) is not None),
            (f"(float) {source(text)}", lambda host, t=text: string_to_float(t)),
            (f"(int) {source(text)}", lambda host, t=text: convert.to_int(t, host)),
            (f"1 + {source(text)}", lambda host, t=text: arith.add(1, t, host)),
            (f"{source(text)} | 1", lambda host, t=text: bitwise.bitwise_or(t, 1, host)),
        ]
    assert_same(questions)
