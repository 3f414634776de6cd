"""``switch`` and ``match`` (Zend/zend_compile.c: zend_compile_switch, zend_compile_match).

A switch on constant labels of one type gets a jump table in front of its chain of comparisons, which stays for
subjects of other types; a match with a table has no chain.
"""

from __future__ import annotations

from ssa2llvm.ir.literals import JumpTable, Key
from ssa2llvm.ir.op_array import Op
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import FREE_SWITCH, THROW_IS_EXPR, Operand
from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler, Const, ExpressionTable, StatementTable, ZNode
from ssa2llvm.php.lower.control import begin_loop, end_loop
from ssa2llvm.php.lower.fold import fold
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.types import is_int

_MIN_INT_CASES = 5
_MIN_STRING_CASES = 2
_MIN_MATCH_CONDITIONS = 2


class _Table:
    """A jump table under construction; the first entry of a key counts."""

    def __init__(self, c: Compiler, opcode: Opcode, subject: ZNode) -> None:
        self.function = c.function
        self.op: Op = c.emit(opcode, subject, Const(JumpTable(())))
        self.entries: dict[Key, int] = {}

    def add(self, key: object, target: int) -> None:
        assert isinstance(key, (int, bytes))
        self.entries.setdefault(key, target)

    def finish(self) -> None:
        self.function.literals[self.op.op2.num] = JumpTable(tuple(self.entries.items()))


def _table_opcode(c: Compiler, cases: list[ast.SwitchCase]) -> Opcode | None:
    """SWITCH_LONG or SWITCH_STRING if all labels allow it; folds the labels."""
    common: type | None = None
    for case in cases:
        if case.condition is None:
            continue
        case.condition = fold(c, case.condition)
        if not isinstance(case.condition, ast.Literal):
            return None
        value = case.condition.value
        if not is_int(value) and not isinstance(value, bytes):
            return None
        if common is not None and type(value) is not common:
            return None
        common = type(value)
        if isinstance(value, bytes) and numeric_value(value) is not None:
            return None
    if common is int and len(cases) >= _MIN_INT_CASES:
        return Opcode.SWITCH_LONG
    if common is bytes and len(cases) >= _MIN_STRING_CASES:
        return Opcode.SWITCH_STRING
    return None


def _switch(c: Compiler, node: ast.Switch) -> None:
    subject = c.expr(node.subject)
    begin_loop(c, Opcode.FREE, subject, is_switch=True)
    test = c.temporary()
    opcode = _table_opcode(c, node.cases)
    table = _Table(c, opcode, subject) if opcode is not None else None
    jumps = _compare_chain(c, node.cases, subject, test)
    to_default = c.jump()
    has_default = False
    for case, jump in zip(node.cases, jumps, strict=True):
        if case.condition is not None:
            assert jump is not None
            c.patch(jump)
            if table is not None:
                assert isinstance(case.condition, ast.Literal)
                table.add(case.condition.value, c.next_op)
        else:
            has_default = True
            c.patch(to_default)
            if table is not None:
                table.op.extended_value = c.next_op
        c.stmt(case.body)
    if not has_default:
        c.patch(to_default)
        if table is not None:
            table.op.extended_value = c.next_op
    end_loop(c, c.next_op)
    if table is not None:
        table.finish()
    if isinstance(subject, Operand) and subject.is_temp:
        c.emit(Opcode.FREE, subject, ext=FREE_SWITCH)


def _compare_chain(c: Compiler, cases: list[ast.SwitchCase], subject: ZNode, test: Operand) -> list[int | None]:
    """The comparisons with each label; returns the jumps to the bodies, None for ``default``."""
    jumps: list[int | None] = []
    has_default = False
    is_temporary = isinstance(subject, Operand) and subject.is_temp
    for case in cases:
        if case.condition is None:
            if has_default:
                c.at(case)
                c.error("Switch statements may only contain one default clause")
            has_default = True
            jumps.append(None)
            continue
        label = c.expr(case.condition)
        if isinstance(subject, Const) and subject.value is False:
            jumps.append(c.branch(Opcode.JMPZ, label))
        elif isinstance(subject, Const) and subject.value is True:
            jumps.append(c.branch(Opcode.JMPNZ, label))
        else:
            c.emit(Opcode.CASE if is_temporary else Opcode.IS_EQUAL, subject, label).result = test
            jumps.append(c.branch(Opcode.JMPNZ, test))
    return jumps


def _match_uses_table(c: Compiler, arms: list[ast.MatchArm]) -> bool:
    """Whether all conditions are constant ints or strings; folds them up to the first that is not."""
    for arm in arms:
        for position, condition in enumerate(arm.conditions or ()):
            assert arm.conditions is not None
            folded = fold(c, condition)
            arm.conditions[position] = folded
            if not isinstance(folded, ast.Literal):
                return False
            if not is_int(folded.value) and not isinstance(folded.value, bytes):
                return False
    return True


def _match(c: Compiler, node: ast.Match) -> ZNode:
    subject = c.expr(node.subject)
    test = c.temporary()
    is_temporary = isinstance(subject, Operand) and subject.is_temp
    conditions = sum(len(arm.conditions) for arm in node.arms if arm.conditions is not None)
    uses_table = _match_uses_table(c, node.arms) and conditions >= _MIN_MATCH_CONDITIONS
    has_default = False
    for arm in node.arms:
        if arm.conditions is None:
            if has_default:
                c.at(arm)
                c.error("Match expressions may only contain one default arm")
            has_default = True
    table: _Table | None = None
    jumps: list[int] = []
    to_default = -1
    if uses_table:
        table = _Table(c, Opcode.MATCH, subject)
    else:
        opcode = Opcode.CASE_STRICT if is_temporary else Opcode.IS_IDENTICAL
        for arm in node.arms:
            for condition in arm.conditions or ():
                label = c.expr(condition)
                c.emit(opcode, subject, label).result = test
                jumps.append(c.branch(Opcode.JMPNZ, test))
        to_default = c.jump()
    if not has_default:
        if table is None:
            c.patch(to_default)
        else:
            table.op.extended_value = c.next_op
        c.emit(Opcode.MATCH_ERROR, subject, ext=0 if node.arms else THROW_IS_EXPR)
    result = _match_arms(c, node.arms, table, jumps, to_default)
    if table is not None:
        table.finish()
    if is_temporary:
        c.emit(Opcode.FREE, subject, ext=FREE_SWITCH)
    return result


def _match_arms(
    c: Compiler, arms: list[ast.MatchArm], table: _Table | None, jumps: list[int], to_default: int
) -> ZNode:
    """The bodies; all write one temporary."""
    result: ZNode = Const(None)
    to_end: list[int] = []
    pending = iter(jumps)
    for position, arm in enumerate(arms):
        if arm.conditions is not None:
            for condition in arm.conditions:
                if table is None:
                    c.patch(next(pending))
                else:
                    assert isinstance(condition, ast.Literal)
                    table.add(condition.value, c.next_op)
        elif table is None:
            c.patch(to_default)
        else:
            table.op.extended_value = c.next_op
        body = c.expr(arm.body)
        if position == 0:
            result = c.emit_tmp(Opcode.QM_ASSIGN, body)
        else:
            c.emit(Opcode.QM_ASSIGN, body).result = c.operand(result)
        to_end.append(c.jump())
    for opnum in to_end:
        c.patch(opnum)
    return result


EXPRESSIONS: ExpressionTable = {ast.Match: _match}
STATEMENTS: StatementTable = {ast.Switch: _switch}
