"""Parameters, calls and returns.

Zend/Optimizer/zend_inference.c: RECV*, DO_*CALL, VERIFY_RETURN_TYPE, CALLABLE_CONVERT;
zend_func_info.c:zend_get_func_info stands in ``calls`` of the room above (``Env.returned_by``).

A parameter has its declared type after RECV, by conversion or because the call failed. Where every caller is known
(sound configuration), it has at most the union of what they pass.
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import ClassFact
from ssa2llvm.analysis.lattice import ARRAY_PART, declared_mask, null_for_undef
from ssa2llvm.analysis.transfer.core import KEEP, Defs, Operands, transfer, unknown
from ssa2llvm.ir.op_array import ArgInfo, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_OF_REF,
    MAY_BE_INDIRECT,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_UNDEF,
)

_NO_INFO = ArgInfo("")


def _class_of(decl: TypeDecl, operands: Operands) -> ClassFact | None:
    if len(decl.class_names) != 1:
        return None
    name = operands.env.declared_class(decl.class_names[0])
    return ClassFact(name, is_instanceof=True) if name is not None else None


def _info(operands: Operands) -> ArgInfo:
    infos, number = operands.env.op_array.arg_info, operands.instr.op1.num
    return infos[number - 1] if number <= len(infos) else _NO_INFO


def _received_reference(operands: Operands, declared: int) -> int:
    """A parameter by reference: what the callers' variables hold comes in by its cell. Here it may get its default, or
    be converted."""
    behind = operands.env.behind_reference(operands.instr.result_def) if operands.sound else None
    if behind is None or behind & MAY_BE_ANY & ~declared:
        return declared | MAY_BE_REF
    default = null_for_undef(operands.op2) if operands.instr.opcode == Opcode.RECV_INIT else 0
    return MAY_BE_REF | default


@transfer(Opcode.RECV, Opcode.RECV_INIT)
def recv(operands: Operands) -> Defs:
    """Parameter ``op1``. Where all callers are known, the default of RECV_INIT is among what they pass, if one of them
    leaves it out."""
    info = _info(operands)
    mask = declared_mask(info.type)
    if info.by_ref:
        return Defs(result=_received_reference(operands, mask), result_class=None)
    passed = operands.env.argument(operands.instr.op1.num)
    if passed is not None and not passed & ~mask:  # otherwise something is converted, to anything the type allows
        mask = passed
    cls = _class_of(info.type, operands)
    return Defs(result=mask, result_class=cls)


@transfer(Opcode.RECV_VARIADIC)
def recv_variadic(operands: Operands) -> Defs:
    """``...$rest``."""
    info = _info(operands)
    if info.by_ref:
        elements = MAY_BE_ARRAY_OF_ANY | MAY_BE_ARRAY_OF_REF
    else:
        elements = (declared_mask(info.type) & MAY_BE_ANY) << ARRAY_SHIFT
    return Defs(result=MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_ANY | elements, result_class=None)


@transfer(Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME)
def call(operands: Operands) -> Defs:
    """A call: what the callee returns."""
    returned = operands.env.returned_by(operands.instr)
    if returned is None:
        return unknown(operands)
    return Defs(result=returned.types, result_class=returned.cls if returned.cls is not None else KEEP)


@transfer(Opcode.CALLABLE_CONVERT)
def callable_convert(operands: Operands) -> Defs:
    """``f(...)``: a closure."""
    return Defs(result=MAY_BE_OBJECT, result_class=ClassFact("Closure"))


def _converted(value: int, declared: int) -> int:
    """A value after conversion to the declared type: itself if it fits, else anything of the type."""
    return declared & value if not value & ~declared else declared


@transfer(Opcode.VERIFY_RETURN_TYPE)
def verify_return_type(operands: Operands) -> Defs:
    """The value about to be returned, converted to the declared type."""
    instr, value = operands.instr, operands.op1
    decl = operands.env.op_array.return_type
    cls: ClassFact | None = None
    if value & MAY_BE_REF:
        mask = value
        if operands.sound:
            mask |= _converted(null_for_undef(value) & (MAY_BE_ANY | ARRAY_PART), declared_mask(decl))
    else:
        mask = declared_mask(decl)
        cls = _class_of(decl, operands)
        if mask & MAY_BE_NULL and instr.op1.kind == OpKind.CV:
            mask |= MAY_BE_UNDEF
        mask = _converted(value, mask | value & MAY_BE_INDIRECT)
    if instr.op1.is_var:
        return Defs(op1=mask, op1_class=cls)
    return Defs(result=mask, result_class=cls)
