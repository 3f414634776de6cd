"""Laws of SCCP's lattice, and what it means for arrays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ssa2llvm.ir.literals import ArrayConst
from ssa2llvm.opt.lattice import (
    BOTTOM,
    TOP,
    Constant,
    LatticeValue,
    PartialArray,
    lattice_text,
    literal_value,
    meet,
    same_value,
)
from ssa2llvm.values.array import PhpArray

SCALARS = st.sampled_from([None, True, False, 0, 1, -1, 0.0, -0.0, 1.0, float("nan"), b"", b"1", b"a"])
ARRAYS = st.dictionaries(st.sampled_from([0, 1, b"k", b"l"]), SCALARS, max_size=3).map(
    lambda entries: PhpArray.from_items(entries.items())
)
VALUES: st.SearchStrategy[LatticeValue] = st.one_of(
    st.sampled_from([TOP, BOTTOM]), SCALARS.map(Constant), ARRAYS.map(Constant), ARRAYS.map(PartialArray)
)


@given(VALUES)
def test_meet_with_itself(value: LatticeValue) -> None:
    assert same_value(meet(value, value), value)


@given(VALUES)
def test_extremes(value: LatticeValue) -> None:
    assert same_value(meet(TOP, value), value)
    assert meet(value, BOTTOM) is BOTTOM


def entries_of(value: LatticeValue) -> dict[object, object] | None:
    if isinstance(value, PartialArray):
        return {key: repr(element) for key, element in value.known.items()}
    if isinstance(value, Constant) and isinstance(value.value, PhpArray):
        return {key: repr(element) for key, element in value.value.items()}
    return None


@given(VALUES, VALUES)
def test_meet_knows_no_more_than_either(left: LatticeValue, right: LatticeValue) -> None:
    result = meet(left, right)
    for side in (left, right):
        if side is not TOP and isinstance(result, PartialArray):
            known = entries_of(side)
            assert known is not None
            assert entries_of(result).items() <= known.items()
        if isinstance(result, Constant):
            assert side is TOP or same_value(side, result)


@given(VALUES, VALUES, VALUES)
def test_meet_of_three_in_any_order_knows_the_same(a: LatticeValue, b: LatticeValue, c: LatticeValue) -> None:
    one, other = meet(meet(a, b), c), meet(a, meet(b, c))
    assert type(one) is type(other)
    assert entries_of(one) == entries_of(other)


def test_zeros_and_nan() -> None:
    assert meet(Constant(0.0), Constant(-0.0)) is BOTTOM
    nan = Constant(float("nan"))
    assert same_value(meet(nan, Constant(float("nan"))), nan)
    assert meet(Constant(1), Constant(1.0)) is BOTTOM
    assert meet(Constant(1), Constant(True)) is BOTTOM


def test_text_is_that_of_php_dumps() -> None:
    array = PhpArray.from_items([(0, 1), (b"k", b"v")])
    assert lattice_text(Constant(array)) == '[0 => int(1), "k" => string("v")]'
    assert lattice_text(PartialArray(PhpArray())) == "partial []"
    assert lattice_text(Constant(None)) == "null"
    assert lattice_text(TOP) == "top"


def test_arrays_in_arrays_meet_element_by_element() -> None:
    left = Constant(PhpArray.from_items([(b"k", PhpArray.from_list([1, 2])), (b"l", 5)]))
    right = Constant(PhpArray.from_items([(b"k", PhpArray.from_list([1, 3])), (b"l", 6)]))
    met = meet(left, right)
    assert lattice_text(met) == 'partial ["k" => partial [0 => int(1)]]'
    assert same_value(meet(met, left), met)
    assert not same_value(met, PartialArray(PhpArray(0)))


def test_a_literal_array_goes_on_after_its_greatest_key_and_the_empty_one_at_zero() -> None:
    """PHP 8.2: ``$a = [-5 => 1]; $a[] = 2;`` makes the key -4, ``$a = []; $a[-5] = 1; $a[] = 2;`` the key 0."""
    for literal, following in ((ArrayConst(((-5, 1),), False), -4), (ArrayConst((), True), 0)):
        value = literal_value(literal)
        assert isinstance(value, Constant)
        assert isinstance(value.value, PhpArray)
        if not literal.entries:
            value.value.put(-5, 1)
        assert value.value.next_index == following
