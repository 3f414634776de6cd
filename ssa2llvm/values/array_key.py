"""Array keys: how PHP turns an offset into the int or string that an array is indexed by.

Follows Zend/zend_hash.h:_zend_handle_numeric_str_ex and Zend/zend_execute.c:zend_fetch_dimension_address_inner.
"""

from __future__ import annotations

import re

from ssa2llvm.ir.literals import Key
from ssa2llvm.values.convert import float_to_int_checked
from ssa2llvm.values.host import Host, PhpError
from ssa2llvm.values.types import Value, fits_int

_CANONICAL_INT = re.compile(rb"-?[1-9][0-9]{0,18}|0")

ILLEGAL_OFFSET = "Illegal offset type"
ILLEGAL_OFFSET_IN_ISSET = "Illegal offset type in isset or empty"
ILLEGAL_OFFSET_IN_UNSET = "Illegal offset type in unset"


def string_key(text: bytes) -> Key:
    """The key of a string offset: the canonical decimal text of an int is that int, all else stays a string."""
    if _CANONICAL_INT.fullmatch(text) is None:
        return text
    number = int(text)
    return number if fits_int(number) else text


def offset_key(offset: Value, host: Host, illegal: str = ILLEGAL_OFFSET) -> Key:
    """The key of any offset: null is ``""``, bools and floats are ints (a lossy float is reported).

    Raises PHP's TypeError with the text ``illegal`` for arrays and objects.
    """
    if isinstance(offset, bytes):
        return string_key(offset)
    if isinstance(offset, int):
        return int(offset)
    if offset is None:
        return b""
    if isinstance(offset, float):
        return float_to_int_checked(offset, host)
    raise PhpError("TypeError", illegal)
