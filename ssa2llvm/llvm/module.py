"""One LLVM module: constants each once, declarations of what is called, definitions in order, and its text.

Problem: functions share literals, names, runtime functions and the prelude. This is the pool: asking twice for a
string, a C string, a declaration or a call wrapper gives the same symbol.

Texts come out in order of first use: the module's text is the same in every run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.ir.types import MAY_BE_ANY
from ssa2llvm.llvm.cells import Cells
from ssa2llvm.llvm.frames import VALUE_TYPE, entry_wrapper, framed_wrapper, llvm_type
from ssa2llvm.llvm.layouts import FUNCTION_INFO, IMMORTAL, NO_HASH, PARAMETER_INFO, STRING, Tag, string_hash
from ssa2llvm.llvm.runtime_api import Prototype, runtime_prototypes
from ssa2llvm.llvm.seam import PTR, Val, byte_string
from ssa2llvm.values.coerce import type_text

__all__ = ["VALUE_TYPE", "ModuleText", "llvm_type", "prelude_text"]


_PRELUDE = ("prelude.ll", "prelude_arrays.ll", "prelude_array_writes.ll", "prelude_strings.ll", "prelude_memory.ll")


@cache
def prelude_text() -> str:
    """The hand-written fast paths."""
    folder = resources.files("ssa2llvm") / "llvm"
    return "\n".join((folder / name).read_text() for name in _PRELUDE)


_DEFINITION = re.compile(r"^define [^@]*@([\w.]+)\(.*?^}\n", re.MULTILINE | re.DOTALL)
_PRELUDE_NAME = re.compile(r"@(s2l\.[\w.]+)\(")


@cache
def _prelude_functions() -> dict[str, str]:
    return {match[1]: match[0] for match in _DEFINITION.finditer(prelude_text())}


@cache
def _prelude_frame() -> str:
    """The prelude without its functions: types, declarations, attributes and metadata."""
    return re.sub(r"^;.*\n|^\n", "", _DEFINITION.sub("", prelude_text()), flags=re.MULTILINE)


def _prelude_for(texts: Iterable[str]) -> str:
    """As much of the prelude as these functions need: LLVM's time is spent on what is there."""
    functions = _prelude_functions()
    needed: set[str] = set()
    pending = {name for text in texts for name in _PRELUDE_NAME.findall(text)}
    while pending:
        needed |= pending
        pending = {used for name in pending for used in _PRELUDE_NAME.findall(functions[name])} - needed
    return _prelude_frame() + "\n" + "\n".join(text for name, text in functions.items() if name in needed)


@cache
def _prelude_declarations() -> frozenset[str]:
    return frozenset(re.findall(r"^declare [^@]*@([\w.]+)\(", prelude_text(), re.MULTILINE))


