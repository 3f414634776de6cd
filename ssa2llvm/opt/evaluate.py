"""Evaluate one instruction whose operands are constants, at compile time, or refuse.

Refused is whatever would do more than give a value: a diagnostic, an exception, output, a copy of unbounded size,
anything that depends on run-time settings. PHP prints floats with the ``precision`` of the moment, so a float is not
made a string here (zend_optimizer.c:zend_optimizer_eval_cast). Arithmetic, comparison and conversion are those of
``values``: there is no second opinion in this file.

Operands are lattice values, results lattice values or ``None`` for "refused". Nothing here knows SSA.
"""

from __future__ import annotations

from ssa2llvm.ir import types
from ssa2llvm.ir.literals import Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.opt.lattice import BOTTOM, Constant, LatticeValue, PartialArray, array_part, element_of, with_element
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.array_key import offset_key
from ssa2llvm.values.coerce import type_bit
from ssa2llvm.values.compare import identical, loosely_equal
from ssa2llvm.values.convert import to_array, to_bool, to_float, to_int, to_string
from ssa2llvm.values.host import Host, NeedsProgram, PhpError
from ssa2llvm.values.incdec import decrement, increment
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.operators import BINARY, UNARY
from ssa2llvm.values.types import Value, is_int

MAX_STRING = 64 * 1024
"""No string longer than this is made at compile time."""

_STRING_MAKERS = frozenset({Opcode.CONCAT, Opcode.FAST_CONCAT, Opcode.ROPE_ADD, Opcode.ROPE_END})


def binary(opcode: Opcode, left: LatticeValue, right: LatticeValue) -> LatticeValue | None:
    """Evaluate a two-operand operator of ``values.operators.BINARY``."""
    if not isinstance(left, Constant) or not isinstance(right, Constant):
        return None
    if opcode in _STRING_MAKERS:
        return _concat(left.value, right.value)
    host = Host()
    try:
        value = BINARY[opcode](left.value, right.value, host)
    except (PhpError, NeedsProgram):
        return None
    return Constant(value) if host.clean else None


def _concat(left: Value, right: Value) -> LatticeValue | None:
    if isinstance(left, PhpArray) or isinstance(right, PhpArray):
        return None
    host = Host()
    text = to_string(left, host) + to_string(right, host)
    return Constant(text) if host.clean and len(text) <= MAX_STRING else None


def unary(opcode: Opcode, operand: LatticeValue) -> LatticeValue | None:
    """Evaluate BOOL, BOOL_NOT or BW_NOT. A partial array with an entry is true."""
    if opcode in (Opcode.BOOL, Opcode.BOOL_NOT):
        truth = truthiness(operand)
        return None if truth is None else Constant(truth is (opcode == Opcode.BOOL))
    if not isinstance(operand, Constant):
        return None
    host = Host()
    try:
        value = UNARY[opcode](operand.value, host)
    except PhpError:
        return None
    return Constant(value) if host.clean else None


def truthiness(operand: LatticeValue) -> bool | None:
    """Whether the value converts to true; None if that is not known."""
    if isinstance(operand, PartialArray):
        return True if operand.has_entries else None
    return to_bool(operand.value) if isinstance(operand, Constant) else None


def cast(type_number: int, operand: LatticeValue) -> LatticeValue | None:
    """Evaluate CAST to the type with Zend's number."""
    if not isinstance(operand, Constant):
        return None
    value = operand.value
    host = Host()
    result: Value
    if type_number == types.IS_NULL:
        result = None
    elif type_number == types.IS_BOOL:
        result = to_bool(value)
    elif type_number == types.IS_LONG:
        result = to_int(value, host)
    elif type_number == types.IS_DOUBLE:
        result = to_float(value, host)
    elif type_number == types.IS_STRING and not isinstance(value, PhpArray):
        result = to_string(value, host)
    elif type_number == types.IS_ARRAY:
        result = to_array(value)
    else:
        return None
    return Constant(result) if host.clean else None


def step(opcode: Opcode, operand: LatticeValue) -> LatticeValue | None:
    """What ``++`` or ``--`` leaves in the variable."""
    if not isinstance(operand, Constant) or isinstance(operand.value, PhpArray):
        return None
    up = opcode in (Opcode.PRE_INC, Opcode.POST_INC)
    return Constant(increment(operand.value) if up else decrement(operand.value))


def type_check(mask: int, operand: LatticeValue) -> LatticeValue | None:
    """TYPE_CHECK: whether the value's type is in the mask."""
    if isinstance(operand, PartialArray):
        return Constant(bool(mask & types.MAY_BE_ARRAY))
    if not isinstance(operand, Constant):
        return None
    return Constant(bool(mask & type_bit(operand.value)))


def key_of(offset: LatticeValue) -> Key | None:
    """The array key of a constant offset; None if it is none, or none without a diagnostic."""
    if not isinstance(offset, Constant):
        return None
    host = Host()
    try:
        key = offset_key(offset.value, host)
    except PhpError:
        return None
    return key if host.clean else None


