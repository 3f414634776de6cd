"""What the interpreter executes: a flat list of steps, the same for every form of a function.

A ``Step`` is an instruction plus the *cells* that its operands are read from and written to. Only this differs
between the forms: in the linear form a cell is a slot, in SSA form an SSA name, after destruction a location. An
``Edge`` is a way from one step to another; in SSA form it carries the phis and pis of the block it enters as moves
that happen at once. Variables that live in memory (main-script globals that something else names, ``Alias.SYMTABLE``)
have one cell for all their names.

Cells of a frame: names or locations first, then one cell for each slot, then a sink for what nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ssa2llvm.destruct.destruct import Destructed
from ssa2llvm.interp.undefined import UNDEF, Undefined
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Alias, Block, BlockFlags, Function, Instr
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Inexact, JumpTable, Key, Literal
from ssa2llvm.ir.op_array import Op, OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.optable import Flow, op_info
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import Value

NO_CELL = -1


@dataclass(slots=True, eq=False)
class Move:
    """One copy on an edge: ``keep`` if the source goes on living beside the result (they are different variables)."""

    target: int
    source: int
    name: int
    keep: bool


@dataclass(slots=True, eq=False)
class Edge:
    """A way to ``target`` (a step number). ``block`` and ``origin`` are -1 in the linear form.

    The ``pis`` come first, as a phi of the same variable reads the pi of its edge; then all ``phis`` at once.
    """

    target: int
    block: int = -1
    origin: int = -1
    pis: list[Move] = field(default_factory=list)
    phis: list[Move] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Step:
    """An instruction ready to run. ``use1``, ``def1`` … are cells; ``name1`` … the SSA names defined, for observers.

    ``edges`` are the ways out in the order of the block's successors: the jump target before the next step.
    ``handler`` is where the step's exception goes in the block forms, ``resume`` tells a FAST_CALL which way its
    FAST_RET takes. ``is_whole_call``: a NEW or method call stands where its DO was and has the arguments in ``args``
    (``opt.calls``).
    """

    op: Op
    opcode: Opcode
    number: int
    constant1: Value = None
    constant2: Value = None
    table: dict[Key, int] | None = None
    use1: int = NO_CELL
    use2: int = NO_CELL
    use_result: int = NO_CELL
    def1: int = NO_CELL
    def2: int = NO_CELL
    result: int = NO_CELL
    name1: int = -1
    name2: int = -1
    name_result: int = -1
    args: list[int] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    handler: Edge | None = None
    resume: int = -1
    is_whole_call: bool = False

    @property
    def slot1(self) -> int:
        """The variable that op1 names."""
        return self.op.op1.num

    @property
    def slot2(self) -> int:
        """The variable that op2 names."""
        return self.op.op2.num


@dataclass(slots=True, eq=False)
class Code:
    """A function ready to run. ``function`` is None in the linear form."""

    op_array: OpArray
    steps: list[Step]
    entry: Edge
    num_cells: int
    slot_cells: list[int]
    """Where each named variable lives that others may reach by its name."""
    entry_cells: list[int]
    """Where each named variable's first name lives: its state when the function is entered."""
    function: Function | None = None
    names_share_cells: bool = False
    """After destruction a cell may hold several names of one value; a name that is written must not take it along."""


def literal_value(literal: Literal) -> Value | Undefined:
    """The value of a literal; UNDEF for those that stand for something else (jump tables, constant expressions).

    A float or string that the dump text may have cut counts as what the text shows; an array it does not show is
    refused.
    """
    if isinstance(literal, Inexact):
        if literal.shown is None:
            raise CompileError("the dump text does not tell what is in a constant array of this function")
        return literal.shown
    if isinstance(literal, ArrayConst):
        array = PhpArray(0) if not literal.entries else PhpArray()
        for key, element in literal.entries:
            value = literal_value(element)
            array.put(key, None if isinstance(value, Undefined) else value)
        return array
    if isinstance(literal, (ConstAst, JumpTable)):
        return UNDEF
    return literal


