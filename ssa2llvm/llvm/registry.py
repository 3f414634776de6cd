"""The table of lowering functions: one row an opcode, filled by the ``lower_*`` modules.

Adding an opcode to the compiler is adding a row to ``ir.optable``, a transfer function to ``analysis`` and a function
under ``@lowers`` to the module of its family. An opcode without a row is one that we do not compile, and ``support``
says so with file and line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode

if TYPE_CHECKING:
    from ssa2llvm.llvm.function import FunctionLowering

__all__ = ["LOWERERS", "Lowerer", "lowers"]

Lowerer: TypeAlias = "Callable[[FunctionLowering, Instr], None]"

LOWERERS: dict[Opcode, Lowerer] = {}


def lowers(*opcodes: Opcode) -> Callable[[Lowerer], Lowerer]:
    """Register the decorated function as the lowering of ``opcodes``."""

    def register(lowerer: Lowerer) -> Lowerer:
        for opcode in opcodes:
            assert opcode not in LOWERERS, f"{opcode.name} is lowered twice"
            LOWERERS[opcode] = lowerer
        return lowerer

    return register
