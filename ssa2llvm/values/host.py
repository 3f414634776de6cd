"""What evaluating a PHP value may do besides giving a result: report, throw, print, call back.

Every operation of this package takes a ``Host``. The base class records, which is what constant folding needs: fold,
then ask ``clean``. The interpreter's host prints warnings in PHP's form and calls user functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssa2llvm.values.types import PhpObject, Ref, Value


class Level(Enum):
    """Severity of a report, with the word PHP prints."""

    WARNING = "Warning"
    NOTICE = "Notice"
    DEPRECATED = "Deprecated"


@dataclass(frozen=True, slots=True)
class Report:
    """One diagnostic of the running program."""

    level: Level
    message: str


class PhpError(Exception):
    """A PHP exception about to be thrown: its class and message. The interpreter turns it into an object with a
    trace.
    """

    def __init__(self, class_name: str, message: str) -> None:
        super().__init__(f"{class_name}: {message}")
        self.class_name = class_name
        self.message = message


class FatalError(Exception):
    """A PHP fatal error (``E_ERROR``): it ends the program and no ``catch`` sees it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NeedsProgram(Exception):
    """An operation asked its host for something it does not have: a program, when it only folds; a kind of object."""


class Host:
    """Records reports and output; has no program behind it."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.output = bytearray()

    @property
    def clean(self) -> bool:
        """Whether nothing was reported or printed: the result alone says all that happened."""
        return not self.reports and not self.output

    def report(self, level: Level, message: str) -> None:
        """Report a diagnostic, in order."""
        self.reports.append(Report(level, message))

    def warning(self, message: str) -> None:
        """Report an ``E_WARNING``."""
        self.report(Level.WARNING, message)

    def notice(self, message: str) -> None:
        """Report an ``E_NOTICE``."""
        self.report(Level.NOTICE, message)

    def deprecated(self, message: str) -> None:
        """Report an ``E_DEPRECATED``."""
        self.report(Level.DEPRECATED, message)

    def write(self, data: bytes) -> None:
        """Print to the program's output."""
        self.output += data

    def call(self, callback: Value, arguments: Sequence[Value | Ref]) -> Value:
        """Call a PHP callable."""
        raise NeedsProgram

    def is_callable(self, callback: Value) -> bool:
        """Whether ``callback`` names something to call."""
        raise NeedsProgram

    def function_exists(self, name: str) -> bool:
        """Whether a function of this (lower-case) name exists."""
        raise NeedsProgram

    def is_instance(self, value: PhpObject, class_name: str) -> bool:
        """Whether an object is of a class, or of one that extends or implements it."""
        raise NeedsProgram

    def is_stringable(self, value: PhpObject) -> bool:
        """Whether an object has ``__toString``."""
        raise NeedsProgram

    def object_to_string(self, value: PhpObject) -> bytes:
        """``__toString`` of an object; raises PHP's Error if the class has none."""
        raise NeedsProgram

    def define(self, name: str, value: Value) -> bool:
        """Declare a constant; False and a warning if there is one."""
        raise NeedsProgram

    def constant(self, name: str) -> Ref | None:
        """A constant in a cell of its own, None if there is none of this name."""
        raise NeedsProgram

    def error_reporting(self, level: int | None) -> int:
        """The mask of reported levels, setting it if ``level`` is given."""
        raise NeedsProgram

    def push_buffer(self) -> None:
        """Start an output buffer."""
        raise NeedsProgram

    def pop_buffer(self) -> bytes | None:
        """End the innermost output buffer and return what it holds; None if there is none."""
        raise NeedsProgram

    def memory_usage(self) -> int:
        """Bytes allocated."""
        raise NeedsProgram
