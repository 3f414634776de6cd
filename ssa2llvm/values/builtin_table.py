"""What the builtin table holds: a row's fields, the ``@builtin`` decorator that makes one from PHP's stub, and the
call.

A row is written as PHP's own stub line, ``substr(string $string, int $offset, ?int $length = null): string``, which
gives parameter names, types, by-ref marks, defaults and the result type; beside it stands what stubs do not say. The
tests check every stub against PHP's reflection.

Calling converts arguments as Zend/zend_API.c does for internal functions (``zend_parse_arg_*``): null for a scalar is
deprecated, not refused, unless the calling file has strict types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final, TypeAlias, TypeVar

from ssa2llvm.ir import types as t
from ssa2llvm.ir.op_array import NO_TYPE, TypeDecl
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.coerce import TypeMismatch, coerce, type_text
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import PHP_INT_MAX, PhpObject, Ref, Value, type_name


class Does(Flag):
    """What a call may do, given arguments of the declared types, besides returning a result."""

    NOTHING = 0
    WARNS = auto()
    THROWS = auto()
    OUTPUT = auto()
    CALLS_BACK = auto()
    STATE = auto()
    """Reads or writes the state of the run: clock, buffers, declared functions, random numbers."""


NO_DEFAULT: Final = PhpObject("UNKNOWN", 0)
"""The default of an optional parameter whose absence the function can see (``UNKNOWN`` in PHP's stubs)."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter. ``default`` is meaningful if ``optional``; if not ``checked``, the function checks the type
    itself.
    """

    name: str
    type: TypeDecl = NO_TYPE
    by_ref: bool = False
    variadic: bool = False
    optional: bool = False
    default: Value = None
    checked: bool = True


Argument: TypeAlias = "Value | Ref"
Implementation: TypeAlias = Callable[..., Value]
F = TypeVar("F", bound=Implementation)


@dataclass(frozen=True, slots=True)
class Builtin:
    """A row. ``returns`` is a mask of ``ir.types``, with element bits for arrays; ``range`` bounds an int result.

    ``folds`` says that PHP's optimizer may evaluate a call with constant arguments (``@compile-time-eval`` in the
    stubs).
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: int
    range: tuple[int, int] | None
    does: Does
    folds: bool
    deprecated: bool
    implementation: Implementation

    @property
    def required(self) -> int:
        """How many arguments must be given."""
        return sum(not parameter.optional and not parameter.variadic for parameter in self.parameters)

    @property
    def is_variadic(self) -> bool:
        """Whether any number of further arguments is taken."""
        return bool(self.parameters) and self.parameters[-1].variadic

    @property
    def is_pure(self) -> bool:
        """Whether the result follows from the arguments and nothing else happens, apart from reports and errors."""
        state = Does.OUTPUT | Does.CALLS_BACK | Does.STATE
        return not self.does & state and not any(parameter.by_ref for parameter in self.parameters)

    def parameter(self, position: int) -> Parameter | None:
        """The parameter that takes the argument at ``position`` (from 0), if any does."""
        if position < len(self.parameters):
            return self.parameters[position]
        return self.parameters[-1] if self.is_variadic else None


BUILTINS: Final[dict[str, Builtin]] = {}
"""The table, by lower-case name. Filled by importing ``builtins``."""

_TYPE_WORDS = {
    "int": t.MAY_BE_LONG,
    "float": t.MAY_BE_DOUBLE,
    "string": t.MAY_BE_STRING,
    "bool": t.MAY_BE_BOOL,
    "false": t.MAY_BE_FALSE,
    "true": t.MAY_BE_TRUE,
    "null": t.MAY_BE_NULL,
    "array": t.MAY_BE_ARRAY,
    "object": t.MAY_BE_OBJECT,
    "callable": t.MAY_BE_CALLABLE,
    "mixed": t.MAY_BE_ANY,
    "void": t.MAY_BE_NULL,
}
_STUB = re.compile(r"(\w+)\((.*)\): (\S+)")
_PARAMETER = re.compile(r"(?:([\w|?\\]+) )?(&?)(\.\.\.)?\$(\w+)(?: = (.+))?")
_COMMA = re.compile(r", (?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)")  # not one inside a string
_CONSTANTS: dict[str, Value] = {
    "null": None,
    "true": True,
    "false": False,
    "[]": PhpArray(0),
    "UNKNOWN": NO_DEFAULT,
    "PHP_INT_MAX": PHP_INT_MAX,
}


def parse_type(text: str) -> TypeDecl:
    """A type as PHP writes it; ``void`` counts as null, which is what such a call evaluates to."""
    nullable = text.startswith("?")
    words = text.lstrip("?").split("|")
    mask = t.MAY_BE_NULL if nullable else 0
    names = []
    for word in words:
        if word in _TYPE_WORDS:
            mask |= _TYPE_WORDS[word]
        else:
            names.append(word)
    return TypeDecl(mask, tuple(names))


def _parse_default(text: str) -> Value:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] == '"':
        return text[1:-1].encode().decode("unicode_escape").encode("latin-1")
    return float(text) if "." in text else int(text)


def _parse_parameter(text: str, unchecked: str) -> Parameter:
    match = _PARAMETER.fullmatch(text)
    assert match is not None, text
    declared, by_ref, variadic, name, default = match.groups()
    return Parameter(
        name,
        parse_type(declared) if declared else NO_TYPE,
        bool(by_ref),
        bool(variadic),
        default is not None,
        None if default is None else _parse_default(default),
        name != unchecked,
    )


