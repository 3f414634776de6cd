"""Integer literals that may as well be floats: ``$sum = 0; ... $sum = $sum + $x`` with a float $x
(Zend/Optimizer/zend_inference.c:zend_type_narrowing, level bit 0x20000).

A phi of the integer 0 and of a float is ``int|float``, and so is what is added to it. If a literal reaches nothing but
``+ - * /`` whose results are numbers, it may start as a float: where the result is a float anyway, the literal is
converted there at the latest; where the other operand is a constant, the operation is tried on both, and must give the
same number; where it is not known, the operation must do no more than convert it (``0 + $i``), and what follows must
be a float anyway.

In: types at their fixpoint. Out: the names that hold such literals; the types of all that they reach (which become
smaller) have lost their type bits and are to be inferred again. Config.ZEND only: the sound configuration keeps them
integers.

O(uses) for each literal. Zend recurses; here the search keeps its own stack, in the same order, because the value that
a name has when it is first reached decides.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TypeAlias

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_DOUBLE, MAY_BE_LONG, MAY_BE_NUMBER, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.ssa.no_val import is_overwritten
from ssa2llvm.values.arith import add, divide, multiply, subtract
from ssa2llvm.values.host import Host

Number: TypeAlias = int | float
Step: TypeAlias = tuple[int, Number | None]
"""A name, and the number in it; None: any integer, which the operation before has turned into a float."""

_OPERATIONS = {Opcode.ADD: add, Opcode.SUB: subtract, Opcode.MUL: multiply, Opcode.DIV: divide}
_NEUTRAL_RIGHT = {Opcode.ADD: 0, Opcode.SUB: 0, Opcode.MUL: 1, Opcode.DIV: 1}
_NEUTRAL_LEFT = {Opcode.ADD: 0, Opcode.SUB: 0, Opcode.MUL: 1}  # 0 - $i is 0.0 - (float) $i, bit for bit


class NotConvertible(Exception):
    """The literal must stay an integer."""


def find_double_literals(view: FunctionView, facts: Facts) -> tuple[set[int], set[int]]:
    """The names of literals that become floats, and all names whose types are to be inferred again. The types of the
    latter have lost all type bits."""
    search = _Search(view, facts)
    types, ssa_vars = facts.types, view.function.ssa_vars
    literals: set[int] = set()
    changed: set[int] = set()
    for name in range(len(view.op_array.cvs), len(ssa_vars)):
        instr = ssa_vars[name].definition
        if types[name] & (MAY_BE_REF | MAY_BE_ANY | MAY_BE_UNDEF) != MAY_BE_LONG or instr is None:
            continue
        is_literal = instr.op1.kind == OpKind.CV and instr.op2.kind == OpKind.CONST
        if ssa_vars[name].no_val or instr.opcode != Opcode.ASSIGN or not is_literal or instr.result.is_var:
            continue
        value = view.op_array.literals[instr.op2.num]
        assert isinstance(value, int)
        reached = search.reached_from(name, value)
        if reached is not None:
            literals.add(name)
            changed |= reached
            for other in reached:
                types[other] &= ~MAY_BE_ANY
    return literals, changed


class _Search:
    def __init__(self, view: FunctionView, facts: Facts) -> None:
        self._view = view
        self._facts = facts
        self._vars = view.function.ssa_vars

    def reached_from(self, name: int, value: int) -> set[int] | None:
        """The names that ``value`` in ``name`` reaches, None if it must stay an integer."""
        visited = {name}
        stack = [self._steps(name, value)]
        while stack:
            try:
                step = next(stack[-1], None)
            except NotConvertible:
                return None
            if step is None:
                stack.pop()
            elif step[0] not in visited:
                visited.add(step[0])
                stack.append(self._steps(*step))
        return visited

    def _steps(self, name: int, value: Number | None) -> Iterator[Step]:
        """Where the number goes next. Raises NotConvertible."""
        var = self._vars[name]
        for use in var.uses:
            if is_overwritten(use, name):
                continue
            if use.opcode not in _OPERATIONS:
                raise NotConvertible
            result = self._facts.types[use.result_def] & MAY_BE_ANY
            if result == MAY_BE_DOUBLE:
                continue
            if value is None or result & ~MAY_BE_NUMBER:
                raise NotConvertible
            yield use.result_def, self._result(use, name, value)
        for phi in var.phi_uses:
            if self._facts.types[phi.result] & MAY_BE_ANY & ~MAY_BE_NUMBER:
                raise NotConvertible
            yield phi.result, value

    def _result(self, instr: Instr, name: int, value: Number) -> Number | None:
        """What ``instr`` makes of ``value`` in ``name``, the same for the float. Raises NotConvertible."""
        opcode = Opcode(instr.opcode)
        left = value if instr.op1_use == name else self._constant(instr.op1)
        right = value if instr.op2_use == name else self._constant(instr.op2)
        if left is None or right is None:
            known, neutral = (right, _NEUTRAL_RIGHT) if left is None else (left, _NEUTRAL_LEFT)
            assert known is not None
            if opcode == Opcode.MUL and _as_stored(known) == 0:
                return 0
            if opcode in neutral and _as_stored(known) == neutral[opcode]:
                return None
            raise NotConvertible
        if opcode == Opcode.DIV and float(right) == 0.0:
            raise NotConvertible
        double = float(_as_stored(value))
        exact = _OPERATIONS[opcode](left, right, Host())
        rounded = _OPERATIONS[opcode](
            double if instr.op1_use == name else left, double if instr.op2_use == name else right, Host()
        )
        assert isinstance(exact, int | float)
        if float(exact) != rounded:
            raise NotConvertible
        return exact

    def _constant(self, operand: Operand) -> Number | None:
        if operand.kind != OpKind.CONST:
            return None
        value = self._view.op_array.literals[operand.num]
        return value if type(value) in (int, float) and isinstance(value, int | float) else None


def _as_stored(value: Number) -> int:
    """The 64 bits of a number as an integer: Zend takes what came out of an operation for an integer, even if it
    is none."""
    if isinstance(value, int):
        return value
    bits: int = struct.unpack("<q", struct.pack("<d", value))[0]
    return bits
