"""Options that steer and watch the optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ssa2llvm.cli.main import main
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.opt.pass_table import Pass
from ssa2llvm.opt.standard import TABLE, register_pass
from ssa2llvm.opt.unit import Unit

CLASSIC = str(Path(__file__).parents[2] / "examples" / "classic.php")


@pytest.fixture
def broken() -> Iterator[None]:
    """A pass with a fault on purpose, right behind SCCP: subtractions become additions."""

    def run(unit: Unit) -> int:
        victims = [instr for instr in unit.function.instructions() if instr.opcode == Opcode.SUB]
        for instr in victims:
            instr.opcode = Opcode.ADD
        return len(victims)

    register_pass(Pass("broken", run, "adds where it should subtract"), after="sccp")
    yield
    TABLE.unregister("broken")


def test_bisection_names_the_broken_pass(broken: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.php"
    file.write_text("<?php function less($x) { return $x - 1; } echo less((int) (microtime(true) > 1.0));")
    assert main(["run", "--bisect", str(file)]) == 1
    told = capfd.readouterr().out
    assert "pass 'broken' on less" in told
    assert "prints b'0'" in told
    assert "prints b'2'" in told


def test_bisection_of_what_is_right(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--bisect", CLASSIC]) == 0
    assert "no step changes" in capfd.readouterr().out


def test_traces_of_constants_and_types(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", CLASSIC, "--stage", "opt", "--passes=sccp,sctp", "--trace-sccp", "--trace-sctp"]) == 0
    traced = capfd.readouterr().err
    assert "SCCP of classic\n" in traced
    assert "top -> int(12)" in traced
    assert "SCTP of classic\n" in traced
    assert traced.count("SCCP of classic\n") == 1  # the second look changes nothing
