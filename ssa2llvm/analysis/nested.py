"""Elements of elements: what each instruction tells of the arrays in its array (``Facts.nested``).

A type mask says of an array which types its elements have; if these are arrays, nothing of what is in them. For
``$m[$i][$j]`` that is the question. So a second mask goes beside each name's: the union of the kinds and element types
of all arrays that are elements of the name's array. Two levels are enough for matrices, grids and lists of records;
what is deeper may be anything.

Values have their arrays inside copied when written, so that nobody else changes them; but for arrays behind
references, whose cell says what they may be (``FunctionView.nested_widened``). A write through an element,
``$m[$i][$j] = $v``, is two instructions: FETCH_DIM_W of $m, whose new name must tell what is in the inner arrays
*after* the instruction behind it has stored there. So this looks at that instruction's operands
(``FunctionView.results_fed_by`` knows which names are read that way).

Whatever has no rule here may be anything. Monotone in all masks. Constant time an instruction.
"""

from __future__ import annotations

from typing import NamedTuple

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.analysis.lattice import (
    ARRAY_PART,
    array_after_write,
    array_part,
    elements_of,
    key_bits,
)
from ssa2llvm.analysis.references import REFERENCE_SENDS
from ssa2llvm.analysis.transfer.arithmetic import binary_type
from ssa2llvm.analysis.transfer.core import Defs
from ssa2llvm.analysis.transfer.dims import MAKES_REFERENCE
from ssa2llvm.analysis.type_steps import nested_in, operand_type, operands_of
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, OpKind
from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_STRING,
)

_COPIES_OP1 = frozenset(
    {
        Opcode.QM_ASSIGN,
        Opcode.COPY_TMP,
        Opcode.COPY,
        Opcode.COALESCE,
        Opcode.JMP_SET,
        Opcode.SEND_VAR,
        Opcode.FE_RESET_R,
        Opcode.FE_RESET_RW,
        Opcode.VERIFY_RETURN_TYPE,
        Opcode.UNSET_DIM,
        Opcode.MAKE_REF,
    }
)
"""What is defined holds arrays of op1's array only."""

_FETCHES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_LIST_W, Opcode.FETCH_DIM_UNSET})
_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})
"""Behind a fetch: they write the element itself, and make no array of it."""

_CALLS = frozenset({Opcode.DO_FCALL, Opcode.DO_ICALL, Opcode.DO_UCALL, Opcode.DO_FCALL_BY_NAME})
_BINDS = frozenset({Opcode.BIND_GLOBAL, Opcode.BIND_STATIC})
_SCALAR = MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE
_CALM = frozenset({Opcode.ADD, Opcode.SUB, Opcode.MUL, Opcode.CONCAT})
"""Operators that do not throw for scalars."""

_KEEPS_ELEMENTS = frozenset(
    {
        *("sort", "rsort", "usort", "shuffle", "asort", "arsort", "ksort", "krsort", "uasort", "uksort"),
        *("natsort", "natcasesort", "array_pop", "array_shift", "next", "prev", "reset", "end", "array_multisort"),
        *("str_replace", "str_ireplace", "preg_replace", "preg_match", "similar_text", "is_callable"),
    }
)
"""Internal functions that put no new array into the array that they are given by reference."""

_ADDS_VALUES = frozenset({"array_push", "array_unshift"})


class NestedDefs(NamedTuple):
    """For each name defined: what the arrays in its array may be."""

    result: int
    op1: int
    op2: int


NOTHING_NESTED = NestedDefs(0, 0, 0)


def holds_arrays(mask: int | None) -> bool:
    """Whether a value of this type may be an array with arrays in it."""
    return mask is not None and bool(mask & MAY_BE_ARRAY) and bool(mask & MAY_BE_ARRAY << ARRAY_SHIFT)


