"""The cases that the runtime and PHP must answer alike, as lines for driver.c and evaluate.php."""

from __future__ import annotations

import random
import struct
from itertools import product
from urllib.parse import quote

INT_MAX = 2**63 - 1
INT_MIN = -(2**63)

EDGE_VALUES: list[object] = [
    None, True, False, 0, 1, -1, 2, 7, 63, 64, -5, INT_MAX, INT_MIN, 2**53 + 1, 0.0, -0.0, 1.5, -2.5, 1e15,
    1e100, 9.2233720368547758e18, -9.2233720368547758e18, float("inf"), float("-inf"), float("nan"), 3.0, b"",
    b"0", b"1", b"abc", b"ABC", b"12", b" 12", b"12 ", b"12abc", b"1.5", b"1e3", b"0x1A", b"-3", b".5", b"00",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"1e1000", b"a\0b", b"zz", b"Az9",
    b"1e",
]  # fmt: skip

FEW_VALUES: list[object] = [
    None, True, False, 0, 3, -1, INT_MIN, 0.0, -1.5, 1e20, float("nan"), b"", b"0", b"abc", b"5 ", b"5x",
    b"1.5", b"9223372036854775808", b"xyz",
]  # fmt: skip

RECORDED_VALUES: list[object] = [
    None, True, 0, 3, 1.5, float("nan"), b"", b"abc", b"5x", b"1.5", INT_MIN, b"9223372036854775808",
]  # fmt: skip

BINARY = [
    "add", "sub", "mul", "div", "mod", "pow", "sl", "sr", "or", "and", "xor", "concat", "assign_concat",
    "equal", "identical", "smaller", "smaller_or_equal", "compare",
]  # fmt: skip
UNARY = [
    "increment", "decrement", "not", "to_bool", "to_int", "to_float", "to_string", "echo", "match", "var_dump",
    "var_export",
]  # fmt: skip
TYPES = ["int", "float", "string", "bool", "?int", "int|float", "?string", "string|int", "float|bool"]


