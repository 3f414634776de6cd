"""Types choose registers, and values survive the way through other representations."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.backend import target_machine
from ssa2llvm.llvm.layouts import Tag
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import F64, I1, I64, FunctionText, Val


@pytest.mark.parametrize(
    ("mask", "rep"),
    [
        (MAY_BE_NULL, Rep.NULL),
        (MAY_BE_UNDEF, Rep.NULL),
        (MAY_BE_NULL | MAY_BE_UNDEF, Rep.VALUE),  # null and undefined must be told apart
        (MAY_BE_FALSE, Rep.BOOL),
        (MAY_BE_BOOL, Rep.BOOL),
        (MAY_BE_BOOL | MAY_BE_NULL, Rep.VALUE),
        (MAY_BE_LONG, Rep.LONG),
        (MAY_BE_DOUBLE, Rep.DOUBLE),
        (MAY_BE_NUMBER, Rep.NUMBER),
        (MAY_BE_NUMBER | MAY_BE_TRUE, Rep.VALUE),
        (MAY_BE_STRING, Rep.STRING),
        (MAY_BE_ARRAY | MAY_BE_LONG << 10, Rep.ARRAY),  # what is in an array does not matter
        (MAY_BE_ANY, Rep.VALUE),
    ],
)
def test_choice(mask, rep):
    assert representation(mask) is rep


def run(parameter: str, datum_of, way: list[Rep], argument):
    """JIT a function that takes a register, sends it through ``way`` and returns the last register."""
    text = FunctionText(f"define {{TYPE}} @f({parameter} %x)")
    datum = datum_of(Val(parameter, "%x"))
    for rep in way:
        datum = convert(text, datum, rep)
    result = datum.parts[-1] if way[-1] is Rep.VALUE else datum.parts[0]
    text.ret(result)
    text.header = text.header.replace("{TYPE}", result.type)
    module = llvm.parse_assembly(text.text())
    module.verify()
    engine = llvm.create_mcjit_compiler(module, target_machine(None, 0))
    engine.finalize_object()
    types = {I1: ctypes.c_bool, I64: ctypes.c_int64, F64: ctypes.c_double}
    return ctypes.CFUNCTYPE(types[result.type], types[parameter])(engine.get_function_address("f"))(argument)


def long(x):
    return Datum(MAY_BE_LONG, Rep.LONG, (x,))


def double(x):
    return Datum(MAY_BE_DOUBLE, Rep.DOUBLE, (x,))


def boolean(x):
    return Datum(MAY_BE_BOOL, Rep.BOOL, (x,))


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63)])
def test_int_through_number_and_value(number):
    assert run(I64, long, [Rep.NUMBER, Rep.VALUE, Rep.NUMBER, Rep.LONG], number) == number
    assert run(I64, long, [Rep.VALUE], number) == Tag.LONG


@pytest.mark.parametrize("number", [0.0, -0.5, 1e300, float("inf")])
def test_float_through_number_and_value(number):
    assert run(F64, double, [Rep.VALUE, Rep.DOUBLE], number) == number
    assert run(F64, double, [Rep.NUMBER, Rep.VALUE], number) == Tag.DOUBLE


@pytest.mark.parametrize("truth", [True, False])
def test_bool_through_value(truth):
    assert run(I1, boolean, [Rep.VALUE, Rep.BOOL], truth) is truth
    assert run(I1, boolean, [Rep.VALUE], truth) == (Tag.TRUE if truth else Tag.FALSE)


def test_undefined_keeps_its_tag():
    text = FunctionText("define i64 @f()")
    undefined = convert(text, Datum(MAY_BE_UNDEF, Rep.NULL), Rep.VALUE)
    null = convert(text, Datum(MAY_BE_NULL, Rep.NULL), Rep.VALUE)
    assert [undefined.parts[1].ref, null.parts[1].ref] == [str(int(Tag.UNDEF)), str(int(Tag.NULL))]
