"""``--trace``: one line for each arrival at a block and for each phi and pi on the way.

    fib b0 -> b3
      v7 ($n) = phi from v2: int(5)

Linear code has no blocks and gives no lines.
"""

from __future__ import annotations

from typing import TextIO

from ssa2llvm.interp.code import Edge, Move
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.number_format import float_repr
from ssa2llvm.values.types import PhpObject, Ref

_SHOWN_BYTES = 40


def show(content: object) -> str:
    """What a cell holds, on one line."""
    if isinstance(content, Ref):
        return f"&{show(content.value)}"
    if content is None:
        return "null"
    if isinstance(content, bool):
        return "bool(true)" if content else "bool(false)"
    if isinstance(content, int):
        return f"int({content})"
    if isinstance(content, float):
        return f"float({float_repr(content)})"
    if isinstance(content, bytes):
        tail = "…" if len(content) > _SHOWN_BYTES else ""
        return f"string({len(content)}) {content[:_SHOWN_BYTES]!r}{tail}"
    if isinstance(content, PhpArray):
        return f"array({len(content)})"
    if isinstance(content, PhpObject):
        return f"object({content.class_name})"
    return "undef" if isinstance(content, Undefined) else f"<{type(content).__name__}>"


class BlockTracer:
    """Writes the trace to a text file."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def arrived(self, frame: Frame, edge: Edge) -> None:
        """See machine.Tracer."""
        name = frame.code.op_array.name
        self.out.write(f"{name} b{edge.origin} -> b{edge.block}\n")
        for kind, moves in (("pi", edge.pis), ("phi", edge.phis)):
            for move in moves:
                self.out.write(f"  {self._line(frame, move, kind)}\n")

    def _line(self, frame: Frame, move: Move, kind: str) -> str:
        function = frame.code.function
        assert function is not None
        variable = function.slot_name(function.ssa_vars[move.name].slot)
        return f"v{move.name} ({variable}) = {kind} from v{move.source}: {show(frame.cells[move.target])}"
