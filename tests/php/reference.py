"""What PHP's compiler says about a file, and what ours says, in the same form."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ssa2llvm.formats.zend_printer import print_zend_text
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.php import compile_php
from tests.tools import need_tool

_FLAGS = [
    "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1",
    "-d", "opcache.file_update_protection=0", "-d", "log_errors=0", "-d", "display_errors=1", "-d", "html_errors=0",
    "-d", "error_reporting=32767", "-d", "opcache.optimization_level=0", "-d", "opcache.opt_debug_level=0x10000", "-l",
]  # fmt: skip
_ERROR = re.compile(rb"(Parse|Fatal) error: +(.*?) in \S+ on line (\d+)\n", re.DOTALL)


@dataclass(frozen=True)
class Outcome:
    """The opcode text, or the error: PHP's word, message and line."""

    dump: bytes
    error: tuple[str, str, int] | None


def php_outcome(path: Path, cwd: Path | None = None) -> Outcome:
    """Compile with PHP; below ``cwd`` the file is named by its last part alone."""
    name = path.name if cwd is not None else str(path)
    command = [need_tool("php"), *_FLAGS, name]
    result = subprocess.run(command, capture_output=True, check=False, timeout=60, cwd=cwd)
    match = _ERROR.search(result.stdout)
    if match:
        message = match.group(2).decode("utf-8", "surrogateescape")
        return Outcome(b"", (f"PHP {match.group(1).decode()} error", message, int(match.group(3))))
    return Outcome(result.stderr, None)


def our_outcome(source: bytes, filename: str) -> Outcome:
    """Compile with our front end."""
    try:
        return Outcome(print_zend_text(compile_php(source, filename)), None)
    except CompileError as error:
        return Outcome(b"", (error.kind, error.message, error.line))
