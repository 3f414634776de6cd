"""Inputs are told apart by what is in them; what cannot be read is one diagnostic."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_any, load_bytes
from ssa2llvm.ir.diagnostics import CompileError

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_by_content(tmp_path: Path) -> None:
    misnamed = tmp_path / "program.php"
    misnamed.write_bytes((EXAMPLES / "gcd.zend").read_bytes())
    assert [function.name for function in load_any(str(misnamed)).functions] == ["gcd_subtract", "gcd_remainder"]
    misnamed.write_bytes((EXAMPLES / "ssa.zir").read_bytes())
    assert [function.name for function in load_any(str(misnamed)).functions] == ["choose", "count_to"]
    misnamed.write_bytes((EXAMPLES / "gcd.php").read_bytes())
    assert [function.name for function in load_any(str(misnamed)).functions] == ["gcd_subtract", "gcd_remainder"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (EXAMPLES / "ssa.zir").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert load_any("-").functions[0].name == "choose"


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="cannot read: No such file"):
        load_any(str(tmp_path / "missing.php"))
    with pytest.raises(CompileError, match="cannot read"):
        load_any(str(tmp_path))


def test_zir_must_be_utf8() -> None:
    with pytest.raises(CompileError, match="UTF-8") as caught:
        load_bytes(b'; zir 1\nmain {\nECHO "\xff"\n', "x.zir")
    assert caught.value.line == 3


def test_laboratory_formats_need_no_php_front_end() -> None:
    program = (
        "import sys; from ssa2llvm.formats.load import load_any; "
        f"load_any({str(EXAMPLES / 'gcd.zend')!r}); load_any({str(EXAMPLES / 'ssa.zir')!r}); "
        "assert not [name for name in sys.modules if name.startswith(('ssa2llvm.php', 'tree_sitter', 'llvmlite'))]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((EXAMPLES / "gcd.zend").read_bytes()[:30], "expected the header of a function"),
        ((EXAMPLES / "gcd.zend").read_bytes()[:200], "cannot read instruction 0002"),
        (b"; zir 2\nmain {\n}\n", "the first line of zir must be '; zir 1'"),
        (b"OPCACHE", "cut short"),
        (bytes(range(256)), "neither PHP source nor"),
    ],
)
def test_what_was_cut_off_is_not_taken_for_a_page_of_text(data: bytes, message: str) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        load_bytes(data, "cut")
    assert str(caught.value).startswith("cut:")


@pytest.mark.parametrize("suffix", [".zir", ".zend", ".bin"])
@pytest.mark.parametrize("content", ["", "function f() {\n    x = bogus 1\n}\n", "<?php echo 1;"])
def test_a_file_is_what_its_name_promises(tmp_path: Path, suffix: str, content: str) -> None:
    file = tmp_path / f"program{suffix}"
    file.write_text(content)
    with pytest.raises(CompileError, match=r"a zir file starts|not a dump of|not a file of opcache"):
        load_any(str(file))
