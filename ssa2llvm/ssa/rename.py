"""Renaming: SSA names for every read and definition, numbered exactly as PHP numbers them
(Zend/Optimizer/zend_ssa.c:zend_ssa_rename; Cytron et al. 1991).

Names 0..last_var-1 are the CVs at entry. Then, over the dominator tree depth first, children ascending, each block
numbers the phis and pis that have no number yet, in list order; then its instructions' definitions: op2 before op1
before the result, those of OP_DATA around its owner's as Zend has them; then, successor by successor, the pis on the
edges out of the block, so that a pi is usually numbered in the block that branches.

The current name of each slot is kept in one array with an undo log (Zend copies the array for each block, which is
quadratic), so that all is O(instructions + sources of phis).

An exit edge of FE_FETCH takes the old value of the loop variable: a phi there does so in PHP too; under Config.SOUND
a pi does (see ``ssa.pi``).

A temporary that is read where nothing defined it is an error in the input, with one exception: in a function with
``finally`` a value that only some callers of the finally block carry through it (``return f()`` inside the try) has
no value on the other paths. There the phi's source is null, defined by a QM_ASSIGN put in front of the entry block.
"""

from __future__ import annotations

from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Block, Function, Instr, Phi, RangeConstraint, SsaVar
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, const
from ssa2llvm.ssa.access import (
    DATA_OWNERS,
    FETCHES,
    OP1,
    OP2,
    READS_DATA_LATE,
    Access,
    access_of,
    defines_data,
    reads_result,
    written_operands,
)


def rename(function: Function) -> None:
    """Give every read, definition, phi and pi of the reachable blocks its SSA name, and fill ``ssa_vars`` with the
    names' slots. Chains are ``ssa.chains``'s work. Raises CompileError for a read of an undefined temporary."""
    _Renamer(function).run()


