"""Whether a program needs the calls under way to be linked while they are (shadow frames), or can do without.

Problem: an error tells the trace of the place where its object was made. If it is made to be thrown at once, the calls
can be written down while it unwinds through them (``frames``), and hot calls keep no record; that is right as long as
nobody asks before it has come to the end. A program that does ask keeps records: in each call that may throw, the
caller links a frame with its line before, and unlinks it behind.

These ask, or cannot be told from programs that do:
  * getTraceAsString(), getTrace() and __toString() of anything;
  * an error that is made for anything but a THROW: kept, returned, the cause of another;
  * a caught error that is passed on by other ways than ``throw $e`` in the function that caught it;
  * builtins that call back, whose own line stands between two of the program's.

Linear in the instructions.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import Op, OpArray, Script
from ssa2llvm.ir.opcode import Opcode

__all__ = ["needs_frames"]

_ASKING = frozenset({b"gettrace", b"gettraceasstring", b"__tostring"})
_HARMLESS = frozenset(
    {
        Opcode.THROW,
        Opcode.INIT_METHOD_CALL,
        Opcode.INSTANCEOF,
        Opcode.GET_CLASS,
        Opcode.FREE,
        Opcode.UNSET_CV,
        Opcode.GET_TYPE,
        Opcode.TYPE_CHECK,
    }
)
"""What may be done with an error without looking at its trace or keeping it."""


def needs_frames(script: Script, calls_back: frozenset[str]) -> bool:
    """Whether ``script`` may look at the trace of an error that is not complete yet; ``calls_back`` are the builtins
    that call functions of the program."""
    return any(
        _asks(op_array, op) or _calls(op_array, op, calls_back)
        for op_array in script.op_arrays()
        for op in op_array.ops
    ) or any(_keeps_errors(op_array) for op_array in script.op_arrays())


def _asks(op_array: OpArray, op: Op) -> bool:
    if op.opcode != Opcode.INIT_METHOD_CALL:
        return False
    name = op_array.literal(op.op2) if op.op2.is_const else None
    return not isinstance(name, bytes) or name.lower() in _ASKING


def _calls(op_array: OpArray, op: Op, calls_back: frozenset[str]) -> bool:
    if op.opcode not in (Opcode.INIT_FCALL, Opcode.INIT_FCALL_BY_NAME, Opcode.INIT_NS_FCALL_BY_NAME):
        return False
    name = op_array.literal(op.op2)
    return (
        isinstance(name, bytes) and name.rpartition(b"\\")[2].decode("utf-8", "surrogateescape").lower() in calls_back
    )


def _keeps_errors(op_array: OpArray) -> bool:
    """Whether a variable or temporary that holds an error is used for more than throwing it and asking what it says."""
    holders = {op.result for op in op_array.ops if op.opcode in (Opcode.NEW, Opcode.CATCH) and op.result.is_var}
    if not holders:
        return False
    return any(op.opcode not in _HARMLESS and (op.op1 in holders or op.op2 in holders) for op in op_array.ops)
