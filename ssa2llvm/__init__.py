"""ssa2llvm: PHP opcodes to SSA, e-SSA, LLVM IR and native code."""

from __future__ import annotations

__version__ = "0.1.0"
