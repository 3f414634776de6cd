"""What an error passes on its way out of an instruction, besides the values to drop (``Instr.unwind``).

Problem: PHP's machine undoes what surrounds the failing instruction from tables of the function
(Zend/zend_vm_def.h:ZEND_HANDLE_EXCEPTION). An ``@`` around it ends, so that what comes after may report again. A
finally around it that was itself entered by an error hands that over as the first cause of the new one. Compiled code
has no tables; the exit of each instruction does what they would say.

In: an op array with its live ranges and exception table. Out: by the number of an instruction, what its exit does;
instructions without are left out. Linear in the instructions times the nesting of the regions.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import LiveRangeKind, OpArray

__all__ = ["finallys_left", "silences_left"]


def silences_left(op_array: OpArray) -> dict[int, int]:
    """For each instruction inside an ``@``, the temporary of the outermost one around it: what unwinds leaves them
    all, as no handler of the function can lie within."""
    slots: dict[int, int] = {}
    spans = [span for span in op_array.live_ranges if span.kind is LiveRangeKind.SILENCE]
    for span in sorted(spans, key=lambda span: span.start, reverse=True):
        slots.update(dict.fromkeys(range(span.start, span.end), span.slot))
    return slots


def finallys_left(op_array: OpArray) -> dict[int, tuple[int, ...]]:
    """For each instruction inside a finally, the temporaries of those that its error leaves before it finds a handler,
    innermost first. Each holds the error that led into it, if one did."""
    left: dict[int, tuple[int, ...]] = {}
    for region in op_array.try_catch:  # outer regions come first
        protected_to = region.finally_op or region.catch_op
        for number in range(region.try_op, protected_to):
            left.pop(number, None)  # handled here, before any finally further out
        if region.finally_op:
            slot = op_array.ops[region.finally_end].op1.num
            for number in range(region.finally_op, region.finally_end):
                left[number] = (slot, *left.get(number, ()))
    return left
