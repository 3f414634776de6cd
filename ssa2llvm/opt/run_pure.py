"""Calls of user functions with constant arguments, run at compile time: ``square(7)`` is 49.

The callee's SSA form is run step by step, with SCCP's own transfer functions on constants: where SCCP meets what comes
over all edges, a run takes the edge that it came by. So there is one opinion of what an instruction computes, and what
SCCP would not fold is not run: anything that reports, throws, prints, or reads or writes what is not the function's own
ends the attempt, as does running for long (``MAX_STEPS`` a call, ``PROGRAM_STEPS`` a program) or calling deeply.

The functions tried are those whose summary has no effect on others (``opt.summaries``). Results are remembered,
failures too, so that a call costs once however often SCCP looks at it. Zend evaluates calls of builtins only
(sccp.c:ct_eval_func_call).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ssa2llvm.analysis.calls import CallInfo
from ssa2llvm.analysis.lattice import declared_mask
from ssa2llvm.ir.function import Alias, Block, BlockFlags, Instr
from ssa2llvm.ir.op_array import FnFlags, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.optable import Effects
from ssa2llvm.ir.types import MAY_BE_DOUBLE, MAY_BE_REF
from ssa2llvm.opt.branches import decides
from ssa2llvm.opt.constant_facts import ConstantFacts
from ssa2llvm.opt.lattice import BOTTOM, Constant, LatticeValue, literal_value
from ssa2llvm.opt.sccp import PureCall, Sccp
from ssa2llvm.opt.summaries import summaries_of
from ssa2llvm.opt.unit import Program, Unit
from ssa2llvm.values.array import PhpArray, copy_value
from ssa2llvm.values.coerce import type_bit
from ssa2llvm.values.types import Value, is_int

MAX_STEPS = 4_000
PROGRAM_STEPS = 40_000
MAX_DEPTH = 40
MAX_ELEMENTS = 1_000

_PASSIVE = frozenset(
    {
        Opcode.NOP,
        Opcode.JMP,
        Opcode.FREE,
        Opcode.OP_DATA,
        Opcode.INIT_FCALL,
        Opcode.INIT_FCALL_BY_NAME,
        Opcode.INIT_NS_FCALL_BY_NAME,
    }
)
"""What does nothing by itself. (The INIT of a call that is not run does nothing either; its DO ends the attempt.)"""

_RECEIVES = frozenset({Opcode.RECV, Opcode.RECV_INIT})
_BY_VALUE = frozenset({Opcode.SEND_VAL, Opcode.SEND_VAR, Opcode.SEND_VAL_EX})


class Refused(ValueError):
    """The call cannot be run at compile time."""


def user_calls(unit: Unit) -> dict[Instr, PureCall]:
    """The calls of ``unit`` that may be run, by their DO and by each of their SENDs."""
    runner = unit.program.cache.setdefault("run_pure", PureRunner(unit.program))
    assert isinstance(runner, PureRunner)
    found: dict[Instr, PureCall] = {}
    for info in unit.get("calls").calls:
        if isinstance(info.callee, OpArray) and info.do is not None and runner.may_run(info, info.callee):
            call = PureCall(info.init, tuple(info.sends), info.do, _Evaluator(runner, info.callee))
            for instr in (*call.sends, call.do):
                found[instr] = call
    return found


@dataclass(frozen=True, slots=True)
class _Evaluator:
    runner: PureRunner
    callee: OpArray

    def __call__(self, arguments: Sequence[Value]) -> Value:
        """The result. Raises ValueError."""
        return self.runner.call(self.callee, arguments)


@dataclass(eq=False)
class PureRunner:
    """Runs functions of ``program``."""

    program: Program
    steps_left: int = PROGRAM_STEPS
    _running: list[int] = field(default_factory=list)
    """Steps that each call under way may still make; the outermost's bounds all."""
    _results: dict[tuple[object, ...], Constant | None] = field(default_factory=dict)
    _units: dict[int, Unit] = field(default_factory=dict)

    def may_run(self, info: CallInfo, callee: OpArray) -> bool:
        """Whether it is worth trying to run a call."""
        if not info.positional or info.is_prototype or any(send.opcode not in _BY_VALUE for send in info.sends):
            return False
        if callee.flags & (FnFlags.GENERATOR | FnFlags.VARIADIC | FnFlags.RETURNS_REFERENCE) or callee.static_vars:
            return False
        summary = summaries_of(self.program).get(id(callee))
        return summary is not None and not summary.effects & (Effects.WRITES_MEMORY | Effects.OUTPUT)

    def call(self, callee: OpArray, arguments: Sequence[Value]) -> Value:
        """What ``callee`` returns for ``arguments``. Raises Refused."""
        if self._running:
            return self._run(callee, arguments)
        key = self._key(callee, arguments)
        if key is not None and key in self._results:
            known = self._results[key]
            if known is None:
                raise Refused("tried before")
            return copy_value(known.value)
        budget = min(MAX_STEPS, self.steps_left)
        self._running.append(budget)
        result: Constant | None = None
        try:
            result = Constant(self._run(callee, arguments))
        finally:
            self.steps_left -= budget - max(0, self._running.pop())
            if key is not None:
                self._results[key] = result
        return copy_value(result.value)

    def _run(self, callee: OpArray, arguments: Sequence[Value]) -> Value:
        if len(self._running) > MAX_DEPTH:
            raise Refused("calls too deeply")
        unit = self._unit(callee)
        self._running.append(0)
        try:
            activation = _Activation(unit.function, ConstantFacts(unit.get("facts")), unit.get("pure_calls"))
            return activation.run(self, [copy_value(argument) for argument in arguments])
        finally:
            self._running.pop()

    def step(self) -> None:
        """One instruction more. Raises Refused if there were too many."""
        self._running[0] -= 1
        if self._running[0] < 0:
            raise Refused("runs too long")

    def _unit(self, callee: OpArray) -> Unit:
        if id(callee) not in self._units:
            self._units = {id(unit.function.op_array): unit for unit in self.program.units}
        return self._units[id(callee)]

    @staticmethod
    def _key(callee: OpArray, arguments: Sequence[Value]) -> tuple[object, ...] | None:
        if any(isinstance(argument, PhpArray) for argument in arguments):
            return None
        return (id(callee), *((type(argument), repr(argument)) for argument in arguments))


