"""Calls by name of functions that are known become direct, and their sends plain."""

from __future__ import annotations

import pytest

from ssa2llvm.interp.run import run_script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.report.bisect import run_program
from tests.opt.programs import echoed, function, optimize, program
from tests.opt.test_behaviour import script

_CALLS = frozenset(opcode for opcode in Opcode if opcode.name.startswith(("INIT_", "SEND_", "DO_")))


def call_opcodes(source: str) -> list[str]:
    """The instructions of calls in the main script after the pass."""
    target = program(source)
    optimize(target, ["direct-calls"])
    assert run_program(target).stdout == run_script(script(source)).stdout
    return [instr.opcode.name for instr in function(target, "$_main").instructions() if instr.opcode in _CALLS]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<?php if (1) { $a = 1; f($a, 2, $a . 'x'); } function f($x, $y, $z) { return $x; }",
            ["INIT_FCALL", "SEND_VAR", "SEND_VAL", "SEND_VAL", "DO_UCALL"],
        ),
        ("<?php $a = 1; f($a); function f(&$x) { $x = 2; }", ["INIT_FCALL", "SEND_VAR_EX", "DO_UCALL"]),
        (
            "<?php $a = 'x'; f(f($a)); function f($x) { return $x; }",
            ["INIT_FCALL", "INIT_FCALL", "SEND_VAR", "DO_UCALL", "SEND_VAR", "DO_UCALL"],
        ),
        ("<?php namespace N; $a = 'x'; echo strrev($a);", ["INIT_FCALL", "SEND_VAR", "DO_ICALL"]),
        (
            "<?php namespace N; $a = 'x'; f($a); function f($x) { return $x; }",
            ["INIT_FCALL", "SEND_VAR", "DO_UCALL"],
        ),
        (
            "<?php if (1) { function f($x) { return $x; } } $a = 1; f($a);",
            ["INIT_FCALL_BY_NAME", "SEND_VAR_EX", "DO_FCALL_BY_NAME"],
        ),
    ],
    ids=["by value", "by reference", "nested", "builtin in a namespace", "own in a namespace", "conditional"],
)
def test_opcodes(source: str, expected: list[str]) -> None:
    assert call_opcodes(source) == expected


def test_what_was_sent_is_still_known() -> None:
    target = program("<?php function g() { $a = 'x'; f($a); echo $a; } g(); function f($x) { return $x; }")
    optimize(target, ["sccp"])
    assert echoed(function(target, "g")) == [...]
    target = program("<?php function g() { $a = 'x'; f($a); echo $a; } g(); function f($x) { return $x; }")
    optimize(target, ["direct-calls", "sccp"])
    assert echoed(function(target, "g")) == [b"x"]


def test_again_changes_nothing() -> None:
    target = program("<?php $a = 1; f($a); function f($x) { return $x; }")
    steps = optimize(target, ["direct-calls", "direct-calls"])
    assert [bool(step.changes) for step in steps] == [True, False, False, False]
