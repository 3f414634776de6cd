"""Which functions of a program can run at all.

A function runs if it is the main script, if somebody unseen may call it (``analysis.closed_world``), or if a function
that runs calls it by name. What is left over was never called, or is the original of which every call took a variant
(``specialize``): no code needs to be made for it.

Linear in instructions.
"""

from __future__ import annotations

from ssa2llvm.analysis.closed_world import ClosedWorld
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.opt.unit import Program, Unit


def roots(program: Program) -> list[Unit]:
    """The units that run without a call by name: the main script and whatever is not closed, in their order."""
    views = {id(unit.function): FunctionView(unit.function, program.context) for unit in program.units}
    types = {id(unit.function): unit.get("facts").types for unit in program.units}
    world = ClosedWorld(program.script, list(views.values()), lambda view: types[id(view.function)], program.exported)
    return [unit for unit in program.units if not world.is_closed(unit.function.op_array)]


def reachable_units(program: Program) -> list[Unit]:
    """The units that can run, in their order."""
    unit_of = {id(unit.function.op_array): unit for unit in program.units}
    pending = roots(program)
    seen = {id(unit) for unit in pending}
    while pending:
        for info in pending.pop().get("calls").calls:
            callee = unit_of.get(id(info.callee)) if isinstance(info.callee, OpArray) else None
            if callee is not None and id(callee) not in seen:
                seen.add(id(callee))
                pending.append(callee)
    return [unit for unit in program.units if id(unit) in seen]
