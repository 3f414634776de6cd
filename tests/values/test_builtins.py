"""The builtin table: every stub against PHP's reflection, every implementation against live PHP."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

from ssa2llvm.ir import types as t
from ssa2llvm.ir.op_array import NO_TYPE
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.builtin_table import NO_DEFAULT, parse_type
from ssa2llvm.values.builtins import BUILTINS, Builtin, call_builtin, find_builtin
from ssa2llvm.values.coerce import type_text
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import Ref, Value
from tests.tools import run_php
from tests.values.oracle import assert_same, source

REFLECT = r"""<?php
$out = [];
foreach (json_decode($argv[1]) as $name) {
    $parameters = [];
    foreach ((new ReflectionFunction($name))->getParameters() as $p) {
        $by_ref = $p->isPassedByReference();
        $parameters[] = [$p->getName(), (string) $p->getType(), $by_ref, $p->isVariadic(), $p->isOptional()];
    }
    $out[$name] = [$parameters, (string) (new ReflectionFunction($name))->getReturnType()];
}
echo json_encode($out);
"""


def test_stubs_agree_with_reflection(tmp_path: Path) -> None:
    file = tmp_path / "reflect.php"
    file.write_text(REFLECT)
    answers = json.loads(run_php(file, json.dumps(sorted(BUILTINS))).stdout)
    for name, (parameters, result) in answers.items():
        row = BUILTINS[name]
        ours = [
            [p.name, "" if p.type is NO_TYPE else type_text(p.type), p.by_ref, p.variadic, p.optional or p.variadic]
            for p in row.parameters
        ]
        assert ours == parameters, name
        scalar = t.MAY_BE_ANY & ~t.MAY_BE_ARRAY
        assert row.returns & scalar == parse_type(result).mask & scalar, name


def test_lookup_ignores_case_and_leading_backslash() -> None:
    row = find_builtin("\\StrLen")
    assert row is not None
    assert row.name == "strlen"
    assert find_builtin("no_such_function") is None


POOL: dict[int, list[Value]] = {
    t.MAY_BE_LONG: [0, 1, 2, 3, -1, -2, 10, 255, 256, 1000, 2**40, 2**63 - 1, -(2**63)],
    t.MAY_BE_DOUBLE: [0.0, -0.0, 0.5, 1.0, -1.5, 2.5, 1e10, 123.456, float("inf"), float("-inf"), float("nan"), 1e300],
    t.MAY_BE_STRING: [b"", b"a", b"hello world", b"Hello World", b"  x \t", b"12", b"1.5", b"abcabc", b"l", b"o w",
                      b"\0\xff", b"1f", b"0x1F", b"101", b"9zz", b"a..z", b",", b"x,y,,z"],
    t.MAY_BE_BOOL: [True, False],
    t.MAY_BE_NULL: [None],
    t.MAY_BE_ARRAY: [
        PhpArray(0),
        PhpArray.from_list([3, 1, 2]),
        PhpArray.from_list([b"b", b"a", b"10", b"9", 1.5, None, True]),
        PhpArray.from_items([(b"x", 1), (5, b"y"), (b"z", PhpArray.from_list([1, 2]))]),
        PhpArray.from_items([(3, b"c"), (b"k", b"c"), (1, 1), (-2, b"1")]),
        PhpArray.from_list([1, 1.0, b"1", True]),
        PhpArray.from_list([PhpArray.from_items([(b"id", 7), (b"v", b"p")]), PhpArray.from_items([(b"id", 8)])]),
    ],
}  # fmt: skip
EVERYTHING = [value for values in POOL.values() for value in values]
NOT_PURE_HERE = {"is_callable", "call_user_func", "call_user_func_array"}
TOO_MUCH = 4096
NO_NESTED = {"array_diff", "array_diff_assoc", "array_intersect", "array_unique"}
"""How often these convert an array to a string, and so warn, depends on PHP's algorithm; not followed."""


