"""Compile-time evaluation: gives PHP's value, or refuses where PHP would do more than give a value."""

from __future__ import annotations

import pytest

from ssa2llvm.ir import types
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.opt import evaluate
from ssa2llvm.opt.lattice import BOTTOM, Constant, LatticeValue, PartialArray, same_value
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import Value

LIST = PhpArray.from_list([10, None])
KNOWN, PART = Constant(LIST), PartialArray(LIST)


def gives(result: LatticeValue | None, value: Value) -> None:
    assert result is not None
    assert same_value(result, Constant(value))


@pytest.mark.parametrize(
    ("opcode", "left", "right", "value"),
    [
        (Opcode.ADD, 2**63 - 1, 1, 9223372036854775808.0),
        (Opcode.ADD, b"5", b"5.5", 10.5),
        (Opcode.DIV, 7, 2, 3.5),
        (Opcode.DIV, 6, 2, 3),
        (Opcode.MOD, -7, 3, -1),
        (Opcode.POW, 2, -1, 0.5),
        (Opcode.SL, 1, 64, 0),
        (Opcode.BW_AND, b"ab", b"`b", b"`b"),
        (Opcode.IS_EQUAL, b"abc", 0, False),
        (Opcode.IS_EQUAL, b"1e3", b"1000", True),
        (Opcode.SPACESHIP, 1.5, 1, 1),
        (Opcode.CONCAT, 1.0, b"x", b"1x"),
        (Opcode.CONCAT, None, True, b"1"),
    ],
)
def test_binary(opcode: Opcode, left: Value, right: Value, value: Value) -> None:
    gives(evaluate.binary(opcode, Constant(left), Constant(right)), value)


@pytest.mark.parametrize(
    ("opcode", "left", "right"),
    [
        (Opcode.DIV, 1, 0),
        (Opcode.MOD, 1, 0),
        (Opcode.SL, 1, -1),
        (Opcode.ADD, b"5 apples", 1),
        (Opcode.ADD, b"apples", 1),
        (Opcode.BW_OR, 1.5, 1),
        (Opcode.ADD, LIST, 1),
        (Opcode.CONCAT, LIST, b""),
        (Opcode.CONCAT, b"x" * 40_000, b"y" * 40_000),
    ],
)
def test_what_reports_or_throws_or_grows_is_refused(opcode: Opcode, left: Value, right: Value) -> None:
    assert evaluate.binary(opcode, Constant(left), Constant(right)) is None


def test_partial_arrays_are_truthful_about_emptiness_only_when_they_hold_something() -> None:
    assert evaluate.truthiness(PART) is True
    assert evaluate.truthiness(PartialArray(PhpArray())) is None
    assert evaluate.truthiness(Constant(PhpArray())) is False
    assert evaluate.binary(Opcode.ADD, PART, KNOWN) is None


def test_reading_elements() -> None:
    gives(evaluate.fetch_dim(KNOWN, Constant(b"0"), strings_too=True), 10)
    gives(evaluate.fetch_dim(PART, Constant(1), strings_too=True), None)
    assert evaluate.fetch_dim(KNOWN, Constant(2), strings_too=True) is None
    assert evaluate.fetch_dim(KNOWN, Constant(0.5), strings_too=True) is None
    gives(evaluate.fetch_dim(Constant(b"abc"), Constant(2), strings_too=True), b"c")
    assert evaluate.fetch_dim(Constant(b"abc"), Constant(3), strings_too=True) is None
    assert evaluate.fetch_dim(Constant(b"abc"), Constant(1), strings_too=False) is None


def test_isset_and_empty_of_elements() -> None:
    gives(evaluate.isset_dim(0, KNOWN, Constant(1)), False)
    gives(evaluate.isset_dim(0, KNOWN, Constant(9)), False)
    gives(evaluate.isset_dim(ISEMPTY, KNOWN, Constant(9)), True)
    assert evaluate.isset_dim(0, PART, Constant(9)) is None
    gives(evaluate.isset_dim(0, Constant(5), Constant(0)), False)
    gives(evaluate.key_exists(Constant(1), KNOWN), True)
    assert evaluate.key_exists(Constant(9), PART) is None


