"""Explicit reference counting: what is inserted where, and that the verifier sees every way to get it wrong."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssa2llvm.analysis.calls import CallMap
from ssa2llvm.analysis.reference_slots import reference_slots
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_COUNTED
from ssa2llvm.opt.calls import fold_calls
from ssa2llvm.opt.op_data import join_op_data
from ssa2llvm.opt.unit import build_program
from ssa2llvm.own.insert import insert_ownership
from ssa2llvm.own.verify import OwnershipError, verify_ownership
from ssa2llvm.php import compile_php
from tests.interp.random_php import Generator

COUNTING = (Opcode.DUP, Opcode.DROP)


class Owned:
    """A function with explicit counting, and which names own."""

    def __init__(self, source: str, name: str) -> None:
        program = build_program(compile_php(source.encode(), "own.php"))
        unit = next(unit for unit in program.units if unit.function.op_array.name == name)
        self.function: Function = unit.function
        facts = unit.get("facts")
        calls = CallMap(self.function, program.context.symbols)
        cells = reference_slots(self.function, calls)
        fold_calls(self.function, facts, calls, cells.__contains__)
        join_op_data(self.function, facts, cells.__contains__)
        types = list(facts.types)
        self.owns = lambda n: bool(types[n] & MAY_BE_COUNTED) and self.function.ssa_vars[n].slot not in cells
        insert_ownership(self.function, self.owns)

    def opcodes(self) -> list[str]:
        """Names of all instructions in order, without RECV and NOP."""
        return [i.opcode.name for i in self.function.instructions() if i.opcode not in (Opcode.RECV, Opcode.NOP)]

    def count(self, opcode: Opcode) -> int:
        return sum(instr.opcode == opcode for instr in self.function.instructions())


def owned(body: str, parameters: str = "string $s, string $t") -> Owned:
    result = Owned(f"<?php function f({parameters}) {{ {body} }} f('a', 'b');", "f")
    verify_ownership(result.function, result.owns)
    return result


def test_last_use_is_a_move():
    assert owned("$u = $s; return $u;", "string $s").opcodes()[:2] == ["ASSIGN", "RETURN"]


def test_a_value_used_twice_is_counted_twice():
    # $u and the result of the concatenation both want $s: one DUP, and what only was borrowed is dropped.
    result = owned("$u = $s; $v = $s; return $u . $v;", "string $s")
    assert result.count(Opcode.DUP) == 1
    assert result.count(Opcode.DROP) == 2


def test_unused_parameter_is_dropped_at_once():
    assert owned("return 1;", "string $s").opcodes()[:2] == ["DROP", "RETURN"]


def test_append_is_a_move():
    # The old name dies in `.=`, so no second count may exist while the string grows.
    result = owned("for ($i = 0; $i < 9; $i++) { $s .= $t; } return $s;")
    assert result.count(Opcode.DUP) == 0


def test_append_of_itself_needs_a_second_count():
    result = owned("$s .= $s; return $s;", "string $s")
    assert [name for name in result.opcodes() if name in ("DUP", "ASSIGN_OP", "DROP")] == ["DUP", "ASSIGN_OP", "DROP"]


def test_branch_drops_on_the_edge_where_a_value_dies():
    result = owned("if ($c) { return $s; } return 'none';", "string $s, bool $c")
    returns_literal = next(
        block
        for block in result.function.blocks
        if block.instrs
        and block.instrs[-1].opcode == Opcode.RETURN
        and block.instrs[-1].op1.is_const
        and block.reachable
    )
    assert [instr.opcode for instr in returns_literal.instrs] == [Opcode.DROP, Opcode.RETURN]


def test_element_write_moves_the_array():
    result = owned("for ($i = 0; $i < 9; $i++) { $a[$i] = $i; } return $a;", "array $a")
    assert result.count(Opcode.DUP) == 0


def test_container_lives_until_its_slot_is_written():
    # Nobody reads $a afterwards, yet it must not be dropped between FETCH_DIM_W and the ASSIGN_DIM through its slot.
    names = [n for n in owned("$a[1][2] = 3;", "array $a").opcodes() if n in ("FETCH_DIM_W", "ASSIGN_DIM", "DROP")]
    assert names == ["FETCH_DIM_W", "ASSIGN_DIM", "DROP"]


def test_unwind_list_is_what_is_owned():
    result = owned("$r = $s . $t; return strlen($r) % $n;", "string $s, string $t, int $n")
    modulo = next(i for i in result.function.instructions() if i.opcode == Opcode.MOD)
    concat = next(i for i in result.function.instructions() if i.opcode == Opcode.CONCAT)
    assert modulo.unwind == []
    assert sorted(result.function.ssa_vars[name].slot for name in concat.unwind) == [0, 1]


def test_coalesce_shares_until_dup():
    result = owned("$r = $s ?? 'x'; return $r . $s;", "?string $s")
    assert result.count(Opcode.DUP) == 1


def mutants(function: Function) -> list[tuple[str, int, int]]:
    return [
        (instr.opcode.name, block.id, position)
        for block in function.blocks
        for position, instr in enumerate(block.instrs)
        if instr.opcode in COUNTING and block.reachable
    ]


PROGRAM = """
function f(string $s, string $t, array $a, ?string $m, int $n) {
    for ($i = 0; $i < $n; $i++) {
        if ($i % 2) { $s .= $t; } else { $t = $s; $a[] = $t; }
        $m = $m ?? $s;
        foreach ($a as $k => $v) { if ($k > 3) { break; } $s = $v . $s; }
    }
    switch ($s) { case 'x': return $t; case 'y': $t .= 'z'; break; default: $a['k'] = $m; }
    return [$s, $t, $a];
}
f('a', 'b', [], null, 3);
"""


def test_removing_any_count_is_found():
    places = mutants(Owned("<?php" + PROGRAM, "f").function)
    assert len(places) > 10
    for _, block, position in places:
        mutant = Owned("<?php" + PROGRAM, "f")
        del mutant.function.blocks[block].instrs[position]
        with pytest.raises(OwnershipError):
            verify_ownership(mutant.function, mutant.owns)


def test_doubling_any_count_is_found():
    for _, block, position in mutants(Owned("<?php" + PROGRAM, "f").function):
        mutant = Owned("<?php" + PROGRAM, "f")
        instrs = mutant.function.blocks[block].instrs
        instrs.insert(position, copy.copy(instrs[position]))
        with pytest.raises(OwnershipError):
            verify_ownership(mutant.function, mutant.owns)


def test_wrong_unwind_list_is_found():
    result = owned("$r = $s . $t; return $r;")
    concat: Instr = next(i for i in result.function.instructions() if i.opcode == Opcode.CONCAT)
    concat.unwind = []
    with pytest.raises(OwnershipError, match="unwinds"):
        verify_ownership(result.function, result.owns)


def test_needless_second_count_before_append_is_found():
    result = owned("$s .= $t; return $s;")
    for block in result.function.blocks:
        for position, instr in enumerate(block.instrs):
            if instr.opcode == Opcode.ASSIGN_OP:
                extra = Instr(Opcode.DUP, instr.op1, op1_use=instr.op1_use)
                release = Instr(Opcode.DROP, instr.op1, op1_use=instr.op1_use)
                block.instrs[position : position + 1] = [extra, instr, release]
                instr.unwind = sorted([*instr.unwind, instr.op1_use])
                with pytest.raises(OwnershipError, match="copies"):
                    verify_ownership(result.function, result.owns)
                return
    pytest.fail("no ASSIGN_OP")


@settings(max_examples=25)
@given(st.integers(0, 1_000_000))
def test_random_programs_are_balanced(seed):
    source = "<?php\n" + Generator(seed, exceptions=False).program(1)
    for op_array in compile_php(source.encode(), "own.php").op_arrays():
        result = Owned(source, op_array.name)
        verify_ownership(result.function, result.owns)