def builtin(
    stub: str,
    *,
    does: Does = Does.NOTHING,
    folds: bool = False,
    range: tuple[int, int] | None = None,
    elements: int = 0,
    deprecated: bool = False,
    unchecked: str = "",
) -> Callable[[F], F]:
    """Enter a function into the table. ``elements`` adds array bits to the result's mask (default: anything);
    ``unchecked`` names a parameter whose type the function checks itself, after the others."""
    match = _STUB.fullmatch(stub)
    assert match is not None, stub
    name, parameters, result = match.groups()
    returns = parse_type(result).mask
    if returns & t.MAY_BE_ARRAY:
        returns |= elements or t.MAY_BE_ARRAY_KEY_ANY | t.MAY_BE_ARRAY_OF_ANY | t.MAY_BE_ARRAY_OF_REF

    def enter(implementation: F) -> F:
        row = Builtin(
            name,
            tuple(_parse_parameter(text, unchecked) for text in _COMMA.split(parameters) if text),
            returns,
            range,
            does,
            folds,
            deprecated,
            implementation,
        )
        assert name not in BUILTINS, name
        BUILTINS[name] = row
        return implementation

    return enter


def _arity_error(row: Builtin, given: int) -> PhpError:
    most = len(row.parameters)
    if row.required == most and not row.is_variadic:
        bound, expected = "exactly", most
    elif given < row.required:
        bound, expected = "at least", row.required
    else:
        bound, expected = "at most", most
    plural = "" if expected == 1 else "s"
    return PhpError("ArgumentCountError", f"{row.name}() expects {bound} {expected} argument{plural}, {given} given")


def _null_for_scalar(mask: int) -> Value:
    """What null becomes for a scalar parameter."""
    if mask & t.MAY_BE_LONG:
        return 0
    if mask & t.MAY_BE_DOUBLE:
        return 0.0
    return b"" if mask & t.MAY_BE_STRING else False


_SCALARS = t.MAY_BE_LONG | t.MAY_BE_DOUBLE | t.MAY_BE_STRING | t.MAY_BE_BOOL


def _convert(row: Builtin, position: int, parameter: Parameter, value: Value, strict: bool, host: Host) -> Value:
    """One argument as the function gets it. Raises PHP's TypeError."""
    declared = parameter.type
    if not parameter.checked:
        return value
    if value is None and not strict and declared.mask & _SCALARS and not declared.mask & t.MAY_BE_NULL:
        host.deprecated(
            f"{row.name}(): Passing null to parameter #{position + 1} (${parameter.name}) "
            f"of type {type_text(declared)} is deprecated"
        )
        return _null_for_scalar(declared.mask)
    try:
        return coerce(value, declared, strict, host)
    except TypeMismatch:
        pass
    if declared.mask & t.MAY_BE_CALLABLE:
        raise callback_error(row.name, position + 1, parameter, value)
    # PHP does not name the variadic parameter: its arguments have no names of their own.
    label = "" if parameter.variadic else f" (${parameter.name})"
    raise PhpError(
        "TypeError",
        f"{row.name}(): Argument #{position + 1}{label} must be of type {_wanted(declared)}, {type_name(value)} given",
    )


def _wanted(declared: TypeDecl) -> str:
    """The type in an argument error; where arrays and objects are taken alike, PHP asks for an array."""
    return "array" if declared.mask == t.MAY_BE_ARRAY | t.MAY_BE_OBJECT else type_text(declared)


def callback_error(function: str, number: int, parameter: Parameter, value: Value) -> PhpError:
    """The TypeError for an argument that cannot be called (``zend_wrong_callback_error``)."""
    if isinstance(value, bytes):
        shown = value.decode("utf-8", "surrogateescape")
        reason = f'function "{shown}" not found or invalid function name'
    else:
        reason = "no array or string given"
    wanted = "a valid callback or null" if parameter.type.mask & t.MAY_BE_NULL else "a valid callback"
    return PhpError("TypeError", f"{function}(): Argument #{number} (${parameter.name}) must be {wanted}, {reason}")


def call_builtin(row: Builtin, arguments: Sequence[Argument], strict: bool, host: Host) -> Value:
    """Call a builtin with these arguments: count them, convert each, run.

    Arguments for by-ref parameters are ``Ref`` cells. Raises PhpError as PHP throws.
    """
    if not row.required <= len(arguments) <= (len(row.parameters) if not row.is_variadic else len(arguments)):
        raise _arity_error(row, len(arguments))
    converted: list[Argument] = []
    for position, argument in enumerate(arguments):
        parameter = row.parameter(position)
        assert parameter is not None
        if isinstance(argument, Ref) and parameter.by_ref:
            if parameter.type is not NO_TYPE:
                argument.value = _convert(row, position, parameter, argument.value, strict, host)
            converted.append(argument)
        else:
            value = argument.value if isinstance(argument, Ref) else argument
            converted.append(_convert(row, position, parameter, value, strict, host))
    for parameter in row.parameters[len(arguments) :]:
        if parameter.default is NO_DEFAULT:
            break
        if not parameter.variadic:
            converted.append(Ref(parameter.default) if parameter.by_ref else parameter.default)
    return row.implementation(host, *converted)
