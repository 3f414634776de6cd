"""The type lists of PHP's dump text, ``[ref, null, long, packed array [long] of [long]]``, back into masks.

The inverse of ``ir.types.type_text`` (Zend/Optimizer/zend_dump.c:zend_dump_type_info) wherever the text is one-to-one;
a mask prints the same again after reading. ``hash array`` without a key list stands for the canonical kinds.
"""

from __future__ import annotations

import re

from ssa2llvm.ir.types import (
    ARRAY_SHIFT,
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_ARRAY_EMPTY,
    MAY_BE_ARRAY_KEY_ANY,
    MAY_BE_ARRAY_KEY_LONG,
    MAY_BE_ARRAY_KEY_STRING,
    MAY_BE_ARRAY_NUMERIC_HASH,
    MAY_BE_ARRAY_PACKED,
    MAY_BE_ARRAY_STRING_HASH,
    MAY_BE_BOOL,
    MAY_BE_CLASS,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RC1,
    MAY_BE_RCN,
    MAY_BE_REF,
    MAY_BE_RESOURCE,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)

_WORDS: dict[bytes, int] = {
    b"undef": MAY_BE_UNDEF,
    b"ind": MAY_BE_INDIRECT,
    b"ref": MAY_BE_REF,
    b"rc1": MAY_BE_RC1,
    b"rcn": MAY_BE_RCN,
    b"any": MAY_BE_ANY,
    b"null": MAY_BE_NULL,
    b"bool": MAY_BE_BOOL,
    b"false": MAY_BE_FALSE,
    b"true": MAY_BE_TRUE,
    b"long": MAY_BE_LONG,
    b"double": MAY_BE_DOUBLE,
    b"string": MAY_BE_STRING,
    b"array": MAY_BE_ARRAY,
    b"object": MAY_BE_OBJECT,
    b"resource": MAY_BE_RESOURCE,
    b"class": MAY_BE_CLASS,
}
_ITEM = re.compile(
    rb"(?P<kinds>empty |packed |hash |\[[a-z, ]+\] )?array(?P<keys> \[(?:long|string)\])?(?: of \[(?P<of>[a-z, ]*)\])?"
    rb"|(?P<word>[a-z0-9]+)(?: \((?P<instanceof>instanceof )?(?P<class>[^)]*)\))?"
)
_KINDS = {
    b"empty": MAY_BE_ARRAY_EMPTY,
    b"packed": MAY_BE_ARRAY_PACKED,
    b"hash": MAY_BE_ARRAY_NUMERIC_HASH | MAY_BE_ARRAY_STRING_HASH,
}


def read_type(text: bytes) -> tuple[int, bytes | None, bool] | None:
    """Read `` [ … ]`` or ``[ … ]``: (mask, class name, whether it is ``instanceof``), or None if it is no type list."""
    text = text.strip(b" ")
    if not (text.startswith(b"[") and text.endswith(b"]")):
        return None
    mask, class_name, is_instanceof = 0, None, False
    position, end = 1, len(text) - 1
    while position < end:
        item = _ITEM.match(text, position, end)
        if item is None:
            return None
        if item["word"]:
            bits = _WORDS.get(item["word"])
            if bits is None:
                return None
            if item["class"] is not None:
                class_name, is_instanceof = item["class"], item["instanceof"] is not None
        else:
            bits = _array_mask(item["kinds"], item["keys"], item["of"])
        mask |= bits
        position = item.end()
        if position < end:
            if not text.startswith(b", ", position):
                return None
            position += 2
    return mask, class_name, is_instanceof


def read_type_mask(text: bytes) -> int | None:
    """The mask of a type list, None if it is none."""
    found = read_type(text)
    return found[0] if found else None


def _array_mask(kinds: bytes | None, keys: bytes | None, elements: bytes | None) -> int:
    mask = MAY_BE_ARRAY
    if kinds is None:
        # Nothing in front: all kinds, or none at all (a bare TYPE_CHECK mask). Only the former shows elements.
        if keys is not None:
            mask |= MAY_BE_ARRAY_KEY_LONG if b"long" in keys else MAY_BE_ARRAY_KEY_STRING
        elif elements is not None:
            mask |= MAY_BE_ARRAY_KEY_ANY
    else:
        for word in kinds.strip(b"[] ").split(b", "):
            mask |= _KINDS.get(word, 0)
        if keys is not None:
            mask &= ~(MAY_BE_ARRAY_STRING_HASH if b"long" in keys else MAY_BE_ARRAY_KEY_LONG)
    for word in elements.split(b", ") if elements else []:
        mask |= _WORDS.get(word, 0) << ARRAY_SHIFT
    return mask
