"""Which arrays and objects only this function can reach.

Kotzmann, Mössenböck, "Escape analysis in the context of dynamic compilation and deoptimization" (VEE 2005), as in
Zend/Optimizer/escape_analysis.c. Names that may hold the same value form a set (union-find over phis, assignments and
redefinitions); a set that allocates, is only defined locally and only used in ways that keep the value at home does
does not escape; what is stored into a structure escapes with it.

The four states are Kotzmann and Mössenböck's in Zend's names. What is passed by value to a function that only looks at
it (``borrowed_parameters``), or to a builtin that cannot keep it, escapes to that function only: it has its one owner
again when the call is over. (Zend has the state but never gives it.)

Config.ZEND asks what Zend asks. Config.SOUND knows more uses that keep an array at home (counting, iterating, testing,
elements unset or fetched to be written), lets temporaries of ``[$a, $b] = [...]`` die there (FREE), and does not join
values by phis that nobody reads (NOVAL).

In: types. Out: ``facts.escape`` and ``facts.structure``, the set that each name belongs to (the same number for names
that may hold the same value). Near-linear in uses; step 4 repeats as long as something escapes through a structure.
"""

from __future__ import annotations

from ssa2llvm.analysis.facts import Escape, Facts
from ssa2llvm.analysis.internals import InternalFunction
from ssa2llvm.analysis.lattice import EMPTY_TO_ARRAY, UNKNOWN
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.ir.function import Alias, Instr
from ssa2llvm.ir.literals import ArrayConst, Inexact
from ssa2llvm.ir.op_array import ClassDecl
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ARRAY_ELEMENT_REF, FETCH_CLASS_MASK, FETCH_CLASS_SELF, Operand, OpKind
from ssa2llvm.ir.types import ARRAY_SHIFT, MAY_BE_ARRAY, MAY_BE_OBJECT, MAY_BE_REF

_MAGIC = frozenset({"__construct", "__destruct", "__get", "__set"})
_ACC_INTERFACE, _ACC_TRAIT, _ACC_IMPLICIT_ABSTRACT, _ACC_EXPLICIT_ABSTRACT = 1 << 0, 1 << 1, 1 << 4, 1 << 6
_NOT_INSTANTIABLE = _ACC_INTERFACE | _ACC_TRAIT | _ACC_IMPLICIT_ABSTRACT | _ACC_EXPLICIT_ABSTRACT
_CONSTANTS_UPDATED = 1 << 12

_LOCAL_RESULTS = frozenset({Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT, Opcode.QM_ASSIGN, Opcode.ASSIGN})
_LOCAL_WRITES = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_OBJ,
        Opcode.ASSIGN_OBJ_REF,
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_OBJ_OP,
        Opcode.PRE_INC_OBJ,
        Opcode.PRE_DEC_OBJ,
        Opcode.POST_INC_OBJ,
        Opcode.POST_DEC_OBJ,
    }
)
_HARMLESS_USES = frozenset(
    {
        Opcode.ASSIGN,
        Opcode.ISSET_ISEMPTY_DIM_OBJ,
        Opcode.ISSET_ISEMPTY_PROP_OBJ,
        Opcode.FETCH_DIM_R,
        Opcode.FETCH_OBJ_R,
        Opcode.FETCH_DIM_IS,
        Opcode.FETCH_OBJ_IS,
        Opcode.ASSIGN_STATIC_PROP_OP,
        *_LOCAL_WRITES,
    }
)
_RESULT_STAYS = frozenset({Opcode.ASSIGN, Opcode.QM_ASSIGN, Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT})
_STORES = frozenset({Opcode.ASSIGN_DIM, Opcode.ASSIGN_OBJ, Opcode.ASSIGN_OBJ_REF})

_ADDRESSES = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_UNSET})
_ADDRESS_USES = frozenset(
    {
        *_ADDRESSES,
        Opcode.ASSIGN_DIM,
        Opcode.ASSIGN_DIM_OP,
        Opcode.ASSIGN_OP,
        Opcode.PRE_INC,
        Opcode.PRE_DEC,
        Opcode.POST_INC,
        Opcode.POST_DEC,
        Opcode.UNSET_DIM,
    }
)
"""What may be done with the address of an element without making a reference of it."""