def test_stores() -> None:
    gives(evaluate.store(Constant(None), None, Constant(7)), PhpArray.from_list([7]))
    gives(evaluate.store(KNOWN, Constant(b"0"), Constant(7)), PhpArray.from_list([7, None]))
    assert list(LIST.items()) == [(0, 10), (1, None)]
    unknown = evaluate.store(KNOWN, Constant(0), BOTTOM)
    assert isinstance(unknown, PartialArray)
    assert list(unknown.known.items()) == [(1, None)]
    anywhere = evaluate.store(KNOWN, BOTTOM, Constant(1))
    assert isinstance(anywhere, PartialArray)
    assert not len(anywhere.known)


def test_storing_into_false_or_a_string_is_left_to_run_time() -> None:
    for container in (False, b"abc", 5, True):
        assert evaluate.store(Constant(container), Constant(0), Constant(b"x")) is None


def test_full_array_refuses_to_grow() -> None:
    full = PhpArray.from_items([(2**63 - 1, 1)])
    assert evaluate.store(Constant(full), None, Constant(1)) is None


@pytest.mark.parametrize(
    ("type_number", "operand", "value"),
    [
        (types.IS_LONG, b"12abc", 12),
        (types.IS_LONG, 1e30, 5076964154930102272),
        (types.IS_DOUBLE, b"1e2", 100.0),
        (types.IS_STRING, 0.1, b"0.1"),
        (types.IS_BOOL, b"0", False),
        (types.IS_ARRAY, 3, PhpArray.from_list([3])),
    ],
)
def test_casts(type_number: int, operand: Value, value: Value) -> None:
    gives(evaluate.cast(type_number, Constant(operand)), value)


def test_steps() -> None:
    gives(evaluate.step(Opcode.PRE_INC, Constant(b"Az")), b"Ba")
    gives(evaluate.step(Opcode.POST_DEC, Constant(None)), None)
    gives(evaluate.step(Opcode.PRE_INC, Constant(None)), 1)
    assert evaluate.step(Opcode.PRE_INC, KNOWN) is None


def test_a_partial_array_in_an_array() -> None:
    held = evaluate.store(Constant(PhpArray.from_list([1])), Constant(b"k"), PART)
    assert isinstance(held, PartialArray)
    inner = evaluate.fetch_dim(held, Constant(b"k"), strings_too=False)
    assert inner is not None
    gives(evaluate.fetch_dim(inner, Constant(0), strings_too=False), 10)
    gives(evaluate.fetch_dim(held, Constant(0), strings_too=False), 1)
    gives(evaluate.isset_dim(0, held, Constant(b"k")), True)
    overwritten = evaluate.store(held, Constant(b"k"), BOTTOM)
    assert overwritten is not None
    assert evaluate.fetch_dim(overwritten, Constant(b"k"), strings_too=False) is None


def test_an_appended_unknown_has_its_index() -> None:
    appended = evaluate.store(KNOWN, None, PART)
    assert appended is not None
    assert evaluate.fetch_dim(appended, Constant(2), strings_too=False) == PART
    # Where the next one goes is not known any more, but it overwrites nothing.
    again = evaluate.store(appended, None, BOTTOM)
    assert again is not None
    gives(evaluate.fetch_dim(again, Constant(0), strings_too=False), 10)


@pytest.mark.parametrize(
    ("strict", "needle", "found"),
    [
        (False, b"1", True),
        (True, b"1", False),
        (True, 1, True),
        (False, b"x", True),
        (False, None, False),
        (True, PhpArray(0), False),
    ],
)
def test_in_array(strict: bool, needle: Value, found: bool) -> None:
    keys = Constant(PhpArray.from_items([(1, None), (b"x", None)]))
    gives(evaluate.in_keys(strict, Constant(needle), keys), found)


def test_what_is_no_object_has_no_properties() -> None:
    gives(evaluate.isset_property(0, KNOWN), False)
    gives(evaluate.isset_property(ISEMPTY, Constant(b"text")), True)
