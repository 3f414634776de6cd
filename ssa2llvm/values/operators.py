"""Operators by opcode: the one table through which folding and the interpreter evaluate ADD, IS_EQUAL, CAST and their
kin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.values import arith, bitwise, compare
from ssa2llvm.values.convert import to_bool
from ssa2llvm.values.host import Host
from ssa2llvm.values.types import Value

BinaryOperator = Callable[[Value, Value, Host], Value]

BINARY: Final[dict[Opcode, BinaryOperator]] = {
    Opcode.ADD: arith.add,
    Opcode.SUB: arith.subtract,
    Opcode.MUL: arith.multiply,
    Opcode.DIV: arith.divide,
    Opcode.MOD: arith.modulo,
    Opcode.POW: arith.power,
    Opcode.SL: bitwise.shift_left,
    Opcode.SR: bitwise.shift_right,
    Opcode.CONCAT: bitwise.concat,
    Opcode.FAST_CONCAT: bitwise.concat,
    Opcode.BW_OR: bitwise.bitwise_or,
    Opcode.BW_AND: bitwise.bitwise_and,
    Opcode.BW_XOR: bitwise.bitwise_xor,
    Opcode.BOOL_XOR: bitwise.logical_xor,
    Opcode.IS_IDENTICAL: lambda left, right, host: compare.identical(left, right),
    Opcode.IS_NOT_IDENTICAL: lambda left, right, host: not compare.identical(left, right),
    Opcode.CASE_STRICT: lambda left, right, host: compare.identical(left, right),
    Opcode.IS_EQUAL: compare.loosely_equal,
    Opcode.IS_NOT_EQUAL: lambda left, right, host: not compare.loosely_equal(left, right, host),
    Opcode.CASE: compare.loosely_equal,
    Opcode.IS_SMALLER: compare.is_smaller,
    Opcode.IS_SMALLER_OR_EQUAL: compare.is_smaller_or_equal,
    Opcode.SPACESHIP: compare.compare,
}
"""Opcodes with two value operands and a result, and nothing else. ASSIGN_OP and its kin name one of them."""

UNARY: Final[dict[Opcode, Callable[[Value, Host], Value]]] = {
    Opcode.BW_NOT: bitwise.bitwise_not,
    Opcode.BOOL_NOT: lambda value, host: not to_bool(value),
    Opcode.BOOL: lambda value, host: to_bool(value),
}
"""Opcodes with one value operand and a result."""

COMMUTED: Final = frozenset(
    {
        Opcode.MUL,
        Opcode.BW_OR,
        Opcode.BW_AND,
        Opcode.BW_XOR,
        Opcode.BOOL_XOR,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_IDENTICAL,
        Opcode.IS_EQUAL,
        Opcode.IS_NOT_EQUAL,
    }
)
"""Opcodes whose operands PHP exchanges when it makes code ready to run, if op1's kind is the smaller one in the order
CONST < TMP < VAR < CV (Zend/zend_vm_execute.h:zend_vm_set_opcode_handler). Visible: ``1 | $s`` throws "string | int",
and what the right operand reports comes first. Op arrays
hold the operands exchanged, as PHP's dumps and file cache do: the front end asks, whoever runs code takes op1 first."""


def is_commuted(opcode: Opcode, op1: OpKind, op2: OpKind) -> bool:
    """Whether PHP exchanges the operands of such an instruction before it runs it."""
    return opcode in COMMUTED and op1 < op2