_SOUND_LOCAL_WRITES = _LOCAL_WRITES | _ADDRESSES | {Opcode.UNSET_DIM}
_SOUND_LOCAL_RESULTS = _LOCAL_RESULTS | {Opcode.COPY}
_ONLY_LOOKS = frozenset(
    {
        Opcode.ARRAY_KEY_EXISTS,
        Opcode.BOOL,
        Opcode.BOOL_NOT,
        Opcode.COPY,
        Opcode.COUNT,
        Opcode.ECHO,
        Opcode.FE_FREE,
        Opcode.FE_RESET_R,
        Opcode.FETCH_LIST_R,
        Opcode.FREE,
        Opcode.IS_EQUAL,
        Opcode.IS_IDENTICAL,
        Opcode.IS_NOT_EQUAL,
        Opcode.IS_NOT_IDENTICAL,
        Opcode.ISSET_ISEMPTY_CV,
        Opcode.JMPNZ,
        Opcode.JMPNZ_EX,
        Opcode.JMPZ,
        Opcode.JMPZ_EX,
        Opcode.TYPE_CHECK,
        Opcode.UNSET_CV,
        Opcode.UNSET_DIM,
    }
)
"""Further uses that leave an array where it is (of an object, some of them run code)."""

_SENDS_VALUE = frozenset({Opcode.SEND_VAL, Opcode.SEND_VAL_EX, Opcode.SEND_VAR, Opcode.SEND_VAR_EX})


