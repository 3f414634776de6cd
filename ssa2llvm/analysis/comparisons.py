"""What the comparison behind a pi proves: of integers, a bound; of null and bools, that they did not pass.

A pi stands on one edge out of a conditional branch (``ssa.pi``). The test is the instruction before the branch. It
may since have been edited, or its operands may be sums that became floats; so each question looks at the instructions
as they are, and answers with nothing if they are not what it expects.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from enum import Enum, auto

from ssa2llvm.ir.function import Function, Instr, Phi
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_FALSE,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_REF,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)


class Trust(Enum):
    """How far the comparison behind a pi bounds integers.

    With floats among the operands a comparison rounds: fl(x) < fl(y) still implies x < y, but fl(x) <= fl(y) implies
    x <= y only AWAY_FROM_ENDS of the integers. NONE: it was no comparison of integers at all (``$x++ < 5`` of a
    null)."""

    NONE = auto()
    AWAY_FROM_ENDS = auto()
    EXACT = auto()


_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})
_POST_STEPS = frozenset({Opcode.POST_INC, Opcode.POST_DEC})


class Comparisons:
    """The tests behind the pis of one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._excluded: dict[Phi, int] = {}

    def _test_of(self, phi: Phi) -> tuple[Instr, bool] | None:
        """(the test that the branch behind ``phi`` reads, whether the pi's edge is taken where it is true)."""
        block = self._function.blocks[phi.pi]
        if len(block.instrs) < 2 or phi.block not in block.succs:
            return None
        branch, test = block.instrs[-1], block.instrs[-2]
        if branch.opcode not in (Opcode.JMPZ, Opcode.JMPNZ) or test.result_def != branch.op1_use:
            return None
        return test, (block.succs.index(phi.block) == 0) == (branch.opcode == Opcode.JMPNZ)

    def trust(self, phi: Phi, types: Sequence[int]) -> Trust:
        """How far the comparison that ``phi`` stands for bounds integers."""
        found = self._test_of(phi)
        if found is None:
            return Trust.NONE
        test, is_true_edge = found
        if test.opcode in _STEPS:
            return Trust.EXACT
        sums = [use for use, operand in ((test.op1_use, test.op1), (test.op2_use, test.op2)) if operand.is_temp]
        for use in sums:
            origin = self._function.ssa_vars[use].definition if use >= 0 else None
            not_numbers = types[use] & (MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF) & ~MAY_BE_NUMBER
            if origin is None or (origin.opcode in _POST_STEPS and not_numbers):
                return Trust.NONE
        strict = test.opcode == (Opcode.IS_SMALLER if is_true_edge else Opcode.IS_SMALLER_OR_EQUAL)
        return Trust.EXACT if strict or not sums else Trust.AWAY_FROM_ENDS

    def is_root_test(self, phi: Phi, bound: int) -> bool:
        """Whether ``phi`` is there because its variable's square was found not greater than ``bound`` (``ssa.pi``:
        place_square)."""
        block = self._function.blocks[phi.pi]
        if len(block.instrs) < 2:
            return False
        test = block.instrs[-2]
        if test.opcode not in (Opcode.IS_SMALLER, Opcode.IS_SMALLER_OR_EQUAL):
            return False
        for square, other in ((test.op1_use, test.op2_use), (test.op2_use, test.op1_use)):
            origin = self._function.ssa_vars[square].definition if square >= 0 and other == bound else None
            if origin is not None and origin.opcode == Opcode.MUL:
                return origin.op1_use == origin.op2_use == phi.sources[0]
        return False

    def excluded_types(self, phi: Phi) -> int:
        """Types that a value cannot have on the edge of ``phi`` because of how null and bools compare with an integer
        constant: both as bools. (``$x >= 3`` is false for null, ``$x == 0`` for true.)"""
        excluded = self._excluded.get(phi)
        if excluded is None:
            excluded = self._excluded[phi] = self._find_excluded(phi)
        return excluded

    def _find_excluded(self, phi: Phi) -> int:
        found = self._test_of(phi)
        holds = _BOOL_COMPARISONS.get(Opcode(found[0].opcode)) if found is not None else None
        if found is None or holds is None:
            return 0
        test, is_true_edge = found
        is_left = test.op1_use == phi.sources[0] and test.op2.kind == OpKind.CONST
        if not is_left and not (test.op2_use == phi.sources[0] and test.op1.kind == OpKind.CONST):
            return 0
        value = self._function.op_array.literals[test.op2.num if is_left else test.op1.num]
        if type(value) is not int:
            return 0
        excluded = 0
        for bits, truth in ((MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_FALSE, False), (MAY_BE_TRUE, True)):
            outcome = holds(truth, bool(value)) if is_left else holds(bool(value), truth)
            if outcome != is_true_edge:
                excluded |= bits
        return excluded


_BOOL_COMPARISONS: dict[Opcode, Callable[[bool, bool], bool]] = {
    Opcode.IS_EQUAL: operator.eq,
    Opcode.IS_NOT_EQUAL: operator.ne,
    Opcode.IS_SMALLER: operator.lt,
    Opcode.IS_SMALLER_OR_EQUAL: operator.le,
}
