"""Type-directed rewriting: instructions become the plainer ones that their operands' types allow
(Zend/Optimizer/dfa_pass.c: zend_dfa_optimize_op_array, its last part).

* VERIFY_RETURN_TYPE of a value that surely has the declared type goes.
* ``$x = $y`` into a variable whose old value needs no care becomes QM_ASSIGN: nothing is freed, nothing may be a
reference.
* ``$x op= $y`` on plain values becomes the operator itself, with ``$x`` as its result.
* ``T = a op b; $x = T`` with no other reader of T becomes ``$x = a op b``; so for copies between
  temporaries.
* CONCAT of values that are no objects becomes FAST_CONCAT.
* FREE of a value that is not counted goes.

"Plain" is: undefined, null, bool, int or float, and never a reference; variables that live in memory are left alone.
Names keep their definitions' values, so facts stay right. Valid SSA in and out. Linear.

Difference from Zend: Zend must keep all names of a variable apart in time, as they share a slot to the end; here
out-of-SSA finds places, so an assignment may be contracted whatever lies between.
"""

from __future__ import annotations

from collections.abc import Container

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.lattice import declared_mask, literal_type
from ssa2llvm.ir.function import Block, Function, Instr
from ssa2llvm.ir.op_array import FnFlags
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import UNUSED, Operand
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_BOOL,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
    MAY_BE_UNDEF,
)
from ssa2llvm.ssa.edit import remove_instruction, replace_operand, replace_uses
from ssa2llvm.values.operators import BINARY, UNARY

PLAIN = MAY_BE_UNDEF | MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE
_VALUE = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF

CONTRACTIBLE = frozenset(
    {
        *BINARY,
        *UNARY,
        Opcode.QM_ASSIGN,
        Opcode.CAST,
        Opcode.TYPE_CHECK,
        Opcode.STRLEN,
        Opcode.COUNT,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
        Opcode.FETCH_DIM_R,
        Opcode.FETCH_DIM_IS,
    }
) - {Opcode.CASE, Opcode.CASE_STRICT}
"""Opcodes that may define a variable directly."""


