"""The hand-written fast paths, each against PHP's rules in Python, and the whole file against LLVM's verifier."""

from __future__ import annotations

import ctypes
import math
import struct
import subprocess

import llvmlite.binding as llvm
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ssa2llvm.llvm.module as module
from ssa2llvm.llvm.backend import target_machine
from ssa2llvm.values import arith, compare
from ssa2llvm.values.host import Host
from tests.tools import need_tool

EDGES = [0, 1, -1, 2, 7, -8, 63, 2**31, 2**53 + 1, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]
FLOATS = [0.0, -0.0, 0.5, -2.5, 1e18, 2.0**63, -(2.0**63), 1e300, math.inf, -math.inf, math.nan]
numbers = st.one_of(st.sampled_from(EDGES), st.integers(-(2**63), 2**63 - 1), st.sampled_from(FLOATS), st.floats())

WRAPPERS = """
define void @w_{name}(i64 %a, i1 %ad, i64 %b, i1 %bd, ptr %out) {{
  %r = call {{ i64, i1 }} @s2l.number.{name}(i64 %a, i1 %ad, i64 %b, i1 %bd)
  %bits = extractvalue {{ i64, i1 }} %r, 0
  %double = extractvalue {{ i64, i1 }} %r, 1
  store i64 %bits, ptr %out
  %at = getelementptr i8, ptr %out, i64 8
  %wide = zext i1 %double to i64
  store i64 %wide, ptr %at
  ret void
}}
"""
COMPARE = """
define i64 @w_{name}(i64 %a, i1 %ad, i64 %b, i1 %bd) {{
  %r = call i1 @s2l.number.{name}(i64 %a, i1 %ad, i64 %b, i1 %bd)
  %wide = zext i1 %r to i64
  ret i64 %wide
}}
"""
OTHERS = """
define i64 @w_mod(i64 %a, i64 %b) { %r = call i64 @s2l.long.mod(i64 %a, i64 %b) ret i64 %r }
define i64 @w_left(i64 %a, i64 %b) { %r = call i64 @s2l.long.shift.left(i64 %a, i64 %b) ret i64 %r }
define i64 @w_right(i64 %a, i64 %b) { %r = call i64 @s2l.long.shift.right(i64 %a, i64 %b) ret i64 %r }
define i64 @w_spaceship(double %a, double %b) { %r = call i64 @s2l.double.spaceship(double %a, double %b) ret i64 %r }
"""


@pytest.fixture(scope="module")
def prelude():
    from ssa2llvm.llvm.jit import LoadedCode

    text = module.prelude_text() + OTHERS
    text += "".join(WRAPPERS.format(name=name) for name in ("add", "sub", "mul", "div"))
    text += "".join(COMPARE.format(name=name) for name in ("equal", "smaller", "smaller_or_equal"))
    machine = target_machine(None, 1, jit=True)
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    names = [function.name for function in parsed.functions if function.name.startswith("w_")]
    code = LoadedCode(parsed, machine)
    code.link(names)
    return code


def bits(number: int | float) -> int:
    return struct.unpack("<q", struct.pack("<d", number))[0] if isinstance(number, float) else number


def show(number: int | float) -> tuple[str, int]:
    """Type and bits; all NaNs are one."""
    if isinstance(number, float):
        return ("float", bits(math.nan) if math.isnan(number) else bits(number))
    return ("int", number)


def calculate(code, name: str, a: int | float, b: int | float) -> tuple[str, int]:
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_bool, ctypes.c_int64, ctypes.c_bool, ctypes.c_void_p)
    out = (ctypes.c_int64 * 2)()
    prototype(code.address(f"w_{name}"))(bits(a), isinstance(a, float), bits(b), isinstance(b, float), out)
    value = struct.unpack("<d", struct.pack("<q", out[0]))[0] if out[1] else out[0]
    return show(value)


OPERATIONS = {"add": arith.add, "sub": arith.subtract, "mul": arith.multiply, "div": arith.divide}


@pytest.mark.parametrize("name", OPERATIONS)
@given(a=numbers, b=numbers)
def test_arithmetic(prelude, name, a, b):
    if name == "div" and b == 0:
        return  # thrown before
    assert calculate(prelude, name, a, b) == show(OPERATIONS[name](a, b, Host()))


PREDICATES = {
    "equal": compare.loosely_equal,
    "smaller": compare.is_smaller,
    "smaller_or_equal": compare.is_smaller_or_equal,
}


@pytest.mark.parametrize("name", PREDICATES)
@given(a=numbers, b=numbers)
def test_comparison(prelude, name, a, b):
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_bool, ctypes.c_int64, ctypes.c_bool)
    result = prototype(prelude.address(f"w_{name}"))(bits(a), isinstance(a, float), bits(b), isinstance(b, float))
    assert bool(result) == PREDICATES[name](a, b, Host())


LONGS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


@given(a=st.sampled_from(EDGES), b=st.sampled_from([n for n in EDGES if n]))
def test_modulo(prelude, a, b):
    assert LONGS(prelude.address("w_mod"))(a, b) == arith.modulo(a, b, Host())


@pytest.mark.parametrize("count", [0, 1, 31, 62, 63, 64, 65, 1000, 2**63 - 1])
@pytest.mark.parametrize("number", EDGES)
def test_shifts(prelude, number, count):
    left = ((number << count) & (2**64 - 1)) if count < 64 else 0
    left = left - 2**64 if left >> 63 else left
    assert LONGS(prelude.address("w_left"))(number, count) == left
    assert LONGS(prelude.address("w_right"))(number, count) == number >> min(count, 63)


@pytest.mark.parametrize(
    ("a", "b", "wanted"), [(1.0, 2.0, -1), (2.0, 1.0, 1), (-0.0, 0.0, 0), (math.nan, 1.0, 1), (1.0, math.nan, 1)]
)
def test_spaceship_of_floats(prelude, a, b, wanted):
    assert (
        ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_double)(prelude.address("w_spaceship"))(a, b)
        == wanted
    )


def test_opt_accepts_the_prelude():
    text = module.prelude_text()
    subprocess.run([need_tool("opt"), "-passes=verify", "-disable-output", "-"], input=text, text=True, check=True)
