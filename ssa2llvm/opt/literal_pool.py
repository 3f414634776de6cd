"""Operands for literals that a pass needs: an entry of the function's table that is there already, or a new one.

Scalars are looked up by value, in time linear in the table once; arrays are always added.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import ArrayConst, Literal, literal_key
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.operands import Operand, const


class LiteralPool:
    """The literals of one op array, which may grow."""

    def __init__(self, op_array: OpArray) -> None:
        self._literals = op_array.literals
        self._index: dict[tuple[object, ...], int] = {}
        for number, literal in enumerate(op_array.literals):
            if not isinstance(literal, ArrayConst):
                self._index.setdefault(literal_key(literal), number)

    def operand(self, literal: Literal) -> Operand:
        """A CONST operand with this value."""
        if isinstance(literal, ArrayConst):
            return self._append(literal)
        key = literal_key(literal)
        if key not in self._index:
            self._index[key] = self._append(literal).num
        return const(self._index[key])

    def _append(self, literal: Literal) -> Operand:
        self._literals.append(literal)
        return const(len(self._literals) - 1)
