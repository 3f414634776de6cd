"""The cases about arrays; see cases.py."""

from __future__ import annotations

import random
from itertools import product

from tests.runtime.cases import FEW_VALUES, INT_MAX, case, coercion_cases, word

ARRAYS: list[object] = [
    {},
    {0: 1},
    {0: 1, 1: 2, 2: 3},
    {0: 1.5, 1: -0.0},
    {0: b"a", 1: None},
    {b"x": 1, b"y": 2},
    {5: 1, 3: 2},
    {-5: True},
    {0: {0: 1}, b"k": {b"z": 2.5}},
    {1: 2, 0: 1},
    {0: b"1", 1: b"2", 2: b"3"},
    {b"": 0, b"05": b"it's"},
    {0: 3, 1: 2, 2: 1},
]


def array_operator_cases() -> list[str]:
    """Operators and printing functions on arrays, with each other and with scalars."""
    both = [*ARRAYS, *FEW_VALUES]
    operations = [
        "add",
        "sub",
        "concat",
        "mod",
        "or",
        "pow",
        "equal",
        "identical",
        "smaller",
        "smaller_or_equal",
        "compare",
    ]
    pairs = [pair for pair in product(both, repeat=2) if any(isinstance(value, dict) for value in pair)]
    cases = [case(operation, *pair) for operation in operations for pair in pairs]
    unary = ["not", "to_bool", "to_int", "to_float", "to_string", "echo", "match", "var_dump", "var_export", "print_r"]
    cases += [
        case(operation, array)
        for operation in [*unary, "gettype", "is_array", "is_scalar", "strlen"]
        for array in ARRAYS
    ]
    offsets = [*FEW_VALUES, 1, 5, b"x", b"k", b"05", 1.5, b"-5", {}]
    for operation in ("dim", "dim_is", "isset_dim", "empty_dim"):
        cases += [case(operation, array, offset) for array in ARRAYS for offset in offsets]
    cases += coercion_cases(ARRAYS[:2])
    return cases


NUMBERS: list[object] = [
    {},
    {0: 3, 1: 1, 2: 2},
    {0: 1.5, 1: -2.0, 2: 0.25},
    {0: b"b", 1: b"a", 2: b"B", 3: b"10", 4: b"9"},
    {0: 3, 1: b"3", 2: 1.5, 3: None},
    {b"x": 2, b"y": 1, 5: 3},
    {i: (i * 7919) % 101 for i in range(40)},
    {i: str((i * 31) % 17).encode() for i in range(20)},
    {3: b"c", 1: b"a", 2: b"b"},
    {0: True, 1: b"abc", 2: 0, 3: b"0"},
]