def word(value: object) -> str:
    """A value as a word of a case."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return f"int:{value}"
    if isinstance(value, float):
        return f"float:{struct.pack('>d', value).hex()}"
    if isinstance(value, dict):
        return "[" + ",".join(f"{word(key)}={word(element)}" for key, element in value.items()) + "]"
    assert isinstance(value, bytes)
    return "str:" + quote(value, safe="")


def case(operation: str, *arguments: object) -> str:
    """One line: an operation and its arguments."""
    return " ".join([operation, *map(word, arguments)])


def operator_cases(values: list[object]) -> list[str]:
    """Every operator on every value or pair of values."""
    cases = [case(operation, left, right) for operation in BINARY for left, right in product(values, repeat=2)]
    cases += [case(operation, value) for operation in UNARY for value in values]
    offsets = [*values, 5, -4, b"1x"]
    for operation in ("dim", "dim_is", "isset_dim", "empty_dim"):
        cases += [case(operation, container, offset) for container in (b"abc", b"0", None, 5) for offset in offsets]
    return cases


def coercion_cases(values: list[object]) -> list[str]:
    """Every declared type on every value, in weak and in strict mode."""
    return [f"{mode} {kind} {word(value)}" for mode in ("weak", "strict") for kind in TYPES for value in values]


ONE_NUMBER = [
    "abs", "ceil", "floor", "round", "sqrt", "exp", "expm1", "log", "log10", "log1p", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "deg2rad", "rad2deg", "is_nan",
    "is_finite", "is_infinite", "dechex", "decbin", "decoct", "chr", "number_format",
]  # fmt: skip
ONE_VALUE = [
    "gettype", "get_debug_type", "intval", "floatval", "doubleval", "boolval", "strval", "is_null", "is_bool",
    "is_int", "is_integer", "is_long", "is_float", "is_double", "is_string", "is_numeric", "is_scalar",
    "is_array", "is_callable", "print_r",
]  # fmt: skip
ONE_STRING = [
    "strlen", "strrev", "strtoupper", "strtolower", "ucfirst", "lcfirst", "ucwords", "trim", "ltrim", "rtrim",
    "chop", "ord", "md5", "crc32", "bin2hex", "nl2br", "hexdec", "bindec", "octdec", "function_exists",
    "defined",
]  # fmt: skip
TEXTS: list[bytes] = [
    b"", b"a", b"Hello World", b"  padded\t\n", b"x\0y", b"\xc3\xa4\xff", b"line\r\nnext\nlast\r", b"aXbXc",
    b"0b101", b"ff", b"FFFFFFFFFFFFFFFFF", b"777", b"12zz", b"z" * 70,
]  # fmt: skip
TWO_NUMBERS = ["intdiv", "fmod", "fdiv", "atan2", "hypot", "pow", "min", "max", "round", "log"]
TWO_STRINGS = [
    "strcmp", "strcasecmp", "str_contains", "str_starts_with", "str_ends_with", "strpos", "stripos", "strrpos",
    "strstr", "substr_count", "trim", "ucwords",
]  # fmt: skip
NEEDLES: list[bytes] = [b"", b"a", b"l", b"X", b"World", b"\0", b"o W", b"a..z", b"z..a", b"..", b"zz", b"hello world"]
FORMATS: list[bytes] = [
    b"%d", b"%5d|", b"%-5d|", b"%05d", b"%+d", b"%+05d", b"%'*8d", b"%-05d|", b"%u", b"%x", b"%X", b"%o",
    b"%b", b"%c", b"%s", b"%5s|", b"%-5s|", b"%.2s", b"%05s", b"%f", b"%.1f", b"%.0f", b"%8.3f", b"%-9.2f|",
    b"%+.1f", b"%010.2f", b"%F", b"%e", b"%.2E", b"%.0e", b"%g", b"%G", b"%.3g", b"%.17g", b"%h", b"%H",
    b"%.60f", b"%.30f", b"%%", b"%5%|", b"%1$s %1$s", b"%2$s", b"%0$s", b"%z", b"%", b"%5", b"%'",
    b"%99999999999d", b"%.99999999999f", b"%ld", b"%s %s", b"%*d", b"%.*f", b"plain", b"%.-1f", b"%.5d",
    b"%.1x", b"% d", b"%1$*2$d",
]  # fmt: skip


def builtin_cases(values: list[object]) -> list[str]:
    """Builtin functions on edge values, with too few and too many arguments, and on every odd argument they have."""
    cases = [case(name, value) for name in ONE_NUMBER + ONE_VALUE + ONE_STRING for value in values]
    cases += [case(name, text) for name in ONE_STRING for text in TEXTS]
    cases += [case(name, left, right) for name in TWO_NUMBERS for left, right in product(values, repeat=2)]
    cases += [case(name, text, needle) for name in TWO_STRINGS for text, needle in product(TEXTS, NEEDLES)]
    cases += [case("sprintf", pattern, value) for pattern, value in product(FORMATS, values)]
    cases += [case("printf", pattern, 5, 1.5) for pattern in FORMATS]
    cases += [
        case("substr", text, offset, length)
        for text in TEXTS[:4]
        for offset in (-20, -3, 0, 2, 20, INT_MIN)
        for length in (None, -20, -2, 0, 3, 50, INT_MAX, INT_MIN)
    ]
    cases += [
        case(name, b"abcabc", needle, offset)
        for name in ("strpos", "stripos", "strrpos")
        for needle in (b"b", b"BC", b"")
        for offset in (-7, -6, -5, -3, -1, 0, 1, 4, 5, 6, 7)
    ]
    cases += [
        case("substr_count", b"aaaa", b"aa", offset, length)
        for offset in (-5, -3, 0, 2, 5)
        for length in (None, -1, -9, 0, 2, 9)
    ]
    cases += [case("str_repeat", text, times) for text in (b"", b"a", b"abc") for times in (-1, 0, 1, 2, 7)]
    cases += [
        case("str_pad", b"ab", length, pad, kind)
        for length in (-1, 1, 3, 9)
        for pad in (b" ", b"xyz", b"")
        for kind in (0, 1, 2, 3)
    ]
    cases += [case(name, b"Abc", b"abd", length) for name in ("strncmp", "strncasecmp") for length in (-1, 0, 2, 3, 9)]
    cases += [case("strstr", b"user@host", b"@", before) for before in (True, False)]
    cases += [
        case("number_format", number, places, b",", b".")
        for number in (0, 0.5, -1234.567, 1e15, 123456789.125, -0.4)
        for places in (-1, 0, 1, 2, 5, 20)
    ]
    cases += [case("number_format", 1234.5, 1, None, None), case("number_format", 1234567.5, 2, b"", b"")]
    cases += [
        case("round", number, places)
        for number in (
            1.005,
            2.5,
            -2.5,
            1234567.891,
            5.055,
            1.95583,
            1e-10,
            12345678901234567,
            0.285,
            1.45,
            5e-324,
            1.7e308,
        )
        for places in (-30, -7, -2, -1, 0, 1, 2, 3, 15, 30, 400)
    ]
    cases += [case("round", number, 0, mode) for number in (2.5, 3.5, -2.5, -3.5, 2.4, 0.0) for mode in (1, 2, 3, 4)]
    cases += [
        case("intval", text, base)
        for text in (
            b"0x1A",
            b"012",
            b"0b11",
            b"101",
            b"z",
            b" -0b11",
            b"99999999999999999999",
            b"",
            b"0o17",
            b"-7f",
            b"0x",
            b"+12",
        )
        for base in (0, 2, 8, 10, 16, 36)
    ]
    cases += [
        case("min", 3, 1.5, b"2"),
        case("max", b"abc", 5, None),
        case("max", b"10", b"9a"),
        case("max"),
        case("min", 1),
    ]
    cases += [
        case(name, *arguments)
        for name in ("strlen", "round", "substr", "str_pad", "pi", "intdiv", "sprintf", "var_dump")
        for arguments in ((), (1, 2, 3, 4, 5, 6))
    ]
    cases += [
        case("&0settype", value, kind)
        for value in FEW_VALUES
        for kind in (
            b"int",
            b"Integer",
            b"float",
            b"double",
            b"string",
            b"bool",
            b"boolean",
            b"null",
            b"resource",
            b"nonsense",
        )
    ]
    cases += [case("var_export", value, True) for value in (b"it's", b"back\\slash", b"a\0b", INT_MIN, 1.0, -0.0, 1e50)]
    cases += [case("print_r", value, True) for value in FEW_VALUES]
    cases += [case("md5", b"x" * count) for count in (55, 56, 63, 64, 65, 119, 120, 1000)]
    cases += [case("match", text) for text in (b"\\'\"\t\r\f\v\x1b\0\x7f\xff", b"exactly15chars!", b"exactly16chars!!")]
    cases += [case("md5", b"abc", True), case("nl2br", b"a\nb", False)]
    cases += [
        case("constant", name) for name in (b"M_PI", b"PHP_INT_MAX", b"E_ALL", b"PHP_EOL", b"NAN", b"\\M_E", b"NOPE")
    ]
    return cases


def random_doubles(count: int, seed: int) -> list[float]:
    """Doubles of every kind: any bits, short decimals, neighbours of powers of two and ten, integers, ties."""
    source = random.Random(seed)
    made: list[float] = []
    while len(made) < count:
        kind = source.randrange(6)
        if kind == 0:
            number = struct.unpack(">d", source.randbytes(8))[0]
        elif kind == 1:
            number = round(source.uniform(-1e6, 1e6), source.randrange(8))
        elif kind == 2:
            number = 2.0 ** source.randrange(-1074, 1023) * source.choice([1.0, 1 + 2.0**-52, 1 - 2.0**-53])
        elif kind == 3:
            number = float(source.randrange(-(2**60), 2**60))
        elif kind == 4:
            number = source.randrange(10**15) / 2.0 ** source.randrange(1, 30)
        else:
            number = float(f"{source.randrange(1, 10**17)}e{source.randrange(-320, 300)}")
        if number - number == 0:
            made.append(number)
    return made


def double_cases(count: int, seed: int) -> list[str]:
    """Number formatting in all its forms."""
    cases = []
    for number in random_doubles(count, seed):
        cases += [case("echo", number), case("var_dump", number), case("sprintf", b"%.2f %.5e %.10g %d", *[number] * 4)]
        cases += [case("number_format", number, 3), case("round", number, 2), case("to_int", number)]
    return cases


def parsing_cases(count: int, seed: int) -> list[str]:
    """Reading numbers: decimal texts of every length, half-way cases among them."""
    source = random.Random(seed)
    cases = []
    for number in random_doubles(count, seed):
        texts = [
            repr(number),
            f"{number:.17e}",
            f"{number:.30e}",
            f"{source.randrange(10**25)}.{source.randrange(10**9)}",
        ]
        cases += [case("to_float", text.encode()) for text in texts]
        cases += [case("to_int", texts[3].encode()), case("add", texts[1].encode(), 0)]
    return cases


ARRAYS: list[object] = [
    {}, {0: 1}, {0: 1, 1: 2, 2: 3}, {0: 1.5, 1: -0.0}, {0: b"a", 1: None}, {b"x": 1, b"y": 2}, {5: 1, 3: 2}, {-5: True},
    {0: {0: 1}, b"k": {b"z": 2.5}}, {1: 2, 0: 1}, {0: b"1", 1: b"2", 2: b"3"}, {b"": 0, b"05": b"it's"}, {0: 3, 1: 2, 2: 1},
]  # fmt: skip


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
    0, 1, 2, 3, 7, -5, 100, b"a", b"b", b"1", b"01", None, True, 1.5, INT_MAX, b"9223372036854775807", b"-0", b"-7", {},
]  # fmt: skip
SCRIPT_VALUES: list[object] = [0, 1, -3, 2.5, b"text", b"", None, True, {0: 1}, {b"k": b"v"}]


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
