"""Specialisation: a function that is called with different types of arguments gets a copy for each.

``add(1, 2)`` and ``add(1.5, 2.5)`` make inference say "int or float" of both parameters, and ``f($x)`` of unknown type
makes it say nothing at all; every call then pays for the worst one. Here each call asks for the *variant* of its callee
that is made for the kinds of its arguments (``argument_kinds``): a copy of the function, called by this call and those
that pass the same. All callers of a variant are known, so inference types its parameters by what they pass, whoever
else may call the original by name, by value or from another language. Nothing else has to know about variants: an INIT
names one by its symbol (``add{long,long}``), which no PHP program can write, and what PHP shows of it is the original.

Types inside a variant are better, so its own calls ask for better variants, at once; rounds of asking and inferring go
on until no call moves, which for a recursive function ends with the variant calling itself. A call asks for no more
than it did before (its kinds only go up), so that this ends; after ``ROUNDS`` it stops in any case. The facts are right
in the end, since they come from whatever the calls name by then; kinds are only a wish.

An argument that may be a float only because integers overflow would spoil a whole chain of calls: ``f($n + 1)`` asks
for ints or floats. Where the callee loops or recurs, such a call goes to a *dispatcher* instead, which calls the
variant for ints with ints and the original with the rest.

Not copied: functions with static variables (all copies would have to share them), with declarations inside, generators,
and whatever is longer than ``MAX_OPCODES``. Growth is bounded: ``MAX_VARIANTS`` for a function, and as many opcodes as
the program has (or ``FREE_OPCODES``) in all; first come, first served, in the order of units and calls.

Agesen, "The Cartesian Product Algorithm" (ECOOP 1995); Cooper, Hall, Kennedy, "A Methodology for Procedure Cloning"
(Computer Languages 1993). Zend has nothing of the kind. Linear in the program but for inference, once a round.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ssa2llvm.analysis.call_graph import CallGraph
from ssa2llvm.analysis.calls import CallInfo
from ssa2llvm.analysis.context import ArgumentFact
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import (
    ARRAY_PART,
    REACHABLE,
    declared_mask,
    literal_nested,
    literal_type,
    null_for_undef,
)
from ssa2llvm.analysis.ranges import ANY_INT, Range
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import const, word
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_INDIRECT, MAY_BE_LONG, MAY_BE_NUMBER, MAY_BE_REF
from ssa2llvm.opt.argument_kinds import MIXED, joined, kind_of, variant_text
from ssa2llvm.opt.dispatcher import build_dispatcher
from ssa2llvm.opt.reachable import reachable_units, roots
from ssa2llvm.opt.unit import Program, Unit, infer_program
from ssa2llvm.ssa.copy import copy_function

MAX_VARIANTS = 4
MAX_OPCODES = 1_000
FREE_OPCODES = 1_000
ROUNDS = 8

Kinds = tuple[int, ...]

_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT})
_UNCOPIED = FnFlags.GENERATOR | FnFlags.CLOSURE


@dataclass(slots=True)
class _Known:
    """What the pass remembers of a program, so that running it again starts where it ended. ``origin_of`` maps a
    variant's op array to the original's and ``kinds_of`` to what it was made for; ``asked`` are the kinds that a
    call's INIT has asked for so far."""

    origin_of: dict[int, OpArray] = field(default_factory=dict)
    kinds_of: dict[int, Kinds] = field(default_factory=dict)
    variants: dict[int, dict[Kinds, OpArray]] = field(default_factory=dict)
    dispatchers: dict[int, dict[Kinds, OpArray]] = field(default_factory=dict)
    asked: dict[Instr, Kinds] = field(default_factory=dict)
    opcodes: int = 0


def specialize(program: Program) -> int:
    """Copy functions of ``program`` for the kinds of arguments they are called with, direct the calls to the copies,
    and infer all facts again. Returns how many calls have another callee now."""
    return _Specializer(program).run()


