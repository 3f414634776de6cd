"""Sparse conditional constant propagation over PHP's e-SSA (Wegman and Zadeck, TOPLAS 1991; Zend/Optimizer/sccp.c).

Finds the names that have one value on every run that reaches them, arrays element by element included, and the blocks
that no run reaches. This file is the analysis; ``sccp_rewrite`` uses what it finds.

A value is never assumed for a name that something else can change (a possible reference, a variable reached through
``$$x``), nor computed where PHP would report or throw. The lattice is in ``lattice``, evaluation in ``evaluate``, the
engine in ``scdf``.

Differences from Zend: intermediate arrays of an array literal keep their own values (Zend moves them along to save
memory); builtins are evaluated by ``values`` with any number of arguments; a name of reference type is BOTTOM from
the start, unless it would only be one if its variable were one before, which SCCP may refute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ssa2llvm.ir import types
from ssa2llvm.ir.function import Alias, Block, Function, Instr, Phi, SsaVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import (
    ARRAY_ELEMENT_REF,
    JMP_NULL_IN_EMPTY,
    JMP_NULL_IN_EXPR,
    JMP_NULL_IN_ISSET,
    Operand,
)
from ssa2llvm.opt import evaluate
from ssa2llvm.opt.branches import decides, taken_successor
from ssa2llvm.opt.lattice import (
    BOTTOM,
    TOP,
    Constant,
    LatticeValue,
    array_part,
    lattice_text,
    literal_value,
    meet,
    same_value,
)
from ssa2llvm.opt.scdf import Scdf, TraceEntry
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.operators import BINARY
from ssa2llvm.values.types import Value, is_int


class NameFacts(Protocol):
    """What SCCP asks of type inference."""

    @property
    def types(self) -> Sequence[int]:
        """Type mask of each name."""

    def single_value(self, name: int) -> LatticeValue | None:
        """The constant that type and range alone prove, if they do."""


@dataclass(frozen=True, slots=True)
class PureCall:
    """A call of a builtin that may be evaluated: its instructions in order and what it computes."""

    init: Instr
    sends: tuple[Instr, ...]
    do: Instr
    evaluate: Callable[[Sequence[Value]], Value | None]
    """The result for constant arguments; raises ValueError where PHP would report, throw or print."""

    @property
    def instructions(self) -> tuple[Instr, ...]:
        """All of them, users before what they use."""
        return (self.do, *self.sends, self.init)


@dataclass
class Sccp:
    """One run over one function. ``values`` has the lattice value of every name after ``solve``."""

    function: Function
    facts: NameFacts
    calls: Mapping[Instr, PureCall]
    """Evaluable calls, by their DO and by each of their SENDs."""
    trace: list[TraceEntry] | None = None
    values: list[LatticeValue] = field(init=False)
    scdf: Scdf = field(init=False)
    _cause: str = field(init=False, default="")
    _next_data: dict[Instr, Instr] = field(init=False)

    def __post_init__(self) -> None:
        first_name = len(self.function.op_array.cvs)
        self.values = [
            # An undefined CV stays unknown, or its warning would be lost.
            BOTTOM
            if name < first_name
            or var.alias is not Alias.NONE
            or (self.facts.types[name] & types.MAY_BE_REF and not _inherits_references(var, name))
            else TOP
            for name, var in enumerate(self.function.ssa_vars)
        ]
        self._next_data = {
            first: second
            for block in self.function.blocks
            for first, second in zip(block.instrs, block.instrs[1:], strict=False)
            if second.opcode == Opcode.OP_DATA
        }
        self.scdf = Scdf(self.function, self)

    def solve(self) -> None:
        """Run to the fixpoint. A name still TOP afterwards is defined only in code that never runs."""
        self.scdf.solve()

    def known(self, name: int) -> Constant | None:
        """The constant that ``name`` always has, if it is proved to have one."""
        value = self.values[name]
        return value if isinstance(value, Constant) else None

    def single_value(self, name: int) -> Constant | None:
        """The constant that inference proves, be the computation silent or not."""
        value = self.facts.single_value(name)
        return value if isinstance(value, Constant) else None

    def is_silent(self, last: Instr) -> bool:
        """A branch on a constant reports nothing."""
        return True

    # The client of the engine.

    def visit_phi(self, phi: Phi) -> None:
        """Meet the sources on feasible edges; a pi is a copy on one edge."""
        result: LatticeValue = TOP
        edges = [phi.pi] if phi.is_pi else self.function.blocks[phi.block].preds
        for source, block in zip(phi.sources, edges, strict=True):
            if self.scdf.is_feasible(block, phi.block):
                result = meet(result, self.values[source])
        self._cause = f"phi in BB{phi.block}"
        self._lower(phi.result, result)

    def visit_instr(self, instr: Instr) -> None:
        """Recompute what ``instr`` defines."""
        self._cause = f"{instr.number:04} {instr.opcode.name}"
        handler = _HANDLERS.get(instr.opcode)
        if handler is not None:
            handler(self, instr)
        elif instr in self.calls:
            self._call(instr)
        elif instr.opcode in BINARY:
            self._simple(instr, lambda a, b: evaluate.binary(instr.opcode, a, b))
        else:
            self._give_up(instr)

    def feasible_successors(self, block: Block, last: Instr) -> list[int]:
        """Which successors the branch can take, given the value it looks at."""
        both = list(range(len(block.succs)))
        if not decides(last):
            return both
        subject = self._operand(last.op1, last.op1_use)
        if subject is BOTTOM and last.op1_use >= 0:
            subject = self.facts.single_value(last.op1_use) or BOTTOM
        if subject is TOP:
            return []
        if subject is BOTTOM:
            return both
        position = taken_successor(self.function, last, subject)
        return both if position is None else [position]

    # Values of operands and results.

    def _operand(self, operand: Operand, use: int) -> LatticeValue:
        if operand.is_const:
            return literal_value(self.function.op_array.literal(operand))
        return self.values[use] if use >= 0 else BOTTOM

    def _lower(self, name: int, new: LatticeValue) -> None:
        old = self.values[name]
        if name < 0 or old is BOTTOM or new is TOP or same_value(old, new):
            return
        if old is not TOP and new is not BOTTOM:
            # Two evaluations disagree (only arrays do, when more paths came in): what they share is right.
            new = meet(old, new)
            if same_value(old, new):
                return
        if self.trace is not None:
            self.trace.append(TraceEntry(self._cause, name, lattice_text(old), lattice_text(new)))
        self.values[name] = new
        self.scdf.lowered(name)

    def _result(self, instr: Instr, value: LatticeValue | None) -> None:
        if instr.result_def >= 0:
            self._lower(instr.result_def, BOTTOM if value is None else value)

    def _variable(self, instr: Instr, value: LatticeValue | None) -> None:
        """What ``instr`` leaves in the variable that it writes. What was a reference stays one, with any value."""
        if instr.op1_def < 0:
            return
        if self.facts.types[instr.op1_def] & types.MAY_BE_REF and instr.op1_use >= len(self.function.op_array.cvs):
            old = self.values[instr.op1_use]
            if old is TOP:
                return
            if old is BOTTOM and self.facts.types[instr.op1_use] & types.MAY_BE_REF:
                value = None
        self._lower(instr.op1_def, BOTTOM if value is None else value)

    def _give_up(self, instr: Instr) -> None:
        for name in instr.defs():
            self._lower(name, BOTTOM)
        data = self._next_data.get(instr)
        if data is not None:
            for name in data.defs():
                self._lower(name, BOTTOM)

    # Families of instructions.

    def _simple(self, instr: Instr, compute: Callable[[LatticeValue, LatticeValue], LatticeValue | None]) -> None:
        left, right = self._operand(instr.op1, instr.op1_use), self._operand(instr.op2, instr.op2_use)
        if BOTTOM in (left, right):
            self._result(instr, BOTTOM)
        elif TOP not in (left, right):
            self._result(instr, compute(left, right))

    def _unary(self, instr: Instr, compute: Callable[[LatticeValue], LatticeValue | None]) -> None:
        operand = self._operand(instr.op1, instr.op1_use)
        if operand is BOTTOM:
            self._result(instr, BOTTOM)
        elif operand is not TOP:
            self._result(instr, compute(operand))

    def _assign(self, instr: Instr) -> None:
        if instr.op1_def < 0:
            self._give_up(instr)
            return
        value = self._operand(instr.op2, instr.op2_use)
        self._variable(instr, value)
        self._result(instr, value)

    def _copy(self, instr: Instr) -> None:
        self._result(instr, self._operand(instr.op1, instr.op1_use))

    def _assign_op(self, instr: Instr) -> None:
        left, right = self._operand(instr.op1, instr.op1_use), self._operand(instr.op2, instr.op2_use)
        if TOP in (left, right) and BOTTOM not in (left, right):
            return
        value = None if BOTTOM in (left, right) else evaluate.binary(Opcode(instr.extended_value), left, right)
        self._variable(instr, value)
        self._result(instr, value)

    def _step(self, instr: Instr) -> None:
        old = self._operand(instr.op1, instr.op1_use)
        if old is TOP:
            return
        new = None if old is BOTTOM else evaluate.step(instr.opcode, old)
        self._variable(instr, new)
        post = instr.opcode in (Opcode.POST_INC, Opcode.POST_DEC)
        self._result(instr, old if post else new)

    def _assign_dim(self, instr: Instr) -> None:
        data = self._next_data[instr]
        value = self._operand(data.op1, data.op1_use)
        container = self._container(instr)
        offset = self._operand(instr.op2, instr.op2_use) if instr.op2.is_const or instr.op2.is_var else None
        if container is BOTTOM or instr.op1_def < 0:
            self._give_up(instr)
            return
        if TOP in (container, value, offset):
            return
        after = evaluate.store(container, offset, value)
        self._variable(instr, after)
        stored_as_is = after is not None and offset is not BOTTOM and array_part(container) is not None
        self._result(instr, value if stored_as_is or container == Constant(None) else BOTTOM)

    def _container(self, instr: Instr) -> LatticeValue:
        undefined = instr.op1_use >= 0 and not self.facts.types[instr.op1_use] & types.MAY_BE_ANY
        if undefined and self.facts.types[instr.op1_use] & types.MAY_BE_UNDEF:
            return Constant(None)  # writing to an element of an undefined variable makes an array, silently
        return self._operand(instr.op1, instr.op1_use)

    def _assign_dim_op(self, instr: Instr) -> None:
        data = self._next_data[instr]
        value = self._operand(data.op1, data.op1_use)
        container, offset = self._operand(instr.op1, instr.op1_use), self._operand(instr.op2, instr.op2_use)
        if BOTTOM in (container, offset) or instr.op1_def < 0:
            self._give_up(instr)
            return
        if TOP in (container, offset, value):
            return
        old = evaluate.fetch_dim(container, offset, strings_too=False)
        if old is None:
            self._give_up(instr)
            return
        new = BOTTOM if value is BOTTOM else evaluate.binary(Opcode(instr.extended_value), old, value)
        if new is None:
            self._give_up(instr)
            return
        self._variable(instr, evaluate.store(container, offset, new))
        self._result(instr, new)

    def _array_element(self, instr: Instr) -> None:
        empty = not instr.op1.is_const and not instr.op1.is_var
        before: LatticeValue = Constant(PhpArray(0) if empty else PhpArray())
        if instr.opcode == Opcode.ADD_ARRAY_ELEMENT:
            before = self.values[instr.result_use]
        value = self._operand(instr.op1, instr.op1_use)
        offset = self._operand(instr.op2, instr.op2_use) if instr.op2.is_const or instr.op2.is_var else None
        if before is BOTTOM:
            self._give_up(instr)
            return
        if TOP in (before, offset) or (value is TOP and not empty):
            return
        if instr.op1_def >= 0:
            self._lower(instr.op1_def, BOTTOM)
        if empty:
            self._result(instr, before)
            return
        by_reference = bool(instr.extended_value & ARRAY_ELEMENT_REF)
        self._result(instr, evaluate.store(before, offset, BOTTOM if by_reference else value))

    def _array_unpack(self, instr: Instr) -> None:
        before, spread = self.values[instr.result_use], self._operand(instr.op1, instr.op1_use)
        if before is BOTTOM:
            self._result(instr, BOTTOM)
            return
        if TOP in (before, spread):
            return
        result: LatticeValue | None = before
        if not isinstance(spread, Constant) or not isinstance(spread.value, PhpArray):
            result = evaluate.after_unpacking(before)
        else:
            for key, element in spread.value.items():
                if result is not None:
                    result = evaluate.store(result, None if is_int(key) else Constant(key), Constant(element))
        self._result(instr, result)

    def _instanceof(self, instr: Instr) -> None:
        """No constant is an object."""
        self._unary(instr, lambda value: Constant(False))

    def _class_name(self, instr: Instr) -> None:
        self._result(instr, self._operand(instr.op2, instr.op2_use))

    def _yield_from(self, instr: Instr) -> None:
        def nothing(value: LatticeValue) -> LatticeValue | None:
            empty = isinstance(value, Constant) and isinstance(value.value, PhpArray) and not len(value.value)
            return Constant(None) if empty else None

        self._unary(instr, nothing)

    def _isset_cv(self, instr: Instr) -> None:
        self._unary(instr, lambda value: evaluate.isset_value(instr.extended_value, value))

    def _jmp_null(self, instr: Instr) -> None:
        kind = instr.extended_value & 3
        self._result(instr, Constant(_SHORT_CIRCUIT[kind]))

    def _rope(self, instr: Instr) -> None:
        part = self._operand(instr.op2, instr.op2_use)
        before: LatticeValue = Constant(b"")
        if instr.opcode != Opcode.ROPE_INIT:
            before = self._operand(instr.op1, instr.op1_use)
        if BOTTOM in (part, before):
            self._result(instr, BOTTOM)
        elif TOP not in (part, before):
            self._result(instr, evaluate.binary(Opcode.CONCAT, before, part))

    def _count(self, instr: Instr) -> None:
        def count(value: LatticeValue) -> LatticeValue | None:
            if isinstance(value, Constant) and isinstance(value.value, PhpArray):
                return Constant(len(value.value))
            return None

        self._unary(instr, count)

    def _strlen(self, instr: Instr) -> None:
        def strlen(value: LatticeValue) -> LatticeValue | None:
            if isinstance(value, Constant) and isinstance(value.value, bytes):
                return Constant(len(value.value))
            return None

        self._unary(instr, strlen)

    def _call(self, instr: Instr) -> None:
        call = self.calls[instr]
        if instr is not call.do:
            self.scdf.revisit(call.do)  # once all arguments that changed have been looked at
            return
        arguments = [self._operand(send.op1, send.op1_use) for send in call.sends]
        if call.do.result_def < 0 or any(argument is TOP for argument in arguments):
            return
        constants: list[Value] = []
        for argument in arguments:
            if not isinstance(argument, Constant):
                self._result(call.do, BOTTOM)
                return
            constants.append(argument.value)
        try:
            self._result(call.do, Constant(call.evaluate(constants)))
        except ValueError:
            self._result(call.do, BOTTOM)


def _inherits_references(var: SsaVar, name: int) -> bool:
    """Whether the name can only be a reference because its variable was one before: a phi, or a plain write."""
    if var.definition_phi is not None:
        return True
    definition = var.definition
    return definition is not None and definition.opcode in _PLAIN_WRITES and definition.op1_def == name


_PLAIN_WRITES = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_OP,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
    }
)
"""Opcodes that write to what op1 is, a reference or not, by ``_variable``."""

_SHORT_CIRCUIT: dict[int, Value] = {JMP_NULL_IN_EXPR: None, JMP_NULL_IN_ISSET: False, JMP_NULL_IN_EMPTY: True}

Handler = Callable[[Sccp, Instr], None]

_HANDLERS: dict[Opcode, Handler] = {
    Opcode.ASSIGN: Sccp._assign,
    Opcode.QM_ASSIGN: Sccp._copy,
    Opcode.JMP_SET: Sccp._copy,
    Opcode.COALESCE: Sccp._copy,
    Opcode.COPY_TMP: Sccp._copy,
    Opcode.ASSIGN_OP: Sccp._assign_op,
    Opcode.PRE_INC: Sccp._step,
    Opcode.PRE_DEC: Sccp._step,
    Opcode.POST_INC: Sccp._step,
    Opcode.POST_DEC: Sccp._step,
    Opcode.ASSIGN_DIM: Sccp._assign_dim,
    Opcode.ASSIGN_DIM_OP: Sccp._assign_dim_op,
    Opcode.INIT_ARRAY: Sccp._array_element,
    Opcode.ADD_ARRAY_ELEMENT: Sccp._array_element,
    Opcode.ADD_ARRAY_UNPACK: Sccp._array_unpack,
    Opcode.ISSET_ISEMPTY_CV: Sccp._isset_cv,
    Opcode.INSTANCEOF: Sccp._instanceof,
    Opcode.FETCH_CLASS: Sccp._class_name,
    Opcode.YIELD_FROM: Sccp._yield_from,
    Opcode.IN_ARRAY: lambda self, i: self._simple(i, lambda a, b: evaluate.in_keys(bool(i.extended_value), a, b)),
    Opcode.JMP_NULL: Sccp._jmp_null,
    Opcode.ROPE_INIT: Sccp._rope,
    Opcode.ROPE_ADD: Sccp._rope,
    Opcode.ROPE_END: Sccp._rope,
    Opcode.COUNT: Sccp._count,
    Opcode.STRLEN: Sccp._strlen,
    Opcode.BOOL_NOT: lambda self, i: self._unary(i, lambda v: evaluate.unary(Opcode.BOOL_NOT, v)),
    Opcode.BW_NOT: lambda self, i: self._unary(i, lambda v: evaluate.unary(Opcode.BW_NOT, v)),
    Opcode.BOOL: lambda self, i: self._unary(i, lambda v: evaluate.unary(Opcode.BOOL, v)),
    Opcode.JMPZ_EX: lambda self, i: self._unary(i, lambda v: evaluate.unary(Opcode.BOOL, v)),
    Opcode.JMPNZ_EX: lambda self, i: self._unary(i, lambda v: evaluate.unary(Opcode.BOOL, v)),
    Opcode.CAST: lambda self, i: self._unary(i, lambda v: evaluate.cast(i.extended_value, v)),
    Opcode.TYPE_CHECK: lambda self, i: self._unary(i, lambda v: evaluate.type_check(i.extended_value, v)),
    Opcode.FETCH_DIM_R: lambda self, i: self._simple(i, lambda a, b: evaluate.fetch_dim(a, b, strings_too=True)),
    Opcode.FETCH_DIM_IS: lambda self, i: self._simple(i, lambda a, b: evaluate.fetch_dim(a, b, strings_too=True)),
    Opcode.FETCH_LIST_R: lambda self, i: self._simple(i, lambda a, b: evaluate.fetch_dim(a, b, strings_too=False)),
    Opcode.ISSET_ISEMPTY_DIM_OBJ: lambda self, i: self._simple(
        i, lambda a, b: evaluate.isset_dim(i.extended_value, a, b)
    ),
    Opcode.ISSET_ISEMPTY_PROP_OBJ: lambda self, i: self._unary(
        i, lambda v: evaluate.isset_property(i.extended_value, v)
    ),
    Opcode.ARRAY_KEY_EXISTS: lambda self, i: self._simple(i, evaluate.key_exists),
}
