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
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_COUNTED, MAY_BE_STRING, MAY_BE_UNDEF
from ssa2llvm.opt.calls import fold_calls
from ssa2llvm.own.insert import insert_ownership
from ssa2llvm.own.verify import verify_ownership

_ROPES = frozenset({Opcode.ROPE_INIT, Opcode.ROPE_ADD})


@dataclass(frozen=True, slots=True)
class Owned:
    """``cells`` are the slots of variables that live in reference cells; ``owns(name)`` says whether a name owns a
    counted value, which the code then consumes exactly once on every path."""

    cells: frozenset[int]
    owns: Callable[[int], bool]


def make_owned(function: Function, facts: Facts, symbols: Symbols, verify: bool = False) -> Owned:
    """Fold the calls of ``function`` and make its counting explicit. With ``verify``, prove it (raises
    ``own.verify.OwnershipError``)."""
    cells = reference_slots(function)
    fold_calls(function, facts, CallMap(function, symbols), cells.__contains__)
    _settle_types(function, facts, cells)

    def owns(name: int) -> bool:
        return bool(facts.types[name] & MAY_BE_COUNTED) and function.ssa_vars[name].slot not in cells

    insert_ownership(function, owns)
    if verify:
        verify_ownership(function, owns)
    return Owned(cells, owns)


def _settle_types(function: Function, facts: Facts, cells: frozenset[int]) -> None:
    """Final masks: what lives in a cell may be anything, names in SSA form are no references, a rope is a string."""
    for name, var in enumerate(function.ssa_vars):
        if var.slot in cells:
            facts.types[name] = MAY_BE_ANY | MAY_BE_UNDEF
        elif var.definition is not None and var.definition.opcode in _ROPES and var.definition.result_def == name:
            facts.types[name] = MAY_BE_STRING
        elif var.definition is None and var.definition_phi is None:
            facts.types[name] = MAY_BE_UNDEF