class _Specializer:
    def __init__(self, program: Program) -> None:
        self._program = program
        known = program.cache.setdefault("specialize", _Known())
        assert isinstance(known, _Known)
        self._known = known
        self._units = {id(unit.function.op_array): unit for unit in program.units}
        declared = {id(op_array) for op_array in program.script.functions}
        self._copyable = {number for number, unit in self._units.items() if number in declared and _may_copy(unit)}
        self._works = self._working()
        self._free: set[int] = set()
        self._budget = max(FREE_OPCODES, sum(len(op_array.ops) for op_array in program.script.op_arrays()))

    def _working(self) -> set[int]:
        """The functions that loop or recur: those for which a test before the call is nothing."""
        units = self._program.units
        graph = CallGraph([unit.function for unit in units], [unit.get("calls") for unit in units])
        return {
            id(unit.function.op_array)
            for number, unit in enumerate(units)
            if unit.function.has_loops or graph.is_directly_recursive(number) or graph.is_indirectly_recursive(number)
        }

    def run(self) -> int:
        """Ask and infer in turns."""
        moved = 0
        starts = roots(self._program)
        opened = {id(unit.function.op_array) for unit in starts}
        for _ in range(ROUNDS):
            in_round = self._round(starts)
            if not in_round:
                break
            moved += in_round
            self._program.cache.pop("summaries", None)
            infer_program(self._program)
            self._note_unused(opened)
        return moved

    def _note_unused(self, opened: set[int]) -> None:
        """Take out variants that nobody calls any more, as their calls went on to others."""
        used = {id(unit) for unit in reachable_units(self._program)}
        unused = [unit for unit in self._program.units if id(unit) not in used]
        self._free = self._copyable & {id(unit.function.op_array) for unit in unused} - opened
        for unit in unused:
            if not unit.function.op_array.variant:
                continue
            op_array = unit.function.op_array
            origin, kinds = self._known.origin_of[id(op_array)], self._known.kinds_of[id(op_array)]
            if FnFlags.DISPATCHER in op_array.flags:
                del self._known.dispatchers[id(origin)][kinds]
            else:
                del self._known.variants[id(origin)][kinds]
                self._known.opcodes -= len(op_array.ops)
            self._program.units.remove(unit)

    def _round(self, starts: list[Unit]) -> int:
        """Let every call that can happen ask, those of new variants too, whose facts follow from the call that they
        were made for."""
        moved = 0
        pending = list(reversed(starts))
        seen = {id(unit) for unit in starts}
        while pending:
            unit = pending.pop()
            if FnFlags.DISPATCHER not in unit.function.op_array.flags:  # what it chooses from is chosen
                moved += self._direct_calls(unit)
                unit.invalidate(frozenset({"facts"}))
            for info in reversed(unit.get("calls").calls):
                callee = self._units.get(id(info.callee))
                if callee is not None and id(callee) not in seen:
                    seen.add(id(callee))
                    pending.append(callee)
        return moved

    def _direct_calls(self, unit: Unit) -> int:
        moved = 0
        for info in unit.get("calls").calls:
            if info.do is None or not isinstance(info.callee, OpArray):
                continue
            origin = self._known.origin_of.get(id(info.callee), info.callee)
            passed = self._passed(unit, info, origin) if id(origin) in self._copyable else None
            if passed is None:
                continue
            callee = self._callee(info, origin, passed)
            if callee is not info.callee:
                _redirect(unit.function, info, callee)
                moved += 1
        return moved

    # ---- what a call asks for

    def _passed(self, unit: Unit, info: CallInfo, origin: OpArray) -> list[ArgumentFact] | None:
        """What arrives in the callee's parameters; None for a call that never happens, fails for want of arguments, or
        does not pass them one by one."""
        if not info.positional or info.num_args < origin.required_num_args:
            return None
        received = _receives(self._units[id(origin)].function)
        passed = []
        for position, parameter in enumerate(origin.arg_info[: origin.num_args]):
            recv = received.get(position + 1)
            send = info.argument(position + 1)
            if recv is None or parameter.by_ref:
                passed.append(ArgumentFact(MIXED, ANY_INT, ARRAY_PART))
                continue
            if send is None:
                assert recv.opcode == Opcode.RECV_INIT
                fact = _constant(origin.literal(recv.op2))
            elif send.op1.is_const:
                fact = _constant(unit.function.op_array.literal(send.op1))
            else:
                fact = _variable(unit.get("facts"), send.op1_use)
            if not fact.types & REACHABLE:
                return None
            declared = declared_mask(parameter.type)
            converted = fact.types & MAY_BE_ANY & ~declared
            passed.append(ArgumentFact(declared, ANY_INT, ARRAY_PART) if converted else fact)
        return passed

    def _callee(self, info: CallInfo, origin: OpArray, passed: list[ArgumentFact]) -> OpArray:
        """Whom the call should call: where it goes already, a variant, or the original."""
        callee, kinds = info.callee, tuple(kind_of(fact.types) for fact in passed)
        assert isinstance(callee, OpArray)
        asked = self._known.asked.get(info.init)
        wanted = kinds if asked is None else joined(asked, kinds)
        if callee is not origin and wanted == self._known.kinds_of[id(callee)]:
            return callee
        self._known.asked[info.init] = wanted
        complete = info.num_args == origin.num_args == len(origin.arg_info)
        if MAY_BE_NUMBER in wanted and complete and id(origin) in self._works:
            dispatcher = self._dispatcher(origin, wanted, passed)
            if dispatcher is not None:
                return dispatcher
        return self._best(origin, wanted, passed) or callee

    def _best(self, origin: OpArray, kinds: Kinds, passed: list[ArgumentFact]) -> OpArray | None:
        """The original if a variant would be no better, or the variant; None if that may not be made any more."""
        if id(origin) in self._free:
            self._free.remove(id(origin))  # nobody calls it: it becomes what it is called for
            return origin
        if not self._pays(origin, kinds):
            return origin
        variants = self._known.variants.setdefault(id(origin), {})
        if kinds not in variants:
            size = len(origin.ops)
            if len(variants) >= MAX_VARIANTS or self._known.opcodes + size > self._budget:
                return None
            self._known.opcodes += size
            copy = copy_function(self._units[id(origin)].function, variant_text(kinds))
            variants[kinds] = copy.op_array
            self._enter(copy, origin, kinds, passed)
        return variants[kinds]

    def _dispatcher(self, origin: OpArray, kinds: Kinds, passed: list[ArgumentFact]) -> OpArray | None:
        """The function that takes numbers where ``kinds`` has them, and calls the variant for ints with ints, and with
        others the original: floats that only an overflow makes are worth no copy. None if that may not be made."""
        dispatchers = self._known.dispatchers.setdefault(id(origin), {})
        if kinds not in dispatchers:
            checked = [position for position, kind in enumerate(kinds) if kind == MAY_BE_NUMBER]
            ints = tuple(MAY_BE_LONG if kind == MAY_BE_NUMBER else kind for kind in kinds)
            fast = self._best(origin, ints, passed)
            if fast is None or fast is origin:
                return fast
            function = build_dispatcher(fast, origin, checked, variant_text(kinds) + "?")
            dispatchers[kinds] = function.op_array
            self._enter(function, origin, kinds, passed)
        return dispatchers[kinds]

    def _pays(self, origin: OpArray, kinds: Kinds) -> bool:
        """Whether a parameter that is read would be of a better kind than in the original."""
        unit = self._units[id(origin)]
        facts: Facts = unit.get("facts")
        variables = unit.function.ssa_vars
        for number, recv in _receives(unit.function).items():
            if number > len(kinds) or kinds[number - 1] == MIXED or recv.result_def < 0:
                continue
            var = variables[recv.result_def]
            if kinds[number - 1] != kind_of(facts.types[recv.result_def]) and (var.uses or var.phi_uses):
                return True
        return False

    def _enter(self, function: Function, origin: OpArray, kinds: Kinds, passed: list[ArgumentFact]) -> None:
        """Make a new function known. Until all is inferred anew, it is taken to be called as ``passed`` says and to
        return what its original does."""
        op_array, context = function.op_array, self._program.context
        self._known.origin_of[id(op_array)] = origin
        self._known.kinds_of[id(op_array)] = kinds
        context.symbols.add_variant(op_array)
        arguments = [replace(fact, types=fact.types & kind) for fact, kind in zip(passed, kinds, strict=True)]
        context.set_arguments(op_array, arguments)
        context.set_returned(op_array, context.returned(origin) or context.signature_returned(origin))
        unit = self._units[id(op_array)] = Unit(function, self._program)
        self._program.units.append(unit)


