"""PHP programs for the interpreter: compiled by PHP itself, read from its file cache, run by PHP for the right
answer.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.ir.op_array import Script
from tests.tools import need_tool, run_php


def compile_with_php(file: Path) -> Script:
    """The op arrays that PHP's compiler makes of ``file`` (an absolute path)."""
    cache = file.parent / "cache"
    cache.mkdir(exist_ok=True)
    command = [
        need_tool("php"), "-n",
        "-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1",
        "-d", "opcache.file_update_protection=0", "-d", "opcache.optimization_level=0",
        "-d", f"opcache.file_cache={cache}", "-d", "opcache.file_cache_only=1",
        "-l", str(file),
    ]  # fmt: skip
    checked = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert checked.returncode == 0, checked.stdout.decode()
    images = list(cache.rglob(f"{file.name}.bin"))
    assert len(images) == 1, images
    return read_opcache_bin(images[0].read_bytes())


def program(directory: Path, source: str, name: str = "program.php") -> Path:
    """Write a PHP program."""
    file = directory / name
    file.write_text("<?php\n" + source)
    return file


def php_output(file: Path) -> tuple[bytes, int]:
    """What PHP prints, and its exit code."""
    result = run_php(file)
    return result.stdout, result.returncode
