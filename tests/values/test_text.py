"""var_dump, var_export, print_r, sprintf, number_format and round, against live PHP."""

from __future__ import annotations

import random
from collections.abc import Callable

from ssa2llvm.values import dump
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import Host
from ssa2llvm.values.printf import number_format, sprintf
from ssa2llvm.values.rounding import c_ceil, c_floor, php_round
from ssa2llvm.values.types import PHP_INT_MIN, Ref, Value
from tests.values.oracle import assert_same, source
from tests.values.test_operators import FLOATS, INTS, VALUES

Question = tuple[str, Callable[[Host], Value]]


def test_dumps_of_values() -> None:
    nested = PhpArray.from_items(
        [
            (0, PhpArray(0)),
            (b"a'\\\0b", PhpArray.from_list([1.0, PhpArray.from_items([(-1, None)])])),
            (b"", False),
            (PHP_INT_MIN, PHP_INT_MIN),
        ]
    )
    questions: list[Question] = []
    for value in [*VALUES, nested, b"a'\\\0b\0\0", b"\0"]:
        text = source(value)
        questions += [
            (f"print(var_dump({text}))", lambda host, v=value: _printed(dump.var_dump(v, host), host)),
            (f"var_export({text}, true)", lambda host, v=value: dump.var_export(v, host)),
            (f"print_r({text}, true)", lambda host, v=value: dump.print_r(v, host)),
        ]
    assert_same(questions)


def _printed(text: bytes, host: Host) -> int:
    host.write(text)
    return 1


def test_dumps_of_references_and_of_an_array_that_contains_itself() -> None:
    cell = Ref(1)
    shared = PhpArray.from_list([cell, PhpArray.from_list([cell]), 5])
    shared.reference(2)
    assert dump.var_dump(shared, Host()) == (
        b"array(3) {\n  [0]=>\n  &int(1)\n  [1]=>\n  array(1) {\n    [0]=>\n    &int(1)\n  }\n  [2]=>\n  int(5)\n}\n"
    )
    own = Ref(None)
    own.value = PhpArray.from_list([1, own])
    host = Host()
    assert dump.var_dump(own.value, host) == b"array(2) {\n  [0]=>\n  int(1)\n  [1]=>\n  *RECURSION*\n}\n"
    assert dump.print_r(own.value, host) == b"Array\n(\n    [0] => 1\n    [1] => Array\n *RECURSION*\n)\n"
    assert dump.var_export(own.value, host) == b"array (\n  0 => 1,\n  1 => NULL,\n)"
    assert [report.message for report in host.reports] == ["var_export does not handle circular references"]


def test_deep_nesting_needs_no_python_stack() -> None:
    array = PhpArray.from_list([1])
    for _ in range(2_000):
        array = PhpArray.from_list([array])
    assert dump.print_r(array, Host()).count(b"Array") == 2_001


def test_sprintf() -> None:
    directives = [
        b"%d", b"%5d", b"%-5d|", b"%05d", b"%+d", b"%+05d", b"%'*8d", b"%-'x8d|", b"%u", b"%x", b"%X", b"%o",
        b"%b", b"%08b", b"%.3x", b"%c", b"%s", b"%10s|", b"%-10s|", b"%'.10s", b"%.2s", b"%5.1s|", b"%f",
        b"%.2f", b"%10.3f", b"%-10.1f|", b"%010.2f", b"%+.1f", b"%+010.1f", b"%F", b"%e", b"%.2e", b"%E",
        b"%.0e", b"%g", b"%G", b"%.3g", b"%.1g", b"%.10g", b"%.-1g", b"%h", b"%.60f", b"%1$s %1$d", b"%ld", b"%-05d|",
        b"%-010.2f|", b"%.0f", b"%5%|",
    ]  # fmt: skip
    values: list[Value] = [
        *INTS,
        *FLOATS,
        None,
        True,
        b"abc",
        b"12.7xyz",
        b"",
        PhpArray(0),
        2.5,
        0.15,
        1234567.891,
        1e-7,
    ]
    questions: list[Question] = [
        (f"sprintf({source(directive)}, {source(value)})", lambda host, d=directive, v=value: sprintf(d, [v], host))
        for directive in directives
        for value in values
    ]
    odd: list[tuple[bytes, list[Value]]] = [
        (b"100%", []),
        (b"%", [1]),
        (b"%d %d", [1]),
        (b"%2$s-%1$s %3$s", [1, 2]),
        (b"%0$s", [1]),
        (b"%y", [1]),
        (b"%'", [1]),
        (b"%*d", [5, 42]),
        (b"%-*d|", [5, 42]),
        (b"%.*f", [2, 1.239]),
        (b"%*d", [b"5", 42]),
        (b"%.*f", [-2, 1.5]),
        (b"%.*f", [-1, 1.5]),
        (b"%.*g", [-1, 0.1]),
        (b"%%%d%%", [7]),
        (b"%99999999999d", [7]),
        (b"a%sb%sc", [b"\0", True]),
    ]
    questions += [
        (
            f"sprintf({', '.join([source(template), *map(source, args)])})",
            lambda host, t=template, a=args: sprintf(t, a, host),
        )
        for template, args in odd
    ]
    assert_same(questions)


def test_number_format_and_rounding() -> None:
    random_source = random.Random(5)
    numbers = [
        float(value)
        for value in [*FLOATS, 1.955, 5.055, 1.005, 0.285, 1234567.891, -1234.5, 0.5, 1.5, 2.5, -0.4, 999.999]
    ]
    numbers += [random_source.randint(-(10**7), 10**7) / 10 ** random_source.randint(0, 6) for _ in range(150)]
    questions: list[Question] = []
    for number in numbers:
        text = source(number)
        for places in (0, 1, 2, 3, -1, -2, 10, 30):
            questions.append((f"round({text}, {places})", lambda host, n=number, p=places: php_round(n, p)))
        questions += [
            (f"round({text}, 1, {mode})", lambda host, n=number, m=mode: php_round(n, 1, m)) for mode in (2, 3, 4)
        ]
        questions += [
            (f"floor({text})", lambda host, n=number: c_floor(n)),
            (f"ceil({text})", lambda host, n=number: c_ceil(n)),
            (f"number_format({text})", lambda host, n=number: number_format(n, 0, b".", b",")),
            (f"number_format({text}, 2, ',', '.')", lambda host, n=number: number_format(n, 2, b",", b".")),
            (f"number_format({text}, 3, '', '')", lambda host, n=number: number_format(n, 3, b"", b"")),
            (f"number_format({text}, 1, 'pt', ' sep ')", lambda host, n=number: number_format(n, 1, b"pt", b" sep ")),
        ]
    assert_same(questions)
