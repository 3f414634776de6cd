"""Debug information: functions and lines of the PHP source for debuggers and profilers.

llvmlite has no DIBuilder, so the metadata is written as text like everything else: one compile unit, one DISubprogram
a function, one DILocation for each line of it that has code. Equal locations share a node. Node numbers start behind
those that the prelude uses. Without ``-g`` the null object writes nothing.
"""

from __future__ import annotations

import os

from ssa2llvm.ir.op_array import OpArray
from ssa2llvm.llvm.seam import byte_string

__all__ = ["DebugInfo", "NoDebugInfo"]

_FIRST_NODE = 20


def _string(text: str) -> str:
    return byte_string(text.encode("utf-8", "surrogateescape"))


class NoDebugInfo:
    """Writes nothing."""

    def attach(self, op_array: OpArray) -> str:
        """What follows a function's header."""
        return ""

    def location(self, op_array: OpArray, line: int) -> str:
        """What follows each instruction."""
        return ""

    def text(self) -> str:
        """The module's metadata."""
        return ""


class DebugInfo(NoDebugInfo):
    """Collects the nodes of one module."""

    def __init__(self, filename: str) -> None:
        folder, name = os.path.split(os.path.abspath(filename))
        self._nodes = [
            f'distinct !DICompileUnit(language: DW_LANG_C11, file: !{_FIRST_NODE + 1}, producer: "ssa2llvm", '
            "isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)",
            f"!DIFile(filename: {_string(name)}, directory: {_string(folder)})",
            "!DISubroutineType(types: !{null})",
            '!{i32 2, !"Debug Info Version", i32 3}',
            '!{i32 7, !"Dwarf Version", i32 4}',
        ]
        self._functions: dict[int, int] = {}
        self._locations: dict[tuple[int, int], str] = {}

    def _add(self, node: str) -> int:
        self._nodes.append(node)
        return _FIRST_NODE + len(self._nodes) - 1

    def _function(self, op_array: OpArray) -> int:
        if id(op_array) not in self._functions:
            file, line = _FIRST_NODE + 1, op_array.line_start or 1
            self._functions[id(op_array)] = self._add(
                f"distinct !DISubprogram(name: {_string(op_array.name)}, scope: !{file}, file: !{file}, line: {line}, "
                f"type: !{_FIRST_NODE + 2}, scopeLine: {line}, spFlags: DISPFlagDefinition | DISPFlagOptimized, "
                f"unit: !{_FIRST_NODE})"
            )
        return self._functions[id(op_array)]

    def attach(self, op_array: OpArray) -> str:
        """What follows a function's header."""
        return f" !dbg !{self._function(op_array)}"

    def location(self, op_array: OpArray, line: int) -> str:
        """What follows each instruction."""
        key = (id(op_array), line)
        if key not in self._locations:
            scope = self._function(op_array)
            self._locations[key] = f", !dbg !{self._add(f'!DILocation(line: {line}, column: 1, scope: !{scope})')}"
        return self._locations[key]

    def text(self) -> str:
        """The module's metadata."""
        lines = [f"!{_FIRST_NODE + number} = {node}" for number, node in enumerate(self._nodes)]
        lines.append(f"!llvm.dbg.cu = !{{!{_FIRST_NODE}}}")
        lines.append(f"!llvm.module.flags = !{{!{_FIRST_NODE + 3}, !{_FIRST_NODE + 4}}}")
        return "\n".join(lines) + "\n"
