"""Apply the folding rules of ``opt.rules``.

A pattern is matched against an instruction and, where it is deeper, against the definitions of its operands. What it
stands for is written over the instruction itself: a copy of a name or literal, or another operator; what the pattern
read on the way is left to DCE. Types and ranges are those of inference; the name keeps its facts, as both sides of a
rule have the same value.

One visit an instruction, O(rules of its opcode) each.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.literals import Literal, same_literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, const
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.opt.rules import (
    RULES,
    Apply,
    Condition,
    Log2,
    Number,
    Parameter,
    PowerOfTwo,
    Rule,
    Term,
    Variable,
    Within,
)
from ssa2llvm.ssa.edit import replace_operand
from ssa2llvm.values.host import Host
from ssa2llvm.values.operators import BINARY
from ssa2llvm.values.types import is_int

_VALUE_BITS = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF


@dataclass(slots=True)
class _Match:
    """What the variables and parameters of a rule stand for."""

    names: dict[Variable, tuple[Operand, int]] = field(default_factory=dict)
    literals: dict[Parameter, Literal] = field(default_factory=dict)


def rules_by_opcode(rules: tuple[Rule, ...]) -> dict[Opcode, list[Rule]]:
    """The rules by the opcode at the root of their pattern, in order."""
    table: dict[Opcode, list[Rule]] = {}
    for rule in rules:
        table.setdefault(rule.pattern.opcode, []).append(rule)
    return table


_STANDARD = rules_by_opcode(RULES)


class _Folder:
    def __init__(
        self, function: Function, facts: Facts, cells: Container[int], rules: Mapping[Opcode, list[Rule]]
    ) -> None:
        self.function = function
        self.facts = facts
        self.cells = cells
        self.rules = rules

    def run(self) -> int:
        changes = 0
        for block in self.function.blocks:
            if block.reachable:
                for instr in block.instrs:
                    changes += self._fold(instr)
        return changes

    def _fold(self, instr: Instr) -> int:
        if instr.result_def < 0 or instr.op1_def >= 0 or instr.result_use >= 0:
            return 0
        for rule in self.rules.get(instr.opcode, ()):
            match = _Match()
            if self._matches(rule.pattern, instr, match) and self._holds(rule, match):
                self._write(instr, rule.result, match)
                return 1
        return 0

    def _matches(self, pattern: Apply, instr: Instr, match: _Match) -> bool:
        if instr.opcode != pattern.opcode or instr.extended_value != pattern.extended_value:
            return False
        operands = ((instr.op1, instr.op1_use), (instr.op2, instr.op2_use))
        return all(
            self._matches_operand(term, operand, name, match)
            for term, (operand, name) in zip(pattern.operands, operands, strict=False)
        )

    def _matches_operand(self, term: Term, operand: Operand, name: int, match: _Match) -> bool:
        if isinstance(term, Variable):
            if name < 0 or operand.num in self.cells:
                return False
            known = match.names.setdefault(term, (operand, name))
            return known[1] == name
        if isinstance(term, Apply):
            definition = self.function.ssa_vars[name].definition if name >= 0 else None
            return definition is not None and definition.result_def == name and self._matches(term, definition, match)
        if not operand.is_const:
            return False
        literal = self.function.op_array.literal(operand)
        if isinstance(term, Number):
            return same_literal(literal, term.value)
        assert isinstance(term, Parameter)
        match.literals[term] = literal
        return True

    def _holds(self, rule: Rule, match: _Match) -> bool:
        for variable, allowed in rule.types:
            mask = self.facts.types[match.names[variable][1]] & _VALUE_BITS
            if not mask or mask & ~allowed:
                return False
        return all(self._condition_holds(condition, match) for condition in rule.where)

    def _condition_holds(self, condition: Condition, match: _Match) -> bool:
        if isinstance(condition, PowerOfTwo):
            value = match.literals[condition.subject]
            return is_int(value) and value > 0 and value & (value - 1) == 0
        low, high = self._bounds(condition, match)
        return (condition.low is None or (low is not None and low >= condition.low)) and (
            condition.high is None or (high is not None and high <= condition.high)
        )

    def _bounds(self, condition: Within, match: _Match) -> tuple[int | None, int | None]:
        if isinstance(condition.subject, Parameter):
            value = match.literals[condition.subject]
            return (value, value) if is_int(value) else (None, None)
        known = self.facts.long_range(match.names[condition.subject][1])
        return (None, None) if known is None or known.flagged else (known.min, known.max)

    def _write(self, instr: Instr, result: Term, match: _Match) -> None:
        if isinstance(result, Apply):
            operands = [self._operand(term, match) for term in result.operands]
            instr.opcode, instr.extended_value = result.opcode, result.extended_value
        else:
            operands = [self._operand(result, match)]
            instr.opcode, instr.extended_value = Opcode.QM_ASSIGN, 0
        while len(operands) < 2:
            operands.append((UNUSED, -1))
        for which, (operand, name) in zip(("op1", "op2"), operands, strict=True):
            replace_operand(self.function, instr, which, operand, name)

    def _operand(self, term: Term, match: _Match) -> tuple[Operand, int]:
        if isinstance(term, Variable):
            return match.names[term]
        literals = self.function.op_array.literals
        literals.append(compute(term, match.literals))
        return const(len(literals) - 1), -1


def compute(term: Term, literals: Mapping[Parameter, Literal]) -> Literal:
    """The value of a term without variables."""
    if isinstance(term, Number):
        return term.value
    if isinstance(term, Parameter):
        return literals[term]
    if isinstance(term, Log2):
        value = literals[term.subject]
        assert is_int(value)
        return value.bit_length() - 1
    assert isinstance(term, Apply)
    left, right = (compute(operand, literals) for operand in term.operands)
    assert is_int(left)
    assert is_int(right)
    result = BINARY[term.opcode](left, right, Host())
    assert is_int(result)
    return result


def fold(
    function: Function, facts: Facts, cells: Container[int], rules: Mapping[Opcode, list[Rule]] = _STANDARD
) -> int:
    """Apply ``rules`` to every instruction of ``function``; return how many were rewritten. ``cells`` are the slots of
    variables that live in memory: a rule may read its operands later than the pattern did."""
    return _Folder(function, facts, cells, rules).run()
