"""Exceptions: objects of PHP's built-in throwable classes, their methods and their text.

Follows Zend/zend_exceptions.c. Traces leave arguments out, as with ``zend.exception_ignore_args=1``.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.host import PhpError
from ssa2llvm.values.types import PhpObject, Value, to_bytes

_PARENTS = {
    "Exception": "Throwable",
    "ErrorException": "Exception",
    "Error": "Throwable",
    "CompileError": "Error",
    "ParseError": "CompileError",
    "TypeError": "Error",
    "ArgumentCountError": "TypeError",
    "ValueError": "Error",
    "ArithmeticError": "Error",
    "DivisionByZeroError": "ArithmeticError",
    "UnhandledMatchError": "Error",
    "LogicException": "Exception",
    "BadFunctionCallException": "LogicException",
    "BadMethodCallException": "BadFunctionCallException",
    "DomainException": "LogicException",
    "InvalidArgumentException": "LogicException",
    "LengthException": "LogicException",
    "OutOfRangeException": "LogicException",
    "RuntimeException": "Exception",
    "OutOfBoundsException": "RuntimeException",
    "OverflowException": "RuntimeException",
    "RangeException": "RuntimeException",
    "UnderflowException": "RuntimeException",
    "UnexpectedValueException": "RuntimeException",
}
"""Built-in throwable classes and what they extend. Throwable itself is an interface that extends Stringable."""

_BY_LOWER_NAME = {name.lower(): name for name in [*_PARENTS, "Throwable", "Stringable", "Closure"]}


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A call: where it stands and what it calls. ``file`` is empty for calls made by builtins."""

    file: str
    line: int
    function: str


class Exception_(PhpObject):
    """An object of a throwable class."""

    __slots__ = ("code", "file", "line", "message", "previous", "trace")

    def __init__(self, class_name: str, handle: int, file: str, line: int, trace: list[TraceEntry]) -> None:
        super().__init__(class_name, handle)
        self.message: Value = b""
        self.code: Value = 0
        self.previous: Exception_ | None = None
        self.file = file
        self.line = line
        self.trace = trace

    def debug_properties(self) -> list[tuple[str, str, Value]]:
        """The properties of the base class, in its order."""
        base = "Exception" if is_instance(self.class_name, "Exception") else "Error"
        return [
            ("message", "protected", self.message),
            ("string", f'"{base}":private', b""),
            ("code", "protected", self.code),
            ("file", "protected", to_bytes(self.file)),
            ("line", "protected", self.line),
            ("trace", f'"{base}":private', call_method(self, "gettrace")),
            ("previous", f'"{base}":private', self.previous),
        ]


class Thrown(Exception):
    """A PHP exception on its way through Python code."""

    def __init__(self, exception: Exception_) -> None:
        super().__init__(f"{exception.class_name}: {exception.message!r}")
        self.exception = exception


def class_name(name: str) -> str | None:
    """The proper spelling of a built-in class, None for others."""
    return _BY_LOWER_NAME.get(name.removeprefix("\\").lower())


def is_instance(object_class: str, name: str) -> bool:
    """Whether a built-in class is ``name`` or extends it."""
    wanted = class_name(name)
    current: str | None = object_class
    while current is not None:
        if current == wanted:
            return True
        current = _PARENTS.get(current, "Stringable" if current == "Throwable" else None)
    return False


def is_throwable(name: str) -> bool:
    """Whether ``new name`` makes an exception."""
    return class_name(name) in _PARENTS


def trace_text(exception: Exception_) -> str:
    """``getTraceAsString()``."""
    lines = []
    for number, entry in enumerate(exception.trace):
        position = f"{entry.file}({entry.line})" if entry.file else "[internal function]"
        lines.append(f"#{number} {position}: {entry.function}()")
    return "\n".join([*lines, f"#{len(lines)} {{main}}"])


def exception_text(exception: Exception_) -> str:
    """``__toString()``: the chain from the first cause to this exception."""
    text = ""
    chain: list[Exception_] = []
    current: Exception_ | None = exception
    while current is not None:
        chain.append(current)
        current = current.previous
    for link in reversed(chain):
        message = _message_text(link)
        if link.class_name in ("TypeError", "ArgumentCountError") and ", called in " in message:
            message += " and defined"
        head = f"{link.class_name}: {message}" if message else link.class_name
        part = f"{head} in {link.file}:{link.line}\nStack trace:\n{trace_text(link)}"
        text = f"{text}\n\nNext {part}" if text else part
    return text


def _message_text(exception: Exception_) -> str:
    message = exception.message
    return message.decode("utf-8", "surrogateescape") if isinstance(message, bytes) else str(message)


def uncaught_text(exception: Exception_) -> str:
    """What PHP prints, and dies of."""
    return (
        f"\nFatal error: Uncaught {exception_text(exception)}\n  thrown in {exception.file} on line {exception.line}\n"
    )


METHODS = {
    name.lower(): name
    for name in (
        "getMessage",
        "getCode",
        "getFile",
        "getLine",
        "getPrevious",
        "getTrace",
        "getTraceAsString",
        "__toString",
    )
}
"""What ``call_method`` knows: names in lower case, and as PHP spells them."""


def call_method(exception: Exception_, method: str) -> Value:
    """A method of Throwable."""
    if method == "getmessage":
        return exception.message
    if method == "getcode":
        return exception.code
    if method == "getfile":
        return to_bytes(exception.file)
    if method == "getline":
        return exception.line
    if method == "getprevious":
        return exception.previous
    if method == "gettraceasstring":
        return to_bytes(trace_text(exception))
    if method == "__tostring":
        return to_bytes(exception_text(exception))
    if method == "gettrace":
        return PhpArray.from_list(
            PhpArray.from_items(
                [(b"file", to_bytes(entry.file)), (b"line", entry.line), (b"function", to_bytes(entry.function))]
            )
            for entry in exception.trace
        )
    raise PhpError("Error", f"Call to undefined method {exception.class_name}::{method}()")
