"""Whole programs print what PHP printed (``programs/*.expected``, recorded under the reference flags), with its exit
code, and free everything they allocate."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ssa2llvm.llvm.driver import emit
from ssa2llvm.php import compile_php
from tests.llvm.harness import recorded, run_jit
from tests.tools import run_php

FAILS = {
    "arithmetic",
    "badreturn",
    "diagnostics",
    "exceptions",
    "matcherror",
    "missing",
    "toofew",
    "traces",
    "typeerror",
    "uncaught",
    "unreferenced",
}
"""Programs that end with an uncaught error."""


def expected_exit_code(path: Path) -> int:
    return 5 if path.stem == "exits" else 255 if path.stem in FAILS else 0


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("path", recorded(), ids=lambda path: path.stem)
def test_jit(path, level):
    run = run_jit(path.read_bytes(), path.name, level)
    assert run.output.decode("utf-8", "replace") == path.with_suffix(".expected").read_bytes().decode(
        "utf-8", "replace"
    )
    assert run.exit_code == expected_exit_code(path)
    assert run.leaked == 0


@pytest.mark.parametrize("path", recorded(), ids=lambda path: path.stem)
def test_recorded_output_is_php_s(path):
    result = run_php(Path(path.name), cwd=path.parent)
    printed = result.stdout.replace(os.fsencode(path.parent) + b"/", b"")  # PHP shows files by their full paths
    assert printed == path.with_suffix(".expected").read_bytes()
    assert result.returncode == expected_exit_code(path)


@pytest.mark.parametrize("stem", ["arrays", "uncaught", "exits"])
def test_executable(tmp_path, stem):
    path = next(entry for entry in recorded() if entry.stem == stem)
    emit(compile_php(path.read_bytes(), path.name), str(tmp_path / "program"), 2)
    result = subprocess.run([tmp_path / "program"], capture_output=True, env={"S2L_CHECK_LEAKS": "1"}, check=False)
    assert result.stdout == path.with_suffix(".expected").read_bytes()
    assert result.stderr == b""
    assert result.returncode == expected_exit_code(path)


def test_arguments(tmp_path):
    source = b"<?php echo $argc, ' ', implode('|', $argv), ' ', count($argv);"
    assert run_jit(source, "args.php").output == b"1 args.php 1"
    emit(compile_php(source, "args.php"), str(tmp_path / "program"), 2)
    result = subprocess.run([tmp_path / "program", "a", "b c"], capture_output=True, check=True)
    assert result.stdout == f"3 {tmp_path}/program|a|b c 3".encode()


def test_callbacks_by_name():
    source = (
        b"<?php function twice($n) { return $n * 2; } function down($a, $b) { return $b <=> $a; }"
        b"$c = [1, 3, 2]; usort($c, 'down'); echo implode(',', array_map('twice', $c));"
    )
    run = run_jit(source)
    assert (run.output, run.leaked) == (b"6,4,2", 0)


def test_a_million_frames_deep():
    source = b"<?php function d(int $n): int { return $n === 0 ? 0 : 1 + d($n - 1); } echo d(1000000);"
    assert run_jit(source, level=1).output == b"1000000"


def test_endless_recursion_is_one_fatal_error():
    script = (
        "import sys; from tests.llvm.harness import run_jit\n"
        "run = run_jit(b'<?php function d($n) { return d($n + 1) + 1; } echo d(0);', level=0)\n"
        "sys.stdout.buffer.write(run.output); sys.exit(run.exit_code)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert result.returncode == 255
    assert result.stdout.count(b"Fatal error: ") == 1


@pytest.mark.parametrize("source", [b"<?php", b"no php at all", b"<?php function unused($x) { return $x; }"])
def test_programs_that_do_nothing(source):
    run = run_jit(source)
    assert (run.exit_code, run.leaked) == (0, 0)
    assert run.output == (b"" if source.startswith(b"<?php") else source)
