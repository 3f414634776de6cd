"""Casts ``(int) (float) (bool) (string) (array)`` and the type of a value by name.

(int) of a float is modulo 2^64, and 0 for NaN and infinities (Zend/zend_operators.h:zend_dval_to_lval); of a string
its leading number.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import (
    IS_ARRAY,
    IS_BOOL,
    IS_DOUBLE,
    IS_LONG,
    IS_NULL,
    IS_STRING,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_STRING,
)
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.lower_array_make import array_of
from ssa2llvm.llvm.lower_jump import truth
from ssa2llvm.llvm.lower_string import string_of
from ssa2llvm.llvm.numbers import as_double, as_number, is_numeric
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep
from ssa2llvm.llvm.seam import F64, I32, I64, Val, integer

__all__ = ["double_of", "long_of"]


def _double_to_long(fn: FunctionLowering, number: Val) -> Val:
    return fn.text.call(I64, "@s2l.double.to.long", [number])


def long_of(fn: FunctionLowering, datum: Datum) -> Datum:
    """``(int) datum``; borrowed."""
    if is_numeric(datum):
        datum = as_number(fn, datum)
        if datum.rep is Rep.LONG:
            return datum
        if datum.rep is Rep.DOUBLE:
            return Datum(MAY_BE_LONG, Rep.LONG, (_double_to_long(fn, datum.parts[0]),))
        bits, is_double = datum.parts

        def cut() -> Datum:
            value = _double_to_long(fn, fn.text.cast("bitcast", bits, F64))
            return Datum(MAY_BE_LONG, Rep.LONG, (value,))

        return fn.either(is_double, cut, lambda: Datum(MAY_BE_LONG, Rep.LONG, (bits,)))
    if datum.rep is Rep.STRING:
        return Datum(MAY_BE_LONG, Rep.LONG, (fn.runtime("s2l_string_to_long", datum.parts[0]),))
    return Datum(MAY_BE_LONG, Rep.LONG, (fn.runtime("s2l_to_long", datum),))


def double_of(fn: FunctionLowering, datum: Datum) -> Datum:
    """``(float) datum``; borrowed."""
    if is_numeric(datum):
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (as_double(fn, as_number(fn, datum)),))
    if datum.rep is Rep.STRING:
        return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (fn.runtime("s2l_string_to_double", datum.parts[0]),))
    return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (fn.runtime("s2l_to_double", datum),))


@lowers(Opcode.CAST)
def _cast(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.read(instr, "op1")
    target = instr.extended_value
    if target == IS_LONG:
        result = long_of(fn, datum)
    elif target == IS_DOUBLE:
        result = double_of(fn, datum)
    elif target == IS_STRING:
        result = string_of(fn, datum)
    elif target == IS_BOOL:
        result = fn.truth_datum(truth(fn, datum))
    elif target == IS_NULL:
        result = fn.constant(None)
    elif target == IS_ARRAY:
        result = array_of(fn, datum)
    else:
        raise fn.unsupported("a cast to object is not compiled yet")
    fn.define(instr.result_def, result)


@lowers(Opcode.GET_TYPE)
def _gettype(fn: FunctionLowering, instr: Instr) -> None:
    """gettype() takes anything and cannot fail."""
    area = fn.store_arguments([fn.read(instr, "op1")])
    fn.define(instr.result_def, fn.unpack(fn.framed("s2l_fn_gettype", integer(1, I32), area), MAY_BE_STRING))