class ModuleText:
    """The module under construction."""

    def __init__(self, name: str, triple: str, data_layout: str) -> None:
        self._head = [
            f"source_filename = {byte_string(name.encode('utf-8', 'surrogateescape'))}",
            f'target datalayout = "{data_layout}"',
            f'target triple = "{triple}"',
            "",
        ]
        self._globals: list[str] = []
        self._strings: dict[bytes, Val] = {}
        self._c_strings: dict[bytes, Val] = {}
        self._declared: set[str] = set(_prelude_declarations())
        self._declarations: list[str] = []
        self._wrappers: set[str] = set()
        self._parameter_infos: dict[tuple[str | None, str, int, int], Val] = {}
        self.cells = Cells(self.string)
        self.keeps_frames = False
        """Whether calls link frames while they last (``traces``)."""
        self.functions: list[str] = []
        """Texts of the definitions."""

    # ---- constants

    def define(self, text: str) -> None:
        """Add a global (or an alias, or a named metadata node) as it is."""
        self._globals.append(text)

    def string(self, data: bytes) -> Val:
        """The address of an immortal PHP string."""
        if data not in self._strings:
            symbol = f"@str.{len(self._strings)}"
            self._strings[data] = Val(PTR, symbol)
            size = len(data)
            body = STRING.llvm_body()[2:-2]
            digest = string_hash(data)
            assert digest != NO_HASH
            self._globals.append(
                f"{symbol} = private unnamed_addr constant {{ {body}, [{size + 1} x i8] }} {{ i32 {IMMORTAL}, "
                f"i32 {int(Tag.STRING)}, i64 {digest}, i64 {size}, i64 {size}, "
                f"[{size + 1} x i8] c{byte_string(data + bytes(1))} }}, align 8"
            )
        return self._strings[data]

    def bytes_of_string(self, data: bytes) -> str:
        """A constant expression: the address of the bytes of `string`."""
        self.string(data)
        return f"getelementptr (i8, ptr {self._strings[data].ref}, i64 {STRING.size})"

    def c_string(self, text: str | bytes) -> Val:
        """The address of a NUL-terminated string (whose first NUL ends it)."""
        data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
        if data not in self._c_strings:
            symbol = f"@c.{len(self._c_strings)}"
            self._c_strings[data] = Val(PTR, symbol)
            self._globals.append(
                f"{symbol} = private unnamed_addr constant [{len(data) + 1} x i8] c{byte_string(data + bytes(1))}"
            )
        return self._c_strings[data]

    def function_info(self, symbol: str, name: str | None, file: str, entry: str, flags: int, line: int) -> None:
        """Define the s2l_function_info ``symbol``; ``name`` None is a main script, ``entry`` a symbol or ``null``."""
        shown = "ptr null" if name is None else str(self.c_string(name))
        self._globals.append(
            f"{symbol} = internal constant {FUNCTION_INFO.llvm_body()} "
            f"{{ {shown}, {self.c_string(file)}, ptr {entry}, i32 {flags}, i32 {line} }}"
        )

    def parameter_info(self, name: str | None, declared: TypeDecl, number: int) -> Val:
        """The address of a s2l_parameter_info; ``name`` None is a return type, or what a variadic
        parameter gathers."""
        mask = declared.mask & MAY_BE_ANY
        key = (name, type_text(declared), mask, number)
        if key not in self._parameter_infos:
            symbol = f"@parameter.{len(self._parameter_infos)}"
            self._parameter_infos[key] = Val(PTR, symbol)
            shown = "ptr null" if name is None else str(self.c_string(name))
            self._globals.append(
                f"{symbol} = private constant {PARAMETER_INFO.llvm_body()} "
                f"{{ {shown}, {self.c_string(key[1])}, i32 {mask}, i32 {number} }}"
            )
        return self._parameter_infos[key]

    # ---- runtime functions

    def runtime(self, name: str) -> Prototype:
        """The prototype of a runtime function, declared in this module."""
        prototype = runtime_prototypes()[name]
        if name not in self._declared:
            self._declared.add(name)
            parameters = []
            for _, ctype in prototype.parameters:
                if ctype.llvm == "value":
                    parameters += ["i64", "i64"]
                else:
                    parameters.append(f"{ctype.llvm} {ctype.attribute}".rstrip())
            attributes = " nounwind" if prototype.returns else " noreturn nounwind cold"
            result = f"{prototype.result.attribute} {llvm_type(prototype.result.llvm)}".lstrip()
            self._declarations.append(f"declare {result} @{name}({', '.join(parameters)}){attributes}")
        return prototype

    def intrinsic(self, declaration: str) -> None:
        """Declare an LLVM intrinsic, given its declaration without ``declare``."""
        name = declaration[declaration.index("@") + 1 : declaration.index("(")]
        if name not in self._declared:
            self._declared.add(name)
            self._declarations.append(f"declare {declaration}")

    def framed(self, name: str, depth: int = 1) -> str:
        """The wrapper of a runtime function that wants ``depth`` frames: its own arguments, then function info and
        line of each frame, the outermost first."""
        wrapper = f"@framed{depth if depth > 1 else ''}.{name}"
        if wrapper not in self._wrappers:
            self._wrappers.add(wrapper)
            self.functions.append(framed_wrapper(wrapper, self.runtime(name), depth))
        return wrapper

    def call_entry(self) -> str:
        """The function that calls a generic entry in a frame: context, entry, argc, argv, function info, line."""
        wrapper = "@framed.entry"
        if wrapper not in self._wrappers:
            self._wrappers.add(wrapper)
            self.functions.append(entry_wrapper(wrapper))
        return wrapper

    # ---- text

    def text(self) -> str:
        """The module, ready for LLVM's parser."""
        prelude = _prelude_for(self.functions)
        parts = [*self._head, prelude, *self._declarations, "", *self._globals, "", *self.functions]
        return "\n".join(parts)