def _argument(mask: int, random_source: random.Random) -> Value:
    """Mostly a value of a declared type, sometimes anything."""
    fitting = [value for bit, values in POOL.items() if mask & bit for value in values]
    return random_source.choice(fitting if fitting and random_source.random() < 0.85 else EVERYTHING)


def _is_nested(value: Value) -> bool:
    return isinstance(value, PhpArray) and any(isinstance(element, PhpArray) for element in value.values())


def _question(row: Builtin, random_source: random.Random) -> tuple[str, Callable[[Host], Value]]:
    """A call with random arguments; by-ref arguments are shown after the call, beside the result."""
    most = len(row.parameters) + (2 if row.is_variadic else 1)
    count = random_source.randint(max(row.required - 1, 0), most) if random_source.random() < 0.2 else None
    if count is None:
        count = random_source.randint(
            row.required, max(len(row.parameters) + (2 if row.is_variadic else 0), row.required)
        )
    arguments: list[Value] = []
    for position in range(count):
        parameter = row.parameter(position)
        arguments.append(_argument(t.MAY_BE_ANY if parameter is None else parameter.type.mask, random_source))
    if row.name in NO_NESTED:
        arguments = [PhpArray.from_list([1, b"1", 2]) if _is_nested(value) else value for value in arguments]
    if row.name in ("str_repeat", "array_fill", "array_pad", "str_pad", "range", "number_format"):
        arguments = [value % TOO_MUCH if type(value) is int and abs(value) > TOO_MUCH else value for value in arguments]
        arguments = [1.25 if type(value) is float and abs(value) > TOO_MUCH else value for value in arguments]
    by_ref = [position for position in range(count) if (p := row.parameter(position)) is not None and p.by_ref]
    names = [f"$v{position}" if position in by_ref else source(value) for position, value in enumerate(arguments)]
    set_up = "".join(f"$v{position} = {source(arguments[position])}; " for position in by_ref)
    shown = "".join(f", $v{position}" for position in by_ref)
    text = f"(function () {{ {set_up}$r = {row.name}({', '.join(names)}); return [$r{shown}]; }})()"

    def run(host: Host) -> Value:
        cells = {position: Ref(copy_value(arguments[position])) for position in by_ref}
        given = [cells.get(position, copy_value(value)) for position, value in enumerate(arguments)]
        result = call_builtin(row, given, False, host)
        return PhpArray.from_list([result, *(cells[position].value for position in by_ref)])

    return text, run


def test_every_implementation_on_random_arguments() -> None:
    random_source = random.Random(11)
    questions = []
    for name in sorted(BUILTINS):
        row = BUILTINS[name]
        takes_callback = any(parameter.type.mask & t.MAY_BE_CALLABLE for parameter in row.parameters)
        if takes_callback or name in NOT_PURE_HERE or row.does & row.does.STATE:
            continue
        questions += [_question(row, random_source) for _ in range(60)]
    assert_same(questions)


def test_strict_mode_refuses_what_weak_mode_converts() -> None:
    calls: list[tuple[str, list[Value]]] = [
        ("strlen", [5]),
        ("strlen", [None]),
        ("abs", [b"5"]),
        ("sqrt", [4]),
        ("str_repeat", [b"x", 2.0]),
        ("round", [1.5, b"1"]),
    ]
    questions: list[tuple[str, Callable[[Host], Value]]] = []
    for name, arguments in calls:
        body = f"declare(strict_types=1); return {name}({', '.join(map(source, arguments))});".encode()
        questions.append(
            (f"eval({source(body)})", lambda host, n=name, a=arguments: call_builtin(BUILTINS[n], a, True, host))
        )
    assert_same(questions)


def test_masks_and_flags_that_folding_relies_on() -> None:
    assert BUILTINS["ord"].range == (0, 255)
    assert BUILTINS["strpos"].returns == t.MAY_BE_LONG | t.MAY_BE_FALSE
    assert BUILTINS["strlen"].is_pure
    for name in ("var_dump", "hrtime", "sort", "array_map", "define"):
        assert not BUILTINS[name].is_pure
    assert BUILTINS["array_keys"].parameters[1].default is NO_DEFAULT
