"""Literal values of a program, exact.

A literal is a Python value: ``None``, ``bool``, ``int`` (64 bit), ``float``, ``bytes`` (a PHP string), or one of
the classes here. What PHP's dump text cannot tell (array contents, floats past six digits, strings past a NUL) is
wrapped in ``Inexact``, so that no later stage can mistake a guess for the program.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

Key: TypeAlias = int | bytes


@dataclass(frozen=True, slots=True)
class ArrayConst:
    """A constant array: entries in order, each ``(key, value)``; ``packed`` as PHP stores it (a list without a
    hash)."""

    entries: tuple[tuple[Key, Literal], ...]
    packed: bool


@dataclass(frozen=True, slots=True)
class ConstAst:
    """A constant expression that PHP evaluates at run time (``zval(type=11)``). ``text`` is its source form, "" if
    unknown."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class JumpTable:
    """The table of SWITCH_LONG, SWITCH_STRING and MATCH: ``(key, target)`` in order; a target is an instruction
    number in the linear form. In block form the targets are the block's successors in the same order."""

    entries: tuple[tuple[Key, int], ...]


@dataclass(frozen=True, slots=True)
class Inexact:
    """A literal of which the dump text shows only ``shown`` (a float to six digits, a string that may go on behind
    a NUL) or nothing but its kind (``shown`` None: an array)."""

    shown: float | bytes | None


Literal: TypeAlias = bool | int | float | bytes | ArrayConst | ConstAst | JumpTable | Inexact | None


def same_literal(left: Literal, right: Literal) -> bool:
    """Whether two literals are the same PHP value: of one type, floats bit for bit (-0.0 is not 0.0, NaN is NaN)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return literal_key(left) == literal_key(right)
    if isinstance(left, ArrayConst) and isinstance(right, ArrayConst):
        return (
            left.packed == right.packed
            and len(left.entries) == len(right.entries)
            and all(
                type(a[0]) is type(b[0]) and a[0] == b[0] and same_literal(a[1], b[1])
                for a, b in zip(left.entries, right.entries, strict=True)
            )
        )
    return left == right


def literal_key(value: Literal) -> tuple[object, ...]:
    """Return a hashable key that is equal exactly for ``same_literal`` scalars (the pool's index)."""
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else value.hex())
    return (type(value).__name__, value)
