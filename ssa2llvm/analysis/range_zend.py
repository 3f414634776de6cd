"""The range of a name from the ranges of what defines it, as Zend computes it.

Zend/Optimizer/zend_inference.c:zend_inference_calc_range and zend_inference_propagate_range, constraint by
constraint: symbolic bounds of pis count only while narrowing; a negative pi keeps its source's range, but for
counters that step towards the excluded value. Types do not matter here: Zend infers ranges first, which is the root
of most of its wrong ranges (docs/zend-bugs.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ssa2llvm.analysis.range_ops import ZEND_OPS, bitwise_not, decrement, increment
from ssa2llvm.analysis.ranges import ANY_INT, FULL, INT_MAX, INT_MIN, Range
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.ir.function import Function, Instr, Phi, RangeConstraint
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import IS_LONG, MAY_BE_LONG, MAY_BE_NULL

_COPIES = frozenset({Opcode.QM_ASSIGN, Opcode.JMP_SET, Opcode.COALESCE, Opcode.COPY_TMP})
_CALLS = frozenset({Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME})


class ZendRanges:
    """Computes ranges of one function's names; ``ranges`` is shared with the solver."""

    def __init__(
        self,
        function: Function,
        ranges: list[Range | None],
        returned: Callable[[Instr], Range | None],
    ) -> None:
        """``returned`` gives the range of what a call returns, if its callee was analysed before."""
        self._function = function
        self._ranges = ranges
        self._returned = returned

    def calc(self, name: int, narrowing: bool) -> Range | None:
        """The range of ``name`` by its definition; None if there is none to be had (yet)."""
        var = self._function.ssa_vars[name]
        if var.definition_phi is not None:
            found = self._of_phi(var.definition_phi, narrowing)
            return found if found is not None and found.min <= found.max else None
        return self._of_definition(name, var.definition) if var.definition is not None else None

    def fed_by(self, name: int) -> list[int]:
        """See ``range_solver.RangeRules``: nothing beyond uses."""
        return []

    def _of_phi(self, phi: Phi, narrowing: bool) -> Range | None:
        if phi.is_pi and isinstance(phi.constraint, RangeConstraint):
            if phi.constraint.negative:
                return self._excluding(phi, phi.constraint, narrowing)
            source = self._ranges[phi.sources[0]]
            if source is not None:
                return self._intersection(source, phi.constraint, narrowing)
            return self._constraint_alone(phi.constraint) if narrowing else None
        return self._union(phi.sources, narrowing)

    def _union(self, sources: Sequence[int], narrowing: bool) -> Range | None:
        result: Range | None = None
        for source in sources:
            known = self._ranges[source]
            if known is None and narrowing:
                known = FULL
            if known is not None:
                result = known if result is None else united(result, known)
        return result

    def _excluding(self, phi: Phi, constraint: RangeConstraint, narrowing: bool) -> Range | None:
        source = phi.sources[0]
        known = self._ranges[source]
        if known is None:
            return FULL if narrowing else None
        var = self._function.ssa_vars[source]
        is_point = constraint.min == constraint.max and not constraint.underflow and not constraint.overflow
        if not is_point or constraint.min_var >= 0 or constraint.max_var >= 0 or var.definition is None:
            return known
        start = self._counter_start(phi, var.definition)
        if start is None:
            return known
        if var.definition.opcode in (Opcode.PRE_DEC, Opcode.POST_DEC):
            if not known.underflow and start.min > constraint.max:
                return known._replace(min=constraint.max + 1)
        elif not known.overflow and start.max < constraint.min:
            return known._replace(max=constraint.min - 1)
        return known

    def _counter_start(self, phi: Phi, step: Instr) -> Range | None:
        """The first value of a counter that ``step`` moves and that comes back through ``phi``; None if it is no such
        counter."""
        if step.opcode not in (Opcode.PRE_DEC, Opcode.POST_DEC, Opcode.PRE_INC, Opcode.POST_INC) or step.op1_use < 0:
            return None
        head = self._function.ssa_vars[step.op1_use].definition_phi
        if head is None or head.is_pi or len(head.sources) != 2 or head.sources[1] != phi.result:
            return None
        return self._ranges[head.sources[0]]

    def _intersection(self, known: Range, constraint: RangeConstraint, narrowing: bool) -> Range:
        low, high, underflow, overflow = known
        if constraint.min_var < 0:
            underflow = constraint.underflow and underflow
            low = max(constraint.min, low)
        elif narrowing:
            bound = self._ranges[constraint.min_var]
            if bound is not None:
                underflow = bound.underflow and underflow
                if INT_MIN <= bound.min + constraint.min <= INT_MAX:
                    low = max(bound.min + constraint.min, low)
        if constraint.max_var < 0:
            high = min(constraint.max, high)
            overflow = constraint.overflow and overflow
        elif narrowing:
            bound = self._ranges[constraint.max_var]
            if bound is not None:
                if INT_MIN <= bound.max + constraint.max <= INT_MAX:
                    high = min(bound.max + constraint.max, high)
                overflow = bound.overflow and overflow
        return Range(low, high, underflow, overflow)

    def _constraint_alone(self, constraint: RangeConstraint) -> Range:
        low, underflow = INT_MIN, True
        if constraint.min_var < 0:
            low, underflow = constraint.min, constraint.underflow
        else:
            bound = self._ranges[constraint.min_var]
            if bound is not None and INT_MIN <= bound.min + constraint.min <= INT_MAX:
                low, underflow = bound.min + constraint.min, bound.underflow
        high, overflow = INT_MAX, True
        if constraint.max_var < 0:
            high, overflow = constraint.max, constraint.overflow
        else:
            bound = self._ranges[constraint.max_var]
            if bound is not None and INT_MIN <= bound.max + constraint.max <= INT_MAX:
                high, overflow = bound.max + constraint.max, bound.overflow
        return Range(low, high, underflow, overflow)

    def _operand(self, operand: Operand, use: int) -> Range | None:
        if operand.kind == OpKind.CONST:
            value = self._function.op_array.literals[operand.num]
            return Range(value, value) if type(value) is int else None
        return self._ranges[use] if use >= 0 else None

    def _binary(self, opcode: int, instr: Instr) -> Range | None:
        operation = ZEND_OPS.get(Opcode(opcode))
        left = self._operand(instr.op1, instr.op1_use)
        right = self._operand(instr.op2, instr.op2_use)
        if operation is None or left is None or right is None:
            return None
        return operation(left, right)

    def _of_definition(self, name: int, instr: Instr) -> Range | None:
        opcode = instr.opcode
        defines_result, defines_op1 = name == instr.result_def, name == instr.op1_def
        if opcode in ZEND_OPS:
            return self._binary(opcode, instr) if defines_result else None
        if opcode == Opcode.ASSIGN_OP:
            skipped = instr.extended_value in (Opcode.CONCAT, Opcode.POW)
            return None if skipped else self._binary(instr.extended_value, instr)
        if opcode == Opcode.ASSIGN:
            return self._operand(instr.op2, instr.op2_use)
        operand = self._operand(instr.op1, instr.op1_use)
        if opcode in _COPIES or opcode in (Opcode.UNSET_DIM, Opcode.UNSET_OBJ):
            return operand
        if opcode in (Opcode.PRE_INC, Opcode.POST_INC, Opcode.PRE_DEC, Opcode.POST_DEC):
            if operand is None or (defines_result and opcode in (Opcode.POST_INC, Opcode.POST_DEC)):
                return operand
            return increment(operand) if opcode in (Opcode.PRE_INC, Opcode.POST_INC) else decrement(operand)
        if opcode == Opcode.OP_DATA or (opcode in (Opcode.SEND_VAR, Opcode.CAST) and defines_op1):
            return operand
        if opcode == Opcode.BW_NOT:
            if operand is None:
                return None
            return ANY_INT if operand.flagged else bitwise_not(operand)
        if opcode == Opcode.CAST:
            if instr.extended_value != IS_LONG:
                return None
            return Range(operand.min, operand.max) if operand is not None else ANY_INT
        if opcode in (Opcode.RECV, Opcode.RECV_INIT):
            return self._parameter(instr.op1.num)
        if opcode in (Opcode.STRLEN, Opcode.FUNC_NUM_ARGS):
            return Range(0, INT_MAX)
        if opcode == Opcode.COUNT:
            return ANY_INT
        return self._returned(instr) if opcode in _CALLS and defines_result else None

    def _parameter(self, number: int) -> Range | None:
        op_array = self._function.op_array
        if number > op_array.num_args:
            return None
        mask = op_array.arg_info[number - 1].type.mask
        return ANY_INT if mask & ~MAY_BE_NULL == MAY_BE_LONG else None
