"""What each opcode does to reference counts (``reference_counts``), one rule an opcode family.

No other bit depends on ``ONE`` and ``MANY`` (but for two oddities of Zend, below), so they have a table of their own.
A rule gets what the transfer function of the opcode got (``transfer``), the operands' bits besides, and the masks that
came out, and gives these masks with bits. An opcode without a rule gives what it makes both bits if it may be counted
at all. Zend/Optimizer/zend_inference.c has all this inside _zend_update_type_info. Constant time a rule.

Zend's oddities: the null of an uninitialised property is forgotten where the object may die with the fetch
(FETCH_OBJ_IS); a value with bits that the declared return type lacks counts as one that is converted
(VERIFY_RETURN_TYPE).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from ssa2llvm.analysis.lattice import EMPTY_TO_ARRAY, declared_mask, element_type
from ssa2llvm.analysis.reference_counts import BOTH, COUNTED, MANY, ONE, may_be_shared
from ssa2llvm.analysis.transfer import table
from ssa2llvm.analysis.transfer.arithmetic import binary_type
from ssa2llvm.analysis.transfer.core import Defs, Operands
from ssa2llvm.analysis.transfer.objects import named_property, named_static_property, property_type
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    IS_ARRAY,
    IS_OBJECT,
    IS_STRING,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_INDIRECT,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)

_TEMPORARY = frozenset({OpKind.TMP, OpKind.VAR})
_ARRAY_OR_OBJECT = MAY_BE_ARRAY | MAY_BE_OBJECT


class Masks(NamedTuple):
    """The operands' masks with their bits."""

    op1: int
    op2: int
    data: int
    result_in: int


Rule: TypeAlias = Callable[[Operands, Masks, Defs, FunctionView], Defs]
_RULES: dict[int, Rule] = {}


def rule(*opcodes: Opcode) -> Callable[[Rule], Rule]:
    """Enter a function into the table for these opcodes."""

    def enter(function: Rule) -> Rule:
        for opcode in opcodes:
            _RULES[opcode] = function
        return function

    return enter


def counted_defs(operands: Operands, view: FunctionView) -> Defs:
    """What the instruction in ``operands``, whose masks have bits, defines."""
    masks = Masks(operands.op1, operands.op2, operands.data, operands.result_in)
    plain = replace(
        operands,
        op1=operands.op1 & ~BOTH,
        op2=operands.op2 & ~BOTH,
        data=operands.data & ~BOTH,
        result_in=operands.result_in & ~BOTH,
        op1_out=operands.op1_out & ~BOTH,
    )
    defs = table.defs_of(plain)
    return _RULES.get(operands.instr.opcode, _anything)(plain, masks, defs, view)


def _shared(mask: int) -> int:
    """The bits of a variable that something else got the value of too."""
    return mask & BOTH | (MANY if mask & ONE else 0)


def _copied(mask: int) -> int:
    """The bits of a value that was taken from a variable."""
    return MANY if mask & BOTH else 0


def _marked(mask: int | None, bits: int) -> int | None:
    return mask if mask is None else mask & ~BOTH | bits


def _any(mask: int | None) -> int | None:
    return mask if mask is None else may_be_shared(mask)


def _is_used_next(instr: Instr, view: FunctionView) -> bool:
    users = view.users_of_result(instr)
    return bool(users) and users[0].number == instr.number + 1


def _kept_until_used(bits: int, instr: Instr, view: FunctionView) -> int:
    """A value that is shared now may have lost its other owners when it is used, unless that is at once."""
    return bits | ONE if bits == MANY and not _is_used_next(instr, view) else bits


def _dies_before_use(instr: Instr, view: FunctionView) -> bool:
    """Whether the result may have lost its other owners when it is used (zend_inference.c:result_may_be_separated)."""
    name = instr.result_def
    if name < 0 or view.function.ssa_vars[name].phi_uses:
        return True
    users = view.users_of_result(instr)
    at_once = len(users) == 1 and users[0].number == instr.number + 1
    return not (at_once and name in (users[0].op1_use, users[0].op2_use))


def _anything(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    """Whatever the instruction makes may have any number of owners."""
    return defs._replace(result=_any(defs.result), op1=_any(defs.op1), op2=_any(defs.op2), data=_any(defs.data))


# Operators


def _computed(mask: int) -> int:
    """The bits of an operator's result: new arrays and objects have one owner, strings may be operands."""
    return (ONE if mask & _ARRAY_OR_OBJECT else 0) | (BOTH if mask & MAY_BE_STRING else 0)


@rule(
    Opcode.ADD,
    Opcode.SUB,
    Opcode.MUL,
    Opcode.DIV,
    Opcode.POW,
    Opcode.MOD,
    Opcode.BW_OR,
    Opcode.BW_AND,
    Opcode.BW_XOR,
    Opcode.BW_NOT,
    Opcode.SL,
    Opcode.SR,
)
def _operator(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, _computed(defs.result or 0)))


