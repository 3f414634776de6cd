"""Liveness of variable slots (Zend/Optimizer/zend_dfg.c), and the reads and definitions of each block behind it.

Only slots that some block reads before defining them can be live across an edge; most temporaries cannot (Briggs et
al. 1998, semi-pruned form). The bit sets number just those slots, so their width is that of the function's real
variables, not of its temporaries.

As in Zend, what an assignment overwrites counts as read, because the old value is freed (or written through, if it is
a reference): nearly every CV is live at the function's entry. ``no_val`` tells later who really wants the value.
O(instructions) plus the worklist of ``cfg.liveness``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.cfg.liveness import bits, liveness, mask_of
from ssa2llvm.ir.function import Block, Function
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.access import (
    DATA_OWNERS,
    FETCHES,
    OP1,
    OP2,
    Access,
    access_of,
    defines_data,
    reads_result,
    written_operands,
)


@dataclass(slots=True)
class SlotLiveness:
    """Bit sets of each block over the slots that can live across edges: bit i stands for slot ``slots[i]``
    (ascending), ``bit_of`` is the inverse (-1: a slot local to blocks)."""

    slots: list[int]
    bit_of: list[int]
    use: list[int]
    define: list[int]
    live_in: list[int]
    live_out: list[int]

    def slots_in(self, mask: int) -> list[int]:
        """The slots of a bit set, ascending."""
        return [self.slots[bit] for bit in bits(mask)]

    def is_live_in(self, block: int, slot: int) -> bool:
        """Whether ``slot`` may be read after entry to ``block`` before it is defined again."""
        bit = self.bit_of[slot]
        return bit >= 0 and bool(self.live_in[block] >> bit & 1)


def block_accesses(block: Block, access: Access) -> tuple[set[int], set[int]]:
    """Return the slots that ``block`` reads before it defines them, and all that it defines."""
    exposed: set[int] = set()
    defined: set[int] = set()
    for position, instr in enumerate(block.instrs):
        opcode = instr.opcode
        if opcode == Opcode.OP_DATA:
            continue
        op1, op2, result = instr.op1, instr.op2, instr.result
        if op1.is_var and op1.num not in defined:
            exposed.add(op1.num)
        if op2.is_var and op2.num not in defined and (op2.is_cv or opcode not in FETCHES):
            exposed.add(op2.num)
        if opcode in DATA_OWNERS:
            data = block.instrs[position + 1]
            if data.op1.is_var and data.op1.num not in defined:
                exposed.add(data.op1.num)
            if data.op1.is_cv and defines_data(instr, access):
                defined.add(data.op1.num)
        elif result.is_var and result.num not in defined and reads_result(instr, access):
            exposed.add(result.num)
        written = written_operands(instr, access)
        if written & OP1:
            defined.add(op1.num)
        if written & OP2:
            defined.add(op2.num)
        if result.is_var:
            defined.add(result.num)
    return exposed, defined


def slot_liveness(function: Function) -> SlotLiveness:
    """Return the liveness of the function's slots at the edges of its blocks; nothing lives in unreachable ones."""
    access = access_of(function)
    accesses = [
        block_accesses(block, access) if block.reachable else (set[int](), set[int]()) for block in function.blocks
    ]
    crossing = bytearray(function.num_slots)
    for exposed, _ in accesses:
        for slot in exposed:
            crossing[slot] = 1
    slots = [slot for slot in range(function.num_slots) if crossing[slot]]
    bit_of = [-1] * function.num_slots
    for bit, slot in enumerate(slots):
        bit_of[slot] = bit
    use = [mask_of(bit_of[slot] for slot in exposed) for exposed, _ in accesses]
    define = [mask_of(bit_of[slot] for slot in defined if crossing[slot]) for _, defined in accesses]
    live_in, live_out = liveness(
        [block.succs for block in function.blocks],
        [block.preds for block in function.blocks],
        use,
        define,
        [block.reachable for block in function.blocks],
    )
    return SlotLiveness(slots, bit_of, use, define, live_in, live_out)


def slot_masks(function: Function) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return def, use, in and out of each block as bit sets over all slots, block-local ones included: what PHP
    prints as "Variable Liveness"."""
    access = access_of(function)
    live = slot_liveness(function)
    define, use = [], []
    for block in function.blocks:
        exposed, defined = block_accesses(block, access) if block.reachable else (set[int](), set[int]())
        define.append(mask_of(defined))
        use.append(mask_of(exposed))
    live_in = [mask_of(live.slots_in(mask)) for mask in live.live_in]
    live_out = [mask_of(live.slots_in(mask)) for mask in live.live_out]
    return define, use, live_in, live_out
