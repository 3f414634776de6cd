"""The text builder writes what LLVM reads."""

from __future__ import annotations

import ctypes
import math
import struct

import llvmlite.binding as llvm
import pytest

from ssa2llvm.llvm.backend import target_machine
from ssa2llvm.llvm.mangle import c_identifier, fold_case
from ssa2llvm.llvm.seam import FALSE, I64, PTR, TRUE, FunctionText, Val, byte_string, double, integer, quoted


@pytest.mark.parametrize("number", [0.0, -0.0, 1.5, math.inf, math.nan, 5e-324])
def test_doubles_keep_every_bit(number):
    assert int(double(number).ref, 16).to_bytes(8, "big") == struct.pack(">d", number)


def test_bytes_survive():
    data = bytes(range(256))
    module = llvm.parse_assembly(f"@x = constant [256 x i8] c{byte_string(data)}")
    engine = llvm.create_mcjit_compiler(module, target_machine(None, 0))
    engine.finalize_object()
    assert ctypes.string_at(engine.get_global_value_address("x"), 256) == data


def test_any_name_is_a_symbol():
    for name in ("php.main", 'a"b\\c', "größe", "two words"):
        assert llvm.parse_assembly(f"declare void {quoted(name)}()")


def test_cold_blocks_stand_last_and_labels_differ():
    text = FunctionText("define i64 @f(i1 %c)")
    cold, warm, again = text.new_block("x", cold=True), text.new_block("x"), text.new_block("x")
    text.branch(Val("i1", "%c"), warm, cold)
    text.at(warm)
    text.jump(again)
    text.at(again)
    text.ret(integer(1))
    text.at(cold)
    text.ret(integer(2))
    written = text.text()
    llvm.parse_assembly(written).verify()
    assert [line[:-1] for line in written.splitlines() if line.endswith(":")] == ["entry", "x.1", "x.2", "x"]


def test_allocas_are_gathered_in_the_entry():
    text = FunctionText("define void @f()")
    later = text.new_block("later")
    text.jump(later)
    text.at(later)
    slot = text.alloca(I64, "slot")
    text.store(integer(1), slot)
    text.ret()
    lines = text.text().splitlines()
    assert lines[2].strip().startswith(f"{slot.ref} = alloca i64")
    llvm.parse_assembly(text.text()).verify()


def test_nothing_follows_a_terminator():
    text = FunctionText("define void @f()")
    text.ret()
    with pytest.raises(AssertionError):
        text.emit("fence seq_cst")


def test_a_block_without_terminator_is_refused():
    text = FunctionText("define void @f()")
    text.new_block("open")
    text.ret()
    with pytest.raises(AssertionError):
        text.text()


def test_constant_conditions_fold():
    text = FunctionText("define void @f()")
    yes, no = integer(1), integer(2)
    assert text.select(TRUE, yes, no) == yes
    assert text.negate(FALSE) == TRUE
    assert text.offset(Val(PTR, "%p"), 0) == Val(PTR, "%p")


@pytest.mark.parametrize(
    ("php", "c"),
    [
        ("fib", "fib"),
        ("main", "php_main"),
        ("malloc", "php_malloc"),
        ("int", "php_int"),
        ("php_main", "php_php_main"),
        ("My\\Space\\f", "php_My_x5CSpace_x5Cf"),
        ("größe", "php_gr_xC3_xB6_xC3_x9Fe"),
    ],
)
def test_c_names(php, c):
    assert c_identifier(php) == c


def test_c_names_differ():
    names = ["main", "php_main", "a\\b", "a_x5Cb", "a_b", "A_b", "_f", "f_"]
    assert len({c_identifier(name) for name in names}) == len(names)


def test_function_names_ignore_ascii_case_only():
    assert fold_case("\\FooÄ") == "fooÄ"
