"""Whole PHP functions: real SSA form of the corpus and of functions by hand, before and after destruction.

Without executing PHP: every instruction is an uninterpreted function. Both forms are walked along the same random path;
each instruction must see the same inputs.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.destruct.coalesce import TiedPairError
from ssa2llvm.destruct.destruct import Destructed, destruct
from ssa2llvm.destruct.locations import Storage
from ssa2llvm.ir.builder import FunctionBuilder
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_LONG
from ssa2llvm.own.operands import edge_definitions
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.verifier import assert_valid


class Walk:
    """One path through a function in SSA form, and what each instruction on it saw."""

    def __init__(self, function: Function, rng: random.Random, steps: int):
        self.path: list[int] = []
        self.seen: list[tuple[int, list[object]]] = []
        values: dict[int, object] = {name: ("entry", name) for name in range(len(function.ssa_vars))}
        block, source = function.blocks[0], -1
        for _ in range(steps):
            self.path.append(block.id)
            pis = [phi for phi in block.phis if phi.is_pi and phi.pi == source]
            for phis in (pis, [phi for phi in block.phis if not phi.is_pi]):
                index = block.preds.index(source) if source >= 0 and len(block.preds) > 1 else 0
                read = [values[phi.sources[0 if phi.is_pi else index]] for phi in phis]
                values.update(zip([phi.result for phi in phis], read))
            for instr in block.instrs:
                self.seen.append((id(instr), [values[name] for name in instr.uses()]))
                for name in instr.defs():
                    values[name] = ("defined", len(self.seen), name)
            if not block.succs:
                break
            source = block.id
            block = function.blocks[rng.choice(block.succs)]


def replay(walk: Walk, function: Function, result: Destructed) -> list[tuple[int, list[object]]]:
    """What each instruction of the destructed function sees on the same path."""
    seen: list[tuple[int, list[object]]] = []
    cell = result.location_of
    cells: dict[int, object] = {}
    for name in range(len(function.ssa_vars)):
        is_entry = function.ssa_vars[name].definition is None and function.ssa_vars[name].definition_phi is None
        if is_entry and cell[name] >= 0:
            cells[cell[name]] = ("entry", name)
    path = list(reversed(walk.path))

    def leads_to(block: int) -> int:
        return result.function.blocks[block].succs[0] if block in result.new_blocks else block

    block = result.function.blocks[path.pop()]
    while True:
        for instr in block.instrs:
            if instr.opcode == Opcode.COPY:
                cells[cell[instr.result_def]] = cells[cell[instr.op1_use]]
                continue
            seen.append((id(instr), [cells[cell[name]] for name in instr.uses()]))
            edge = edge_definitions(instr)
            if edge is not None and path and path[-1] != leads_to(block.succs[edge[0]]):
                continue
            for name in instr.defs():
                if cell[name] >= 0:
                    cells[cell[name]] = ("defined", len(seen), name)
        if not path:
            return seen
        target = path.pop()
        if target not in block.succs:
            detours = [succ for succ in block.succs if succ in result.new_blocks]
            middle = next(succ for succ in detours if result.function.blocks[succ].succs == [target])
            path.append(target)
            target = middle
        block = result.function.blocks[target]


def compare(function: Function, seed: int, walks: int = 6, steps: int = 60, **options) -> tuple[Destructed, Destructed]:
    """Destruct naively and coalescing, and compare both with the SSA form on random paths."""
    rng = random.Random(seed)
    results = [destruct(function, lambda _: "value", coalesce=coalesce, **options) for coalesce in (False, True)]
    for result in results:
        assert not any(block.phis for block in result.function.blocks)
    for _ in range(walks):
        walk = Walk(function, rng, steps)
        for result in results:
            assert replay(walk, function, result) == walk.seen
    naive, coalesced = results
    assert coalesced.statistics.copies_after <= naive.statistics.copies_after
    return naive, coalesced


def functions_of(source: str) -> list[Function]:
    return [build_ssa(op_array) for op_array in compile_php(source.encode(), "test.php").op_arrays()]


PROGRAM = """<?php
function swap(int $n) { $a = 1; $b = 2; for ($i = 0; $i < $n; $i++) { $t = $a; $a = $b; $b = $t; } return $a . $b; }
function nested($n) { $s = 0;
  for ($i = 0; $i < $n; $i++) for ($j = 0; $j < $i; $j++) { if ($j % 2) continue; $s += $j; } return $s; }
