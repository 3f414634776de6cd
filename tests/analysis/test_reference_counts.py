"""Reference counts (rc1, rcn) and integer literals that become floats, in the zend configuration; against PHP itself
both are compared in tests/conform."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.analysis.context import Options, ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.infer_script import infer_script, infer_zend_script
from ssa2llvm.analysis.reference_counts import BOTH, MANY, ONE, may_be_shared, returned, settled, without_counts
from ssa2llvm.cli.main import main
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_DOUBLE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_NUMBER,
    MAY_BE_OBJECT,
    MAY_BE_REF,
    MAY_BE_STRING,
)
from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import SsaContext, build_ssa, refusal

PROGRAMS = Path(__file__).parent.parent / "conform" / "inference"


def inferred(source: str, options: Options) -> tuple[Function, Facts]:
    """The first function of a program."""
    script = compile_php(f"<?php {source}".encode(), "x.php")
    function, facts = infer_zend_script(script, options)[1]
    assert function is not None
    assert facts is not None
    return function, facts


def versions(source: str, variable: str, options: Options) -> list[int]:
    """The masks of a variable's names, in order, without the one at entry."""
    function, facts = inferred(source, options)
    slot = function.op_array.cvs.index(variable)
    names = [
        name for name, var in enumerate(function.ssa_vars) if var.slot == slot and name >= len(function.op_array.cvs)
    ]
    return [facts.types[name] for name in names]


COUNTED = Options(counts_references=True)


@pytest.mark.parametrize(
    ("body", "bits"),
    [
        ("$a = [$x]; return 1;", [ONE]),
        ("$a = 'literal'; return $a;", [BOTH]),
        ("$a = 5; return $a;", [0]),
        ("$a = [$x]; $b = $a; return $b;", [ONE, BOTH]),
        ("$a = [$x]; $b = $a; $a[] = 1; return $b;", [ONE, BOTH, ONE]),
        ("$a = [$x]; strlen($a); foreach ($a as $v) { } return 1;", [ONE, BOTH]),
        ("$a = [$x]; $b = [$a]; return $b;", [ONE, BOTH]),
        ("$a = [$x]; $r = &$a; return $r;", [ONE, BOTH]),
    ],
)
def test_a_variable_is_shared_from_where_its_value_is_copied(body: str, bits: list[int]) -> None:
    masks = versions(f"function f(int $x) {{ {body} }}", "a", COUNTED)
    assert [mask & BOTH for mask in masks] == bits


def test_arguments_are_never_alone() -> None:
    masks = versions("function f(array $a) { $a[] = 1; return 1; }", "a", COUNTED)
    assert [mask & BOTH for mask in masks] == [BOTH, BOTH]


def test_what_holds_nothing_counted_has_no_counts() -> None:
    assert without_counts(MAY_BE_LONG | BOTH) == MAY_BE_LONG
    assert without_counts(MAY_BE_STRING | ONE) == MAY_BE_STRING | ONE
    assert may_be_shared(MAY_BE_NUMBER | MAY_BE_NULL) == MAY_BE_NUMBER | MAY_BE_NULL
    assert may_be_shared(MAY_BE_OBJECT | MAY_BE_NULL) == MAY_BE_OBJECT | MAY_BE_NULL | BOTH


