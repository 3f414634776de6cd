"""Every example says in its comments what is expected of it; every invalid one, why it is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llir.construct import construct
from ssa2llvm.llir.destruct import destruct
from ssa2llvm.llir.dom import describe_dominance
from ssa2llvm.llir.oracle import check_with_llvm
from ssa2llvm.llir.reader import read_module
from ssa2llvm.llir.verify import verify_module
from tests.tools import need_tool

EXAMPLES = Path(__file__).parents[2] / "ll_examples"
VALID = sorted(EXAMPLES.glob("*.ll"))
INVALID = sorted((EXAMPLES / "invalid").glob("*.ll"))


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


@pytest.mark.parametrize("path", VALID, ids=names(VALID))
def test_example_says_what_happens_to_it(path):
    text = path.read_text()
    module = read_module(text, str(path))
    assert verify_module(module).errors == []
    check_with_llvm(text, str(path))
    lines = {
        "dom": [line.strip() for line in describe_dominance(module)],
        "construct": construct(module)[1],
        "destruct": destruct(module)[1],
    }
    expected = re.findall(r"^; expect (\w+): (.*)$", text, re.MULTILINE)
    assert expected, "an example must say what is expected of it"
    for action, line in expected:
        assert line in lines[action]


@pytest.mark.parametrize("path", INVALID, ids=names(INVALID))
def test_invalid_module_is_refused_with_its_reason(path):
    text = path.read_text()
    expected = re.findall(r"^; expect-error: (\d+): (.*)$", text, re.MULTILINE)
    assert expected
    errors = verify_module(read_module(text, str(path))).errors
    assert [(str(error.line), error.message) for error in errors] == expected
    for error in errors:
        assert str(error).startswith(f"{path}:{error.line}:{error.column}: error: ")


@pytest.mark.parametrize("path", INVALID, ids=names(INVALID))
def test_llvm_refuses_it_too(path):
    with pytest.raises(CompileError, match="LLVM: "):
        check_with_llvm(path.read_text(), str(path))
    opt = need_tool("opt")
    done = subprocess.run([opt, "-passes=verify", "-disable-output", path], capture_output=True, check=False)
    assert done.returncode != 0


def test_every_shape_of_the_literature_is_there():
    assert set(names(VALID)) >= {
        "ssa", "self-loop", "swap", "lost-copy", "cycle-with-tails", "two-cycles", "critical-edge", "switch",
        "irreducible", "nested-loops", "undef", "phi-of-phis", "phi-scc", "escape",
    }  # fmt: skip
    drivers = EXAMPLES.parent / "c_drivers"
    for name in names(VALID):
        assert (drivers / f"{name}-main.c").exists(), f"{name} has no C driver"