function choose($a, $b) { $x = $a ?? $b; $y = $a ?: $b; $z = $a && $b || !$x; return [$x, $y, $z]; }
function walk($list) { $last = null; foreach ($list as $key => $value) { if ($key > 3) break; $last = $value; }
  return [$last, $value ?? 0]; }
function pick($x) { switch ($x) { case 1: case 2: $r = 'a'; break; case 3: $r = 'b'; default: $r = 'c'; } return $r; }
function odd($n) { a: $n--; if ($n > 10) goto b; return $n; b: if ($n % 3) goto a; $n -= 2; goto a; }
function post($n) { do { $old = $n--; } while ($n > 0); return $old; }
function caught($x) { $r = 1;
  try { $r = f($x); $r = g($r); } catch (Error $e) { return $r; } finally { $x = $r; } return $x; }
"""


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_every_instruction_sees_what_it_saw_in_ssa_form(seed):
    for function in FUNCTIONS:
        compare(function, seed, walks=3)


FUNCTIONS = functions_of(PROGRAM)


def names_of(function: Function, slot_name: str) -> list[int]:
    return [name for name, var in enumerate(function.ssa_vars) if function.slot_name(var.slot) == slot_name]


def find(name: str) -> Function:
    return next(function for function in FUNCTIONS if function.op_array.name == name)


def test_conventional_ssa_costs_nothing():
    """What build_ssa makes is conventional: all names of a slot could share it, so coalescing leaves no copy."""
    for name in ("nested", "pick", "odd", "post"):
        _, coalesced = compare(find(name), seed=1)
        assert coalesced.statistics.copies_after == 0
        assert coalesced.new_blocks == []


def propagate_copies(function: Function) -> int:
    """Replace uses of `$x = $y` (an ASSIGN or QM_ASSIGN of a variable) by uses of $y's name: textbook copy propagation,
    which makes SSA form unconventional. Returns how many uses changed."""
    changed = 0
    source: dict[int, int] = {}
    for instr in function.instructions():
        if instr.opcode == Opcode.ASSIGN and instr.op2_use >= 0:
            source[instr.op1_def] = instr.op2_use
        elif instr.opcode == Opcode.QM_ASSIGN and instr.op1_use >= 0:
            source[instr.result_def] = instr.op1_use

    def original(name: int) -> int:
        nonlocal changed
        if name in source:
            changed += 1
            while name in source:
                name = source[name]
        return name

    for block in function.blocks:
        for phi in block.phis:
            phi.sources = [original(name) for name in phi.sources]
        for instr in block.instrs:
            if instr.opcode != Opcode.ASSIGN:
                instr.op1_use = original(instr.op1_use)
            instr.op2_use = original(instr.op2_use)
    return changed


def test_copy_propagation_makes_a_swap_of_it():
    function = next(f for f in functions_of(PROGRAM) if f.op_array.name == "swap")
    assert propagate_copies(function) > 0
    # $t, $a and $b are assigned for nothing now; without these assignments the loop only exchanges.
    for block in function.blocks:
        block.instrs = [i for i in block.instrs if not (i.opcode == Opcode.ASSIGN and i.op2_use >= 0)]
    naive, coalesced = compare(function, seed=3)
    assert naive.statistics.temporaries == 0
    assert coalesced.statistics.temporaries == 1


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_propagated_copies_are_no_hindrance(seed):
    for function in functions_of(PROGRAM):
        propagate_copies(function)
        compare(function, seed, walks=2)


def test_the_input_is_not_changed():
    function = find("swap")
    before = [(list(block.succs), list(block.preds), len(block.instrs), len(block.phis)) for block in function.blocks]
    names = len(function.ssa_vars)
    destruct(function, lambda _: "value", coalesce=False)
    assert_valid(function)
    assert before == [(b.succs, b.preds, len(b.instrs), len(b.phis)) for b in function.blocks]
    assert names == len(function.ssa_vars)


def test_names_without_representation_are_left_in_memory():
    function = find("swap")
    memory = set(names_of(function, "$a"))
    result = destruct(function, lambda name: None if name in memory else "value")
    assert all(result.location_of[name] < 0 for name in memory)
    copies = [i for i in result.function.instructions() if i.opcode == Opcode.COPY]
    assert not any(i.op1_use in memory or i.result_def in memory for i in copies)


def test_copies_convert_between_representations():
    """$x is int on one path and string on the other: each keeps its own, the phi gets the join."""
    [main] = functions_of("<?php $x = 1; if (f()) { $x = 'a'; } echo $x;")
    phi = next(phi for block in main.blocks for phi in block.phis if main.slot_name(phi.slot) == "$x")
    kinds = {phi.result: "value", phi.sources[0]: "int", phi.sources[1]: "string"}
    result = destruct(main, lambda name: kinds.get(name, "value"))
    kind_of = lambda name: result.locations[result.location_of[name]].representation  # noqa: E731
    assert {kind_of(name) for name in phi.sources} == {"int", "string"}
    assert kind_of(phi.result) == "value"
    converting = [
        (kind_of(i.op1_use), kind_of(i.result_def)) for i in result.function.instructions() if i.opcode == Opcode.COPY
    ]
    assert sorted(converting) == [("int", "value"), ("string", "value")]


def test_a_variable_with_storage_of_its_own_has_one_location():
    function = find("nested")
    slot = function.op_array.cvs.index("s")
    result = destruct(function, lambda _: "value", storage=lambda s: Storage.STATIC if s == slot else Storage.STACK)
    static = [location for location in result.locations if location.storage is Storage.STATIC]
    assert len(static) == 1
    assert static[0].slot == slot
    assert all(result.location_of[name] in (static[0].id, -1) for name in names_of(function, "$s"))
    assert not any(
        result.location_of[name] == static[0].id
        for name in range(len(function.ssa_vars))
        if function.ssa_vars[name].slot != slot
    )


def test_tied_pairs_are_found_or_refused():
    def tied(instr: Instr) -> list[tuple[int, int]]:
        return [(instr.op1_use, instr.op1_def)] if instr.opcode == Opcode.ASSIGN_DIM else []

    [main] = functions_of("<?php $a = []; for ($i = 0; $i < 9; $i++) { $a[] = $i; } echo count($a);")
    result = destruct(main, lambda _: "value", tied=tied, coalesce=False)
    appends = [i for i in result.function.instructions() if i.opcode == Opcode.ASSIGN_DIM]
    assert appends
    assert all(result.location_of[i.op1_use] == result.location_of[i.op1_def] for i in appends)

    [main] = functions_of("<?php $a = f(); $b = $a; $a[] = 1; echo $b, $a;")
    propagate_copies(main)  # $b is $a's old value now, needed after the append
    with pytest.raises(TiedPairError):
        destruct(main, lambda _: "value", tied=tied)


def big_function(opcodes: int) -> OpArray:
    builder = FunctionBuilder("big", params=[("x", MAY_BE_LONG)])
    a, b, c = builder.cv("a"), builder.cv("b"), builder.cv("c")
    for variable in (a, b, c):
        builder.assign(variable, builder.const(1))
    for number in range(opcodes // 5):
        skip = builder.label()
        builder.branch_zero(builder.emit(Opcode.IS_SMALLER, a, builder.const(number % 1000)), skip)
        builder.assign(b, c)
        builder.assign(c, builder.emit(Opcode.ADD, a, b))
        builder.place(skip)
    builder.ret(builder.emit(Opcode.ADD, a, builder.emit(Opcode.ADD, b, c)))
    return builder.finish()


def test_a_long_chain_of_joins_needs_no_recursion():
    function = build_ssa(big_function(4_000))
    result = destruct(function, lambda _: "value")
    assert result.statistics.copies_after == 0
    assert result.statistics.phis > 2_000
