from __future__ import annotations

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function, RangeConstraint
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import build_ssa
from ssa2llvm.ssa.verifier import assert_valid
from tests.ssa.random_php import random_program


def built(source: str, config: Config = Config.SOUND) -> Function:
    """The first function of a PHP snippet."""
    function = build_ssa(compile_php(b"<?php " + source.encode(), "snippet.php").functions[0], config)
    assert_valid(function)
    return function


def opcodes(function: Function) -> list[list[str]]:
    return [[instr.opcode.name for instr in block.instrs] for block in function.blocks if block.reachable]


def bounds(function: Function, slot: int) -> set[tuple[str, int]]:
    """The constant bounds that pis give the variable."""
    found = set()
    for block in function.blocks:
        for phi in block.phis:
            if phi.slot == slot and isinstance(phi.constraint, RangeConstraint) and phi.constraint.max_slot < 0:
                constraint = phi.constraint
                if constraint.underflow:
                    found.add(("<=", constraint.max))
                elif constraint.overflow and constraint.min_slot < 0:
                    found.add((">=", constraint.min))
    return found


def test_both_sides_of_and_bound_their_variables() -> None:
    source = "function f($a, $b) { if ($a < 5 && $b > 7) { return 1; } return $a + $b; }"
    function = built(source)
    assert opcodes(function) == [
        ["RECV", "RECV", "IS_SMALLER", "JMPZ"],
        ["IS_SMALLER", "JMPZ"],
        ["RETURN"],
        ["ADD", "RETURN"],
    ]
    assert bounds(function, 0) == {("<=", 4), (">=", 5)}
    assert bounds(function, 1) == {("<=", 7)}  # nobody reads $b where it is above
    assert bounds(built(source, Config.ZEND), 0) == set()


def test_a_loop_with_two_conditions_keeps_the_counters_bound() -> None:
    function = built("function f($n) { for ($i = 0; $i < 100 && $n; $i++) { echo $i; } return $n; }")
    assert ("<=", 99) in bounds(function, 1)
    assert not any(phi.slot >= 2 for block in function.blocks for phi in block.phis)  # no phi of a temporary


def test_chains_of_three_and_mixtures() -> None:
    function = built("function f($a, $b, $c) { if (($a && $b || $c) && $a) { return 1; } return 2; }")
    assert {name for block in opcodes(function) for name in block} == {"RECV", "JMPZ", "JMPNZ", "RETURN"}
    function = built("function f($a, $b, $c) { while ($a && $b && $c) { $a--; } }")
    assert {name for block in opcodes(function) for name in block} == {
        "RECV", "JMP", "JMPZ", "PRE_DEC", "RETURN",
    }  # fmt: skip


def test_a_negation_is_a_branch_the_other_way() -> None:
    function = built("function f($a, $b) { if (!($a < 5)) { return $a; } return !($a < 9 || $b) ? $a : $b; }")
    names = {name for block in opcodes(function) for name in block}
    assert "BOOL_NOT" not in names
    assert {(">=", 5), (">=", 9)} <= bounds(function, 0)


def test_a_result_that_is_kept_stays() -> None:
    function = built("function f($a, $b) { $c = $a && $b; if ($c) { return $c; } return $a || $b; }")
    names = [name for block in opcodes(function) for name in block]
    assert names.count("JMPZ_EX") == 1
    assert names.count("JMPNZ_EX") == 1
    assert names.count("BOOL") == 2


def test_the_only_reads_of_an_undefined_variable_stay() -> None:
    source = b"<?php function f($a) { if ($a && $u) { return 1; } if (!$v || $a) { return 2; } return 3; } echo f(1);"
    script = compile_php(source, "undefined.php")
    outcome = run_script(script, form="ssa")
    assert outcome.stdout == run_script(script).stdout
    assert [report.message for report in outcome.reports] == ["Undefined variable $u", "Undefined variable $v"]
    function = build_ssa(script.functions[0])
    assert not any(instr.opcode in (Opcode.BOOL, Opcode.BOOL_NOT) for instr in function.instructions())


@pytest.mark.parametrize("seed", range(12))
def test_programs_do_what_they_did(seed: int) -> None:
    script = compile_php(random_program(seed, functions=3, runnable=True).encode(), "random.php")
    assert run_script(script, form="ssa").stdout == run_script(script, form="linear").stdout
