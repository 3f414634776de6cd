"""PHP functions as Python callables: a library in this process.

The functions of a script are exported as C libraries export them (``exports``), but into the JIT, and wrapped by
ctypes. Values cross as Python's own: None, bool, int, float, and bytes for strings (str is encoded as UTF-8). Ints
must fit 64 bits. An error that nobody caught is raised as `PhpError`.

The code and its context live as long as any of the callables.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping
from typing import Any

from ssa2llvm.ir.op_array import Script
from ssa2llvm.llvm.backend import module_level, optimise, parse, target_machine
from ssa2llvm.llvm.driver import lower_script, optimised_program, prepared_units
from ssa2llvm.llvm.exports import Export
from ssa2llvm.llvm.jit import LoadedCode, runtime_library
from ssa2llvm.llvm.layouts import STRING, Tag
from ssa2llvm.llvm.representation import Rep

__all__ = ["PhpError", "load_functions"]

_LIBRARY = "loaded"


class PhpError(Exception):
    """An error that a PHP function threw and nobody caught. ``class_name`` and ``message`` are PHP's; ``class_name``
    is "" for an exit or a fatal error."""

    def __init__(self, text: str) -> None:
        class_name, colon, rest = text.partition(": ")
        self.class_name = class_name if colon and class_name.replace("\\", "").isidentifier() else ""
        self.message = rest if self.class_name else text
        super().__init__(text)


class _Number(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_int64), ("is_double", ctypes.c_uint8)]


class _String(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_uint64)]


class _Value(ctypes.Structure):
    _fields_ = [("payload", ctypes.c_int64), ("tag", ctypes.c_int64)]


_C_TYPES: dict[Rep, Any] = {
    Rep.NULL: None,
    Rep.BOOL: ctypes.c_bool,
    Rep.LONG: ctypes.c_int64,
    Rep.DOUBLE: ctypes.c_double,
    Rep.NUMBER: _Number,
    Rep.STRING: _String,
    Rep.VALUE: _Value,
}


def _bits(number: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", number))[0])


def _double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


def _integer(value: object) -> int:
    if not isinstance(value, int) or not -(1 << 63) <= value < 1 << 63:
        raise TypeError(f"expected an int of 64 bits, got {value!r}")
    return int(value)


class _Function:
    """One callable. ``library`` is kept so that the code stays loaded."""

    def __init__(self, export: Export, library: _Library) -> None:
        self._library = library
        self._reps = [parameter.rep for parameter in export.signature.parameters]
        self._defaults = [parameter.default for parameter in export.signature.parameters]
        self._required = export.signature.required
        self._result = export.signature.result_rep
        prototype = ctypes.CFUNCTYPE(_C_TYPES[self._result], *(_C_TYPES[rep] for rep in self._reps))
        self._call = prototype(library.code.address(export.name))
        self.__name__ = export.signature.op_array.name

    def __call__(self, *arguments: object) -> bool | int | float | bytes | None:
        if not self._required <= len(arguments) <= len(self._reps):
            raise TypeError(
                f"{self.__name__}() takes {self._required} to {len(self._reps)} arguments, {len(arguments)} given"
            )
        given = [*arguments, *self._defaults[len(arguments) :]]
        kept: list[bytes] = []
        result = self._call(*(self._to_c(value, rep, kept) for value, rep in zip(given, self._reps, strict=True)))
        self._library.check()
        return self._from_c(result)

    def _to_c(self, value: object, rep: Rep, kept: list[bytes]) -> Any:
        """``value`` for a parameter of representation ``rep``; ``kept`` holds bytes until the call is over."""
        if isinstance(value, str):
            value = value.encode()
        if rep is Rep.BOOL:
            return bool(value)
        if rep is Rep.LONG:
            return _integer(value)
        if rep is Rep.DOUBLE and isinstance(value, (int, float)):
            return float(value)
        if rep is Rep.NUMBER:
            return _Number(_bits(value), 1) if isinstance(value, float) else _Number(_integer(value), 0)
        if rep is Rep.STRING and isinstance(value, bytes):
            kept.append(value)
            return _String(ctypes.cast(ctypes.c_char_p(value), ctypes.c_void_p).value, len(value))
        if rep is Rep.VALUE:
            return self._to_value(value)
        raise TypeError(f"{self.__name__}() cannot take {value!r}")

    def _to_value(self, value: object) -> _Value:
        if value is None:
            return _Value(0, Tag.NULL)
        if isinstance(value, bool):
            return _Value(0, Tag.TRUE if value else Tag.FALSE)
        if isinstance(value, int):
            return _Value(_integer(value), Tag.LONG)
        if isinstance(value, float):
            return _Value(_bits(value), Tag.DOUBLE)
        if isinstance(value, bytes):
            return _Value(self._library.new_string(value), Tag.STRING)
        raise TypeError(f"{self.__name__}() cannot take {value!r}")

    def _from_c(self, result: Any) -> bool | int | float | bytes | None:
        if self._result is Rep.NUMBER:
            return _double(result.bits) if result.is_double else int(result.bits)
        if self._result is Rep.STRING:
            return ctypes.string_at(result.bytes, result.length)
        if self._result is Rep.VALUE:
            return self._from_value(result)
        return result  # type: ignore[no-any-return]

    def _from_value(self, value: _Value) -> bool | int | float | bytes | None:
        if value.tag == Tag.LONG:
            return int(value.payload)
        if value.tag == Tag.DOUBLE:
            return _double(value.payload)
        if value.tag == Tag.STRING:
            text = self._library.text(value.payload)
            self._library.drop(value)
            return text
        if value.tag in (Tag.FALSE, Tag.TRUE):
            return bool(value.tag == Tag.TRUE)
        if value.tag in (Tag.UNDEF, Tag.NULL):
            return None
        self._library.drop(value)
        raise TypeError(f"{self.__name__}() returned an array, which Python cannot take yet")


class _Library:
    """The loaded module."""

    def __init__(self, script: Script, level: int) -> None:
        machine = target_machine(None, level, jit=True)
        units = prepared_units(optimised_program(script, level, library=True))
        lowered = lower_script(script, units, machine.triple, str(machine.target_data), ".so", _LIBRARY)
        module = parse(lowered.text)
        optimise(module, machine, module_level(lowered.text, level))
        self.code = LoadedCode(module, machine)
        self.exports = lowered.exports
        self.left_out = lowered.left_out
        own = [f"{_LIBRARY}_{name}" for name in ("last_error", "close", "context")]
        self.code.link([export.name for export in self.exports] + own)
        self._last_error = ctypes.CFUNCTYPE(ctypes.c_char_p)(self.code.address(f"{_LIBRARY}_last_error"))
        self._context = ctypes.CFUNCTYPE(ctypes.c_void_p)(self.code.address(f"{_LIBRARY}_context"))
        self._last_error()  # opens the library: its top-level code runs
        self.check()

    def check(self) -> None:
        """Raise what the last call threw, if it did."""
        text = self._last_error()
        if text is not None:
            raise PhpError(text.decode("utf-8", "replace"))

    def new_string(self, data: bytes) -> int:
        """A new string of the library's; its address."""
        make = runtime_library().s2l_string_new
        make.restype, make.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64]
        return int(make(self._context(), data, len(data)))

    def text(self, address: int) -> bytes:
        """The bytes of a string."""
        length = ctypes.c_uint64.from_address(address + STRING.offset("length")).value
        return ctypes.string_at(address + STRING.size, length)

    def drop(self, value: _Value) -> None:
        """Give back a value that the library gave away."""
        drop = runtime_library().s2l_value_drop
        drop.restype, drop.argtypes = None, [ctypes.c_void_p, _Value]
        drop(self._context(), value)


class _Functions(dict[str, Callable[..., Any]]):
    """Functions by name; asked for one that cannot be called from here, it says why."""

    def __init__(self, library: _Library) -> None:
        super().__init__((export.signature.op_array.name, _Function(export, library)) for export in library.exports)
        self._left_out = dict(sentence.split(": ", 1) for sentence in library.left_out)

    def __missing__(self, name: str) -> Callable[..., Any]:
        if name in self._left_out:
            raise KeyError(f"{name}() cannot be called from Python yet: {self._left_out[name]}")
        raise KeyError(f"there is no function {name}()")


def load_functions(script: Script, opt_level: int = 2) -> Mapping[str, Callable[..., Any]]:
    """Compile ``script`` at -O``opt_level`` into this process, run its top-level code, and return its functions by
    name: those whose parameters and result are scalars (``exports.find_exports``); the KeyError for another says why.
    Raises CompileError for what cannot be compiled, PhpError if the top-level code fails."""
    return _Functions(_Library(script, opt_level))
