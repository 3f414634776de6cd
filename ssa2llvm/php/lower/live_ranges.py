"""Live ranges of temporaries, for freeing them when an exception passes (Zend/zend_opcode.c:
zend_calc_live_ranges).

One backward scan remembers the last use of each temporary and emits a range at its definition.  A temporary with
several definitions (both arms of a ternary) is live from the last of them; a range of one instruction is left out.
Linear time.
"""

from __future__ import annotations

from ssa2llvm.ir.call_opcodes import DO_CALLS, INITS
from ssa2llvm.ir.op_array import LiveRange, LiveRangeKind, Op, OpArray
from ssa2llvm.ir.opcode import Opcode

_ADDS_TO_RESULT = (Opcode.ROPE_ADD, Opcode.ADD_ARRAY_ELEMENT, Opcode.ADD_ARRAY_UNPACK)
_KEEPS_OP1 = frozenset(
    {
        Opcode.CASE,
        Opcode.CASE_STRICT,
        Opcode.SWITCH_LONG,
        Opcode.SWITCH_STRING,
        Opcode.MATCH,
        Opcode.FETCH_LIST_R,
        Opcode.FETCH_LIST_W,
        Opcode.COPY_TMP,
    }
)
_NEEDS_NO_FREE = frozenset(
    {
        Opcode.JMPZ_EX,
        Opcode.JMPNZ_EX,
        Opcode.BOOL,
        Opcode.BOOL_NOT,
        Opcode.FETCH_CLASS,
        Opcode.DECLARE_ANON_CLASS,
        Opcode.FAST_CALL,
    }
)
_FE_FETCH = (Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW)


def live_ranges(op_array: OpArray) -> list[LiveRange]:
    """The live ranges in PHP's order: by their start."""
    ops = op_array.ops
    last_use: dict[int, int] = {}
    ranges: list[LiveRange] = []
    for opnum in range(len(ops) - 1, -1, -1):
        op = ops[opnum]
        if op.result.is_temp and op.opcode not in _ADDS_TO_RESULT:
            use = last_use.pop(op.result.num, -1)
            if use not in (-1, opnum + 1):
                _add(ranges, ops, op.result.num, opnum, use)
        if op.op1.is_temp and op.op1.num not in last_use and op.opcode not in _KEEPS_OP1:
            last_use[op.op1.num] = opnum - (op.opcode == Opcode.OP_DATA)
        if op.op2.is_temp:
            if op.opcode in _FE_FETCH:
                use = last_use.pop(op.op2.num, -1)
                if use not in (-1, opnum + 1):
                    _add(ranges, ops, op.op2.num, opnum, use)
            elif op.op2.num not in last_use:
                last_use[op.op2.num] = opnum
    ranges.reverse()
    ranges.sort(key=lambda live: live.start)
    return ranges


def _add(ranges: list[LiveRange], ops: list[Op], slot: int, start: int, end: int) -> None:
    """The range of a temporary defined at ``start`` and last used at ``end``."""
    opcode = ops[start].opcode
    if opcode in _NEEDS_NO_FREE:
        return
    if opcode == Opcode.BEGIN_SILENCE:
        ranges.append(LiveRange(slot, LiveRangeKind.SILENCE, start + 1, end))
    elif opcode == Opcode.ROPE_INIT:
        ranges.append(LiveRange(slot, LiveRangeKind.ROPE, start, end))
    elif opcode in (Opcode.FE_RESET_R, Opcode.FE_RESET_RW):
        ranges.append(LiveRange(slot, LiveRangeKind.LOOP, start + 1, end))
    elif opcode == Opcode.NEW:
        constructed = _constructor_call(ops, start, end)
        ranges.append(LiveRange(slot, LiveRangeKind.NEW, start + 1, constructed + 1))
        if constructed + 1 != end:
            ranges.append(LiveRange(slot, LiveRangeKind.TMPVAR, constructed + 1, end))
    elif opcode == Opcode.COPY_TMP and ops[end].opcode == Opcode.FREE:
        _add_copy(ranges, ops, slot, start, end)
    else:
        ranges.append(LiveRange(slot, LiveRangeKind.TMPVAR, start + 1, end))


def _constructor_call(ops: list[Op], start: int, end: int) -> int:
    """The DO_* that calls the constructor of the NEW at ``start``."""
    level = 0
    opnum = start
    while opnum + 1 < end:
        opnum += 1
        if ops[opnum].opcode in INITS:
            level += 1
        elif ops[opnum].opcode in DO_CALLS:
            if level == 0:
                break
            level -= 1
    return opnum


def _add_copy(ranges: list[LiveRange], ops: list[Op], slot: int, start: int, end: int) -> None:
    """A copy made for ``??=`` is used in one branch and freed in the other: two ranges."""
    block = end
    while ops[block - 1].opcode == Opcode.FREE:
        block -= 1
    if block != end:
        ranges.append(LiveRange(slot, LiveRangeKind.TMPVAR, block, end))
    use = end - 1
    while True:
        op = ops[use]
        if op.opcode == Opcode.COPY_TMP and op.result.is_temp and op.result.num == slot:
            ranges.append(LiveRange(slot, LiveRangeKind.TMPVAR, start + 1, end))
            return
        if (op.op1.is_temp and op.op1.num == slot) or (op.op2.is_temp and op.op2.num == slot):
            ranges.append(LiveRange(slot, LiveRangeKind.TMPVAR, start + 1, use))
            return
        use -= 1
