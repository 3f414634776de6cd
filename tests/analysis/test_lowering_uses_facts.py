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
