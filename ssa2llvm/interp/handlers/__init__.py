"""What each opcode does, one family a file. Importing the package fills ``registry.HANDLERS``."""

from __future__ import annotations

from ssa2llvm.interp.handlers import (  # noqa: F401  (imported for what they register)
    arith,
    arrays,
    assign,
    calls,
    dimensions,
    dimensions_write,
    exceptions,
    foreach,
    jumps,
    objects,
    parameters,
    strings,
    types,
    variables,
)
from ssa2llvm.interp.handlers.registry import HANDLERS

__all__ = ["HANDLERS"]
