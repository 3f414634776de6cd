"""What inference is for: the code that comes out has no check that the facts make needless."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ssa2llvm.cli.main import main

_PROGRAM = """<?php
function sum($n, $m) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $i & $m; } return $s; }
echo sum($argc + 999, 1023), sum(7, $argc);
"""


def _function(text: str, name: str) -> str:
    found = re.search(rf'^define [^\n]*@"php.{name}"\(.*?^\}}', text, flags=re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[0]


def test_loop_counter_is_unchecked_and_the_sum_is_not(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "sum.php"
    file.write_text(_PROGRAM.replace("$argc + 999", "(int) $argv[1] & 65535").replace("$argc)", "(int) $argv[1])"))
    assert main(["dump", str(file), "--stage", "llvm"]) == 0
    code = _function(capsysbinary.readouterr().out.decode(), "sum")
    head = code.splitlines()[0]
    assert "i64 %a0.0, i64 %a1.0" in head  # untyped parameters whose callers all pass integers
    assert head.startswith("define internal { i64, i1 }")  # the sum may become a float
    assert len(re.findall(r"call [^\n]*number\.add|with\.overflow", code)) == 1
    assert len(re.findall(r"add nsw i64 %\w+, 1\b", code)) == 1


_SEVERAL_TYPES = """<?php
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function ack($m, $n) { return $m === 0 ? $n + 1 : ($n === 0 ? ack($m - 1, 1) : ack($m - 1, ack($m, $n - 1))); }
$name = $argv[1];
echo fib(40), fib($argv[2]), ack(3, 9), $name('x', 1);
"""


def test_functions_called_with_other_types_too_run_on_integers(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Even by value: the variants for integers have them in registers, and call themselves."""
    file = tmp_path / "types.php"
    file.write_text(_SEVERAL_TYPES)
    assert main(["dump", str(file), "--stage", "llvm"]) == 0
    text = capsysbinary.readouterr().out.decode()
    fib, ack = _function(text, re.escape("fib{long}")), _function(text, re.escape("ack{long,long}"))
    assert re.match(r"define internal \{ i64, i1 \} [^(]*\(ptr %context, i64 %a0\.0\)", fib)
    assert "(ptr %context, i64 %a0.0, i64 %a1.0)" in ack.splitlines()[0]
    assert fib.count('@"php.fib{long}"(') == 3  # its definition and both calls
    assert not re.search(r"call [^\n]*@php\.ack\(", ack)  # no call of the original but through a dispatcher,
    dispatchers = set(re.findall(r'@"php\.(ack\{[^"]*\}\?)"\(', ack))
    assert dispatchers
    for name in dispatchers:
        assert " alwaysinline" in _function(text, re.escape(name)).splitlines()[0]  # which is no call in the end


def test_a_static_that_holds_integers_is_one(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """The cell is known to hold ints: no tag is looked at, nothing is dropped, and the sum cannot overflow."""
    file = tmp_path / "static.php"
    file.write_text(
        "<?php function next_id() { static $n = 0; $n = ($n + 1) & 1023; return $n; }"
        "for ($i = 0; $i < $argc; $i++) { echo next_id(); }"
    )
    assert main(["dump", str(file), "--stage", "llvm"]) == 0
    code = _function(capsysbinary.readouterr().out.decode(), "next_id")
    assert code.splitlines()[0].startswith("define internal i64 ")
    assert len(re.findall(r"add nsw i64 %\w+, 1\b", code)) == 1
    assert "number.add" not in code
    assert len(re.findall(r"call void @s2l\.drop\.value", code)) == 2  # what is bound, and the end of the variable
