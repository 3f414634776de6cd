"""Elements passed to functions that PHP's compiler does not know, but the whole script does.

Problem: in ``f($a[0])`` the element is read, or made and passed by reference; which of them, the callee says. Where f
is declared further down, PHP's compiler leaves the question to the run time: CHECK_FUNC_ARG asks the callee, and
FETCH_DIM_FUNC_ARG and SEND_FUNC_ARG do as it says. The whole script is known here, so the question is answered
before SSA form is built: the fetches become reads or writes, the SEND a SEND_VAR or SEND_REF, the CHECK a NOP
(Zend/Optimizer/optimize_func_calls.c does so in pass 4, for fewer callees; see ``direct_calls``).

A call by name may reach a builtin, a function of the top level, or one of several that are declared when control gets
there; if they all agree, it is settled. If there is none at all, the INIT throws and the fetch is never reached.

A value that cannot be a reference (``f(1)``) waits for the same answer in SEND_VAL_EX: it becomes SEND_VAL, or
CANNOT_PASS, which throws PHP's error.

In: block form before SSA, with predecessors. Out: the same with every argument settled that can be. Linear.
"""

from __future__ import annotations

from ssa2llvm.analysis.calls import Callee, CallInfo, CallMap, Symbols
from ssa2llvm.analysis.internals import internal_class
from ssa2llvm.ir.call_opcodes import READ_INSTEAD, WRITTEN_INSTEAD
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, OpKind, const
from ssa2llvm.ssa.build import SsaContext

__all__ = ["FETCHES_FOR_ARGUMENTS", "settle_arguments", "settled_context"]

FETCHES_FOR_ARGUMENTS = frozenset(READ_INSTEAD)


def settled_context(script: Script, symbols: Symbols) -> SsaContext:
    """The context in which SSA form is built for compiling ``script``."""
    return SsaContext(script, lambda function: settle_arguments(function, symbols))


def settle_arguments(function: Function, symbols: Symbols) -> None:
    """Make the fetches and SENDs of arguments say whether they pass a reference, wherever the callee is known."""
    if not any(op.opcode in (Opcode.SEND_FUNC_ARG, Opcode.SEND_VAL_EX) for op in function.op_array.ops):
        return
    calls = CallMap(function, symbols)
    fetched: dict[int, Instr] = {}
    checks: list[Instr] = []
    for instr in function.instructions():
        if instr.opcode in FETCHES_FOR_ARGUMENTS:
            fetched[instr.result.num] = instr
        elif instr.opcode == Opcode.CHECK_FUNC_ARG:
            checks.append(instr)
        elif instr.opcode == Opcode.SEND_FUNC_ARG:
            check = checks.pop() if checks else None
            call = calls.get(instr)
            modes = _modes(function.op_array, call, instr, symbols) if call is not None else None
            if check is not None and modes is not None and len(modes) == 1:
                _settle(check, instr, fetched, modes.pop())
        elif instr.opcode == Opcode.SEND_VAL_EX:
            call = calls.get(instr)
            if call is not None and isinstance(call.callee, OpArray) and call.positional:
                _settle_value(function.op_array, instr, call.callee)


def _modes(op_array: OpArray, call: CallInfo, send: Instr, symbols: Symbols) -> set[bool] | None:
    """Whether the callees that the call may reach take the argument by reference; None if nobody knows."""
    if not call.positional:
        return None
    if _makes_error(op_array, call.init):
        return {False}
    candidates = [call.callee] if call.callee is not None else symbols.candidates(op_array, call.init)
    if candidates is None:
        return None
    number = send.op2.num
    return {_by_reference(candidate, number) for candidate in candidates} or {False}


def _makes_error(op_array: OpArray, init: Instr) -> bool:
    """Whether the call is a ``new`` of one of PHP's own classes of errors, whose constructors take values."""
    name = op_array.literal(init.op1) if init.opcode == Opcode.NEW and init.op1.is_const else None
    known = internal_class(name.decode("utf-8", "surrogateescape").lower()) if isinstance(name, bytes) else None
    while known is not None and known.decl.parent is not None:
        known = internal_class(known.decl.parent.lower())
    return known is not None and known.decl.name.lower() in ("error", "exception")


def _by_reference(callee: Callee, number: int) -> bool:
    if not isinstance(callee, OpArray):
        return callee.mode(number) in ("&", "~")
    infos = callee.arg_info
    if number > len(infos) and not (infos and infos[-1].variadic):
        return False
    return infos[min(number, len(infos)) - 1].by_ref


def _settle_value(op_array: OpArray, send: Instr, callee: OpArray) -> None:
    number = send.op2.num
    if not _by_reference(callee, number):
        send.opcode = Opcode.SEND_VAL
        return
    name = callee.arg_info[min(number, len(callee.arg_info)) - 1].name
    message = f"{callee.name}(): Argument #{number} (${name}) cannot be passed by reference"
    op_array.literals.append(message.encode("utf-8", "surrogateescape"))
    send.opcode, send.op1, send.op2 = Opcode.CANNOT_PASS, const(len(op_array.literals) - 1), UNUSED


def _settle(check: Instr, send: Instr, fetched: dict[int, Instr], by_reference: bool) -> None:
    """Rewrite one argument: its SEND and the chain of fetches that gives it."""
    chain: list[Instr] = []
    operand = send.op1
    while operand.is_temp and operand.num in fetched:
        chain.append(fetched[operand.num])
        operand = chain[-1].op1
    new_names = WRITTEN_INSTEAD if by_reference else READ_INSTEAD
    if not by_reference and any(fetch.op2.kind == OpKind.UNUSED for fetch in chain):
        return  # `f($a[])` throws then
    for fetch in chain:
        fetch.opcode = new_names[Opcode(fetch.opcode)]
    send.opcode = Opcode.SEND_REF if by_reference else Opcode.SEND_VAR
    check.opcode, check.op2 = Opcode.NOP, UNUSED