def _may_copy(unit: Unit) -> bool:
    op_array = unit.function.op_array
    if op_array.flags & _UNCOPIED or op_array.static_vars or op_array.dynamic_defs:
        return False
    return len(op_array.ops) <= MAX_OPCODES and bool(_receives(unit.function))


def _receives(function: Function) -> dict[int, Instr]:
    """The instructions that receive parameters, by number; they are in the first block as far as they can be reached
    at all without an argument missing."""
    return {instr.op1.num: instr for block in function.blocks for instr in block.instrs if instr.opcode in _RECEIVES}


def _constant(value: Literal) -> ArgumentFact:
    known = Range(value, value) if type(value) is int else None
    return ArgumentFact(null_for_undef(literal_type(value)), known, literal_nested(value))


def _variable(facts: Facts, name: int) -> ArgumentFact:
    if name < 0:
        return ArgumentFact(MIXED, ANY_INT, ARRAY_PART)
    types = null_for_undef(facts.types[name]) & ~(MAY_BE_REF | MAY_BE_INDIRECT)
    known = (facts.ranges[name] or ANY_INT) if types & MAY_BE_LONG else None
    return ArgumentFact(types, known, facts.nested_in(name))


def _redirect(function: Function, info: CallInfo, callee: OpArray) -> None:
    """Let the call call ``callee``: PHP's direct call of a known function, with the symbol as its name."""
    literals = function.op_array.literals
    literals.append(callee.symbol.encode("utf-8", "surrogateescape"))
    if info.init.opcode != Opcode.INIT_FCALL:
        info.init.opcode, info.init.op1 = Opcode.INIT_FCALL, word(0)
    info.init.op2 = const(len(literals) - 1)
    assert info.do is not None
    info.do.opcode = Opcode.DO_UCALL
