"""LLVM's own verdict on a module, in one line with LLVM's words and, where it tells one, LLVM's place."""

from __future__ import annotations

import re

import llvmlite.binding as llvm

from ssa2llvm.ir.diagnostics import CompileError

_PARSE_ERROR = re.compile(r":(\d+):(\d+): error: (.*)")


def check_with_llvm(text: str, file: str) -> None:
    """Let LLVM parse and verify `text`.  Raises CompileError if it refuses."""
    try:
        with llvm.parse_assembly(text) as module:
            module.verify()
    except RuntimeError as error:
        found = _PARSE_ERROR.search(str(error))
        if found:
            line, column = int(found.group(1)), int(found.group(2))
            message = f"LLVM: {found.group(3)}"
            raise CompileError(message, file, line, column, source_line=text.split("\n")[line - 1]) from None
        words = " ".join(line.strip() for line in str(error).splitlines() if line.strip())
        raise CompileError(f"LLVM: {words}", file) from None
