"""The standard passes: THE table with its order constraints, and the thin functions that feed each pass its
analyses."""

from __future__ import annotations

from collections.abc import Callable

import ssa2llvm.opt.analyses  # noqa: F401  (enters the analyses that passes ask for)
from ssa2llvm.analysis.effects import DESTRUCTIBLE, effects_of
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Instr
from ssa2llvm.ir.optable import Effects
from ssa2llvm.ir.types import MAY_BE_COUNTED, MAY_BE_REF
from ssa2llvm.opt.calm_edges import remove_calm_edges
from ssa2llvm.opt.clean import clean_graph
from ssa2llvm.opt.constant_facts import ConstantFacts
from ssa2llvm.opt.copies import propagate_copies
from ssa2llvm.opt.dce import eliminate_dead_code
from ssa2llvm.opt.direct_calls import make_calls_direct
from ssa2llvm.opt.fold import fold
from ssa2llvm.opt.jump_threading import thread_jumps
from ssa2llvm.opt.literal_keys import elements_with_room
from ssa2llvm.opt.narrow import narrow
from ssa2llvm.opt.pass_table import AnyPass, Order, Pass, PassTable, ProgramPass
from ssa2llvm.opt.redundant_phis import remove_redundant_phis
from ssa2llvm.opt.scalar_arrays import replace_arrays
from ssa2llvm.opt.sccp import Sccp
from ssa2llvm.opt.sccp_rewrite import use_constants
from ssa2llvm.opt.scdf import TraceEntry
from ssa2llvm.opt.sctp import Sctp
from ssa2llvm.opt.specialize import specialize
from ssa2llvm.opt.summaries import call_effects, summaries_of
from ssa2llvm.opt.unit import ANALYSES, Unit

ROUNDS = 8
"""Facts are better once a client of SCDF has decided what they decide, so that more may be decided: SCCP and SCTP are
tried again as long as something changes, but not more often than this."""


def run_sccp(unit: Unit) -> int:
    """Propagate constants and remove what becomes unreachable."""
    return _run_scdf(
        unit, "sccp", lambda trace: Sccp(unit.function, ConstantFacts(unit.get("facts")), unit.get("pure_calls"), trace)
    )


def run_sctp(unit: Unit) -> int:
    """Propagate types and remove what becomes unreachable."""
    return _run_scdf(
        unit,
        "sctp",
        lambda trace: Sctp(FunctionView(unit.function, unit.program.context), unit.get("facts"), trace),
    )


def _run_scdf(unit: Unit, name: str, client_of: Callable[[list[TraceEntry] | None], Sccp | Sctp]) -> int:
    hook = unit.program.hooks.get(name)
    changes = 0
    for _ in range(ROUNDS):
        client = client_of(None if hook is None else [])
        client.solve()
        changed = use_constants(unit.function, client)
        if hook is not None and (changed or not changes):
            hook(unit, client)
        if not changed:
            break
        changes += changed
        unit.invalidate()
    return changes


def _effects(unit: Unit) -> Callable[[Instr], Effects]:
    """What each instruction of the unit may do, by its types and by what is known of callees."""
    function, facts = unit.function, unit.get("facts")
    summaries = summaries_of(unit.program)
    has_room, is_object_free = elements_with_room(function, facts), unit.get("object_free")

    def effects(instr: Instr) -> Effects:
        of_call = call_effects(unit, instr, summaries)
        return effects_of(function, instr, facts, has_room, is_object_free) if of_call is None else of_call

    return effects


def run_calm_edges(unit: Unit) -> int:
    """Remove edges to handlers that no instruction takes."""
    effects = _effects(unit)
    stirring = Effects.WARNS | Effects.THROWS | Effects.OUTPUT
    return remove_calm_edges(unit.function, lambda instr: bool(effects(instr) & stirring))


def run_dce(unit: Unit) -> int:
    """Remove what nobody can notice."""
    function, facts = unit.function, unit.get("facts")
    assert isinstance(facts, Facts)
    is_object_free = unit.get("object_free")
    return eliminate_dead_code(
        function,
        _effects(unit),
        lambda name: bool(facts.types[name] & (MAY_BE_REF if is_object_free[name] else MAY_BE_REF | DESTRUCTIBLE)),
        lambda name: bool(facts.types[name] & MAY_BE_COUNTED),
        unit.get("call_parts"),
        lambda name: _bounds(facts, name),
    )


