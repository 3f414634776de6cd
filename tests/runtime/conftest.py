"""The runtime under test, built once: plain and for AArch64 from the cache; with sanitizers, every warning an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.llvm.runtime_build import ARCHIVE_NAME, build_runtime, find_toolchain, runtime_archive
from tests.runtime.build import SANITIZERS, WARNINGS, link_driver
from tests.tools import need_tool


@pytest.fixture(scope="session")
def sanitized_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need_tool("cc")
    folder = tmp_path_factory.mktemp("sanitized")
    build_runtime(folder, find_toolchain(), (*WARNINGS, *SANITIZERS, "-fno-strict-aliasing", "-fPIC"))
    return folder / ARCHIVE_NAME


@pytest.fixture(scope="session")
def link(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest):
    """link(driver, kind): the command that runs a driver of kind `plain`, `sanitized` or `aarch64`."""
    folder = tmp_path_factory.mktemp("drivers")

    def run(driver: str, kind: str = "plain") -> list[str]:
        target = folder / f"{driver}-{kind}"
        if kind == "aarch64":
            compiler = need_tool("aarch64-gcc")
            emulator = need_tool("qemu-aarch64")
            return [emulator, link_driver(compiler, runtime_archive("aarch64-linux-gnu"), target, driver, "-static")]
        if kind == "sanitized":
            archive = request.getfixturevalue("sanitized_archive")
            return [link_driver(need_tool("cc"), archive, target, driver, *SANITIZERS)]
        return [link_driver(need_tool("cc"), runtime_archive(), target, driver)]

    made: dict[tuple[str, str], list[str]] = {}

    def once(driver: str, kind: str = "plain") -> list[str]:
        if (driver, kind) not in made:
            made[driver, kind] = run(driver, kind)
        return made[driver, kind]

    return once
