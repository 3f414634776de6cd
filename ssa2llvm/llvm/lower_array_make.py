"""Arrays made: ``[...]`` and (array).

An array is made with room for its elements and of the kind that inference expects; the runtime widens it when it
must.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, ARRAY_NOT_PACKED, ARRAY_SIZE_SHIFT
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_ARRAY_OF_REF, MAY_BE_REF
from ssa2llvm.llvm.array_constants import array_constant
from ssa2llvm.llvm.array_literals import kind_of_elements
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import ArrayKind, Tag
from ssa2llvm.llvm.lower_variable import new_reference
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import I32, PTR, Val, integer

__all__ = ["array_kind", "array_of", "load_array", "store_array"]


def array_kind(mask: int) -> ArrayKind:
    """The kind in which an array of this type should start."""
    return kind_of_elements(mask >> ARRAY_SHIFT)


def _array(pointer: Val) -> Datum:
    return Datum(MAY_BE_ARRAY, Rep.ARRAY, (pointer,))


def store_array(fn: FunctionLowering, array: Datum) -> Val:
    """Put an array's pointer into memory, for the runtime functions that change it; the address."""
    address = fn.scratch(PTR)
    fn.text.store(array.parts[0], address)
    return address


def load_array(fn: FunctionLowering, address: Val, mask: int = MAY_BE_ARRAY) -> Datum:
    """The array that such a function left."""
    return Datum(mask, Rep.ARRAY, (fn.text.load(PTR, address),))


def array_of(fn: FunctionLowering, datum: Datum) -> Datum:
    """``(array) datum``: owned, the datum is borrowed."""
    if datum.rep is Rep.ARRAY:
        fn.dup(datum)
        return datum
    if datum.rep is Rep.NULL:
        return _array(fn.runtime("s2l_array_empty"))
    if datum.only(MAY_BE_ANY & ~MAY_BE_ARRAY) and datum.rep is not Rep.VALUE:
        fn.dup(datum)
        address = store_array(fn, _array(fn.runtime("s2l_array_new", integer(1), integer(array_kind(0), I32))))
        fn.runtime("s2l_array_set_long", address, integer(0), datum)
        return load_array(fn, address)
    value = convert(fn.text, datum, Rep.VALUE)
    return _array(fn.runtime("s2l_to_array", value))


@lowers(Opcode.INIT_ARRAY)
def _init_array(fn: FunctionLowering, instr: Instr) -> None:
    size = instr.extended_value >> ARRAY_SIZE_SHIFT
    place = fn.unit.literal_places.get(instr)
    if place is not None and place.keys:
        record = array_constant(fn, ArrayConst(tuple((key, None) for key in place.keys), packed=False))
        array = _array(fn.runtime("s2l_array_copy", record.parts[0]))
    elif place is not None:
        array = _array(fn.runtime("s2l_array_new", integer(max(size, place.room)), integer(place.kind, I32)))
    else:
        kind = ArrayKind.HASH if instr.extended_value & ARRAY_NOT_PACKED else array_kind(fn.mask_of(instr.result_def))
        array = _array(fn.runtime("s2l_array_new", integer(size), integer(kind, I32)))
    if instr.op1.is_const or instr.op1.is_var:
        array = _add(fn, instr, array)
    fn.define(instr.result_def, array)


@lowers(Opcode.ADD_ARRAY_ELEMENT)
def _add_element(fn: FunctionLowering, instr: Instr) -> None:
    fn.define(instr.result_def, _add(fn, instr, convert(fn.text, fn.name(instr.result_use), Rep.ARRAY)))


_FILLS = {
    ArrayKind.PACKED_LONG: ("long", Rep.LONG),
    ArrayKind.PACKED_DOUBLE: ("double", Rep.DOUBLE),
    ArrayKind.PACKED_BOOL: ("bool", Rep.BOOL),
    ArrayKind.PACKED_VALUE: ("value", Rep.VALUE),
    ArrayKind.HASH: ("bucket", Rep.VALUE),
}


def _add(fn: FunctionLowering, instr: Instr, array: Datum) -> Datum:
    """``array`` (consumed) with the element op1 (``&$x``: the variable itself) under key op2, or the next one."""
    element = new_reference(fn, instr, "op1") if instr.extended_value & ARRAY_ELEMENT_REF else fn.take(instr, "op1")
    place = fn.unit.literal_places.get(instr)
    if place is not None:
        name, rep = _FILLS[place.kind]
        parts = convert(fn.text, element, rep).parts
        fn.text.call("void", f"@s2l.array.fill.{name}", [array.parts[0], integer(place.index), *parts])
        return array
    has_key = instr.op2.is_const or instr.op2.is_var
    key = fn.read(instr, "op2") if has_key else None
    address = store_array(fn, array)
    if key is None:
        done = fn.framed("s2l_array_push", address, element)
    elif fn.mask_of(instr.result_def) & MAY_BE_ARRAY_OF_REF or element.mask & MAY_BE_REF:
        done = fn.framed("s2l_array_define", address, key, element)
    elif key.rep is Rep.LONG:
        fn.runtime("s2l_array_set_long", address, key.parts[0], element)
        return load_array(fn, address)
    elif key.rep is Rep.STRING:
        fn.runtime("s2l_array_set_string", address, key.parts[0], element)
        return load_array(fn, address)
    else:
        done = fn.framed("s2l_array_set", address, key, element)
    fn.fail_if(fn.text.negate(done), lambda: fn.drop(load_array(fn, address)))
    return load_array(fn, address)


@lowers(Opcode.ADD_ARRAY_UNPACK)
def _unpack(fn: FunctionLowering, instr: Instr) -> None:
    address = store_array(fn, convert(fn.text, fn.name(instr.result_use), Rep.ARRAY))
    other = fn.read(instr, "op1")
    if other.rep is not Rep.ARRAY:
        is_array = fn.text.compare("eq", convert(fn.text, other, Rep.VALUE).parts[1], integer(Tag.ARRAY))

        def throw() -> None:
            error, message = fn.module.c_string("Error"), "Only arrays and Traversables can be unpacked"
            fn.framed("s2l_throw", error, fn.module.c_string(message))
            fn.drop(load_array(fn, address))

        fn.fail_if(fn.text.negate(is_array), throw)
        other = convert(fn.text, Datum(MAY_BE_ARRAY, Rep.VALUE, convert(fn.text, other, Rep.VALUE).parts), Rep.ARRAY)
    done = fn.framed("s2l_array_append_all", address, other.parts[0])
    fn.fail_if(fn.text.negate(done), lambda: fn.drop(load_array(fn, address)))
    fn.define(instr.result_def, load_array(fn, address))