def _bounds(facts: Facts, name: int) -> tuple[int | None, int | None]:
    known = facts.long_range(name)
    return (None, None) if known is None or known.flagged else (known.min, known.max)


def run_scalar_arrays(unit: Unit) -> int:
    """Replace local arrays by variables, from the outermost to what is nested in it."""
    total = 0
    while True:
        changes = replace_arrays(unit.function, unit.get("facts"), unit.get("cells"), unit.get("object_free"))
        if not changes:
            return total
        total += changes
        unit.invalidate()


def run_fold(unit: Unit) -> int:
    """Apply the folding rules."""
    return fold(unit.function, unit.get("facts"), unit.get("cells"))


def run_narrow(unit: Unit) -> int:
    """Rewrite by types."""
    return narrow(unit.function, unit.get("facts"), unit.get("cells"))


def run_copies(unit: Unit) -> int:
    """Read what was copied instead of the copy."""
    return propagate_copies(unit.function, unit.get("facts"), unit.get("cells"))


def run_jump_threading(unit: Unit) -> int:
    """Let jumps that know the way skip the branch."""
    return thread_jumps(unit.function, ConstantFacts(unit.get("facts")).single_value)


def run_redundant_phis(unit: Unit) -> int:
    """Remove phis that only ever stand for one value."""
    return remove_redundant_phis(unit.function)


def run_clean(unit: Unit) -> int:
    """Thread jumps and merge blocks."""
    return clean_graph(unit.function)


def run_direct_calls(unit: Unit) -> int:
    """Let calls of known functions be direct."""
    return make_calls_direct(unit.function, unit.get("calls"), unit.get("cells"))


_FRESH = frozenset(ANALYSES)
"""For passes that forget what they changed themselves."""

