"""Every stage up to SSA numbering and components equals what PHP's own optimizer prints: on recordings of its dumps,
and live on random programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.formats.zend_reader import read_zend_text
from ssa2llvm.ir.op_array import FnFlags, Script
from ssa2llvm.php import compile_php
from tests.ssa.random_php import random_program
from tests.ssa.stages import BITS, differences
from tests.tools import php_dump

RECORDED = Path(__file__).parent / "recorded"
"""NAME.php, and NAME.dump as PHP 8.2 printed it (tests.tools.php_dump at level 0x20)."""


def read_with_hidden_flags(dump: bytes) -> Script:
    """The dump's own opcodes. Its text does not tell that a generator yields by reference."""
    script = read_zend_text(dump, "recorded.dump")
    for op_array in script.functions:
        if op_array.name == "reference_generator":
            op_array.flags |= FnFlags.RETURNS_REFERENCE
    return script


@pytest.mark.parametrize("name", ["branches", "shapes"])
def test_recorded_dumps(name: str) -> None:
    dump = (RECORDED / f"{name}.dump").read_bytes()
    assert differences(dump, read_with_hidden_flags(dump)) == []


@pytest.mark.parametrize("name", ["branches", "shapes"])
def test_recordings_are_what_php_prints(name: str) -> None:
    dump = php_dump(RECORDED / f"{name}.php", 0x20, BITS)
    assert dump.replace(str(RECORDED).encode() + b"/", b"") == (RECORDED / f"{name}.dump").read_bytes()


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    file = tmp_path / f"random{seed}.php"
    source = random_program(seed, functions=10, size=[8, 15, 25, 40][seed % 4])
    file.write_text(source)
    dump = php_dump(file, 0x20, BITS)
    assert differences(dump, compile_php(source.encode(), str(file))) == []
