"""Builtins about values themselves: type tests, casts, dumps."""

from __future__ import annotations

from ssa2llvm.values import dump
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.convert import to_array, to_bool, to_float, to_int, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.printf import sprintf as format_text
from ssa2llvm.values.types import PhpObject, Ref, Value, gettype_name, type_name


@builtin("is_null(mixed $value): bool")
def _is_null(host: Host, value: Value) -> bool:
    return value is None


@builtin("is_bool(mixed $value): bool")
def _is_bool(host: Host, value: Value) -> bool:
    return isinstance(value, bool)


def _is_int(host: Host, value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_float(host: Host, value: Value) -> bool:
    return isinstance(value, float)


for _name in ("is_int", "is_integer", "is_long"):
    builtin(f"{_name}(mixed $value): bool")(_is_int)
for _name in ("is_float", "is_double"):
    builtin(f"{_name}(mixed $value): bool")(_is_float)


@builtin("is_string(mixed $value): bool")
def _is_string(host: Host, value: Value) -> bool:
    return isinstance(value, bytes)


@builtin("is_array(mixed $value): bool")
def _is_array(host: Host, value: Value) -> bool:
    return isinstance(value, PhpArray)


@builtin("is_object(mixed $value): bool")
def _is_object(host: Host, value: Value) -> bool:
    return isinstance(value, PhpObject)


@builtin("is_scalar(mixed $value): bool")
def _is_scalar(host: Host, value: Value) -> bool:
    return isinstance(value, (bool, int, float, bytes))


@builtin("is_numeric(mixed $value): bool")
def _is_numeric(host: Host, value: Value) -> bool:
    if isinstance(value, bytes):
        return numeric_value(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@builtin("is_iterable(mixed $value): bool")
def _is_iterable(host: Host, value: Value) -> bool:
    return isinstance(value, PhpArray) or (isinstance(value, PhpObject) and host.is_instance(value, "Traversable"))


@builtin("is_countable(mixed $value): bool")
def _is_countable(host: Host, value: Value) -> bool:
    return isinstance(value, PhpArray) or (isinstance(value, PhpObject) and host.is_instance(value, "Countable"))


@builtin("is_callable(mixed $value, bool $syntax_only = false, &$callable_name = null): bool", does=Does.STATE)
def _is_callable(host: Host, value: Value, syntax_only: bool, callable_name: Ref) -> bool:
    return host.is_callable(value)


@builtin("gettype(mixed $value): string")
def _gettype(host: Host, value: Value) -> bytes:
    return gettype_name(value).encode()


@builtin("get_debug_type(mixed $value): string")
def _get_debug_type(host: Host, value: Value) -> bytes:
    return type_name(value).encode()


@builtin("boolval(mixed $value): bool")
def _boolval(host: Host, value: Value) -> bool:
    return to_bool(value)


_AUTOMATIC_PREFIXES = {b"0x": 16, b"0b": 2, b"0o": 8}


@builtin("intval(mixed $value, int $base = 10): int", does=Does.WARNS)
def _intval(host: Host, value: Value, base: int) -> int:
    if not isinstance(value, bytes) or base == 10:
        return to_int(value, host)
    return _string_to_int(value, base)


def _string_to_int(text: bytes, base: int) -> int:
    """C's ``strtol``: clamped, and base 0 means that a prefix tells the base."""
    if base != 0 and not 2 <= base <= 36:
        return 0
    digits = text.lstrip(b" \t\n\v\r\f")
    negative = digits.startswith(b"-")
    if digits[:1] in (b"-", b"+") and digits:
        digits = digits[1:]
    prefix_base = _AUTOMATIC_PREFIXES.get(digits[:2].lower())
    if prefix_base is not None and base in (0, prefix_base):
        base, digits = prefix_base, digits[2:]
    elif base == 0:
        base = 8 if digits.startswith(b"0") else 10
    number = 0
    for byte in digits.lower():
        value = byte - ord("0") if byte <= ord("9") else byte - ord("a") + 10
        if not 0 <= value < base or ord("9") < byte < ord("a"):
            break
        number = number * base + value
    number = -number if negative else number
    return max(-(2**63), min(number, 2**63 - 1))


def _to_float(host: Host, value: Value) -> float:
    return to_float(value, host)


for _name in ("floatval", "doubleval"):
    builtin(f"{_name}(mixed $value): float", does=Does.WARNS)(_to_float)


@builtin("strval(mixed $value): string", does=Does.WARNS | Does.THROWS)
def _strval(host: Host, value: Value) -> bytes:
    return to_string(value, host)


@builtin("settype(mixed &$var, string $type): bool", does=Does.WARNS | Does.THROWS)
def _settype(host: Host, var: Ref, type: bytes) -> bool:
    name = type.lower()
    if name in (b"integer", b"int"):
        var.value = to_int(var.value, host)
    elif name in (b"float", b"double"):
        var.value = to_float(var.value, host)
    elif name == b"string":
        var.value = to_string(var.value, host)
    elif name in (b"bool", b"boolean"):
        var.value = to_bool(var.value)
    elif name == b"array":
        var.value = to_array(var.value)
    elif name == b"null":
        var.value = None
    elif name == b"resource":
        host.warning("Cannot convert to resource type")
        return False
    else:
        raise PhpError("ValueError", "settype(): Argument #2 ($type) must be a valid type")
    return True


@builtin("var_dump(mixed $value, mixed ...$values): void", does=Does.OUTPUT)
def _var_dump(host: Host, *values: Value) -> None:
    for value in values:
        host.write(dump.var_dump(value, host))


@builtin("var_export(mixed $value, bool $return = false): ?string", does=Does.OUTPUT | Does.WARNS)
def _var_export(host: Host, value: Value, return_: bool) -> bytes | None:
    text = dump.var_export(value, host)
    if return_:
        return text
    host.write(text)
    return None


@builtin("print_r(mixed $value, bool $return = false): string|bool", does=Does.OUTPUT | Does.THROWS)
def _print_r(host: Host, value: Value, return_: bool) -> bytes | bool:
    text = dump.print_r(value, host)
    if return_:
        return text
    host.write(text)
    return True


@builtin("sprintf(string $format, mixed ...$values): string", does=Does.WARNS | Does.THROWS)
def _sprintf(host: Host, format: bytes, *values: Value) -> bytes:
    return format_text(format, values, host)


@builtin("vsprintf(string $format, array $values): string", does=Does.WARNS | Does.THROWS)
def _vsprintf(host: Host, format: bytes, values: PhpArray) -> bytes:
    return format_text(format, list(values.values()), host, "vsprintf", -1)


@builtin("printf(string $format, mixed ...$values): int", does=Does.OUTPUT | Does.WARNS | Does.THROWS)
def _printf(host: Host, format: bytes, *values: Value) -> int:
    text = format_text(format, values, host, "printf")
    host.write(text)
    return len(text)


@builtin("vprintf(string $format, array $values): int", does=Does.OUTPUT | Does.WARNS | Does.THROWS)
def _vprintf(host: Host, format: bytes, values: PhpArray) -> int:
    text = format_text(format, list(values.values()), host, "vprintf", -1)
    host.write(text)
    return len(text)
