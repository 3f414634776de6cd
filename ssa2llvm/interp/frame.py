"""An activation: the code being run, its cells, and how instructions reach their operands.

Handlers never touch cells by number; they say ``read1``, ``take2``, ``variable1``, ``write_result`` and ``follow``.
That is why one set of handlers runs every form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ssa2llvm.interp.code import NO_CELL, Code, Edge, Move, Step
from ssa2llvm.interp.errors import Exception_
from ssa2llvm.interp.functions import Callee, UserFunction
from ssa2llvm.interp.places import PLACES, CellPlace, InterpreterBug, Place
from ssa2llvm.interp.undefined import CONSUMED, UNDEF, Consumed, Undefined
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.types import PhpObject, Ref, Value

if TYPE_CHECKING:
    from ssa2llvm.interp.machine import Machine

_FETCHES = frozenset({Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW})
_EXHAUSTED = 0
"""The edge by which a foreach ends: its variable keeps what it had."""
Cell = Any
"""What a cell holds: a value, UNDEF, a Ref, a Place, or an interpreter object such as a foreach iterator."""


@dataclass(slots=True, eq=False)
class PendingCall:
    """A call whose arguments are being sent."""

    callee: Callee
    args: list[Value | Ref] = field(default_factory=list)
    send_by_reference: bool = False


class Frame:
    """One activation of a function. ``result`` is the cell of the caller that gets what it returns; ``builtins`` are
    those that called it back, outermost first."""

    __slots__ = (
        "args",
        "builtins",
        "callee",
        "cells",
        "code",
        "exception",
        "finally_causes",
        "in_linear_form",
        "jumped",
        "left_by",
        "machine",
        "pc",
        "pending",
        "returns_to",
        "silenced",
        "step",
        "symbols",
    )

    def __init__(self, machine: Machine, code: Code, callee: Callee, args: list[Value | Ref]) -> None:
        self.machine = machine
        self.code = code
        self.callee = callee
        self.args = args
        self.builtins: list[str] = []
        self.cells: list[Cell] = [UNDEF] * code.num_cells
        self.pc = code.entry.target
        self.pending: list[PendingCall] = []
        self.returns_to: Step | None = None
        self.exception: PhpObject | None = None
        self.finally_causes: dict[int, Exception_] = {}
        self.silenced: list[int] = []
        self.symbols: dict[str, Ref] = {}
        self.step: Step = code.steps[self.pc]
        self.jumped = False
        self.left_by = 0
        self.in_linear_form = code.function is None

    @property
    def statics(self) -> dict[str, Ref]:
        """The static (and captured) variables of the function."""
        assert isinstance(self.callee, UserFunction)
        return self.callee.statics

    def is_place1(self, step: Step) -> bool:
        """Whether op1 is the result of a write-fetch."""
        return step.use1 >= 0 and isinstance(self.cells[step.use1], PLACES)

    # ---- reading operands

    def undefined(self, slot: int) -> None:
        """Warn about reading an undefined variable; its value is null."""
        self.machine.host.warning(f"Undefined variable ${self.code.op_array.cvs[slot]}")

    def _value_in(self, content: Cell, slot: int) -> Value:
        if isinstance(content, Ref):
            return content.value
        if content is UNDEF:
            if slot < len(self.code.op_array.cvs):
                self.undefined(slot)
            return None
        if isinstance(content, PLACES):
            value = content.get()
            return None if isinstance(value, Undefined) else value
        if isinstance(content, Consumed):
            raise InterpreterBug(
                f"{self.where()}: {self.code.op_array.slot_name(slot)} is read after it was taken over"
            )
        return content  # type: ignore[no-any-return]

    def read1(self, step: Step) -> Value:
        """The value of op1; an undefined variable warns and is null."""
        if step.op.op1.kind == OpKind.CONST:
            return step.constant1
        return self._value_in(self.cells[step.use1] if step.use1 >= 0 else UNDEF, step.op.op1.num)

    def read2(self, step: Step) -> Value:
        """The value of op2; an undefined variable warns and is null."""
        if step.op.op2.kind == OpKind.CONST:
            return step.constant2
        return self._value_in(self.cells[step.use2] if step.use2 >= 0 else UNDEF, step.op.op2.num)

    def take1(self, step: Step) -> Value:
        """The value of op1 for a second owner: arrays are copied (lazily) unless a temporary hands its own over."""
        value = self.read1(step)
        return value if self._hands_over(step.op.op1.kind, step.use1) else copy_value(value)

    def take2(self, step: Step) -> Value:
        """The value of op2 for a second owner."""
        value = self.read2(step)
        return value if self._hands_over(step.op.op2.kind, step.use2) else copy_value(value)

    def _hands_over(self, kind: OpKind, cell: int) -> bool:
        return (self.in_linear_form and kind == OpKind.TMP) or (
            self.in_linear_form and kind == OpKind.VAR and not isinstance(self.cells[cell], (Ref, *PLACES))
        )

    def quiet1(self, step: Step) -> Value | Undefined:
        """The value of op1, UNDEF for an undefined variable, without a warning."""
        return self._quiet(step.constant1, step.op.op1.kind, step.use1)

    def quiet2(self, step: Step) -> Value | Undefined:
        """The value of op2, UNDEF for an undefined variable, without a warning."""
        return self._quiet(step.constant2, step.op.op2.kind, step.use2)

    def _quiet(self, constant: Value, kind: OpKind, cell: int) -> Value | Undefined:
        if kind == OpKind.CONST:
            return constant
        content = self.cells[cell] if cell >= 0 else UNDEF
        if isinstance(content, Ref):
            return content.value
        if isinstance(content, PLACES):
            return content.get()
        if isinstance(content, Consumed):
            raise InterpreterBug(f"{self.where()}: a variable is read after it was taken over")
        return content

    def raw1(self, step: Step) -> Cell:
        """What op1's cell holds, as it is."""
        return self.cells[step.use1] if step.use1 >= 0 else UNDEF

    def raw2(self, step: Step) -> Cell:
        """What op2's cell holds, as it is."""
        return self.cells[step.use2] if step.use2 >= 0 else UNDEF

    def argument(self, cell: int) -> Value:
        """The value in a cell of ``step.args``, for a second owner; undefined is null (who put it there has warned)."""
        content = self.cells[cell]
        if isinstance(content, Undefined):
            return None
        return copy_value(content.value if isinstance(content, Ref) else content)

    def joined_argument(self, step: Step) -> Value:
        """The value that came from an OP_DATA (``opt.op_data``): a variable may be undefined, which warns now."""
        function = self.code.function
        if isinstance(self.cells[step.args[0]], Undefined) and function is not None and isinstance(step.op, Instr):
            slot = function.ssa_vars[step.op.args[0]].slot
            if slot < len(self.code.op_array.cvs):
                self.undefined(slot)
        return self.argument(step.args[0])

    # ---- variables to write

    def variable1(self, step: Step) -> Place:
        """The variable (or place) that op1 names, for reading and writing. In SSA form its new name starts from the
        old.
        """
        return self._variable(step.op.op1.kind, step.use1, step.def1)

    def variable2(self, step: Step) -> Place:
        """The variable (or place) that op2 names, for reading and writing."""
        return self._variable(step.op.op2.kind, step.use2, step.def2)

    def _variable(self, kind: OpKind, use: int, definition: int) -> Place:
        cells = self.cells
        if kind != OpKind.CV and isinstance(cells[use], PLACES):
            return cells[use]  # type: ignore[no-any-return]
        if definition == NO_CELL:
            definition = use
        elif definition != use:
            content = cells[use] if use >= 0 else UNDEF
            cells[definition] = copy_value(content) if self.code.names_share_cells else content  # type: ignore[arg-type]
        return CellPlace(cells, definition)

    def finish(self, step: Step) -> None:
        """After a step: names that a later name of the same variable replaced hold nothing any more."""
        if self.code.names_share_cells or (step.opcode in _FETCHES and self.left_by == _EXHAUSTED):
            return
        cells = self.cells
        for use, definition in ((step.use1, step.def1), (step.use2, step.def2)):
            if definition >= 0 and 0 <= use != definition and isinstance(cells[use], (PhpArray, Ref)):
                cells[use] = CONSUMED

    # ---- results and control

    def write_result(self, step: Step, value: Cell) -> None:
        """Give the step's result, if anything reads it."""
        if step.result >= 0:
            self.cells[step.result] = value

    def bind_result(self, step: Step, value: Value) -> None:
        """Assign to the variable that is the step's result (CATCH): through its reference, if it is one."""
        if step.use_result >= 0 and isinstance(self.cells[step.use_result], Ref):
            self.cells[step.use_result].value = value
        else:
            self.write_result(step, value)

    def follow(self, edge: Edge) -> None:
        """Go along an edge: its pis, then its phis happen, then the target is next."""
        if edge.pis:
            self._move(edge.pis)
        if edge.phis:
            self._move(edge.phis)
        self.pc = edge.target
        if edge.block >= 0:
            self.machine.arrived(self, edge)

    def _move(self, moves: list[Move]) -> None:
        """Copies that happen at once. A name that a phi of its own variable replaces holds no array or reference any
        more.
        """
        cells = self.cells
        values = [cells[move.source] for move in moves]
        for move, value in zip(moves, values, strict=True):
            if not move.keep and isinstance(value, (PhpArray, Ref)):
                cells[move.source] = CONSUMED
        for move, value in zip(moves, values, strict=True):
            cells[move.target] = copy_value(value) if move.keep else value

    def jump(self, step: Step, position: int) -> None:
        """Leave by the step's edge at ``position``; what the step defines, it has defined before."""
        self.machine.defined(self, step, position)
        self.jumped = True
        self.left_by = position
        self.follow(step.edges[position])

    def where(self) -> str:
        """The function and line, for messages about bugs."""
        return f"{self.code.op_array.filename}:{self.step.op.line}: {self.code.op_array.name}"
