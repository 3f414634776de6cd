"""Calls of builtins that can be evaluated at compile time, if their arguments turn out constant.

A call qualifies if the callee is a builtin whose result follows from its arguments alone (the table in
``values.builtins`` says so: no clock, no output, no callback, no reference parameter), and every argument is passed
by value, one by one. Whether a particular evaluation reports or throws is found out by doing it (Zend does the same:
sccp.c:ct_eval_func_call with ``capture_warnings_during_sccp``).

Differences from Zend: any number of arguments, not three; functions that PHP's stubs do not mark
``@compile-time-eval`` though they are as pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ssa2llvm.analysis.calls import CallInfo, CallMap
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.evaluate import MAX_STRING
from ssa2llvm.opt.sccp import PureCall
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.builtins import Builtin, call_builtin, find_builtin
from ssa2llvm.values.convert import to_number
from ssa2llvm.values.host import FatalError, Host, NeedsProgram, PhpError
from ssa2llvm.values.types import Value

_BY_VALUE = frozenset({Opcode.SEND_VAL, Opcode.SEND_VAR, Opcode.SEND_VAL_EX})
_GROWS_WITH_A_NUMBER = frozenset({"str_repeat", "str_pad", "range", "array_fill", "array_pad", "number_format"})
_FORMATS = frozenset({"sprintf", "vsprintf"})
_WIDE = re.compile(rb"\d{5}")
MAX_COUNT = 10_000
"""A builtin whose result grows with a number among its arguments is not evaluated for bigger numbers (nor ``range``
for steps between 0 and 1, nor a format with a field so wide): the compiler would run out of memory where the program
perhaps never comes by."""


def pure_calls(op_array: OpArray, calls: CallMap) -> dict[Instr, PureCall]:
    """The evaluable calls of a function, by their DO and by each of their SENDs."""
    strict = FnFlags.STRICT_TYPES in op_array.flags
    found: dict[Instr, PureCall] = {}
    for info in calls.calls:
        builtin = _qualifying_builtin(info)
        if builtin is None or info.do is None:
            continue
        call = PureCall(info.init, tuple(info.sends), info.do, _evaluator(builtin, strict))
        for instr in (*call.sends, call.do):
            found[instr] = call
    return found


def _qualifying_builtin(info: CallInfo) -> Builtin | None:
    if not isinstance(info.callee, InternalFunction) or not info.positional or info.init.opcode == Opcode.NEW:
        return None
    if any(send.opcode not in _BY_VALUE for send in info.sends):
        return None
    builtin = find_builtin(info.callee.name)
    return builtin if builtin is not None and builtin.is_pure and not builtin.deprecated else None


def _could_be_huge(name: str, arguments: Sequence[Value]) -> bool:
    if name in _FORMATS:
        return any(isinstance(argument, bytes) and _WIDE.search(argument) for argument in arguments[:1])
    if name not in _GROWS_WITH_A_NUMBER:
        return False
    numbers = [abs(to_number(argument)) for argument in arguments if not isinstance(argument, PhpArray)]
    return any(not number <= MAX_COUNT or (name == "range" and 0 < number < 1) for number in numbers)


def _evaluator(builtin: Builtin, strict: bool) -> Callable[[Sequence[Value]], Value]:
    def evaluate(arguments: Sequence[Value]) -> Value:
        if _could_be_huge(builtin.name, arguments):
            raise ValueError("the result could be too big")
        host = Host()
        try:
            result = call_builtin(builtin, [copy_value(argument) for argument in arguments], strict, host)
        except (PhpError, FatalError, NeedsProgram) as error:
            raise ValueError(str(error)) from error
        if not host.clean:
            raise ValueError("reports at run time")
        if isinstance(result, bytes) and len(result) > MAX_STRING:
            raise ValueError("the result is too big")
        if isinstance(result, PhpArray) and len(result) > MAX_COUNT:
            raise ValueError("the result is too big")
        return result

    return evaluate
