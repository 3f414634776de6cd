"""The interpreter as a ``Host`` of values: prints warnings in PHP's form, buffers output, knows functions and
constants.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ssa2llvm.interp.errors import Exception_, exception_text, is_instance
from ssa2llvm.values.host import Host, Level, PhpError
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, PhpObject, Ref, Value, to_bytes

if TYPE_CHECKING:
    from ssa2llvm.interp.machine import Machine

E_ALL = 32767
E_SURVIVES_SILENCE = 4437
"""What ``@`` cannot silence: the fatal errors."""
_LEVEL_BITS = {Level.WARNING: 2, Level.NOTICE: 8, Level.DEPRECATED: 8192}

PREDEFINED: dict[str, Value] = {
    "PHP_EOL": b"\n",
    "PHP_INT_MAX": PHP_INT_MAX,
    "PHP_INT_MIN": PHP_INT_MIN,
    "PHP_INT_SIZE": 8,
    "PHP_FLOAT_EPSILON": 2.220446049250313e-16,
    "PHP_FLOAT_MAX": 1.7976931348623157e308,
    "PHP_FLOAT_MIN": 2.2250738585072014e-308,
    "PHP_FLOAT_DIG": 15,
    "NAN": math.nan,
    "INF": math.inf,
    "M_PI": math.pi,
    "M_E": math.e,
    "M_SQRT2": math.sqrt(2),
    "E_ALL": E_ALL,
    "E_ERROR": 1,
    "E_WARNING": 2,
    "E_NOTICE": 8,
    "E_STRICT": 2048,
    "E_DEPRECATED": 8192,
    "E_USER_ERROR": 256,
    "E_USER_WARNING": 512,
    "E_USER_NOTICE": 1024,
    "SORT_REGULAR": 0,
    "SORT_NUMERIC": 1,
    "SORT_STRING": 2,
    "SORT_FLAG_CASE": 8,
    "COUNT_NORMAL": 0,
    "COUNT_RECURSIVE": 1,
    "STR_PAD_LEFT": 0,
    "STR_PAD_RIGHT": 1,
    "STR_PAD_BOTH": 2,
    "ARRAY_FILTER_USE_KEY": 2,
    "ARRAY_FILTER_USE_BOTH": 1,
    "PHP_ROUND_HALF_UP": 1,
    "PHP_ROUND_HALF_DOWN": 2,
    "PHP_ROUND_HALF_EVEN": 3,
    "PHP_ROUND_HALF_ODD": 4,
    "PHP_VERSION": b"8.2.36",
    "PHP_MAJOR_VERSION": 8,
    "PHP_MINOR_VERSION": 2,
    "PHP_OS": b"Linux",
    "PHP_OS_FAMILY": b"Linux",
    "DIRECTORY_SEPARATOR": b"/",
}
"""Constants that PHP may leave to run time (with opcache it inlines most of them)."""


def _constant_key(name: str) -> str:
    """Namespaces ignore case, constants do not."""
    namespace, backslash, own = name.removeprefix("\\").rpartition("\\")
    return namespace.lower() + backslash + own


class InterpreterHost(Host):
    """What values ask of the running program."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine
        self.buffers: list[bytearray] = []
        self.reporting = E_ALL
        self.constants: dict[str, Value] = {}

    def report(self, level: Level, message: str) -> None:
        """Print the diagnostic where PHP prints it, with the line now running."""
        super().report(level, message)
        if self.reporting & _LEVEL_BITS[level]:
            file, line = self.machine.position()
            self.write(to_bytes(f"\n{level.value}: {message} in {file} on line {line}\n"))

    def write(self, data: bytes) -> None:
        """Print into the innermost buffer."""
        if self.buffers:
            self.buffers[-1] += data
        else:
            self.output += data

    def call(self, callback: Value, arguments: Sequence[Value | Ref]) -> Value:
        """Call a PHP callable from a builtin."""
        return self.machine.call(callback, list(arguments))

    def is_callable(self, callback: Value) -> bool:
        """Whether ``callback`` names something to call."""
        return self.machine.find_callable(callback) is not None

    def function_exists(self, name: str) -> bool:
        """Whether there is a function of this lower-case name."""
        return self.machine.find_function(name) is not None

    def is_instance(self, value: PhpObject, class_name: str) -> bool:
        """Whether an object is of a class."""
        return is_instance(value.class_name, class_name)

    def is_stringable(self, value: PhpObject) -> bool:
        """Of the built-in classes, exceptions have ``__toString``."""
        return isinstance(value, Exception_)

    def object_to_string(self, value: PhpObject) -> bytes:
        """``__toString``."""
        if isinstance(value, Exception_):
            return to_bytes(exception_text(value))
        raise PhpError("Error", f"Object of class {value.class_name} could not be converted to string")

    def define(self, name: str, value: Value) -> bool:
        """Declare a constant."""
        if self.constant(name) is not None:
            self.warning(f"Constant {name} already defined")
            return False
        self.constants[_constant_key(name)] = value
        return True

    def constant(self, name: str) -> Ref | None:
        """Look a constant up."""
        key = _constant_key(name)
        if key in self.constants:
            return Ref(self.constants[key])
        return Ref(PREDEFINED[key]) if key in PREDEFINED else None

    def error_reporting(self, level: int | None) -> int:
        """The mask of reported levels."""
        before = self.reporting
        if level is not None:
            self.reporting = level
        return before

    def silence(self) -> int:
        """``@``: report only what cannot be silenced; the mask to restore."""
        before = self.reporting
        self.reporting &= E_SURVIVES_SILENCE
        return before

    def end_silence(self, before: int) -> None:
        """Restore the mask, unless the silenced code set one of its own (Zend/zend_vm_def.h:ZEND_END_SILENCE)."""
        if not self.reporting & ~E_SURVIVES_SILENCE:
            self.reporting = before

    def push_buffer(self) -> None:
        """Start an output buffer."""
        self.buffers.append(bytearray())

    def pop_buffer(self) -> bytes | None:
        """End the innermost output buffer."""
        return bytes(self.buffers.pop()) if self.buffers else None

    def memory_usage(self) -> int:
        """A plausible constant: PHP's first chunk."""
        return 2 * 1024 * 1024
