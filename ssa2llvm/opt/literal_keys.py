"""Which elements of array literals surely find a free index.

``[$x, $y]`` adds elements without key. That throws if the index after the greatest one so far is taken, which only an
integer key close to PHP_INT_MAX can bring about; so it does if the keys before are seen to be small. An array literal
is a chain INIT_ARRAY, ADD_ARRAY_ELEMENT …, each reading the temporary of the one before.

Linear. Zend removes such an element even where it throws (Zend/Optimizer/dce.c with zend_may_throw).
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.evaluate import key_of
from ssa2llvm.opt.lattice import literal_value
from ssa2llvm.values.types import PHP_INT_MAX, is_int

_ELEMENTS = frozenset({Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT})


def elements_with_room(function: Function, facts: Facts) -> set[Instr]:
    """The instructions of ``function`` that add an element without key to an array that surely has room for it."""
    found: set[Instr] = set()
    next_index: dict[int, int] = {}
    for block in function.blocks:
        for instr in block.instrs:
            if instr.opcode not in _ELEMENTS or instr.result_def < 0:
                continue
            before = 0 if instr.opcode == Opcode.INIT_ARRAY else next_index.get(instr.result_use)
            if before is None:
                continue
            if instr.op2.is_const or instr.op2.is_var:
                greatest = _greatest_key(function, facts, instr)
            else:
                greatest = before
                if before <= PHP_INT_MAX:
                    found.add(instr)
            if greatest is not None:
                next_index[instr.result_def] = max(before, greatest + 1)
    return found


def _greatest_key(function: Function, facts: Facts, instr: Instr) -> int | None:
    """The greatest integer that the key may be; -1 if it is none; None if that is not known."""
    if instr.op2.is_const:
        key = key_of(literal_value(function.op_array.literal(instr.op2)))
        if key is None:
            return None
        return key if is_int(key) else -1
    known = facts.long_range(instr.op2_use) if instr.op2_use >= 0 else None
    return None if known is None or known.flagged else known.max
