"""The stage: a PHP function in SSA form becomes one without phis and pis, whose SSA names have locations.

What phis did is done by COPY instructions (`result_def ← op1_use`), at the heads and ends of blocks and in new blocks
on critical edges; which name is in which location is a table.  So instructions keep their SSA names, and a reader can
still see what was joined with what; what runs is the locations.

Copies move: they take over whatever the source owned.  The `own` stage has made every other owner explicit (DUP,
DROP) before, and a phi consumes its arguments; here nothing is counted.  Copies convert when the representations of
their two names differ (i64 → number → value), so edges are where boxing happens.  Names share a location only if
their representations are equal.

In: a function in SSA form, conventional or not, with critical edges or not; it is not changed.  Out: `Destructed`.
Source: see `out_of_ssa`.  Zend leaves SSA by forgetting the names, and its passes must keep names of one slot from
living together (zend_dfa_pass.c); ours are free to propagate copies and move code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from ssa2llvm.cfg.build import link_predecessors, refresh
from ssa2llvm.destruct.body import ParallelCopy, Step
from ssa2llvm.destruct.function_body import Reads, body_of, same_values
from ssa2llvm.destruct.locations import Location, Storage
from ssa2llvm.destruct.out_of_ssa import Move, OutOfSsa, Statistics, leave_ssa
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, SsaVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import tmp


@dataclass(slots=True)
class Destructed:
    """`function` has no phis; its `ssa_vars` are those of the input and, behind them, names that destruction made.
    `location_of[name]` is an index into `locations`, -1 for names that are no values or that nobody needs.
    `new_blocks` are the numbers of the blocks that split edges; they hold copies only and fall through.
    `origin[name]` is the name that a name was made for, itself for those of the input: their types are equal."""

    function: Function
    location_of: list[int]
    locations: list[Location]
    new_blocks: list[int]
    origin: list[int]
    statistics: Statistics


def no_tied_pairs(_: Instr) -> Sequence[tuple[int, int]]:
    """The default: no instruction needs its use and its definition in one place."""
    return ()


def destruct(
    function: Function,
    representation: Callable[[int], Hashable | None],
    *,
    tied: Callable[[Instr], Iterable[tuple[int, int]]] = no_tied_pairs,
    storage: Callable[[int], Storage] = lambda slot: Storage.STACK,
    reads: Reads = Instr.uses,
    coalesce: bool = True,
) -> Destructed:
    """Take `function` out of SSA.

    `representation(name)` is None for names that live in memory and have no location.  `tied(instr)` are the pairs
    (use, def) that the instruction needs in one location, because it works in place.  `storage(slot)` is the storage
    class of a variable; its names share one location unless it is STACK.  `reads(instr)` are the names whose values
    the instruction looks at: after `own`, an ASSIGN no longer reads what it overwrites.  With `coalesce=False` only
    what must share a location does.

    Raises TiedPairError if names that must share a location are needed at the same time, and ValueError if control
    can return to the entry block or if a phi mixes values with names that have none.
    """
    storages = [storage(slot) for slot in range(function.num_slots)]
    keys: list[Hashable | None] = []
    for name, var in enumerate(function.ssa_vars):
        kind = representation(name)
        private = storages[var.slot].is_private
        keys.append(None if kind is None else (kind, -1 if private else var.slot))
    same = same_values(function, keys)
    body, split = body_of(function, keys, reads, same)
    pairs = [
        (same[use], definition)
        for instr in function.instructions()
        for use, definition in tied(instr)
        if use >= 0 and definition >= 0 and keys[use] is not None and keys[definition] is not None
    ]
    result = leave_ssa(body, pairs, _names_of_shared_variables(function, storages, keys, same), coalesce, split)
    for name, root in enumerate(same):
        result.location_of[name] = result.location_of[root]
    return Destructed(
        _rewrite(function, result),
        result.location_of,
        _describe_locations(function, result, storages),
        [edge.block for edge in result.split],
        result.body.origin,
        result.statistics,
    )


def _names_of_shared_variables(
    function: Function, storages: Sequence[Storage], keys: Sequence[Hashable | None], same: Sequence[int]
) -> list[tuple[int, int]]:
    """For each variable with storage of its own, its names in pairs."""
    first_name: dict[int, int] = {}
    pairs: list[tuple[int, int]] = []
    for name, var in enumerate(function.ssa_vars):
        if keys[name] is not None and not storages[var.slot].is_private:
            pairs.append((first_name.setdefault(var.slot, same[name]), same[name]))
    return pairs


def _rewrite(function: Function, result: OutOfSsa) -> Function:
    """A function like `function` with the copies of `result` in place of phis."""
    first_new = len(function.ssa_vars)
    new_names = range(first_new, result.body.value_count)
    slots = [var.slot for var in function.ssa_vars]
    slots += [slots[result.body.origin[name]] for name in new_names]
    detour = {(edge.source, edge.target): edge.block for edge in result.split}
    blocks = [
        replace(
            block,
            instrs=list(block.instrs),
            phis=[],
            succs=[detour.get((block.id, succ), succ) for succ in block.succs],
            preds=list(block.preds),
        )
        for block in function.blocks
    ]
    for edge in result.split:
        blocks.append(Block(edge.block, succs=[edge.target], flags=BlockFlags.REACHABLE | BlockFlags.FOLLOW))
    for block, content in zip(blocks, result.body.blocks):
        steps = [*content.steps, content.terminator] if content.terminator else content.steps
        if steps:
            block.instrs = [_instruction(step, slots) for step in steps]
    rewritten = replace(function, blocks=blocks, ssa_vars=[SsaVar(slot) for slot in slots])
    link_predecessors(rewritten)
    refresh(rewritten)
    for instr in rewritten.instructions():
        for name in instr.defs():
            rewritten.ssa_vars[name].definition = instr
        for name in instr.uses():
            rewritten.ssa_vars[name].uses.append(instr)
    return rewritten


def _instruction(step: Step | ParallelCopy, slots: Sequence[int]) -> Instr:
    """The instruction that a step came from, or a COPY for a move."""
    if isinstance(step, Move):
        source, target = step.copy.src, step.copy.dst
        assert isinstance(source, int), "no phi of a PHP function has a constant argument"
        return Instr(Opcode.COPY, tmp(slots[source]), result=tmp(slots[target]), op1_use=source, result_def=target)
    assert isinstance(step, Step)
    assert isinstance(step.tag, Instr)
    return step.tag


def _describe_locations(function: Function, result: OutOfSsa, storages: Sequence[Storage]) -> list[Location]:
    """The locations, each with its names and storage class."""
    locations: list[Location] = []
    for number, kind in enumerate(result.location_kinds):
        assert isinstance(kind, tuple)
        locations.append(Location(number, kind[0]))
    for name, number in enumerate(result.location_of):
        if number >= 0:
            location = locations[number]
            if not location.names:
                location.slot = function.ssa_vars[result.body.origin[name]].slot
                location.storage = storages[location.slot]
            location.names.append(name)
    return locations
