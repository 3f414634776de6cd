"""The opcode table against facts about PHP 8.2 that do not come from it."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.opcode import FIRST_PSEUDO_OPCODE, Opcode
from ssa2llvm.ir.optable import OPCODES, Effects, ExtKind, Flow, WordKind, Writes, op_info


def test_php_82_has_202_opcodes_up_to_202_without_45() -> None:
    numbers = {int(op) for op in Opcode if op < FIRST_PSEUDO_OPCODE}
    assert numbers == set(range(203)) - {45}


def test_every_opcode_has_one_row_in_order() -> None:
    assert [info.opcode for info in OPCODES] == sorted(Opcode)


@pytest.mark.parametrize("number", [45, 203, 255, 10_000, -1])
def test_unknown_number(number: int) -> None:
    with pytest.raises(KeyError):
        op_info(number)


@pytest.mark.parametrize(
    ("opcode", "op1", "op2", "ext"),
    [
        (Opcode.JMP, WordKind.JMP_ADDR, WordKind.NONE, ExtKind.NONE),
        (Opcode.JMPZ, WordKind.NONE, WordKind.JMP_ADDR, ExtKind.NONE),
        (Opcode.FE_FETCH_R, WordKind.NONE, WordKind.NONE, ExtKind.JMP_ADDR),
        (Opcode.RECV, WordKind.NUM, WordKind.NONE, ExtKind.NONE),
        (Opcode.ASSIGN_OP, WordKind.NONE, WordKind.NONE, ExtKind.OP),
        (Opcode.CAST, WordKind.NONE, WordKind.NONE, ExtKind.TYPE),
        (Opcode.TYPE_CHECK, WordKind.NONE, WordKind.NONE, ExtKind.TYPE_MASK),
        (Opcode.INIT_ARRAY, WordKind.NONE, WordKind.NEXT, ExtKind.ARRAY_INIT | ExtKind.REF),
        (Opcode.FETCH_OBJ_W, WordKind.THIS, WordKind.NONE, ExtKind.FETCH_REF | ExtKind.DIM_WRITE),
        (Opcode.CATCH, WordKind.NONE, WordKind.JMP_ADDR, ExtKind.LAST_CATCH),
        (Opcode.FAST_RET, WordKind.NONE, WordKind.TRY_CATCH, ExtKind.NONE),
    ],
)
def test_operand_words_as_php_prints_them(opcode: Opcode, op1: WordKind, op2: WordKind, ext: ExtKind) -> None:
    info = op_info(opcode)
    assert (info.op1, info.op2, info.ext) == (op1, op2, ext)


def test_definitions_besides_the_result() -> None:
    assert op_info(Opcode.ASSIGN_REF).writes == Writes.OP1_CV | Writes.OP2_CV
    assert op_info(Opcode.VERIFY_RETURN_TYPE).writes == Writes.OP1_VAR
    assert op_info(Opcode.SEND_VAR).writes == Writes.NONE
    assert op_info(Opcode.FETCH_OBJ_W).writes == Writes.NONE


def test_pure_opcodes_promise_nothing_happens() -> None:
    for opcode in (Opcode.QM_ASSIGN, Opcode.IS_IDENTICAL, Opcode.TYPE_CHECK, Opcode.JMP, Opcode.COALESCE):
        assert op_info(opcode).effects == Effects.NONE, opcode


def test_flow_that_ends_a_function() -> None:
    assert {info.opcode for info in OPCODES if info.flow is Flow.RETURN} == {
        Opcode.RETURN,
        Opcode.RETURN_BY_REF,
        Opcode.GENERATOR_RETURN,
        Opcode.VERIFY_NEVER_TYPE,
    }
