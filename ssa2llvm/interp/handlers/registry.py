"""The table from opcode to handler, and the decorator that fills it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ssa2llvm.interp.machine import Handler
from ssa2llvm.ir.opcode import Opcode

HANDLERS: Final[dict[Opcode, Handler]] = {}


def handles(*opcodes: Opcode) -> Callable[[Handler], Handler]:
    """Make the decorated function the handler of these opcodes."""

    def register(handler: Handler) -> Handler:
        for opcode in opcodes:
            assert opcode not in HANDLERS, opcode
            HANDLERS[opcode] = handler
        return handler

    return register
