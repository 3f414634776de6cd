"""The command: verdicts, exit codes, going on where a run stopped, and what happens when PHP does not play along."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest

from ssa2llvm.cli.main import main
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.report.conform_compare import Verdict, expected_functions, first_difference
from ssa2llvm.report.conform_corpus import extract, fetch_corpus, program_of
from ssa2llvm.report.conform_oracle import LEVELS, Oracle, read_answer
from ssa2llvm.report.conform_run import Job, compare_file, recording_of, run, table
from ssa2llvm.report.conform_stages import USUAL, levels_of, without_facts
from tests.tools import need_tool

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture
def loops(tmp_path: Path) -> Path:
    """A copy of a recorded program that a test may damage."""
    shutil.copy(PROGRAMS / "loops.php", tmp_path)
    shutil.copytree(PROGRAMS / "loops.recorded", tmp_path / "loops.recorded")
    return tmp_path / "loops.php"


def test_equal_stages_exit_with_0(loops: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--recorded", str(loops), "--stages", "cfg,dominators", "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:5] == ["0x20", "bin", "cfg", "4", "4"] for line in lines)


def test_a_difference_exits_with_1_and_shows_both_sides(
    loops: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = recording_of(loops) / "20.dump"
    text = dump.read_bytes()
    at = text.index(b"(dfa cfg)", text.index(b"\njumps:"))
    dump.write_bytes(text[:at] + text[at:].replace(b"to=(BB", b"to=(BB9", 1))
    out = tmp_path / "out.json"
    arguments = ["conform", "--recorded", str(loops), "--stages", "cfg", "--levels", "0x20", "--jobs", "1"]
    assert main([*arguments, "--json", str(out)]) == 1
    shown = capsys.readouterr().out
    assert "jumps, level 0x20 from bin" in shown
    assert "ours:      ; to=(BB2, BB1)" in shown
    assert "php:       ; to=(BB92, BB1)" in shown
    data = json.loads(out.read_text())
    worse = [d for file in data["files"] for d in file["differences"] if d["verdict"] == "worse"]
    assert {(d["function"], d["stage"], d["input"]) for d in worse} == {
        ("jumps", "cfg", "bin"), ("jumps", "cfg", "text"), ("jumps", "cfg", "source"),
    }  # fmt: skip


def test_a_damaged_recording_is_worse_not_a_crash(loops: Path) -> None:
    image = recording_of(loops) / "20.bin"
    image.write_bytes(image.read_bytes()[:500])
    dump = recording_of(loops) / "30.dump"
    dump.write_bytes(dump.read_bytes()[:3000])
    result = compare_file(loops, Job("", None, USUAL, recorded=True))
    assert any("damaged" in difference.ours for difference in result.differences)
    assert any(difference.level == "30" for difference in result.differences)


def fake_php(folder: Path, body: str) -> str:
    """A program that claims to be PHP 8.2 and then does as ``body`` says."""
    script = folder / "php"
    script.write_text(f"#!/bin/sh\ncase \"$*\" in *PHP_VERSION*) printf '8.2.0 1'; exit 0;; esac\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("kill -SEGV $$", "PHP was killed by signal 11"),
        ("exit 255", "PHP does not compile it"),
    ],
)
def test_a_php_that_fails_is_a_problem_of_one_file(tmp_path: Path, loops: Path, body: str, problem: str) -> None:
    result = compare_file(loops, Job(fake_php(tmp_path, body), None, USUAL))
    assert (result.problem, result.differences) == (problem, [])


def test_no_php_is_one_diagnostic(tmp_path: Path, loops: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", str(loops), "--php", str(tmp_path / "nophp")]) == 1
    assert "cannot find" in capsys.readouterr().err
    with pytest.raises(CompileError, match=r"not PHP 8\.2"):
        Oracle("/bin/echo")


def test_usage(loops: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform"]) == 2
    assert main(["conform", "--recorded", str(loops), "--stages", "cfg,magic"]) == 2
    assert main(["conform", "--recorded", str(loops / "missing")]) == 1
    messages = capsys.readouterr().err
    assert "no PHP files to compare" in messages
    assert "no stage is called 'magic'" in messages
    assert "no such file or folder" in messages


def test_a_run_goes_on_where_it_stopped(loops: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = Job("", None, ("cfg",), recorded=True)
    journal = tmp_path / "journal.jsonl"
    first = run([loops], job, 1, journal)
    journal.write_text(journal.read_text() + '["cut sho')
    for name in ("20.dump", "30.dump"):
        (recording_of(loops) / name).unlink()
    again = run([loops], job, 1, journal)
    assert again.counts() == first.counts()
    assert again.counts()["20", "bin", "cfg", "equal"] == 4
    assert table(again) == table(first)
    assert run([loops], job, 1, None).results[0].problem == "not recorded"


def test_answers_of_php_are_kept(tmp_path: Path) -> None:
    source = tmp_path / "f.php"
    source.write_text("<?php echo 1;")
    oracle = Oracle(need_tool("php"), tmp_path / "cache")
    answer = oracle.ask(source, LEVELS["20"])
    assert b"ECHO int(1)" in answer.dump
    assert answer.image.startswith(b"OPCACHE\0")
    folder = next((tmp_path / "cache").rglob("20.dump")).parent
    assert read_answer(folder, LEVELS["20"]) == answer
    (folder / "20.dump").write_bytes(b"kept")
    assert oracle.ask(source, LEVELS["20"]).dump == b"kept"


def test_functions_are_paired_with_their_stages() -> None:
    answer = read_answer(PROGRAMS / "effects.recorded", LEVELS["20"])
    assert answer is not None
    functions = {function.name: set(function.texts) for function in expected_functions(answer.dump, LEVELS["20"])}
    assert functions[b"Lab\\Effects\\guarded"] == {"opcodes"}
    assert functions[b"Lab\\Effects\\shared"] == set(USUAL)


def test_levels_follow_the_stages() -> None:
    assert levels_of(USUAL) == ("20", "30")
    assert levels_of(("sccp",)) == ("a0",)
    assert levels_of(("cfg", "dce")) == ("20", "30", "2020")


def test_facts_are_left_out_of_chains() -> None:
    lines = [
        b"    #0.CV0($x) NOVAL [undef, ref, any] *SCC=3",
        b"    #12.X7 NOESC [packed array [long] of [long]] RANGE[0..9]  SCC=11",
        b"    #3.CV1($a b) NOVAL [long]",
    ]
    assert without_facts(b"\n".join(lines)).split(b"\n") == [
        b"    #0.CV0($x) NOVAL *SCC=3",
        b"    #12.X7  SCC=11",
        b"    #3.CV1($a b) NOVAL",
    ]


def test_the_first_difference() -> None:
    assert first_difference(b"a\nb\nc", b"a\nx\nc") == (2, "b", "x")
    assert first_difference(b"a", b"a\nb") == (2, "(end)", "b")


def test_programs_are_cut_out_of_tests(tmp_path: Path) -> None:
    folder = tmp_path / "src" / "Zend" / "tests"
    folder.mkdir(parents=True)
    (folder / "one.phpt").write_bytes(b"--TEST--\nx\n--FILE--\n<?php echo 1;\n--EXPECT--\n1\n")
    (folder / "two.phpt").write_bytes(b"--TEST--\nx\n--FILE_EXTERNAL--\nexternal.inc\n--EXPECT--\n")
    (folder / "external.inc").write_bytes(b"<?php echo 2;")
    (folder / "none.phpt").write_bytes(b"--TEST--\nx\n--EXPECT--\n")
    assert program_of(b"--FILEEOF--\n<?php echo 3;", folder) == b"<?php echo 3;"
    assert extract(tmp_path / "src", tmp_path / "out") == 2
    assert (tmp_path / "out" / "Zend" / "tests" / "one.php").read_bytes() == b"<?php echo 1;\n"
    assert (tmp_path / "out" / "Zend" / "tests" / "two.php").read_bytes() == b"<?php echo 2;"


def test_without_network_the_corpus_is_one_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    apt = tmp_path / "bin" / "apt-get"
    apt.parent.mkdir()
    apt.write_text("#!/bin/sh\necho 'E: Could not resolve host' >&2\nexit 100\n")
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", f"{apt.parent}:/bin:/usr/bin")
    with pytest.raises(CompileError, match=r"is there a network.*Could not resolve host"):
        fetch_corpus()


def test_verdicts_have_a_column_each() -> None:
    assert [verdict.value for verdict in Verdict] == [
        "equal", "better", "zend wrong", "hidden", "unsupported", "worse",
    ]  # fmt: skip