class _UnionFind:
    def __init__(self, size: int) -> None:
        self._parent = list(range(size))
        self._size = [1] * size

    def root(self, node: int) -> int:
        """The representative of the node's set."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def unite(self, left: int, right: int) -> None:
        """Make one set of two."""
        left, right = self.root(left), self.root(right)
        if left == right:
            return
        if self._size[left] < self._size[right]:
            left, right = right, left
        self._parent[right] = left
        self._size[left] += self._size[right]


class EscapeAnalysis:
    """Fills ``facts.escape`` and ``facts.structure`` of one function."""

    def __init__(self, view: FunctionView, facts: Facts) -> None:
        self._view = view
        self._vars = view.function.ssa_vars
        self._facts = facts
        self._first = len(view.op_array.cvs)
        self._root: list[int] = []
        self._state: list[Escape] = []
        self._local_writes = _SOUND_LOCAL_WRITES if view.sound else _LOCAL_WRITES
        self._local_results = _SOUND_LOCAL_RESULTS if view.sound else _LOCAL_RESULTS

    def run(self) -> None:
        """Analyse; leaves ``facts.escape`` all UNKNOWN if nothing is allocated."""
        facts = self._facts
        names = range(self._first, len(self._vars))
        if not any(self._holds_structure(name) and self._allocates(name) for name in names):
            return
        self._root = self._sets()
        self._state = [Escape.UNKNOWN] * len(self._vars)
        for name in names:
            self._judge_definition(name)
        for name in range(len(self._vars)):
            root = self._root[name]
            if self._state[root] is not Escape.UNKNOWN:
                for use in self._vars[name].uses:
                    if self._state[root] is Escape.GLOBAL_ESCAPE:
                        break
                    self._state[root] = max(self._state[root], self._escape_by(use, name))
        self._follow_structures()
        facts.escape = [self._state[root] for root in self._root]
        facts.structure = self._root

    # Sets

    def _sets(self) -> list[int]:
        sets = _UnionFind(len(self._vars))
        for name, var in enumerate(self._vars):
            if var.definition_phi is not None:
                if var.no_val and self._view.sound:
                    continue
                for source in var.definition_phi.sources:
                    sets.unite(name, source)
            elif var.definition is not None:
                for left, right in _same_value(var.definition):
                    if left >= 0 and right >= 0:
                        sets.unite(left, right)
        return [sets.root(name) for name in range(len(self._vars))]

    # Definitions

    def _holds_structure(self, name: int) -> bool:
        structure = self._facts.types[name] & (MAY_BE_ARRAY | MAY_BE_OBJECT)
        return self._vars[name].definition is not None and bool(structure)

    def _judge_definition(self, name: int) -> None:
        root, state = self._root[name], self._state
        if state[root] is Escape.GLOBAL_ESCAPE:
            return
        if self._facts.types[name] & MAY_BE_REF and (self._view.sound or self._vars[name].alias is not Alias.NONE):
            state[root] = Escape.GLOBAL_ESCAPE
        elif self._holds_structure(name):
            if not self._is_local(name):
                state[root] = Escape.GLOBAL_ESCAPE
            elif self._allocates(name):
                state[root] = Escape.NO_ESCAPE

    def _mask(self, operand: Operand, use: int) -> int:
        if operand.kind == OpKind.CONST:
            return self._view.literal_mask(operand.num)
        return self._facts.types[use] if use >= 0 else UNKNOWN

    def _class_of_new(self, instr: Instr) -> ClassDecl | None:
        """The class that NEW names, if objects of it do nothing behind the code's back."""
        name: str | None = None
        if instr.op1.kind == OpKind.CONST:
            written = self._view.literal_bytes(instr, "op1")
            name = written.decode("utf-8", "surrogateescape") if written is not None else None
        elif instr.op1.kind == OpKind.UNUSED and instr.op1.num & FETCH_CLASS_MASK == FETCH_CLASS_SELF:
            name = self._view.op_array.scope
        if name is None or self._view.is_trait(name):
            return None
        return self._view.context.symbols.classes.simple(name, self._view.op_array.scope, _MAGIC)

    def _allocates(self, name: int) -> bool:
        """Whether the definition makes a new array or object (or a copy that separates when written)."""
        instr = self._vars[name].definition
        assert instr is not None
        opcode = instr.opcode
        if instr.result_def == name:
            if opcode == Opcode.NEW:
                cls = self._class_of_new(instr)
                return cls is not None and not cls.flags & _NOT_INSTANTIABLE and bool(cls.flags & _CONSTANTS_UPDATED)
            if opcode == Opcode.QM_ASSIGN:
                return self._is_array_copy(instr.op1, instr.op1_use)
            if opcode == Opcode.ASSIGN:
                return instr.op1.kind == OpKind.CV and bool(self._mask(instr.op1, instr.op1_use) & MAY_BE_ARRAY)
            return opcode == Opcode.INIT_ARRAY
        if instr.op1_def == name:
            if opcode == Opcode.ASSIGN:
                return self._is_array_copy(instr.op2, instr.op2_use)
            if opcode == Opcode.ASSIGN_DIM or (opcode == Opcode.FETCH_DIM_W and self._view.sound):
                return bool(self._mask(instr.op1, instr.op1_use) & EMPTY_TO_ARRAY)
        return False

    def _is_array_copy(self, operand: Operand, use: int) -> bool:
        if operand.kind == OpKind.CONST:
            value = self._view.op_array.literals[operand.num]
            return isinstance(value, ArrayConst) or (isinstance(value, Inexact) and value.shown is None)
        return operand.kind == OpKind.CV and bool(self._mask(operand, use) & MAY_BE_ARRAY)

    def _is_local(self, name: int) -> bool:
        """Whether the definition gets its value from this function."""
        instr = self._vars[name].definition
        assert instr is not None
        if instr.result_def == name:
            if instr.opcode == Opcode.NEW:
                return self._class_of_new(instr) is not None
            return instr.opcode in self._local_results
        if instr.opcode == Opcode.SEND_VAR_EX and self._view.sound:
            return self._view.sends_reference(instr) is False  # the variable is what it was before
        return instr.op1_def == name and instr.opcode in self._local_writes

    # Uses

    def _is_object(self, operand: Operand, use: int) -> bool:
        return bool(self._mask(operand, use) & MAY_BE_OBJECT)

    def _assigns_outside(self, instr: Instr) -> bool:
        """Whether op1 of a store is a structure or variable that others may reach."""
        if instr.op1.kind != OpKind.CV or self._mask(instr.op1, instr.op1_use) & MAY_BE_REF:
            return True
        return instr.op1_def >= 0 and self._vars[instr.op1_def].alias is not Alias.NONE

    def _escape_by(self, instr: Instr, name: int) -> Escape:
        """How far a value in ``name`` gets by this use."""
        if self._view.sound and not self._facts.types[name] & MAY_BE_OBJECT:
            if self._keeps_array(instr, name):
                return Escape.NO_ESCAPE
            if self._only_lends(instr, name):
                return Escape.FUNCTION_ESCAPE
        return Escape.GLOBAL_ESCAPE if self._escapes_by(instr, name) else Escape.NO_ESCAPE

    def _keeps_array(self, instr: Instr, name: int) -> bool:
        """Whether the use leaves an array at home, among those that Zend does not ask about."""
        if instr.opcode in _ADDRESSES and instr.op1_use == name != instr.op2_use:
            users = self._view.users_of_result(instr)
            return instr.op1.kind == OpKind.CV and all(user.opcode in _ADDRESS_USES for user in users)
        return instr.opcode in _ONLY_LOOKS

    def _only_lends(self, instr: Instr, name: int) -> bool:
        """Whether a function gets the array that can neither keep it nor give it back, nor an object in it."""
        if instr.opcode not in _SENDS_VALUE or instr.op1_use != name:
            return False
        call = self._view.call_of(instr)
        if call is None or call.is_prototype or not call.positional:
            return False
        if self._facts.types[name] & MAY_BE_OBJECT << ARRAY_SHIFT:
            return False
        callee, number = call.callee, call.sends.index(instr) + 1
        if isinstance(callee, InternalFunction):
            return callee.mode(number) == "-" and not callee.returns & (MAY_BE_ARRAY | MAY_BE_OBJECT)
        assert callee is not None
        return self._view.context.only_looks_at(callee, number)

    def _escapes_by(self, instr: Instr, name: int) -> bool:
        return (
            (instr.op1_use == name and self._escapes_by_op1(instr))
            or (instr.op2_use == name and self._escapes_by_op2(instr))
            or (instr.result_use == name and instr.opcode not in _RESULT_STAYS)
        )

    def _escapes_by_op1(self, instr: Instr) -> bool:
        opcode = instr.opcode
        if opcode in _HARMLESS_USES:
            return False
        if opcode == Opcode.QM_ASSIGN:
            return instr.op1.kind == OpKind.CV and self._is_object(instr.op1, instr.op1_use)
        if opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            return bool(instr.extended_value & ARRAY_ELEMENT_REF) or self._is_object(instr.op1, instr.op1_use)
        if opcode == Opcode.OP_DATA:
            owner = self._view.sites[instr].owner
            if owner.opcode not in (Opcode.ASSIGN_DIM, Opcode.ASSIGN_OBJ):
                return True
            return self._is_object(instr.op1, instr.op1_use) or self._assigns_outside(owner)
        return True

    def _escapes_by_op2(self, instr: Instr) -> bool:
        if instr.opcode != Opcode.ASSIGN or self._assigns_outside(instr):
            return True
        is_shared = instr.op2.kind == OpKind.CV or instr.result.kind != OpKind.UNUSED
        return is_shared and self._is_object(instr.op2, instr.op2_use)

    # Structures

    def _container(self, instr: Instr, name: int) -> int:
        """The name of the structure that ``instr`` puts ``name`` into, -1 if it does not."""
        if instr.op1_use != name:
            return -1
        if instr.opcode == Opcode.OP_DATA:
            owner = self._view.sites[instr].owner
            return owner.op1_use if owner.opcode in _STORES else -1
        if instr.opcode in (Opcode.INIT_ARRAY, Opcode.ADD_ARRAY_ELEMENT):
            return instr.result_def
        return -1

    def _follow_structures(self) -> None:
        """What is stored into something that escapes, or that nothing is known of, escapes too."""
        changed = True
        while changed:
            changed = False
            for name in range(len(self._vars)):
                root = self._root[name]
                if self._state[root] in (Escape.UNKNOWN, Escape.GLOBAL_ESCAPE):
                    continue
                for use in self._vars[name].uses:
                    box = self._container(use, name)
                    outer = self._state[self._root[box]] if box >= 0 else Escape.NO_ESCAPE
                    if outer is Escape.UNKNOWN:
                        outer = Escape.GLOBAL_ESCAPE
                    if outer > self._state[root]:
                        self._state[root] = outer
                        changed = True


def _same_value(instr: Instr) -> list[tuple[int, int]]:
    """Pairs of names that an instruction makes hold the same value."""
    pairs: list[tuple[int, int]] = []
    is_assign, is_copy = instr.opcode == Opcode.ASSIGN, instr.opcode in (Opcode.QM_ASSIGN, Opcode.COPY)
    if instr.op1_def >= 0:
        pairs.append((instr.op1_def, instr.op2_use if is_assign else instr.op1_use))
    if instr.op2_def >= 0:
        pairs.append((instr.op2_def, instr.op2_use))
    if instr.result_def >= 0:
        pairs.append((instr.result_def, instr.op1_use if is_copy else instr.result_use))
        if is_assign:
            pairs += [(instr.result_def, instr.op2_use), (instr.result_def, instr.op1_def)]
    return pairs
