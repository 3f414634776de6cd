"""A third SSA builder, for tests: Braun, Buchwald, Hack, Leissa, Mallon, Zwinkau, "Simple and efficient construction of
static single assignment form" (CC 2013), with removal of redundant sets of phis (its Algorithm 5), which makes it
minimal for irreducible graphs too. It shares nothing with the others: no dominators, no liveness, no access tables.

It only says which phis there are; it knows the opcodes that ``tests.ssa.op_arrays`` emits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode

_WRITES_OP1 = {Opcode.ASSIGN, Opcode.ASSIGN_OP, Opcode.PRE_INC}


@dataclass(eq=False)
class Value:
    """An ordinary definition, or the variable's undefined value at entry."""


@dataclass(eq=False)
class PhiValue(Value):
    slot: int
    block: int
    operands: list[Value] = field(default_factory=list)


def needed_phis(function: Function) -> list[list[int]]:
    """The slots with a phi in each block, ascending."""
    builder = _Builder(function)
    return builder.run()


class _Builder:
    def __init__(self, function: Function) -> None:
        self.function = function
        self.current: dict[tuple[int, int], Value] = {}
        self.incomplete: list[PhiValue] = []
        self.phis: list[PhiValue] = []
        self.replaced: dict[Value, Value] = {}
        self.reads: list[Value] = []

    def run(self) -> list[list[int]]:
        for block in self.function.blocks:
            if block.reachable:
                for instr in block.instrs:
                    self.instruction(block.id, instr)
        # No block was sealed so far; completing a phi may ask for more of them.
        for phi in self.incomplete:
            phi.operands = [self.read(phi.slot, pred) for pred in self.function.blocks[phi.block].preds]
        self.remove_redundant(set(self.phis))
        wanted = [value for value in map(self.resolve, self.reads) if isinstance(value, PhiValue)]
        alive: set[PhiValue] = set()
        while wanted:
            phi = wanted.pop()
            if phi not in alive:
                alive.add(phi)
                wanted += [v for v in map(self.resolve, phi.operands) if isinstance(v, PhiValue)]
        return [sorted(phi.slot for phi in alive if phi.block == block.id) for block in self.function.blocks]

    def instruction(self, block: int, instr: Instr) -> None:
        for operand in (instr.op1, instr.op2):
            if operand.is_var:
                self.reads.append(self.read(operand.num, block))
        if instr.opcode in _WRITES_OP1:
            self.current[instr.op1.num, block] = Value()
        if instr.result.is_var:
            self.current[instr.result.num, block] = Value()

    def read(self, slot: int, block: int) -> Value:
        if (slot, block) not in self.current:
            value: Value = Value()
            if block != 0:
                value = PhiValue(slot, block)
                self.phis.append(value)
                self.incomplete.append(value)
            self.current[slot, block] = value
        return self.current[slot, block]

    def resolve(self, value: Value) -> Value:
        while value in self.replaced:
            value = self.replaced[value]
        return value

    def remove_redundant(self, phis: set[PhiValue]) -> None:
        """Algorithm 5: in topological order of the phis' components, replace each component that knows only one value
        besides its own phis; look inside the others, without the phis that see further values."""
        for component in self.components(phis):
            inner, outer = set(), set()
            for phi in component:
                operands = {self.resolve(operand) for operand in phi.operands}
                outside = {operand for operand in operands if operand not in component}
                outer |= outside
                if not outside:
                    inner.add(phi)
            if len(outer) == 1:
                (value,) = outer
                for phi in component:
                    self.replaced[phi] = value
            elif len(component) > 1:
                self.remove_redundant(inner)

    def components(self, phis: set[PhiValue]) -> list[set[PhiValue]]:
        """Strongly connected components of the phis, operands first; by reachability, as graphs are tiny."""

        def reach(start: PhiValue) -> set[PhiValue]:
            seen: set[PhiValue] = set()
            work = [start]
            while work:
                for operand in work.pop().operands:
                    value = self.resolve(operand)
                    if isinstance(value, PhiValue) and value in phis and value not in seen:
                        seen.add(value)
                        work.append(value)
            return seen

        reached = {phi: reach(phi) for phi in phis}
        ordered: list[set[PhiValue]] = []
        done: set[PhiValue] = set()
        # What a phi depends on reaches less; or as much, if it is a cycle and the phi is not in one.
        for phi in sorted(phis, key=lambda p: (len(reached[p]), p not in reached[p], p.block, p.slot)):
            if phi not in done:
                component = {phi} | {other for other in reached[phi] if phi in reached[other]}
                done |= component
                ordered.append(component)
        return ordered
