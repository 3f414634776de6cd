"""Writing elements: ``$a[k] = v``, ``$a[] = v``, ``$a[k] += v``, ``unset($a[k])``, and fetches for writing deeper.

Follows Zend/zend_execute.c:zend_fetch_dimension_address and the handlers of ASSIGN_DIM and ASSIGN_DIM_OP.
"""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.dimensions import read_element, read_list_element, warn_undefined_key
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.places import ElementPlace, NowherePlace, Place
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.literals import Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.array_key import ILLEGAL_OFFSET_IN_UNSET, offset_key
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.operators import BINARY
from ssa2llvm.values.string_offset import (
    ASSIGN_OP_ON_OFFSET,
    REFERENCE_TO_OFFSET,
    string_offset,
    write_offset,
    wrong_write,
)
from ssa2llvm.values.types import Ref, Value

_SCALAR_AS_ARRAY = "Cannot use a scalar value as an array"
_STRING_APPEND = "[] operator not supported for strings"
_AUTOVIVIFY_FALSE = "Automatic conversion of false to array is deprecated"


def array_for_write(place: Place, host: Host) -> PhpArray:
    """The array in a place, made there if it holds null, nothing, or false. Raises Error for other scalars."""
    value = place.get()
    if isinstance(value, PhpArray):
        return value
    if value is None or value is False or isinstance(value, Undefined):
        array = PhpArray()
        place.set(array)
        if value is False:
            host.deprecated(_AUTOVIVIFY_FALSE)
        return array
    raise PhpError("Error", _SCALAR_AS_ARRAY)


def _offset(frame: Frame, step: Step, place: Place) -> Value:
    """The offset in op2. PHP reads it when op1 is an array already: ``$a[$a]`` of an undefined ``$a`` is no null
    offset. In SSA form op2 names the variable as it was before."""
    return _current(place) if step.op.op2.is_cv and step.op.op2 == step.op.op1 else frame.read2(step)


def _warn_undefined(frame: Frame, step: Step) -> None:
    """Report that op1 is read without having a value; it stays undefined."""
    if step.op.op1.is_cv:
        frame.undefined(step.slot1)


def _current(place: Place) -> Value:
    value = place.get()
    return None if isinstance(value, Undefined) else value


def _data_value(frame: Frame, step: Step, place: Place) -> Value:
    """The value assigned: an argument of the instruction, or in the OP_DATA that follows, which is then passed over."""
    if step.args:
        return frame.joined_argument(step)
    data = frame.code.steps[frame.pc]
    frame.pc += 1
    if data.op.op1.is_cv and data.op.op1 == step.op.op1:
        return copy_value(_current(place))
    return frame.take1(data)


@handles(Opcode.ASSIGN_DIM)
def _assign_dim(machine: Machine, frame: Frame, step: Step) -> None:
    host = machine.host
    place = frame.variable1(step)
    value = place.get()
    if isinstance(value, bytes):
        _assign_string_offset(machine, frame, step, place, value)
        return
    array = array_for_write(place, host)
    if step.op.op2.kind == OpKind.UNUSED:
        assigned = _data_value(frame, step, place)
        array.append(assigned)
    else:
        key = offset_key(_offset(frame, step, place), host)
        assigned = _data_value(frame, step, place)
        array.set(key, assigned)
    frame.write_result(step, copy_value(assigned))


def _assign_string_offset(machine: Machine, frame: Frame, step: Step, place: Place, text: bytes) -> None:
    if step.op.op2.kind == OpKind.UNUSED:
        raise PhpError("Error", _STRING_APPEND)
    offset = frame.read2(step)
    changed, byte = write_offset(text, offset, _data_value(frame, step, place), machine.host)
    place.set(changed)
    frame.write_result(step, byte)


@handles(Opcode.ASSIGN_DIM_OP)
def _assign_dim_op(machine: Machine, frame: Frame, step: Step) -> None:
    host = machine.host
    place = frame.variable1(step)
    if isinstance(place.get(), Undefined):
        _warn_undefined(frame, step)
    if isinstance(place.get(), bytes):
        if step.op.op2.kind == OpKind.UNUSED:
            raise PhpError("Error", _STRING_APPEND)
        string_offset(_offset(frame, step, place), host)
        raise PhpError("Error", ASSIGN_OP_ON_OFFSET)
    if not isinstance(_current(place), (PhpArray, bool, type(None))) or _current(place) is True:
        frame.read2(step)  # before the error
    array = array_for_write(place, host)
    if step.op.op2.kind == OpKind.UNUSED:
        key: Key = array.append(None)
        before: Value = None
    else:
        key = offset_key(_offset(frame, step, place), host)
        before = read_element(array, key, host)
        if key not in array:
            array.put(key, None)
    after = BINARY[Opcode(step.op.extended_value)](before, _data_value(frame, step, place), host)
    array.set(key, after)
    frame.write_result(step, copy_value(after))


