"""Pi placement: where a branch tells something about a variable (Zend/Optimizer/zend_ssa.c:place_essa_pis).

A pi is a copy of a variable on one edge out of a conditional branch, with what holds there: ``if ($i < $n)`` copies $i
and $n on both edges, with ranges; ``is_int($x)`` copies $x with a type mask. Ranges and types are then facts of names
and need no context (e-SSA: Bodik, Gupta, Sarkar, "ABCD", PLDI 2000). Only a branch on a temporary that the
instruction right before it computed is looked at; JMPZ_EX and JMPNZ_EX place none.

A pi goes on an edge if its variable is live there, the two edges lead to different blocks, and the target has no other
predecessor, or none through which the variable would come back unchanged from the other edge. It then counts as a
definition of the target block, and if that has several predecessors, a phi is forced there.

Order matters for numbering: pis are created as Zend creates them and each is put *in front of* its block's list.

In: a Function with dominators, and the slots' liveness. Out: pis in ``Block.phis`` (unnamed), ``define`` extended by
them, and the forced phis. O(instructions + edges * log edges), plus the predecessors looked at in vain.

Under Config.SOUND, differing from Zend:
* an operand ``$i + 1`` or ``$i++`` is traced to $i only inside the block and if nothing defines $i in between (Zend
  takes ``$i + 1 < $i++`` to say something about the later $i);
* ``$i === 3`` says something about $i too;
* a temporary that stands for no CV bounds the other side by itself, ``$i < count($a)`` says something about $i, and a
  square its root;
* the exit edge of FE_FETCH, on which nothing is assigned to the loop variable, carries a pi without constraint whose
  source is the variable's value *before* the fetch (Zend gives the exit block the fetched value, unless a phi stands
  there).
"""

from __future__ import annotations

from bisect import bisect_left
from math import isqrt

from ssa2llvm.cfg.dominators import DominatorTree
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Block, Function, Instr, Phi, RangeConstraint, TypeConstraint
from ssa2llvm.ir.literals import Literal
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import Operand, OpKind
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ANY_ARRAY,
    MAY_BE_ARRAY,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RC1,
    MAY_BE_RCN,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)
from ssa2llvm.ssa.access import FETCHES, OP1, OP2, access_of, written_operands
from ssa2llvm.ssa.class_names import ClassNames
from ssa2llvm.ssa.liveness import SlotLiveness

LONG_MIN = -(1 << 63)
LONG_MAX = (1 << 63) - 1

_ORDERINGS = frozenset({Opcode.IS_SMALLER, Opcode.IS_SMALLER_OR_EQUAL})
_COMPARISONS = _ORDERINGS | {Opcode.IS_EQUAL, Opcode.IS_NOT_EQUAL}


def place_pis(function: Function, tree: DominatorTree, live: SlotLiveness, classes: ClassNames) -> list[int]:
    """Put the pis of all branches into their target blocks; extend ``live.define`` by them. Return for each block the
    slots (bits as in ``live``) for which a pi demands a phi there."""
    placer = _Placer(function, tree, live, classes)
    for block in function.blocks:
        if block.reachable and block.instrs:
            placer.place_of_block(block)
        placer.remember_definitions(block)
    for target, pis in placer.placed.items():
        function.blocks[target].phis[:0] = reversed(pis)
    return placer.forced


def equal_to(slot: int, value: int) -> RangeConstraint:
    """[slot + value .. slot + value]; a slot of -1 means the plain number."""
    return RangeConstraint(value, value, min_slot=slot, max_slot=slot)


def not_equal_to(slot: int, value: int) -> RangeConstraint:
    """Anything but slot + value."""
    return RangeConstraint(value, value, min_slot=slot, max_slot=slot, negative=True)


def at_least(slot: int, value: int) -> RangeConstraint:
    """[slot + value ..]."""
    return RangeConstraint(value, LONG_MAX, min_slot=slot, overflow=True)


def at_most(slot: int, value: int) -> RangeConstraint:
    """[.. slot + value]."""
    return RangeConstraint(LONG_MIN, value, max_slot=slot, underflow=True)


def has_type(mask: int, class_name: str | None = None) -> TypeConstraint:
    """One of the types in ``mask``, perhaps behind a reference; an undefined variable passes for null."""
    mask |= MAY_BE_REF | MAY_BE_RC1 | MAY_BE_RCN
    if mask & MAY_BE_NULL:
        mask |= MAY_BE_UNDEF
    return TypeConstraint(mask, class_name)


