"""What a function returns: the union over its RETURN instructions
(Zend/Optimizer/zend_inference.c:zend_func_return_info).

A generator returns a Generator. Returning the result of a recursive call adds nothing (it is what the function
returns anyway). The union is met with the declared type.
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import ClassFact, Facts, ReturnFact
from ssa2llvm.analysis.lattice import ANY_REF, null_for_undef
from ssa2llvm.analysis.ranges import FULL, Range, open_ends
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.analysis.reference_counts import returned as returned_counts
from ssa2llvm.analysis.type_steps import nested_in
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import FnFlags
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_OBJECT, MAY_BE_REF, MAY_BE_UNDEF


def _returns(view: FunctionView) -> list[Instr]:
    found = []
    for block in view.function.blocks:
        if block.reachable and block.instrs and block.instrs[-1].opcode in (Opcode.RETURN, Opcode.RETURN_BY_REF):
            found.append(block.instrs[-1])
    return found


def _is_recursive_tail_call(view: FunctionView, instr: Instr) -> bool:
    call = view.function.ssa_vars[instr.op1_use].definition if instr.op1_use >= 0 else None
    if call is None or call.opcode != Opcode.DO_UCALL:
        return False
    info = view.call_of(call)
    return info is not None and info.callee is view.op_array


def return_fact(view: FunctionView, facts: Facts) -> ReturnFact:
    """The facts of what ``view``'s function returns."""
    op_array = view.op_array
    if FnFlags.GENERATOR in op_array.flags:
        return ReturnFact(MAY_BE_OBJECT | view.counts, ClassFact("Generator"))
    declared = view.context.signature_returned(op_array)
    has_type = FnFlags.HAS_RETURN_TYPE in op_array.flags
    mask, nested, known = 0, 0, _RangeUnion(view.sound)
    classes: list[ClassFact | None] = []
    for instr in _returns(view):
        if _is_recursive_tail_call(view, instr):
            continue
        value = _value_mask(view, facts, instr)
        mask |= value
        nested |= nested_in(view, facts, instr.op1, instr.op1_use)
        is_plain = instr.op1_use >= 0 and not value & MAY_BE_REF
        classes.append(facts.classes[instr.op1_use] if is_plain else None)
        known.add(view, facts, instr, value)
    cls = declared.cls if has_type else _common_class(classes)
    if has_type and not classes and not view.sound:
        known.claim_zero()
    possible = declared.types if has_type else ANY_REF | view.counts
    return ReturnFact(mask & possible, cls, known.result, nested, known.seen)


def _value_mask(view: FunctionView, facts: Facts, instr: Instr) -> int:
    if instr.op1.kind == OpKind.CONST:
        value = view.literal_mask(instr.op1.num)
    else:
        value = facts.types[instr.op1_use] if instr.op1_use >= 0 else ANY_REF | MAY_BE_UNDEF | view.counts
    value = null_for_undef(value)
    if view.counts:
        value = returned_counts(value, instr.opcode == Opcode.RETURN_BY_REF)
    return value & ~MAY_BE_REF if instr.opcode == Opcode.RETURN else value | MAY_BE_REF


def _common_class(classes: list[ClassFact | None]) -> ClassFact | None:
    """The class of all returned objects, if it is one (no common ancestor is looked for)."""
    result: ClassFact | None = classes[0] if classes else None
    for cls in classes[1:]:
        if cls is None or result is None or cls.name != result.name:
            return None
        if cls.is_instanceof != result.is_instanceof:
            result = ClassFact(cls.name, is_instanceof=True)
    return result


class _RangeUnion:
    """The range of returned values. Zend has none as soon as a constant that is no integer is returned, until a value
    without range is; the sound union speaks of integers only."""

    def __init__(self, sound: bool) -> None:
        self._sound = sound
        self._possible = True
        self._range: Range | None = None

    @property
    def result(self) -> Range | None:
        """The union, None if there is none."""
        return self._range if self._possible else None

    @property
    def seen(self) -> Range | None:
        """The union of what counted before there was none."""
        return self._range

    def add(self, view: FunctionView, facts: Facts, instr: Instr, value: int) -> None:
        """Take in what ``instr`` returns, a value of types ``value``."""
        if instr.op1.kind == OpKind.CONST:
            literal = view.op_array.literals[instr.op1.num]
            if type(literal) is int:
                self._join(Range(literal, literal))
            elif not self._sound:
                self._possible = False
        elif instr.op1_use < 0:
            self._possible = False
        elif not self._sound or value & MAY_BE_LONG:
            known = facts.ranges[instr.op1_use]
            if known is None and not self._sound:
                self._possible, self._range = True, FULL
            else:
                self._join(known if known is not None else FULL)

    def claim_zero(self) -> None:
        """Zend's flag for "no range seen yet" reads as "has a range" where a declared function returns nothing."""
        self._range = Range(0, 0)

    def _join(self, known: Range) -> None:
        if self._possible:
            self._range = known if self._range is None else open_ends(united(self._range, known))
