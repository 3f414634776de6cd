"""One function on its last steps before lowering: calls folded, counting explicit, out of SSA form.

In: SSA form with facts, after the passes. Out: a `FunctionUnit`, all that `FunctionLowering` reads. The SSA function is
changed and used up.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.analysis.calls import CallMap, Symbols
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.destruct.destruct import Destructed, destruct
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_COUNTED,
    MAY_BE_INDIRECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.representation import Rep, representation
from ssa2llvm.opt.calls import fold_calls
from ssa2llvm.opt.op_data import join_op_data
from ssa2llvm.own.insert import insert_ownership
from ssa2llvm.own.operands import reads
from ssa2llvm.own.verify import verify_ownership

__all__ = ["FunctionUnit", "prepare"]

_ROPES = frozenset({Opcode.ROPE_INIT, Opcode.ROPE_ADD})
_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC})
_SLOTS = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET})


@dataclass(slots=True, eq=False)
class FunctionUnit:
    """A function in destructed form. Lists are indexed by SSA name: ``slot_of`` the variable, ``types`` the type mask,
    ``location_of`` the location (-1: none). ``location_reps`` lists the locations, ``cells`` the variables that live in
    memory, ``arrivals`` the names that are undefined from the start. ``receives`` are the RECV instructions by parameter."""

    op_array: OpArray
    blocks: list[Block]
    slot_of: list[int]
    types: list[int]
    location_of: list[int]
    location_reps: list[Rep]
    cells: list[int]
    arrivals: list[int]
    receives: list[Instr]
    facts: Facts
    destructed: Destructed

    def bounds(self, name: int) -> tuple[int | None, int | None]:
        """The range of a name's integer values; None where nothing is known."""
        known = self.facts.ranges[name] if name < len(self.facts.ranges) else None
        if known is None or known.flagged:
            return None, None
        return known.min, known.max


def _settle_types(function: Function, facts: Facts, cells: frozenset[int]) -> None:
    """Masks for lowering: what lives in memory may be anything, a rope is a string, an element about to be written is the
    address of a slot; names in SSA form are no references themselves, and nothing is known of elements but in arrays."""
    for name, var in enumerate(function.ssa_vars):
        mask = facts.types[name]
        definition = var.definition
        if var.slot in cells:
            mask = MAY_BE_ANY | MAY_BE_UNDEF
        elif definition is not None and definition.opcode in _ROPES and definition.result_def == name:
            mask = MAY_BE_STRING
        elif definition is not None and definition.opcode in _SLOTS and definition.result_def == name:
            mask = MAY_BE_INDIRECT
        elif definition is not None and definition.opcode == Opcode.SEND_REF and definition.result_def == name:
            mask = MAY_BE_REF
        elif definition is None and var.definition_phi is None:
            mask = MAY_BE_UNDEF
        elif mask & (MAY_BE_REF | MAY_BE_INDIRECT):
            mask = (mask & ~(MAY_BE_REF | MAY_BE_INDIRECT)) | MAY_BE_ANY
        facts.types[name] = mask


def prepare(function: Function, facts: Facts, symbols: Symbols, verify: bool = False) -> FunctionUnit:
    """Take a function through `opt.calls`, `own` and `destruct`. With ``verify`` ownership is proved."""
    calls = CallMap(function, symbols)
    cells = reference_slots(function, calls)
    fold_calls(function, facts, calls, cells.__contains__)
    join_op_data(function, facts, cells.__contains__)
    _settle_types(function, facts, cells)
    types = facts.types

    def owns(name: int) -> bool:
        return bool(types[name] & MAY_BE_COUNTED) and function.ssa_vars[name].slot not in cells

    insert_ownership(function, owns)
    if verify:
        verify_ownership(function, owns)

    def rep(name: int) -> Rep | None:
        return None if function.ssa_vars[name].slot in cells else representation(types[name])

    destructed = destruct(function, rep, reads=reads)
    out = destructed.function
    slot_of = [var.slot for var in out.ssa_vars]
    for name in range(len(types), len(slot_of)):
        types.append(types[destructed.origin[name]])
    location_reps: list[Rep] = []
    for location in destructed.locations:
        assert isinstance(location.representation, Rep)
        location_reps.append(location.representation)
    arrivals = [
        name
        for name, var in enumerate(function.ssa_vars)
        if var.definition is None and var.definition_phi is None and destructed.location_of[name] >= 0
    ]
    receives = [instr for instr in out.instructions() if instr.opcode in _RECEIVES]
    return FunctionUnit(
        function.op_array,
        out.blocks,
        slot_of,
        types,
        destructed.location_of,
        location_reps,
        sorted(cells),
        arrivals,
        receives,
        facts,
        destructed,
    )
