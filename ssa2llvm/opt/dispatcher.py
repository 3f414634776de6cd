"""A function that looks at its arguments and calls one of two variants.

Integer arithmetic may overflow into a float, so inference says "int or float" of ``$n + 1`` where an int comes out for
ever; a variant for what *may* come carries the float through everything it does. A dispatcher splits the two where the
argument is passed: all ints go to the variant for ints, the rest to the other. It is ordinary code,

    RECV …; T = TYPE_CHECK $n (int); JMPZ T, other
    fast:   RETURN fast($m, $n)
    other:  RETURN slow($m, $n)

in which pis tell inference what arrives where. LLVM inlines it into each call, where the check is a bit that the caller
has in a register. In traces it does not exist (FnFlags.DISPATCHER). O(parameters).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import NO_TYPE, FnFlags, Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand, const, cv, tmp, var, word
from ssa2llvm.ir.types import MAY_BE_LONG
from ssa2llvm.ssa.build import build_ssa


def build_dispatcher(fast: OpArray, slow: OpArray, checked: Sequence[int], variant: str) -> Function:
    """The function that calls ``fast`` if the parameters in ``checked`` (from 0) are ints, else ``slow``, both of which
    are variants of one function, which is not variadic. SSA form; its symbol ends in ``variant``."""
    count = fast.num_args
    lines = [op.line for op in fast.ops if op.opcode in (Opcode.RECV, Opcode.RECV_INIT)]
    line = lines[0] if lines else fast.line_start
    ops = [Op(Opcode.RECV, word(n + 1), UNUSED, cv(n), line=lines[n] if n < len(lines) else line) for n in range(count)]
    slow_at = count + 2 * len(checked) + count + 3
    for position in checked:
        ops.append(Op(Opcode.TYPE_CHECK, cv(position), UNUSED, tmp(count), MAY_BE_LONG, line))
        ops.append(Op(Opcode.JMPZ, tmp(count), word(slow_at), line=line))
    references = [parameter.by_ref for parameter in fast.arg_info[:count]]
    ops += _call(0, references, line) + _call(1, references, line)
    op_array = replace(
        fast,
        ops=ops,
        literals=[callee.symbol.encode("utf-8", "surrogateescape") for callee in (fast, slow)],
        cvs=list(fast.cvs[:count]),
        num_temps=2,
        required_num_args=count,
        return_type=NO_TYPE,
        flags=fast.flags & ~FnFlags.HAS_RETURN_TYPE | FnFlags.DISPATCHER,
        live_ranges=[],
        try_catch=[],
        variant=variant,
    )
    return build_ssa(op_array)


def _call(literal: int, references: Sequence[bool], line: int) -> list[Op]:
    """Return what the function with this symbol returns for the parameters."""
    count = len(references)
    result: Operand = var(count + 1)
    send = {False: Opcode.SEND_VAR, True: Opcode.SEND_REF}
    return [
        Op(Opcode.INIT_FCALL, word(0), const(literal), UNUSED, count, line),
        *(Op(send[by_ref], cv(n), word(n + 1), UNUSED, line=line) for n, by_ref in enumerate(references)),
        Op(Opcode.DO_UCALL, UNUSED, UNUSED, result, line=line),
        Op(Opcode.RETURN, result, line=line),
    ]