def array_builtin_cases() -> list[str]:
    """Builtin functions on arrays."""
    arrays: list[object] = [*ARRAYS, *NUMBERS]
    one = (
        "count sizeof array_keys array_values array_merge array_flip array_reverse array_key_first array_key_last "
        "array_is_list array_sum array_product array_count_values array_unique current pos key array_filter min max "
        "implode join array_diff is_countable is_iterable"
    )
    cases = [case(name, value) for name in one.split() for value in [*arrays, None, 5, b"abc"]]
    changed = "array_pop array_shift next prev reset end sort rsort asort arsort ksort krsort"
    cases += [case("&0" + name, value) for name in changed.split() for value in [*arrays, 5]]
    cases += [
        case("&0" + name, value, flag)
        for name in ("sort", "rsort", "asort", "ksort", "krsort")
        for value in NUMBERS
        for flag in (0, 1, 2, 10)
    ]
    cases += [case("&0" + name, value, b"spaceship") for name in ("usort", "uasort", "uksort") for value in NUMBERS]
    cases += [case("&0usort", value, name) for value in NUMBERS for name in (b"greater", b"throws", b"nothing", 5)]
    cases += [case("&0" + name, value, 7, b"new") for name in ("array_push", "array_unshift") for value in arrays]
    cases += [
        case("&0array_splice", value, offset, length, *rest)
        for value in arrays
        for offset in (-2, 0, 1, 9)
        for length in (None, -1, 0, 1, 5, INT_MAX)
        for rest in ((), (b"one",), ({0: 1, b"k": 2},))
    ]
    cases += [
        case("array_slice", value, offset, length, keep)
        for value in arrays
        for offset in (-2, 0, 1, 9)
        for length in (None, -1, 0, 2)
        for keep in (False, True)
    ]
    cases += [
        case(name, value, other)
        for name in (
            "array_merge",
            "array_diff",
            "array_diff_key",
            "array_diff_assoc",
            "array_intersect_key",
            "array_combine",
        )
        for value in arrays
        for other in arrays
    ]
    cases += [case("array_intersect", value, other) for value in NUMBERS for other in NUMBERS]
    cases += [
        case(name, needle, value, strict)
        for name in ("in_array", "array_search")
        for value in arrays
        for needle in (1, b"1", None, b"a", 1.5, {0: 1})
        for strict in (False, True)
    ]
    cases += [
        case(name, key, value)
        for name in ("array_key_exists", "key_exists")
        for value in arrays
        for key in (0, b"x", None, b"5", 1.5, True)
    ]
    cases += [case("array_keys", value, 1, strict) for value in arrays for strict in (False, True)]
    cases += [case("array_reverse", value, True) for value in arrays]
    cases += [case("array_unique", value, flag) for value in arrays for flag in (0, 1, 2)]
    cases += [case("array_fill", start, count, b"v") for start in (-3, 0, 5, INT_MAX) for count in (-1, 0, 1, 3)]
    cases += [case("array_fill_keys", value, 0) for value in arrays if value not in ARRAYS[8:9]]
    cases += [case("array_pad", value, length, b"p") for value in arrays for length in (-6, 0, 2, 5)]
    cases += [
        case("array_chunk", value, length, keep) for value in arrays for length in (0, 1, 2) for keep in (False, True)
    ]
    rows = {0: {b"id": 3, b"v": b"x"}, 1: {b"id": 5}, 2: 7, 3: {b"id": b"k", b"v": None}}
    cases += [
        case("array_column", rows, column, index) for column in (b"id", b"v", None, 9) for index in (None, b"id", b"v")
    ]
    cases += [case("count", value, mode) for value in arrays for mode in (0, 1, 2)]
    cases += [
        case(name, glue, value)
        for name in ("implode", "join")
        for glue in (b", ", 5, {0: 1})
        for value in [*arrays, None, 3]
    ]
    cases += [
        case("explode", separator, text, limit)
        for separator in (b",", b"", b"--")
        for text in (b"", b"a,b,,c", b"--x--")
        for limit in (-9, -1, 0, 1, 2, 9)
    ]
    cases += [case("str_split", text, length) for text in (b"", b"abcdefg") for length in (0, 1, 3, 9)]
    cases += [
        case("&3str_replace", search, by, subject, None)
        for search in (b"a", b"", {0: b"a", 1: b"b"}, {0: b"ab", 1: 1})
        for by in (b"xx", b"", {0: b"b"}, {})
        for subject in (b"abcab1", b"", {0: b"aa", b"k": 101})
    ]
    cases += [
        case("range", low, high, *step)
        for low, high in (
            (0, 5),
            (5, 0),
            (1, 1),
            (0, 1.0),
            (b"a", b"e"),
            (b"z", b"w"),
            (b"1", b"3"),
            (b"1.5", b"3"),
            (b"a", 3),
            (None, 2),
            (0, INT_MAX),
            (b"", b"c"),
            (float("inf"), 1),
            (2.5, 0.5),
        )
        for step in ((), (2,), (-2,), (0,), (0.5,), (b"2",), (9,))
    ]
    cases += [
        case("array_map", function, value)
        for function in (b"twice", b"truthful", b"throws", None)
        for value in arrays
        if value not in (ARRAYS[8],)
    ]
    cases += [case("array_map", b"glue", value, other) for value in ARRAYS[:5] for other in ARRAYS[:5]]
    cases += [
        case("array_map", None, ARRAYS[2], ARRAYS[5]),
        case("array_map", b"twice", 5),
        case("array_map", b"none", {}),
    ]
    cases += [
        case("array_filter", value, function, mode)
        for value in arrays
        for function in (None, b"truthful", b"throws")
        for mode in (0, 1, 2)
    ]
    cases += [case("array_reduce", value, b"glue", *start) for value in ARRAYS[:8] for start in ((), (b">",))]
    cases += [
        case("call_user_func", b"glue", 1, 2),
        case("call_user_func", b"strlen", b"abc"),
        case("call_user_func", b"no"),
    ]
    cases += [case("call_user_func_array", b"glue", value) for value in ({0: 1}, {0: 1, 1: b"x"}, {1: b"a", 0: b"b"})]
    cases += [
        case(name, pattern, values)
        for name in ("vsprintf", "vprintf")
        for pattern in (b"%d-%s", b"%2$s", b"x")
        for values in ({}, {0: 1, 1: b"b"}, {b"k": 5, 9: 6.5})
    ]
    cases += [case("sha1", b"x" * count) for count in (0, 3, 55, 56, 64, 200)] + [case("sha1", b"abc", True)]
    return cases


SCRIPT_KEYS: list[object] = [
    0,
    1,
    2,
    3,
    7,
    -5,
    100,
    b"a",
    b"b",
    b"1",
    b"01",
    None,
    True,
    1.5,
    INT_MAX,
    b"9223372036854775807",
    b"-0",
    b"-7",
    {},
]
SCRIPT_VALUES: list[object] = [0, 1, -3, 2.5, b"text", b"", None, True, {0: 1}, {b"k": b"v"}]


def loop_cases() -> list[str]:
    """foreach by reference whose body changes the array."""
    arrays: list[dict[object, object]] = [
        {0: 1},
        {0: 1, 1: 2, 2: 3},
        {0: 1.5, 1: 2.5},
        {0: b"a", 1: None, 2: True},
        {b"x": 1, b"y": 2, b"z": b"s"},
        {5: 1, 3: 2, 4: 3, b"k": 0},
        {i: i for i in range(8)},
        {b"k%d" % i: i for i in range(9)},
    ]
    keys = (0, 1, 2, 7, b"x", b"y", b"k3", 99)
    return [case("loop_by_reference", array, key, value) for array in arrays for key in keys for value in (9, b"new")]


def script_cases(count: int, seed: int) -> list[str]:
    """Random sequences of writes, reads and removals on one array, with copies taken between them.

    A few kinds of key and value a script, so that arrays of every kind stay long enough to be widened late.
    """
    source = random.Random(seed)
    cases = []
    for _ in range(count):
        keys = source.sample(SCRIPT_KEYS, source.randrange(1, 6)) + list(range(source.randrange(40)))
        values = source.sample(SCRIPT_VALUES, source.randrange(1, 4))
        operations = source.choices(["push", "set", "unset", "nested", "rmw", "get", "copy"], source.choice(
            [(10, 0, 0, 0, 0, 1, 1), (5, 5, 2, 0, 0, 1, 1), (1, 10, 5, 0, 0, 1, 1), (2, 2, 2, 1, 1, 1, 1)]
        ), k=source.randrange(1, 60))  # fmt: skip
        words = []
        for operation in operations:
            words += [operation, word(source.choice(keys)), word(source.choice(values))]
        cases.append(" ".join(["script", *words]))
    return cases
