"""Declared types of zir: ``int|null``, ``?int``, ``A&B``, ``mask(0x400)`` for bits that have no word."""

from __future__ import annotations

import re
from dataclasses import replace

from ssa2llvm.formats.zir_line import Line
from ssa2llvm.formats.zir_names import read_name, read_string, write_name, write_string
from ssa2llvm.ir.op_array import NO_TYPE, TypeDecl
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_ARRAY,
    MAY_BE_BOOL,
    MAY_BE_CALLABLE,
    MAY_BE_DOUBLE,
    MAY_BE_FALSE,
    MAY_BE_ITERABLE,
    MAY_BE_LONG,
    MAY_BE_NEVER,
    MAY_BE_NULL,
    MAY_BE_OBJECT,
    MAY_BE_RESOURCE,
    MAY_BE_STATIC,
    MAY_BE_STRING,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
    MAY_BE_VOID,
    declaration_text,
)

TYPE_WORDS: tuple[tuple[int, str], ...] = (
    (MAY_BE_ANY, "mixed"),
    (MAY_BE_STATIC, "static"),
    (MAY_BE_ARRAY, "array"),
    (MAY_BE_STRING, "string"),
    (MAY_BE_LONG, "int"),
    (MAY_BE_DOUBLE, "float"),
    (MAY_BE_ITERABLE, "iterable"),
    (MAY_BE_OBJECT, "object"),
    (MAY_BE_CALLABLE, "callable"),
    (MAY_BE_BOOL, "bool"),
    (MAY_BE_FALSE, "false"),
    (MAY_BE_TRUE, "true"),
    (MAY_BE_VOID, "void"),
    (MAY_BE_NEVER, "never"),
    (MAY_BE_RESOURCE, "resource"),
    (MAY_BE_UNDEF, "undef"),
    (MAY_BE_NULL, "null"),
)
"""Words of declared types, in PHP's order (Zend/zend_compile.c:zend_type_to_string)."""
_TYPE_MASK = {word: mask for mask, word in TYPE_WORDS}


def _text_of(declared: TypeDecl) -> str:
    return declaration_text(declared.mask, declared.class_names, declared.intersection)


def write_type(declared: TypeDecl) -> str:
    """A declared type: ``int|null``, ``A&B``; its text follows as ``as "(A&B)|C"`` where it cannot be derived."""
    words = [write_name(name) for name in declared.class_names]
    mask = declared.mask
    for bits, word in TYPE_WORDS:
        if mask & bits == bits:
            words.append(word)
            mask &= ~bits
    if mask:
        words.append(f"mask({mask:#x})")
    text = ("&" if declared.intersection else "|").join(words)
    if declared.text not in ("", _text_of(declared)):
        text += f" as {write_string(declared.text.encode('utf-8', 'surrogateescape'))}"
    return text


_HEX = re.compile(r"0x[0-9a-fA-F]+")


def read_type(line: Line) -> TypeDecl:
    """A declared type, ``?int`` included; fails if none comes next."""
    mask = MAY_BE_NULL if line.eat("?") else 0
    names: list[str] = []
    separator = ""
    while True:
        if line.eat("mask("):
            match = line.take(_HEX)
            if match is None:
                line.fail("expected a hexadecimal mask")
            mask |= int(match.group(), 16)
            line.expect(")")
        else:
            name = read_name(line, "a type")
            if name.lower() in _TYPE_MASK:
                mask |= _TYPE_MASK[name.lower()]
            else:
                names.append(name)
        found = "|" if line.eat("|") else "&" if _another_type(line) else ""
        if not found:
            break
        if separator and found != separator:
            line.fail("a type joins its parts either by | or by &")
        separator = found
    declared = TypeDecl(mask, tuple(names), separator == "&")
    text = read_string(line) if line.eat("as") else None
    if not declared.is_set:
        return NO_TYPE
    return replace(declared, text=_text_of(declared) if text is None else text.decode("utf-8", "surrogateescape"))


_AMPERSAND = re.compile(r"&(?![ \t]*(?:\$|\.\.\.))")


def _another_type(line: Line) -> bool:
    """Whether an ``&`` joins types; before ``$`` it marks a reference parameter."""
    return line.take(_AMPERSAND) is not None
