"""Expressions that PHP leaves for run time although their value is known: ``function f($x = PHP_INT_MAX)``.

PHP keeps the default of a parameter as an expression, for the sake of reflection, and evaluates it in each call that
needs it. What is built from its own constants alone is the same in every call; before SSA form is built, a literal
takes the expression's place, so that inference and all passes see a plain default. O(instructions), and a parse of
each such expression.

Left as they are, and refused by code generation: expressions with constants of the program, which need not exist yet
(or in this namespace) when the function is called, with classes, and those that warn or throw; a default that is not
of its parameter's declared type, for RECV_INIT converts or refuses only what it evaluates itself.
"""

from __future__ import annotations

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Literal
from ssa2llvm.ir.op_array import Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import const
from ssa2llvm.ir.types import MAY_BE_ARRAY
from ssa2llvm.values.coerce import type_bit

_HOLDERS = frozenset({Opcode.RECV_INIT, Opcode.DECLARE_CONST})
"""The instructions whose op2 may be an expression."""

Known = tuple[Literal]
"""A value that is known; None, which is a literal too, could not say that it is not."""


def known_value(op_array: OpArray, op: Op) -> Known | None:
    """The value of the expression that ``op`` holds, in a tuple; None if it holds none or its value is not known."""
    if op.opcode not in _HOLDERS or not op.op2.is_const:
        return None
    expression = op_array.literal(op.op2)
    if not isinstance(expression, ConstAst) or r"\defined(" in expression.text:
        return None
    from ssa2llvm.php.constants import constant_value  # the laboratory does without the front end

    try:
        value = constant_value(expression)
    except CompileError:
        return None
    if op.opcode == Opcode.RECV_INIT and not _fits(op_array, op.op1.num, value):
        return None
    return (value,)


def _fits(op_array: OpArray, number: int, value: Literal) -> bool:
    """Whether parameter ``number`` (from 1) takes ``value`` as it is."""
    if number > len(op_array.arg_info):
        return True
    declared = op_array.arg_info[number - 1].type
    if isinstance(value, ArrayConst):
        return declared.accepts_any or bool(declared.mask & MAY_BE_ARRAY)
    assert not isinstance(value, (ConstAst, Inexact, JumpTable))
    return declared.accepts_any or bool(declared.mask & type_bit(value))


def settle_known_values(script: Script) -> None:
    """Give every instruction whose expression is known the value as a literal of its own."""
    for op_array in script.op_arrays():
        for op in op_array.ops:
            known = known_value(op_array, op)
            if known is not None:
                op.op2 = const(len(op_array.literals))
                op_array.literals.extend(known)
