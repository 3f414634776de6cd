"""The audit command: what it prints, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.cli.main import main

_WRONG_IN_ZEND = "<?php function f(?bool $x) { if ($x < -3) { return ~(int) $x; } return 0; } echo f(null);"


def test_zend_facts_are_found_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.php"
    file.write_text(_WRONG_IN_ZEND)
    assert main(["audit", str(file)]) == 1
    out = capsys.readouterr().out
    assert "wrong.php:1: in f: " in out
    assert "(by CAST) was int(0), but is inferred to be [long] RANGE[MIN..-4]: is out of range" in out


def test_sound_facts_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "right.php"
    file.write_text(_WRONG_IN_ZEND)
    assert main(["audit", "--sound", str(file)]) == 0
    assert capsys.readouterr().out.endswith(" values checked against our facts, 0 outside\n")


def test_random_campaign_is_named_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--random", "1", "--seed", "65"]) == 1
    assert "random-65.php" in capsys.readouterr().out


def test_nothing_to_do_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit"]) == 2
    assert main(["audit", "--references", "x.php"]) == 2
    messages = capsys.readouterr().err
    assert "nothing to audit" in messages
    assert "--references goes with --random" in messages
