"""Folds a call's INIT, SENDs and DO into one instruction with an argument list.

Problem: Zend builds a call frame bit by bit (INIT_FCALL, SEND_VAL …, DO_UCALL), because its arguments live in that
frame. In SSA form an argument is a name, which cannot change between its SEND and the call; so a call can be one
instruction that reads its arguments (``Instr.args``), like a call in any other SSA-based compiler.

In
    SSA form after all passes, with facts; who is called must be known by name, or by the value of INIT_DYNAMIC_CALL's
    op2.
Out
    DO_UCALL      a function of this script, named by the literal op2
    DO_ICALL      a builtin, named likewise
    NEW, INIT_METHOD_CALL    the whole creation or call, where the DO was: op1 the class or object, op2 the method's
    name DO_FCALL      whatever INIT_DYNAMIC_CALL or an INIT_*_BY_NAME that stayed found: op2 is the callable (or its
    name) Their SENDs are gone, but for those that still do something: make a reference (SEND_REF), pass a literal,
    read a variable that lives in memory or that may be undefined (which warns *there*, not at the call). These stay,
    with the name that the call reads as result. A SEND_VAR_EX that Zend lets define its variable (it might turn it
    into a reference; here it does not) leaves a COPY.

Named arguments and unpacking are refused before (``llvm.support``). Linear in the function.
"""

from __future__ import annotations

from collections.abc import Callable

from ssa2llvm.analysis.calls import CallInfo, CallMap, symbol_of
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.reference_slots import by_reference
from ssa2llvm.ir.call_opcodes import FUNCTION_INITS
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, const
from ssa2llvm.ir.types import MAY_BE_REF
from ssa2llvm.opt.operand_names import OperandNames, place_of_reads
from ssa2llvm.ssa.chains import link_chains

__all__ = ["fold_calls"]

_OBJECT_INITS = frozenset({Opcode.NEW, Opcode.INIT_METHOD_CALL})


def fold_calls(function: Function, facts: Facts, calls: CallMap, in_memory: Callable[[int], bool]) -> None:
    """Fold every function call of ``function`` in place. ``calls`` is its call map (whose instructions are then no
    longer what it says); ``in_memory`` tells whether a slot's variable is not a value
    (``analysis.reference_slots``)."""
    _Folding(function, facts, in_memory).run(calls)


class _Folding:
    def __init__(self, function: Function, facts: Facts, in_memory: Callable[[int], bool]) -> None:
        self._function = function
        self._names = OperandNames(function, facts, in_memory)
        self._literal_of: dict[str, Operand] = {}
        self._replaced: dict[Instr, list[Instr]] = {}

    def run(self, calls: CallMap) -> None:
        for call in calls.calls:
            if call.init.opcode in FUNCTION_INITS:
                self._fold(call, calls)
            elif call.init.opcode in _OBJECT_INITS and call.do is not None:
                self._fold_object(call, call.do, calls)
        for block in self._function.blocks:
            if any(instr in self._replaced for instr in block.instrs):
                self._rewrite(block)
        link_chains(self._function)

    def _rewrite(self, block: Block) -> None:
        """Put the replacements of a block's instructions in their places."""
        instrs: list[Instr] = []
        for instr in block.instrs:
            for new in self._replaced.get(instr, [instr]):
                first = new is not instr and new.opcode == Opcode.QM_ASSIGN
                (place_of_reads(self._function, block, instrs) if first else instrs).append(new)
        block.instrs = instrs

    def _fold_object(self, call: CallInfo, do: Instr, calls: CallMap) -> None:
        """NEW and method calls happen where their DO stands; NEW then gives the object there, after its arguments."""
        init = call.init
        if init.op1_use >= 0 and not self._names.is_value(init.op1, init.op1_use):
            name, operand = self._names.new(self._names.types_read(init.op1, init.op1_use))
            read = Instr(Opcode.QM_ASSIGN, init.op1, result=operand, line=init.line, op1_use=init.op1_use)
            read.result_def = name
            do.op1, do.op1_use = operand, name
            self._replaced[init] = [read]
        else:
            do.op1, do.op1_use = init.op1, init.op1_use
            self._replaced[init] = []
        do.opcode, do.op2, do.op2_use = init.opcode, init.op2, init.op2_use
        if init.opcode == Opcode.NEW:
            do.result, do.result_def = init.result, init.result_def
        do.args = [self._argument(send, by_reference(calls, send)) for send in call.sends]

    def _fold(self, call: CallInfo, calls: CallMap) -> None:
        do = call.do
        if call.callee is not None:
            self._replaced[call.init] = []
            if do is not None:
                is_user = isinstance(call.callee, OpArray)
                do.opcode = Opcode.DO_UCALL if is_user else Opcode.DO_ICALL
                do.op2 = self._literal(symbol_of(call.callee))
        else:
            self._keep_init(call.init, do)
        arguments = [self._argument(send, by_reference(calls, send)) for send in call.sends]
        if do is not None:
            do.args = arguments

    def _keep_init(self, init: Instr, do: Instr | None) -> None:
        """The INIT stays: it finds the callee, or throws before any argument is evaluated. A computed callee is
        copied, as the arguments may change the variable it came from."""
        if not init.op2.is_const:
            name, operand = self._names.new(self._names.types_read(init.op2, init.op2_use))
            copy = Instr(Opcode.QM_ASSIGN, init.op2, result=operand, line=init.line, op1_use=init.op2_use)
            copy.result_def = name
            init.op2, init.op2_use = operand, name
            self._replaced[init] = [copy, init]
        if do is not None:
            do.opcode = Opcode.DO_FCALL
            do.op2, do.op2_use = init.op2, init.op2_use

    def _argument(self, send: Instr, as_reference: bool) -> int:
        """The name that stands for the argument; ``send`` disappears if it need not do anything. A SEND by reference
        makes its variable a reference, and the name holds that."""
        kept: list[Instr] = []
        if as_reference and send.opcode not in (Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX):
            argument, send.result = self._names.new(MAY_BE_REF)
            send.opcode, send.result_def = Opcode.SEND_REF, argument
            kept.append(send)
        elif as_reference:
            # The result of a function: a reference, or made one with a notice.
            argument, send.result = self._names.new(MAY_BE_REF)
            send.result_def = argument
            kept.append(send)
        elif self._names.is_value(send.op1, send.op1_use):
            argument = send.op1_use
        else:
            argument, send.result = self._names.new(self._names.types_read(send.op1, send.op1_use))
            send.result_def = argument
            kept.append(send)
        if send.op1_def >= 0:
            if not self._names.in_memory(send.op1.num):
                copy = Instr(Opcode.COPY, send.op1, result=send.op1, line=send.line, op1_use=send.op1_use)
                copy.result_def = send.op1_def
                kept.append(copy)
            send.op1_def = -1
        self._replaced[send] = kept
        return argument

    def _literal(self, name: str) -> Operand:
        if name not in self._literal_of:
            literals = self._function.op_array.literals
            literals.append(name.encode("utf-8", "surrogateescape"))
            self._literal_of[name] = const(len(literals) - 1)
        return self._literal_of[name]
