"""Objects: properties, static properties, new, clone, class fetches
(Zend/Optimizer/zend_inference.c: zend_fetch_prop_info, zend_fetch_static_prop_info, and the cases of these opcodes).

A property has its declared type if its class is known; a class is known for ``$this``, for ``new C``, for parameters
declared as one class, and copies of these.
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import ClassFact
from ssa2llvm.analysis.lattice import ANY_VALUE, declared_mask
from ssa2llvm.analysis.transfer.arithmetic import binary_type
from ssa2llvm.analysis.transfer.core import KEEP, ClassChange, Defs, Operands, copied_class, transfer
from ssa2llvm.ir.op_array import PropertyDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    FETCH_CLASS_MASK,
    FETCH_CLASS_PARENT,
    FETCH_CLASS_SELF,
    FETCH_CLASS_STATIC,
    FETCH_DIM_WRITE,
    OpKind,
)
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_CLASS,
    MAY_BE_DOUBLE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)


def named_property(operands: Operands) -> PropertyDecl | None:
    """The declared property that op1's op2 names."""
    instr, env = operands.instr, operands.env
    name = env.literal_bytes(instr, "op2")
    if name is None:
        return None
    if instr.op1.kind == OpKind.UNUSED:
        cls = env.op_array.scope
    else:
        cls = operands.op1_class.name if operands.op1_class is not None else None
    return env.property_of(cls, name.decode("utf-8", "surrogateescape"), static=False) if cls is not None else None


def named_static_property(operands: Operands) -> PropertyDecl | None:
    """The declared static property that op1 and op2 name."""
    instr, env = operands.instr, operands.env
    name = env.literal_bytes(instr, "op1")
    if name is None:
        return None
    cls: str | None = None
    if instr.op2.kind == OpKind.UNUSED:
        fetch = instr.op2.num & FETCH_CLASS_MASK
        if fetch in (FETCH_CLASS_SELF, FETCH_CLASS_STATIC):
            cls = env.op_array.scope
        elif fetch == FETCH_CLASS_PARENT and env.op_array.scope is not None:
            cls = env.parent_of(env.op_array.scope)
    else:
        written = env.literal_bytes(instr, "op2")
        cls = env.class_named(written.decode("utf-8", "surrogateescape")) if written is not None else None
    return env.property_of(cls, name.decode("utf-8", "surrogateescape"), static=True) if cls is not None else None


def property_type(decl: PropertyDecl | None, operands: Operands) -> tuple[int, ClassFact | None]:
    """The mask of a property and the class of objects in it."""
    if decl is None:
        return ANY_VALUE, None
    return declared_mask(decl.type), _declared_class(decl, operands)


def _declared_class(decl: PropertyDecl, operands: Operands) -> ClassFact | None:
    if len(decl.type.class_names) != 1:
        return None
    name = operands.env.declared_class(decl.type.class_names[0])
    return ClassFact(name, is_instanceof=True) if name is not None else None


def _or_keep(cls: ClassFact | None) -> ClassChange:
    """Zend sets a class it found and leaves the old one otherwise."""
    return cls if cls is not None else KEEP


def _after_property_write(operands: Operands) -> tuple[int, ClassFact | None]:
    """A variable whose property was written is an object, or the write threw."""
    mask = operands.op1 & (MAY_BE_REF | MAY_BE_OBJECT)
    return mask, copied_class(operands.op1_class, operands.op1, mask)


@transfer(Opcode.ASSIGN_OBJ)
def assign_obj(operands: Operands) -> Defs:
    """``$o->p = value``."""
    op1, op1_class = _after_property_write(operands)
    mask, cls = property_type(named_property(operands), operands)
    return Defs(result=mask, op1=op1, data=operands.data, op1_class=op1_class, result_class=_or_keep(cls))


