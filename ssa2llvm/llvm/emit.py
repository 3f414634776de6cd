"""Writes compiled programs to files: the output's suffix decides what is made.

    none, .exe   executable                          .o .a .so    library, with a C header beside it (exports, header;
    .ll .bc      LLVM IR after optimization          .s           assembly       beside a .so another for PHP's FFI)

A file appears whole or not at all: everything is made under temporary names in the output's folder and renamed last,
the header before the library. A missing linker, an output that cannot be written and an unknown target are each one
CompileError.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import llvmlite.binding as llvm

from ssa2llvm.ir.diagnostics import CompileError, UsageError
from ssa2llvm.llvm.runtime_build import LIBRARIES, Toolchain, find_toolchain, runtime_archive

__all__ = ["EXECUTABLE", "LIBRARY_SUFFIXES", "SUFFIXES", "check_output", "write_outputs"]

EXECUTABLE = ""
LIBRARY_SUFFIXES = frozenset({".so", ".o", ".a"})
SUFFIXES = (EXECUTABLE, ".exe", ".so", ".o", ".a", ".ll", ".bc", ".s")


def check_output(path: Path) -> str:
    """The suffix of ``path`` that decides what to make. Raises UsageError for one that we do not know, and
    CompileError for a path that cannot be written, before any work is done."""
    suffix = path.suffix
    if suffix not in SUFFIXES:
        known = ", ".join(name for name in SUFFIXES if name)
        raise UsageError(
            f"cannot make a '{suffix}' file; known are {known}, and no suffix for an executable", str(path)
        )
    folder = path.parent
    if not folder.is_dir():
        raise CompileError(f"cannot write: there is no folder {folder}", str(path))
    if path.is_dir():
        raise CompileError("cannot write: it is a folder", str(path))
    if path.exists() and not path.is_file():
        raise CompileError("cannot write: it is not a regular file", str(path))
    if not os.access(folder, os.W_OK):
        raise CompileError(f"cannot write: no permission in {folder}", str(path))
    return suffix


def write_outputs(
    path: Path, module: llvm.ModuleRef, machine: llvm.TargetMachine, triple: str | None, beside: dict[str, str]
) -> None:
    """Write what ``path`` asks for, and the texts ``beside`` it, by suffix. The module is verified and optimised."""
    makers: dict[str, Callable[[Path, Path], None]] = {
        ".ll": lambda out, _: _write(out, str(module).encode()),
        ".bc": lambda out, _: _write(out, _bitcode(module)),
        ".s": lambda out, _: _write(out, str(machine.emit_assembly(module)).encode()),
        ".o": lambda out, scratch: _relocatable(out, scratch, machine.emit_object(module), triple),
        ".a": lambda out, scratch: _archive(out, scratch, machine.emit_object(module), triple),
        ".so": lambda out, scratch: _link(out, scratch, machine.emit_object(module), triple, shared=True),
    }

    def executable(out: Path, scratch: Path) -> None:
        _link(out, scratch, machine.emit_object(module), triple, shared=False)

    make = makers.get(path.suffix, executable)
    try:
        scratch = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    except OSError as error:
        raise CompileError(f"cannot write: {error.strerror}", str(path)) from error
    try:
        result = scratch / f"result{path.suffix}"
        make(result, scratch)
        for suffix, text in beside.items():
            _write(scratch / "beside", text.encode("utf-8", "surrogateescape"))
            (scratch / "beside").rename(path.with_suffix(suffix))
        result.rename(path)
    except OSError as error:
        raise CompileError(f"cannot write: {error.strerror}", str(path)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _bitcode(module: llvm.ModuleRef) -> bytes:
    data = module.as_bitcode()
    assert isinstance(data, bytes)
    return data


def _run(command: list[str], what: str) -> None:
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompileError(f"{what} failed: {command[0]}: {error.strerror}") from error
    if result.returncode != 0:
        lines = (result.stderr or result.stdout).strip().splitlines() or ["no message"]
        raise CompileError(f"{what} failed: {lines[0]}")


def _compiler(triple: str | None) -> Toolchain:
    return find_toolchain(triple)


def _object(scratch: Path, code: bytes) -> str:
    path = scratch / "program.o"
    _write(path, code)
    return str(path)


def _link(out: Path, scratch: Path, code: bytes, triple: str | None, shared: bool) -> None:
    """An executable or shared object. The runtime's symbols stay inside a shared object, so that two in one process
    do not share them."""
    kind = ["-shared", "-Wl,--exclude-libs,ALL", "-Wl,-z,defs"] if shared else []
    objects = [_object(scratch, code), str(runtime_archive(triple))]
    _run([*_compiler(triple).compiler, *kind, "-o", str(out), *objects, *LIBRARIES], "linking")


def _relocatable(out: Path, scratch: Path, code: bytes, triple: str | None) -> None:
    """One object that holds program and runtime, to be linked with -lm -pthread."""
    whole = ["-Wl,--whole-archive", str(runtime_archive(triple)), "-Wl,--no-whole-archive"]
    _run([*_compiler(triple).compiler, "-nostdlib", "-r", "-o", str(out), _object(scratch, code), *whole], "linking")


def _archive(out: Path, scratch: Path, code: bytes, triple: str | None) -> None:
    """An archive of the relocatable object."""
    relocatable = scratch / "relocatable.o"
    _relocatable(relocatable, scratch, code, triple)
    _run([_compiler(triple).archiver, "rcs", str(out), str(relocatable)], "archiving")
