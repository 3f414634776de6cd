"""Sparse conditional type propagation (Click and Cooper, "Combining Analyses, Combining Optimizations", TOPLAS 1995).

Type inference takes every branch to go both ways, and types decide branches: each of the two would know more if it had
the other's answer first. Taken together, optimistically, they find what neither finds in turns:

    $x = 1;
    while (...) {
        if (!is_int($x)) { $x = 'a'; } else { $x = $x % 7; }
    }

Inference alone sees a string come round; so ``is_int`` may fail; so the string stays. Here $x is an integer until the
opposite is proved, the first arm is not looked at, and nothing ever proves it.

The second client of ``scdf``. Lattice: type masks, 0 (never defined) on top. Transfer: the tables of
``analysis.transfer`` in the sound configuration, with the ranges and classes that inference has found (``facts``).
Feasible edges: what ``type_tests`` says of the branch. The result is within ``facts``, which hold on all edges.

Sound because a mask starts empty and gains every type that any run can bring along feasible edges: names that change
behind the instructions' backs (references, aliases) and variables at entry keep the types of ``facts`` from the
start; a transfer function that knows nothing yields those too; edges to handlers are always feasible. Masks say what
a test answers, not that it is silent: ``sccp_rewrite`` leaves branches and tests that would report something.

Zend has no such pass; its SCCP asks finished types (sccp.c:value_from_type_and_range). Time: O(def-use edges times 32).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.handler_states import half_written
from ssa2llvm.analysis.lattice import UNKNOWN
from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.analysis.type_steps import defined_by, type_behind_pi
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Alias, Block, Function, Instr, Phi
from ssa2llvm.ir.literals import JumpTable
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
    type_text,
)
from ssa2llvm.opt.constant_facts import ConstantFacts
from ssa2llvm.opt.lattice import Constant
from ssa2llvm.opt.sccp import PureCall
from ssa2llvm.opt.scdf import Scdf, TraceEntry
from ssa2llvm.opt.type_tests import TESTS, Abstract, is_null, of_literal, truth

_FETCHES = frozenset({Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW})


@dataclass
class Sctp:
    """One run over one function, which ``view`` shows. ``types`` has the mask of every name after ``solve``; 0 is a
    name that no run defines, or none that inference knew anything about."""

    view: FunctionView
    facts: Facts
    trace: list[TraceEntry] | None = None
    calls: Mapping[Instr, PureCall] = field(init=False, default_factory=dict)
    """None: calls are not evaluated."""
    function: Function = field(init=False)
    types: list[int] = field(init=False)
    scdf: Scdf = field(init=False)
    _limits: list[int] = field(init=False)
    _running: Facts = field(init=False)
    _cause: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.function = self.view.function
        first_name = len(self.function.op_array.cvs)
        self._limits = [mask or UNKNOWN for mask in self.facts.types]
        self.types = [
            mask
            if name < first_name
            or mask & MAY_BE_REF
            or var.alias is not Alias.NONE
            or (var.definition is None and var.definition_phi is None)
            else 0
            for name, (mask, var) in enumerate(zip(self._limits, self.function.ssa_vars, strict=True))
        ]
        self._running = Facts(self.types, self.facts.ranges, self.facts.classes, nested=self.facts.nested)
        self.view.types, self.view.ranges = self.types, self.facts.ranges
        self.scdf = Scdf(self.function, self)

    def solve(self) -> None:
        """Run to the fixpoint."""
        self.scdf.solve()

    def known(self, name: int) -> Constant | None:
        """Types prove values, but not that computing them is silent: see ``single_value``."""
        return None

    def single_value(self, name: int) -> Constant | None:
        """The only value that the name can have, by its type and range."""
        return ConstantFacts(self._running).single_value(name) if self.types[name] else None

    # The client of the engine.

    def visit_phi(self, phi: Phi) -> None:
        """Join the sources on feasible edges; a pi takes what its constraint lets through."""
        self._cause = f"phi in BB{phi.block}"
        mask = 0
        if phi.is_pi:
            if self.scdf.is_feasible(phi.pi, phi.block):
                mask = type_behind_pi(self.view, phi, self.types[phi.sources[0]])
        else:
            for source, block in zip(phi.sources, self.function.blocks[phi.block].preds, strict=True):
                if self.scdf.is_feasible(block, phi.block):
                    mask |= self.types[source]
            if self.view.handlers.may_be_half_written(phi):
                mask = half_written(mask)
        self._grow(phi.result, mask & self._limits[phi.result])

    def visit_instr(self, instr: Instr) -> None:
        """Recompute what ``instr`` and its OP_DATA define."""
        self._cause = f"{instr.number:04} {instr.opcode.name}"
        defs = defined_by(self.view, self._running, instr)
        if defs is None:
            return
        result = defs.result
        test = TESTS.get(instr.opcode)
        if test is not None and result is not None:
            op1, op2 = self._value(instr.op1, instr.op1_use), self._value(instr.op2, instr.op2_use)
            result &= test(instr.extended_value, op1, op2)
        data = self.view.sites[instr].data
        may_be_none = instr.opcode in _FETCHES  # of an array without elements
        self._define(instr.result_def, result, may_be_none)
        self._define(instr.op1_def, defs.op1, may_be_none)
        self._define(instr.op2_def, defs.op2, may_be_none)
        if data is not None:
            self._define(data.op1_def, defs.data, may_be_none)

    def _define(self, name: int, mask: int | None, may_be_none: bool) -> None:
        """Where the tables say nothing, or nothing that fits what is known, the facts stand."""
        if name >= 0:
            limit = self._limits[name]
            within = limit if mask is None else mask & limit
            self._grow(name, within if within or may_be_none else limit)

    def _grow(self, name: int, mask: int) -> None:
        old = self.types[name]
        new = old | mask
        if new == old:
            return
        if self.trace is not None:
            self.trace.append(TraceEntry(self._cause, name, _shown(old), _shown(new)))
        self.types[name] = new
        self.scdf.lowered(name)
        for result in self.view.results_fed_by(name):
            call = self.function.ssa_vars[result].definition
            if call is not None:
                self.scdf.revisit(call)

    def _value(self, operand: Operand, use: int) -> Abstract:
        if operand.is_const:
            return of_literal(self.function.op_array.literal(operand))
        if use < 0:
            return Abstract(UNKNOWN)
        return Abstract(self.types[use], self.facts.ranges[use] or ANY_INT)

    def feasible_successors(self, block: Block, last: Instr) -> list[int]:
        """Which successors the branch can take, given the types of what it looks at."""
        everywhere = list(range(len(block.succs)))
        subject = self._value(last.op1, last.op1_use)
        if last.opcode not in _DECIDED:
            return everywhere
        if not subject.types:
            return []
        if last.opcode in _ON_TRUTH:
            answers, if_true = truth(subject), _ON_TRUTH[last.opcode]
        elif last.opcode in _ON_NULL:
            answers, if_true = is_null(subject), _ON_NULL[last.opcode]
        elif last.opcode in _TABLE_TYPES:
            return self._ways_of_table(last, subject) or everywhere
        elif last.opcode == Opcode.FE_RESET_R:
            return everywhere if subject.types & (_ITERABLE | MAY_BE_REF) else [0]
        else:
            return everywhere if truth(subject) & MAY_BE_TRUE else [0]
        ways = [if_true] if answers & MAY_BE_TRUE else []
        return ways + ([1 - if_true] if answers & MAY_BE_FALSE else [])

    def _ways_of_table(self, last: Instr, subject: Abstract) -> list[int] | None:
        """Of a switch or match: to keys that are among the values; to the default if others are; for a switch, past the
        table if values of other types are."""
        table = self.function.op_array.literal(last.op2)
        if subject.opaque or not isinstance(table, JumpTable):
            return None
        types = subject.types & (MAY_BE_ANY | MAY_BE_UNDEF)
        keys = [key for key, _ in table.entries]
        ways = [position for position, key in enumerate(keys) if _may_be_key(key, types, subject.integers)]
        if types & _TABLE_TYPES[last.opcode] & ~MAY_BE_LONG or (
            types & _TABLE_TYPES[last.opcode] and not set(keys).issuperset(_few(subject.integers, len(keys)))
        ):
            ways.append(len(keys))
        if types & ~_TABLE_TYPES[last.opcode]:
            ways.append(len(keys) + (last.opcode != Opcode.MATCH))
        return list(dict.fromkeys(ways))

    def is_silent(self, last: Instr) -> bool:
        """Whether the branch may become a jump: reading an undefined variable is reported, unless it asks for that."""
        if last.opcode in _QUIET or not last.op1.is_cv or last.op1_use < 0:
            return True
        return not self.facts.types[last.op1_use] & MAY_BE_UNDEF


def _may_be_key(key: int | bytes, types: int, integers: Range) -> bool:
    if isinstance(key, int):
        return bool(types & MAY_BE_LONG) and key in integers
    return bool(types & MAY_BE_STRING)


def _few(integers: Range, limit: int) -> set[int | None]:
    """The integers of a range, if there are at most ``limit``; else something that no table has."""
    return set(range(integers.min, integers.max + 1)) if integers.max - integers.min < limit else {None}


def _shown(mask: int) -> str:
    return type_text(mask) if mask else "top"


_ITERABLE = MAY_BE_ARRAY | MAY_BE_OBJECT
_ON_TRUTH = {Opcode.JMPZ: 1, Opcode.JMPZ_EX: 1, Opcode.JMPNZ: 0, Opcode.JMPNZ_EX: 0, Opcode.JMP_SET: 0}
"""Branch → the position of the successor it takes if op1 is true; of the two, the other one if it is false."""
_ON_NULL = {Opcode.COALESCE: 1, Opcode.JMP_NULL: 0}
"""Branch → the position of the successor it takes if op1 is null."""
_QUIET = frozenset({Opcode.COALESCE})
"""Branches that ask an undefined variable without a word."""
_TABLE_TYPES = {
    Opcode.SWITCH_LONG: MAY_BE_LONG,
    Opcode.SWITCH_STRING: MAY_BE_STRING,
    Opcode.MATCH: MAY_BE_LONG | MAY_BE_STRING,
}
_DECIDED = frozenset({*_ON_TRUTH, *_ON_NULL, *_TABLE_TYPES, Opcode.FE_RESET_R, Opcode.FE_FETCH_R})