def _step(op: Op, op_array: OpArray, number: int) -> Step:
    """The step of an instruction, without cells and edges."""
    step = Step(op, op.opcode, number)
    if op.op1.kind == OpKind.CONST:
        value = literal_value(op_array.literals[op.op1.num])
        step.constant1 = None if isinstance(value, Undefined) else value
    if op.op2.kind == OpKind.CONST:
        literal = op_array.literals[op.op2.num]
        if isinstance(literal, JumpTable):
            step.table = {}
            for position, (key, _) in enumerate(literal.entries):
                step.table.setdefault(key, position)
        else:
            value = literal_value(literal)
            step.constant2 = None if isinstance(value, Undefined) else value
    return step


def _table_targets(op: Op, op_array: OpArray) -> list[int]:
    literal = op_array.literals[op.op2.num]
    assert isinstance(literal, JumpTable)
    return [target for _, target in literal.entries]


def linear_successors(op: Op, number: int, op_array: OpArray) -> list[int]:
    """Instruction numbers that may follow, in the order of block successors."""
    flow = op_info(op.opcode).flow
    if flow in (Flow.JUMP, Flow.FAST_CALL):
        return [op.op1.num]
    if flow is Flow.BRANCH:
        return [op.op2.num, number + 1]
    if flow is Flow.BRANCH_EXT:
        return [op.extended_value, number + 1]
    if flow is Flow.SWITCH:
        return [*_table_targets(op, op_array), op.extended_value, number + 1]
    if flow is Flow.MATCH:
        return [*_table_targets(op, op_array), op.extended_value]
    if flow is Flow.CATCH:
        return [op.op2.num, number + 1]
    return []


def _slot(operand: Operand) -> int:
    return operand.num if operand.is_var else NO_CELL


def linear_code(op_array: OpArray) -> Code:
    """Code of the linear form: one step an instruction, one cell a slot."""
    steps = []
    for number, op in enumerate(op_array.ops):
        step = _step(op, op_array, number)
        step.use1 = step.def1 = _slot(op.op1)
        step.use2 = step.def2 = _slot(op.op2)
        step.use_result = step.result = _slot(op.result)
        step.edges = [Edge(target) for target in linear_successors(op, number, op_array)]
        steps.append(step)
    sink = op_array.num_slots
    cells = list(range(len(op_array.cvs)))
    return Code(op_array, steps, Edge(0), sink + 1, cells, cells)


