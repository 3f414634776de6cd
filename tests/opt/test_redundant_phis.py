"""Groups of phis that refer to each other (shared case 098): one value, or not."""

from __future__ import annotations

from ssa2llvm.ir.function import Phi
from tests.opt.programs import function, optimize, program

GROUP = """<?php
function f($v, $w, $a, $b, $c) {
    $x = $v;
    while ($a--) {
        while ($b--) { }
        if ($c) { $x = %s; }
    }
    return $x;
}"""


def phis_of_x(second: str) -> list[Phi]:
    target = program(GROUP % second)
    optimize(target, ["redundant-phis"])
    f = function(target, "f")
    slot = f.op_array.cvs.index("x")
    return [phi for block in f.blocks for phi in block.phis if phi.slot == slot and not phi.is_pi]


def test_a_group_with_two_values_stays() -> None:
    assert phis_of_x("$w")


def test_a_group_with_one_value_goes() -> None:
    # Once SCCP has found out that the assignment never runs, two loops' phis of $x only feed each other.
    target = program(
        """<?php function f($v, $a, $b) {
            $x = $v; $never = 0;
            while ($a--) { while ($b--) { if ($never) { $x = 1; } } }
            return $x;
        }"""
    )
    f = function(target, "f")
    slot = f.op_array.cvs.index("x")
    optimize(target, ["sccp"])
    before = [phi for block in f.blocks for phi in block.phis if phi.slot == slot]
    optimize(target, ["redundant-phis"])
    after = [phi for block in f.blocks for phi in block.phis if phi.slot == slot]
    assert len(before) >= 2
    assert after == []
    returned = f.instructions()[-2]
    assert returned.opcode.name == "RETURN"
    definition = f.ssa_vars[returned.op1_use].definition
    assert definition is not None
    assert definition.opcode.name == "ASSIGN"
