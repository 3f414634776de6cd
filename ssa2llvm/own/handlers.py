"""What must survive a throw for the handler's sake.

Under Config.SOUND a block P with BlockFlags.THROW_EDGE has the successors [N, H]: the instruction of N that may throw
goes to H when it does (``cfg.exceptions``). So what H wants is owned while that instruction runs: it reads all of it,
like an operand. Then a name that only H wants is dropped behind the instruction rather than in front of it; one that
the instruction consumes is DUPed first; and of what is owned when it throws, only what H does not want is dropped.
"""

from __future__ import annotations

from ssa2llvm.cfg.exceptions import RETHROWS
from ssa2llvm.ir.function import BlockFlags, Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Effects, op_info
from ssa2llvm.own.liveness import Liveness

__all__ = ["may_throw", "wanted_by_handlers"]

_NEVER_FAIL = frozenset({Opcode.RETURN, Opcode.RETURN_BY_REF})
"""PHP's table lets them throw because of destructors, which nothing compiled has."""


_PASSES_ON = RETHROWS | {Opcode.CATCH_ALL}
"""PHP's table has these as harmless, but what unwinds goes on from here: an error of another class, the error that led
into a finally; and an exit stops nowhere."""


def may_throw(instr: Instr) -> bool:
    """Whether the instruction may leave its function, or go to its handler, instead of going on: then it has an
    unwind list, and lowering may write a failing exit for it."""
    if instr.opcode in _PASSES_ON:
        return True
    return instr.opcode not in _NEVER_FAIL and bool(op_info(instr.opcode).effects & Effects.THROWS)


def wanted_by_handlers(function: Function, liveness: Liveness) -> dict[Instr, set[int]]:
    """For each instruction that may throw to a handler, the owning names that the handler wants."""
    wanted: dict[Instr, set[int]] = {}
    for block in function.blocks:
        if BlockFlags.THROW_EDGE not in block.flags or len(block.succs) < 2:
            continue
        names = liveness.live_on(block.id, block.succs[1])
        for instr in function.blocks[block.succs[0]].instrs:
            if may_throw(instr):
                wanted[instr] = names
    return wanted
