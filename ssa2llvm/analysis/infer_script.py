"""Inference of a whole script.

Config.ZEND goes through the functions once, in PHP's order (main, functions, methods, each with its closures): a call
knows what its callee returns if the callee came earlier (Zend/Optimizer/zend_optimizer.c:zend_optimize_script).

Config.SOUND seeks the least fixpoint over the call graph: what a function returns flows to its callers, what callers
pass flows into functions whose callers are all known (``closed_world``), and what is stored through references flows
to all who read it (``reference_cells``). Everything starts unreachable and only grows; integer ranges that keep growing
are given up after ``PATIENCE`` rounds. Functions that nobody calls are inferred as if anybody might. From the fixpoint,
``IMPROVEMENTS`` steps down win back what was given up too early. The facts do not depend on the order in which
functions are taken, but for where patience ends.

The number of inferences is bounded by the height of the lattice times the edges of the call graph; two or three for
each function in practice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ssa2llvm.analysis.call_graph import CallGraph
from ssa2llvm.analysis.cell_binding import find_cells
from ssa2llvm.analysis.cell_stores import Store, stores_of
from ssa2llvm.analysis.closed_world import ClosedWorld
from ssa2llvm.analysis.context import ArgumentFact, Options, ScriptContext
from ssa2llvm.analysis.direct_calls import with_direct_calls
from ssa2llvm.analysis.facts import Facts, ReturnFact
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.lattice import ANY_VALUE, ARRAY_PART, UNKNOWN, null_for_undef
from ssa2llvm.analysis.ranges import ANY_INT, INT_MAX, INT_MIN, Range
from ssa2llvm.analysis.ranges import union as united
from ssa2llvm.analysis.reference_cells import Cell, StoreSite
from ssa2llvm.analysis.type_solver import Narrowed
from ssa2llvm.analysis.type_steps import nested_in
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.analysis.worklist import LowestFirst
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import OpKind
from ssa2llvm.ir.types import MAY_BE_INDIRECT, MAY_BE_LONG, MAY_BE_REF
from ssa2llvm.ssa.build import SsaContext, build_ssa, refusal

PATIENCE = 8
_ANY_ARGUMENT = ArgumentFact(ANY_VALUE, ANY_INT, ARRAY_PART)
IMPROVEMENTS = 2


def infer_script(
    functions: Sequence[Function], context: ScriptContext, exported: Iterable[str] | None = ()
) -> list[Facts]:
    """Return the facts of ``functions`` (SSA form, sound configuration), in their order; ``context`` keeps what
    crosses calls, so that ``infer(function, context)`` can renew the facts of one function later.

    Functions of the script that are not among ``functions`` are taken to return and call anything. ``exported`` names
    functions that code outside of the script calls; None: it may call all of them."""
    return _ScriptInference(functions, context, exported).run()


class _ScriptInference:
    def __init__(self, functions: Sequence[Function], context: ScriptContext, exported: Iterable[str] | None) -> None:
        self._context = context
        self._exported = exported
        self._views = [FunctionView(function, context) for function in functions]
        self._index = {id(function.op_array): number for number, function in enumerate(functions)}
        self._facts: list[Facts | None] = [None] * len(functions)
        self._growth: dict[tuple[int, int], int] = {}
        self._closed = [False] * len(functions)
        self._dead: set[int] = set()
        self._defaults: dict[int, dict[int, int]] = {}
        graph = CallGraph(functions, [view.calls for view in self._views if view.calls is not None])
        self._callers = [graph.callers(number) for number in range(len(functions))]
        self._worklist = LowestFirst((), len(functions))

    def run(self) -> list[Facts]:
        context = self._context
        context.cells = None
        script = context.script
        if script is not None:
            world = ClosedWorld(script, self._views, self._types_alone, self._exported)
            self._closed = [world.is_closed(view.op_array) for view in self._views]
            context.cells = find_cells(self._views, self._closed, world)
        for number, view in enumerate(self._views):
            context.set_returned(view.op_array, ReturnFact(nested=0))
            if self._closed[number]:
                arity = len(view.op_array.arg_info)
                context.set_arguments(view.op_array, [ArgumentFact() for _ in range(arity)])
            else:
                self._worklist.add(number)
        self._to_fixpoint()
        self._open_uncalled()
        for _ in range(IMPROVEMENTS):
            if not self._improve():
                break
        self._note_stores()
        return [facts for facts in self._facts if facts is not None]

    def _types_alone(self, view: FunctionView) -> list[int]:
        """The types of a function of which nothing but declarations is known."""
        return infer(view.function, self._context, view).types

    def _to_fixpoint(self) -> None:
        for number in self._worklist.drain():
            view = self._views[number]
            facts = self._facts[number] = infer(view.function, self._context, view)
            if self._join_return(number, facts.returns):
                for caller in self._callers[number]:
                    if self._facts[caller] is not None:
                        self._worklist.add(caller)
            self._pass_arguments(view, facts)
            self._store(view, facts)

    def _open_uncalled(self) -> None:
        """Functions that no reachable code calls: treat them as callable by anybody, so that their facts mean
        something. What they would pass to others, or store into cells, never is."""
        self._dead = {number for number, facts in enumerate(self._facts) if facts is None}
        if self._context.cells is not None:
            self._context.cells.dead = {
                id(view.op_array) for view, facts in zip(self._views, self._facts, strict=True) if facts is None
            }
        for number in sorted(self._dead):
            self._context.set_arguments(self._views[number].op_array, None)
            self._worklist.add(number)
        self._to_fixpoint()

    def _improve(self) -> bool:
        """One step down from the fixpoint, for bounds that impatience threw away: what all callers pass and all
        functions return by the facts as they are is right again, and at least as good. Say whether anything
        changed."""
        changed = set()
        for number, view in enumerate(self._views):
            facts, old = self._facts[number], self._context.returned(view.op_array)
            assert facts is not None
            range_ = _joined_range(facts.returns.range, None)
            new = ReturnFact(facts.returns.types, facts.returns.cls, range_, facts.returns.nested)
            if new != old:
                self._context.set_returned(view.op_array, new)
                changed.update(self._callers[number])
        changed.update(self._shrink_cells())
        before = [self._context.arguments(view.op_array) for view in self._views]
        for view, known in zip(self._views, before, strict=True):
            if known is not None:
                self._context.set_arguments(view.op_array, [ArgumentFact() for _ in known])
        self._growth.clear()
        for view, facts in zip(self._views, self._facts, strict=True):
            assert facts is not None
            self._pass_arguments(view, facts)
        list(self._worklist.drain())
        for number, (view, known) in enumerate(zip(self._views, before, strict=True)):
            if self._context.arguments(view.op_array) != known:
                changed.add(number)
        for number in sorted(changed):
            self._facts[number] = infer(self._views[number].function, self._context, self._views[number])
        return bool(changed)

    # Sideways

    def _stores(self, view: FunctionView, facts: Facts) -> list[Store]:
        cells = self._context.cells
        return [] if cells is None or id(view.op_array) in cells.dead else list(stores_of(view, facts))

    def _store(self, view: FunctionView, facts: Facts) -> None:
        """Put what a function stores into its cells, and have those look again who read them."""
        cells = self._context.cells
        if cells is None or cells.dead:
            return  # no function that lives stores more because one that is dead calls it
        for cell, types, known, nested, _ in self._stores(view, facts):
            if cell.join(types, known, nested):
                for user in cell.users:
                    if self._facts[user] is not None:
                        self._worklist.add(user)

    def _shrink_cells(self) -> set[int]:
        """Cells hold no more than what is stored by the facts as they are; the functions that see a difference."""
        cells = self._context.cells
        if cells is None:
            return set()
        stored = {cell: Cell(*cell.initial) for cell in cells.all_cells()}
        for view, facts in zip(self._views, self._facts, strict=True):
            assert facts is not None
            for cell, types, known, nested, _ in self._stores(view, facts):
                stored[cell].join(types, known, nested)
        return {
            user
            for cell, found in stored.items()
            if cell.shrink(found.types, found.range, found.nested)
            for user in cell.users
        }

    def _note_stores(self) -> None:
        """Write down where the stores into each cell are."""
        for view, facts in zip(self._views, self._facts, strict=True):
            if facts is not None:
                for cell, types, _, _, instr in self._stores(view, facts):
                    cell.sites.append(StoreSite(view.op_array.name, instr.line, types))

    # Upwards

    def _join_return(self, number: int, new: ReturnFact) -> bool:
        op_array = self._views[number].op_array
        old = self._context.returned(op_array) or ReturnFact(nested=0)
        if not old.types:
            joined = new
        else:
            cls = self._context.symbols.classes.join(old.cls, new.cls) if new.types else old.cls
            nested = old.nested | new.nested
            joined = ReturnFact(old.types | new.types, cls, _joined_range(old.range, new.range), nested)
        joined.range = self._patient(number, -1, old.range, joined.range)
        self._context.set_returned(op_array, joined)
        return joined != old

    def _patient(self, number: int, position: int, old: Range | None, new: Range | None) -> Range | None:
        """The range of a parameter (or result, -1) that has grown; a bound that keeps growing goes to its end."""
        if old is None or new is None or new == old:
            return new
        key = (number, position)
        self._growth[key] = self._growth.get(key, 0) + 1
        if self._growth[key] <= PATIENCE:
            return new
        return Range(new.min if new.min == old.min else INT_MIN, new.max if new.max == old.max else INT_MAX)

    # Downwards

    def _pass_arguments(self, view: FunctionView, facts: Facts) -> None:
        if self._index[id(view.op_array)] in self._dead:
            return
        for info in view.calls.calls if view.calls is not None else ():
            if not isinstance(info.callee, OpArray) or info.do is None:
                continue
            callee = self._index.get(id(info.callee))
            if callee is None or not self._closed[callee]:
                continue
            known = self._context.arguments(info.callee)
            if known is None:
                continue
            changed = self._facts[callee] is None
            for position, fact in enumerate(known):
                send = info.argument(position + 1) if info.positional else None
                if send is not None:
                    passed = self._passed(view, facts, send)
                elif info.positional:
                    passed = self._default(callee, position + 1)
                else:
                    passed = _ANY_ARGUMENT
                changed |= self._join_argument(callee, position, passed, fact)
            if changed:
                self._worklist.add(callee)

    def _default(self, callee: int, number: int) -> ArgumentFact:
        """What a parameter is that a call leaves out: its default, or nothing, as the call fails."""
        if callee not in self._defaults:
            instrs = self._views[callee].function.instructions()
            self._defaults[callee] = {i.op1.num: i.op2.num for i in instrs if i.opcode == Opcode.RECV_INIT}
        literal, view = self._defaults[callee].get(number), self._views[callee]
        if literal is None:
            return ArgumentFact()
        return self._constant(view, literal)

    def _constant(self, view: FunctionView, literal: int) -> ArgumentFact:
        value = view.op_array.literals[literal]
        known = Range(value, value) if type(value) is int else None
        return ArgumentFact(null_for_undef(view.literal_mask(literal)), known, view.literal_nested(literal))

    def _passed(self, view: FunctionView, facts: Facts, send: Instr) -> ArgumentFact:
        if send.op1.kind == OpKind.CONST:
            return self._constant(view, send.op1.num)
        nested = nested_in(view, facts, send.op1, send.op1_use)
        mask = facts.types[send.op1_use] if send.op1_use >= 0 else UNKNOWN
        range_ = facts.ranges[send.op1_use] if send.op1_use >= 0 else ANY_INT
        mask = null_for_undef(mask) & ~(MAY_BE_REF | MAY_BE_INDIRECT)
        return ArgumentFact(mask, (range_ or ANY_INT) if mask & MAY_BE_LONG else None, nested)

    def _join_argument(self, callee: int, position: int, passed: ArgumentFact, fact: ArgumentFact) -> bool:
        old = fact.types, fact.range, fact.nested
        fact.types |= passed.types
        fact.range = self._patient(callee, position, fact.range, _joined_range(fact.range, passed.range))
        fact.nested |= passed.nested
        return (fact.types, fact.range, fact.nested) != old


def _joined_range(old: Range | None, new: Range | None) -> Range | None:
    """The union of integer ranges; None: no integers."""
    if old is None or new is None:
        found = old if new is None else new
        return Range(found.min, found.max) if found is not None else None
    both = united(old, new)
    return Range(both.min, both.max)


def infer_zend_script(script: Script, options: Options | None = None) -> list[tuple[Function | None, Facts | None]]:
    """Return (SSA form, facts) of every op array in PHP's order; (None, None) where PHP has neither."""
    if options is not None and options.direct_calls:
        script = with_direct_calls(script)
    context = ScriptContext(script, Config.ZEND, options)
    ssa_context = SsaContext(script)
    op_arrays = script.op_arrays()
    for op_array in op_arrays:
        if FnFlags.HAS_RETURN_TYPE in op_array.flags:
            context.set_returned(op_array, context.signature_returned(op_array))
    return [_infer_one(op_array, context, ssa_context) for op_array in op_arrays]


def _infer_one(
    op_array: OpArray, context: ScriptContext, ssa_context: SsaContext
) -> tuple[Function | None, Facts | None]:
    rc_inference = context.options.counts_references
    if refusal(op_array, rc_inference) is None:
        try:
            function = build_ssa(op_array, Config.ZEND, ssa_context, rc_inference)
            facts = infer(function, context)
        except (CompileError, Narrowed):
            pass
        else:
            context.set_returned(op_array, facts.returns)
            return function, facts
    context.set_returned(op_array, context.signature_returned(op_array))
    return None, None