def test_what_is_shared_behind_the_instructions_backs() -> None:
    assert settled(MAY_BE_ARRAY | ONE, is_cv=True, is_argument=False) == MAY_BE_ARRAY | ONE
    assert settled(MAY_BE_ARRAY | ONE, is_cv=True, is_argument=True) == MAY_BE_ARRAY | BOTH
    assert settled(MAY_BE_STRING | ONE, is_cv=True, is_argument=False) == MAY_BE_STRING | BOTH
    assert settled(MAY_BE_STRING | ONE, is_cv=False, is_argument=False) == MAY_BE_STRING | ONE
    assert settled(MAY_BE_ARRAY | MANY, is_cv=True, is_argument=False) == MAY_BE_ARRAY | BOTH
    assert settled(MAY_BE_REF | MAY_BE_LONG, is_cv=False, is_argument=False) == MAY_BE_REF | MAY_BE_LONG | BOTH
    assert returned(MAY_BE_ARRAY | ONE, by_reference=False) == MAY_BE_ARRAY | BOTH
    assert returned(MAY_BE_REF | BOTH, by_reference=True) == MAY_BE_REF


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.php")), ids=lambda path: path.stem)
def test_other_configurations_know_no_counts(program: Path) -> None:
    script = compile_php(program.read_bytes(), program.name)
    for _, facts in infer_zend_script(script, Options()):
        assert facts is None or not any(mask & BOTH for mask in facts.types)
    ssa_context = SsaContext(script)
    functions = [build_ssa(op_array, Config.SOUND, ssa_context) for op_array in script.op_arrays()]
    for facts in infer_script(functions, ScriptContext(script, Config.SOUND)):
        assert not any(mask & BOTH for mask in facts.types)


@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.php")), ids=lambda path: path.stem)
def test_types_do_not_depend_on_counts(program: Path) -> None:
    script = compile_php(program.read_bytes(), program.name)
    with_counts, without = (ScriptContext(script, Config.ZEND, COUNTED) for _ in range(2))
    without.counts = 0
    ssa_context = SsaContext(script)
    counted = 0
    for op_array in script.op_arrays():
        if refusal(op_array, rc_inference=True) is None:
            function = build_ssa(op_array, Config.ZEND, ssa_context, rc_inference=True)
            masks = infer(function, with_counts).types
            assert [mask & ~BOTH for mask in masks] == infer(function, without).types
            counted += sum(bool(mask & BOTH) for mask in masks)
    assert counted > 0


def test_the_jit_builds_no_ssa_form_of_main_scripts_and_generators() -> None:
    script = compile_php(
        b"<?php function g() { yield 1; } function t() { try { } finally { } } function p() { }", "x.php"
    )
    reasons = {op_array.name: refusal(op_array, rc_inference=True) for op_array in script.op_arrays()}
    assert reasons == {"$_main": "main script", "g": "generator", "t": "try/catch/finally", "p": None}
    assert refusal(script.main) is None


def test_rc_needs_as_zend_and_a_stage_of_zend(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(PROGRAMS / "literals.php")
    assert main(["dump", program, "--stage", "types", "--rc"]) != 0
    assert main(["dump", program, "--stage", "opcodes", "--as-zend", "--rc"]) != 0
    assert capsys.readouterr().err.count("--rc goes with --as-zend") == 2


NARROWED = Options(narrow_to_double=True)


@pytest.mark.parametrize(
    ("body", "literal"),
    [
        ("return $s + $x;", MAY_BE_DOUBLE),
        ("return ($s * 3 - 1) + $x;", MAY_BE_DOUBLE),
        ("return ($s + 9007199254740993) + $x;", MAY_BE_LONG),  # 2 ** 53 + 2, of floats 2 ** 53
        ("return (0 - $s) * $x;", MAY_BE_DOUBLE),
        ("return ($s + $i) + $x;", MAY_BE_LONG),  # 1 + $i may overflow where 1.0 + $i does not
        ("return ($s / 0) + $x;", MAY_BE_LONG),
        ("return ($s % 2) + $x;", MAY_BE_LONG),
        ("echo $s; return $s + $x;", MAY_BE_LONG),
        ("return $s + $i;", MAY_BE_LONG),
    ],
)
def test_literals_become_floats_where_nothing_else_changes(body: str, literal: int) -> None:
    source = f"function f(float $x, int $i) {{ $s = 1; {body} }}"
    assert versions(source, "s", NARROWED) == [literal]
    assert versions(source, "s", Options()) == [MAY_BE_LONG]


def test_a_neutral_literal_only_converts() -> None:
    source = "function f(float $x, int $i) { $s = 0; return ($s + $i) * $x; }"
    assert versions(source, "s", NARROWED) == [MAY_BE_DOUBLE]