class _BlockCode:
    """Builds code from the block form; ``cell`` says where a name lives."""

    def __init__(self, function: Function, cell: Callable[[int], int], num_cells: int, moves: bool) -> None:
        self.function = function
        self.op_array = function.op_array
        self.cell = cell
        self.num_cells = num_cells
        self.moves = moves
        self.steps: list[Step] = []
        self.first_step = [0] * len(function.blocks)

    def build(self) -> list[Step]:
        """All steps. A block without a jump ends with a step of its own that follows its one edge."""
        blocks = [block for block in self.function.blocks if block.reachable]
        bodies = [[self._instruction(instr) for instr in block.instrs] for block in blocks]
        start = 0
        for block, body in zip(blocks, bodies, strict=True):
            self.first_step[block.id] = start
            start += len(body) + self._falls_through(block)
        for block, body in zip(blocks, bodies, strict=True):
            edges = [self._edge(block, succ) for succ in block.succs]
            if self._falls_through(block):
                body.append(Step(_FOLLOW, Opcode.NOP, -1, edges=edges))
            elif body:
                body[-1].edges = edges
            self.steps += body
        self._connect_handlers(blocks)
        self._number_fast_calls(blocks)
        return self.steps

    def _falls_through(self, block: Block) -> bool:
        if not block.succs:
            return False
        # A throw expression is followed by code that it never reaches.
        return not block.instrs or op_info(block.instrs[-1].opcode).flow in (Flow.NEXT, Flow.THROW)

    def _instruction(self, instr: Instr) -> Step:
        step = _step(instr, self.op_array, instr.number)
        step.use1, step.use2, step.use_result = (
            self.cell(name) for name in (instr.op1_use, instr.op2_use, instr.result_use)
        )
        step.name1, step.name2, step.name_result = instr.op1_def, instr.op2_def, instr.result_def
        step.def1, step.def2, step.result = (
            self.cell(name) for name in (instr.op1_def, instr.op2_def, instr.result_def)
        )
        step.args = [self.cell(name) for name in instr.args]
        if instr.opcode in (Opcode.NEW, Opcode.INIT_METHOD_CALL) and instr.number >= 0:
            step.is_whole_call = self.op_array.ops[instr.number].opcode != instr.opcode
        return step

    def _edge(self, block: Block, succ: int) -> Edge:
        edge = Edge(self.first_step[succ], succ, block.id)
        if not self.moves:
            return edge
        target = self.function.blocks[succ]
        position = target.preds.index(block.id)
        variables = self.function.ssa_vars
        for phi in target.phis:
            if phi.is_pi and phi.pi != block.id:
                continue
            source = phi.sources[0] if phi.is_pi else phi.sources[position]
            if source < 0:
                continue
            cells = self.cell(phi.result), self.cell(source)
            if cells[0] != cells[1]:
                keep = variables[source].slot != variables[phi.result].slot
                (edge.pis if phi.is_pi else edge.phis).append(Move(*cells, phi.result, keep))
        return edge

    def _connect_handlers(self, blocks: list[Block]) -> None:
        """What is thrown in the block behind a THROW_EDGE block goes along that block's second edge. One instruction of
        it may throw (``cfg.exceptions``); later stages put copies and counting before it."""
        for block in blocks:
            if BlockFlags.THROW_EDGE in block.flags:
                last = self.steps[self.first_step[block.id] + len(block.instrs)]
                target = self.function.blocks[block.succs[0]]
                first = self.first_step[target.id]
                for step in self.steps[first : first + len(target.instrs)]:
                    step.handler = last.edges[1]

    def _number_fast_calls(self, blocks: list[Block]) -> None:
        """The k-th FAST_CALL of a finally (ascending) resumes along the k-th edge of its FAST_RET."""
        seen: dict[int, int] = {}
        calls = [
            (instr.number, self.first_step[block.id] + position)
            for block in blocks
            for position, instr in enumerate(block.instrs)
            if instr.opcode == Opcode.FAST_CALL
        ]
        for _, index in sorted(calls):
            finally_op = self.steps[index].op.op1.num
            self.steps[index].resume = seen.get(finally_op, 0)
            seen[finally_op] = seen.get(finally_op, 0) + 1


_FOLLOW = Op(Opcode.NOP)


def _slot_cells(function: Function, first_slot_cell: int) -> list[int]:
    """Cells of the variables that live in memory."""
    return [first_slot_cell + slot for slot in range(len(function.op_array.cvs))]


def _entry(function: Function, cell: Callable[[int], int]) -> list[int]:
    """Cells of the names that variables have at entry: SSA names 0, 1, 2, …"""
    return [cell(slot) for slot in range(len(function.op_array.cvs))]


def ssa_code(function: Function, in_memory: frozenset[int] = frozenset()) -> Code:
    """Code of the SSA form, or of the owned form. ``in_memory`` are further slots whose names share one cell: those
    that the owned form takes for references (``own.stage.Owned.cells``)."""
    variables = function.ssa_vars
    count = len(variables)

    def cell(name: int) -> int:
        if name < 0:
            return NO_CELL
        var = variables[name]
        return count + var.slot if var.alias is not Alias.NONE or var.slot in in_memory else name

    num_cells = count + function.num_slots + 1
    builder = _BlockCode(function, cell, num_cells, moves=True)
    steps = builder.build()
    entry = Edge(builder.first_step[0], 0)
    return Code(
        function.op_array, steps, entry, num_cells, _slot_cells(function, count), _entry(function, cell), function
    )


def destructed_code(destructed: Destructed) -> Code:
    """Code after destruction: COPY instructions instead of phis, locations instead of names."""
    function = destructed.function
    count = len(destructed.locations)

    def cell(name: int) -> int:
        if name < 0:
            return NO_CELL
        location = destructed.location_of[name]
        return location if location >= 0 else count + function.ssa_vars[name].slot

    num_cells = count + function.num_slots + 1
    builder = _BlockCode(function, cell, num_cells, moves=False)
    steps = builder.build()
    entry = Edge(builder.first_step[0], 0)
    slots, first = _slot_cells(function, count), _entry(function, cell)
    return Code(function.op_array, steps, entry, num_cells, slots, first, function, names_share_cells=True)