class _Renamer:
    def __init__(self, function: Function) -> None:
        self.function = function
        cvs = len(function.op_array.cvs)
        self.current: list[int] = [*range(cvs), *[-1] * (function.num_slots - cvs)]
        self.names = [SsaVar(slot) for slot in range(cvs)]
        function.ssa_vars = self.names
        self.log: list[tuple[int, int]] = []
        self.late_data = function.config is Config.ZEND
        self.access = access_of(function)
        self.undefined: dict[int, int] = {}
        self.has_finally = any(region.finally_op for region in function.op_array.try_catch)
        # Position of each predecessor among a block's sources; for blocks with phis only.
        self.position = [
            {pred: position for position, pred in enumerate(block.preds)} if block.phis else {}
            for block in function.blocks
        ]
        # The pis on each edge, (source, target), in list order.
        self.pis_on: dict[tuple[int, int], list[Phi]] = {}
        for block in function.blocks:
            for phi in block.phis:
                if phi.is_pi:
                    self.pis_on.setdefault((phi.pi, block.id), []).append(phi)
        self.joins = [[phi for phi in block.phis if not phi.is_pi] for block in function.blocks]

    def run(self) -> None:
        blocks = self.function.blocks
        marks: list[int] = []
        work = [0]
        while work:
            number = work.pop()
            if number < 0:  # all dominated blocks are done: forget this block's definitions
                mark = marks.pop()
                while len(self.log) > mark:
                    slot, name = self.log.pop()
                    self.current[slot] = name
                continue
            marks.append(len(self.log))
            work.append(-1)
            block = blocks[number]
            for phi in block.phis:
                if phi.result < 0:
                    phi.result = self.new_name(phi.slot)
                else:
                    self.set_current(phi.slot, phi.result)
            instrs = block.instrs
            for position, instr in enumerate(instrs):
                if instr.opcode in DATA_OWNERS:
                    self.rename_instruction(instr, instrs[position + 1])
                elif instr.opcode != Opcode.OP_DATA:
                    self.rename_instruction(instr, None)
            self.fill_successors(block)
            work.extend(reversed(block.children))
        self.define_undefined()

    def new_name(self, slot: int) -> int:
        name = len(self.names)
        self.names.append(SsaVar(slot))
        self.set_current(slot, name)
        return name

    def set_current(self, slot: int, name: int) -> None:
        self.log.append((slot, self.current[slot]))
        self.current[slot] = name

    def read(self, slot: int, instr: Instr) -> int:
        name = self.current[slot]
        if name < 0:
            op_array = self.function.op_array
            raise CompileError(
                f"in {op_array.name}, instruction {instr.number}: {instr.opcode.name} reads "
                f"{self.function.slot_name(slot)}, which nothing has defined",
                file=op_array.filename,
                line=instr.line,
            )
        return name

    def rename_instruction(self, instr: Instr, data: Instr | None) -> None:
        opcode = instr.opcode
        if instr.op1.is_var:
            instr.op1_use = self.read(instr.op1.num, instr)
        if instr.op2.is_var and (instr.op2.is_cv or opcode not in FETCHES):
            instr.op2_use = self.read(instr.op2.num, instr)
        if instr.result.is_var and reads_result(instr, self.access):
            instr.result_use = self.read(instr.result.num, instr)
        reads_data_late = self.late_data and opcode in READS_DATA_LATE
        if data is not None and data.op1.is_var and not reads_data_late:
            data.op1_use = self.read(data.op1.num, data)
        shares_data = data is not None and data.op1.is_cv and defines_data(instr, self.access)
        written = written_operands(instr, self.access)
        if self.access & Access.COUNTS and opcode == Opcode.COPY_TMP:
            written |= OP1  # in Zend's renaming, but not in its liveness
        if data is not None and shares_data and opcode != Opcode.ASSIGN_OBJ_REF:
            data.op1_def = self.new_name(data.op1.num)
        if written & OP2:
            instr.op2_def = self.new_name(instr.op2.num)
        if written & OP1:
            instr.op1_def = self.new_name(instr.op1.num)
        if data is not None and data.op1.is_var and reads_data_late:
            data.op1_use = self.read(data.op1.num, data)
        if data is not None and shares_data and opcode == Opcode.ASSIGN_OBJ_REF:
            data.op1_def = self.new_name(data.op1.num)
        if instr.result.is_var:
            instr.result_def = self.new_name(instr.result.num)

    def fill_successors(self, block: Block) -> None:
        """Fill the sources that come from ``block``, and number the pis on its edges."""
        last = block.instrs[-1] if block.instrs else None
        fetch = last if last is not None and last.opcode in FETCHES and last.op2.is_cv else None
        if fetch is None:
            for succ in dict.fromkeys(block.succs):
                self.fill_edge(block.id, succ, None)
        else:
            self.fill_edge(block.id, block.succs[0], fetch)
            self.fill_edge(block.id, block.succs[1], None)

    def fill_edge(self, source: int, target: int, fetch: Instr | None) -> None:
        """``fetch`` is the FE_FETCH of which this is the exit edge."""
        refined: dict[int, int] = {}
        for pi in self.pis_on.get((source, target), ()):
            self.fill_pi(pi, fetch)
            refined[pi.slot] = pi.result
        position = self.position[target].get(source, -1)
        for phi in self.joins[target]:
            name = refined.get(phi.slot, self.current[phi.slot])
            if fetch is not None and name == fetch.op2_def:
                name = fetch.op2_use
            phi.sources[position] = name if name >= 0 else self.undefined_name(phi)

    def fill_pi(self, pi: Phi, fetch: Instr | None) -> None:
        constraint = pi.constraint
        if isinstance(constraint, RangeConstraint):
            if constraint.min_slot >= 0:
                constraint.min_var = self.current[constraint.min_slot]
            if constraint.max_slot >= 0:
                constraint.max_var = self.current[constraint.max_slot]
        source = self.current[pi.slot]
        pi.sources[0] = fetch.op2_use if fetch is not None and constraint is None else source
        if pi.result < 0:
            pi.result = len(self.names)
            self.names.append(SsaVar(pi.slot))

    def undefined_name(self, phi: Phi) -> int:
        """The name that stands for "no value on this path" of a temporary."""
        slot = phi.slot
        if not self.has_finally:
            op_array = self.function.op_array
            raise CompileError(
                f"in {op_array.name}: {self.function.slot_name(slot)} is read at or after block {phi.block}, but not "
                "every path there defines it",
                file=op_array.filename,
            )
        if slot not in self.undefined:
            self.undefined[slot] = len(self.names)
            self.names.append(SsaVar(slot))
        return self.undefined[slot]

    def define_undefined(self) -> None:
        """Give those names their null."""
        op_array = self.function.op_array
        kinds = {op.result.num: op.result.kind for op in op_array.ops if op.result.is_temp}
        if self.undefined and not any(literal is None for literal in op_array.literals):
            op_array.literals.append(None)
        null = const(next((index for index, literal in enumerate(op_array.literals) if literal is None), -1))
        self.function.blocks[0].instrs[:0] = [
            Instr(Opcode.QM_ASSIGN, null, result=Operand(kinds[slot], slot), result_def=name)
            for slot, name in self.undefined.items()
        ]
