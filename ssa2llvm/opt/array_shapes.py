"""Which keys each local array surely has: what ``opt.scalar_arrays`` has to know before it takes arrays apart.

A *family* is a set of names that may hold the same array (``Facts.structure``: phis, copies, in-place writes). It can
be taken apart if no member escapes, all are arrays and nothing else, no element can be an object (the time of its
death would change) or a reference, and every instruction that touches a member is one of the *accesses* below, with a
literal key. One other use spoils the whole family. A family of which nothing is ever asked is left to DCE, so that the
number of rounds (``scalar_arrays``) is bounded by the depth of accesses, not of literals.

The shape of a name is the set of its keys, each marked as there on every path or on some, and the index that the next
``$a[] =`` takes, if all paths agree on it. Shapes meet at phis (keys of one side become "on some paths") and are found
by optimistic iteration over names. A key that is there on some paths only must not be asked for: then, too, the family
stays whole.

In: SSA form, facts. O(names of families * MAX_ELEMENTS), times the depth of loops.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from heapq import heapify, heappop, heappush

from ssa2llvm.analysis.effects import DESTRUCTIBLE
from ssa2llvm.analysis.facts import Escape, Facts
from ssa2llvm.cfg.graph import reverse_postorder
from ssa2llvm.ir.function import Alias, Block, BlockFlags, Function, Instr, Phi
from ssa2llvm.ir.literals import ArrayConst, Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, Operand
from ssa2llvm.ir.types import MAY_BE_ANY, MAY_BE_ARRAY, MAY_BE_INDIRECT, MAY_BE_NULL, MAY_BE_REF, MAY_BE_UNDEF
from ssa2llvm.opt.evaluate import key_of
from ssa2llvm.opt.lattice import BOTTOM, literal_value
from ssa2llvm.ssa.no_val import is_overwritten
from ssa2llvm.values.table import NO_KEY_YET
from ssa2llvm.values.types import PHP_INT_MAX, is_int

MAX_ELEMENTS = 32
"""Bigger arrays stay arrays: each element costs a phi in every loop and a copy for every copy of the array."""

_VALUE = MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF | MAY_BE_INDIRECT


class Kind(Enum):
    """What an instruction does with an array."""

    MAKE = auto()
    """A literal, or the start of one."""
    COPY = auto()
    STORE = auto()
    """Gives an element a value that does not depend on the one before."""
    CHANGE = auto()
    """Changes an element in place: ``$a['k'] += 1``, or the fetch before ``$a['k']++`` or ``$a['k']['l'] = 1``."""
    REMOVE = auto()
    LOOK = auto()
    COUNT = auto()
    DROP = auto()


_ASKS = (Kind.LOOK, Kind.COUNT, Kind.CHANGE)


@dataclass(frozen=True, slots=True)
class Access:
    """One instruction's access: the array it reads (-1: none), those it defines, the key (None: the next index, or
    none at all)."""

    kind: Kind
    source: int = -1
    targets: tuple[int, ...] = ()
    key: Key | None = None
    literal: ArrayConst | None = None
    """What MAKE starts with, if not with nothing."""
    user: Instr | None = None
    """Of a fetch: the instruction that changes the element."""


@dataclass(frozen=True, slots=True)
class Shape:
    """``keys`` tells for each key whether it is there on every path. ``next_free`` is as in ``values.table`` (None:
    not known)."""

    keys: Mapping[Key, bool] = field(default_factory=dict)
    next_free: int | None = NO_KEY_YET

    def key_to_append(self) -> int | None:
        """The key that ``$a[] =`` uses; None if that is not known, or there may be none left."""
        return 0 if self.next_free == NO_KEY_YET else self.next_free

    def with_key(self, key: Key) -> Shape:
        """After a store at ``key``."""
        after = self.next_free
        if is_int(key) and after is not None and key >= after:
            after = key + 1 if key < PHP_INT_MAX else None
        return Shape({**self.keys, key: True}, after)

    def without_key(self, key: Key) -> Shape:
        """After ``unset``; the next index stays."""
        return Shape({other: sure for other, sure in self.keys.items() if other != key}, self.next_free)

    def meet(self, other: Shape) -> Shape:
        """What holds on either of two paths."""
        if self.keys == other.keys and self.next_free == other.next_free:
            return self
        keys = {key: sure and other.keys.get(key, False) for key, sure in self.keys.items()}
        keys.update((key, False) for key in other.keys if key not in keys)
        return Shape(keys, self.next_free if self.next_free == other.next_free else None)


EMPTY_LITERAL = Shape({}, 0)
"""``[]`` goes on at 0 even after negative keys."""

_READS = frozenset({Opcode.FETCH_DIM_R, Opcode.FETCH_DIM_IS, Opcode.FETCH_LIST_R, Opcode.ISSET_ISEMPTY_DIM_OBJ})
_FETCHES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET})
_ELEMENT_WRITES = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_DIM_OP, Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW})
_STEPS = frozenset({Opcode.PRE_INC, Opcode.PRE_DEC, Opcode.POST_INC, Opcode.POST_DEC, Opcode.ASSIGN_OP})
_CHANGERS: dict[Opcode, frozenset[Opcode]] = {
    Opcode.FETCH_DIM_W: _ELEMENT_WRITES | _STEPS,
    Opcode.FETCH_DIM_RW: _ELEMENT_WRITES | _STEPS,
    Opcode.FETCH_DIM_UNSET: frozenset({Opcode.UNSET_DIM, Opcode.FETCH_DIM_UNSET}),
}
"""What may follow a fetch and change the element it points to."""


class ArrayShapes:
    """The families of one function that can be taken apart. After ``solve``, ``shapes`` has the shape of each of
    their names and ``accesses`` what every instruction that touches them does."""

    def __init__(self, function: Function, facts: Facts, cells: Container[int], object_free: Sequence[bool]) -> None:
        self.function = function
        self.shapes: dict[int, Shape] = {}
        self.accesses: dict[Instr, Access] = {}
        self.split: dict[Instr, int] = {}
        """Fetches at the end of a block whose changing instruction starts the next: the block they are in, from whose
        end a handler sees the element unchanged."""
        self._facts = facts
        self._cells = cells
        self._object_free = object_free
        self._spoilt: set[int] = set()
        self._place: dict[Instr, tuple[Block, int]] = {}

    def solve(self) -> None:
        """Find the families, then their shapes."""
        members = self._candidates()
        if not members:
            return
        self._place = {
            instr: (block, position)
            for block in self.function.blocks
            if block.reachable
            for position, instr in enumerate(block.instrs)
        }
        for name in members:
            if self._family(name) not in self._spoilt and not self._is_touched_well(name):
                self._spoilt.add(self._family(name))
        members = self._asked(members)
        self._infer(members)
        for name in members:
            if name not in self.shapes or not all(self._is_answered(use) for use in self._users(name)):
                self._spoilt.add(self._family(name))
        self.shapes = {name: shape for name, shape in self.shapes.items() if self._family(name) not in self._spoilt}
        self.accesses = {
            instr: access
            for instr, access in self.accesses.items()
            if access.source in self.shapes or any(target in self.shapes for target in access.targets)
        }

    def may_be_interrupted(self, instr: Instr) -> bool:
        """Whether a handler of this function sees the state before ``instr`` if that throws."""
        block, position = self._place[instr]
        return position == 0 and self._guard(block) is not None

    # Families

    def _family(self, name: int) -> int:
        return self._facts.structure[name]

    def _candidates(self) -> list[int]:
        """The names of families that do not escape and are arrays throughout."""
        facts, members = self._facts, []
        for name in range(len(facts.structure)):
            if facts.escape[name] is not Escape.NO_ESCAPE or self._is_no_array_yet(name):
                continue
            var = self.function.ssa_vars[name]
            if var.definition is None and var.definition_phi is None:
                continue
            if (
                facts.types[name] & _VALUE == MAY_BE_ARRAY
                and self._object_free[name]
                and var.alias is Alias.NONE
                and var.slot not in self._cells
                and not var.sym_uses
            ):
                members.append(name)
            else:
                self._spoilt.add(self._family(name))
        return [name for name in members if self._family(name) not in self._spoilt]

    def _asked(self, members: list[int]) -> list[int]:
        """Those of families that something is asked of, and that are not spoilt."""
        sources = {access.source for access in self.accesses.values() if access.kind in _ASKS}
        asked = {self._family(name) for name in members if name in sources} - self._spoilt
        return [name for name in members if self._family(name) in asked]

    def _is_no_array_yet(self, name: int) -> bool:
        """Null or undefined: what a write to an element turns into an array."""
        mask = self._facts.types[name] & _VALUE
        return bool(mask) and not mask & ~(MAY_BE_UNDEF | MAY_BE_NULL)

    # Accesses

    def _is_touched_well(self, name: int) -> bool:
        """Whether the definition and all uses of ``name`` are accesses."""
        var = self.function.ssa_vars[name]
        if var.definition is not None:
            access = self._access(var.definition)
            if access is None or name not in access.targets or not self._starts_quietly(var.definition, access):
                return False
        return all(self._is_access_of(use, name) for use in var.uses) and all(
            self._takes_array(phi, name) for phi in var.phi_uses
        )

    def _takes_array(self, phi: Phi, name: int) -> bool:
        """Whether a phi that reads ``name`` is of the family, or reads it for nothing (NOVAL)."""
        if phi.result < len(self._facts.structure) and self._family(phi.result) == self._family(name):
            return True
        slot = self.function.ssa_vars[name].slot
        return self.function.ssa_vars[phi.result].no_val and slot < len(self.function.op_array.cvs)

    def _starts_quietly(self, instr: Instr, access: Access) -> bool:
        """Whether a write to what is no array yet makes one without a word, and without a state in between that a
        handler could see."""
        if access.source < 0 or not self._is_no_array_yet(access.source):
            return True
        if instr.opcode == Opcode.FETCH_DIM_W:
            return instr not in self.split and not self.may_be_interrupted(instr)
        return instr.opcode == Opcode.ASSIGN_DIM

    def _is_access_of(self, instr: Instr, name: int) -> bool:
        if is_overwritten(instr, name):
            return instr.result_use != name and self.function.ssa_vars[name].slot < len(self.function.op_array.cvs)
        access = self._access(instr)
        mentioned = (instr.op1_use, instr.op2_use, instr.result_use, *instr.args)
        return access is not None and access.source == name and mentioned.count(name) == 1

    def _users(self, name: int) -> list[Instr]:
        return [use for use in self.function.ssa_vars[name].uses if not is_overwritten(use, name)]

    def _access(self, instr: Instr) -> Access | None:
        if instr in self.accesses:
            return self.accesses[instr]
        access = self._classify(instr)
        if access is not None:
            self.accesses[instr] = access
        return access

    def _classify(self, instr: Instr) -> Access | None:
        opcode = instr.opcode
        if opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            return self._element(instr)
        if opcode in (Opcode.QM_ASSIGN, Opcode.COPY):
            return self._copy(instr.op1, instr.op1_use, (instr.result_def,))
        if opcode == Opcode.ASSIGN:
            return self._assignment(instr)
        if opcode == Opcode.COUNT:
            return Access(Kind.COUNT, instr.op1_use)
        if opcode == Opcode.FREE:
            return Access(Kind.DROP, instr.op1_use)
        if opcode == Opcode.ASSIGN_DIM:
            return self._keyed(Kind.STORE, instr, instr.op2, appends=True)
        if opcode == Opcode.ASSIGN_DIM_OP:
            return self._keyed(Kind.CHANGE, instr, instr.op2)
        if opcode == Opcode.UNSET_DIM:
            return self._keyed(Kind.REMOVE, instr, instr.op2)
        if opcode in _READS:
            return self._keyed(Kind.LOOK, instr, instr.op2)
        if opcode in _FETCHES:
            return self._fetch(instr)
        if opcode == Opcode.ARRAY_KEY_EXISTS and instr.op1.is_const:
            value = self.function.op_array.literal(instr.op1)
            key = key_of(literal_value(value))
            plain = value is None or is_int(value) or isinstance(value, bytes)
            return Access(Kind.LOOK, instr.op2_use, (), key) if plain and key is not None else None
        return None

    def _element(self, instr: Instr) -> Access | None:
        """One element of a literal."""
        if instr.extended_value & ARRAY_ELEMENT_REF and instr.op1.is_var:
            return None
        if not instr.op1.is_const and not instr.op1.is_var:
            return Access(Kind.MAKE, -1, (instr.result_def,))
        key = self._key(instr.op2)
        if key is None and (instr.op2.is_const or instr.op2.is_var):
            return None
        return Access(Kind.STORE, instr.result_use, (instr.result_def,), key)

    def _copy(self, operand: Operand, use: int, targets: tuple[int, ...]) -> Access | None:
        if not operand.is_const:
            return Access(Kind.COPY, use, targets)
        literal = self.function.op_array.literal(operand)
        if (
            not isinstance(literal, ArrayConst)
            or literal_value(literal) is BOTTOM
            or len(literal.entries) > MAX_ELEMENTS
        ):
            return None
        return Access(Kind.MAKE, -1, targets, None, literal)

    def _assignment(self, instr: Instr) -> Access | None:
        """``$a = [...]``, whose old value may die any time."""
        old = instr.op1_use
        if instr.op1_def < 0 or old < 0:
            return None
        mask = self._facts.types[old]
        if mask & MAY_BE_REF or (mask & DESTRUCTIBLE and not self._object_free[old]):
            return None
        targets = (instr.op1_def, instr.result_def) if instr.result_def >= 0 else (instr.op1_def,)
        return self._copy(instr.op2, instr.op2_use, targets)

    def _keyed(self, kind: Kind, instr: Instr, operand: Operand, appends: bool = False) -> Access | None:
        key = self._key(operand)
        if key is None and (operand.is_const or operand.is_var or not appends):
            return None
        if kind is Kind.LOOK:
            return Access(kind, instr.op1_use, (), key)
        return Access(kind, instr.op1_use, (instr.op1_def,), key) if instr.op1_def >= 0 else None

    def _key(self, operand: Operand) -> Key | None:
        """The key that a literal operand stands for without a word; None for any other operand."""
        return key_of(literal_value(self.function.op_array.literal(operand))) if operand.is_const else None

    def _fetch(self, instr: Instr) -> Access | None:
        """A fetch for writing, if the next instruction is the one that changes the element."""
        key = self._key(instr.op2)
        users = self.function.ssa_vars[instr.result_def].uses if instr.result_def >= 0 else []
        if key is None or instr.op1_def < 0 or len(users) != 1 or users[0].opcode not in _CHANGERS[instr.opcode]:
            return None
        var, user = self.function.ssa_vars[instr.result_def], users[0]
        if var.phi_uses or user.op1_use != instr.result_def or instr.result_def in (user.op2_use, user.result_use):
            return None
        (block, position), place = self._place[instr], self._place[user]
        if place != (block, position + 1):
            if not self._only_a_throw_between(block, position, *place):
                return None
            self.split[instr] = block.id
        return Access(Kind.CHANGE, instr.op1_use, (instr.op1_def,), key, None, user)

    def _only_a_throw_between(self, block: Block, position: int, next_block: Block, next_position: int) -> bool:
        """Whether the fetch ends its block and the change starts the next, both directing exceptions to one handler:
        then the state in between is seen on that one edge, and nowhere else."""
        if BlockFlags.THROW_EDGE not in block.flags or (position, next_position) != (len(block.instrs) - 1, 0):
            return False
        guard = self._guard(block)
        return (
            position == 0
            and guard is not None
            and block.succs[0] == next_block.id
            and guard.succs[1] == block.succs[1] != next_block.id
        )

    def _guard(self, block: Block) -> Block | None:
        """The block that says where exceptions of the first instruction of ``block`` go."""
        previous = self.function.blocks[block.preds[0]] if len(block.preds) == 1 else None
        guards = previous is not None and BlockFlags.THROW_EDGE in previous.flags and previous.succs[0] == block.id
        return previous if guards else None

    # Shapes

    def _infer(self, members: list[int]) -> None:
        """Shapes of all members, by optimistic iteration in the order of definitions."""
        order = self._in_order_of_definition(members)
        rank = {name: number for number, name in enumerate(order)}
        waiting = list(range(len(order)))
        queued = set(waiting)
        heapify(waiting)
        while waiting:
            number = heappop(waiting)
            queued.discard(number)
            name = order[number]
            if self._family(name) in self._spoilt:
                continue
            shape = self._shape(name)
            if shape is None or shape == self.shapes.get(name):
                continue
            if len(shape.keys) > MAX_ELEMENTS:
                self._spoilt.add(self._family(name))
                continue
            self.shapes[name] = shape
            for dependent in self._dependents(name):
                if dependent in rank and rank[dependent] not in queued:
                    queued.add(rank[dependent])
                    heappush(waiting, rank[dependent])

    def _in_order_of_definition(self, members: list[int]) -> list[int]:
        wanted, order = set(members), []
        blocks = self.function.blocks
        for number in reverse_postorder([block.succs for block in blocks]):
            order += [phi.result for phi in blocks[number].phis if phi.result in wanted]
            order += [name for instr in blocks[number].instrs for name in instr.defs() if name in wanted]
        return order

    def _dependents(self, name: int) -> Iterator[int]:
        var = self.function.ssa_vars[name]
        for phi in var.phi_uses:
            yield phi.result
        for use in var.uses:
            access = self.accesses.get(use)
            if access is not None and access.source == name:
                yield from access.targets

    def _shape(self, name: int) -> Shape | None:
        """The shape as far as known now; None before anything is. Spoils the family if an append has no sure key."""
        var = self.function.ssa_vars[name]
        if var.definition_phi is not None:
            return self._shape_of_phi(var.definition_phi)
        assert var.definition is not None
        access = self.accesses[var.definition]
        if access.kind is Kind.MAKE:
            return _literal_shape(access.literal) if access.literal is not None else EMPTY_LITERAL
        before = self.shapes.get(access.source)
        if before is None:
            if access.source >= 0 and not self._is_no_array_yet(access.source):
                return None
            before = Shape()
        if access.kind is Kind.COPY:
            return before
        key = access.key if access.key is not None else before.key_to_append()
        if key is None:
            self._spoilt.add(self._family(name))
            return None
        return before.without_key(key) if access.kind is Kind.REMOVE else before.with_key(key)

    def _shape_of_phi(self, phi: Phi) -> Shape | None:
        result: Shape | None = None
        for source in phi.sources:
            shape = self.shapes.get(source)
            if shape is not None:
                result = shape if result is None else result.meet(shape)
        return result

    def _is_answered(self, instr: Instr) -> bool:
        """Whether the shape tells what the access needs to know."""
        access = self.accesses[instr]
        shape = self.shapes.get(access.source)
        if shape is None:
            return False
        if access.kind is Kind.COUNT:
            return all(shape.keys.values())
        if access.kind not in (Kind.LOOK, Kind.CHANGE) or access.key is None or shape.keys.get(access.key, False):
            return True
        if access.key in shape.keys:
            return False
        if access.kind is Kind.LOOK:
            return True
        # The element is made first, and a handler would see it.
        interrupted = self.may_be_interrupted(instr) or instr in self.split
        return instr.opcode != Opcode.FETCH_DIM_UNSET and not interrupted


def _literal_shape(literal: ArrayConst) -> Shape:
    shape = Shape() if literal.entries else EMPTY_LITERAL
    for key, _ in literal.entries:
        shape = shape.with_key(key)
    return shape
