"""The stage: a function after the passes becomes one whose calls are single instructions and whose counting is
explicit.

In: SSA form with facts, and the call symbols of its program; both are changed in place. Out: which variables live in
reference cells, and which names own a counted value. ``verify`` proves what ``insert`` did.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ssa2llvm.analysis.calls import CallMap, Symbols
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_COUNTED,
    MAY_BE_INDIRECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)
from ssa2llvm.opt.calls import fold_calls
from ssa2llvm.opt.op_data import join_op_data
from ssa2llvm.own.insert import insert_ownership
from ssa2llvm.own.verify import verify_ownership

_ROPES = frozenset({Opcode.ROPE_INIT, Opcode.ROPE_ADD})
_SLOTS = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET, Opcode.FETCH_W, Opcode.FETCH_RW})


@dataclass(frozen=True, slots=True)
class Owned:
    """``cells`` are the slots of variables that live in reference cells; ``owns(name)`` says whether a name owns a
    counted value, which the code then consumes exactly once on every path."""

    cells: frozenset[int]
    owns: Callable[[int], bool]


def make_owned(
    function: Function, facts: Facts, symbols: Symbols, verify: bool = False, join_data: bool = False
) -> Owned:
    """Fold the calls of ``function`` and make its counting explicit. ``join_data`` also merges each OP_DATA into the
    instruction it belongs to, as code generation wants it. With ``verify``, prove the counting (raises
    ``own.verify.OwnershipError``)."""
    calls = CallMap(function, symbols)
    cells = reference_slots(function, calls)
    fold_calls(function, facts, calls, cells.__contains__)
    if join_data:
        join_op_data(function, facts, cells.__contains__)
    _settle_types(function, facts, cells)

    def owns(name: int) -> bool:
        return bool(facts.types[name] & MAY_BE_COUNTED) and function.ssa_vars[name].slot not in cells

    insert_ownership(function, owns)
    if verify:
        verify_ownership(function, owns)
    return Owned(cells, owns)


def _settle_types(function: Function, facts: Facts, cells: frozenset[int]) -> None:
    """Final masks: a variable that lives in a cell keeps its own, and MAY_BE_REF where the cell may hold a reference
    to the value; a rope is a string, an element about to be written is the address of a slot; other names in SSA form
    are no references themselves, and nothing is known of elements but in arrays."""
    num_cvs = len(function.op_array.cvs)
    for name, var in enumerate(function.ssa_vars):
        mask = facts.types[name]
        definition = var.definition
        result_of = definition.opcode if definition is not None and definition.result_def == name else None
        if var.slot in cells:
            mask = mask & ~MAY_BE_INDIRECT if var.slot < num_cvs else MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF
        elif result_of in _ROPES:
            mask = MAY_BE_STRING
        elif result_of in _SLOTS:
            mask = MAY_BE_INDIRECT
        elif result_of == Opcode.SEND_REF or mask == MAY_BE_REF:
            mask = MAY_BE_REF
        elif definition is None and var.definition_phi is None:
            mask = MAY_BE_UNDEF
        elif mask & (MAY_BE_REF | MAY_BE_INDIRECT):
            mask = (mask & ~(MAY_BE_REF | MAY_BE_INDIRECT)) | MAY_BE_ANY
        facts.types[name] = mask