TABLE = PassTable(
    [
        Pass(
            "direct-calls",
            run_direct_calls,
            "calls by name of functions that are known",
            preserves=frozenset({"facts", "calls", "call_parts", "cells"}),
            zend_bits=0x8,
        ),
        ProgramPass(
            "specialize",
            specialize,
            "a copy of a function for each tuple of argument types it is called with",
            level=2,
            paper="Cooper, Hall, Kennedy: A Methodology for Procedure Cloning (Computer Languages 1993)",
        ),
        Pass(
            "sccp",
            run_sccp,
            "constants along feasible paths, arrays element by element; branches that can go one way",
            preserves=_FRESH,
            zend_bits=0xA0,
            paper="Wegman, Zadeck: Constant Propagation with Conditional Branches (TOPLAS 1991)",
        ),
        Pass(
            "sctp",
            run_sctp,
            "types along feasible paths; tests and branches that types and ranges decide",
            level=2,
            preserves=_FRESH,
            paper="Click, Cooper: Combining Analyses, Combining Optimizations (TOPLAS 1995)",
        ),
        Pass(
            "scalar-arrays",
            run_scalar_arrays,
            "variables instead of local arrays whose keys are known",
            paper="Kotzmann, Mössenböck: Escape Analysis in the Context of Dynamic Compilation (VEE 2005)",
        ),
        Pass(
            "fold",
            run_fold,
            "operators that inference shows to be simpler ones (rules as data, proved in the tests)",
            paper="Lopes et al.: Provably Correct Peephole Optimizations with Alive (PLDI 2015)",
        ),
        Pass(
            "narrow",
            run_narrow,
            "plainer instructions where types allow: assignments, operators, checks of return types",
            preserves=frozenset({"facts"}),
            zend_bits=0x20,
            paper="Popov et al.: Static Optimization in PHP 7 (CC 2017)",
        ),
        Pass(
            "copies",
            run_copies,
            "what was copied instead of the copy, where no counted value comes to be shared by it",
            preserves=frozenset({"facts", "calls", "call_parts", "cells"}),
            paper="Briggs, Cooper, Simpson: Value Numbering (SP&E 1997)",
        ),
        Pass(
            "redundant-phis",
            run_redundant_phis,
            "phis, and groups of phis that feed each other, which stand for one value",
            zend_bits=0x20,
            paper="Braun et al.: Simple and Efficient Construction of SSA Form (CC 2013), algorithm 5",
        ),
        Pass(
            "jump-threading",
            run_jump_threading,
            "past a branch on a phi, for a way on which the phi's value decides it",
            preserves=frozenset({"facts"}),
            paper="Cooper, Torczon: Engineering a Compiler, section 8.7 and exercises; LLVM's JumpThreading",
        ),
        Pass(
            "dce",
            run_dce,
            "computations and branches that nobody can notice",
            zend_bits=0x2020,
            paper="Cytron et al.: Efficiently Computing SSA Form and the Control Dependence Graph (TOPLAS 1991)",
        ),
        Pass(
            "calm-edges",
            run_calm_edges,
            "edges to exception handlers that no instruction takes",
            preserves=frozenset({"facts"}),
            paper="Choi, Grove, Hind, Sarkar: Efficient and Precise Modeling of Exceptions (PASTE 1999)",
        ),
        Pass(
            "clean",
            run_clean,
            "jumps to jumps, empty blocks, blocks that follow each other",
            zend_bits=0x10,
            paper="Cooper, Torczon: Engineering a Compiler, section 10.2 (Clean)",
        ),
    ],
    [
        Order("direct-calls", "sccp", "a send that may make a reference hides what its variable holds"),
        Order("specialize", "sccp", "constants, branches and operators depend on the types that a copy has"),
        Order("sccp", "dce", "constants leave computations without readers behind"),
        Order("sccp", "sctp", "what constants decide costs types no second look"),
        Order("sctp", "fold", "rules ask for types, which are better afterwards"),
        Order("sctp", "narrow", "narrowing asks for types, which are better afterwards"),
        Order("sctp", "dce", "tests that types answer have lost their readers"),
        Order("sctp", "clean", "decided branches leave jumps and lone blocks behind"),
        Order("sccp", "scalar-arrays", "keys are literals only once constants are in place"),
        Order("scalar-arrays", "fold", "elements that became variables have types of their own, which rules ask for"),
        Order("scalar-arrays", "narrow", "what an element is assigned may be computed there"),
        Order("scalar-arrays", "copies", "reading an element that became a variable is a copy"),
        Order("scalar-arrays", "dce", "copies of elements that nobody reads are dead"),
        Order("sccp", "fold", "a rule's parameters are literals only once constants are in place"),
        Order("fold", "narrow", "rules are written for operators, which narrow merges into assignments"),
        Order("narrow", "copies", "assignments become plain copies"),
        Order("copies", "redundant-phis", "a phi of two copies of one value may stand for it"),
        Order("copies", "dce", "a copy that nobody reads any more is dead"),
        Order("sccp", "jump-threading", "what a phi takes is a literal only once constants are in place"),
        Order("narrow", "jump-threading", "assignments of literals become copies of them"),
        Order("copies", "jump-threading", "a copy between a phi and its branch hides the one from the other"),
        Order("sctp", "jump-threading", "a switch on a known type reads its subject once, and not in a chain of tests"),
        Order("redundant-phis", "jump-threading", "phis that stand for one value decide nothing by the way"),
        Order("jump-threading", "dce", "the constant that decided has lost its reader"),
        Order("narrow", "dce", "a contracted assignment leaves its temporary without readers"),
        Order("fold", "dce", "what a folded pattern read may have no other reader"),
        Order("sccp", "clean", "folded branches leave jumps and lone blocks behind"),
        Order("redundant-phis", "dce", "a definition that only a redundant phi reads is dead afterwards"),
        Order("narrow", "calm-edges", "narrowed instructions throw less"),
        Order("dce", "calm-edges", "what is removed leaves a NOP behind its edge"),
        Order("calm-edges", "clean", "blocks that only an edge to a handler kept apart can be joined"),
        Order("dce", "clean", "removed branches leave empty blocks behind"),
    ],
)
"""The table that the command line and the code generator use."""


def register_pass(row: AnyPass, after: str | None = None, orders: tuple[Order, ...] = ()) -> None:
    """Add a pass of your own to the standard table (see ``PassTable.register``)."""
    TABLE.register(row, after, orders)
