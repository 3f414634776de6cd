"""Jump threading: which edges skip a branch, and that what they skip is still told to the phis behind."""

from __future__ import annotations

import pytest

from ssa2llvm.ir.function import Function
from ssa2llvm.opt.pipeline import level_names
from ssa2llvm.opt.standard import TABLE, run_jump_threading
from ssa2llvm.report.bisect import run_program
from tests.opt.programs import function, optimize, program
from tests.opt.programs import opcodes as opcodes_of

BEFORE = ["sccp", "sctp", "narrow", "copies", "redundant-phis"]
CLEANUP = ["copies", "redundant-phis", "dce", "clean"]


def threaded(body: str) -> tuple[int, Function]:
    """How many edges are redirected in f, and f after cleaning up."""
    target = program(f"<?php function f(bool $e, $x) {{ {body} }} echo f(rand() > 5, rand()), f(rand() < 5, 'a');")
    changes = {step.function: step.changes for step in optimize(target, [*BEFORE, "jump-threading"])[-2:]}
    optimize(target, CLEANUP)
    return changes["f"], function(target, "f")


def test_a_condition_with_a_known_arm() -> None:
    changes, after = threaded("if ($e ? true : $x) { return 'yes'; } return 'no';")
    assert changes == 1
    assert sorted(opcodes_of(after)) == ["JMPZ", "JMPZ", "RECV", "RECV", "RETURN", "RETURN"]


def test_both_arms_known() -> None:
    changes, after = threaded("if ($e ? 1 : 0) { echo 'yes'; } else { echo 'no'; } return 1;")
    assert changes == 2
    assert opcodes_of(after).count("JMPZ") == 1
    assert "QM_ASSIGN" not in opcodes_of(after)


def test_a_switch_on_what_arms_know() -> None:
    changes, after = threaded(
        "switch ($e ? 4 : 2) { case 1: return 'a'; case 2: return 'b'; case 4: return 'd'; case 5: return 'e';"
        " case 6: return 'f'; default: return 'z'; }"
    )
    assert changes == 2
    assert sorted(opcodes_of(after)) == ["JMPZ", "RECV", "RECV", "RETURN", "RETURN"]


def test_a_phi_behind_takes_what_was_skipped() -> None:
    changes, after = threaded("if ($e) { $k = 0; } else { $k = (int) $x; } if ($k) { $k = 7; } return $k;")
    assert changes == 1
    (phi,) = [phi for block in after.blocks for phi in block.phis]
    assert len(phi.sources) == 3  # 0 straight from the first test, $x that was false, and 7


@pytest.mark.parametrize(
    "body",
    [
        "if ($e) { $k = 0; } else { $k = $x; } if ($k) { echo 1; } return [$k];",  # the phi is read beyond the branch
        "$go = true; while ($go) { $go = $x > 5 && $e; } return 1;",  # a loop header
        "if ($e ? $x : 'a' . $x) { return 1; } return 2;",  # nothing is known
    ],
)
def test_not_threaded(body: str) -> None:
    assert threaded(body)[0] == 0


def test_twice_changes_nothing() -> None:
    target = program("<?php function f(bool $e, $x) { return ($e ? true : $x) ? 1 : 2; } echo f(rand() > 5, rand());")
    optimize(target, [*BEFORE, "jump-threading"])
    assert [run_jump_threading(unit) for unit in target.units] == [0, 0]


def test_behaviour() -> None:
    source = """<?php
    function f(bool $e, $x) { if ($e ? true : $x) { return "yes"; } return "no"; }
    function g(bool $e, $x) { if ($e) { $k = 0; } else { $k = $x; } if ($k) { $k = "truthy"; } return $k; }
    function h($n) {
        $s = "";
        for ($i = 0; $i < $n; $i++) { $s .= ($i % 3 ? ($i % 2 ? 0 : 7) : "") ? "+" : "-"; }
        return $s;
    }
    function s($n) {
        switch ($n ? ($n > 5 ? 1 : 2) : 3) { case 1: return "one"; case 2: return "two"; default: return "other"; }
    }
    echo f(true, 0), f(false, 0), f(false, "a"), "|", g(true, 5), g(false, 0), g(false, 4), "|", h(9), "|";
    echo s(0), s(9), s(2);
    """
    target = program(source)
    optimize(target, level_names(TABLE, 3))
    assert run_program(target).stdout == b"yesnoyes|00truthy|--+-+---+|otheronetwo"
