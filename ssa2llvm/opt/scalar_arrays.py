"""Scalar replacement: a local array with known keys becomes one variable for each element.

    $v = ['x' => 1.0, 'y' => 2.0];            $v['x'] = 1.0;  $v['y'] = 2.0
    while (...) { $v['x'] += $v['y']; }  →    while (...) { $v['x'] += $v['y']; }      no array: names and phis
    [$a, $b] = [$b, $a];                      T[0] = $b;  T[1] = $a;  $a = T[0];  $b = T[1]

Kotzmann and Mössenböck ("Escape analysis in the context of dynamic compilation and deoptimization", VEE 2005) replace
the fields of objects that do not escape; PHP's arrays differ in that elements come and go, so ``array_shapes`` first
proves which keys are there. Then, array by array name, in reverse postorder:

* a definition gives the elements it writes new names of the element's own variable (``$v['x']``, a slot that the pass
  invents), all others keep theirs; a copy of an array copies each element, and a phi of arrays becomes a phi for each
  key that is there on all paths;
* reading an element copies its variable; an element that is not there is read from the empty array, which gives PHP's
  warning and null; ``isset``, ``??``, ``array_key_exists`` and ``count`` are answered by the shape;
* ``$v['x'] += 1`` and a fetch for writing with what follows it work on the element's variable as if it were any other,
  in the same place of the code. So an instruction that may throw still is the first of its block, and handlers see the
  elements as they were before it.

Nested arrays are elements like any others, until their container is gone: the caller repeats until nothing changes
(once for each level of nesting). Zend has no such pass (its SCCP only knows constant elements).

Valid SSA in and out; facts, calls and cells of new names have to be found again. Linear in the names of the arrays
replaced, times MAX_ELEMENTS.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.cfg.graph import reverse_postorder
from ssa2llvm.ir.function import Block, BlockFlags, Function, Instr, Phi
from ssa2llvm.ir.literals import ArrayConst, Key
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import ISEMPTY, UNUSED, Operand, cv
from ssa2llvm.opt.array_shapes import Access, ArrayShapes, Kind, Shape
from ssa2llvm.opt.literal_pool import LiteralPool
from ssa2llvm.ssa.chains import link_chains
from ssa2llvm.ssa.edit import new_name, new_slot
from ssa2llvm.ssa.no_val import is_overwritten, mark_no_val

_NO_ELEMENTS = ArrayConst((), packed=False)


class _Replacement:
    def __init__(self, function: Function, shapes: ArrayShapes) -> None:
        self.function = function
        self.changes = 0
        self._arrays = shapes
        self._shapes = shapes.shapes
        self._literals = LiteralPool(function.op_array)
        self._elements: dict[int, dict[Key, int]] = {}
        self._pi_of: dict[int, int] = {}
        self._slots: dict[tuple[int, Key], int] = {}
        self._phis: list[tuple[Phi, Phi, Key]] = []
        self._changing: dict[Instr, tuple[int, int]] = {}
        """Instructions that change an element which a fetch pointed to: its name before and after."""
        self._block = function.blocks[0]
        self._out: list[Instr] = []

    def run(self) -> int:
        blocks = [block for block in self.function.blocks if block.reachable]
        for block in blocks:
            self._replace_phis(block)
        for number in reverse_postorder([block.succs for block in self.function.blocks]):
            self._replace_in(self.function.blocks[number])
        for array_phi, phi, key in self._phis:
            preds = self.function.blocks[phi.block].preds
            phi.sources = [
                self._elements_of(self._as_leaving(pred, source))[key]
                for pred, source in zip(preds, array_phi.sources, strict=True)
            ]
        for block in blocks:
            self._forget_dead_reads(block)
        link_chains(self.function)
        _without_dead_phis(self.function, [phi for _, phi, _ in self._phis])
        link_chains(self.function)
        return self.changes

    # Names

    def _elements_of(self, array: int) -> dict[Key, int]:
        """The element names of an array; a pi's are those of what it copies."""
        while array in self._pi_of:
            array = self._pi_of[array]
        return self._elements.get(array, {})

    def _as_leaving(self, block: int, array: int) -> int:
        """The array as an exception leaves ``block`` with it, if the block ends in a fetch that defines it."""
        definition = self.function.ssa_vars[array].definition
        if definition is not None and self._arrays.split.get(definition) == block:
            return self._arrays.accesses[definition].source
        return array

    def _slot(self, array: int, key: Key) -> int:
        """The variable of an element of the variable that ``array`` is a name of."""
        outer = self.function.ssa_vars[array].slot
        if (outer, key) not in self._slots:
            slot = self._slots[outer, key] = new_slot(self.function)
            shown = str(key) if isinstance(key, int) else f"'{key.decode('utf-8', 'surrogateescape')}'"
            self.function.extra_names[slot] = f"{self.function.slot_name(outer).removeprefix('$')}[{shown}]"
        return self._slots[outer, key]

    def _new(self, array: int, key: Key) -> tuple[int, Operand]:
        """A new name for an element, and the operand that stands for it."""
        slot = self._slot(array, key)
        return new_name(self.function, slot), cv(slot)

    def _operand(self, element: int) -> Operand:
        return cv(self.function.ssa_vars[element].slot)

    # Phis

    def _replace_phis(self, block: Block) -> None:
        kept: list[Phi] = []
        made: list[Phi] = []
        for phi in block.phis:
            if phi.result not in self._shapes:
                kept.append(phi)
            elif phi.is_pi:
                self._pi_of[phi.result] = phi.sources[0]
            else:
                elements = self._elements[phi.result] = {}
                for key, sure in self._shapes[phi.result].keys.items():
                    if sure:
                        name, operand = self._new(phi.result, key)
                        elements[key] = name
                        made.append(Phi(operand.num, block.id, name))
                        self._phis.append((phi, made[-1], key))
        self.changes += len(block.phis) - len(kept)
        block.phis = kept + made

    def _forget_dead_reads(self, block: Block) -> None:
        """What names a replaced array only to overwrite it names the variable's state at entry instead."""
        for phi in block.phis:
            if any(source in self._shapes for source in phi.sources):
                slots = (self.function.ssa_vars[source].slot for source in phi.sources)
                phi.sources = [
                    slot if source in self._shapes else source for slot, source in zip(slots, phi.sources, strict=True)
                ]
        for instr in block.instrs:
            for which in ("op1_use", "op2_use"):
                name = getattr(instr, which)
                if name in self._shapes and is_overwritten(instr, name):
                    setattr(instr, which, self.function.ssa_vars[name].slot)

    # Instructions

    def _replace_in(self, block: Block) -> None:
        if not any(instr in self._arrays.accesses or instr in self._changing for instr in block.instrs):
            return
        self._block, self._out = block, []
        instrs = block.instrs
        for position, instr in enumerate(instrs):
            access = self._arrays.accesses.get(instr)
            if instr.opcode == Opcode.OP_DATA and instrs[position - 1] in self._arrays.accesses:
                continue
            if instr in self._changing:
                self._change_in_place(instr, *self._changing[instr])
            if access is None:
                self._out.append(instr)
            else:
                following = instrs[position + 1] if position + 1 < len(instrs) else None
                is_data = following is not None and following.opcode == Opcode.OP_DATA
                self._replace(instr, access, following if is_data else None)
            if position == 0 and not self._out and self._is_guarded(block):
                self._out.append(Instr(Opcode.NOP, line=instr.line, number=instr.number))
        block.instrs = self._out

    def _is_guarded(self, block: Block) -> bool:
        """Whether a THROW_EDGE stands for what the first instruction throws."""
        previous = self.function.blocks[block.preds[0]] if len(block.preds) == 1 else None
        return previous is not None and BlockFlags.THROW_EDGE in previous.flags and previous.succs[0] == block.id

    def _replace(self, instr: Instr, access: Access, data: Instr | None) -> None:
        self.changes += 1
        if access.kind is Kind.MAKE:
            for target in access.targets:
                self._make(instr, target, access.literal)
        elif access.kind is Kind.COPY:
            for target in access.targets:
                self._elements[target] = {
                    key: self._copy(target, key, self._operand(name), name, instr.line)
                    for key, name in self._elements_of(access.source).items()
                }
        elif access.kind is Kind.STORE:
            self._store(instr, access, data)
        elif access.kind is Kind.CHANGE:
            self._change(instr, access, data)
        elif access.kind is Kind.REMOVE:
            elements = self._elements_of(access.source)
            self._elements[access.targets[0]] = {key: name for key, name in elements.items() if key != access.key}
        elif access.kind is Kind.LOOK:
            self._look(instr, access)
        elif access.kind is Kind.COUNT:
            self._become_copy(instr, self._literals.operand(len(self._shapes[access.source].keys)), -1)

    def _make(self, instr: Instr, target: int, literal: ArrayConst | None) -> None:
        entries = literal.entries if literal is not None else ()
        self._elements[target] = {
            key: self._copy(target, key, self._literals.operand(value), -1, instr.line) for key, value in entries
        }

    def _store(self, instr: Instr, access: Access, data: Instr | None) -> None:
        target = access.targets[0]
        key = access.key
        if key is None:
            key = self._shapes.get(access.source, Shape()).key_to_append()
            assert key is not None
        value, result, result_def = instr if data is None else data, instr.result, instr.result_def
        name, operand = self._new(target, key)
        self._elements[target] = {**self._elements_of(access.source), key: name}
        line = instr.line
        _become(instr, Opcode.QM_ASSIGN, value.op1, value.op1_use, operand, name)
        self._out.append(instr)
        if data is not None and result_def >= 0:
            self._out.append(_copy_of(operand, name, result, result_def, line))

    def _change(self, instr: Instr, access: Access, data: Instr | None) -> None:
        target, key = access.targets[0], access.key
        assert key is not None
        elements = self._elements_of(access.source)
        before = elements[key] if key in elements else self._missing(instr, target, key)
        after, operand = self._new(target, key)
        self._elements[target] = {**elements, key: after}
        if access.user is not None:
            self._changing[access.user] = (before, after)
            return
        assert data is not None
        instr.opcode = Opcode.ASSIGN_OP
        instr.op1, instr.op1_use, instr.op1_def = operand, before, after
        instr.op2, instr.op2_use = data.op1, data.op1_use
        self._out.append(instr)

    def _change_in_place(self, instr: Instr, before: int, after: int) -> None:
        """Let an instruction that changed an element through its address change the element's variable."""
        instr.op1, instr.op1_use, instr.op1_def = self._operand(before), before, after

    def _missing(self, instr: Instr, target: int, key: Key) -> int:
        """The name of an element that is made now: null, with a warning where PHP reads it first."""
        name, operand = self._new(target, key)
        if instr.opcode == Opcode.FETCH_DIM_W:
            self._out.append(_copy_of(self._literals.operand(None), -1, operand, name, instr.line))
        else:
            empty = self._literals.operand(_NO_ELEMENTS)
            read = Instr(Opcode.FETCH_DIM_R, empty, instr.op2, operand, line=instr.line, result_def=name)
            self._out.append(read)
        return name

    def _look(self, instr: Instr, access: Access) -> None:
        assert access.key is not None
        name = self._elements_of(access.source).get(access.key)
        if instr.opcode == Opcode.ARRAY_KEY_EXISTS:
            self._become_copy(instr, self._literals.operand(name is not None), -1)
        elif instr.opcode == Opcode.ISSET_ISEMPTY_DIM_OBJ:
            empty = instr.extended_value & ISEMPTY
            if name is None:
                self._become_copy(instr, self._literals.operand(bool(empty)), -1)
            else:
                _become(instr, Opcode.ISSET_ISEMPTY_CV, self._operand(name), name, instr.result, instr.result_def)
                instr.extended_value = empty
                self._out.append(instr)
        elif name is not None:
            self._become_copy(instr, self._operand(name), name)
        elif instr.opcode == Opcode.FETCH_DIM_IS:
            self._become_copy(instr, self._literals.operand(None), -1)
        else:
            instr.opcode, instr.extended_value = Opcode.FETCH_DIM_R, 0
            instr.op1, instr.op1_use = self._literals.operand(_NO_ELEMENTS), -1
            self._out.append(instr)

    def _become_copy(self, instr: Instr, operand: Operand, use: int) -> None:
        _become(instr, Opcode.QM_ASSIGN, operand, use, instr.result, instr.result_def)
        self._out.append(instr)

    def _copy(self, target: int, key: Key, operand: Operand, use: int, line: int) -> int:
        """Give an element of ``target`` a value; its name."""
        name, variable = self._new(target, key)
        self._out.append(_copy_of(operand, use, variable, name, line))
        return name


