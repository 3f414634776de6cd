"""Calls whose callee is known, made direct in linear code, as PHP's pass 4 does before it infers types at level 0x68
(Zend/Optimizer/optimize_func_calls.c:zend_optimize_func_calls). For comparison with PHP only; Config.SOUND looks
at the callee instead and needs no rewriting.

INIT_FCALL_BY_NAME becomes INIT_FCALL with its DO; SENDs and fetches that wait for the callee's word on references
become what it says. Nothing is added, removed or moved: a CHECK_FUNC_ARG that has become needless is a NOP.

Linear in instructions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ssa2llvm.analysis.calls import Callee, Symbols
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.ir.call_opcodes import CALL_ENDS, INITS, READ_INSTEAD, WRITTEN_INSTEAD
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import FnFlags, Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, OpKind, word

_FRAME_SLOTS, _SLOT_BYTES = 5, 16
_BY_NAME = frozenset({Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME})
_NO_TMP_FORM = frozenset({Opcode.FETCH_OBJ_FUNC_ARG, Opcode.FETCH_DIM_FUNC_ARG})


@dataclass
class _Call:
    init: Op
    callee: Callee | None
    is_prototype: bool
    argument: int = 0
    """The argument whose fetches are under way (CHECK_FUNC_ARG); 0: none."""
    check: Op | None = None

    def mode(self, number: int) -> str | None:
        """``-``, ``&`` or ``~`` of argument ``number``; None if the callee does not settle it."""
        if self.callee is None:
            return None
        if isinstance(self.callee, InternalFunction):
            return self.callee.mode(number) if self.callee.mode(number) in "&~" else "-"
        infos = self.callee.arg_info
        if number <= self.callee.num_args:
            return "&" if infos[number - 1].by_ref else "-"
        if FnFlags.VARIADIC in self.callee.flags:
            return "&" if infos[-1].by_ref else "-"
        return None if self.is_prototype else "-"


def with_direct_calls(script: Script) -> Script:
    """A copy of ``script`` after PHP's pass 4."""
    symbols = Symbols(script, Config.ZEND)
    copies = [_copied(op_array, symbols) for op_array in (script.main, *script.functions)]
    classes = [replace(cls, methods=[_copied(method, symbols) for method in cls.methods]) for cls in script.classes]
    return replace(script, main=copies[0], functions=copies[1:], classes=classes)


def _copied(op_array: OpArray, symbols: Symbols) -> OpArray:
    ops = [replace(operation) for operation in op_array.ops]
    stack: list[_Call] = []
    for operation in ops:
        if operation.opcode in INITS:
            callee, is_prototype = _resolve(op_array, operation, symbols)
            stack.append(_Call(operation, callee, is_prototype))
        elif stack and operation.opcode in CALL_ENDS:
            _finish(stack.pop(), operation)
        elif stack:
            _rewrite(stack[-1], operation)
    return replace(op_array, ops=ops, dynamic_defs=[_copied(nested, symbols) for nested in op_array.dynamic_defs])


def _resolve(op_array: OpArray, init: Op, symbols: Symbols) -> tuple[Callee | None, bool]:
    if init.opcode in _BY_NAME:
        name = op_array.literals[init.op2.num] if init.op2.kind == OpKind.CONST else None
        text = name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else None
        return (symbols.function(text) if text is not None else None), False
    if init.opcode == Opcode.NEW:
        return symbols.constructor(op_array, init), False
    return symbols.resolve(op_array, init)


def _finish(call: _Call, do: Op) -> None:
    if call.callee is None or call.init.opcode not in _BY_NAME:
        return
    passed = call.init.extended_value
    slots = _FRAME_SLOTS + passed
    if isinstance(call.callee, OpArray):
        slots += call.callee.num_slots - min(call.callee.num_args, passed)
    call.init.opcode = Opcode.INIT_FCALL
    call.init.op1 = word(slots * _SLOT_BYTES)
    if do.opcode != Opcode.CALLABLE_CONVERT:
        do.opcode = Opcode.DO_UCALL if isinstance(call.callee, OpArray) else Opcode.DO_ICALL


def _rewrite(call: _Call, operation: Op) -> None:
    opcode, number = operation.opcode, operation.op2.num
    if opcode in READ_INSTEAD:
        _rewrite_fetch(call, operation)
    elif operation.op2.kind == OpKind.CONST:  # a named argument
        if opcode == Opcode.CHECK_FUNC_ARG:
            call.argument = 0
    elif opcode == Opcode.SEND_VAL_EX:
        if call.mode(number) in ("-", "~"):
            operation.opcode = Opcode.SEND_VAL
    elif opcode == Opcode.CHECK_FUNC_ARG:
        if call.mode(number) is not None:
            call.argument, call.check = number, operation
    elif opcode == Opcode.SEND_VAR_EX or (opcode == Opcode.SEND_FUNC_ARG and call.check is not None):
        if opcode == Opcode.SEND_FUNC_ARG and call.check is not None:
            call.check.opcode, call.check.op1, call.check.op2 = Opcode.NOP, UNUSED, UNUSED
            call.check = None
        mode = call.mode(number)
        if mode is not None:
            call.argument = 0
            operation.opcode = Opcode.SEND_VAR if mode == "-" else Opcode.SEND_REF
    elif opcode == Opcode.SEND_VAR_NO_REF_EX:
        direct = {"&": Opcode.SEND_VAR_NO_REF, "~": Opcode.SEND_VAL, "-": Opcode.SEND_VAR}
        operation.opcode = direct.get(call.mode(number) or "", opcode)


def _rewrite_fetch(call: _Call, fetch: Op) -> None:
    mode = call.mode(call.argument) if call.argument else None
    if mode is None:
        return
    if mode == "-":
        if not (fetch.opcode == Opcode.FETCH_DIM_FUNC_ARG and fetch.op2.kind == OpKind.UNUSED):
            fetch.opcode = READ_INSTEAD[Opcode(fetch.opcode)]
    elif fetch.opcode in _NO_TMP_FORM and (fetch.op1.kind == OpKind.TMP or call.check is None):
        call.check = None  # left to the run time, with its check
    else:
        fetch.opcode = WRITTEN_INSTEAD[Opcode(fetch.opcode)]
