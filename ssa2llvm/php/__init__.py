"""PHP source → op arrays: PHP's own compiler, instruction for instruction.

``compile_php`` scans (``lexer``), parses (``parse_file``) and lowers (``lower``).  The result equals what
``opcache.opt_debug_level=0x10000`` prints for PHP 8.2; what PHP rejects is rejected with its message and line, and
valid PHP that is not covered is named in a diagnostic.
"""

from __future__ import annotations

import sys

from ssa2llvm.ir.op_array import Script
from ssa2llvm.php.lower.compiler import CompileReport
from ssa2llvm.php.lower.script import lower_file
from ssa2llvm.php.parse_file import parse

__all__ = ["CompileReport", "compile_php", "compile_php_reporting"]

_RECURSION_LIMIT = 1_000_000


def compile_php(source: bytes, filename: str) -> Script:
    """Compile a PHP file; ``filename`` is what messages, ``__FILE__`` and ``__DIR__`` say.

    Raises CompileError for what PHP rejects (``kind`` is PHP's word) and for valid PHP that is not supported.
    """
    return compile_php_reporting(source, filename)[0]


def compile_php_reporting(source: bytes, filename: str) -> tuple[Script, list[CompileReport]]:
    """``compile_php``, and the warnings and deprecations that PHP emits while it compiles, in order."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))  # syntax nests as deep as the file says
    try:
        return lower_file(source, filename, parse(source, filename))
    finally:
        sys.setrecursionlimit(limit)