def element_place(machine: Machine, frame: Frame, step: Step, opcode: Opcode) -> Place:
    """The element that a fetch for writing (FETCH_DIM_W, _RW or _UNSET) points to."""
    host = machine.host
    place = frame.variable1(step)
    value = place.get()
    unset = opcode == Opcode.FETCH_DIM_UNSET
    if isinstance(value, bytes):
        if step.op.op2.kind == OpKind.UNUSED:
            raise PhpError("Error", _STRING_APPEND)
        string_offset(_offset(frame, step, place), host)
        raise PhpError("Error", _string_error(frame, opcode))
    if isinstance(value, Undefined) and opcode != Opcode.FETCH_DIM_W:
        _warn_undefined(frame, step)
    if unset and not isinstance(value, PhpArray):
        if value is False:
            host.deprecated(_AUTOVIVIFY_FALSE)
        if value is None or value is False or isinstance(value, Undefined):
            frame.read2(step)
            return NowherePlace()
        raise PhpError("Error", "Cannot unset offset in a non-array variable")
    array = array_for_write(place, host)
    array.table_for_write()
    if step.op.op2.kind == OpKind.UNUSED:
        return ElementPlace(array, array.append(None))
    key = offset_key(_offset(frame, step, place), host)
    if key not in array:
        if unset:
            return NowherePlace()
        if opcode == Opcode.FETCH_DIM_RW:
            warn_undefined_key(key, host)
        array.put(key, None)
    return ElementPlace(array, key)


def _string_error(frame: Frame, opcode: Opcode) -> str:
    """What is wrong with writing below a string offset."""
    if opcode == Opcode.FETCH_LIST_W:
        return REFERENCE_TO_OFFSET
    return wrong_write(frame.code.op_array.ops, frame.step.number)


@handles(Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET, Opcode.FETCH_LIST_W)
def _fetch_dim_for_write(machine: Machine, frame: Frame, step: Step) -> None:
    opcode = Opcode.FETCH_DIM_W if step.opcode == Opcode.FETCH_LIST_W else step.opcode
    is_value = step.op.op1.is_temp and not frame.is_place1(step) and not isinstance(frame.raw1(step), Ref)
    if step.opcode == Opcode.FETCH_LIST_W and is_value:
        machine.host.notice("Attempting to set reference to non referenceable value")
        element = read_list_element(frame.read1(step), frame.read2(step), machine.host)
        frame.write_result(step, copy_value(element))
        return
    frame.write_result(step, element_place(machine, frame, step, opcode))


@handles(Opcode.FETCH_DIM_FUNC_ARG)
def _fetch_dim_func_arg(machine: Machine, frame: Frame, step: Step) -> None:
    """For writing if the parameter is by reference, else for reading."""
    if frame.pending[-1].send_by_reference:
        frame.write_result(step, element_place(machine, frame, step, Opcode.FETCH_DIM_W))
    elif step.op.op2.kind == OpKind.UNUSED:
        raise PhpError("Error", "Cannot use [] for reading")
    else:
        container = frame.read1(step)
        offset = frame.read2(step)
        element = copy_value(read_element(container, offset, machine.host))
        if step.op.op1.is_cv:
            frame.variable1(step)  # its new name has what the old one had
        frame.write_result(step, element)


@handles(Opcode.UNSET_DIM)
def _unset_dim(machine: Machine, frame: Frame, step: Step) -> None:
    host = machine.host
    place = frame.variable1(step)
    value = place.get()
    if isinstance(value, Undefined):
        _warn_undefined(frame, step)
        frame.read2(step)
    elif isinstance(value, PhpArray):
        value.remove(offset_key(_offset(frame, step, place), host, ILLEGAL_OFFSET_IN_UNSET))
    else:
        frame.read2(step)
        if isinstance(value, bytes):
            raise PhpError("Error", "Cannot unset string offsets")
        if value is False:
            host.deprecated(_AUTOVIVIFY_FALSE)
        elif value is not None:
            raise PhpError("Error", "Cannot unset offset in a non-array variable")
