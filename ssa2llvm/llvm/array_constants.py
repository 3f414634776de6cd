"""Array constants: built once in each context, when first used.

A constant array lives in a cell of the program's table (``cells``). Using it costs a load and a test; the code that
builds it stands on a cold path. It is an ordinary counted array, whose cell holds one count until the program ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.ir.types import MAY_BE_ARRAY
from ssa2llvm.llvm.layouts import CONTEXT, VALUE, ArrayKind, Tag
from ssa2llvm.llvm.representation import Datum, Rep
from ssa2llvm.llvm.seam import I32, I64, PTR, UNLIKELY, Val, integer

if TYPE_CHECKING:
    from ssa2llvm.llvm.emitter import Emitter

__all__ = ["array_constant"]


def array_constant(fn: Emitter, value: ArrayConst) -> Datum:
    """A constant array, borrowed from its cell; the empty one is the runtime's."""
    text = fn.text
    if not value.entries:
        return Datum(MAY_BE_ARRAY, Rep.ARRAY, (fn.runtime("s2l_array_empty"),))
    table = text.load(PTR, text.offset(fn.context, CONTEXT.offset("cells")))
    address = text.offset(table, fn.module.cells.of_constant(value) * VALUE.size)
    tag = text.load(I64, text.offset(address, VALUE.offset("tag")))
    build, ready = text.new_block("build", cold=True), text.new_block("ready")
    text.branch(text.compare("eq", tag, integer(Tag.UNDEF)), build, ready, UNLIKELY)
    text.at(build)
    fn.store_value(Datum(MAY_BE_ARRAY, Rep.ARRAY, (_build(fn, value),)), address)
    text.jump(ready)
    text.at(ready)
    return Datum(MAY_BE_ARRAY, Rep.ARRAY, (text.load(PTR, address),))


def _build(fn: Emitter, value: ArrayConst) -> Val:
    """Make the array of a constant, with those in it, which it owns. Recursion follows the constant's nesting."""
    kind = _kind_of(value)
    array = fn.runtime("s2l_array_new", integer(len(value.entries)), integer(kind, I32))
    address = fn.text.alloca(PTR, "constant")
    fn.text.store(array, address)
    for key, element in value.entries:
        if isinstance(element, ArrayConst):
            datum = Datum(MAY_BE_ARRAY, Rep.ARRAY, (_build(fn, element),))
        else:
            datum = fn.constant(element)
        if isinstance(key, int):
            fn.runtime("s2l_array_set_long", address, integer(key), datum)
        else:
            fn.runtime("s2l_array_set_string", address, fn.module.string(key), datum)
    return fn.text.load(PTR, address)


def _kind_of(value: ArrayConst) -> ArrayKind:
    elements = [element for _, element in value.entries]
    if not value.packed:
        return ArrayKind.HASH
    if all(type(element) is int for element in elements):
        return ArrayKind.PACKED_LONG
    if all(type(element) is float for element in elements):
        return ArrayKind.PACKED_DOUBLE
    if all(type(element) is bool for element in elements):
        return ArrayKind.PACKED_BOOL
    return ArrayKind.PACKED_VALUE
