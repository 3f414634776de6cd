"""Mathematical builtins. Float functions are C's: domain errors give NaN, overflow gives infinity, nothing throws."""

from __future__ import annotations

import math
from collections.abc import Callable

from ssa2llvm.values.arith import power, truncated_quotient
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.compare import compare
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.printf import number_format as format_number
from ssa2llvm.values.rounding import ROUND_HALF_UP, c_ceil, c_floor, php_round
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, Value, type_name


@builtin("intdiv(int $num1, int $num2): int", does=Does.THROWS, folds=True)
def _intdiv(host: Host, num1: int, num2: int) -> int:
    if num2 == 0:
        raise PhpError("DivisionByZeroError", "Division by zero")
    if num1 == PHP_INT_MIN and num2 == -1:
        raise PhpError("ArithmeticError", "Division of PHP_INT_MIN by -1 is not an integer")
    return truncated_quotient(num1, num2)


@builtin("abs(int|float $num): int|float")
def _abs(host: Host, num: int | float) -> int | float:
    return float(-num) if num == PHP_INT_MIN and isinstance(num, int) else abs(num)


@builtin("floor(int|float $num): float")
def _floor(host: Host, num: int | float) -> float:
    return c_floor(num) if isinstance(num, float) else float(num)


@builtin("ceil(int|float $num): float")
def _ceil(host: Host, num: int | float) -> float:
    return c_ceil(num) if isinstance(num, float) else float(num)


@builtin("round(int|float $num, int $precision = 0, int $mode = 1): float")
def _round_function(host: Host, num: int | float, precision: int, mode: int) -> float:
    places = max(-(2**31), min(precision, 2**31 - 1))
    if isinstance(num, int) and places >= 0:
        return float(num)
    return php_round(float(num), places, mode if 1 <= mode <= 4 else ROUND_HALF_UP)


@builtin("fmod(float $num1, float $num2): float")
def _fmod(host: Host, num1: float, num2: float) -> float:
    try:
        return math.fmod(num1, num2)
    except ValueError:
        return math.nan


@builtin("fdiv(float $num1, float $num2): float")
def _fdiv(host: Host, num1: float, num2: float) -> float:
    if num2 != 0:
        return num1 / num2
    if num1 == 0 or math.isnan(num1):
        return math.nan
    return math.copysign(math.inf, num1) * math.copysign(1.0, num2)


@builtin("pow(mixed $num, mixed $exponent): object|int|float", does=Does.WARNS | Does.THROWS, folds=True)
def _pow(host: Host, num: Value, exponent: Value) -> int | float:
    return power(num, exponent, host)


def _c_function(function: Callable[[float], float], at_pole: float = math.nan) -> Callable[[Host, float], float]:
    """A C math function of one argument; ``at_pole`` is its value where Python refuses and C gives an infinity."""

    def call(host: Host, num: float) -> float:
        try:
            return function(num)
        except OverflowError:
            return math.copysign(math.inf, num) if function is math.sinh else math.inf
        except ValueError:
            return at_pole if num == 0 else math.nan

    return call


for _stub, _function, _at_pole in (
    ("sqrt(float $num): float", math.sqrt, math.nan),
    ("exp(float $num): float", math.exp, math.nan),
    ("sin(float $num): float", math.sin, math.nan),
    ("cos(float $num): float", math.cos, math.nan),
    ("tan(float $num): float", math.tan, math.nan),
    ("asin(float $num): float", math.asin, math.nan),
    ("acos(float $num): float", math.acos, math.nan),
    ("atan(float $num): float", math.atan, math.nan),
    ("sinh(float $num): float", math.sinh, math.nan),
    ("cosh(float $num): float", math.cosh, math.nan),
    ("tanh(float $num): float", math.tanh, math.nan),
    ("log10(float $num): float", math.log10, -math.inf),
):
    builtin(_stub)(_c_function(_function, _at_pole))


def _natural_log(number: float) -> float:
    return _c_function(math.log, -math.inf)(Host(), number)


@builtin("log(float $num, float $base = 2.718281828459045): float", does=Does.THROWS)
def _log(host: Host, num: float, base: float) -> float:
    if base == math.e:
        return _natural_log(num)
    if base == 2.0:
        return _c_function(math.log2, -math.inf)(host, num)
    if base == 10.0:
        return _c_function(math.log10, -math.inf)(host, num)
    if base == 1.0:
        return math.nan
    if base <= 0.0:
        raise PhpError("ValueError", "log(): Argument #2 ($base) must be greater than 0")
    return _fdiv(host, _natural_log(num), _natural_log(base))


@builtin("atan2(float $y, float $x): float")
def _atan2(host: Host, y: float, x: float) -> float:
    return math.atan2(y, x)


