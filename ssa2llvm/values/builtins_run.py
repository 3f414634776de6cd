"""Builtins about the run: clock, output buffers, functions, constants, error settings."""

from __future__ import annotations

import time

from ssa2llvm.ir import types as t
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.builtin_table import Does, builtin
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import PHP_INT_MAX, Value, to_text

_NANOSECONDS = 1_000_000_000


@builtin(
    "hrtime(bool $as_number = false): array|int|float|false",
    does=Does.STATE,
    elements=t.MAY_BE_ARRAY_PACKED | t.MAY_BE_LONG << t.ARRAY_SHIFT,
)
def _hrtime(host: Host, as_number: bool) -> Value:
    now = time.monotonic_ns()
    return now if as_number else PhpArray.from_list(divmod(now, _NANOSECONDS))


@builtin("microtime(bool $as_float = false): string|float", does=Does.STATE)
def _microtime(host: Host, as_float: bool) -> bytes | float:
    seconds, nanoseconds = divmod(time.time_ns(), _NANOSECONDS)
    microseconds = nanoseconds // 1000
    if as_float:
        return seconds + microseconds / 1e6
    return f"{microseconds / 1e6:.8f} {seconds}".encode()


@builtin("time(): int", does=Does.STATE, range=(0, PHP_INT_MAX))
def _time(host: Host) -> int:
    return int(time.time())


@builtin("function_exists(string $function): bool", does=Does.STATE)
def _function_exists(host: Host, function: bytes) -> bool:
    return host.function_exists(to_text(function.removeprefix(b"\\")).lower())


@builtin("memory_get_usage(bool $real_usage = false): int", does=Does.STATE, range=(0, PHP_INT_MAX))
def _memory_get_usage(host: Host, real_usage: bool) -> int:
    return host.memory_usage()


@builtin("memory_get_peak_usage(bool $real_usage = false): int", does=Does.STATE, range=(0, PHP_INT_MAX))
def _memory_get_peak_usage(host: Host, real_usage: bool) -> int:
    return host.memory_usage()


@builtin(
    "define(string $constant_name, mixed $value, bool $case_insensitive = false): bool", does=Does.STATE | Does.WARNS
)
def _define(host: Host, constant_name: bytes, value: Value, case_insensitive: bool) -> bool:
    return host.define(to_text(constant_name), value)


@builtin("defined(string $constant_name): bool", does=Does.STATE)
def _defined(host: Host, constant_name: bytes) -> bool:
    return host.constant(to_text(constant_name)) is not None


@builtin("error_reporting(?int $error_level = null): int", does=Does.STATE)
def _error_reporting(host: Host, error_level: int | None) -> int:
    return host.error_reporting(error_level)


@builtin("flush(): void", does=Does.STATE)
def _flush(host: Host) -> None:
    return None


@builtin("ob_start($callback = null, int $chunk_size = 0, int $flags = 112): bool", does=Does.STATE)
def _ob_start(host: Host, callback: Value, chunk_size: int, flags: int) -> bool:
    host.push_buffer()
    return True


@builtin("ob_get_clean(): string|false", does=Does.STATE)
def _ob_get_clean(host: Host) -> bytes | bool:
    text = host.pop_buffer()
    return False if text is None else text


@builtin("ob_end_clean(): bool", does=Does.STATE)
def _ob_end_clean(host: Host) -> bool:
    if host.pop_buffer() is None:
        host.notice("ob_end_clean(): Failed to delete buffer. No buffer to delete")
        return False
    return True


@builtin("ob_end_flush(): bool", does=Does.STATE | Does.OUTPUT)
def _ob_end_flush(host: Host) -> bool:
    text = host.pop_buffer()
    if text is None:
        host.notice("ob_end_flush(): Failed to delete and flush buffer. No buffer to delete or flush")
        return False
    host.write(text)
    return True
