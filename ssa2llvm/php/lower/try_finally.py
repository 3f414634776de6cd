"""``try``, ``catch`` and ``finally`` (Zend/zend_compile.c: zend_compile_try)."""

from __future__ import annotations

from ssa2llvm.ir.op_array import FnFlags
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import LAST_CATCH, UNUSED, word
from ssa2llvm.php import ast
from ssa2llvm.php.lower.compiler import Compiler, Const, StatementTable
from ssa2llvm.php.lower.namespaces import class_fetch_type
from ssa2llvm.php.lower.state import LoopVar, LoopVarKind, TryElement
from ssa2llvm.php.lower.variables import class_operand
from ssa2llvm.values.types import to_bytes


def _try(c: Compiler, node: ast.Try) -> None:
    function = c.function
    if not node.catches and node.finally_ is None:
        c.error("Cannot use try without catch or finally")
    if function.labels and next(reversed(function.labels.values())).opnum == c.next_op:
        c.emit(Opcode.NOP)  # a label before the try block is not one inside it
    outer_fast_call, outer_offset = function.fast_call_var, function.try_offset
    offset = len(function.try_catch)
    element = TryElement(c.next_op)
    function.try_catch.append(element)
    if node.finally_ is not None:
        function.flags |= FnFlags.HAS_FINALLY
        function.fast_call_var = c.temporary()
        function.loop_vars.append(LoopVar(LoopVarKind.FAST_CALL, Opcode.FAST_CALL, function.fast_call_var, offset))
    function.try_offset = offset
    c.stmt(node.body)
    to_end = [c.jump()] if node.catches else []
    for position, catch in enumerate(node.catches):
        is_last = position == len(node.catches) - 1
        _catch(c, catch, element, is_last, to_end)
    for opnum in to_end:
        c.patch(opnum)
    if node.finally_ is not None:
        _finally(c, node.finally_, element, offset, outer_offset)
        function.fast_call_var = outer_fast_call
    function.try_offset = outer_offset


def _catch(c: Compiler, node: ast.Catch, element: TryElement, is_last: bool, to_end: list[int]) -> None:
    c.at(node)
    to_body: list[int] = []
    catch = None
    for position, class_ in enumerate(node.classes):
        is_last_class = position == len(node.classes) - 1
        if class_.form != ast.NameForm.FULL and class_fetch_type(class_.text):
            c.error("Bad class name in the catch statement")
        if not element.catch_op:
            element.catch_op = c.next_op
        name = c.names.class_(class_)
        catch = c.emit(Opcode.CATCH)
        catch.op1 = class_operand(c, Const(to_bytes(name)))
        if node.variable == "this":
            c.error("Cannot re-assign $this")
        catch.result = c.cv(node.variable) if node.variable is not None else UNUSED
        if is_last and is_last_class:
            catch.extended_value |= LAST_CATCH
        if not is_last_class:
            to_body.append(c.jump())
            catch.op2 = word(c.next_op)
    for opnum in to_body:
        c.patch(opnum)
    c.stmt(node.body)
    if not is_last:
        to_end.append(c.jump())
        assert catch is not None
        catch.op2 = word(c.next_op)


def _finally(c: Compiler, body: ast.Block, element: TryElement, offset: int, outer_offset: int) -> None:
    function = c.function
    function.loop_vars.pop()
    function.loop_vars.append(LoopVar(LoopVarKind.DISCARD_EXCEPTION, operand=function.fast_call_var))
    over = c.next_op + 1
    c.at(body)
    c.emit(Opcode.FAST_CALL, word(offset)).result = function.fast_call_var
    c.emit(Opcode.JMP)
    c.stmt(body)
    element.finally_op = over + 1
    element.finally_end = c.next_op
    c.emit(Opcode.FAST_RET, function.fast_call_var, word(outer_offset))
    c.patch(over)
    function.loop_vars.pop()


STATEMENTS: StatementTable = {ast.Try: _try}
