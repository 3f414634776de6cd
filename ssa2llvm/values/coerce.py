"""Declared types: does a value fit, what does it become, and what does PHP say if it cannot.

Follows Zend/zend_execute.c (``zend_check_type``, ``zend_verify_weak_scalar_type_hint``), Zend/zend_API.c
(``zend_parse_arg_*_weak``) and Zend/zend_compile.c:zend_type_to_string.
"""

from __future__ import annotations

from ssa2llvm.ir.op_array import TypeDecl
from ssa2llvm.ir.types import (
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_CALLABLE,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    declaration_text,
)
from ssa2llvm.values.array import PhpArray
from ssa2llvm.values.convert import float_to_int_checked, to_bool, to_string
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.numeric import numeric_value
from ssa2llvm.values.types import PHP_INT_MAX, PHP_INT_MIN, PhpObject, Value, to_text, type_name


class TypeMismatch(Exception):
    """The value does not fit the declared type; the caller knows which error text that means."""


def type_bit(value: Value) -> int:
    """The ``MAY_BE_*`` bit of a value."""
    if value is None:
        return MAY_BE_NULL
    if isinstance(value, bool):
        return MAY_BE_TRUE if value else MAY_BE_FALSE
    if isinstance(value, int):
        return MAY_BE_LONG
    if isinstance(value, float):
        return MAY_BE_DOUBLE
    if isinstance(value, bytes):
        return MAY_BE_STRING
    return MAY_BE_ARRAY if isinstance(value, PhpArray) else MAY_BE_OBJECT


def type_text(declared: TypeDecl) -> str:
    """The declared type as PHP's messages spell it: ``?int``, ``string|int|null``, ``A&B``."""
    return declared.text or declaration_text(declared.mask, declared.class_names, declared.intersection)


def _fits(value: Value, declared: TypeDecl, host: Host) -> bool:
    """Whether the value is of the type as it stands."""
    if declared.mask & type_bit(value):
        return True
    if isinstance(value, PhpObject) and declared.class_names:
        matches = [host.is_instance(value, name) for name in declared.class_names]
        if all(matches) if declared.intersection else any(matches):
            return True
    return bool(declared.mask & MAY_BE_CALLABLE) and host.is_callable(value)


def weak_int(value: Value, host: Host) -> int:
    """A value other than null or int as an int, in weak mode (``zend_parse_arg_long_weak``). Raises TypeMismatch."""
    if isinstance(value, bool):
        return int(value)
    number = numeric_value(value) if isinstance(value, bytes) else value
    if isinstance(number, int):
        return number
    if not isinstance(number, float) or not PHP_INT_MIN <= number < PHP_INT_MAX:
        raise TypeMismatch
    if isinstance(value, bytes):
        if not number.is_integer():
            shown = to_text(value.split(b"\0", 1)[0])
            host.deprecated(f'Implicit conversion from float-string "{shown}" to int loses precision')
        return int(number)
    return float_to_int_checked(number, host)


def weak_float(value: Value) -> float:
    """A value other than null as a float, in weak mode (``zend_parse_arg_double_weak``). Raises TypeMismatch."""
    number = numeric_value(value) if isinstance(value, bytes) else value
    if not isinstance(number, (int, float)):
        raise TypeMismatch
    return float(number)


def weak_string(value: Value, host: Host) -> bytes:
    """A value other than null as a string, in weak mode (``zend_parse_arg_str_weak``). Raises TypeMismatch."""
    if isinstance(value, PhpArray):
        raise TypeMismatch
    if isinstance(value, PhpObject) and not host.is_stringable(value):
        raise TypeMismatch
    return to_string(value, host)


def weak_bool(value: Value) -> bool:
    """A value other than null as a bool, in weak mode (``zend_parse_arg_bool_weak``). Raises TypeMismatch."""
    if isinstance(value, (PhpArray, PhpObject)):
        raise TypeMismatch
    return to_bool(value)


def weak_scalar(value: Value, mask: int, host: Host) -> Value:
    """A value that does not fit, converted to the first type of ``mask`` that takes it: int, float, string, bool."""
    if mask & MAY_BE_LONG:
        if mask & MAY_BE_DOUBLE and isinstance(value, bytes):
            number = numeric_value(value)
            if number is not None:
                return number
        else:
            try:
                return weak_int(value, host)
            except TypeMismatch:
                pass
    if mask & MAY_BE_DOUBLE:
        try:
            return weak_float(value)
        except TypeMismatch:
            pass
    if mask & MAY_BE_STRING:
        try:
            return weak_string(value, host)
        except TypeMismatch:
            pass
    if mask & MAY_BE_BOOL == MAY_BE_BOOL:
        return weak_bool(value)
    raise TypeMismatch


def coerce(value: Value, declared: TypeDecl, strict: bool, host: Host) -> Value:
    """The value as a parameter or result of this type gets it; ``strict`` is the mode of the calling (returning) file.

    Raises TypeMismatch. Deprecations (a fractional float for an int) are reported.
    """
    if declared.accepts_any or _fits(value, declared, host):
        return value
    if strict:
        if declared.mask & MAY_BE_DOUBLE and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        raise TypeMismatch
    if value is None:
        raise TypeMismatch
    return weak_scalar(value, declared.mask, host)


def argument_error(function: str, number: int, name: str, declared: TypeDecl, value: Value, called_in: str) -> PhpError:
    """The TypeError for an argument of a user function; ``called_in`` is ``, called in FILE on line N`` or empty.

    ``name`` is empty for an argument of a variadic parameter, which PHP does not name."""
    label = f" (${name})" if name else ""
    return PhpError(
        "TypeError",
        f"{function}(): Argument #{number}{label} must be of type {type_text(declared)}, "
        f"{type_name(value)} given{called_in}",
    )


def return_error(function: str, declared: TypeDecl, given: str) -> PhpError:
    """The TypeError for a result; ``given`` is the value's type name, or ``none`` if nothing is returned."""
    return PhpError("TypeError", f"{function}(): Return value must be of type {type_text(declared)}, {given} returned")
