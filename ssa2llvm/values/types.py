"""What a PHP value is in Python, and how PHP names its type.

``None``, ``bool``, ``int`` (always within 64 bits), ``float``, ``bytes`` (a PHP string is bytes), ``PhpArray`` and
``PhpObject``. Python's own equality and arithmetic are never applied to values of unknown type: ``True == 1`` there,
which is why every question about a pair of values goes through ``compare`` and ``arith``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from ssa2llvm.values.array import PhpArray

PHP_INT_MAX = 2**63 - 1
PHP_INT_MIN = -(2**63)
_INT_MODULUS = 2**64


class PhpObject:
    """An object: a class name and a handle, as ``var_dump`` shows them. What objects do is the interpreter's
    business.
    """

    __slots__ = ("__weakref__", "class_name", "handle")

    def __init__(self, class_name: str, handle: int) -> None:
        self.class_name = class_name
        self.handle = handle

    def debug_properties(self) -> list[tuple[str, str, Value]]:
        """What dumps show: name, visibility (empty if public) and value of each property."""
        return []


Value: TypeAlias = "bool | int | float | bytes | PhpArray | PhpObject | None"


class Ref:
    """A reference cell (``zend_reference``): what ``&`` makes, shared by the variables and elements bound to it."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


def is_int(value: object) -> TypeGuard[int]:
    """Whether the PHP type is int; Python's bool is an int too, PHP's is not."""
    return type(value) is int


def wrap_int(number: int) -> int:
    """The 64-bit two's complement value of ``number`` (C's conversion of ``zend_ulong`` to ``zend_long``)."""
    return (number + PHP_INT_MAX + 1) % _INT_MODULUS + PHP_INT_MIN


def fits_int(number: int) -> bool:
    """Whether ``number`` is representable as a PHP int."""
    return PHP_INT_MIN <= number <= PHP_INT_MAX


def to_text(data: bytes) -> str:
    """A PHP string as ``str``, losslessly, for use inside messages and names."""
    return data.decode("utf-8", "surrogateescape")


def to_bytes(text: str) -> bytes:
    """The inverse of ``to_text``."""
    return text.encode("utf-8", "surrogateescape")


def type_name(value: Value) -> str:
    """The type as PHP's error messages name it (Zend/zend_API.c:zend_zval_type_name): ``int``, ``bool``, a class
    name.
    """
    if value is None:
        return "null"
    if value is True or value is False:
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, bytes):
        return "string"
    if isinstance(value, PhpObject):
        return value.class_name
    return "array"


_GETTYPE_NAMES = {
    "null": "NULL",
    "bool": "boolean",
    "int": "integer",
    "float": "double",
    "string": "string",
    "array": "array",
}


def gettype_name(value: Value) -> str:
    """The type as ``gettype()`` names it: ``integer``, ``double``, ``NULL``."""
    if isinstance(value, PhpObject):
        return "object"
    return _GETTYPE_NAMES[type_name(value)]
