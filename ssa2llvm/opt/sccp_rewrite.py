"""Use what SCCP (or its like for types, ``sctp``) found: constants take the place of names, computations nobody reads
any more go, branches that can go one way become jumps, blocks that nothing reaches disappear.

A name proved constant was computed from constants without any diagnostic (``evaluate`` refuses the rest), so its
computation may go once nobody reads it. A computation that is still read, by a phi or by an operand that must be a
variable, becomes a plain copy of the constant. Of a value proved by its type alone that is not known: only its uses
go, and ``dce`` removes what is silent. Counted temporaries need no care here: ownership is made explicit
after all passes (``own``).

Names are visited from last to first, so that chains (ROPE, array literals) go in one sweep. Time is linear in
instructions and uses. Follows Zend/Optimizer/sccp.c:replace_constant_operands and try_remove_definition; differs in
that instructions disappear instead of becoming NOPs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr
from ssa2llvm.ir.literals import ArrayConst, Literal, literal_key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, UNUSED, Operand, const
from ssa2llvm.ir.optable import Flow, Writes, op_info
from ssa2llvm.opt.lattice import Constant
from ssa2llvm.opt.sccp import PureCall
from ssa2llvm.opt.scdf import Scdf
from ssa2llvm.ssa.edit import (
    fix_bound,
    insert_instruction,
    remove_instruction,
    remove_phi,
    replace_operand,
    replace_uses,
)
from ssa2llvm.ssa.edit_graph import join_successors, keep_successor, remove_unreachable
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.types import PhpObject, Value, is_int

NEEDS_VARIABLE_OP1 = frozenset(
    {
        Opcode.ROPE_ADD,
        Opcode.ROPE_END,
        Opcode.BIND_STATIC,
        Opcode.BIND_GLOBAL,
        Opcode.BIND_LEXICAL,
        Opcode.MAKE_REF,
        Opcode.SEPARATE,
        Opcode.UNSET_CV,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.SEND_REF,
        Opcode.SEND_VAR_EX,
        Opcode.SEND_VAR_NO_REF,
        Opcode.SEND_VAR_NO_REF_EX,
        Opcode.SEND_FUNC_ARG,
        Opcode.SEND_UNPACK,
        Opcode.SEND_ARRAY,
        Opcode.SEND_USER,
        Opcode.FE_FETCH_R,
        Opcode.FE_FETCH_RW,
        Opcode.FE_FREE,
        Opcode.VERIFY_RETURN_TYPE,
        Opcode.RETURN_BY_REF,
        Opcode.FETCH_LIST_W,
        Opcode.FETCH_LIST_R,
        Opcode.CHECK_VAR,
        Opcode.CAST,
    }
)
"""Opcodes whose op1 cannot be a literal, besides all that write to it."""

NEEDS_VARIABLE_OP2 = frozenset(
    {Opcode.BIND_LEXICAL, Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW, Opcode.DECLARE_CLASS_DELAYED, Opcode.ASSIGN_REF}
)

MAX_ARRAY_ENTRIES = 1024
"""Longer arrays stay computed: a literal of them would be bigger than the code."""

_VARIABLE_UPDATES = frozenset({Opcode.ASSIGN_OP, Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC})


_RESULT_ON_JUMP = frozenset({Opcode.COALESCE, Opcode.JMP_SET})
"""Branches whose result is op1, defined where they jump."""


_TABLES = frozenset({Opcode.SWITCH_LONG, Opcode.SWITCH_STRING, Opcode.MATCH})


class Proof(Protocol):
    """What a client of the engine proved of one function."""

    @property
    def scdf(self) -> Scdf:
        """The engine, which knows what can be reached."""

    @property
    def calls(self) -> Mapping[Instr, PureCall]:
        """Calls whose results may be known, by each of their instructions."""

    def known(self, name: int) -> Constant | None:
        """The constant that ``name`` is proved to have by a computation that reports nothing, so that it may go."""

    def single_value(self, name: int) -> Constant | None:
        """The only value that ``name`` can have; computing it may still report something."""

    def is_silent(self, last: Instr) -> bool:
        """Whether the branch ``last``, whose way is known, may go unnoticed."""


def literal_of(value: Value) -> Literal | None:
    """The literal for a constant; None (for the value null see ``Constant``) if it has none worth writing."""
    if isinstance(value, PhpObject):
        return None
    if not isinstance(value, PhpArray):
        return value
    if len(value) > MAX_ARRAY_ENTRIES:
        return None
    entries = []
    for key, element in value.items():
        literal = literal_of(element)
        if literal is None and element is not None:
            return None
        entries.append((key, literal))
    literal_array = PhpArray.from_items((key, None) for key, _ in entries) if entries else PhpArray(0)
    if value.next_free != literal_array.next_free:
        return None  # the literal would go on at another index
    return ArrayConst(tuple(entries), value.is_packed)


class _Rewriter:
    def __init__(self, function: Function, proof: Proof) -> None:
        self.function = function
        self.proof = proof
        self.changes = 0
        self._copies: list[tuple[Block, Instr]] = []
        self._block_of: dict[Instr, Block] = {instr: block for block in function.blocks for instr in block.instrs}
        self._literals = {
            literal_key(literal): index
            for index, literal in enumerate(function.op_array.literals)
            if not isinstance(literal, ArrayConst)
        }

    def run(self) -> int:
        # Code that never runs goes first: what only it reads has no readers then.
        for block in self.function.blocks:
            if block.reachable and self.proof.scdf.executable[block.id]:
                self._fold_branch(block)
        removed = remove_unreachable(self.function)
        for block, copy in self._copies:
            var = self.function.ssa_vars[copy.result_def]
            if not (var.uses or var.phi_uses or var.sym_uses):
                remove_instruction(self.function, block, copy)
        for name in range(len(self.function.ssa_vars) - 1, -1, -1):
            self._rewrite_name(name)
        return self.changes + len(removed)

    # Constants in place of names.

    def _rewrite_name(self, name: int) -> None:
        definition = self.function.ssa_vars[name].definition
        if definition is not None and definition.opcode == Opcode.FETCH_CLASS:
            return  # its value is the class, which has to be found or loaded
        constant = self.proof.known(name)
        proved_by_type = constant is None
        if constant is None:
            constant = self._constant_by_type(name)
        if constant is None:
            return
        literal = literal_of(constant.value)
        if literal is None and constant.value is not None:
            return
        operand: Operand | None = None
        for instr in list(self.function.ssa_vars[name].uses):
            for which in ("op1", "op2"):
                if getattr(instr, which + "_use") == name and _accepts_literal(instr, which):
                    operand = operand or self._operand(literal)
                    self._put(instr, which, operand)
        if is_int(constant.value):
            for pi in list(self.function.ssa_vars[name].sym_uses):
                fix_bound(self.function, pi, name, constant.value, constant.value)
        if not proved_by_type:
            self._retire_definition(name, literal)

    def _constant_by_type(self, name: int) -> Constant | None:
        definition = self.function.ssa_vars[name].definition
        if definition is not None and definition.opcode == Opcode.VERIFY_RETURN_TYPE:
            return None
        return self.proof.single_value(name)

    def _operand(self, literal: Literal) -> Operand:
        if isinstance(literal, ArrayConst):
            self.function.op_array.literals.append(literal)
            return const(len(self.function.op_array.literals) - 1)
        key = literal_key(literal)
        if key not in self._literals:
            self._literals[key] = len(self.function.op_array.literals)
            self.function.op_array.literals.append(literal)
        return const(self._literals[key])

    def _put(self, instr: Instr, which: str, operand: Operand) -> None:
        self.changes += 1
        if instr.opcode == Opcode.FREE:
            remove_instruction(self.function, self._block_of[instr], instr)
            return
        replace_operand(self.function, instr, which, operand)
        if instr.opcode == Opcode.SEND_VAR:
            instr.opcode = Opcode.SEND_VAL
        elif instr.opcode == Opcode.COPY_TMP:
            instr.opcode = Opcode.QM_ASSIGN

    # Definitions.

    def _retire_definition(self, name: int, literal: Literal) -> None:
        var = self.function.ssa_vars[name]
        instr = var.definition
        if instr is None or instr not in self._block_of or op_info(instr.opcode).flow is not Flow.NEXT:
            return
        if instr.opcode in (Opcode.ASSIGN, Opcode.VERIFY_RETURN_TYPE, Opcode.RECV, Opcode.RECV_INIT):
            self._drop_result(instr, name)
        elif instr.defs() == [name] and not var.uses and not var.phi_uses and not var.sym_uses:
            self._remove(instr)
        elif name == instr.op1_def:
            self._assign_instead(instr, name, literal)
        elif instr.defs() == [name] and instr.opcode not in (Opcode.QM_ASSIGN, Opcode.ROPE_INIT, Opcode.ROPE_ADD):
            self._copy_instead(instr, name, literal)
        else:
            self._drop_result(instr, name)

    def _remove(self, instr: Instr) -> None:
        call = self.proof.calls.get(instr)
        block = self._block_of[instr]
        if call is not None:
            for part in call.instructions:
                remove_instruction(self.function, self._block_of[part], part)
            return
        remove_instruction(self.function, block, instr)
        self.changes += 1

    def _drop_result(self, instr: Instr, name: int) -> None:
        """A result that nobody reads, of an instruction that stays for what else it does."""
        var = self.function.ssa_vars[name]
        if name == instr.result_def and instr.op1_def >= 0 and not (var.uses or var.phi_uses or var.sym_uses):
            instr.result_def, instr.result = -1, UNUSED
            var.definition = None
            self.changes += 1

    def _assign_instead(self, instr: Instr, name: int, literal: Literal) -> None:
        """``$x += 1`` with a known outcome becomes ``$x = constant``, if its result is not read (a post-increment's
        is the old value, a constant too, and was replaced before)."""
        if instr.opcode not in _VARIABLE_UPDATES:
            return
        if instr.result_def >= 0:
            result = self.function.ssa_vars[instr.result_def]
            if result.uses or result.phi_uses or result.sym_uses:
                return
            result.definition = None
            instr.result_def, instr.result = -1, UNUSED
        replace_operand(self.function, instr, "op2", self._operand(literal))
        instr.opcode, instr.extended_value = Opcode.ASSIGN, 0
        self.changes += 1

    def _copy_instead(self, instr: Instr, name: int, literal: Literal) -> None:
        if instr in self.proof.calls:
            return  # the call's other instructions would be left without it
        block = self._block_of[instr]
        position = block.instrs.index(instr)
        if position + 1 < len(block.instrs) and block.instrs[position + 1].opcode == Opcode.OP_DATA:
            return
        replace_operand(self.function, instr, "op2", UNUSED)
        if instr.result_use >= 0:
            self.function.ssa_vars[instr.result_use].uses.remove(instr)
            instr.result_use = -1
        replace_operand(self.function, instr, "op1", self._operand(literal))
        instr.opcode, instr.extended_value = Opcode.QM_ASSIGN, 0
        self.changes += 1

    # Branches.

    def _fold_branch(self, block: Block) -> None:
        if len(set(block.succs)) < 2 or BlockFlags.THROW_EDGE in block.flags:
            return
        feasible = [
            position for position, succ in enumerate(block.succs) if self.proof.scdf.is_feasible(block.id, succ)
        ]
        if not feasible:
            return
        last = block.instrs[-1]
        if len({block.succs[position] for position in feasible}) != 1:
            if last.opcode in _TABLES:
                self._narrow_table(block, feasible)
            return
        if last.opcode in (Opcode.FE_RESET_R, Opcode.FE_RESET_RW, Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW):
            return
        if not self.proof.is_silent(last):
            return
        if last.result_def >= 0 and not self._detach_result(block, last, feasible[0]):
            return
        keep_successor(self.function, block, feasible[0])
        for pi in [phi for phi in self.function.blocks[block.succs[0]].phis if phi.pi == block.id]:
            # What decided the branch is known of the source already.
            replace_uses(self.function, pi.result, pi.sources[0])
            remove_phi(self.function, pi)
        self.changes += 1

    def _narrow_table(self, block: Block, feasible: list[int]) -> None:
        """Let ways never taken lead where another one leads: cases that no value has, and what follows the table for
        values of other types, a test for each case."""
        kept = feasible[-1]
        for position, succ in enumerate(block.succs):
            if position not in feasible and succ != block.succs[kept]:
                join_successors(self.function, block, position, kept)
                self.changes += 1

    def _detach_result(self, block: Block, last: Instr, position: int) -> bool:
        """Let a copy before the branch define its result. Returns whether the branch defines nothing any more."""
        name = last.result_def
        var = self.function.ssa_vars[name]
        if not (var.uses or var.phi_uses or var.sym_uses):
            last.result_def, last.result = -1, UNUSED
            var.definition = None
            return True
        constant = self.proof.known(name) or self.proof.single_value(name)
        literal = None if constant is None else literal_of(constant.value)
        is_literal = constant is not None and (literal is not None or constant.value is None)
        if not is_literal and last.opcode not in _RESULT_ON_JUMP:
            return False
        copy = Instr(Opcode.QM_ASSIGN, result=last.result, line=last.line, result_def=name)
        if not is_literal and position == 0:
            copy.op1, copy.op1_use = last.op1, last.op1_use
        else:
            copy.op1 = self._operand(literal)  # or null, where only code that never runs reads it
        last.result_def, last.result = -1, UNUSED
        insert_instruction(self.function, block, len(block.instrs) - 1, copy)
        self._copies.append((block, copy))
        return True


def _accepts_literal(instr: Instr, which: str) -> bool:
    if which == "op2":
        return instr.opcode not in NEEDS_VARIABLE_OP2
    if Writes.OP1_CV in op_info(instr.opcode).writes or instr.opcode in NEEDS_VARIABLE_OP1:
        return False  # even where op1 is a VAR: it stands for an element or property that is written
    if instr.opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
        return not instr.extended_value & ARRAY_ELEMENT_REF
    info = op_info(instr.opcode)
    return info.flow is Flow.NEXT or info.flow in (Flow.RETURN, Flow.BRANCH, Flow.THROW)


def use_constants(function: Function, proof: Proof) -> int:
    """Rewrite ``function`` with what ``proof`` (a client of ``scdf``, solved) says; return the number of changes. A
    second run of both finds nothing to change."""
    return _Rewriter(function, proof).run()