def nested_defs(view: FunctionView, facts: Facts, instr: Instr, defs: Defs) -> NestedDefs:
    """What ``instr`` defines, whose types by its transfer function are ``defs``."""
    if not (holds_arrays(defs.result) or holds_arrays(defs.op1) or holds_arrays(defs.op2)):
        return NOTHING_NESTED
    rules = _Rules(view, facts, instr)
    return NestedDefs(
        rules.result() if holds_arrays(defs.result) else 0,
        rules.op1() if holds_arrays(defs.op1) else 0,
        rules.op2() if holds_arrays(defs.op2) else 0,
    )


class _Rules:
    def __init__(self, view: FunctionView, facts: Facts, instr: Instr) -> None:
        self._view = view
        self._facts = facts
        self._instr = instr
        self._operands = operands_of(view, facts, instr)

    def _op2(self) -> int:
        return nested_in(self._view, self._facts, self._instr.op2, self._instr.op2_use)

    def _data(self) -> Instr | None:
        return self._view.sites[self._instr].data

    def result(self) -> int:
        """Of the result."""
        instr, operands = self._instr, self._operands
        opcode = instr.opcode
        if opcode in _COPIES_OP1:
            return operands.op1_nested
        if opcode == Opcode.ASSIGN:
            return self._op2()
        if opcode == Opcode.CAST:
            return ARRAY_PART if operands.op1 & MAY_BE_OBJECT else operands.op1_nested
        if opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            before = self._facts.nested_in(instr.result_use) if opcode == Opcode.ADD_ARRAY_ELEMENT else 0
            if instr.op1.kind == OpKind.UNUSED:
                return before
            return before | (ARRAY_PART if instr.extended_value & ARRAY_ELEMENT_REF else array_part(operands.op1))
        if opcode == Opcode.ADD_ARRAY_UNPACK and not operands.op1 & MAY_BE_OBJECT:
            return self._facts.nested_in(instr.result_use) | operands.op1_nested
        if opcode == Opcode.ASSIGN_DIM:
            data = self._data()
            if data is not None and not operands.op1 & MAY_BE_OBJECT:
                return nested_in(self._view, self._facts, data.op1, data.op1_use)
        if opcode in _CALLS:
            returned = self._view.returned_by(instr)
            return returned.nested if returned is not None else ARRAY_PART
        if opcode in (Opcode.RECV, Opcode.RECV_INIT):
            return self._received()
        return ARRAY_PART

    def _received(self) -> int:
        instr, view = self._instr, self._view
        infos, number = view.op_array.arg_info, instr.op1.num
        default = view.literal_nested(instr.op2.num) if instr.opcode == Opcode.RECV_INIT else 0
        if number <= len(infos) and infos[number - 1].by_ref:
            return default
        passed = view.argument_nested(number)
        return ARRAY_PART if passed is None else passed | default

    def op1(self) -> int:
        """Of op1 after the instruction."""
        instr, operands = self._instr, self._operands
        opcode = instr.opcode
        if opcode in _COPIES_OP1:
            return operands.op1_nested
        if opcode in (Opcode.ASSIGN, Opcode.ASSIGN_REF):
            return self._op2()
        if opcode in _BINDS:
            return 0  # the cell has it
        if opcode == Opcode.ASSIGN_DIM:
            data = self._data()
            stored = ARRAY_PART if data is None else array_part(operands.data)
            return operands.op1_nested | stored
        if opcode == Opcode.ASSIGN_DIM_OP:
            may_join = operands.data & MAY_BE_ARRAY
            return ARRAY_PART if may_join else operands.op1_nested
        if opcode in _FETCHES:
            return operands.op1_nested | self._written_inside()
        if opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            return operands.op1_nested
        if opcode in REFERENCE_SENDS:
            return operands.op1_nested | self._left_by_callee()
        return ARRAY_PART

    def op2(self) -> int:
        """Of op2 after the instruction."""
        return self._op2() if self._instr.opcode in (Opcode.ASSIGN_REF, Opcode.ASSIGN) else ARRAY_PART

    def _left_by_callee(self) -> int:
        """What an argument by reference may hold beside what it held."""
        info = self._view.call_of(self._instr)
        if info is None or not info.positional:
            return ARRAY_PART
        if self._view.sends_reference(self._instr) is False or not isinstance(info.callee, InternalFunction):
            return 0  # by value, or the cell has it
        if info.callee.name in _KEEPS_ELEMENTS:
            return 0
        if info.callee.name in _ADDS_VALUES:
            left = 0
            for send in info.sends[1:]:
                left |= array_part(operand_type(self._view, self._facts, send.op1, send.op1_use))
            return left
        return ARRAY_PART

    # Writes through an element

    def _written_inside(self) -> int:
        """What the instruction behind a fetch writes into the inner array, or makes of it."""
        view, users = self._view, self._view.users_of_result(self._instr)
        if not users:
            return 0
        if len(users) > 1 or users[0] is not view.follower(self._instr):
            return ARRAY_PART
        user = users[0]
        if user.opcode in _STEPS or user.opcode in MAKES_REFERENCE:
            return 0  # what becomes a reference has a cell, which ``nested_widened`` asks
        if user.opcode == Opcode.UNSET_DIM:
            return MAY_BE_ARRAY_EMPTY
        before = elements_of(self._operands.op1, self._operands.op1_nested) | MAY_BE_NULL | MAY_BE_ARRAY
        dim = operand_type(view, self._facts, user.op2, user.op2_use)
        if user.opcode == Opcode.ASSIGN_DIM:
            data = view.sites[user].data
            assert data is not None
            value = operand_type(view, self._facts, data.op1, data.op1_use)
            return MAY_BE_ARRAY_EMPTY | array_after_write(before, dim, value, user.op2.kind)
        if user.opcode == Opcode.ASSIGN_DIM_OP:
            return self._combined_inside(user, before, dim)
        if user.opcode in (Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW):
            return self._made_inside(user, before, dim)
        return ARRAY_PART

    def _combined_inside(self, user: Instr, before: int, dim: int) -> int:
        """``$m[$i][$j] += $v``."""
        view = self._view
        data = view.sites[user].data
        assert data is not None
        right = operand_type(view, self._facts, data.op1, data.op1_use)
        left = elements_of(before) | MAY_BE_NULL
        value = binary_type(user.extended_value, left, right, False, self._operands) & (MAY_BE_ANY | ARRAY_PART)
        calm = user.extended_value in _CALM and not (left | right) & MAY_BE_ANY & ~_SCALAR
        missing = 0 if calm else MAY_BE_NULL << ARRAY_SHIFT
        return MAY_BE_ARRAY_EMPTY | missing | array_after_write(before, dim, value, user.op2.kind)

    def _made_inside(self, user: Instr, before: int, dim: int) -> int:
        """``$m[$i][$j][$k] = $v`` makes an array of the inner element, ``$m[$i][$j]++`` a number."""
        behind = self._view.users_of_result(user)
        if len(behind) != 1 or behind[0] is not self._view.follower(user):
            return ARRAY_PART
        kinds = key_bits(before, dim, user.op2.kind) & MAY_BE_ARRAY_KEY_ANY
        if behind[0].opcode in _STEPS:
            return MAY_BE_ARRAY_EMPTY | kinds | _stepped(before, behind[0].opcode) << ARRAY_SHIFT
        if behind[0].opcode in (Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP, Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW):
            return MAY_BE_ARRAY_EMPTY | kinds | (MAY_BE_NULL | MAY_BE_ARRAY) << ARRAY_SHIFT
        return ARRAY_PART


def _stepped(array: int, opcode: Opcode) -> int:
    """What an element of ``array``, which may be missing, is after ``++`` or ``--``, beside what it was."""
    old = elements_of(array)
    added = MAY_BE_NULL if opcode in (Opcode.PRE_DEC, Opcode.POST_DEC) else MAY_BE_LONG
    if old & (MAY_BE_LONG | MAY_BE_STRING):
        added |= MAY_BE_LONG | MAY_BE_DOUBLE
    return added | old & MAY_BE_STRING