@builtin("pi(): float", folds=True)
def _pi(host: Host) -> float:
    return math.pi


@builtin("hypot(float $x, float $y): float")
def _hypot(host: Host, x: float, y: float) -> float:
    return math.hypot(x, y)


@builtin("deg2rad(float $num): float")
def _deg2rad(host: Host, num: float) -> float:
    return num / 180.0 * math.pi


@builtin("rad2deg(float $num): float")
def _rad2deg(host: Host, num: float) -> float:
    return num / math.pi * 180.0


@builtin("is_nan(float $num): bool", folds=True)
def _is_nan(host: Host, num: float) -> bool:
    return math.isnan(num)


@builtin("is_infinite(float $num): bool", folds=True)
def _is_infinite(host: Host, num: float) -> bool:
    return math.isinf(num)


@builtin("is_finite(float $num): bool", folds=True)
def _is_finite(host: Host, num: float) -> bool:
    return math.isfinite(num)


def _to_base(number: int, letter: str) -> bytes:
    return format(number % 2**64, letter).encode()


@builtin("dechex(int $num): string", folds=True)
def _dechex(host: Host, num: int) -> bytes:
    return _to_base(num, "x")


@builtin("decbin(int $num): string", folds=True)
def _decbin(host: Host, num: int) -> bytes:
    return _to_base(num, "b")


@builtin("decoct(int $num): string", folds=True)
def _decoct(host: Host, num: int) -> bytes:
    return _to_base(num, "o")


_BASE_DIGITS = b"0123456789abcdefghijklmnopqrstuvwxyz"


def _from_base(text: bytes, base: int, host: Host) -> int | float:
    """The number that ``text`` spells (``_php_math_basetozval``): float once it leaves the int range."""
    digits = text.lower()
    prefix = {16: b"0x", 8: b"0o", 2: b"0b"}.get(base)
    if prefix is not None and digits.startswith(prefix):
        digits = digits[2:]
    number: int | float = 0
    ignored = False
    for byte in digits:
        value = _BASE_DIGITS.find(byte)
        if not 0 <= value < base:
            ignored = True
            continue
        if isinstance(number, int) and number * base + value > PHP_INT_MAX:
            number = float(number)
        number = number * base + value
    if ignored:
        host.deprecated("Invalid characters passed for attempted conversion, these have been ignored")
    return number


@builtin("hexdec(string $hex_string): int|float", does=Does.WARNS, folds=True)
def _hexdec(host: Host, hex_string: bytes) -> int | float:
    return _from_base(hex_string, 16, host)


@builtin("bindec(string $binary_string): int|float", does=Does.WARNS, folds=True)
def _bindec(host: Host, binary_string: bytes) -> int | float:
    return _from_base(binary_string, 2, host)


@builtin("octdec(string $octal_string): int|float", does=Does.WARNS, folds=True)
def _octdec(host: Host, octal_string: bytes) -> int | float:
    return _from_base(octal_string, 8, host)


def _candidates(function: str, value: Value, values: tuple[Value, ...]) -> list[Value]:
    """The values to choose from: the arguments, or the elements of the one array given."""
    if values:
        return [value, *values]
    if not isinstance(value, PhpArray):
        raise PhpError(
            "TypeError", f"{function}(): Argument #1 ($value) must be of type array, {type_name(value)} given"
        )
    if not len(value):
        raise PhpError("ValueError", f"{function}(): Argument #1 ($value) must contain at least one element")
    return list(value.values())


@builtin("max(mixed $value, mixed ...$values): mixed", does=Does.WARNS | Does.THROWS, folds=True)
def _max(host: Host, value: Value, *values: Value) -> Value:
    best, *others = _candidates("max", value, values)
    for candidate in others:
        # Two loops in PHP, which differ on unordered pairs: arguments ask "not <=", elements ask "<" the other way
        # round.
        if compare(candidate, best, host) > 0 if values else compare(best, candidate, host) < 0:
            best = candidate
    return best


@builtin("min(mixed $value, mixed ...$values): mixed", does=Does.WARNS | Does.THROWS, folds=True)
def _min(host: Host, value: Value, *values: Value) -> Value:
    best, *others = _candidates("min", value, values)
    for candidate in others:
        if compare(candidate, best, host) < 0 if values else compare(best, candidate, host) > 0:
            best = candidate
    return best


@builtin(
    "number_format(float $num, int $decimals = 0, "
    '?string $decimal_separator = ".", ?string $thousands_separator = ","): string',
)
def _number_format(
    host: Host, num: float, decimals: int, decimal_separator: bytes | None, thousands_separator: bytes | None
) -> bytes:
    point = b"." if decimal_separator is None else decimal_separator
    separator = b"," if thousands_separator is None else thousands_separator
    return format_number(num, min(decimals, 2**31 - 1), point, separator)
