"""One function on its last steps before lowering: calls folded, counting explicit, out of SSA form.

In: SSA form with facts, after the passes. Out: a `FunctionUnit`, all that `FunctionLowering` reads. The SSA function
is changed and used up.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.analysis.calls import Symbols
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import literal_type
from ssa2llvm.destruct.destruct import Destructed, destruct
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.llvm.array_literals import Place, array_literals
from ssa2llvm.llvm.borrow import borrowed_names
from ssa2llvm.llvm.representation import Rep, representation
from ssa2llvm.llvm.reuse import take_over_strings
from ssa2llvm.own.operands import reads
from ssa2llvm.own.stage import make_owned

__all__ = ["FunctionUnit", "prepare"]

_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC})


@dataclass(slots=True, eq=False)
class FunctionUnit:
    """A function in destructed form. Lists are indexed by SSA name: ``slot_of`` the variable, ``types`` the type
    mask, ``location_of`` the location (-1: none). ``location_reps`` lists the locations, ``cells`` the variables that
    live in memory, ``arrivals`` the names that are undefined from the start. ``receives`` are the RECV instructions
    by parameter; ``borrowed`` names are dropped by nobody (``borrow``), and the concatenations ``taking`` consume their
    left side (``reuse``); ``literal_places`` say of elements of literals where they go
    (``array_literals``)."""

    op_array: OpArray
    blocks: list[Block]
    slot_of: list[int]
    types: list[int]
    location_of: list[int]
    location_reps: list[Rep]
    cells: list[int]
    arrivals: list[int]
    receives: list[Instr]
    borrowed: frozenset[int]
    taking: frozenset[Instr]
    literal_places: dict[Instr, Place]
    facts: Facts
    destructed: Destructed

    def bounds(self, name: int) -> tuple[int | None, int | None]:
        """The range of a name's integer values; None where nothing is known."""
        known = self.facts.ranges[name] if name < len(self.facts.ranges) else None
        if known is None or known.flagged:
            return None, None
        return known.min, known.max


def prepare(function: Function, facts: Facts, symbols: Symbols, verify: bool = False) -> FunctionUnit:
    """Take a function through `opt.calls`, `own` and `destruct`. With ``verify`` ownership is proved."""
    cells = make_owned(function, facts, symbols, verify, join_data=True).cells
    types = facts.types

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

    def element_type(instr: Instr) -> int:
        return literal_type(function.op_array.literal(instr.op1)) if instr.op1.is_const else types[instr.op1_use]

    def key_of(instr: Instr) -> bytes | None:
        key = function.op_array.literal(instr.op2) if instr.op2.is_const else None
        return key if isinstance(key, bytes) else None

    receives = [instr for instr in out.instructions() if instr.opcode in _RECEIVES]

    def in_cell(name: int) -> bool:
        return slot_of[name] in cells

    borrowed = borrowed_names(out.blocks, in_cell)
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
        borrowed,
        take_over_strings(out.blocks, types, borrowed, in_cell),
        array_literals(out.blocks, element_type, key_of),
        facts,
        destructed,
    )
