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
