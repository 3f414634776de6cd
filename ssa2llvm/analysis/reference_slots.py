"""Which variables of a function may be references, and so live in memory rather than in SSA names.

Problem: a variable that takes part in ``=&``, ``global``, ``static``, a by-reference argument or a closure's ``use
(&$x)`` can change behind the function's back, and writing to it can change others. Flow-sensitive knowledge of that
is MAY_BE_REF in the type mask (zend_inference.c:zend_mark_cv_references); code needs one answer per variable: its
storage. So this is flow-insensitive, over the instructions alone, and a superset of the former. Variables that
something may reach by name (``ssa.aliases``) live in memory too.

Linear in the number of instructions and names (and, for each call, the square of its arguments).
"""

from __future__ import annotations

from ssa2llvm.analysis.calls import CallMap
from ssa2llvm.ir.function import Alias, Function, Instr
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, BIND_REF, RETURNS_FUNCTION, Operand

__all__ = ["ARGUMENT_VARIABLES", "by_reference", "reference_slots"]

ARGUMENT_VARIABLES = ("argv", "argc")
"""Variables of the main script that have a value before its first instruction."""

_OP1 = frozenset(
    {
        Opcode.ASSIGN_REF,
        Opcode.MAKE_REF,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_STATIC,
        Opcode.SEND_REF,
        Opcode.FE_RESET_RW,
        Opcode.ASSIGN_OBJ_REF,
        Opcode.ASSIGN_STATIC_PROP_REF,
    }
)
_RESULT_SENDS = frozenset({Opcode.SEND_VAR_NO_REF, Opcode.SEND_VAR_NO_REF_EX})
_WRITE_FETCHES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW})
_VALUE_SENDS = frozenset({Opcode.SEND_VAL, Opcode.SEND_VAL_EX})


def by_reference(calls: CallMap, send: Instr) -> bool:
    """Whether a SEND passes a variable by reference: it says so itself, or its callee is known to want it."""
    if send.opcode == Opcode.SEND_REF:
        return True
    call = calls.get(send)
    if call is None or call.callee is None or send.opcode in _VALUE_SENDS or not call.positional:
        return False
    number = call.sends.index(send)
    if isinstance(call.callee, OpArray):
        infos = call.callee.arg_info
        info = infos[min(number, len(infos) - 1)] if infos else None
        return info is not None and info.by_ref and (number < len(infos) or info.variadic)
    return call.callee.mode(number + 1) == "&"


def reference_slots(function: Function, calls: CallMap) -> frozenset[int]:
    """Slots of the variables of ``function`` that may be references or that others reach by name; ``calls`` is its
    call map. The temporary of a
    foreach by reference holds one too, as does the result of a function that is wanted as one, and that of a finally
    holds an exception or a place to go back to."""
    op_array = function.op_array
    slots = {var.slot for var in function.ssa_vars if Alias.SYMTABLE in var.alias}
    slots.update(slot for slot, info in enumerate(op_array.arg_info) if info.by_ref and slot < len(op_array.cvs))
    if op_array.is_main:
        slots.update(slot for slot, name in enumerate(op_array.cvs) if name in ARGUMENT_VARIABLES)
    fetched: dict[int, Op] = {}
    for op in op_array.ops:
        if op.opcode in _OP1 and op.op1.is_cv:
            slots.add(op.op1.num)
        if op.opcode in _WRITE_FETCHES:
            fetched[op.result.num] = op
        elif op.opcode == Opcode.MAKE_REF:
            slots.add(op.result.num)
            if op.op1.is_temp and op.op1.num not in fetched:
                slots.add(op.op1.num)
        elif op.opcode == Opcode.RETURN_BY_REF and (op.op1.is_cv or op.extended_value == RETURNS_FUNCTION):
            slots.add(op.op1.num)
        elif op.opcode == Opcode.RETURN_BY_REF and op.op1.is_temp and op.extended_value == 0:
            variable = _variable_around(op.op1, fetched)
            if variable.is_cv:
                slots.add(variable.num)
        if op.opcode in (Opcode.FE_RESET_RW, Opcode.FAST_CALL):
            slots.add(op.result.num)
        elif (
            (op.opcode == Opcode.ASSIGN_REF and (op.op2.is_cv or op.extended_value == RETURNS_FUNCTION))
            or (op.opcode == Opcode.BIND_LEXICAL and op.op2.is_cv and op.extended_value & BIND_REF)
            or (op.opcode == Opcode.FE_FETCH_RW and op.op2.is_cv)
        ):
            slots.add(op.op2.num)
        elif op.opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            if op.op1.is_cv and op.extended_value & ARRAY_ELEMENT_REF:
                slots.add(op.op1.num)
    for call in calls.calls:
        slots.update(send.op1.num for send in call.sends if _names_reference(send) and by_reference(calls, send))
    return frozenset(slots)


def _names_reference(send: Instr) -> bool:
    return send.op1.is_cv or (send.op1.is_temp and send.opcode in _RESULT_SENDS)


def _variable_around(operand: Operand, fetched: dict[int, Op]) -> Operand:
    """The variable in which the element lies whose slot write-fetches gave."""
    seen: set[int] = set()
    while operand.is_temp and operand.num in fetched and operand.num not in seen:
        seen.add(operand.num)
        operand = fetched[operand.num].op1
    return operand
