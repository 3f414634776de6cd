"""Type and range inference of a function (Zend/Optimizer/zend_inference.c:zend_ssa_inference).

Config.ZEND does what PHP does, in its order: references, ranges, types, integer literals that may be floats (if asked
for), return facts, escape analysis. Ranges are inferred before types and know nothing of them.

Config.SOUND needs types to know what a range means, and ranges to know whether arithmetic overflows. It seeks types T
and ranges R that justify each other. First T is guessed as if nothing overflowed, R inferred from T, and T' from R:
if T' is within T, then (T', R) is a post-fixpoint of both analyses together, hence right (each is monotone in the
other). If not, T is widened by T' and tried again, at most ``GUESSES`` times; then the safe side is the start, types
without ranges. From anything right, the analyses take turns to make each other better, at most ``ROUNDS`` times.

Popov et al., "Static optimization in PHP 7" (CC 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.double_literals import find_double_literals
from ssa2llvm.analysis.escape import EscapeAnalysis
from ssa2llvm.analysis.facts import Escape, Facts
from ssa2llvm.analysis.range_solver import RangeSolver
from ssa2llvm.analysis.range_sound import SoundRanges
from ssa2llvm.analysis.range_zend import ZendRanges
from ssa2llvm.analysis.ranges import Range, meet
from ssa2llvm.analysis.reference_slots import ARGUMENT_VARIABLES
from ssa2llvm.analysis.references import mark_references
from ssa2llvm.analysis.returns import return_fact
from ssa2llvm.analysis.type_solver import UNKNOWN_ALIAS, Narrowed, TypeSolver, aliased_type
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Alias, Function
from ssa2llvm.ir.types import MAY_BE_LONG, MAY_BE_REF, MAY_BE_UNDEF

GUESSES = 8
ROUNDS = 4
_FITS = Range(0, 0)


def infer(function: Function, context: ScriptContext | None = None, view: FunctionView | None = None) -> Facts:
    """Return the facts of ``function`` (in SSA form, with components) under ``context``'s configuration; without a
    context, of the function on its own in the configuration it was built for. ``view`` saves building it again.

    Raises ``type_solver.Narrowed`` where PHP gives up (Config.ZEND only)."""
    if context is None:
        context = ScriptContext(config=function.config)
    if view is None:
        view = FunctionView(function, context)
    return _infer_zend(view) if context.config is Config.ZEND else _infer_sound(view)


def _initial_types(view: FunctionView) -> list[int]:
    """Names are unreachable until proved otherwise; variables at entry are undefined, those of Zend's main script
    anything."""
    function = view.function
    types = [0] * len(function.ssa_vars)
    for name in range(len(view.op_array.cvs)):
        types[name] = MAY_BE_UNDEF
        if view.op_array.is_main and not view.sound:
            types[name] |= UNKNOWN_ALIAS
        elif Alias.SYMTABLE in function.ssa_vars[name].alias:
            types[name] |= aliased_type(view, name)
        elif view.op_array.is_main and view.op_array.cvs[name] in ARGUMENT_VARIABLES:
            types[name] |= view.widened(name, MAY_BE_REF)
    return types


def _infer_zend(view: FunctionView) -> Facts:
    size = len(view.function.ssa_vars)
    facts = Facts(_initial_types(view), [None] * size, [None] * size, [Escape.UNKNOWN] * size)
    view.types = facts.types
    mark_references(view, facts.types)
    for name, types in enumerate(facts.types):
        if types & MAY_BE_REF:
            facts.types[name] |= view.counts
    rules = ZendRanges(view.function, facts.ranges, view.zend_returned_range)
    RangeSolver(view.function, view.sites, facts.types, facts.ranges, rules).solve()
    TypeSolver(view, facts).solve(range(len(view.op_array.cvs), size))
    if view.context.options.narrow_to_double:
        literals, changed = find_double_literals(view, facts)
        with suppress(Narrowed):  # PHP warns, and goes on with the types as they are
            TypeSolver(view, facts, literals).solve(sorted(changed))
    facts.returns = return_fact(view, facts)
    if not view.context.options.counts_references:  # the JIT shows counts, and does not ask what escapes
        for name, types in enumerate(facts.types):
            facts.types[name] = types & ~view.counts
        EscapeAnalysis(view, facts).run()
    return facts


def _infer_sound(view: FunctionView) -> Facts:
    initial = _initial_types(view)
    mark_references(view, initial)
    facts = _consistent_guess(view, initial)
    if facts is None:
        unknown: list[Range | None] = [None] * len(initial)
        facts = _sound_types(view, initial, unknown)
    for _ in range(ROUNDS):
        ranges = _sound_ranges(view, facts.types, facts.ranges)
        better = [meet(new, old) for new, old in zip(ranges, facts.ranges, strict=True)]
        if better == facts.ranges:
            break
        facts = _sound_types(view, initial, better)
    for name, types in enumerate(facts.types):
        if not types & MAY_BE_LONG:
            facts.ranges[name] = None
    facts.returns = return_fact(view, facts)
    facts.cells = view.known_cells()
    EscapeAnalysis(view, facts).run()
    return facts


def _consistent_guess(view: FunctionView, initial: list[int]) -> Facts | None:
    """Types and ranges that imply each other, starting from the assumption that nothing overflows; None if too many
    assumptions fail."""
    size = len(initial)
    assumed = _sound_types(view, initial, [_FITS] * size).types
    for _ in range(GUESSES):
        ranges = _sound_ranges(view, assumed, None)
        facts = _sound_types(view, initial, ranges)
        if not any(new & ~old for new, old in zip(facts.types, assumed, strict=True)):
            return facts
        assumed = [new | old for new, old in zip(facts.types, assumed, strict=True)]
    return None


def _sound_ranges(view: FunctionView, types: list[int], before: list[Range | None] | None) -> list[Range | None]:
    ranges: list[Range | None] = [None] * len(types)
    rules = SoundRanges(view, types, ranges, before)
    RangeSolver(view.function, view.sites, types, ranges, rules, follows_references=True).solve()
    return ranges


def _sound_types(view: FunctionView, initial: list[int], ranges: Sequence[Range | None]) -> Facts:
    size = len(initial)
    facts = Facts(list(initial), list(ranges), [None] * size, [Escape.UNKNOWN] * size)
    facts.nested = [view.nested_widened(name, mask, 0) if mask & MAY_BE_REF else 0 for name, mask in enumerate(initial)]
    view.types, view.ranges, view.nested = facts.types, facts.ranges, facts.nested
    TypeSolver(view, facts).solve(range(len(view.op_array.cvs), size))
    return facts
