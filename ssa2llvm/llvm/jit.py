"""Runs a program in this process: LLJIT with the runtime's shared object.

The code model is small and position-independent: LLJIT then compiles call-heavy code several times faster than with
the large model that ``jit=True`` would choose (perf reference). Runtime functions are bound by address, so the
process's own symbols never get in the way.
"""

from __future__ import annotations

import ctypes
import itertools
from functools import cache

import llvmlite.binding as llvm

from ssa2llvm.llvm.runtime_api import runtime_prototypes
from ssa2llvm.llvm.runtime_build import runtime_shared_object

__all__ = ["LoadedCode", "runtime_library"]

_numbers = itertools.count()


@cache
def runtime_library() -> ctypes.CDLL:
    """The C runtime, loaded into this process."""
    return ctypes.CDLL(str(runtime_shared_object()))


class LoadedCode:
    """A module's machine code in this process; it lives as long as this object."""

    def __init__(self, module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
        # On AArch64 the older linker asserts that sections are near each other; LLVM itself takes JITLink there.
        jit_link = machine.triple.startswith(("aarch64", "arm64"))
        self._jit = llvm.create_lljit_compiler(machine, use_jit_link=jit_link, suppress_errors=False)
        builder = llvm.JITLibraryBuilder()
        library = runtime_library()
        builder.add_object_img(machine.emit_object(module))
        for name in [function.name for function in module.functions if function.is_declaration]:
            if name in runtime_prototypes():
                builder.import_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)
        builder.add_current_process()
        self._builder = builder
        self._tracker: llvm.ResourceTracker | None = None

    def link(self, exported: list[str]) -> None:
        """Link, making the addresses of ``exported`` symbols available. To be called once."""
        for name in exported:
            self._builder.export_symbol(name)
        self._tracker = self._builder.link(self._jit, f"ssa2llvm.{next(_numbers)}")

    def address(self, symbol: str) -> int:
        """The address of an exported symbol."""
        assert self._tracker is not None
        address = self._tracker[symbol]
        assert isinstance(address, int)
        return address
