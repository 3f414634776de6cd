"""Lowers one function in destructed form: locations, operands, errors; the opcodes themselves are in ``lower_*``.

In
    A function without phis whose SSA names have locations (``destruct``), with facts about the names (``analysis``)
    and explicit counting (``own``).
Out
    The text of one LLVM function.

Every location is one alloca for each register of its representation, in the entry block; LLVM's SROA promotes them:
mem2reg used as it is meant. A variable that may be a reference (``analysis.reference_slots``) is instead a *cell*, 16
bytes in memory that hold a value or a REFERENCE to one; reading a cell borrows, so whoever keeps what was read counts
it.

Errors leave through `fail_if`: what the instruction's ``unwind`` list owns is dropped, diagnostics that an ``@`` around
it has silenced are let out again, then the failure status is returned (``unwinding`` says what else is passed). Blocks
that do so are shared by instructions with equal lists. Diagnostics go through `framed`, which tells
the runtime function and line (``module``). Nothing of this costs the hot path more than a branch.

Linear in the number of instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ssa2llvm.analysis.reference_slots import ARGUMENT_VARIABLES
from ssa2llvm.ir.function import Block, BlockFlags, Instr
from ssa2llvm.ir.literals import ArrayConst, Literal
from ssa2llvm.ir.op_array import FnFlags
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_COUNTED,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_REF,
    MAY_BE_UNDEF,
)
from ssa2llvm.llvm.bound_parameters import bound_parameters
from ssa2llvm.llvm.emitter import Emitter
from ssa2llvm.llvm.frames import VALUE_TYPE
from ssa2llvm.llvm.layouts import ARRAY, CONTEXT, FRAME, REFERENCE, VALUE, Tag
from ssa2llvm.llvm.registry import LOWERERS
from ssa2llvm.llvm.representation import Datum, Rep, convert, representation
from ssa2llvm.llvm.seam import (
    FALSE,
    I32,
    I64,
    INVARIANT,
    PTR,
    TRUE,
    UNLIKELY,
    VALUES,
    BlockText,
    FunctionText,
    Val,
    integer,
    zero,
)
from ssa2llvm.llvm.signature import Signature, aggregate
from ssa2llvm.llvm.unwinding import finallys_left, silences_left
from ssa2llvm.own.handlers import may_throw

if TYPE_CHECKING:
    from ssa2llvm.llvm.program import ProgramLowering
    from ssa2llvm.llvm.unit import FunctionUnit

__all__ = ["ANYTHING", "FunctionLowering"]

ANYTHING = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF
"""What a variable in a cell may be, as long as nothing is known."""


class FunctionLowering(Emitter):
    """Writes the direct entry of one function. After `lower`, ``threw`` says whether it can fail by itself or through
    its callees as assumed, and ``callees`` names the functions it calls."""

    def __init__(self, program: ProgramLowering, unit: FunctionUnit, signature: Signature) -> None:
        parameters = [f"{PTR} %context"]
        self.arguments: list[Datum] = []
        for number, parameter in enumerate(signature.parameters):
            parts = [Val(part, f"%a{number}.{index}") for index, part in enumerate(parameter.rep.parts)]
            parameters += [str(part) for part in parts]
            self.arguments.append(Datum(parameter.mask, parameter.rep, tuple(parts)))
        header = f"define internal {signature.result_type} {signature.symbol}({', '.join(parameters)}) nounwind"
        if FnFlags.DISPATCHER in unit.op_array.flags:
            header += " alwaysinline"
        text = FunctionText(header + program.debug.attach(unit.op_array))
        op_array = unit.op_array
        super().__init__(program.module, text, signature.info, op_array.line_start, op_array.filename)
        self.program = program
        self.unit = unit
        self.signature = signature
        self.op_array = op_array
        self.threw = False
        self.callees: set[str] = set()
        self._storage: list[tuple[Rep, list[Val]]] = [
            (rep, [text.alloca(part, "") for part in rep.parts]) for rep in unit.location_reps
        ]
        self._cells: dict[int, Val] = {}
        self._held = dict.fromkeys(unit.cells, 0)
        """What each cell may hold at any time, directly or by a reference."""
        for slot, mask in zip(unit.slot_of, unit.types, strict=True):
            if slot in self._held:
                self._held[slot] |= mask & ~MAY_BE_REF
        self._owned_cells: list[Val] = []
        self._bound = bound_parameters(op_array)
        self._targets: dict[int, Val] = {}
        self._blocks: list[BlockText] = []
        self._unwinders: dict[tuple[object, ...], BlockText] = {}
        self._handler: BlockText | None = None
        self._unwind: list[int] | None = None
        self._silences = silences_left(op_array)
        self._finallys = finallys_left(op_array)
        self._number = -1
        self._scratch: dict[str, Val] = {}
        self._positions: dict[int, Val] = {}
        self._levels: dict[int, Val] = {}

    # ---- the function as a whole

    def lower(self) -> str:
        """Write everything; returns the text of the definition."""
        self._open_cells()
        if self.op_array.is_main:
            self._define_arguments()
        for name in self.unit.arrivals:
            self.define(name, Datum(MAY_BE_UNDEF, Rep.NULL))
        self._blocks = [self.text.new_block(f"b{block.id}") for block in self.unit.blocks]
        self.text.jump(self._blocks[0])
        for block in self.unit.blocks:
            self._lower_block(block)
        return self.text.text()

    def _open_cells(self) -> None:
        """Give every cell of the function its address: of the program's table for globals, of the frame for
        others."""
        for slot in self.unit.cells:
            index = self.program.global_cell(self.op_array, slot)
            if index is not None:
                table = self.text.load(PTR, self.text.offset(self.context, CONTEXT.offset("cells")))
                self._cells[slot] = self.text.offset(table, index * VALUE.size)
                continue
            cell = self.text.alloca(VALUE_TYPE, "cell")
            self.text.store(zero(VALUE_TYPE), cell)
            self._cells[slot] = cell
            self._owned_cells.append(cell)

    def _define_arguments(self) -> None:
        """Give the main script its ``$argv`` and ``$argc``, if it mentions them."""
        for name in ARGUMENT_VARIABLES:
            if name in self.op_array.cvs:
                array = Datum(MAY_BE_ARRAY, Rep.ARRAY, (self.runtime("s2l_argument_list"),))
                if name == "argc":
                    count = self.text.load(I64, self.text.offset(array.parts[0], ARRAY.offset("count")))
                    self.drop(array)
                    array = Datum(MAY_BE_LONG, Rep.LONG, (count,))
                self.write_cell(self.op_array.cvs.index(name), array)

    def _lower_block(self, block: Block) -> None:
        self.text.at(self._blocks[block.id])
        if not block.reachable:
            self.text.unreachable()
            return
        self.block = block
        self._handler = self._handler_of(block)
        for instr in block.instrs:
            self._unwind = instr.unwind if may_throw(instr) else None
            self._number = instr.number
            if instr.line:
                self.line = instr.line
            self.text.location = self.program.debug.location(self.op_array, self.line)
            lowerer = LOWERERS.get(instr.opcode)
            if lowerer is None:
                raise self.unsupported(f"opcode {instr.opcode.name} is not compiled yet")
            lowerer(self, instr)
            if self.text.block.terminated:
                return
        if block.succs:
            self.text.jump(self.target(0))
        else:
            self.text.unreachable()

    def _handler_of(self, block: Block) -> BlockText | None:
        """Where a throw in ``block`` goes, if not out of the function (BlockFlags.THROW_EDGE of the block before)."""
        if len(block.preds) == 1:
            previous = self.unit.blocks[block.preds[0]]
            if BlockFlags.THROW_EDGE in previous.flags and len(previous.succs) > 1 and previous.succs[0] == block.id:
                return self._blocks[previous.succs[1]]
        return None

    def target(self, index: int) -> BlockText:
        """The LLVM block of successor number ``index`` of the current block."""
        return self._blocks[self.block.succs[index]]

    # ---- operands

    def literal(self, operand: Operand) -> Literal:
        """The literal behind a CONST operand."""
        return self.op_array.literal(operand)

    def name(self, name: int) -> Datum:
        """The value of an SSA name as it lies: borrowed, maybe undefined."""
        slot = self.unit.slot_of[name]
        mask = self.unit.types[name]
        if slot in self._cells:
            return self.read_cell(slot, mask, *self.unit.bounds(name))
        location = self.unit.location_of[name]
        if location < 0:
            return Datum(MAY_BE_UNDEF, Rep.NULL)
        rep, addresses = self._storage[location]
        parts = tuple(self.text.load(part, address) for part, address in zip(rep.parts, addresses, strict=True))
        low, high = self.unit.bounds(name)
        return Datum(mask, rep, parts, low, high)

    def _use(self, instr: Instr, which: str) -> tuple[Operand, int]:
        operand: Operand = getattr(instr, which)
        use: int = getattr(instr, f"{which}_use")
        return operand, use

    def peek(self, instr: Instr, which: str) -> Datum:
        """Operand ``op1`` or ``op2`` without PHP's warning: borrowed, UNDEF if undefined."""
        operand, use = self._use(instr, which)
        return self.constant(self.literal(operand)) if operand.is_const else self.name(use)

    def read(self, instr: Instr, which: str) -> Datum:
        """Operand ``op1`` or ``op2``: borrowed; an undefined variable warns and is null."""
        operand, use = self._use(instr, which)
        return self.constant(self.literal(operand)) if operand.is_const else self.defined(self.name(use), operand)

    def defined(self, datum: Datum, operand: Operand) -> Datum:
        """``datum`` read from variable ``operand``, with PHP's warning and null where it is undefined."""
        if not datum.may(MAY_BE_UNDEF):
            return datum
        mask = (datum.mask & ~MAY_BE_UNDEF) | MAY_BE_NULL
        if operand.kind != OpKind.CV:
            return Datum(mask, Rep.NULL) if datum.rep is Rep.NULL else Datum(mask, datum.rep, datum.parts)
        name = self.module.c_string(self.op_array.cvs[operand.num])
        if datum.rep is Rep.NULL:
            self.framed("s2l_undefined_variable", name)
            return Datum(MAY_BE_NULL, Rep.NULL)
        payload, tag = convert(self.text, datum, Rep.VALUE).parts
        before = self.text.block
        warn, go_on = self.text.new_block("undefined", cold=True), self.text.new_block("defined")
        self.text.branch(self.text.compare("eq", tag, integer(Tag.UNDEF)), warn, go_on, UNLIKELY)
        self.text.at(warn)
        self.framed("s2l_undefined_variable", name)
        self.text.jump(go_on)
        self.text.at(go_on)
        known = self.text.phi(I64, [(tag, before), (integer(Tag.NULL), warn)])
        return Datum(mask, Rep.VALUE, (payload, known))

    def read_pair(self, instr: Instr) -> tuple[Datum, Datum]:
        """Both operands of a binary operation, read left to right."""
        left = self.read(instr, "op1")
        return left, self.read(instr, "op2")

    def take(self, instr: Instr, which: str) -> Datum:
        """Operand as a count of its own: the name's, which the instruction consumes, or a new one for what a cell
        holds."""
        datum = self.read(instr, which)
        operand: Operand = getattr(instr, which)
        if self.is_cell(operand) or (operand.is_const and isinstance(self.literal(operand), ArrayConst)):
            self.dup(datum)
        return datum

    def define(self, name: int, datum: Datum) -> None:
        """Give SSA name ``name`` the value ``datum`` (owned). A value without a name is dropped."""
        if name < 0:
            self.drop(datum)
            return
        slot = self.unit.slot_of[name]
        if slot in self._cells:
            if slot < len(self.op_array.cvs):
                self.write_cell(slot, datum, self.unit.types[name])
            else:
                self.hold(slot, datum)
            return
        location = self.unit.location_of[name]
        if location < 0:
            self.drop(datum)
            return
        rep, addresses = self._storage[location]
        for part, address in zip(convert(self.text, datum, rep).parts, addresses, strict=True):
            self.text.store(part, address)

    def drop_name(self, name: int) -> None:
        """The name is not needed any more: one owner fewer of what it owns."""
        if name not in self.unit.borrowed:
            self.drop(self.name(name))

    def mask_of(self, name: int) -> int:
        """What inference says of the value of a name; anything for none."""
        if name < 0:
            return MAY_BE_ANY
        mask = self.unit.types[name]
        return mask & ~MAY_BE_REF if self.unit.slot_of[name] in self._cells else mask

    def guess(self, key: bytes) -> Val:
        """Where this function keeps the position at which hashes had string ``key`` last."""
        table = self.text.load(PTR, self.text.offset(self.context, CONTEXT.offset("cells")), INVARIANT)
        return self.text.offset(table, self.program.cells.of_guess(self.op_array, key) * VALUE.size)

    # ---- cells

    def cell(self, slot: int) -> Val:
        """The address of the cell that variable ``slot`` lives in."""
        return self._cells[slot]

    def is_cell(self, operand: Operand) -> bool:
        """Whether the operand is a variable that lives in a cell."""
        return operand.is_var and operand.num in self._cells

    def cell_target(self, slot: int) -> Val:
        """The address of the value behind a variable's cell: in the cell itself, or in the reference it holds."""
        target = self._targets.get(slot)
        return target if target is not None else self.target_of(self._cells[slot])

    def target_of(self, cell: Val) -> Val:
        """The same of any cell or array slot, by address."""
        tag = self.text.load(I64, self.text.offset(cell, VALUE.offset("tag")), VALUES)
        pointer = self.text.load(PTR, cell, VALUES)
        inside = self.text.offset(pointer, REFERENCE.offset("payload"))
        return self.text.select(self.text.compare("eq", tag, integer(Tag.REFERENCE)), inside, cell)

    def read_cell(self, slot: int, mask: int = ANYTHING, low: int | None = None, high: int | None = None) -> Datum:
        """What a variable in a cell holds, through its reference: borrowed. ``mask`` are its types, MAY_BE_REF if it
        may hold a reference at all; ``low`` and ``high`` bound its integers."""
        address = self.cell_target(slot) if mask & MAY_BE_REF else self._cells[slot]
        mask &= ~MAY_BE_REF
        rep = representation(mask)
        if rep is Rep.NULL:
            return Datum(mask, rep)
        held = self.load_value(address, mask)
        return Datum(mask, rep, convert(self.text, held, rep).parts, low, high)

    def write_cell(self, slot: int, datum: Datum, mask: int = ANYTHING) -> None:
        """Assign to a variable in a cell (through its reference, if ``mask`` has MAY_BE_REF) an owned value; what it
        held is dropped."""
        address = self.cell_target(slot) if mask & MAY_BE_REF else self._cells[slot]
        old = self.load_value(address) if self._held[slot] & MAY_BE_COUNTED else None
        self.store_value(datum, address)
        if old is not None:
            self.drop(old)

    def hold(self, slot: int, datum: Datum) -> None:
        """Let the cell of a temporary hold an owned value or a reference as such; what it held is dropped."""
        old = self.load_value(self._cells[slot])
        self.store_value(datum, self._cells[slot])
        self.drop(old)

    def receive(self, name: int, argument: Datum) -> None:
        """Give a parameter its name; one that stays bound to its reference also its target."""
        self.define(name, argument)
        slot = self.unit.slot_of[name] if name >= 0 else -1
        if slot in self._bound and slot in self._cells:
            payload, tag = convert(self.text, argument, Rep.VALUE).parts
            is_reference = self.text.compare("eq", tag, integer(Tag.REFERENCE))
            held = self.text.select(is_reference, self.text.cast("inttoptr", payload, PTR), zero(PTR))
            reference = self.unless_null(held, lambda: self.runtime("s2l_slot_reference", self._cells[slot]))
            self._targets[slot] = self.text.offset(reference, REFERENCE.offset("payload"))

    def take_cell(self, slot: int) -> Datum:
        """What the cell of a temporary holds, a reference as such: owned; the cell is empty then."""
        datum = self.load_value(self._cells[slot], MAY_BE_ANY | MAY_BE_REF)
        self.store_value(Datum(MAY_BE_UNDEF, Rep.NULL), self._cells[slot])
        return datum

    # ---- errors

    def scratch(self, type: str) -> Val:
        """Memory for one value of an LLVM type, to be read again before anyone else asks for it."""
        if type not in self._scratch:
            self._scratch[type] = self.text.alloca(type, "scratch")
        return self._scratch[type]

    def position(self, slot: int) -> Val:
        """Where the loop over the array in temporary ``slot`` keeps its position."""
        if slot not in self._positions:
            self._positions[slot] = self.text.alloca(I64, "position")
        return self._positions[slot]

    def level_before(self, slot: int) -> Val:
        """Where the ``@`` whose temporary is ``slot`` keeps the level of reports it found, for whoever leaves
        through it."""
        if slot not in self._levels:
            self._levels[slot] = self.text.alloca(I64, "level")
        return self._levels[slot]

    def pending(self) -> Val:
        """What is unwinding, if anything (layouts.Pending)."""
        return self.text.load(I64, self.text.offset(self.context, CONTEXT.offset("pending")))

    def link_frame(self) -> tuple[Val, Val]:
        """Link this function's frame at the current line before a call (``traces``); where it is linked, and what was
        there before, for afterwards."""
        link = self.text.offset(self.context, CONTEXT.offset("frame"))
        before = self.text.load(PTR, link)
        frame = self.scratch(FRAME.llvm_body())
        self.text.store(before, self.text.offset(frame, FRAME.offset("previous")))
        self.text.store(self.info, self.text.offset(frame, FRAME.offset("function")))
        self.text.store(integer(self.line, I32), self.text.offset(frame, FRAME.offset("line")))
        self.text.store(frame, link)
        return link, before

    # ---- leaving

    def unwinder(self) -> BlockText:
        """The block that drops what the current instruction owns beside its operands, and goes to the handler or
        returns failure."""
        handler, unwind = self._handler, self._unwind
        assert unwind is not None, "an instruction fails that own.handlers.may_throw does not know of"
        self.threw = self.threw or handler is None
        silence = self._silences.get(self._number)
        finallys = self._finallys.get(self._number, ())
        key = (handler, silence, finallys, *unwind)
        if key not in self._unwinders:
            here = self.text.block
            self._unwinders[key] = block = self.text.new_block("unwind", cold=True)
            self.text.at(block)
            for name in unwind:
                self.drop_name(name)
            if silence is not None:
                self.runtime("s2l_end_silence", self.text.load(I64, self.level_before(silence)))
            for slot in finallys:
                self.runtime("s2l_chain_cause", self._cells[slot])
            if handler is None:
                self.leave(None)
            else:
                self.text.jump(handler)
            self.text.at(here)
        return self._unwinders[key]

    def leave(self, result: Datum | None) -> None:
        """Return ``result`` (owned), or failure for None; the function's own cells are dropped."""
        if result is not None:
            result = convert(self.text, result, self.signature.result_rep)
        for cell in self._owned_cells:
            self.drop(self.load_value(cell))
        if not self.signature.may_throw:
            if result is None:
                self.text.unreachable()  # the assumption that nothing throws was wrong: this text will not be used
                return
            self._return_parts(result.parts)
            return
        if result is None:
            parts = tuple(Val(part, "poison") for part in self.signature.result_rep.parts)
            self._return_parts((*parts, TRUE))
        else:
            self._return_parts((*result.parts, FALSE))

    def _return_parts(self, parts: tuple[Val, ...]) -> None:
        if not parts:
            self.text.ret()
        elif len(parts) == 1:
            self.text.ret(parts[0])
        else:
            whole = Val(aggregate(tuple(part.type for part in parts)), "poison")
            for index, part in enumerate(parts):
                whole = self.text.insert(whole, part, index)
            self.text.ret(whole)
