"""Sparse conditional type propagation: what it decides that inference alone does not, what it must not decide, and
that its types hold when programs run."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.view import FunctionView
from ssa2llvm.formats.load import load_bytes
from ssa2llvm.interp.code import ssa_code
from ssa2llvm.interp.run import make_machine, run_machine, run_script
from ssa2llvm.ir.op_array import Script
from ssa2llvm.ir.types import type_text
from ssa2llvm.opt.pipeline import level_names
from ssa2llvm.opt.sctp import Sctp
from ssa2llvm.opt.standard import TABLE, run_sctp
from ssa2llvm.opt.unit import Unit, build_program
from ssa2llvm.report.audit import Auditor
from ssa2llvm.report.bisect import run_program
from tests.opt.programs import function, opcodes, optimize, program
from tests.opt.typed_programs import typed_programs

STEP_LIMIT = 30_000


def solved(unit: Unit) -> Sctp:
    sctp = Sctp(FunctionView(unit.function, unit.program.context), unit.get("facts"))
    sctp.solve()
    return sctp


def of_f(body: str, params: str = "int $n, $u") -> tuple[Unit, Sctp]:
    target = program(f"<?php function f({params}) {{ {body} }}")
    unit = next(unit for unit in target.units if unit.function.op_array.name == "f")
    return unit, solved(unit)


def returned(body: str, params: str = "int $n, $u") -> str:
    """The types of what f returns, as SCTP finds them."""
    unit, sctp = of_f(body, params)
    mask = 0
    for block in unit.function.blocks:
        last = block.instrs[-1] if block.instrs else None
        if last is not None and last.opcode.name == "RETURN" and last.op1_use >= 0 and sctp.scdf.executable[block.id]:
            mask |= sctp.types[last.op1_use]
    return type_text(mask)


@pytest.mark.parametrize(
    ("body", "types"),
    [
        ("$x = 1; while ($n--) { if (!is_int($x)) { $x = 'a'; } else { $x = $x % 7; } } return $x;", "[long]"),
        ("$x = null; while ($n--) { if (isset($x)) { $x = 'a'; } } return $x;", "[null]"),
        ("$x = null; while ($n--) { if ($x !== null) { $x = 'a'; } } return $x;", "[null]"),
        ("$x = false; while ($n--) { if ($x) { $x = 5; } } return $x;", "[false]"),
        ("$x = 2.5; while ($n--) { if ($x === 1) { $x = 'a'; } } return $x;", "[double]"),
        ("$x = false; while ($n--) { if ($x == null) { continue; } $x = 1; } return $x;", "[false]"),
        ("$x = 'a'; while ($n--) { $y = $x ?? 1; $x = $y; } return $x;", "[string]"),
        ("$x = []; while ($n--) { if ($x instanceof Countable) { $x = 1; } } return $x;", "[empty array]"),
        ("$x = 1.5; while ($n--) { switch ($x) { case 'a': case 'b': $x = null; } } return $x;", "[double, null]"),
        ("$x = 1.5; while ($n--) { $x = match ($x) { 1 => 'a', 2 => 'b', default => 2.5 }; } return $x;", "[double]"),
        ("$x = []; while ($n--) { foreach ($x as $e) { $x = 'a'; } } return $x;", "[empty array]"),
        ("$x = 5; while ($n--) { foreach ($x as $e) { $x = 'a'; } } return $x;", "[long]"),
        ("$x = 7; while ($n--) { if (isset($x['k'])) { $x = 'a'; } } return $x;", "[long]"),
        ("$x = 0; while ($n--) { if ($x < 5) { $x = 1; } else { $x = 'a'; } } return $x;", "[long]"),
    ],
)
def test_types_and_reachability_find_more_together(body: str, types: str) -> None:
    assert sorted(returned(body)[1:-1].split(", ")) == sorted(types[1:-1].split(", "))


@pytest.mark.parametrize(
    "body",
    [
        "$x = 1; $r = &$x; while ($n--) { if (!is_int($x)) { return 'a'; } $r = $u; } return 1;",  # behind its back
        "global $x; if (is_int($x)) { return 1; } return 'a';",
        "static $x = 1; if (is_int($x)) { return 1; } return 'a';",
        "$x = 1; extract($u); if (is_int($x)) { return 1; } return 'a';",
        "$x = $u; if (is_int($x)) { return 1; } return 'a';",
        "$x = 1; try { $x = 'a'; g(); $x = 2; } catch (Exception $e) { if (is_string($x)) { return 1; } } return 'a';",
        "$x = 0.5; if ($x == $x) { return 1; } return 'a';",
        "$x = [1]; if ($n) { $x = []; } if ($x) { return 1; } return 'a';",
    ],
)
def test_undecided(body: str) -> None:
    unit, _ = of_f(body)
    before = [instr.opcode for instr in unit.function.instructions()]
    assert run_sctp(unit) == 0
    assert [instr.opcode for instr in unit.function.instructions()] == before


def test_a_decided_branch_goes_and_what_it_guarded() -> None:
    target = program(
        "<?php function f(int $n) { $x = 1; while ($n--) { if (!is_int($x)) { $x = 'a'; } else { $x = $x % 7; } }"
        " return $x; } echo f(rand());"
    )
    optimize(target, ["sctp", "copies", "redundant-phis", "dce", "clean"])
    left = opcodes(function(target, "f"))
    assert "TYPE_CHECK" not in left
    assert left.count("JMPZ") + left.count("JMPNZ") == 1


def test_coalesce_of_what_is_never_null_is_a_copy() -> None:
    target = program("<?php function f(int $n) { return $n ?? 'none'; } echo f(rand());")
    optimize(target, ["sctp", "dce", "clean"])
    assert opcodes(function(target, "f")) == ["RECV", "QM_ASSIGN", "RETURN"]


def test_the_warning_of_a_decided_test_stays() -> None:
    source = "<?php function f() { if ($x) { return 'a'; } if ($y === null) { return 'b'; } return 'c'; } echo f();"
    target = program(source)
    optimize(target, level_names(TABLE, 3))
    expected = run_script(load_bytes(source.encode(), "test.php")).stdout
    assert expected.count(b"Undefined variable") == 2
    assert run_program(target).stdout == expected


def test_trace_tells_every_step() -> None:
    target = program("<?php function f(int $n) { $x = null; while ($n--) { $x = 1; } return $x; }")
    unit = next(unit for unit in target.units if unit.function.op_array.name == "f")
    sctp = Sctp(FunctionView(unit.function, target.context), unit.get("facts"), trace=[])
    sctp.solve()
    assert sctp.trace is not None
    told = [
        (entry.old, entry.new)
        for entry in sctp.trace
        if entry.cause.startswith("phi") and "$x" in unit.function.name_text(entry.name)
    ]
    assert told == [("top", "[null]"), ("[null]", "[null, long]")]


def load(source: str) -> Script:
    return load_bytes(source.encode(), "test.php")


@settings(max_examples=40)
@given(typed_programs())
def test_its_types_hold(source: str) -> None:
    """Every value that a run defines lies in the type found for its name."""
    target = build_program(load(source))
    analysed = []
    for unit in target.units:
        facts = unit.get("facts")
        analysed.append((unit.function, Facts(solved(unit).types, facts.ranges, facts.classes)))
    auditor = Auditor(analysed)
    functions = {id(function.op_array): function for function, _ in analysed}
    machine = make_machine(
        target.script, lambda op_array: ssa_code(functions[id(op_array)]), observer=auditor, step_limit=STEP_LIMIT
    )
    run_machine(machine)
    assert auditor.findings == []


@settings(max_examples=40)
@given(typed_programs())
def test_behaviour_and_idempotence(source: str) -> None:
    expected = run_script(load(source), step_limit=STEP_LIMIT)
    target = build_program(load(source))
    optimize(target, ["sctp"])
    assert [step.changes for step in optimize(target, ["sctp"])] == [0] * len(target.units)
    got = run_program(target, STEP_LIMIT)
    if not (expected.stopped or got.stopped):
        assert (got.stdout, got.exit_code) == (expected.stdout, expected.exit_code)
