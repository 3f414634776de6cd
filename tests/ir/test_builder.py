"""FunctionBuilder: labels, literals, numbering of temporaries."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.builder import FunctionBuilder, script_of
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_LONG


def test_temporaries_follow_all_cvs_even_those_named_later() -> None:
    b = FunctionBuilder("f", params=["a"])
    early = b.emit(Opcode.ADD, b.cv("a"), b.const(1))
    b.assign(b.cv("late"), early)
    op_array = b.finish()
    assert op_array.cvs == ["a", "late"]
    assert op_array.ops[1].result.num == 2
    assert op_array.ops[2].op2 == op_array.ops[1].result


def test_forward_and_backward_labels() -> None:
    b = FunctionBuilder("loop")
    top, done = b.label(), b.label()
    b.place(top)
    b.branch_zero(b.cv("x"), done)
    b.jump(top)
    b.place(done)
    b.ret()
    ops = b.finish().ops
    assert ops[0].op2.num == 2
    assert ops[1].op1.num == 0


def test_unplaced_label_is_an_error() -> None:
    b = FunctionBuilder("f")
    b.jump(b.label())
    with pytest.raises(ValueError, match="not placed"):
        b.finish()


def test_literals_are_shared_only_when_they_are_the_same_value() -> None:
    b = FunctionBuilder("f")
    assert b.const(1) == b.const(1)
    different = [1, 1.0, True, b"1", 0.0, -0.0, float("nan"), None, False, 0]
    assert len({b.const(value).num for value in different}) == len(different)


def test_switch_table_targets() -> None:
    b = FunctionBuilder("f", params=["x"])
    one, other = b.label(), b.label()
    b.switch(Opcode.SWITCH_LONG, b.cv("x"), [(1, one), (2, one)], other)
    b.place(one)
    b.ret(b.const(10))
    b.place(other)
    b.ret(b.const(20))
    op_array = b.finish()
    assert op_array.literal(op_array.ops[1].op2) == JumpTable(((1, 2), (2, 2)))
    assert op_array.ops[1].extended_value == 3


def test_declared_return_type_is_verified_before_return() -> None:
    b = FunctionBuilder("f", params=[("n", MAY_BE_LONG)], returns=MAY_BE_LONG)
    b.ret(b.cv("n"))
    opcodes = [op.opcode for op in b.finish().ops]
    assert opcodes == [Opcode.RECV, Opcode.VERIFY_RETURN_TYPE, Opcode.RETURN]


def test_main_script_returns_one() -> None:
    main = script_of(None).main
    assert main.is_main
    assert main.literal(main.ops[-1].op1) == 1


def test_order_of_op_arrays_is_depth_first() -> None:
    inner, outer, last = (FunctionBuilder(name).finish() for name in ("inner", "outer", "last"))
    outer.dynamic_defs.append(inner)
    assert [o.name for o in script_of(None, [outer, last]).op_arrays()] == ["$_main", "outer", "inner", "last"]


def test_call_numbers_arguments_from_one() -> None:
    b = FunctionBuilder("f", params=["x"])
    result = b.call("g", [b.cv("x"), b.const(2)])
    ops = b.finish().ops
    assert [op.opcode for op in ops[1:5]] == [
        Opcode.INIT_FCALL_BY_NAME,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_VAL_EX,
        Opcode.DO_FCALL_BY_NAME,
    ]
    assert [ops[2].op2.num, ops[3].op2.num] == [1, 2]
    assert ops[1].extended_value == 2
    assert result.kind == OpKind.VAR