@rule(Opcode.PRE_INC, Opcode.PRE_DEC)
def _pre_step(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    bits = ONE if masks.op1 & BOTH else 0
    if bits and operands.instr.result_def >= 0:
        bits = BOTH
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, bits))


@rule(Opcode.POST_INC, Opcode.POST_DEC)
def _post_step(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    counted = masks.op1 & BOTH
    return defs._replace(
        result=_marked(defs.result, BOTH if counted else 0), op1=_marked(defs.op1, ONE if counted else 0)
    )


@rule(Opcode.ASSIGN_OP)
def _assign_op(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    bits = BOTH if (defs.op1 or 0) & COUNTED else 0
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, bits))


@rule(Opcode.ASSIGN_DIM_OP)
def _assign_dim_op(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    old = element_type(operands.op1, write=True, insert=False)
    value = binary_type(operands.instr.extended_value, old, operands.data, False, operands)
    return defs._replace(
        result=_marked(defs.result, BOTH if value & COUNTED else 0),
        op1=_marked(defs.op1, _container(operands.op1, defs.op1 or 0)),
    )


@rule(Opcode.ASSIGN_OBJ_OP, Opcode.ASSIGN_STATIC_PROP_OP)
def _assign_property_op(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    is_static = operands.instr.opcode == Opcode.ASSIGN_STATIC_PROP_OP
    declaration = named_static_property(operands) if is_static else named_property(operands)
    old, _ = property_type(declaration, operands)
    value = binary_type(operands.instr.extended_value, old, operands.data, False, operands)
    bits = BOTH if value & COUNTED else 0
    if declaration is not None and not old & COUNTED:
        bits = 0
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, BOTH))


# Copies


@rule(Opcode.QM_ASSIGN, Opcode.JMP_SET, Opcode.COALESCE, Opcode.COPY_TMP)
def _copy(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    instr, source = operands.instr, masks.op1
    kept = instr.opcode == Opcode.COPY_TMP or instr.op1.kind == OpKind.CV
    bits = source & BOTH | (MANY if kept and source & BOTH else 0)
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, _sent(source)))


def _sent(mask: int) -> int:
    """The bits of a variable whose value was copied out of it."""
    return mask & BOTH | (MANY if mask & (ONE | MAY_BE_REF) else 0)


