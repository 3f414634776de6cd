"""Why a variable has its type or range: the chain of steps that led there.

    #7.$s [long, double]            line 3: ASSIGN_OP of #5.$s and #6.$i; the sum may leave the 64 bits
      #5.$s [long, double]          phi of #3.$s, #7.$s (above)
        #3.$s [long] RANGE[0..0]    line 2: ASSIGN of int(0)
      #6.$i [long] RANGE[0..9]      pi of #4.$i: on this edge it is [-- .. 9]
        …

Facts are a fixpoint, so any name's fact follows from those of the names its definition reads, whatever order
inference took; ``explain`` walks definitions backwards, each name once, in the order of the operands. O(names shown).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.reference_cells import Cell
from ssa2llvm.ir.function import Function, Instr, Phi, RangeConstraint, TypeConstraint
from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_NUMBER, MAY_BE_REF, type_text

_SUMS = frozenset({Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.ASSIGN_OP})
_OVERWRITES = frozenset({Opcode.ASSIGN, Opcode.UNSET_CV, Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})
"""op1 is only written: its old value says nothing, but that it may be a reference."""

_SITES = 8
"""So many lines of stores are shown, and so many functions."""

_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})


@dataclass(frozen=True, slots=True)
class Step:
    """One step: ``name`` has the fact ``fact`` because of ``reason``; ``depth`` is how far back from the question."""

    name: int
    depth: int
    text: str
    fact: str
    reason: str

    def __str__(self) -> str:
        return f"{'  ' * self.depth}{self.text} {self.fact}    {self.reason}"


def names_at(function: Function, variable: str, line: int) -> list[int]:
    """SSA names of ``$variable`` that instructions of ``line`` define or read, definitions first. Empty if there is
    no such variable there."""
    cvs = function.op_array.cvs
    wanted = variable.removeprefix("$")
    if wanted not in cvs:
        return []
    slot = cvs.index(wanted)
    defined: list[int] = []
    read: list[int] = []
    for instr in function.instructions():
        if instr.line == line:
            defined += [name for name in instr.defs() if function.ssa_vars[name].slot == slot]
            read += [name for name in instr.uses() if function.ssa_vars[name].slot == slot]
    return list(dict.fromkeys(defined + read))


def explain(function: Function, facts: Facts, name: int, max_depth: int = 8) -> list[Step]:
    """The steps behind the fact of ``name``, nearest first."""
    steps: list[Step] = []
    seen: set[int] = set()
    pending = [(name, 0)]
    while pending:
        current, depth = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        steps.append(
            Step(current, depth, function.name_text(current), facts.text(current), _reason(function, facts, current))
        )
        if depth < max_depth:
            sources = [source for source in _sources(function, current) if source not in seen]
            pending.extend((source, depth + 1) for source in reversed(sources))
    return steps


def _sources(function: Function, name: int) -> Iterator[int]:
    """The names that the fact of ``name`` follows from directly."""
    var = function.ssa_vars[name]
    if var.definition_phi is not None:
        phi = var.definition_phi
        yield from dict.fromkeys(phi.sources)
        if isinstance(phi.constraint, RangeConstraint):
            yield from (bound for bound in (phi.constraint.min_var, phi.constraint.max_var) if bound >= 0)
    elif var.definition is not None:
        instr = var.definition
        read = [instr.op2_use] if instr.opcode in _OVERWRITES else instr.uses()
        yield from (name for name in read if name >= 0)


def _reason(function: Function, facts: Facts, name: int) -> str:
    var = function.ssa_vars[name]
    if var.definition_phi is not None:
        return _phi_reason(function, var.definition_phi)
    if var.definition is None:
        return "not assigned yet"
    instr = var.definition
    first = "" if instr.opcode in _OVERWRITES else _operand_text(function, instr.op1, instr.op1_use)
    operands = [first, _operand_text(function, instr.op2, instr.op2_use)]
    shown = [text for text in operands if text]
    what = f"line {instr.line}: {instr.opcode.name}" + (f" of {' and '.join(shown)}" if shown else "")
    return what + _remark(function, facts, instr, name)


def _remark(function: Function, facts: Facts, instr: Instr, name: int) -> str:
    mask, slot = facts.types[name], function.ssa_vars[name].slot
    if mask & MAY_BE_REF:
        return _behind(facts.cells.get(slot))
    if instr.opcode in _SUMS | _STEPS and mask & MAY_BE_LONG and mask & MAY_BE_NUMBER != MAY_BE_LONG:
        if facts.may_overflow(instr):
            return "; the result may leave the 64 bits, and is a float then"
        return "; an operand may be a float"
    return ""


def _behind(cell: Cell | None) -> str:
    """Why a reference leads to what it leads to."""
    if cell is None:
        return "; it may be a reference, which others write through"
    lines: dict[str, list[int]] = {}
    for site in cell.sites:
        if site.types and site.line not in lines.setdefault(site.function, []):
            lines[site.function].append(site.line)
    shown = [
        f"{name} line {', '.join(map(str, sorted(numbers)[:_SITES]))}" for name, numbers in lines.items() if numbers
    ]
    if cell.initial[0]:
        shown.insert(0, f"{type_text(cell.initial[0])} at the start")
    more = len(shown) - _SITES
    listed = "; ".join(shown[:_SITES]) + (f"; {more} more" if more > 0 else "")
    return f"; a reference, behind which is the union of these stores: {listed or 'none'}"


def _phi_reason(function: Function, phi: Phi) -> str:
    sources = ", ".join(function.name_text(source) for source in dict.fromkeys(phi.sources))
    if not phi.is_pi:
        return f"phi of {sources}"
    constraint = phi.constraint
    if isinstance(constraint, TypeConstraint):
        return f"pi of {sources}: on this edge it is {constraint}"
    if isinstance(constraint, RangeConstraint):
        return f"pi of {sources}: on this edge it is {_range_text(function, constraint)}"
    return f"pi of {sources}"


def _range_text(function: Function, constraint: RangeConstraint) -> str:
    low = "--" if constraint.underflow else _bound_text(function, constraint.min_var, constraint.min)
    high = "++" if constraint.overflow else _bound_text(function, constraint.max_var, constraint.max)
    return f"{'not ' if constraint.negative else ''}[{low} .. {high}]"


def _bound_text(function: Function, name: int, offset: int) -> str:
    if name < 0:
        return str(offset)
    return function.name_text(name) + (f" {'+' if offset > 0 else '-'} {abs(offset)}" if offset else "")


def _operand_text(function: Function, operand: Operand, use: int) -> str:
    if use >= 0:
        return function.name_text(use)
    if not operand.is_const:
        return ""
    value = function.op_array.literals[operand.num]
    return "array(…)" if isinstance(value, ArrayConst) else repr(value)
