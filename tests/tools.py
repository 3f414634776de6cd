"""External oracles for tests. A missing tool skips loudly on a user's machine and fails in CI."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PHP_FLAGS = [
    "-n",
    "-d", "opcache.enable=0",
    "-d", "error_reporting=32767",
    "-d", "display_errors=1",
    "-d", "html_errors=0",
    "-d", "log_errors=0",
    "-d", "precision=14",
    "-d", "serialize_precision=-1",
    "-d", "zend.exception_ignore_args=1",
]  # fmt: skip
"""The reference flags of real PHP: optimizer off, every diagnostic in the output."""

_CANDIDATES = {
    "php": ["php8.2", "php"],
    "opt": ["opt-22"],
    "clang": ["clang-22"],
    "qemu-aarch64": ["qemu-aarch64", "qemu-aarch64-static"],
    "aarch64-gcc": ["aarch64-linux-gnu-gcc"],
    "cc": ["cc", "gcc", "clang-22"],
}


def find_tool(name: str) -> str | None:
    """The path of a tool by its role, or None."""
    for candidate in _CANDIDATES.get(name, [name]):
        path = shutil.which(candidate)
        if path:
            return path
    return None


def need_tool(name: str) -> str:
    """The path of a tool; without it the test is skipped, or fails where CI=true."""
    path = find_tool(name)
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is missing, and in CI nothing may be skipped")
        pytest.skip(f"{name} is not installed (looked for {', '.join(_CANDIDATES.get(name, [name]))})")
    return path


def run_php(file: Path, *args: str, cwd: Path | None = None, timeout: float = 60) -> subprocess.CompletedProcess[bytes]:
    """Run a PHP file under the reference flags; the caller looks at stdout and returncode."""
    command = [need_tool("php"), *PHP_FLAGS, str(file), *args]
    return subprocess.run(command, capture_output=True, cwd=cwd, timeout=timeout, check=False)


def php_dump(file: Path, level: int = 0, bits: int = 0x10000, timeout: float = 120) -> bytes:
    """What PHP's optimizer prints about ``file``: stderr of a lint run through opcache."""
    command = [
        need_tool("php"), "-n",
        "-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1",
        "-d", "opcache.file_update_protection=0", "-d", "log_errors=0",
        "-d", f"opcache.optimization_level={level:#x}", "-d", f"opcache.opt_debug_level={bits:#x}",
        "-l", str(file),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, timeout=timeout, check=False).stderr
