"""dump: each stage of the way on a program whose stages are known."""

from __future__ import annotations

import pytest

from tests.cli.test_main import ssa2llvm

EXPECTED = {
    "opcodes": ["0001 JMPZ CV0($c) 0004"],
    "cfg": ["     ; to=(BB2, BB1)", "0001 JMPZ CV0($c) BB2"],
    "dominators": ['DOMINATORS-TREE for "choose"', "     ; children=(BB1, BB2, BB3)"],
    "liveness": ["    ; out = {CV1($result)}"],
    "phi": ["    ; phi={CV1($result)}"],
    "ssa": ["     #5.CV1($result) = Phi(#3.CV1($result), #4.CV1($result))"],
    "chains": ["    #2.CV0($c) *SCC=4"],
}


@pytest.mark.parametrize("stage", EXPECTED)
def test_stage(stage: str) -> None:
    result = ssa2llvm("dump", "examples/ssa.zir", "--stage", stage, "--function", "choose")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.decode().splitlines()
    for expected in EXPECTED[stage]:
        assert expected in lines
    assert not any("count_to" in line for line in lines)


def test_zir_round_trip() -> None:
    once = ssa2llvm("dump", "examples/ssa.zir", "--stage", "opcodes", "--format", "zir").stdout
    assert once.startswith(b"; zir 1")
    assert ssa2llvm("dump", "-", "--stage", "opcodes", "--format", "zir", stdin=once).stdout == once


def test_a_jump_that_is_never_reached_may_name_a_block_that_passes_emptied() -> None:
    # Behind the return of the finally stands a jump to the loop, which goes.
    program = (
        b"<?php function f($i) { for (;;) { try { try { throw $i; } finally { return 1; } } catch (Error $e) {} } }"
    )
    for stage in ("opt", "own", "destruct"):
        result = ssa2llvm("dump", "-", "--stage", stage, stdin=program)
        assert result.returncode == 0, result.stderr
        assert b"unreachable" in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--stage opt --as-zend", "--as-zend ends at stage types"),
        ("--stage ssa --rc", "--rc goes with --as-zend"),
        ("--stage llvm --function choose", "stage llvm shows whole programs"),
        ("--stage opcodes --format zir --function choose", "format zir of opcodes shows whole programs"),
        ("--stage ssa --explain $c@1", "stage ssa has no types to explain"),
        ("--stage opcodes --format dot", "opcodes are no graph"),
        ("--stage asm --format json", "stage asm has no format json"),
        ("--stage types --stats", "no pass runs up to stage types, so --stats does not go with it"),
        ("--stage ssa --dump-after sccp", "--dump-after does not go with it"),
        ("--stage opt --dump-after nope", "pass 'nope' does not run"),
        ("--stage opt --passes nope", "nope"),
        ("--stage opt --limit -3", "'-3' is no number from 0 on"),
        ("--stage opt --zend-passes=-1", "'-1' is no set of bits"),
    ],
)
def test_no_option_is_ignored(options: str, message: str) -> None:
    result = ssa2llvm("dump", "examples/ssa.zir", *options.split())
    assert result.returncode == 2
    assert result.stdout == b""
    assert message in result.stderr.decode()


def test_variants_are_shown_with_their_function_and_counted() -> None:
    program = b"<?php function add($a, $b) { return $a + $b; } function f() {} echo add(1, 2), add(1.5, 2), f();"
    result = ssa2llvm("dump", "-", "--stage", "opt", "--function", "add", "--stats", stdin=program)
    heads = [line for line in result.stdout.decode().splitlines() if line.endswith(":") and not line.startswith("BB")]
    assert heads == ["add:", "add{long,long}:", "add{double,long}:"]
    assert "   2 variants: add{long,long}, add{double,long}" in result.stderr.decode().splitlines()
