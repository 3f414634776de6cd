"""Reading elements: ``$a[k]``, ``$a[k] ?? …``, ``isset($a[k])``, ``[$x] = …``.

Follows Zend/zend_execute.c (``zend_fetch_dimension_address_read``, ``zend_fetch_dimension_address_inner``).
"""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine
from ssa2llvm.interp.undefined import Undefined
from ssa2llvm.ir.literals import Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.array_key import ILLEGAL_OFFSET, ILLEGAL_OFFSET_IN_ISSET, offset_key
from ssa2llvm.values.convert import to_bool
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.string_offset import read_offset, read_offset_quietly, tested_offset
from ssa2llvm.values.types import PhpObject, Value, to_text, type_name


def warn_undefined_key(key: Key, host: Host) -> None:
    """``Undefined array key``."""
    host.warning(f"Undefined array key {key}" if isinstance(key, int) else f'Undefined array key "{to_text(key)}"')


def read_element(container: Value, offset: Value, host: Host) -> Value:
    """``$container[$offset]`` as an expression."""
    if isinstance(container, PhpArray):
        key = offset_key(offset, host)
        if key not in container:
            warn_undefined_key(key, host)
            return None
        return container.get(key)
    if isinstance(container, bytes):
        return read_offset(container, offset, host)
    if isinstance(container, PhpObject):
        raise PhpError("Error", f"Cannot use object of type {container.class_name} as array")
    host.warning(f"Trying to access array offset on value of type {type_name(container)}")
    return None


@handles(Opcode.FETCH_DIM_R)
def _fetch_dim_r(machine: Machine, frame: Frame, step: Step) -> None:
    container = frame.read1(step)
    offset = frame.read2(step)
    frame.write_result(step, copy_value(read_element(container, offset, machine.host)))


def read_list_element(container: Value, offset: Value, host: Host) -> Value:
    """An element for ``[$x] = $container``: of scalars and strings null, silently."""
    return read_element(container, offset, host) if isinstance(container, (PhpArray, PhpObject)) else None


@handles(Opcode.FETCH_LIST_R)
def _fetch_list_r(machine: Machine, frame: Frame, step: Step) -> None:
    container = frame.read1(step)
    offset = frame.read2(step)
    frame.write_result(step, copy_value(read_list_element(container, offset, machine.host)))


@handles(Opcode.FETCH_DIM_IS)
def _fetch_dim_is(machine: Machine, frame: Frame, step: Step) -> None:
    container = frame.quiet1(step)
    offset = frame.read2(step)
    value: Value = None
    if isinstance(container, PhpArray):
        key = offset_key(offset, machine.host, ILLEGAL_OFFSET_IN_ISSET if step.op.op1.is_const else ILLEGAL_OFFSET)
        value = container.get(key) if key in container else None
    elif isinstance(container, bytes):
        value = read_offset_quietly(container, offset, machine.host)
    frame.write_result(step, copy_value(value))


@handles(Opcode.ISSET_ISEMPTY_DIM_OBJ)
def _isset_dim(machine: Machine, frame: Frame, step: Step) -> None:
    container = frame.quiet1(step)
    offset = frame.read2(step)
    value: Value = None
    if isinstance(container, PhpArray):
        key = offset_key(offset, machine.host, ILLEGAL_OFFSET_IN_ISSET)
        value = container.get(key) if key in container else None
    elif isinstance(container, bytes) and not isinstance(container, Undefined):
        value = tested_offset(container, offset, machine.host)
    frame.write_result(step, not to_bool(value) if step.op.extended_value & ISEMPTY else value is not None)
