"""Type transfer functions, one by one: examples read from PHP's behaviour, and monotonicity as a property of all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ssa2llvm.analysis.facts import ReturnFact
from ssa2llvm.analysis.lattice import ANY_REF, ANY_VALUE, UNKNOWN, widen_reference
from ssa2llvm.analysis.ranges import INT_MAX, Range
from ssa2llvm.analysis.transfer.core import TRANSFER, Defs, Operands
from ssa2llvm.analysis.transfer.table import defs_of
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import ArgInfo, OpArray, TypeDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_NOT_PACKED, UNUSED, Operand, OpKind, cv, tmp
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    IS_ARRAY,
    IS_LONG,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_OF_ANY,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_ARRAY_STRING_HASH,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
    type_text,
)

_OF_LONG, _OF_DOUBLE = MAY_BE_LONG << ARRAY_SHIFT, MAY_BE_DOUBLE << ARRAY_SHIFT


class _Alone:
    """An environment that knows of nothing outside of the instruction."""

    def __init__(self, op_array: OpArray, user: Instr | None = None) -> None:
        self.op_array = op_array
        self._user = user

    def returned_by(self, instr: Instr) -> ReturnFact | None:
        return None

    def argument(self, number: int) -> int | None:
        return None

    def users_of_result(self, instr: Instr) -> list[Instr]:
        return [] if self._user is None else [self._user]

    def follower(self, instr: Instr) -> Instr | None:
        return self._user

    def is_trait(self, name: str) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


_X, _Y = cv(0), cv(1)
_FUNCTION = OpArray("f", arg_info=[ArgInfo("x", TypeDecl(MAY_BE_LONG | MAY_BE_NULL))], num_args=1)
_FUNCTION.return_type = TypeDecl(MAY_BE_DOUBLE)


def _apply(
    opcode: Opcode,
    op1: int = UNKNOWN,
    op2: int = UNKNOWN,
    *,
    sound: bool = True,
    ext: int = 0,
    op1_kind: Operand = _X,
    op2_kind: Operand = _Y,
    user: Opcode | None = None,
    **others: Any,
) -> Defs:
    result = tmp(2) if opcode not in (Opcode.DO_FCALL,) else Operand(OpKind.VAR, 2)
    instr = Instr(opcode, op1_kind, op2_kind, result, ext, result_def=5, op1_def=6)
    using = Instr(user, tmp(2)) if user is not None else None
    operands = Operands(
        instr=instr,
        env=_Alone(_FUNCTION, using),
        sound=sound,
        overloading=not sound,
        op1=op1,
        op2=op2,
        data=others.pop("data", UNKNOWN),
        result_in=others.pop("result_in", UNKNOWN),
    )
    return defs_of(replace(operands, **others))


@pytest.mark.parametrize(
    ("opcode", "op1", "op2", "fits", "zend", "sound"),
    [
        (Opcode.ADD, MAY_BE_LONG, MAY_BE_LONG, True, MAY_BE_LONG, MAY_BE_LONG),
        (Opcode.ADD, MAY_BE_LONG, MAY_BE_LONG, False, MAY_BE_NUMBER, MAY_BE_NUMBER),
        (Opcode.ADD, MAY_BE_NULL, MAY_BE_BOOL, True, MAY_BE_NUMBER, MAY_BE_LONG),
        (Opcode.MUL, MAY_BE_DOUBLE, MAY_BE_LONG, False, MAY_BE_DOUBLE, MAY_BE_DOUBLE),
        (Opcode.SUB, MAY_BE_STRING, MAY_BE_LONG, True, MAY_BE_NUMBER, MAY_BE_NUMBER),
        (Opcode.DIV, MAY_BE_LONG, MAY_BE_LONG, True, MAY_BE_NUMBER, MAY_BE_NUMBER),
        (Opcode.MOD, MAY_BE_DOUBLE, MAY_BE_STRING, False, MAY_BE_LONG, MAY_BE_LONG),
        (Opcode.BW_OR, MAY_BE_STRING, MAY_BE_STRING, False, MAY_BE_STRING, MAY_BE_STRING),
        (Opcode.BW_AND, MAY_BE_STRING | MAY_BE_LONG, MAY_BE_STRING, False, MAY_BE_STRING | MAY_BE_LONG, None),
        (Opcode.CONCAT, MAY_BE_LONG, MAY_BE_OBJECT, False, MAY_BE_STRING, MAY_BE_STRING),
        (Opcode.ADD, MAY_BE_OBJECT, MAY_BE_LONG, True, MAY_BE_OBJECT | MAY_BE_FALSE | MAY_BE_NUMBER, MAY_BE_NUMBER),
    ],
)
def test_binary(opcode: Opcode, op1: int, op2: int, fits: bool, zend: int, sound: int | None) -> None:
    range_ = Range(0, 9) if fits else None
    assert _apply(opcode, op1, op2, sound=False, result_range=range_).result == zend
    if sound is not None:
        assert _apply(opcode, op1, op2, result_range=range_).result == sound


def test_stepping() -> None:
    assert _apply(Opcode.PRE_INC, MAY_BE_LONG, op1_range=Range(0, 9)).op1 == MAY_BE_LONG
    assert _apply(Opcode.PRE_INC, MAY_BE_LONG, op1_range=Range(0, INT_MAX)).op1 == MAY_BE_NUMBER
    assert _apply(Opcode.PRE_INC, MAY_BE_NULL).op1 == MAY_BE_LONG
    assert _apply(Opcode.PRE_DEC, MAY_BE_NULL).op1 == MAY_BE_NULL
    assert _apply(Opcode.PRE_INC, MAY_BE_BOOL).op1 == MAY_BE_BOOL
    assert _apply(Opcode.PRE_INC, MAY_BE_STRING).op1 == MAY_BE_STRING | MAY_BE_NUMBER
    post = _apply(Opcode.POST_INC, MAY_BE_UNDEF | MAY_BE_LONG, op1_range=Range(0, 9))
    assert post.result == MAY_BE_NULL | MAY_BE_LONG
    assert post.op1 == MAY_BE_LONG


def test_assignment_reads_undef_as_null_and_keeps_a_reference_one() -> None:
    assert _apply(Opcode.ASSIGN, MAY_BE_LONG, MAY_BE_UNDEF | MAY_BE_STRING).op1 == MAY_BE_NULL | MAY_BE_STRING
    through = _apply(Opcode.ASSIGN, ANY_REF, MAY_BE_LONG)
    assert through.op1 == MAY_BE_REF | MAY_BE_LONG
    assert through.result == MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_NUMBER | MAY_BE_STRING


def test_copies_that_know_their_edge() -> None:
    assert _apply(Opcode.COALESCE, MAY_BE_UNDEF | MAY_BE_LONG).result == MAY_BE_LONG
    assert _apply(Opcode.JMP_SET, MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG).result == MAY_BE_TRUE | MAY_BE_LONG


def test_casts() -> None:
    assert _apply(Opcode.CAST, ANY_VALUE, ext=IS_LONG).result == MAY_BE_LONG
    array = _apply(Opcode.CAST, MAY_BE_NULL | MAY_BE_LONG, ext=IS_ARRAY).result
    assert array is not None
    assert type_text(array) == "[[empty, packed, hash] array [long] of [long]]"


@pytest.mark.parametrize(
    ("op1", "op2", "value", "expected"),
    [
        (MAY_BE_UNDEF, MAY_BE_LONG, MAY_BE_LONG, "[[packed, hash] array [long] of [long]]"),
        (MAY_BE_NULL, MAY_BE_STRING, MAY_BE_DOUBLE, "[[packed, hash] array of [double]]"),
        (MAY_BE_STRING, MAY_BE_LONG, MAY_BE_STRING, "[string]"),
        (
            MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_LONG,
            MAY_BE_NULL,
            MAY_BE_TRUE,
            "[[packed, hash] array of [true, long]]",
        ),
        (
            MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_STRING | _OF_LONG,
            MAY_BE_LONG,
            MAY_BE_LONG,
            "[hash array of [long]]",
        ),
    ],
)
def test_assigning_an_element(op1: int, op2: int, value: int, expected: str) -> None:
    mask = _apply(Opcode.ASSIGN_DIM, op1, op2, data=value).op1
    assert mask is not None
    assert type_text(mask) == expected


def test_a_number_is_no_container_afterwards() -> None:
    mask = _apply(Opcode.ASSIGN_DIM, MAY_BE_LONG | MAY_BE_NULL, MAY_BE_LONG, data=MAY_BE_LONG).op1
    assert mask is not None
    assert not mask & MAY_BE_LONG
    zend = _apply(Opcode.ASSIGN_DIM, MAY_BE_LONG | MAY_BE_NULL, MAY_BE_LONG, data=MAY_BE_LONG, sound=False).op1
    assert zend is not None
    assert zend & MAY_BE_LONG


def test_stepping_an_element_of_floats_makes_an_integer() -> None:
    floats = MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_DOUBLE
    ours = _apply(Opcode.FETCH_DIM_RW, floats, MAY_BE_STRING, user=Opcode.PRE_INC).op1
    assert ours is not None
    assert ours & _OF_LONG
    assert ours & MAY_BE_ARRAY_KEY_STRING
    zend = _apply(Opcode.FETCH_DIM_RW, floats, MAY_BE_STRING, user=Opcode.PRE_INC, sound=False)
    assert zend.op1 == floats  # docs/zend-bugs.md, 9


def test_reading_an_element() -> None:
    longs = MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_LONG
    assert _apply(Opcode.FETCH_DIM_R, longs, MAY_BE_LONG).result == MAY_BE_NULL | MAY_BE_LONG
    assert _apply(Opcode.FETCH_DIM_R, MAY_BE_STRING, MAY_BE_LONG).result == MAY_BE_STRING
    assert _apply(Opcode.FETCH_DIM_IS, MAY_BE_STRING, MAY_BE_LONG).result == MAY_BE_STRING | MAY_BE_NULL
    assert _apply(Opcode.FETCH_LIST_R, MAY_BE_STRING, MAY_BE_LONG).result == MAY_BE_NULL


def test_array_literals() -> None:
    empty = _apply(Opcode.INIT_ARRAY, op1_kind=UNUSED, op2_kind=UNUSED).result
    assert empty == MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY
    one = _apply(Opcode.INIT_ARRAY, MAY_BE_LONG, op2_kind=UNUSED).result
    assert one == MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_LONG
    zend = _apply(Opcode.INIT_ARRAY, MAY_BE_LONG, op2_kind=UNUSED, sound=False).result
    assert zend == MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_LONG | _OF_LONG
    with_string_keys = _apply(Opcode.INIT_ARRAY, MAY_BE_LONG, op2_kind=UNUSED, ext=ARRAY_NOT_PACKED).result
    assert with_string_keys == MAY_BE_ARRAY | MAY_BE_ARRAY_KEY_LONG | _OF_LONG


def test_an_element_without_key_leaves_a_packed_array_packed() -> None:
    packed = MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_LONG
    hashed = MAY_BE_ARRAY | MAY_BE_ARRAY_STRING_HASH | _OF_LONG
    added = _apply(Opcode.ADD_ARRAY_ELEMENT, MAY_BE_LONG, op2_kind=UNUSED, result_in=packed).result
    assert added == packed
    assert _apply(Opcode.ASSIGN_DIM, packed, op2_kind=UNUSED, data=MAY_BE_LONG, op1_out=0).op1 == packed
    fresh = _apply(
        Opcode.ASSIGN_DIM, MAY_BE_UNDEF | MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY, op2_kind=UNUSED, data=MAY_BE_LONG
    )
    assert fresh.op1 is not None
    assert not fresh.op1 & (MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH)
    mixed = _apply(Opcode.ASSIGN_DIM, hashed, op2_kind=UNUSED, data=MAY_BE_LONG, op1_out=0).op1
    assert mixed is not None
    assert mixed & MAY_BE_ARRAY_NUMERIC_HASH


def test_unpacking_renumbers() -> None:
    hashed = MAY_BE_ARRAY | MAY_BE_ARRAY_NUMERIC_HASH | _OF_LONG
    ours = _apply(Opcode.ADD_ARRAY_UNPACK, hashed, result_in=MAY_BE_ARRAY | MAY_BE_ARRAY_EMPTY).result
    assert ours is not None
    assert ours & MAY_BE_ARRAY_PACKED


def test_foreach_over_a_list() -> None:
    longs = MAY_BE_ARRAY | MAY_BE_ARRAY_PACKED | _OF_LONG
    fetched = _apply(Opcode.FE_FETCH_R, longs, MAY_BE_UNDEF)
    assert fetched.result == MAY_BE_LONG
    assert fetched.op2 == MAY_BE_LONG
    reset = _apply(Opcode.FE_RESET_R, longs | MAY_BE_NULL).result
    assert reset == longs | MAY_BE_UNDEF


def test_type_checks_decide_what_they_can() -> None:
    assert _apply(Opcode.TYPE_CHECK, MAY_BE_LONG, ext=MAY_BE_LONG).result == MAY_BE_TRUE
    assert _apply(Opcode.TYPE_CHECK, MAY_BE_UNDEF, ext=MAY_BE_LONG).result == MAY_BE_FALSE
    assert _apply(Opcode.TYPE_CHECK, MAY_BE_NUMBER, ext=MAY_BE_LONG).result == MAY_BE_BOOL


def test_parameters_and_returns_have_their_declared_types() -> None:
    assert _apply(Opcode.RECV, op1_kind=Operand(OpKind.UNUSED, 1)).result == MAY_BE_LONG | MAY_BE_NULL
    assert _apply(Opcode.VERIFY_RETURN_TYPE, MAY_BE_LONG).op1 == MAY_BE_DOUBLE
    assert _apply(Opcode.VERIFY_RETURN_TYPE, MAY_BE_DOUBLE).op1 == MAY_BE_DOUBLE


def test_unknown_calls_may_return_references() -> None:
    assert _apply(Opcode.DO_FCALL).result == ANY_REF


def _subset(mask: int) -> st.SearchStrategy[int]:
    """A non-empty set of the bits of ``mask``."""
    bits = [1 << bit for bit in range(32) if mask >> bit & 1]
    return st.lists(st.sampled_from(bits), min_size=1, max_size=4).map(lambda chosen: sum(set(chosen)))


def _with_elements(types: int, kinds: int, elements: int) -> int:
    return widen_reference(types | kinds | elements if types & MAY_BE_ARRAY else types)


_MASKS = st.builds(
    _with_elements,
    _subset(MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF).filter(lambda types: types != MAY_BE_REF),
    _subset(MAY_BE_ARRAY_KEY_ANY),
    _subset(MAY_BE_ARRAY_OF_ANY),
)
"""Masks that names have: bits of arrays only where an array is possible."""

_ARRAYS = st.builds(_with_elements, st.just(MAY_BE_ARRAY), _subset(MAY_BE_ARRAY_KEY_ANY), _subset(MAY_BE_ARRAY_OF_ANY))
"""Masks of an array literal under construction."""

_RANGES = st.sampled_from([None, Range(0, 9), Range(0, INT_MAX), Range(0, INT_MAX, False, True)])
_EXTS = {
    Opcode.CAST: [IS_LONG, IS_ARRAY],
    Opcode.ASSIGN_OP: [Opcode.ADD, Opcode.BW_OR],
    Opcode.ASSIGN_DIM_OP: [Opcode.MUL],
}
_NOT_MONOTONE_IN_ZEND = frozenset({Opcode.ASSIGN_OBJ_OP, Opcode.ASSIGN_STATIC_PROP_OP, Opcode.VERIFY_RETURN_TYPE})


@pytest.mark.parametrize("sound", [False, True], ids=["zend", "sound"])
@settings(max_examples=120, phases=[Phase.explicit, Phase.generate])
@given(data=st.data())
def test_more_types_in_give_more_types_out(sound: bool, data: st.DataObject) -> None:
    """Monotone in every operand: the result for a union of masks holds the results for its parts. All opcodes at
    once."""
    small = {name: data.draw(_MASKS) for name in ("op1", "op2", "data")}
    small["result_in"] = data.draw(_ARRAYS)
    nested = data.draw(_subset(MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY))
    large = {name: widen_reference(mask | data.draw(_MASKS)) for name, mask in small.items()}
    more_nested = data.draw(_subset(MAY_BE_ARRAY_KEY_ANY | MAY_BE_ARRAY_OF_ANY))
    shape: dict[str, Any] = {
        "sound": sound,
        "op1_range": data.draw(_RANGES),
        "result_range": data.draw(_RANGES),
        "op2_kind": data.draw(st.sampled_from([cv(1), tmp(1), UNUSED])),
        "user": data.draw(st.sampled_from([None, Opcode.ASSIGN_DIM, Opcode.PRE_INC, Opcode.SEND_REF])),
    }
    if shape["op2_kind"] == UNUSED:
        small["op2"] = large["op2"] = UNKNOWN
    ext = data.draw(st.integers(0, 2))
    for opcode in sorted(TRANSFER):
        if not sound and (opcode in _NOT_MONOTONE_IN_ZEND or shape["user"] == Opcode.PRE_INC):
            continue  # docs/zend-bugs.md, 9
        shape["ext"] = _EXTS.get(opcode, [0, 1, 2])[ext % len(_EXTS.get(opcode, [0, 1, 2]))]
        is_parameter = opcode in (Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC)
        shape["op1_kind"] = Operand(OpKind.UNUSED, 1) if is_parameter else cv(0)
        less = _apply(opcode, **small, **shape, op1_nested=nested)
        more = _apply(opcode, **large, **shape, op1_nested=nested | more_nested)
        for name in ("result", "op1", "op2", "data"):
            before, after = getattr(less, name), getattr(more, name)
            if before is not None and after is not None:
                if not sound:  # Zend forgets "empty" once some key is legal
                    before &= ~MAY_BE_ARRAY_EMPTY
                assert not widen_reference(before) & ~widen_reference(after), (opcode.name, name)
