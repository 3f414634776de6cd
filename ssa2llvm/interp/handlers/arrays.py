"""Array literals, counting and searching."""

from __future__ import annotations

from ssa2llvm.interp.code import Step
from ssa2llvm.interp.frame import Frame
from ssa2llvm.interp.handlers.registry import handles
from ssa2llvm.interp.machine import Machine, is_strict
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, OpKind
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.array_key import offset_key
from ssa2llvm.values.builtins import BUILTINS, call_builtin
from ssa2llvm.values.builtins_array import copy_element
from ssa2llvm.values.compare import identical, loosely_equal
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import Ref, type_name


def _add_element(machine: Machine, frame: Frame, step: Step, array: PhpArray) -> None:
    """Add op1 (a value, or a reference to a variable) at key op2, or at the next index."""
    element = frame.variable1(step).reference() if step.op.extended_value & ARRAY_ELEMENT_REF else frame.take1(step)
    if step.op.op2.kind == OpKind.UNUSED:
        array.append(element)
    else:
        array.put(offset_key(frame.read2(step), machine.host), element)


@handles(Opcode.INIT_ARRAY)
def _init_array(machine: Machine, frame: Frame, step: Step) -> None:
    if step.op.op1.kind == OpKind.UNUSED:
        frame.write_result(step, PhpArray(0))
        return
    array = PhpArray()
    _add_element(machine, frame, step, array)
    frame.write_result(step, array)


@handles(Opcode.ADD_ARRAY_ELEMENT)
def _add_array_element(machine: Machine, frame: Frame, step: Step) -> None:
    array = frame.cells[step.use_result]
    assert isinstance(array, PhpArray)
    _add_element(machine, frame, step, array)
    frame.write_result(step, array)


@handles(Opcode.ADD_ARRAY_UNPACK)
def _add_array_unpack(machine: Machine, frame: Frame, step: Step) -> None:
    array = frame.cells[step.use_result]
    assert isinstance(array, PhpArray)
    spread = frame.read1(step)
    if not isinstance(spread, PhpArray):
        raise PhpError("Error", "Only arrays and Traversables can be unpacked")
    for key, element in spread.elements():
        value = copy_element(element.value if isinstance(element, Ref) else element)
        if isinstance(key, int):
            array.append(value)
        else:
            array.put(key, value)
    frame.write_result(step, array)


@handles(Opcode.COUNT)
def _count(machine: Machine, frame: Frame, step: Step) -> None:
    frame.write_result(step, call_builtin(BUILTINS["count"], [frame.read1(step)], is_strict(frame), machine.host))


@handles(Opcode.ARRAY_KEY_EXISTS)
def _array_key_exists(machine: Machine, frame: Frame, step: Step) -> None:
    key = frame.read1(step)
    array = frame.read2(step)
    if not isinstance(array, PhpArray):
        wanted = "array_key_exists(): Argument #2 ($array) must be of type array"
        raise PhpError("TypeError", f"{wanted}, {type_name(array)} given")
    frame.write_result(step, offset_key(key, machine.host) in array)


@handles(Opcode.IN_ARRAY)
def _in_array(machine: Machine, frame: Frame, step: Step) -> None:
    """``in_array`` with a constant haystack, which PHP stores with its elements as keys."""
    needle = frame.read1(step)
    haystack = step.constant2
    assert isinstance(haystack, PhpArray)
    elements = list(haystack.keys())
    if step.op.extended_value:
        found = any(identical(needle, element) for element in elements)
    else:
        found = any(loosely_equal(needle, element, machine.host) for element in elements)
    frame.write_result(step, found)


@handles(Opcode.SEPARATE)
def _separate(machine: Machine, frame: Frame, step: Step) -> None:
    """Arrays separate when they are written; nothing to do."""