class _Narrower:
    def __init__(self, function: Function, facts: Facts, cells: Container[int]) -> None:
        self.function = function
        self.facts = facts
        self.cells = cells
        self.changes = 0
        self._block_of = {instr: block for block in function.blocks for instr in block.instrs}

    def run(self) -> int:
        for block in self.function.blocks:
            if block.reachable:
                for instr in list(block.instrs):
                    self._visit(block, instr)
        return self.changes

    def _visit(self, block: Block, instr: Instr) -> None:
        opcode = instr.opcode
        if opcode == Opcode.VERIFY_RETURN_TYPE:
            self._verify_return(block, instr)
        elif opcode == Opcode.ASSIGN:
            self._assign(block, instr)
        elif opcode == Opcode.ASSIGN_OP:
            self._assign_op(instr)
        elif opcode == Opcode.QM_ASSIGN:
            self._copy(block, instr)
        elif opcode == Opcode.FREE:
            if self._within(instr.op1, instr.op1_use, PLAIN):
                remove_instruction(self.function, block, instr)
                self.changes += 1
        elif opcode == Opcode.CONCAT:
            printable = PLAIN | MAY_BE_STRING
            if self._within(instr.op1, instr.op1_use, printable) and self._within(instr.op2, instr.op2_use, printable):
                instr.opcode = Opcode.FAST_CONCAT
                self.changes += 1

    def _mask(self, operand: Operand, use: int) -> int:
        if operand.is_const:
            return literal_type(self.function.op_array.literal(operand))
        return self.facts.types[use] if use >= 0 else _VALUE

    def _within(self, operand: Operand, use: int, allowed: int) -> bool:
        mask = self._mask(operand, use) & _VALUE
        return bool(mask) and not mask & ~allowed

    def _verify_return(self, block: Block, instr: Instr) -> None:
        """Only where the value and what is returned are one name: a literal has its own form."""
        op_array = self.function.op_array
        if instr.op1_use < 0 or instr.op1_def < 0 or FnFlags.RETURNS_REFERENCE in op_array.flags:
            return
        declared = declared_mask(op_array.return_type) & ~(MAY_BE_OBJECT | MAY_BE_UNDEF | MAY_BE_REF)
        if not self._within(instr.op1, instr.op1_use, declared):
            return
        replace_uses(self.function, instr.op1_def, instr.op1_use)
        remove_instruction(self.function, block, instr)
        self.changes += 1

    def _assign(self, block: Block, instr: Instr) -> None:
        if instr.op1_def < 0 or instr.op1.num in self.cells or not self._within(instr.op1, instr.op1_use, PLAIN):
            return
        if instr.op2_use >= 0 and not self._within(instr.op2, instr.op2_use, _VALUE & ~(MAY_BE_UNDEF | MAY_BE_REF)):
            return
        if not self._drop_result(instr):
            return
        source, name = instr.op2, instr.op2_use
        if source.is_temp and self._contract(block, instr, name, instr.op1_def, instr.op1):
            return
        self._define_by_result(instr, Opcode.QM_ASSIGN)
        replace_operand(self.function, instr, "op2", UNUSED)
        replace_operand(self.function, instr, "op1", source, name)

    def _drop_result(self, instr: Instr) -> bool:
        """The result of an assignment is what the variable holds afterwards: readers can read that."""
        if instr.result_def >= 0:
            try:
                replace_uses(self.function, instr.result_def, instr.op1_def)
            except ValueError:
                return False
            self.function.ssa_vars[instr.result_def].definition = None
            instr.result_def, instr.result = -1, UNUSED
        return True

    def _contract(self, block: Block, instr: Instr, temporary: int, name: int, variable: Operand) -> bool:
        """``instr`` gives ``name`` the value of a temporary: let the temporary's definition define ``name``, with
        operand ``variable``, if nobody else reads the temporary."""
        ssa_vars = self.function.ssa_vars
        var = ssa_vars[temporary]
        source = var.definition
        if source is None or source.opcode not in CONTRACTIBLE or source.result_def != temporary:
            return False
        if var.uses != [instr] or var.phi_uses or var.sym_uses or source.op1_def >= 0:
            return False
        ssa_vars[name].definition = None
        instr.op1_def = instr.result_def = -1
        remove_instruction(self.function, block, instr)
        var.definition = None
        source.result, source.result_def = variable, name
        ssa_vars[name].definition = source
        self.changes += 1
        return True

    def _copy(self, block: Block, instr: Instr) -> None:
        """``U = T`` of temporaries, as at the end of each arm of a conditional expression."""
        if instr.op1_use >= 0 and instr.op1.is_temp and instr.result_def >= 0 and instr.result.num not in self.cells:
            if not self.facts.types[instr.op1_use] & MAY_BE_REF:
                self._contract(block, instr, instr.op1_use, instr.result_def, instr.result)

    def _assign_op(self, instr: Instr) -> None:
        opcode = Opcode(instr.extended_value)
        plain = MAY_BE_NULL | MAY_BE_BOOL | MAY_BE_LONG | MAY_BE_DOUBLE
        if instr.op1_def < 0 or instr.op1.num in self.cells or opcode not in BINARY or opcode == Opcode.CONCAT:
            return
        if not self._within(instr.op1, instr.op1_use, plain) or not self._within(instr.op2, instr.op2_use, plain):
            return
        if self._drop_result(instr):
            self._define_by_result(instr, opcode)

    def _define_by_result(self, instr: Instr, opcode: Opcode) -> None:
        """The variable that op1 named and defined becomes the result."""
        instr.result, instr.result_def = instr.op1, instr.op1_def
        instr.op1_def = -1
        instr.opcode, instr.extended_value = opcode, 0
        self.changes += 1


def narrow(function: Function, facts: Facts, cells: Container[int]) -> int:
    """Rewrite ``function`` by the types in ``facts``; return the number of changes. ``cells`` are the slots of
    variables that live in memory: reading one later may give another value. A second run changes nothing."""
    return _Narrower(function, facts, cells).run()