def _fitted(value: int, declared: int) -> int:
    """A computed value after conversion to the property's type."""
    if declared & MAY_BE_NUMBER == MAY_BE_LONG and value & MAY_BE_NUMBER == MAY_BE_DOUBLE:
        value = value & ~MAY_BE_DOUBLE | MAY_BE_LONG
    elif declared & (MAY_BE_NUMBER | MAY_BE_STRING) == MAY_BE_STRING and value & MAY_BE_NUMBER:
        value = value & ~MAY_BE_NUMBER | MAY_BE_STRING
    return value & declared


def _property_op(operands: Operands, decl: PropertyDecl | None) -> tuple[int, ClassFact | None]:
    """The result of ``property op= value``."""
    old, cls = property_type(decl, operands)
    mask = binary_type(operands.instr.extended_value, old, operands.data, False, operands)
    if operands.sound:
        return (mask if decl is None or not decl.type.is_set else old), cls
    if decl is None:
        return mask | MAY_BE_LONG | MAY_BE_STRING, None
    return _fitted(mask, old), cls


@transfer(Opcode.ASSIGN_OBJ_OP)
def assign_obj_op(operands: Operands) -> Defs:
    """``$o->p += value``."""
    op1, op1_class = _after_property_write(operands)
    mask, cls = _property_op(operands, named_property(operands))
    return Defs(result=mask, op1=op1, op1_class=op1_class, result_class=_or_keep(cls))


@transfer(Opcode.ASSIGN_STATIC_PROP_OP)
def assign_static_prop_op(operands: Operands) -> Defs:
    """``C::$p += value``."""
    mask, cls = _property_op(operands, named_static_property(operands))
    return Defs(result=mask, result_class=_or_keep(cls))


@transfer(Opcode.ASSIGN_STATIC_PROP)
def assign_static_prop(operands: Operands) -> Defs:
    """``C::$p = value``."""
    return Defs(result=ANY_VALUE, data=operands.data)


@transfer(Opcode.PRE_INC_OBJ, Opcode.PRE_DEC_OBJ, Opcode.POST_INC_OBJ, Opcode.POST_DEC_OBJ)
def step_obj(operands: Operands) -> Defs:
    """``$o->p++`` and its like."""
    op1, op1_class = _after_property_write(operands)
    return Defs(result=ANY_VALUE, op1=op1, op1_class=op1_class)


@transfer(Opcode.UNSET_OBJ)
def unset_obj(operands: Operands) -> Defs:
    """``unset($o->p)`` leaves the variable alone."""
    return Defs(op1=operands.op1, op1_class=copied_class(operands.op1_class, operands.op1, operands.op1))


@transfer(
    Opcode.FETCH_OBJ_R,
    Opcode.FETCH_OBJ_IS,
    Opcode.FETCH_OBJ_RW,
    Opcode.FETCH_OBJ_W,
    Opcode.FETCH_OBJ_UNSET,
    Opcode.FETCH_OBJ_FUNC_ARG,
)
def fetch_obj(operands: Operands) -> Defs:
    """``$o->p``: of something that is no object, null."""
    instr = operands.instr
    mask, cls = 0, None
    is_this = instr.op1.kind == OpKind.UNUSED
    if not is_this and operands.op1 & (MAY_BE_ANY | MAY_BE_UNDEF) & ~MAY_BE_OBJECT:
        mask |= MAY_BE_NULL
    if is_this or operands.op1 & MAY_BE_OBJECT:
        declared, cls = property_type(named_property(operands), operands)
        mask |= declared
        if instr.opcode not in (Opcode.FETCH_OBJ_R, Opcode.FETCH_OBJ_IS):
            mask |= MAY_BE_REF | MAY_BE_INDIRECT
            if instr.extended_value == FETCH_DIM_WRITE:
                mask |= MAY_BE_UNDEF
            cls = None
        elif instr.opcode == Opcode.FETCH_OBJ_IS:
            mask |= MAY_BE_NULL  # uninitialised
    return Defs(result=mask, result_class=cls if operands.sound else _or_keep(cls))


