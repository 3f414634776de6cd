"""The public names: all there, imported late, none of LLVM or the front end before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ssa2llvm


def test_every_public_name_resolves() -> None:
    assert [name for name in ssa2llvm.__all__ if not hasattr(ssa2llvm, name)] == []
    assert sorted(ssa2llvm._HOME) == sorted(ssa2llvm.__all__)


def modules_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sys.modules)"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    return set(output.splitlines()[-1].split())


def test_importing_the_package_imports_no_room() -> None:
    assert not [name for name in modules_after("import ssa2llvm") if name.startswith(("ssa2llvm.", "llvmlite"))]


def test_the_laboratory_needs_neither_llvm_nor_the_front_end() -> None:
    code = """
import io
from ssa2llvm.cli.main import main
for stage in ("opcodes", "cfg", "dominators", "liveness", "phi", "ssa", "chains", "types", "opt", "own"):
    for file in ("examples/ssa.zir", "examples/fib.zend"):
        assert main(["dump", file, "--stage", stage]) == 0
assert main(["passes"]) == 0
"""
    loaded = modules_after(code)
    assert "ssa2llvm.opt.standard" in loaded
    assert "llvmlite" not in loaded
    assert "ssa2llvm.php.lexer" not in loaded


def test_a_function_by_hand_through_the_public_names() -> None:
    b = ssa2llvm.FunctionBuilder("twice", params=["x"])
    b.ret(b.emit(ssa2llvm.Opcode.ADD, b.cv("x"), b.cv("x")))
    function = ssa2llvm.build_ssa(b.finish())
    assert ssa2llvm.verify(function) == []


def test_a_file_s_functions_and_why_one_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "library.php"
    file.write_text("<?php function twice($x) { return 2 * $x; } function rows(array $x) { return $x; }")
    library = ssa2llvm.load(file)
    assert library.path == str(file)
    assert library.functions["twice"](21) == 42
    with pytest.raises(KeyError, match=r"rows\(\) cannot be called from Python yet: takes or returns an array"):
        library.functions["rows"]
    with pytest.raises(KeyError, match=r"there is no function thrice\(\)"):
        library.functions["thrice"]
