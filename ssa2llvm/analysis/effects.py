"""What executing an instruction can do besides defining its names, given the types of its operands.

The opcode table gives an upper bound; types refine it. ``effects_of`` is the whole question, in the table's terms; an
instruction without effects may be removed when nobody reads what it defines, and moved or folded at will.

Follows Zend/Optimizer/zend_inference.c:zend_may_throw_ex and dce.c:may_have_side_effects, with two differences: a
warning is an effect of its own (Zend asks only whether an error handler could throw), and PHP 8.2's deprecations
count (``$a = false; $a[] = 1``, which Zend forgets; a float with a fraction used as an integer).

Operands of unknown type have every effect of their opcode. Constant time an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Protocol

from ssa2llvm.analysis.lattice import UNKNOWN, declared_mask, literal_type
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.literals import ConstAst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_EXPLICIT, BIND_IMPLICIT, Operand
from ssa2llvm.ir.optable import QUIET_ON_UNDEF_OP1, QUIET_ON_UNDEF_OP2, Effects, Writes, op_info
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)

SIMPLE = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG
"""Types that every operator reads as an integer without a word."""

NUMERIC = SIMPLE | MAY_BE_DOUBLE
PRINTABLE = NUMERIC | MAY_BE_STRING
DESTRUCTIBLE = MAY_BE_OBJECT | MAY_BE_RESOURCE | (MAY_BE_OBJECT | MAY_BE_RESOURCE | MAY_BE_ARRAY) << ARRAY_SHIFT
"""Values whose last owner may set off a destructor."""

_REPORT = Effects.WARNS | Effects.THROWS


class NameFacts(Protocol):
    """What is asked of inference."""

    @property
    def types(self) -> list[int]:
        """Type mask of each name."""

    @property
    def ranges(self) -> list[Range | None]:
        """Range of each name."""


class Operands:
    """The operand types of one instruction. An operand without a name (under a configuration that gives it none) may
    be anything."""

    __slots__ = ("_facts", "_object_free", "function", "has_room", "instr")

    def __init__(
        self, function: Function, instr: Instr, facts: NameFacts, has_room: bool, object_free: Sequence[bool]
    ) -> None:
        self.function = function
        self._facts = facts
        self._object_free = object_free
        self.instr = instr
        self.has_room = has_room
        """Whether an element added without key surely finds a free index."""

    def _mask(self, operand: Operand, use: int) -> int:
        if operand.is_const:
            return literal_type(self.function.op_array.literal(operand))
        if not operand.is_var:
            return 0
        return self._facts.types[use] if use >= 0 else UNKNOWN

    @property
    def op1(self) -> int:
        """Type mask of op1; 0 if there is none."""
        return self._mask(self.instr.op1, self.instr.op1_use)

    @property
    def op2(self) -> int:
        """Type mask of op2."""
        return self._mask(self.instr.op2, self.instr.op2_use)

    @property
    def result(self) -> int:
        """Type mask of what an accumulating result slot holds before (ADD_ARRAY_ELEMENT)."""
        return self._mask(self.instr.result, self.instr.result_use)

    def may_destroy(self, operand: Operand, use: int) -> bool:
        """Whether the end of the value in an operand may run a destructor."""
        is_free = 0 <= use < len(self._object_free) and self._object_free[use]
        return bool(self._mask(operand, use) & DESTRUCTIBLE) and not is_free

    def _int_range(self, operand: Operand, use: int) -> tuple[int, int] | None:
        if operand.is_const:
            value = self.function.op_array.literal(operand)
            return (value, value) if isinstance(value, int) else None
        known = self._facts.ranges[use] if use >= 0 else None
        return None if known is None or known.flagged else (known.min, known.max)

    def op2_within(self, low: int | None, excluding_zero: bool) -> bool:
        """Whether op2 is an int or bool of at least ``low``, and not 0 if so asked."""
        if self.op2 & ~(MAY_BE_LONG | MAY_BE_BOOL):
            return False
        if self.op2 & MAY_BE_FALSE and excluding_zero:
            return False
        if not self.op2 & MAY_BE_LONG:
            return True
        bounds = self._int_range(self.instr.op2, self.instr.op2_use)
        if bounds is None:
            return False
        if excluding_zero and bounds[0] <= 0 <= bounds[1]:
            return False
        return low is None or bounds[0] >= low


def effects_of(
    function: Function,
    instr: Instr,
    facts: NameFacts,
    has_room: Container[Instr] = frozenset(),
    object_free: Sequence[bool] = (),
) -> Effects:
    """What ``instr`` may do besides defining its names, freeing what it consumes included. ``has_room`` are elements
    added without key that are known to find a free index; ``object_free`` tells of which names it is known that they
    hold no object, however deep (``analysis.object_free``)."""
    operands = Operands(function, instr, facts, instr in has_room, object_free)
    bound = op_info(instr.opcode).effects
    refine = _REFINED.get(instr.opcode)
    effects = bound if refine is None else refine(operands)
    if instr.op1.is_temp and Writes.OP1_CV in op_info(instr.opcode).writes:
        effects |= bound  # a VAR that stands for an element or property: what is written is not one of our names
    if instr.op1.is_cv and operands.op1 & MAY_BE_UNDEF and instr.opcode not in QUIET_ON_UNDEF_OP1:
        effects |= _REPORT
    if instr.op2.is_cv and operands.op2 & MAY_BE_UNDEF and instr.opcode not in QUIET_ON_UNDEF_OP2:
        effects |= _REPORT
    if _may_destroy(operands):
        effects |= Effects.OUTPUT | _REPORT
    return effects


def _may_destroy(operands: Operands) -> bool:
    """Whether a temporary consumed here, or a variable overwritten, may be the last owner of an object."""
    instr = operands.instr
    consumes_op1 = instr.op1.is_temp or instr.op1_def >= 0
    if consumes_op1 and operands.may_destroy(instr.op1, instr.op1_use):
        return True
    return instr.op2.is_temp and operands.may_destroy(instr.op2, instr.op2_use)


def _report_unless(allowed: bool) -> Effects:
    return Effects.NONE if allowed else _REPORT


def _within(mask: int, allowed: int) -> bool:
    return not mask & (MAY_BE_ANY | MAY_BE_REF) & ~allowed


def _pure(operands: Operands) -> Effects:
    return Effects.NONE


def _arithmetic(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, NUMERIC) and _within(operands.op2, NUMERIC))


def _add(operands: Operands) -> Effects:
    both_arrays = operands.op1 & MAY_BE_ANY == MAY_BE_ARRAY == operands.op2 & MAY_BE_ANY
    return Effects.NONE if both_arrays else _arithmetic(operands)


def _divide(operands: Operands) -> Effects:
    not_zero = operands.op2_within(None, excluding_zero=True)
    return _report_unless(not_zero and _within(operands.op1, NUMERIC))


def _modulo(operands: Operands) -> Effects:
    not_zero = operands.op2_within(None, excluding_zero=True)
    return _report_unless(not_zero and _within(operands.op1, SIMPLE))


def _shift(operands: Operands) -> Effects:
    return _report_unless(operands.op2_within(0, excluding_zero=False) and _within(operands.op1, SIMPLE))


def _bitwise(operands: Operands) -> Effects:
    strings = operands.op1 & MAY_BE_ANY == MAY_BE_STRING == operands.op2 & MAY_BE_ANY
    return _report_unless(strings or (_within(operands.op1, SIMPLE) and _within(operands.op2, SIMPLE)))


def _bitwise_not(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, MAY_BE_LONG | MAY_BE_STRING))


def _concat(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, PRINTABLE) and _within(operands.op2, PRINTABLE))


def _rope(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op2, PRINTABLE))


def _truth(operands: Operands) -> Effects:
    return _report_unless(not operands.op1 & MAY_BE_OBJECT)


def _truth_of_both(operands: Operands) -> Effects:
    return _report_unless(not (operands.op1 | operands.op2) & MAY_BE_OBJECT)


def _compare(operands: Operands) -> Effects:
    deep = MAY_BE_OBJECT | (MAY_BE_ARRAY | MAY_BE_OBJECT) << ARRAY_SHIFT
    return _report_unless(not (operands.op1 | operands.op2) & deep)


def _step(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, PRINTABLE)) | _through_reference(operands)


def _cast(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, PRINTABLE))


def _assign(operands: Operands) -> Effects:
    return _through_reference(operands)


def _through_reference(operands: Operands) -> Effects:
    """Writing to a variable that may be a reference is seen elsewhere, and a typed reference may refuse."""
    return Effects.WRITES_MEMORY | _REPORT if operands.op1 & MAY_BE_REF else Effects.NONE


def _assign_op(operands: Operands) -> Effects:
    return _OPERATORS[Opcode(operands.instr.extended_value)](operands) | _through_reference(operands)


def _key(mask: int) -> bool:
    """Whether an array offset of these types is used without a word (floats with a fraction are reported)."""
    return _within(mask, SIMPLE | MAY_BE_STRING) and not mask & MAY_BE_UNDEF


def _init_array(operands: Operands) -> Effects:
    by_reference = operands.instr.op1_def >= 0
    has_key = operands.instr.op2.is_const or operands.instr.op2.is_var
    effects = _report_unless(not has_key or _key(operands.op2))
    return effects | (Effects.WRITES_MEMORY if by_reference else Effects.NONE)


def _add_element(operands: Operands) -> Effects:
    has_key = operands.instr.op2.is_const or operands.instr.op2.is_var
    # Without a key the next index may be taken (after PHP_INT_MAX).
    return _init_array(operands) | _report_unless(has_key or operands.has_room)


def _assign_dim(operands: Operands) -> Effects:
    container = operands.op1
    has_key = operands.instr.op2.is_const or operands.instr.op2.is_var
    plain = _within(container, MAY_BE_NULL | MAY_BE_ARRAY) and not container & MAY_BE_ARRAY_OF_REF
    free_place = _key(operands.op2) if has_key else operands.has_room
    return _report_unless(plain and free_place) | _through_reference(operands)


def _bind_static(operands: Operands) -> Effects:
    """``static $x = 1``: harmless unless the value must be computed. Zend keeps what a closure uses, for
    reflection."""
    instr, op_array = operands.instr, operands.function.op_array
    name = op_array.cvs[instr.op1.num]
    plain = any(static.name == name and not isinstance(static.value, ConstAst) for static in op_array.static_vars)
    closure = instr.extended_value & (BIND_IMPLICIT | BIND_EXPLICIT)
    return Effects.NONE if plain and not closure else op_info(instr.opcode).effects


def _strlen(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, MAY_BE_STRING))


def _count(operands: Operands) -> Effects:
    return _report_unless(_within(operands.op1, MAY_BE_ARRAY))


def _isset_dim(operands: Operands) -> Effects:
    return _report_unless(not operands.op1 & MAY_BE_OBJECT and _key(operands.op2))


def _key_exists(operands: Operands) -> Effects:
    known = _within(operands.op1, MAY_BE_NULL | MAY_BE_LONG | MAY_BE_STRING) and not operands.op1 & MAY_BE_UNDEF
    return _report_unless(known and _within(operands.op2, MAY_BE_ARRAY))


def _unset(operands: Operands) -> Effects:
    # Unsetting a reference breaks the bond, which a later assignment depends on.
    return Effects.WRITES_MEMORY if operands.op1 & MAY_BE_REF else Effects.NONE


def _verify_return(operands: Operands) -> Effects:
    declared = declared_mask(operands.function.op_array.return_type)
    given = operands.op1 & (MAY_BE_ANY | MAY_BE_REF | MAY_BE_UNDEF)
    return _report_unless(bool(given) and not given & (~declared | MAY_BE_OBJECT))


Refiner = Callable[[Operands], Effects]

_OPERATORS: dict[Opcode, Refiner] = {
    Opcode.ADD: _add,
    Opcode.SUB: _arithmetic,
    Opcode.MUL: _arithmetic,
    Opcode.POW: lambda operands: _report_unless(_within(operands.op1, NUMERIC) and _within(operands.op2, NUMERIC)),
    Opcode.DIV: _divide,
    Opcode.MOD: _modulo,
    Opcode.SL: _shift,
    Opcode.SR: _shift,
    Opcode.BW_OR: _bitwise,
    Opcode.BW_AND: _bitwise,
    Opcode.BW_XOR: _bitwise,
    Opcode.CONCAT: _concat,
}

_REFINED: dict[Opcode, Refiner] = {
    **_OPERATORS,
    Opcode.FAST_CONCAT: _concat,
    Opcode.BW_NOT: _bitwise_not,
    Opcode.BOOL: _truth,
    Opcode.BOOL_NOT: _truth,
    Opcode.BOOL_XOR: _truth_of_both,
    Opcode.JMPZ: _truth,
    Opcode.JMPNZ: _truth,
    Opcode.JMPZ_EX: _truth,
    Opcode.JMPNZ_EX: _truth,
    Opcode.JMP_SET: _truth,
    Opcode.IS_EQUAL: _compare,
    Opcode.IS_NOT_EQUAL: _compare,
    Opcode.IS_SMALLER: _compare,
    Opcode.IS_SMALLER_OR_EQUAL: _compare,
    Opcode.SPACESHIP: _compare,
    Opcode.CASE: _compare,
    Opcode.ROPE_INIT: _rope,
    Opcode.ROPE_ADD: _rope,
    Opcode.ROPE_END: _rope,
    Opcode.CAST: _cast,
    Opcode.PRE_INC: _step,
    Opcode.PRE_DEC: _step,
    Opcode.POST_INC: _step,
    Opcode.POST_DEC: _step,
    Opcode.ASSIGN: _assign,
    Opcode.ASSIGN_OP: _assign_op,
    Opcode.ASSIGN_DIM: _assign_dim,
    Opcode.INIT_ARRAY: _init_array,
    Opcode.ADD_ARRAY_ELEMENT: _add_element,
    Opcode.BIND_STATIC: _bind_static,
    Opcode.STRLEN: _strlen,
    Opcode.COUNT: _count,
    Opcode.ISSET_ISEMPTY_DIM_OBJ: _isset_dim,
    Opcode.FETCH_DIM_IS: _isset_dim,
    Opcode.ARRAY_KEY_EXISTS: _key_exists,
    Opcode.UNSET_CV: _unset,
    Opcode.VERIFY_RETURN_TYPE: _verify_return,
    Opcode.FREE: _pure,
    Opcode.FE_FREE: _pure,
}