def _become(instr: Instr, opcode: Opcode, operand: Operand, use: int, result: Operand, result_def: int) -> None:
    """Make ``instr`` an instruction with one operand and a result."""
    instr.opcode, instr.extended_value = opcode, 0
    instr.op1, instr.op1_use, instr.op1_def = operand, use, -1
    instr.op2, instr.op2_use, instr.op2_def = UNUSED, -1, -1
    instr.result, instr.result_use, instr.result_def = result, -1, result_def


def _copy_of(operand: Operand, use: int, result: Operand, name: int, line: int) -> Instr:
    return Instr(Opcode.QM_ASSIGN, operand, UNUSED, result, line=line, op1_use=use, result_def=name)


def _without_dead_phis(function: Function, made: list[Phi]) -> None:
    """Take out those of the new phis that only feed each other."""
    by_result = {phi.result: phi for phi in made}
    needed = {
        phi.result
        for phi in made
        if function.ssa_vars[phi.result].uses
        or any(user.result not in by_result for user in function.ssa_vars[phi.result].phi_uses)
    }
    pending = list(needed)
    while pending:
        for source in by_result[pending.pop()].sources:
            if source in by_result and source not in needed:
                needed.add(source)
                pending.append(source)
    for block in function.blocks:
        if any(phi.result in by_result and phi.result not in needed for phi in block.phis):
            block.phis = [phi for phi in block.phis if phi.result not in by_result or phi.result in needed]


def replace_arrays(function: Function, facts: Facts, cells: Container[int], is_object_free: Sequence[bool]) -> int:
    """Replace the arrays of ``function`` that can be; return the number of instructions and phis replaced. ``cells``
    are the slots of variables that live in memory. Facts must be found again afterwards, also for another call,
    which replaces what was nested in these arrays; when it returns 0, further calls change nothing."""
    mark_no_val(function)
    shapes = ArrayShapes(function, facts, cells, is_object_free)
    shapes.solve()
    return _Replacement(function, shapes).run() if shapes.shapes else 0
