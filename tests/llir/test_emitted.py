"""construct and destruct on modules that this compiler emits: LLVM accepts them, and the programs print the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_any
from ssa2llvm.llvm.driver import emit
from ssa2llvm.llvm.runtime_build import runtime_archive
from tests.llir.test_rewriting import WAYS, count, opt_verifies
from tests.tools import need_tool

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", ["collatz", "fib", "gcd"])
def test_emitted_modules_print_the_same(name, level, tmp_path):
    emitted = tmp_path / "emitted.ll"
    emit(load_any(str(EXAMPLES / f"{name}.php")), str(emitted), level)
    original = emitted.read_text()
    wanted = (EXAMPLES / f"{name}.out").read_bytes()
    for way, change in WAYS.items():
        text = change(original)
        opt_verifies(text)
        if way.endswith("destruct"):
            assert count(text, "phi") == 0
        module, program = tmp_path / "changed.ll", tmp_path / "program"
        module.write_text(text)
        objects = [str(module), str(runtime_archive()), "-lm", "-lpthread"]
        command = [need_tool("clang"), "-O0", "-Wno-override-module", *objects, "-o", str(program)]
        subprocess.run(command, check=True, capture_output=True)
        done = subprocess.run([str(program)], capture_output=True, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (0, wanted), way
