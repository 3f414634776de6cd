"""Effect summaries: what calling each function of a program may do, so that calls are not opaque.

A function's effects are those of its instructions and of everything it calls. Over the call graph that is a least
fixed point; it is reached by visiting components of mutually recursive functions callees first and taking unions
inside a component. A call may also simply not come back: a function with a loop, or that may call itself, is not
known to end, and a call of it is not removable even if it does nothing.

Receiving parameters is judged at each call: a RECV throws only for an argument that its type rejects, which the
caller's argument types may exclude.

Builtins are judged by the builtin table. Linear in instructions and calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from ssa2llvm.analysis.calls import CallInfo, CallMap
from ssa2llvm.analysis.effects import DESTRUCTIBLE, effects_of
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.analysis.lattice import declared_mask, literal_type
from ssa2llvm.cfg.scc import strongly_connected_components
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Effects
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.opt.unit import Program, Unit
from ssa2llvm.values.builtins import Does, find_builtin

_CALL_PARTS = frozenset(
    {
        Opcode.INIT_FCALL,
        Opcode.INIT_FCALL_BY_NAME,
        Opcode.INIT_NS_FCALL_BY_NAME,
        Opcode.SEND_VAL,
        Opcode.SEND_VAL_EX,
        Opcode.SEND_VAR,
        Opcode.SEND_VAR_EX,
    }
)
_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT, Opcode.RECV_VARIADIC})
ANYTHING = Effects.WARNS | Effects.THROWS | Effects.WRITES_MEMORY | Effects.OUTPUT


@dataclass(frozen=True, slots=True)
class Summary:
    """What a call may do once its arguments were accepted; ``returns`` says that it surely comes back or throws."""

    effects: Effects
    returns: bool


OPAQUE = Summary(ANYTHING, returns=False)


def summaries_of(program: Program) -> dict[int, Summary]:
    """The summaries, computed once a program. Passes only ever remove effects, so they stay right, if not sharp."""
    if "summaries" not in program.cache:
        program.cache["summaries"] = summarize(program)
    return cast(dict[int, Summary], program.cache["summaries"])


def summarize(program: Program) -> dict[int, Summary]:
    """Summaries of all functions of ``program``, by ``id`` of their op array."""
    units = program.units
    index = {id(unit.function.op_array): number for number, unit in enumerate(units)}
    callees = [_user_callees(unit, index) for unit in units]
    components = strongly_connected_components(callees)
    summaries: dict[int, Summary] = {}
    # An edge leads from caller to callee, so callees have the bigger numbers.
    for members in reversed(components.members()):
        recursive = len(members) > 1 or members[0] in callees[members[0]]
        effects, returns = Effects.NONE, not recursive
        for number in members:
            own = _own_effects(units[number], summaries, {id(units[member].function.op_array) for member in members})
            effects |= own.effects
            returns = returns and own.returns
        for number in members:
            summaries[id(units[number].function.op_array)] = Summary(effects, returns)
    return summaries


def _is_silent_part(info: CallInfo, instr: Instr) -> bool:
    """Whether the instruction, part of a call of a known function, does nothing by itself. A value sent where the
    callee wants a variable throws."""
    if instr.opcode == Opcode.SEND_VAL_EX and isinstance(info.callee, OpArray):
        return not any(parameter.by_ref for parameter in info.callee.arg_info)
    return instr.opcode in _CALL_PARTS


def _user_callees(unit: Unit, index: dict[int, int]) -> list[int]:
    calls: CallMap = unit.get("calls")
    numbers = [
        index[id(info.callee)] for info in calls.calls if isinstance(info.callee, OpArray) and id(info.callee) in index
    ]
    return list(dict.fromkeys(numbers))


def _own_effects(unit: Unit, summaries: dict[int, Summary], component: set[int]) -> Summary:
    """Effects of a unit; calls inside its own component contribute nothing here, as their effects are the union."""
    function: Function = unit.function
    if FnFlags.GENERATOR in function.op_array.flags:
        return OPAQUE
    facts: Facts = unit.get("facts")
    calls: CallMap = unit.get("calls")
    effects, returns = Effects.NONE, not function.has_loops
    for instr in [instr for block in function.blocks if block.reachable for instr in block.instrs]:
        if instr.opcode in _RECEIVES:
            continue
        info = calls.get(instr)
        if info is None or info.do is not instr:
            effects |= (
                Effects.NONE
                if info is not None and _is_silent_part(info, instr)
                else effects_of(function, instr, facts)
            )
            continue
        inside = isinstance(info.callee, OpArray) and id(info.callee) in component
        summary = Summary(Effects.NONE, returns=True) if inside else _callee_summary(info, summaries)
        effects |= summary.effects | _argument_effects(function, facts, info)
        returns = returns and summary.returns
    return Summary(effects & ~Effects.NEVER_RETURNS, returns)


def _callee_summary(info: CallInfo, summaries: dict[int, Summary]) -> Summary:
    if isinstance(info.callee, OpArray) and not info.is_prototype and info.positional:
        return summaries.get(id(info.callee), OPAQUE)
    if isinstance(info.callee, InternalFunction) and info.positional:
        builtin = find_builtin(info.callee.name)
        if builtin is not None and builtin.is_pure and not builtin.deprecated:
            effects = Effects.NONE
            if builtin.does & Does.WARNS:
                effects |= Effects.WARNS
            if builtin.does & Does.THROWS:
                effects |= Effects.THROWS
            return Summary(effects, returns=True)
    return OPAQUE


def _argument_effects(function: Function, facts: Facts, info: CallInfo) -> Effects:
    """What passing the arguments may do: an undefined variable warns, a wrong type throws or is converted aloud, too
    few arguments throw, and a value that is dropped at the end of the call may run a destructor."""
    masks = [_send_mask(function, facts, send) for send in info.sends]
    report = Effects.WARNS | Effects.THROWS
    if any(mask & (MAY_BE_UNDEF | MAY_BE_REF) for mask in masks):
        return ANYTHING
    if any(mask & DESTRUCTIBLE for mask in masks):
        return ANYTHING
    if isinstance(info.callee, OpArray):
        op_array = info.callee
        if len(masks) < op_array.required_num_args:
            return report
        for mask, arg in zip(masks, op_array.arg_info, strict=False):
            if arg.by_ref or arg.variadic:
                return ANYTHING
            if arg.type.is_set and (mask & MAY_BE_ANY) & ~declared_mask(arg.type):
                return report
        return Effects.NONE
    if isinstance(info.callee, InternalFunction):
        builtin = find_builtin(info.callee.name)
        if builtin is None or not builtin.required <= len(masks):
            return report
        for position, mask in enumerate(masks):
            parameter = builtin.parameter(position)
            if parameter is None or parameter.by_ref:
                return report
            if parameter.type.is_set and (mask & MAY_BE_ANY) & ~declared_mask(parameter.type):
                return report
        return Effects.NONE
    return ANYTHING


def _send_mask(function: Function, facts: Facts, send: Instr) -> int:
    if send.opcode not in _CALL_PARTS:
        return MAY_BE_REF
    if send.op1.is_const:
        return literal_type(function.op_array.literal(send.op1))
    return facts.types[send.op1_use] if send.op1_use >= 0 else MAY_BE_REF


def call_effects(unit: Unit, instr: Instr, summaries: dict[int, Summary]) -> Effects | None:
    """What an instruction of a call may do, for removing it: not coming back counts as an effect. All that a call of
    a known function does is charged to its DO. None if ``instr`` is no such instruction."""
    info: CallInfo | None = unit.get("calls").get(instr)
    if info is None or info.do is None or info.callee is None:
        return None
    if info.do is not instr:
        return Effects.NONE if _is_silent_part(info, instr) else None
    summary = _callee_summary(info, summaries)
    effects = summary.effects | _argument_effects(unit.function, unit.get("facts"), info)
    return effects if summary.returns else effects | Effects.NEVER_RETURNS