def fetch_dim(container: LatticeValue, offset: LatticeValue, strings_too: bool) -> LatticeValue | None:
    """``$container[$offset]`` for reading, where the element exists (a missing one would warn)."""
    array = array_part(container)
    if array is not None:
        key = key_of(offset)
        element = BOTTOM if key is None else element_of(array, key)
        return None if element is BOTTOM else element
    if not strings_too or not isinstance(container, Constant) or not isinstance(container.value, bytes):
        return None
    index = _string_index(offset)
    text = container.value
    return Constant(text[index : index + 1]) if index is not None and 0 <= index < len(text) else None


def _string_index(offset: LatticeValue) -> int | None:
    if not isinstance(offset, Constant):
        return None
    value = offset.value
    if isinstance(value, bytes):
        number = numeric_value(value)
        return number if is_int(number) else None
    return value if is_int(value) else None


def isset_value(extended_value: int, operand: LatticeValue | None) -> LatticeValue | None:
    """``isset`` or ``empty`` of a value; ``operand`` None means that there is none."""
    if not extended_value & ISEMPTY:
        return Constant(operand is not None and not (isinstance(operand, Constant) and operand.value is None))
    if operand is None:
        return Constant(True)
    truth = truthiness(operand)
    return None if truth is None else Constant(not truth)


def isset_dim(extended_value: int, container: LatticeValue, offset: LatticeValue) -> LatticeValue | None:
    """``isset($container[$offset])`` or ``empty``. A key that a partial array does not hold may exist at run time."""
    array = array_part(container)
    if array is not None:
        key = key_of(offset)
        if key is None:
            return None
        element = element_of(array, key)
        if element is not BOTTOM:
            return isset_value(extended_value, element)
        return None if isinstance(container, PartialArray) else isset_value(extended_value, None)
    if not isinstance(container, Constant) or isinstance(container.value, bytes):
        return None
    return Constant(bool(extended_value & ISEMPTY))


def isset_property(extended_value: int, subject: LatticeValue) -> LatticeValue | None:
    """``isset($subject->name)`` or ``empty``: what is no object has no properties."""
    array_or_scalar = isinstance(subject, (Constant, PartialArray))
    return Constant(bool(extended_value & ISEMPTY)) if array_or_scalar else None


def key_exists(key: LatticeValue, container: LatticeValue) -> LatticeValue | None:
    """ARRAY_KEY_EXISTS."""
    array = array_part(container)
    if array is None or not isinstance(key, Constant):
        return None
    if key.value is not None and not isinstance(key.value, bytes) and not is_int(key.value):
        return None
    exact = key_of(key)
    if exact is None:
        return None
    if element_of(array, exact) is not BOTTOM:
        return Constant(True)
    return None if isinstance(container, PartialArray) else Constant(False)


def in_keys(strict: bool, needle: LatticeValue, haystack: LatticeValue) -> LatticeValue | None:
    """IN_ARRAY: whether the needle is among the keys of the constant haystack, compared with ``===`` or ``==``."""
    if not isinstance(needle, Constant) or not isinstance(haystack, Constant):
        return None
    assert isinstance(haystack.value, PhpArray)
    host = Host()
    try:
        found = any(
            identical(needle.value, key) if strict else loosely_equal(needle.value, key, host)
            for key, _ in haystack.value.items()
        )
    except PhpError:
        return None
    return Constant(found) if host.clean else None


def store(container: LatticeValue, offset: LatticeValue | None, value: LatticeValue) -> LatticeValue | None:
    """The array after ``$container[$offset] = $value`` (``offset`` None: ``[]``). An unknown value or offset leaves a
    partial array without what may have been overwritten."""
    array = array_part(container)
    if array is None:
        if not isinstance(container, Constant) or container.value is not None:
            return None  # a string, a scalar that cannot be an array, or false, whose conversion is deprecated
        array = PartialArray(PhpArray())
    whole = isinstance(container, Constant)
    if offset is None:
        # Where the element goes depends on all entries.
        return _appended(array, value) if whole else array
    if offset is BOTTOM:
        return PartialArray(PhpArray())
    key = key_of(offset)
    if key is None:
        return None
    changed = with_element(array, key, value)
    return Constant(changed.known) if whole and isinstance(value, Constant) else changed


def after_unpacking(container: LatticeValue) -> LatticeValue | None:
    """The array after ``...`` of something unknown: what has integer keys stays, as new elements go behind; string keys
    may be given anew."""
    array = array_part(container)
    if array is None:
        return None
    kept = PhpArray()
    for key, element in array.known.items():
        if is_int(key):
            kept.set(key, element)
    return PartialArray(kept, {key: part for key, part in array.nested.items() if is_int(key)})


def _appended(array: PartialArray, value: LatticeValue) -> LatticeValue | None:
    """``$array[] = $value``, where all entries of the array are known."""
    changed = array.known.copy()
    try:
        changed.append(copy_value(value.value) if isinstance(value, Constant) else None)
    except PhpError:
        return None
    if isinstance(value, Constant):
        return Constant(changed)
    *_, (key, _) = changed.items()
    return with_element(PartialArray(changed), key, value)