class _Activation(Sccp):
    """One run of one function: names have the values that they have at the moment."""

    def __post_init__(self) -> None:
        self.values = [BOTTOM] * len(self.function.ssa_vars)
        self._next_data = {
            first: second
            for block in self.function.blocks
            for first, second in zip(block.instrs, block.instrs[1:], strict=False)
            if second.opcode == Opcode.OP_DATA
        }

    def run(self, runner: PureRunner, arguments: list[Value]) -> Value:
        """Run until RETURN; its value. Raises Refused."""
        block, previous = self.function.blocks[0], -1
        while True:
            self._enter(block, previous)
            runner.step()
            for instr in block.instrs:
                runner.step()
                if instr.opcode == Opcode.RETURN:
                    return self._constant(self._operand(instr.op1, instr.op1_use))
                self._execute(instr, arguments)
            block, previous = self.function.blocks[self._next(block)], block.id

    def _enter(self, block: Block, previous: int) -> None:
        if previous < 0:
            return
        for phi in block.phis:
            if phi.pi == previous:
                self.values[phi.result] = self.values[phi.sources[0]]
        phis = [phi for phi in block.phis if not phi.is_pi]
        if phis:
            edge = block.preds.index(previous)
            values = [self.values[phi.sources[edge]] for phi in phis]
            for phi, value in zip(phis, values, strict=True):
                self.values[phi.result] = value

    def _next(self, block: Block) -> int:
        if len(block.succs) == 1 or BlockFlags.THROW_EDGE in block.flags:
            return block.succs[0]
        taken = self.feasible_successors(block, block.instrs[-1]) if block.instrs else []
        if len(taken) != 1:
            raise Refused("throws, or goes who knows where")
        return block.succs[taken[0]]

    def _execute(self, instr: Instr, arguments: list[Value]) -> None:
        if instr.opcode in _RECEIVES:
            self._lower(instr.result_def, Constant(self._received(instr, arguments)))
        elif instr.opcode == Opcode.VERIFY_RETURN_TYPE:
            self._verify(instr)
        elif instr in self.calls:
            self._call_here(instr)
        elif instr.opcode not in _PASSIVE:
            if not instr.defs() and not decides(instr):
                raise Refused(f"{instr.opcode.name} is there for its effect")
            self.visit_instr(instr)

    def _received(self, recv: Instr, arguments: list[Value]) -> Value:
        op_array, position = self.function.op_array, recv.op1.num - 1
        if position >= len(arguments):
            if recv.opcode == Opcode.RECV:
                raise Refused("an argument is missing")
            return self._constant(literal_value(op_array.literal(recv.op2)))
        mask = declared_mask(op_array.arg_info[position].type)
        value = arguments[position]
        if op_array.arg_info[position].by_ref:
            raise Refused("takes a reference")
        if is_int(value) and not type_bit(value) & mask and mask & MAY_BE_DOUBLE:
            return float(value)
        if not type_bit(value) & mask:
            raise Refused("an argument is converted")
        return value

    def _verify(self, instr: Instr) -> None:
        value = self._constant(self._operand(instr.op1, instr.op1_use))
        if not type_bit(value) & declared_mask(self.function.op_array.return_type):
            raise Refused("the result is converted")
        for name in instr.defs():
            self._lower(name, Constant(value))

    def _call_here(self, instr: Instr) -> None:
        call = self.calls[instr]
        if instr is call.do:
            arguments = [self._constant(self._operand(send.op1, send.op1_use)) for send in call.sends]
            self._lower(instr.result_def, Constant(call.evaluate(arguments)))

    def _constant(self, value: LatticeValue) -> Value:
        if not isinstance(value, Constant):
            raise Refused("undefined, or not known")
        return value.value

    def _lower(self, name: int, new: LatticeValue) -> None:
        if name < 0:
            return
        var = self.function.ssa_vars[name]
        if not isinstance(new, Constant) or self.facts.types[name] & MAY_BE_REF or var.alias is not Alias.NONE:
            raise Refused("not a plain value")
        if isinstance(new.value, PhpArray) and len(new.value) > MAX_ELEMENTS:
            raise Refused("the array is too big")
        self.values[name] = new
