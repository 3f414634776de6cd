"""Strings: ``.``, ``.=``, interpolation, ECHO, (string), strlen.

A string that nobody needs any more grows in place (``reuse``). A conversion to string of something that is not a
string is a temporary that the instruction itself drops; an int or a float appended to a string is formatted straight
into it. An interpolated string (ROPE_INIT, ROPE_ADD, ROPE_END) grows one string in place: PHP keeps the parts in a row
of temporaries until the end, but converts each at the same moment as here.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_LONG,
    MAY_BE_OBJECT,
    MAY_BE_STRING,
)
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import STRING
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import I64, PTR, STRING_HEADER, Val, integer

__all__ = ["append", "concat", "string_of"]

_NOISY = MAY_BE_ARRAY | MAY_BE_OBJECT


def _string(parts: Val) -> Datum:
    return Datum(MAY_BE_STRING, Rep.STRING, (parts,))


def string_of(fn: FunctionLowering, datum: Datum) -> Datum:
    """``(string) datum``, owned; the datum is borrowed. Arrays warn."""
    if datum.rep is Rep.STRING:
        fn.dup(datum)
        return datum
    if datum.rep is Rep.NULL:
        return fn.constant(b"")
    if datum.rep is Rep.BOOL:
        true, false = fn.constant(b"1"), fn.constant(b"")
        return _string(fn.text.select(datum.parts[0], true.parts[0], false.parts[0]))
    if datum.rep is Rep.LONG:
        return _string(fn.runtime("s2l_long_to_string", datum.parts[0]))
    if datum.rep is Rep.DOUBLE:
        return _string(fn.runtime("s2l_double_to_string", datum.parts[0]))
    if datum.may(_NOISY):
        return _string(fn.framed("s2l_to_string", datum))
    return _string(fn.runtime("s2l_to_string", datum))


def concat(fn: FunctionLowering, left: Datum, right: Datum) -> Datum:
    """``left . right``, owned; both borrowed."""
    if left.rep is Rep.STRING and right.rep is Rep.STRING:
        return _string(fn.runtime("s2l_string_concat", left.parts[0], right.parts[0]))
    if left.may(_NOISY) or right.may(_NOISY):
        return convert(fn.text, fn.framed_value("s2l_concat", left, right, mask=MAY_BE_STRING), Rep.STRING)
    if left.rep is Rep.STRING:
        return convert(fn.text, fn.unpack(fn.runtime("s2l_concat", left, right), MAY_BE_STRING), Rep.STRING)
    return append(fn, string_of(fn, left), right)


def append(fn: FunctionLowering, left: Datum, right: Datum) -> Datum:
    """``left .= right``: left consumed, right borrowed, the result owned. In place if nobody else counts left."""
    if left.rep is not Rep.STRING:
        if left.only(MAY_BE_STRING):
            left = convert(fn.text, left, Rep.STRING)
        elif not left.may(MAY_BE_STRING) and not left.may(_NOISY):
            left = string_of(fn, left)
        else:
            return convert(fn.text, fn.framed_value("s2l_assign_concat", left, right, mask=MAY_BE_STRING), Rep.STRING)
    if right.rep is Rep.STRING:
        return _string(fn.text.call(PTR, "@s2l.string.append", [fn.context, left.parts[0], right.parts[0]]))
    if right.rep is Rep.LONG:
        return _string(fn.runtime("s2l_string_append_long", left.parts[0], right.parts[0]))
    if right.rep is Rep.DOUBLE:
        return _string(fn.runtime("s2l_string_append_double", left.parts[0], right.parts[0]))
    if right.rep is Rep.NULL:
        return left
    temporary = string_of(fn, right)
    joined = _string(fn.runtime("s2l_string_append", left.parts[0], temporary.parts[0]))
    fn.drop(temporary)
    return joined


@lowers(Opcode.CONCAT, Opcode.FAST_CONCAT)
def _concat(fn: FunctionLowering, instr: Instr) -> None:
    left, right = fn.read(instr, "op1"), fn.read(instr, "op2")
    fn.define(instr.result_def, (append if instr in fn.unit.taking else concat)(fn, left, right))


@lowers(Opcode.ROPE_INIT)
def _rope_init(fn: FunctionLowering, instr: Instr) -> None:
    fn.define(instr.result_def, string_of(fn, fn.read(instr, "op2")))


@lowers(Opcode.ROPE_ADD, Opcode.ROPE_END)
def _rope_add(fn: FunctionLowering, instr: Instr) -> None:
    rope = convert(fn.text, fn.take(instr, "op1"), Rep.STRING)
    fn.define(instr.result_def, append(fn, rope, fn.read(instr, "op2")))


@lowers(Opcode.ECHO)
def _echo(fn: FunctionLowering, instr: Instr) -> None:
    if instr.op1.is_const:
        value = fn.literal(instr.op1)
        if isinstance(value, bytes):
            address = Val(PTR, fn.module.bytes_of_string(value))
            fn.runtime("s2l_echo_bytes", address, integer(len(value)))
            return
    datum = fn.read(instr, "op1")
    if datum.rep is Rep.LONG:
        fn.runtime("s2l_echo_long", datum.parts[0])
    elif datum.rep is Rep.DOUBLE:
        fn.runtime("s2l_echo_double", datum.parts[0])
    elif datum.rep is Rep.STRING:
        fn.runtime("s2l_echo_string", datum.parts[0])
    elif datum.may(_NOISY):
        fn.framed("s2l_echo", datum)
    elif datum.rep is not Rep.NULL:
        fn.runtime("s2l_echo", datum)


@lowers(Opcode.STRLEN)
def _strlen(fn: FunctionLowering, instr: Instr) -> None:
    """``strlen($x)`` as an instruction; what is not a string goes to the function, which knows PHP's errors."""
    datum = fn.read(instr, "op1")
    if datum.rep is Rep.STRING:
        length = fn.text.load(I64, fn.text.offset(datum.parts[0], STRING.offset("length")), STRING_HEADER)
        fn.define(instr.result_def, Datum(MAY_BE_LONG, Rep.LONG, (length,)))
        return
    fn.define(instr.result_def, fn.call_builtin("strlen", [datum]))
