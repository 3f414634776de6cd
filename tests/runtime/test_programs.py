"""How runs end: normally, by exit, by an error, by a fatal error, by exhausting the stack, by a crash; libraries."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable

import pytest

Link = Callable[..., list[str]]
FATAL = "\nFatal error: "
EXHAUSTED = "Allowed memory size of 1073741824 bytes exhausted (tried to allocate 1048576 bytes)"
ENDINGS = {
    "deep": ("1000000", 0),
    "endless": (f"never dropped{FATAL}{EXHAUSTED} in main.php on line 7\n", 255),
    "uncaught": (
        f"before{FATAL}Uncaught TypeError: no good in main.php:5\nStack trace:\n#0 main.php(9): f()\n#1 {{main}}\n"
        "  thrown in main.php on line 5\n",
        255,
    ),
    "builtin_throws": (
        f"{FATAL}Uncaught DivisionByZeroError: Division by zero in main.php:5\nStack trace:\n#0 main.php(5): intdiv()\n"
        "#1 main.php(9): f()\n#2 {main}\n  thrown in main.php on line 5\n",
        255,
    ),
    "wrong_argument": (
        f"{FATAL}Uncaught TypeError: f(): Argument #1 ($n) must be of type int, string given, called in main.php on "
        "line 9 and defined in main.php:3\nStack trace:\n#0 main.php(9): f()\n#1 {main}\n"
        "  thrown in main.php on line 3\n",
        255,
    ),
    "catches": (
        "Modulo by zero|5|#0 main.php(9): f()\n#1 {main}|DivisionByZeroError: Modulo by zero in "
        "main.php:5\nStack trace:\n#0 main.php(9): f()\n#1 {main}7|"
        f"{FATAL}Uncaught DivisionByZeroError: Modulo by zero in main.php:5\nStack trace:\n#0 main.php(9): f()\n"
        "#1 {main}\n\nNext LogicException: 2 in main.php:11\nStack trace:\n#0 {main}\n"
        "  thrown in main.php on line 11\n",
        255,
    ),
    "misuses": (
        'Can only throw objects|Class "Nonsense" not found|Cannot instantiate interface Throwable|'
        "Call to a member function m() on int|Call to undefined method Exception::m()|",
        0,
    ),
    "arguments": ("arguments2", 0),
    "exits": ("bye", 42),
    "fatal": (f"{FATAL}Cannot go on in main.php on line 4\n", 255),
    "leaks": ("", 99),
    # 2 bytes double until there are 64, then 995 times one more: 64 + 995, plus the 7 of the other cell
    "cells": ("1066", 0),
    "nested": ("outer inner1000000 outer", 0),
    "library": (
        "top level\ntop level\ndeep: true -\nthrow: false DivisionByZeroError: Division by zero in main.php:5\n"
        f"endless: false {EXHAUSTED} in lib.php:0\nbyeexit: false exit(42)\n"
        "deep again: true -\nother: true -\nleft: 1 0\n",
        0,
    ),
}


def run(command: list[str]) -> tuple[str, int]:
    environment = {**os.environ, "S2L_CHECK_LEAKS": "1"}
    result = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    return result.stdout.decode(), result.returncode


@pytest.mark.parametrize("name", ENDINGS)
def test_ending(name: str, link: Link) -> None:
    assert run([*link("programs.c"), name]) == ENDINGS[name]


@pytest.mark.parametrize("name", ENDINGS)
def test_ending_on_aarch64(name: str, link: Link) -> None:
    assert run([*link("programs.c", "aarch64"), name]) == ENDINGS[name]


def test_a_crash_stays_a_crash(link: Link) -> None:
    assert run([*link("programs.c"), "crashes"]) == ("", -signal.SIGSEGV)


def test_leak_is_told_only_on_request(link: Link) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "S2L_CHECK_LEAKS"}
    assert subprocess.run([*link("programs.c"), "leaks"], env=environment, check=False).returncode == 0


def test_sanitizers_find_nothing(link: Link) -> None:
    # A stack of its own is what AddressSanitizer does not follow: no endless recursion here.
    for name in (
        "uncaught",
        "builtin_throws",
        "wrong_argument",
        "catches",
        "misuses",
        "arguments",
        "exits",
        "fatal",
        "cells",
    ):
        assert run([*link("programs.c", "sanitized"), name]) == ENDINGS[name]
