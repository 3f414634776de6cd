"""The analyses that passes can ask a unit for, by name.

facts        types, ranges and classes of every name (``analysis.infer``)
calls        the call map (``analysis.calls``)
cells        slots of variables that live in memory, as they may be references (``analysis.reference_slots``)
object_free  which names hold no object, however deep (``analysis.object_free``)
call_parts   instruction of a call → all instructions of it
pure_calls   calls of builtins and pure functions that can be evaluated, by DO and SEND
"""

from __future__ import annotations

from ssa2llvm.analysis.calls import CallInfo, CallMap
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.object_free import object_free
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.ir.function import Instr
from ssa2llvm.opt.pure_calls import pure_calls
from ssa2llvm.opt.run_pure import user_calls
from ssa2llvm.opt.unit import ANALYSES, Unit


def call_parts(unit: Unit) -> dict[Instr, list[Instr]]:
    """Every instruction of a call, mapped to all of that call in order. An unfinished call (an argument never
    returns) is a call too."""
    calls: CallMap = unit.get("calls")
    parts: dict[CallInfo, list[Instr]] = {}
    owner: dict[Instr, CallInfo] = {}
    for block in unit.function.blocks:
        for instr in block.instrs:
            info = calls.get(instr)
            if info is not None:
                parts.setdefault(info, []).append(instr)
                owner[instr] = info
    return {instr: parts[info] for instr, info in owner.items()}


ANALYSES["facts"] = lambda unit: infer(unit.function, unit.program.context)
ANALYSES["calls"] = lambda unit: CallMap(unit.function, unit.program.context.symbols)
ANALYSES["cells"] = lambda unit: reference_slots(unit.function, unit.get("calls"))
ANALYSES["object_free"] = lambda unit: object_free(unit.function, unit.get("facts").types)
ANALYSES["call_parts"] = call_parts
ANALYSES["pure_calls"] = lambda unit: {**pure_calls(unit.function.op_array, unit.get("calls")), **user_calls(unit)}
