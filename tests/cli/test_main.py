"""The command line's frame: usage, unknown commands, diagnostics."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def ssa2llvm(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ssa2llvm", *args]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=ROOT, timeout=120, check=False)


def test_help_and_version_go_to_stdout() -> None:
    for flag in ("--help", "-h", "help"):
        result = ssa2llvm(flag)
        assert result.returncode == 0
        assert b"commands:" in result.stdout
    assert ssa2llvm("--version").stdout.startswith(b"ssa2llvm ")


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("frobnicate",),
        ("dump",),
        ("run", "-O9", "x.zir"),
        ("compile", "x.zir"),
        ("run", "--trace", "x.zir"),
        ("run", "--bisect", "--interpret", "ssa", "x.zir"),
    ],
)
def test_wrong_usage_is_exit_code_2(args: tuple[str, ...]) -> None:
    result = ssa2llvm(*args)
    assert result.returncode == 2
    assert b"usage:" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    "content",
    [b"\x00\x01\xfe\xff" * 50, b"", b"; zir 1\nfunction f( {", b"OPCACHE\0" + bytes(20), b"hello, world\n"],
    ids=["garbage", "empty", "bad-zir", "bad-bin", "text"],
)
@pytest.mark.parametrize("stage", ["opcodes", "ssa"])
def test_bad_input_is_one_diagnostic(tmp_path: Path, content: bytes, stage: str) -> None:
    file = tmp_path / "input"
    file.write_bytes(content)
    result = ssa2llvm("dump", str(file), "--stage", stage)
    if content in (b"", b"hello, world\n"):
        # To PHP these are programs: inline HTML.
        assert result.returncode == 0
        return
    assert result.returncode == 1
    assert result.stderr.startswith(str(file).encode())
    assert b": error: " in result.stderr
    assert b"Traceback" not in result.stderr
    assert result.stdout == b""


@pytest.mark.parametrize("args", [("passes",), ("dump", "examples/ssa.zir", "--stage", "ssa")])
def test_output_that_cannot_be_written_is_one_diagnostic(args: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ssa2llvm", *args]
    with open("/dev/full", "wb") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=120, check=False)
    assert result.returncode == 1
    assert result.stderr.decode() == "error: No space left on device\n"


def test_missing_arguments_are_named_without_the_optional_ones() -> None:
    assert b"are required: FILE\n" in ssa2llvm("run").stderr


def test_missing_file() -> None:
    result = ssa2llvm("dump", "/nonexistent/x.php", "--stage", "opcodes")
    assert result.returncode == 1
    assert result.stderr.decode().splitlines() == ["/nonexistent/x.php: error: cannot read: No such file or directory"]


def test_unknown_function_names_those_there_are() -> None:
    result = ssa2llvm("dump", "examples/ssa.zir", "--stage", "ssa", "--function", "nope")
    assert result.returncode == 1
    assert b"choose, count_to" in result.stderr


def test_standard_input() -> None:
    source = (ROOT / "examples/ssa.zir").read_bytes()
    from_file = ssa2llvm("dump", "examples/ssa.zir", "--stage", "phi")
    assert from_file.returncode == 0
    assert ssa2llvm("dump", "-", "--stage", "phi", stdin=source).stdout == from_file.stdout


def test_passes_lists_every_row() -> None:
    result = ssa2llvm("passes", "--orders")
    assert result.returncode == 0
    assert b"sccp" in result.stdout
