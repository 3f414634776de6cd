"""Finds the C runtime as a static archive or shared object, and builds it when nobody has yet.

Problem: the JIT needs the runtime as a shared object of this machine, executables and libraries need it as an archive
of their target. One mechanism serves all: a copy prebuilt inside the package; else the user's cache; else the
packaged C sources are compiled with the C compiler of the target.

The cache key is a hash of everything that decides the result: sources, headers, flags, compiler and its version,
triple. A stale copy can therefore not be used, and nothing is ever updated in place: a build happens in a fresh
folder which is then renamed, so that several processes may race and any of them may be killed. Files are compiled in
parallel.

Configuration: CC names the compiler for this machine; SSA2LLVM_CACHE the cache folder (else XDG_CACHE_HOME/ssa2llvm,
else ~/.cache/ssa2llvm).
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ssa2llvm.ir.diagnostics import CompileError

__all__ = ["RUNTIME_FOLDER", "Toolchain", "build_runtime", "find_toolchain", "runtime_archive", "runtime_shared_object"]

RUNTIME_FOLDER = Path(__file__).resolve().parent.parent / "runtime"

FLAGS = (
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O2",
    "-fPIC",
    "-fno-math-errno",
    "-fno-semantic-interposition",
    "-fno-strict-aliasing",
)
"""No -ffast-math: results are PHP's to the last bit. -fno-math-errno only lets sqrt and floor be
instructions. -fno-strict-aliasing: an element is an integer, a float or a value to C as it is to generated code."""

CONTRACTION = ("-ffp-contract=off",)
"""a * b + c must not become one rounding on machines that could (AArch64)."""

LIBRARIES = ("-lm", "-pthread")
ARCHIVE_NAME = "libssa2llvm.a"
SHARED_NAME = "libssa2llvm.so"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A C compiler for one triple: the command that starts it, and its archiver."""

    triple: str
    compiler: tuple[str, ...]
    archiver: str
    version: str


def host_triple() -> str:
    """The triple of this machine, as far as the C toolchain's names need it."""
    return f"{platform.machine()}-linux-gnu"


def _same_target(triple: str) -> bool:
    parts = triple.split("-")
    return parts[0] == platform.machine() and "linux" in parts


def _candidates(triple: str) -> list[tuple[str, ...]]:
    """Compiler commands to try for a triple, best first."""
    if _same_target(triple):
        named = os.environ.get("CC")
        listed: list[tuple[str, ...]] = [tuple(named.split())] if named else []
        return [*listed, ("cc",), ("gcc",), ("clang",)]
    parts = triple.split("-")
    short = f"{parts[0]}-linux-{parts[-1]}" if "linux" in parts else triple
    return [(f"{triple}-gcc",), (f"{short}-gcc",), (f"{triple}-cc",)]


def _output(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


@cache
def find_toolchain(triple: str | None = None) -> Toolchain:
    """The C compiler of `triple` (None: this machine). CompileError if there is none; it names what was looked
    for."""
    wanted = triple or host_triple()
    candidates = _candidates(wanted)
    for command in candidates:
        if shutil.which(command[0]) is None:
            continue
        version = _output([*command, "--version"])
        if version:
            archiver = _output([*command, "-print-prog-name=ar"]) or "ar"
            return Toolchain(wanted, command, archiver, version)
    names = ", ".join(" ".join(command) for command in candidates)
    raise CompileError(f"no C compiler for {wanted} found (looked for {names}): it is needed to build the runtime")


def cache_folder() -> Path:
    """Where built runtimes are kept."""
    named = os.environ.get("SSA2LLVM_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ssa2llvm"


def _sources(folder: Path) -> tuple[list[Path], list[Path]]:
    return sorted(folder.glob("*.c")), sorted(folder.glob("*.h"))


def _key(toolchain: Toolchain, flags: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for part in (toolchain.triple, *toolchain.compiler, toolchain.version, *flags, *LIBRARIES):
        digest.update(part.encode() + b"\0")
    for group in _sources(RUNTIME_FOLDER):
        for path in group:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


def _run(command: Sequence[str | Path], what: str) -> None:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines()
        raise CompileError(f"{what} failed: {lines[0] if lines else 'no message'}")


def build_runtime(folder: Path, toolchain: Toolchain, flags: Sequence[str] = FLAGS + CONTRACTION) -> None:
    """Compiles the packaged sources into `folder`: the archive and the shared object. CompileError if that fails."""
    sources, _ = _sources(RUNTIME_FOLDER)
    objects = [folder / source.with_suffix(".o").name for source in sources]

    def compile_one(pair: tuple[Path, Path]) -> None:
        source, target = pair
        _run([*toolchain.compiler, *flags, "-c", source, "-o", target], f"compiling the runtime ({source.name})")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, zip(sources, objects, strict=True)))
    _run([toolchain.archiver, "rcs", folder / ARCHIVE_NAME, *objects], "archiving the runtime")
    _run(
        [*toolchain.compiler, "-shared", *flags, "-o", folder / SHARED_NAME, *objects, *LIBRARIES],
        "linking the runtime",
    )
    for path in objects:
        path.unlink()


def _built(triple: str | None) -> Path:
    """The folder with a runtime for `triple` that fits the packaged sources."""
    prebuilt = RUNTIME_FOLDER / "prebuilt" / (triple or host_triple())
    if (prebuilt / ARCHIVE_NAME).exists():
        return prebuilt
    toolchain = find_toolchain(triple)
    flags = FLAGS + CONTRACTION
    target = cache_folder() / f"runtime-{_key(toolchain, flags)}"
    if target.is_dir():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix="building-", dir=target.parent))
    except OSError as error:
        raise CompileError(f"cannot write to the cache folder {target.parent}: {error.strerror}") from error
    try:
        build_runtime(scratch, toolchain, flags)
        try:
            scratch.rename(target)
        except OSError:
            # Another process was first; its result is the same.
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def runtime_archive(triple: str | None = None) -> Path:
    """The runtime as a static archive for `triple` (None: this machine), to be linked with -lm -pthread.

    Link shared libraries with `-Wl,--exclude-libs,ALL`, so that two of them in one process do not share symbols.
    CompileError if it must be built and there is no C compiler.
    """
    return _built(triple) / ARCHIVE_NAME


def runtime_shared_object() -> Path:
    """The runtime as a shared object of this machine, all of api.h and builtins.h exported; for the JIT."""
    return _built(None) / SHARED_NAME
