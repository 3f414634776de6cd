"""Truth, and everything that branches on one value: JMP, JMPZ and its kin, ``?:``, ``??``, BOOL, ``!``, isset of a
variable, ``is_int`` and its kin.

The successors of a branch are Zend's: number 0 the jump's target, number 1 what follows.
"""

from __future__ import annotations

from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_COUNTED,
    MAY_BE_NULL,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.emitter import Emitter
from ssa2llvm.llvm.function import FunctionLowering
from ssa2llvm.llvm.layouts import ARRAY, Tag
from ssa2llvm.llvm.registry import lowers
from ssa2llvm.llvm.representation import Datum, Rep, convert
from ssa2llvm.llvm.seam import ARRAY_HEADER, FALSE, I1, I64, TRUE, Val, double, integer

__all__ = ["is_null", "tag_in", "truth"]


def truth(fn: Emitter, datum: Datum) -> Val:
    """``(bool) datum`` as an i1; the datum is borrowed and UNDEF is false."""
    if datum.rep is Rep.NULL:
        return FALSE
    first = datum.parts[0]
    if datum.only(MAY_BE_TRUE):
        return TRUE
    if datum.rep is Rep.BOOL:
        return first
    if datum.rep is Rep.LONG:
        return fn.text.compare("ne", first, integer(0))
    if datum.rep is Rep.DOUBLE:
        return fn.text.compare_double("une", first, double(0.0))
    if datum.rep is Rep.NUMBER:
        return fn.text.call(I1, "@s2l.number.to.bool", datum.parts)
    if datum.rep is Rep.STRING:
        return fn.runtime("s2l_string_to_bool", first)
    if datum.rep is Rep.ARRAY:
        count = fn.text.load(I64, fn.text.offset(first, ARRAY.offset("count")), ARRAY_HEADER)
        return fn.text.compare("ne", count, integer(0))
    if not datum.may(MAY_BE_COUNTED):
        return fn.text.call(I1, "@s2l.value.plain_to_bool", datum.parts)
    plain = fn.text.compare("ult", datum.parts[1], integer(Tag.STRING))
    return fn.either(
        plain,
        lambda: fn.truth_datum(fn.text.call(I1, "@s2l.value.plain_to_bool", datum.parts)),
        lambda: fn.truth_datum(fn.runtime("s2l_to_bool", datum)),
    ).parts[0]


def is_null(fn: Emitter, datum: Datum) -> Val:
    """Whether the datum is null or undefined, as an i1."""
    if datum.only(MAY_BE_NULL | MAY_BE_UNDEF):
        return TRUE
    if not datum.may(MAY_BE_NULL | MAY_BE_UNDEF):
        return FALSE
    return fn.text.compare("ule", convert(fn.text, datum, Rep.VALUE).parts[1], integer(Tag.NULL))


@lowers(
    Opcode.NOP,
    Opcode.EXT_STMT,
    Opcode.EXT_NOP,
    Opcode.EXT_FCALL_BEGIN,
    Opcode.EXT_FCALL_END,
    Opcode.CHECK_FUNC_ARG,
)
def _nothing(fn: FunctionLowering, instr: Instr) -> None:
    """Marks a place only."""


@lowers(Opcode.JMP)
def _jump(fn: FunctionLowering, instr: Instr) -> None:
    fn.text.jump(fn.target(0))


@lowers(Opcode.JMPZ, Opcode.JMPNZ)
def _branch(fn: FunctionLowering, instr: Instr) -> None:
    condition = truth(fn, fn.read(instr, "op1"))
    jump, follow = fn.target(0), fn.target(1)
    if instr.opcode == Opcode.JMPZ:
        fn.text.branch(condition, follow, jump)
    else:
        fn.text.branch(condition, jump, follow)


@lowers(Opcode.JMPZ_EX, Opcode.JMPNZ_EX)
def _branch_keeping_truth(fn: FunctionLowering, instr: Instr) -> None:
    condition = truth(fn, fn.read(instr, "op1"))
    fn.define(instr.result_def, fn.truth_datum(condition))
    jump, follow = fn.target(0), fn.target(1)
    if instr.opcode == Opcode.JMPZ_EX:
        fn.text.branch(condition, follow, jump)
    else:
        fn.text.branch(condition, jump, follow)


@lowers(Opcode.JMP_SET)
def _short_ternary(fn: FunctionLowering, instr: Instr) -> None:
    """``op1 ?: …``: jumps with op1 as the result if it is true."""
    datum = fn.read(instr, "op1")
    _jump_with_result(fn, instr, datum, truth(fn, datum))


@lowers(Opcode.COALESCE)
def _coalesce(fn: FunctionLowering, instr: Instr) -> None:
    """``op1 ?? …``: the same for what is not null; an undefined variable does not warn."""
    datum = fn.peek(instr, "op1")
    _jump_with_result(fn, instr, datum, fn.text.negate(is_null(fn, datum)))


def _jump_with_result(fn: FunctionLowering, instr: Instr, datum: Datum, condition: Val) -> None:
    """Only where it jumps, the result is defined: it takes over the operand's count (``own``), or a new one of a
    cell's."""
    taken = fn.text.new_block("taken")
    fn.text.branch(condition, taken, fn.target(1))
    fn.text.at(taken)
    if fn.is_cell(instr.op1):
        fn.dup(datum)
    fn.define(instr.result_def, datum)
    fn.text.jump(fn.target(0))


@lowers(Opcode.BOOL, Opcode.BOOL_NOT)
def _bool(fn: FunctionLowering, instr: Instr) -> None:
    condition = truth(fn, fn.read(instr, "op1"))
    if instr.opcode == Opcode.BOOL_NOT:
        condition = fn.text.negate(condition)
    fn.define(instr.result_def, fn.truth_datum(condition))


@lowers(Opcode.ISSET_ISEMPTY_CV)
def _isset_variable(fn: FunctionLowering, instr: Instr) -> None:
    datum = fn.peek(instr, "op1")
    inner = truth(fn, datum) if instr.extended_value & ISEMPTY else is_null(fn, datum)
    fn.define(instr.result_def, fn.truth_datum(fn.text.negate(inner)))


@lowers(Opcode.TYPE_CHECK)
def _type_check(fn: FunctionLowering, instr: Instr) -> None:
    """``is_int($x)`` and its kin: whether the type is in the mask ``extended_value``; an undefined variable warns and
    is null."""
    condition = tag_in(fn, fn.read(instr, "op1"), instr.extended_value)
    fn.define(instr.result_def, fn.truth_datum(condition))


def _tag_in(fn: Emitter, tag: Val, mask: int) -> Val:
    """Whether bit ``tag`` of ``mask`` is set."""
    tags = [number for number in range(Tag.RESOURCE + 1) if mask >> number & 1]
    if len(tags) == 1:
        return fn.text.compare("eq", tag, integer(tags[0]))
    if tags == [Tag.FALSE, Tag.TRUE]:
        return fn.text.compare("eq", fn.text.binary("and", tag, integer(-2)), integer(Tag.FALSE))
    bit = fn.text.binary("shl", integer(1), tag)
    return fn.text.compare("ne", fn.text.binary("and", bit, integer(mask & MAY_BE_ANY)), integer(0))


def tag_in(fn: Emitter, datum: Datum, mask: int) -> Val:
    """Whether the datum's type lies in ``mask``, as an i1; decided from its own mask where that is enough."""
    if datum.only(mask):
        return TRUE
    if not datum.may(mask):
        return FALSE
    return _tag_in(fn, convert(fn.text, datum, Rep.VALUE).parts[1], mask)