@rule(Opcode.SEND_VAR)
def _send_var(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(op1=_marked(defs.op1, _sent(masks.op1)))


@rule(Opcode.SEND_UNPACK)
def _send_unpack(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    bits = BOTH if masks.op1 & _ARRAY_OR_OBJECT else masks.op1 & BOTH
    return defs._replace(op1=_marked(defs.op1, bits))


@rule(Opcode.CAST)
def _cast(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    source, number = masks.op1, operands.instr.extended_value
    to_container = number in (IS_ARRAY, IS_OBJECT)
    stays = to_container and source & _ARRAY_OR_OBJECT
    op1 = source & BOTH | (MANY if stays or (number == IS_STRING and source & MAY_BE_STRING) else 0)
    bits = 0
    if 1 << number & COUNTED:
        if source & MAY_BE_ANY == 1 << number:
            bits = source & ONE | MANY
        elif stays or (number == IS_STRING and source & (MAY_BE_STRING | MAY_BE_OBJECT)):
            bits = BOTH
        else:
            bits = ONE
            if number == IS_ARRAY and source & (MAY_BE_UNDEF | MAY_BE_NULL):  # PHP has but one empty array
                bits = BOTH
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, op1))


@rule(Opcode.ASSIGN)
def _assign(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    instr, value = operands.instr, masks.op2
    if value & MAY_BE_REF:
        bits = BOTH
    elif instr.op2.kind in _TEMPORARY:
        bits = value & BOTH
    else:
        bits = _copied(value)
    is_used = instr.result.kind != OpKind.UNUSED
    if is_used and bits & ONE:
        bits = BOTH
    result = BOTH if (defs.op1 or 0) & MAY_BE_REF else _kept_until_used(bits, instr, view)
    return defs._replace(
        result=_marked(defs.result, result), op1=_marked(defs.op1, bits), op2=_marked(defs.op2, _shared(value))
    )


@rule(Opcode.BIND_LEXICAL)
def _bind_lexical(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(op2=_marked(defs.op2, _copied(masks.op2)))


@rule(Opcode.UNSET_DIM, Opcode.UNSET_OBJ)
def _unset_element(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(op1=_marked(defs.op1, masks.op1 & BOTH))


@rule(Opcode.VERIFY_RETURN_TYPE)
def _verify_return_type(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    value, instr = masks.op1, operands.instr
    if value & MAY_BE_REF:
        mask = value
    else:
        mask = may_be_shared(declared_mask(view.op_array.return_type)) | value & MAY_BE_INDIRECT
        if mask & MAY_BE_NULL and instr.op1.kind == OpKind.CV:
            mask |= MAY_BE_UNDEF
        if not value & ~mask:
            mask &= value
    return defs._replace(op1=mask) if defs.op1 is not None else defs._replace(result=mask)


# Arrays


def _container(before: int, after: int) -> int:
    """The bits of a variable with types ``after`` an element of it was written."""
    bits = 0
    if before & EMPTY_TO_ARRAY or after & (MAY_BE_ARRAY | MAY_BE_STRING):
        bits = ONE
    return BOTH if after & (MAY_BE_OBJECT | MAY_BE_RESOURCE) else bits


@rule(Opcode.ASSIGN_DIM)
def _assign_dim(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(
        result=_marked(defs.result, BOTH),
        op1=_marked(defs.op1, _container(operands.op1, defs.op1 or 0)),
        data=_marked(defs.data, _shared(masks.data)),
    )


@rule(Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT)
def _array_element(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    before = masks.result_in & BOTH if operands.instr.opcode == Opcode.ADD_ARRAY_ELEMENT else 0
    return defs._replace(result=_marked(defs.result, ONE | before), op1=_marked(defs.op1, _shared(masks.op1)))


@rule(Opcode.ADD_ARRAY_UNPACK)
def _array_unpack(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, masks.result_in & BOTH))


@rule(Opcode.FE_RESET_R, Opcode.FE_RESET_RW)
def _fe_reset(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, BOTH), op1=_marked(defs.op1, _shared(masks.op1)))


@rule(Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW)
def _fe_fetch(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    subject, value = operands.op1, defs.op2 or 0
    bits = MANY if subject & MAY_BE_OBJECT else 0
    if subject & MAY_BE_ARRAY and (subject & MAY_BE_ARRAY_OF_REF or value & COUNTED):
        bits = BOTH
    key = masks.result_in & BOTH if operands.instr.result_use >= 0 else 0
    if subject & MAY_BE_OBJECT:
        key |= BOTH
    if subject & MAY_BE_ARRAY and subject & MAY_BE_ARRAY_KEY_STRING:
        key |= MANY
    return defs._replace(result=_marked(defs.result, key), op2=_marked(defs.op2, bits))


_READS = frozenset({Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R})


def _element(operands: Operands, masks: Masks) -> int:
    """The bits of a fetched element (zend_inference.c:zend_array_element_type)."""
    instr, container = operands.instr, operands.op1
    if instr.opcode == Opcode.FETCH_LIST_R:
        container &= ~MAY_BE_STRING
    bits = BOTH if container & MAY_BE_OBJECT else 0
    if container & MAY_BE_ARRAY and instr.op2.kind != OpKind.UNUSED:
        inside = (container & MAY_BE_ARRAY_OF_ANY) >> ARRAY_SHIFT
        if container & MAY_BE_OBJECT or inside & COUNTED:
            if instr.opcode not in _READS:
                bits |= BOTH
            else:
                bits |= MANY
                if instr.op1.kind in _TEMPORARY:  # the array may die with the fetch
                    bits |= masks.op1 & ONE
    return bits | ONE if container & MAY_BE_STRING else bits


@rule(
    Opcode.FETCH_DIM_R,
    Opcode.FETCH_DIM_IS,
    Opcode.FETCH_DIM_RW,
    Opcode.FETCH_DIM_W,
    Opcode.FETCH_DIM_UNSET,
    Opcode.FETCH_DIM_FUNC_ARG,
    Opcode.FETCH_LIST_R,
    Opcode.FETCH_LIST_W,
)
def _fetch_dim(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    instr, container = operands.instr, masks.op1
    op1 = container & BOTH if container & (MAY_BE_OBJECT | MAY_BE_RESOURCE) else 0
    if instr.opcode == Opcode.FETCH_DIM_UNSET:
        op1 |= ONE if container & MAY_BE_ARRAY else 0
    else:
        op1 |= ONE if container & (EMPTY_TO_ARRAY | MAY_BE_STRING | MAY_BE_ARRAY) else 0
        if instr.opcode == Opcode.FETCH_DIM_FUNC_ARG and container & (MAY_BE_STRING | MAY_BE_ARRAY):
            op1 |= container & MANY
    bits = _element(operands, masks)
    if instr.result.kind == OpKind.TMP:
        bits = _kept_until_used(bits, instr, view)
    return defs._replace(result=_marked(defs.result, bits), op1=_marked(defs.op1, op1))


# Objects


@rule(Opcode.ASSIGN_OBJ, Opcode.ASSIGN_STATIC_PROP)
def _assign_property(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(
        result=_any(defs.result), op1=_marked(defs.op1, BOTH), data=_marked(defs.data, _shared(masks.data))
    )


@rule(Opcode.ASSIGN_OBJ_REF)
def _assign_obj_ref(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(op1=_marked(defs.op1, BOTH if masks.op1 & MAY_BE_OBJECT else masks.op1 & BOTH))


@rule(Opcode.PRE_INC_OBJ, Opcode.PRE_DEC_OBJ, Opcode.POST_INC_OBJ, Opcode.POST_DEC_OBJ)
def _step_obj(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, BOTH), op1=_marked(defs.op1, BOTH))


@rule(Opcode.FETCH_THIS, Opcode.GET_CLASS, Opcode.GET_CALLED_CLASS)
def _held_elsewhere(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, MANY))


@rule(
    Opcode.FETCH_OBJ_R,
    Opcode.FETCH_OBJ_IS,
    Opcode.FETCH_OBJ_RW,
    Opcode.FETCH_OBJ_W,
    Opcode.FETCH_OBJ_UNSET,
    Opcode.FETCH_OBJ_FUNC_ARG,
)
def _fetch_obj(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    instr, is_this = operands.instr, operands.instr.op1.kind == OpKind.UNUSED
    if not is_this and not operands.op1 & MAY_BE_OBJECT:
        return defs
    declared, _ = property_type(named_property(operands), operands)
    mask, bits = defs.result or 0, may_be_shared(declared) & BOTH
    if instr.opcode in (Opcode.FETCH_OBJ_R, Opcode.FETCH_OBJ_IS):
        if instr.op1.kind in _TEMPORARY and masks.op1 & ONE:
            others = (MAY_BE_ANY | MAY_BE_UNDEF) & ~MAY_BE_OBJECT
            if instr.opcode == Opcode.FETCH_OBJ_IS and not (declared & MAY_BE_NULL or operands.op1 & others):
                mask &= ~MAY_BE_NULL
        else:
            cls = view.op_array.scope if is_this else None
            if operands.op1_class is not None and not is_this and not operands.op1_class.is_instanceof:
                cls = operands.op1_class.name
            is_plain = cls is not None and view.context.symbols.classes.reads_plainly(cls)
            if is_plain and not _dies_before_use(instr, view):
                bits &= ~ONE
    return defs._replace(result=mask | bits)


@rule(
    Opcode.FETCH_STATIC_PROP_R,
    Opcode.FETCH_STATIC_PROP_IS,
    Opcode.FETCH_STATIC_PROP_RW,
    Opcode.FETCH_STATIC_PROP_W,
    Opcode.FETCH_STATIC_PROP_UNSET,
    Opcode.FETCH_STATIC_PROP_FUNC_ARG,
)
def _fetch_static_prop(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    declared, _ = property_type(named_static_property(operands), operands)
    bits = may_be_shared(declared) & BOTH
    is_read = operands.instr.opcode in (Opcode.FETCH_STATIC_PROP_R, Opcode.FETCH_STATIC_PROP_IS)
    if is_read and not _dies_before_use(operands.instr, view):
        bits &= ~ONE
    return defs._replace(result=_marked(defs.result, bits))


# Calls


@rule(Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME)
def _call(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    """What is known of the callee has its bits already."""
    return defs if view.call_of(operands.instr) is not None else _anything(operands, masks, defs, view)


@rule(Opcode.RECV_VARIADIC)
def _recv_variadic(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_marked(defs.result, BOTH))


@rule(Opcode.YIELD)
def _yield(operands: Operands, masks: Masks, defs: Defs, view: FunctionView) -> Defs:
    return defs._replace(result=_any(defs.result), op1=_marked(defs.op1, _copied(masks.op1)))