def lacks_type(mask: int) -> TypeConstraint:
    """None of the types in ``mask``."""
    return has_type(~mask & (MAY_BE_ANY | MAY_BE_ANY_ARRAY))


def literal_mask(value: int | float | bytes) -> int:
    """The type of a scalar."""
    if isinstance(value, bytes):
        return MAY_BE_STRING
    return MAY_BE_LONG if isinstance(value, int) else MAY_BE_DOUBLE


class _Placer:
    def __init__(self, function: Function, tree: DominatorTree, live: SlotLiveness, classes: ClassNames) -> None:
        self.function = function
        self.tree = tree
        self.live = live
        self.classes = classes
        self.sound = function.config is Config.SOUND
        self.first_temp = len(function.op_array.cvs)
        self.forced = [0] * len(function.blocks)
        self.access = access_of(function)
        self.placed: dict[int, list[Phi]] = {}
        # Of each target with several predecessors, these by their numbers in the dominator tree.
        self.preds_in_tree: dict[int, list[tuple[int, int]]] = {}
        # The last instruction so far, in linear order, whose result is this TMP.
        self.defined_by: dict[int, Instr] = {}

    def remember_definitions(self, block: Block) -> None:
        if self.sound:
            self.defined_by.clear()
            return
        for instr in block.instrs:
            if instr.result.kind == OpKind.TMP:
                self.defined_by[instr.result.num] = instr

    def place_of_block(self, block: Block) -> None:
        last = block.instrs[-1]
        opcode = last.opcode
        if opcode == Opcode.JMPZ:
            on_false, on_true = block.succs
        elif opcode == Opcode.JMPNZ:
            on_true, on_false = block.succs
        elif opcode == Opcode.COALESCE or opcode == Opcode.JMP_NULL:
            if last.op1.is_cv:
                not_null = block.succs[0 if opcode == Opcode.COALESCE else 1]
                self.add(block, not_null, last.op1.num, lacks_type(MAY_BE_NULL))
            return
        elif opcode in FETCHES and self.sound and last.op2.is_cv:
            self.add(block, block.succs[0], last.op2.num, None)
            return
        else:
            return
        if len(block.instrs) < 2:
            return
        test = block.instrs[-2]
        if last.op1.kind != OpKind.TMP or not test.result.is_var or test.result.num != last.op1.num:
            return
        if test.opcode in _COMPARISONS:
            self.place_comparison(block, test, on_true, on_false)
            if self.sound and test.opcode in _ORDERINGS:
                self.place_square(block, test, on_true, on_false)
        elif test.opcode in (Opcode.POST_INC, Opcode.POST_DEC, Opcode.PRE_INC, Opcode.PRE_DEC):
            if test.op1.is_cv:
                value = {Opcode.POST_INC: 1, Opcode.POST_DEC: -1}.get(test.opcode, 0)
                self.add(block, on_false, test.op1.num, equal_to(-1, value))
                self.add(block, on_true, test.op1.num, not_equal_to(-1, value))
        elif test.opcode == Opcode.TYPE_CHECK:
            if test.op1.is_cv:
                self.place_type_check(block, test, on_true, on_false)
        elif test.opcode == Opcode.IS_IDENTICAL:
            self.place_identity(block, test, on_true, on_false)
        elif test.opcode == Opcode.IS_NOT_IDENTICAL:
            self.place_identity(block, test, on_false, on_true)
        elif test.opcode == Opcode.INSTANCEOF and test.op1.is_cv and test.op2.is_const:
            class_name = self.classes.resolve(self.literal(test.op2))
            if class_name is not None:
                self.add(block, on_true, test.op1.num, has_type(MAY_BE_OBJECT, class_name))

    def place_type_check(self, block: Block, test: Instr, on_true: int, on_false: int) -> None:
        mask = test.extended_value
        if mask & MAY_BE_ARRAY:
            mask |= MAY_BE_ANY_ARRAY
        self.add(block, on_true, test.op1.num, has_type(mask))
        # is_resource() says no of closed resources.
        if test.extended_value != MAY_BE_RESOURCE:
            self.add(block, on_false, test.op1.num, lacks_type(mask))

    def place_identity(self, block: Block, test: Instr, on_same: int, on_other: int) -> None:
        """``===`` with null, true or false, which rules out a type where it fails; under Config.SOUND with any scalar,
        which proves its type where it holds, and with an integer, which is one that it is not where it fails."""
        if test.op1.is_cv and test.op2.is_const:
            variable, value = test.op1.num, self.literal(test.op2)
        elif test.op1.is_const and test.op2.is_cv:
            variable, value = test.op2.num, self.literal(test.op1)
        else:
            return
        if value is None:
            mask = MAY_BE_NULL
        elif value is True:
            mask = MAY_BE_TRUE
        elif value is False:
            mask = MAY_BE_FALSE
        else:
            if self.sound and isinstance(value, (int, float, bytes)):
                self.add(block, on_same, variable, has_type(literal_mask(value)))
            if self.sound and isinstance(value, int):
                self.add(block, on_same, variable, equal_to(-1, value))
                self.add(block, on_other, variable, not_equal_to(-1, value))
            return
        self.add(block, on_same, variable, has_type(mask))
        self.add(block, on_other, variable, lacks_type(mask))

    def place_comparison(self, block: Block, test: Instr, on_true: int, on_false: int) -> None:
        var1, shift1 = self.compared_variable(block, test.op1)
        var2, shift2 = self.compared_variable(block, test.op2)
        # The test says "var1 - shift1 OP var2 - shift2": move each shift to the other side.
        val1 = val2 = 0
        if var1 >= 0 and var2 >= 0:
            val1, val2 = shift2 - shift1, shift1 - shift2
            if not (LONG_MIN <= val1 <= LONG_MAX and LONG_MIN <= val2 <= LONG_MAX):
                return
        elif var1 >= 0:
            var1, val2 = self.against_constant(var1, shift1, test.op2)
        elif var2 >= 0:
            var2, val1 = self.against_constant(var2, shift2, test.op1)

        def add(target: int, variable: int, constraint: RangeConstraint) -> None:
            # A temporary may bound a variable, but is gone after the test.
            if variable < self.first_temp:
                self.add(block, target, variable, constraint)

        equal = test.opcode == Opcode.IS_EQUAL
        if equal or test.opcode == Opcode.IS_NOT_EQUAL:
            on_equal, on_unequal = (on_true, on_false) if equal else (on_false, on_true)
            for variable, other, value in ((var1, var2, val2), (var2, var1, val1)):
                if variable >= 0:
                    add(on_equal, variable, equal_to(other, value))
                    add(on_unequal, variable, not_equal_to(other, value))
            return
        strict = test.opcode == Opcode.IS_SMALLER
        if var1 >= 0:
            if not (strict and val2 == LONG_MIN):
                add(on_true, var1, at_most(var2, val2 - strict))
            if strict or val2 < LONG_MAX:
                add(on_false, var1, at_least(var2, val2 + (not strict)))
        if var2 >= 0:
            if not (strict and val1 == LONG_MAX):
                add(on_true, var2, at_least(var1, val1 + strict))
            if strict or val1 > LONG_MIN:
                add(on_false, var2, at_most(var1, val1 - (not strict)))

    def place_square(self, block: Block, test: Instr, on_true: int, on_false: int) -> None:
        """``$i * $i <= $n`` keeps $i at or below $n, and ``$i * $i < $n`` below it: integers are not greater than
        their squares."""
        strict = test.opcode == Opcode.IS_SMALLER
        for square, other, edge, is_below in (
            (test.op1, test.op2, on_true, strict),
            (test.op2, test.op1, on_false, not strict),
        ):
            origin, position = self.definition_before(block, square.num) if square.is_temp else (None, -1)
            if origin is None or origin.opcode != Opcode.MUL or not origin.op1.is_cv or origin.op1 != origin.op2:
                continue
            if self.is_defined_after(block, position, origin.op1.num):
                continue
            value = self.literal(other) if other.is_const else 0
            if other.is_var:
                self.add(block, edge, origin.op1.num, at_most(other.num, -int(is_below)))
            elif type(value) is int and value - is_below >= 0:
                self.add(block, edge, origin.op1.num, at_most(-1, isqrt(value - is_below)))

    def against_constant(self, variable: int, shift: int, other: Operand) -> tuple[int, int]:
        """The variable (-1 if nothing can be said) and the number it is compared with."""
        value = self.literal(other) if other.is_const else None
        if type(value) is not int or not LONG_MIN <= shift + value <= LONG_MAX:
            return -1, 0
        return variable, shift + value

    def compared_variable(self, block: Block, operand: Operand) -> tuple[int, int]:
        """The CV that ``operand`` shows, and what to add to the operand to get the CV; -1 if it shows none. Under
        Config.SOUND a temporary that shows none stands for itself."""
        if operand.is_cv:
            return operand.num, 0
        unknown = (operand.num, 0) if self.sound and operand.is_temp else (-1, 0)
        if operand.kind != OpKind.TMP:
            return unknown
        origin, position = self.definition_before(block, operand.num)
        if origin is None:
            return unknown
        variable, shift = self.shifted_variable(origin)
        if variable < 0 or (self.sound and self.is_defined_after(block, position, variable)):
            return unknown
        return variable, shift

    def shifted_variable(self, origin: Instr) -> tuple[int, int]:
        """The CV that the result of ``origin`` is a fixed distance from, and the way back to it."""
        op1, op2 = origin.op1, origin.op2
        if origin.opcode == Opcode.POST_DEC and op1.is_cv:
            return op1.num, -1
        if origin.opcode == Opcode.POST_INC and op1.is_cv:
            return op1.num, 1
        if origin.opcode == Opcode.ADD:
            if op1.is_const and op2.is_cv:
                op1, op2 = op2, op1
            value = self.literal(op2) if op1.is_cv and op2.is_const else None
            if type(value) is int and value != LONG_MIN:
                return op1.num, -value
        elif origin.opcode == Opcode.SUB:
            value = self.literal(op2) if op1.is_cv and op2.is_const else None
            if type(value) is int:
                return op1.num, value
        return -1, 0

    def definition_before(self, block: Block, slot: int) -> tuple[Instr | None, int]:
        """The last instruction before the block's branch whose result is TMP ``slot``, and its position in the block
        (-1: before the block)."""
        for position in range(len(block.instrs) - 2, -1, -1):
            result = block.instrs[position].result
            if result.kind == OpKind.TMP and result.num == slot:
                return block.instrs[position], position
        return self.defined_by.get(slot), -1

    def is_defined_after(self, block: Block, position: int, slot: int) -> bool:
        for instr in block.instrs[position + 1 :]:
            written = written_operands(instr, self.access)
            if (
                (written & OP1 and instr.op1.num == slot)
                or (written & OP2 and instr.op2.num == slot)
                or (instr.result.is_cv and instr.result.num == slot)
                or (instr.opcode == Opcode.OP_DATA and instr.op1.is_cv and instr.op1.num == slot)
            ):
                return True
        return False

    def literal(self, operand: Operand) -> Literal:
        return self.function.op_array.literal(operand)

    def add(self, block: Block, target: int, slot: int, constraint: RangeConstraint | TypeConstraint | None) -> None:
        """Place a pi for ``slot`` on the edge from ``block`` to ``target``, if it is of use there."""
        if not self.is_needed(block, target, slot):
            return
        pi = Phi(slot, target, sources=[-1], pi=block.id, constraint=constraint)
        self.placed.setdefault(target, []).append(pi)
        bit = 1 << self.live.bit_of[slot]
        self.live.define[target] |= bit
        if len(self.function.blocks[target].preds) > 1:
            self.forced[target] |= bit

    def is_needed(self, block: Block, target: int, slot: int) -> bool:
        if not self.live.is_live_in(target, slot):
            return False
        if block.succs[0] == block.succs[1]:
            return False
        preds = self.function.blocks[target].preds
        if len(preds) == 1:
            return True
        # Exact, not only useful: what FE_FETCH leaves behind on exit must not be lost.
        if block.instrs[-1].opcode in FETCHES:
            return True
        other = block.succs[1] if block.succs[0] == target else block.succs[0]
        return not self.comes_back(block.id, target, other, slot)

    def comes_back(self, source: int, target: int, other: int, slot: int) -> bool:
        """Whether ``slot`` reaches ``target`` unchanged from the other successor of ``source`` too, as far as the
        predecessors' own definitions tell (zend_ssa.c:will_rejoin)."""
        if target not in self.preds_in_tree:
            preds = self.function.blocks[target].preds
            self.preds_in_tree[target] = sorted((self.tree.entry[pred], pred) for pred in preds)
        preds_in_tree = self.preds_in_tree[target]
        bit = self.live.bit_of[slot]
        # What ``other`` dominates lies between its entry and its exit number.
        for position in range(bisect_left(preds_in_tree, (self.tree.entry[other], 0)), len(preds_in_tree)):
            entry, pred = preds_in_tree[position]
            if entry > self.tree.exit[other]:
                return False
            if pred != source and not self.live.define[pred] >> bit & 1:
                return True
        return False
