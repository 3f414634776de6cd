"""Calls whose callee is known, made direct (PHP's pass 4: Zend/Optimizer/optimize_func_calls.c).

PHP compiles a call of a function that is declared further down, or in a namespace, as a call by name, whose SENDs ask
the callee at run time whether it wants a reference: SEND_VAR_EX counts as a definition of its variable, of which
nothing is known afterwards. All functions at the top level of a script exist from the start, so the questions can be
answered now:

    INIT_FCALL_BY_NAME, INIT_NS_FCALL_BY_NAME   INIT_FCALL
    DO_FCALL_BY_NAME, DO_FCALL                  DO_UCALL or DO_ICALL
    SEND_VAL_EX                                 SEND_VAL
    SEND_VAR_EX, SEND_VAR_NO_REF_EX             SEND_VAR, where the parameter is by value

Sends by reference, of variables that live in memory, and of elements stay as they are. Valid SSA in and out; linear.
(``analysis.direct_calls`` does the same to linear code, bit for bit as PHP, for comparison.)
"""

from __future__ import annotations

from collections.abc import Container

from ssa2llvm.analysis.calls import Callee, CallInfo, CallMap, symbol_of
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.ir.function import Alias, Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import const, word
from ssa2llvm.ssa.edit import replace_uses

_BY_NAME = frozenset({Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME})
_DOS = frozenset({Opcode.DO_FCALL, Opcode.DO_FCALL_BY_NAME})


def make_calls_direct(function: Function, calls: CallMap, cells: Container[int]) -> int:
    """Rewrite the calls of ``function``; the number of instructions changed. ``cells`` are the slots of variables that
    live in memory."""
    changes = 0
    for info in calls.calls:
        if info.init.opcode not in _BY_NAME or info.callee is None or info.do is None or info.do.opcode not in _DOS:
            continue
        _rewrite_call(function, info, info.callee, info.do)
        changes += 2
        if info.positional:
            changes += sum(_rewrite_send(function, info.callee, send, cells) for send in info.sends)
    return changes


def _rewrite_call(function: Function, info: CallInfo, callee: Callee, do: Instr) -> None:
    if info.init.opcode == Opcode.INIT_NS_FCALL_BY_NAME:
        literals = function.op_array.literals
        literals.append(symbol_of(callee).encode("utf-8", "surrogateescape"))
        info.init.op2 = const(len(literals) - 1)
    info.init.opcode, info.init.op1 = Opcode.INIT_FCALL, word(0)
    do.opcode = Opcode.DO_UCALL if isinstance(callee, OpArray) else Opcode.DO_ICALL


def _rewrite_send(function: Function, callee: Callee, send: Instr, cells: Container[int]) -> bool:
    if _mode(callee, send.op2.num) != "-":
        return False
    if send.opcode == Opcode.SEND_VAL_EX:
        send.opcode = Opcode.SEND_VAL
    elif send.opcode == Opcode.SEND_VAR_NO_REF_EX:
        send.opcode = Opcode.SEND_VAR
    elif send.opcode == Opcode.SEND_VAR_EX and send.op1.num not in cells:
        var = function.ssa_vars[send.op1_use]
        if var.alias is not Alias.NONE:
            return False
        send.opcode = Opcode.SEND_VAR
        if send.op1_def >= 0:
            replace_uses(function, send.op1_def, send.op1_use)
            function.ssa_vars[send.op1_def].definition = None
            send.op1_def = -1
    else:
        return False
    return True


def _mode(callee: Callee, number: int) -> str:
    """How the callee takes argument ``number``: ``-`` by value."""
    if isinstance(callee, InternalFunction):
        return callee.mode(number) if callee.mode(number) in "&~" else "-"
    infos = callee.arg_info
    if number <= len(infos):
        return "&" if infos[number - 1].by_ref else "-"
    return "&" if infos and infos[-1].variadic and infos[-1].by_ref else "-"