@transfer(
    Opcode.FETCH_STATIC_PROP_R,
    Opcode.FETCH_STATIC_PROP_IS,
    Opcode.FETCH_STATIC_PROP_RW,
    Opcode.FETCH_STATIC_PROP_W,
    Opcode.FETCH_STATIC_PROP_UNSET,
    Opcode.FETCH_STATIC_PROP_FUNC_ARG,
)
def fetch_static_prop(operands: Operands) -> Defs:
    """``C::$p``."""
    instr = operands.instr
    mask, cls = property_type(named_static_property(operands), operands)
    if instr.opcode not in (Opcode.FETCH_STATIC_PROP_R, Opcode.FETCH_STATIC_PROP_IS):
        mask |= MAY_BE_REF | MAY_BE_INDIRECT
        if instr.extended_value == FETCH_DIM_WRITE:
            mask |= MAY_BE_UNDEF
        cls = None
    elif instr.opcode == Opcode.FETCH_STATIC_PROP_IS:
        mask |= MAY_BE_UNDEF
    return Defs(result=mask, result_class=_or_keep(cls))


@transfer(Opcode.FETCH_THIS)
def fetch_this(operands: Operands) -> Defs:
    """``$this``: of the method's class or below."""
    scope = operands.env.op_array.scope
    return Defs(result=MAY_BE_OBJECT, result_class=ClassFact(scope, True) if scope is not None else None)


@transfer(Opcode.DECLARE_ANON_CLASS)
def declare_anon_class(operands: Operands) -> Defs:
    """The class of ``new class {...}``."""
    name = operands.env.literal_bytes(operands.instr, "op1")
    cls = operands.env.class_named(name.decode("utf-8", "surrogateescape")) if name is not None else None
    return Defs(result=MAY_BE_CLASS, result_class=_or_keep(ClassFact(cls) if cls is not None else None))


@transfer(Opcode.FETCH_CLASS)
def fetch_class(operands: Operands) -> Defs:
    """A class by name, or ``self``, ``parent``, ``static``."""
    instr, env = operands.instr, operands.env
    name: str | None = None
    if instr.op2.kind == OpKind.UNUSED:
        fetch = instr.op1.num & FETCH_CLASS_MASK
        if fetch == FETCH_CLASS_SELF:
            name = env.op_array.scope
        elif fetch == FETCH_CLASS_PARENT and env.op_array.scope is not None:
            name = env.parent_of(env.op_array.scope)
    elif instr.op2.kind == OpKind.CONST:
        written = env.literal_bytes(instr, "op2")
        name = env.class_named(written.decode("utf-8", "surrogateescape")) if written is not None else None
    else:
        return Defs(result=MAY_BE_CLASS, result_class=copied_class(operands.op2_class, operands.op2, MAY_BE_CLASS))
    return Defs(result=MAY_BE_CLASS, result_class=ClassFact(name) if name is not None else None)


@transfer(Opcode.NEW)
def new(operands: Operands) -> Defs:
    """``new C``."""
    instr, env = operands.instr, operands.env
    cls: ClassFact | None = None
    if instr.op1.kind == OpKind.CONST:
        written = env.literal_bytes(instr, "op1")
        name = env.class_named(written.decode("utf-8", "surrogateescape")) if written is not None else None
        cls = ClassFact(name) if name is not None else None
    elif instr.op1.kind == OpKind.UNUSED:
        scope = env.op_array.scope
        if instr.op1.num & FETCH_CLASS_MASK == FETCH_CLASS_SELF and scope is not None and not env.is_trait(scope):
            cls = ClassFact(scope)
    elif operands.op1 & MAY_BE_CLASS:
        cls = operands.op1_class
    return Defs(result=MAY_BE_OBJECT, result_class=cls)


@transfer(Opcode.CLONE)
def clone(operands: Operands) -> Defs:
    """``clone $o``."""
    return Defs(result=MAY_BE_OBJECT, result_class=copied_class(operands.op1_class, operands.op1, MAY_BE_OBJECT))
