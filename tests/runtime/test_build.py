"""Building the runtime: the cache, races, and what is said when it cannot be built."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llvm import runtime_build
from tests.tools import need_tool


@pytest.fixture(autouse=True)
def _forget_toolchains() -> None:
    runtime_build.find_toolchain.cache_clear()


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder, and a runtime of one small source instead of the real one."""
    need_tool("cc")
    source = tmp_path / "runtime"
    source.mkdir()
    (source / "small.c").write_text("int s2l_small(void) { return 5; }\n")
    monkeypatch.setattr(runtime_build, "RUNTIME_FOLDER", source)
    monkeypatch.setenv("SSA2LLVM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_racing_builds_give_one_result(small: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = set(pool.map(lambda _: runtime_build.runtime_archive(), range(4)))
    assert len(made) == 1
    assert made.pop().exists()
    assert [path.name.split("-")[0] for path in small.iterdir()] == ["runtime"]


def test_second_use_builds_nothing(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = runtime_build.runtime_shared_object().stat()
    monkeypatch.setattr(runtime_build, "build_runtime", None)
    assert runtime_build.runtime_shared_object().stat() == before


def test_the_key_depends_on_flags_and_compiler() -> None:
    toolchain = runtime_build.Toolchain("x", ("cc",), "ar", "cc 1")
    other = runtime_build.Toolchain("x", ("cc",), "ar", "cc 2")
    keys = {runtime_build._key(toolchain, []), runtime_build._key(toolchain, ["-g"]), runtime_build._key(other, [])}
    assert len(keys) == 3


def test_no_compiler_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSA2LLVM_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(CompileError, match=r"no C compiler for \S+ found \(looked for cc, gcc, clang\)"):
        runtime_build.runtime_archive()


def test_unknown_target_is_one_clear_error() -> None:
    with pytest.raises(CompileError, match="no C compiler for vax-unknown-ultrix found"):
        runtime_build.runtime_archive("vax-unknown-ultrix")


def test_unwritable_cache_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_tool("cc")
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("SSA2LLVM_CACHE", str(blocked / "cache"))
    with pytest.raises(CompileError, match="cannot write to the cache folder"):
        runtime_build.runtime_archive()


def test_a_failing_compiler_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "broken"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && echo broken 1 || { echo "no such luck" >&2; exit 1; }\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("SSA2LLVM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CC", str(compiler))
    with pytest.raises(CompileError, match=r"compiling the runtime \(\w+\.c\) failed: no such luck"):
        runtime_build.runtime_archive()
    assert list((tmp_path / "cache").iterdir()) == []


def test_cross_archive_is_for_the_other_machine() -> None:
    need_tool("aarch64-gcc")
    archive = runtime_build.runtime_archive("aarch64-linux-gnu")
    listing = subprocess.run(["ar", "p", archive, "arith.o"], capture_output=True, check=True).stdout
    assert listing[:4] == b"\x7fELF"
    assert listing[18:20] == (183).to_bytes(2, "little"), "EM_AARCH64"
