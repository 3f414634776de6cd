"""The range of a name from the ranges *and types* of what defines it: the sound rules.

A range speaks of the integer values of a name only, so every rule asks what an operand contributes *as an integer*:
null and false are 0 and true is 1 where they are added, a float is any integer where it is converted and none where
the result is a float then, a string may be any. Types come from an inference without (or with earlier, wider) ranges;
whatever their precision, they are right, and so are ranges computed from them.

Comparisons bound a name only as far as they compare integers: ``$x < $n`` says something of an integer $x if $n is an
integer and nothing else. Null and bool compare as bools, strings as text, NaN to nothing; none of these is an
integer, so the bound holds for what is one. Where a side of the comparison is itself a sum that may have become a
float, the comparison rounds: fl(x) < fl(y) still implies x < y, but fl(x) <= fl(y) implies x <= y only away from the
ends of the integers.

Beyond Zend: ``!=`` at an end of the range and on counters; ``$j - $i`` behind ``$j >= $i``; ``$i * $i <= $n``;
sizes; parameters by their callers; results of internal functions; values kept through return type checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from ssa2llvm.analysis.comparisons import Trust
from ssa2llvm.analysis.lattice import declared_mask
from ssa2llvm.analysis.range_ops import SOUND_OPS, bitwise_not
from ssa2llvm.analysis.ranges import ANY_INT, FULL, INT_MAX, INT_MIN, Range, clip
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.analysis.references import REFERENCE_SENDS
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr, Phi, RangeConstraint
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import (
    IS_LONG,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_STRING_HASH,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)

MAX_LENGTH = 1 << 48
"""No string is longer than the address space."""
MAX_COUNT = 1 << 40
"""No array has more elements (PHP stops at 2**31)."""

_FAR = 1 << 62
"""Integers at least this far from the ends compare exactly with any float out of a sum that overflowed."""

_CONVERTING = frozenset({Opcode.MOD, Opcode.SL, Opcode.SR, Opcode.BW_OR, Opcode.BW_AND, Opcode.BW_XOR})
_COPIES = frozenset({Opcode.QM_ASSIGN, Opcode.COALESCE, Opcode.COPY_TMP, Opcode.COPY})
_KEEPS_OP1 = frozenset(
    {
        Opcode.SEND_VAR,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
        Opcode.SEND_UNPACK,
        Opcode.UNSET_DIM,
        Opcode.UNSET_OBJ,
    }
)
_BINDS = frozenset({Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})
_CALLS = frozenset({Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME})
_INCREMENTS = frozenset({Opcode.PRE_INC, Opcode.POST_INC})
_DECREMENTS = frozenset({Opcode.PRE_DEC, Opcode.POST_DEC})
_POST = frozenset({Opcode.POST_INC, Opcode.POST_DEC})

_ZERO, _ONE, _BIT = Range(0, 0), Range(1, 1), Range(0, 1)


def as_integer(mask: int, known: Range | None, converts: bool) -> Range | None:
    """What a value of types ``mask`` and integer range ``known`` is as an integer operand; ``converts``: floats are
    converted rather than making the result a float. None: it is never an integer operand, or not known yet."""
    parts: list[Range] = []
    if mask & MAY_BE_LONG:
        if known is None:
            return None
        parts.append(Range(known.min, known.max))
    if mask & (MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_FALSE):
        parts.append(_ZERO)
    if mask & MAY_BE_TRUE:
        parts.append(_ONE)
    if mask & (MAY_BE_STRING | MAY_BE_RESOURCE) or (converts and mask & MAY_BE_DOUBLE):
        return ANY_INT
    result: Range | None = None
    for part in parts:
        result = part if result is None else united(result, part)
    return result


class SoundRanges:
    """Computes ranges of one function's names; ``ranges`` is shared with the solver."""

    def __init__(
        self,
        view: FunctionView,
        types: Sequence[int],
        ranges: list[Range | None],
        before: Sequence[Range | None] | None = None,
    ) -> None:
        """``types`` hold whatever the ranges are. ``before`` are right ranges from an earlier round, if there was
        one: bounds that are variables are then read from these from the start, which keeps inner loops that only pass
        a variable through from losing its bound to widening."""
        self._view = view
        self._function = view.function
        self._vars = view.function.ssa_vars
        self._types = types
        self._ranges = ranges
        self._before = before

    def calc(self, name: int, narrowing: bool) -> Range | None:
        """The range of ``name`` by its definition; None if there is none to be had (yet)."""
        if self._types[name] & MAY_BE_REF:
            return self._of_reference(name, narrowing)
        var = self._vars[name]
        if var.definition_phi is not None:
            found = self._of_phi(var.definition_phi, narrowing)
            return found if found is not None and found.min <= found.max else None
        if var.definition is None:
            return None
        return self._of_definition(name, var.definition)

    def fed_by(self, name: int) -> list[int]:
        """See ``range_solver.RangeRules``."""
        return self._view.webs.fed_by(name)

    # References

    def _of_reference(self, name: int, narrowing: bool) -> Range | None:
        """The integers that a reference may lead to: those in its cell, and what its definition gives, which need
        not be in the cell yet. No comparison bounds them."""
        var = self._vars[name]
        found: Range | None = None
        if var.definition_phi is not None:
            found = self._union(var.definition_phi.sources, narrowing)
        elif var.definition is not None:
            found = self.stored(name)
        behind = self._view.range_behind(name)
        if found is None or behind is None:
            return behind if found is None else found
        return united(found, behind)

    def stored(self, name: int) -> Range | None:
        """The integers that the instruction which defines ``name``, a reference, puts behind it."""
        instr = self._vars[name].definition
        assert instr is not None
        opcode = instr.opcode
        if opcode in _BINDS:
            return None
        if opcode == Opcode.ASSIGN_REF:
            return self._copy(instr.op2, instr.op2_use)
        if opcode == Opcode.MAKE_REF:
            return self._copy(instr.op1, instr.op1_use)
        if opcode in REFERENCE_SENDS and self._view.sends_reference(instr) is not False:
            written = self._view.written_by_reference(instr, self._operand(instr.op1, instr.op1_use)[0])
            return (
                self._copy(instr.op1, instr.op1_use) if written is not None and not written & MAY_BE_LONG else ANY_INT
            )
        if opcode in (Opcode.RECV, Opcode.RECV_INIT):
            return self._received(instr)
        return self._of_definition(name, instr)

    def _received(self, instr: Instr) -> Range | None:
        """A parameter by reference: its default, or what its declared type converts the argument to."""
        infos, number = self._view.op_array.arg_info, instr.op1.num
        behind = self._view.behind_reference(instr.result_def)
        if number > len(infos) or not infos[number - 1].by_ref:
            return ANY_INT
        decl = infos[number - 1].type
        if behind is None or behind & MAY_BE_ANY & ~declared_mask(decl):
            return ANY_INT
        return self._copy(instr.op2, instr.op2_use) if instr.opcode == Opcode.RECV_INIT else None

    # Phis and pis

    def _of_phi(self, phi: Phi, narrowing: bool) -> Range | None:
        if not phi.is_pi:
            entering = self._view.webs.entering(phi.result)
            return self._union(phi.sources if entering is None else entering, narrowing)
        source = phi.sources[0]
        known = self._ranges[source]
        if known is None:
            known = FULL if narrowing else None
        if known is None or not isinstance(phi.constraint, RangeConstraint):
            return known
        if phi.constraint.negative:
            return self._excluding(phi, phi.constraint, known)
        return self._bounded(phi, phi.constraint, known, narrowing)

    def _union(self, sources: Sequence[int], narrowing: bool) -> Range | None:
        result: Range | None = None
        for source in sources:
            if not self._types[source] & MAY_BE_LONG:
                continue
            known = self._ranges[source]
            if known is None and narrowing:
                known = FULL
            if known is not None:
                result = known if result is None else united(result, known)
        return result

    def _excluding(self, phi: Phi, constraint: RangeConstraint, known: Range) -> Range:
        """``!=``: cuts an end of the range, and bounds a counter that steps towards the excluded value."""
        if constraint.min_var >= 0 or constraint.max_var >= 0 or constraint.min != constraint.max:
            return known
        point = constraint.min
        towards = self._counter(phi)
        if towards is not None:
            start, step = towards
            if step > 0 and start.max < point:
                known = Range(known.min, min(known.max, point - 1), known.underflow, False)
            elif step < 0 and start.min > point:
                known = Range(max(known.min, point + 1), known.max, False, known.overflow)
        if known.min == point and point < INT_MAX:
            known = known._replace(min=point + 1, underflow=False)
        if known.max == point and point > INT_MIN:
            known = known._replace(max=point - 1, overflow=False)
        return known

    def _counter(self, phi: Phi) -> tuple[Range, int] | None:
        """(values before the first test, step) if ``phi`` excludes a value of a counter that moves by one each time
        round. A test of the head itself sees the start value too: then the start may be one step nearer.

        Two shapes: ``while (++$i != c)``, where the pi is of the stepped value and comes back, and ``for (; $i != c;
        $i++)``, where the pi is of the phi at the loop's head and what is stepped comes back."""
        source = phi.sources[0]
        step = self._step_of(source)
        if step is not None:
            before, delta = step
            head = self._vars[self._origin(before)].definition_phi
            back = phi.result
        else:
            head, back, delta = self._vars[self._origin(source)].definition_phi, -1, 0
        if head is None or head.is_pi or len(head.sources) != 2:
            return None
        for index, first in ((0, 1), (1, 0)):
            returning = head.sources[index]
            if back >= 0:
                if self._origin_is(returning, back):
                    return self._start(head.sources[first], delta)
                continue
            stepped = self._step_of(self._origin(returning))
            if stepped is not None and self._origin_is(stepped[0], phi.result):
                found = self._start(head.sources[first], stepped[1])
                if found is not None:
                    start, delta = found
                    return Range(start.min - delta, start.max - delta), delta
        return None

    def _start(self, name: int, delta: int) -> tuple[Range, int] | None:
        known = self._ranges[name]
        only_int = self._types[name] & (MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF) == MAY_BE_LONG
        return (known, delta) if known is not None and only_int else None

    def _step_of(self, name: int) -> tuple[int, int] | None:
        """(what it was before, +1 or -1) if ``name`` is a variable after ``++`` or ``--``."""
        instr = self._vars[name].definition
        if instr is None or instr.op1_def != name or instr.op1_use < 0:
            return None
        if instr.opcode in _INCREMENTS:
            return instr.op1_use, 1
        return (instr.op1_use, -1) if instr.opcode in _DECREMENTS else None

    def _origin(self, name: int) -> int:
        """The name behind pis."""
        phi = self._vars[name].definition_phi
        while phi is not None and phi.is_pi:
            name = phi.sources[0]
            phi = self._vars[name].definition_phi
        return name

    def _origin_is(self, name: int, wanted: int) -> bool:
        """Whether ``name`` is ``wanted`` or a pi of it."""
        while name != wanted:
            phi = self._vars[name].definition_phi
            if phi is None or not phi.is_pi:
                return False
            name = phi.sources[0]
        return True

    def _bounded(self, phi: Phi, constraint: RangeConstraint, known: Range, narrowing: bool) -> Range:
        low, high, underflow, overflow = known
        least = self._bound(phi, constraint.min_var, constraint.min, narrowing, is_upper=False)
        if least is not None and not constraint.underflow:
            low, underflow = max(low, least), False
        greatest = self._bound(phi, constraint.max_var, constraint.max, narrowing, is_upper=True)
        if greatest is not None and not constraint.overflow:
            high, overflow = min(high, greatest), False
        root = self._root(phi, constraint)
        if root is not None:
            high, overflow = min(high, root), False
        return Range(low, high, underflow, overflow)

    def _root(self, phi: Phi, constraint: RangeConstraint) -> int | None:
        """The greatest integer whose square is at most the integer that it is compared with: ``$i * $i <= $n``. (A
        square that overflowed is a float of at least 2**63 + 2**27, and above every integer.)"""
        bound = constraint.max_var
        if bound < 0 or self._types[bound] != MAY_BE_LONG or not self._view.comparisons.is_root_test(phi, bound):
            return None
        known = self._before[bound] if self._before is not None else None
        high = (known.max if known is not None else INT_MAX) + constraint.max
        return isqrt(high) if high >= 0 else None

    def _bound(self, phi: Phi, name: int, offset: int, narrowing: bool, is_upper: bool) -> int | None:
        """The bound that the comparison proves for integers; None if it proves none."""
        if name < 0:
            low = high = offset
        else:
            known = self._ranges[name] if narrowing else None
            if known is None and self._before is not None:
                known = self._before[name]
            if known is None or self._types[name] != MAY_BE_LONG:
                return None
            low, high = known.min + offset, known.max + offset
        trust = self._view.comparisons.trust(phi, self._types)
        if trust is Trust.NONE or (trust is Trust.AWAY_FROM_ENDS and not (low > -_FAR and high < _FAR)):
            return None
        bound = high if is_upper else low
        return bound if INT_MIN <= bound <= INT_MAX else None

    # Instructions

    def _operand(self, operand: Operand, use: int) -> tuple[int, Range | None]:
        """(types, integer range)."""
        if operand.kind == OpKind.CONST:
            value = self._function.op_array.literals[operand.num]
            mask = self._view.literal_mask(operand.num)
            return mask, Range(value, value) if type(value) is int else None
        if use < 0:
            return MAY_BE_ANY, ANY_INT
        return self._types[use], self._ranges[use]

    def _copy(self, operand: Operand, use: int) -> Range | None:
        mask, known = self._operand(operand, use)
        return known if mask & MAY_BE_LONG else None

    def _binary(self, opcode: int, instr: Instr) -> Range | None:
        operation = SOUND_OPS.get(Opcode(opcode))
        if operation is None:
            return ANY_INT
        converts = opcode in _CONVERTING
        left = as_integer(*self._operand(instr.op1, instr.op1_use), converts)
        right = as_integer(*self._operand(instr.op2, instr.op2_use), converts)
        if left is None or right is None:
            return None
        result = operation(left, right)
        if opcode == Opcode.SUB and result is not None and instr.op1_use >= 0 and instr.op2_use >= 0:
            return self._difference(instr.op1_use, instr.op2_use, result)
        return result

    def _difference(self, left: int, right: int, known: Range) -> Range:
        """``$j - $i`` where a comparison has shown how $j and $i lie to each other."""
        if self._types[left] != MAY_BE_LONG or self._types[right] != MAY_BE_LONG:
            return known
        least = max(self._distance(left, right, upper=False), default=INT_MIN)
        least = max([least, *[-value for value in self._distance(right, left, upper=True)]])
        greatest = min(self._distance(left, right, upper=True), default=INT_MAX)
        greatest = min([greatest, *[-value for value in self._distance(right, left, upper=False)]])
        low, high = max(known.min, least), min(known.max, greatest)
        if low > high:
            return known
        # Both ends may have been cut off; a difference proved to be at least 0 cannot fall below the integers.
        return Range(low, high, known.underflow and least == INT_MIN, known.overflow and greatest == INT_MAX)

    def _distance(self, name: int, base: int, upper: bool) -> list[int]:
        """What pis of ``name`` say about ``name - base``: upper or lower bounds."""
        found: list[int] = []
        root = self._origin(base)
        phi = self._vars[name].definition_phi
        while phi is not None and phi.is_pi:
            constraint = phi.constraint
            if isinstance(constraint, RangeConstraint) and not constraint.negative:
                bound, offset = (constraint.max_var, constraint.max) if upper else (constraint.min_var, constraint.min)
                exact = bound >= 0 and self._types[bound] == MAY_BE_LONG
                if (
                    exact
                    and self._origin(bound) == root
                    and self._view.comparisons.trust(phi, self._types) is Trust.EXACT
                ):
                    found.append(offset)
            phi = self._vars[phi.sources[0]].definition_phi
        return found

    def _step(self, instr: Instr, is_result: bool) -> Range | None:
        mask, known = self._operand(instr.op1, instr.op1_use)
        if is_result and instr.opcode in _POST:
            return known if mask & MAY_BE_LONG else None
        delta = 1 if instr.opcode in _INCREMENTS else -1
        parts: list[Range] = []
        if mask & MAY_BE_LONG:
            if known is None:
                return None
            parts.append(clip(known.min + delta, known.max + delta))
        if mask & (MAY_BE_UNDEF | MAY_BE_NULL) and delta == 1:
            parts.append(_ONE)
        if mask & MAY_BE_STRING:
            parts.append(ANY_INT)
        result: Range | None = None
        for part in parts:
            result = part if result is None else united(result, part)
        return result

    def _of_definition(self, name: int, instr: Instr) -> Range | None:
        opcode = instr.opcode
        if opcode in SOUND_OPS or opcode == Opcode.POW:
            return self._binary(opcode, instr)
        if opcode == Opcode.ASSIGN_OP:
            return self._binary(instr.extended_value, instr)
        if opcode == Opcode.ASSIGN:
            return self._copy(instr.op2, instr.op2_use)
        if opcode in _COPIES or opcode in _KEEPS_OP1:
            return self._copy(instr.op1, instr.op1_use)
        if opcode in _INCREMENTS or opcode in _DECREMENTS:
            return self._step(instr, is_result=name == instr.result_def)
        if opcode == Opcode.BW_NOT:
            operand = as_integer(*self._operand(instr.op1, instr.op1_use), True)
            return bitwise_not(operand) if operand is not None else None
        if opcode == Opcode.JMP_SET:
            return _without_zero(self._copy(instr.op1, instr.op1_use))
        if opcode == Opcode.CAST:
            return self._cast(instr) if instr.extended_value == IS_LONG else ANY_INT
        if opcode in (Opcode.RECV, Opcode.RECV_INIT):
            return self._view.argument_range(instr)
        if opcode == Opcode.VERIFY_RETURN_TYPE:
            return self._returned_value(instr)
        if opcode in _CALLS:
            return self._view.returned_range(instr, self._argument) if name == instr.result_def else ANY_INT
        return self._of_size(name, instr)

    def _argument(self, send: Instr) -> tuple[int, Range | None]:
        """(types, integer range) of what a SEND passes. The result of a call does not depend on its SENDs by any
        chain, so that only an earlier round is sure to have the range."""
        if send.op1.kind != OpKind.CONST and send.op1_use >= 0:
            return self._types[send.op1_use], self._before[send.op1_use] if self._before is not None else None
        return self._operand(send.op1, send.op1_use)

    def _cast(self, instr: Instr) -> Range | None:
        mask, known = self._operand(instr.op1, instr.op1_use)
        result = as_integer(mask, known, True)
        if mask & (MAY_BE_ARRAY | MAY_BE_OBJECT):
            return _BIT if result is None else united(result, _BIT)
        return result

    def _returned_value(self, instr: Instr) -> Range | None:
        mask, known = self._operand(instr.op1, instr.op1_use)
        if self._view.return_converts(mask):
            return ANY_INT
        return known if mask & MAY_BE_LONG else None

    def _of_size(self, name: int, instr: Instr) -> Range:
        """Opcodes that count, and keys of lists."""
        opcode = instr.opcode
        if opcode == Opcode.STRLEN:
            return Range(0, MAX_LENGTH)
        if opcode == Opcode.FUNC_NUM_ARGS:
            return Range(0, MAX_COUNT)
        if opcode == Opcode.SPACESHIP:
            return Range(-1, 1)
        mask = self._operand(instr.op1, instr.op1_use)[0]
        if opcode == Opcode.COUNT and mask & MAY_BE_ANY == MAY_BE_ARRAY:
            return Range(0, MAX_COUNT)
        if opcode == Opcode.FE_FETCH_R and name == instr.result_def and not mask & MAY_BE_OBJECT:
            if not mask & (MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH):
                return Range(0, MAX_COUNT)
        return ANY_INT


def _without_zero(known: Range | None) -> Range | None:
    """The truthy integers of a range."""
    if known is not None and known.min == 0 and known.max > 0:
        return known._replace(min=1)
    if known is not None and known.max == 0 and known.min < 0:
        return known._replace(max=-1)
    return known
