"""Copy propagation: what may be read instead of a copy, and what must not."""

from __future__ import annotations

import pytest

from ssa2llvm.opt.copies import propagate_copies
from tests.opt.programs import function, opcodes, optimize, program

PASSES = ["sccp", "narrow", "copies", "redundant-phis", "dce", "clean"]


def left(body: str, call: str = "f(rand(), 'a' . rand())") -> list[str]:
    target = program(f"<?php function f($p, $q) {{ {body} }} {call};")
    optimize(target, PASSES)
    return opcodes(function(target, "f"))


def test_a_chain_of_copies_goes() -> None:
    assert left("$a = $p; $b = $a; $c = $b; return $c + $a;") == ["RECV", "RECV", "ADD", "RETURN"]


def test_copies_meet_in_a_phi() -> None:
    names = left("if ($q) { $x = $p; } else { echo 1; $x = $p; } return $x;")
    assert "QM_ASSIGN" not in names
    assert "RETURN" in names


def test_a_string_is_read_in_place_until_its_variable_changes() -> None:
    assert "QM_ASSIGN" not in left("$s = $q . 'x'; $t = $s; echo $t; return 1;")
    assert left("$s = $q . 'x'; $t = $s; $s .= 'y'; echo $t; return $s;").count("QM_ASSIGN") == 1


@pytest.mark.parametrize(
    "body",
    [
        "$a = $p; $a++; return $a + $p;",  # tied: the increment works on $a's own place
        "$a = $p; $r = &$p; $r = 5; return $a;",  # $p lives in memory and changes
        "$a = $p; $r = &$a; $r = 5; return $a + $p;",  # and so does $a
    ],
)
def test_a_copy_that_is_needed_stays(body: str) -> None:
    names = left(body)
    assert "QM_ASSIGN" in names or "ASSIGN" in names


def test_an_undefined_variable_still_warns_where_it_is_copied() -> None:
    names = left("if ($p) { $u = 1; } $a = $u; return [$a, $a];")
    assert names.count("QM_ASSIGN") + names.count("ASSIGN") == 2  # $u = 1 and $a = $u


def test_twice_changes_nothing() -> None:
    target = program(
        "<?php function f($p) { $a = $p; $b = $a; while ($b < 5) { $c = $b; $b = $c + 1; } return $b; } f(rand());"
    )
    optimize(target, PASSES)
    for unit in target.units:
        assert propagate_copies(unit.function, unit.get("facts"), unit.get("cells")) == 0
