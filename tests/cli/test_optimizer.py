"""Options that steer and watch the optimizer."""

from __future__ import annotations

import contextlib
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


WEEKDAY = str(Path(__file__).parents[2] / "examples" / "weekday.php")
COPIES = b"""<?php
function choose($kind, $n) { if ($n > 0) { return $kind; } return $n; }
echo choose(1, 2), choose('a', 3), choose(2.5, -1), "\\n";
"""


@pytest.mark.parametrize("option", ["--passes=sccp,dce", "--zend-passes=0xa0", "--limit=2", "--verify-each", "-O3"])
def test_run_takes_the_choice_of_passes(option: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", option, CLASSIC]) == 0
    plain = capfd.readouterr().out
    assert main(["run", "-O0", CLASSIC]) == 0
    assert plain == capfd.readouterr().out != ""


def test_run_and_compile_tell_what_passes_did(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--passes=sccp,dce", "--stats", "--time-passes", "--dump-after=dce", CLASSIC]) == 0
    told = capfd.readouterr().err
    assert next(line.split()[:2] for line in told.splitlines() if line.endswith("changes")) == ["1", "sccp"]
    assert "after dce" in told
    assert " ms " in told
    assert main(["compile", "--passes=sctp", "--trace-sctp", WEEKDAY, "-o", str(tmp_path / "weekday")]) == 0
    assert "SCTP of weekday" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["run", "--passes=dce,sccp", CLASSIC], "pass 'sccp' must come before 'dce'"),
        (["compile", "--passes=nonsense", CLASSIC, "-o", "nowhere/at/all"], "nonsense"),
        (["run", "--interpret", "ssa", "--stats", CLASSIC], "--stats does not go with it"),
    ],
)
def test_wrong_wishes_are_wrong_usage(arguments: list[str], complaint: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) if "--interpret" in arguments else contextlib.nullcontext() as stopped:
        code = main(arguments)
    assert (stopped.value.code if stopped is not None else code) == 2
    assert complaint in capfd.readouterr().err


def test_a_copy_of_a_function_can_be_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.php"
    file.write_bytes(COPIES)
    dump = ["dump", str(file), "--stage", "opt", "--function"]
    assert main([*dump, "choose{double,long}"]) == 0
    shown = capfd.readouterr().out
    assert "choose{double,long}:" in shown
    assert "choose{long,long}:" not in shown
    assert main([*dump, "choose{array,long}"]) == 2
    assert "choose{string,long}" in capfd.readouterr().err
    assert main(["dump", str(file), "--stage", "ssa", "--function", "choose{double,long}"]) == 2


def test_explanations_say_of_which_copy_they_are(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.php"
    file.write_bytes(COPIES)
    assert main(["dump", str(file), "--stage", "opt", "--explain", "$kind@2", "--function", "choose"]) == 0
    told = capfd.readouterr().out.splitlines()
    at = told.index("choose{double,long}:")
    assert "[double]" in told[at + 1]


def test_a_name_is_explained_by_its_number(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.php"
    file.write_bytes(b"<?php function f($n) { $x = 1; if ($n) { $x = 'a'; } return $x; } f(true); f(0);")
    assert main(["dump", str(file), "--stage", "types", "--function", "f"]) == 0
    phi = next(line for line in capfd.readouterr().out.splitlines() if "($x)" in line and "= Phi" in line)
    number = phi.split(".")[0].strip()
    assert main(["dump", str(file), "--stage", "types", "--function", "f", "--explain", number]) == 0
    told = capfd.readouterr().out
    assert "[long, string]" in told.splitlines()[0]
    assert "ASSIGN of b'a'" in told
    assert main(["dump", str(file), "--stage", "types", "--function", "f", "--explain", "#999"]) == 1
