"""What every node of the syntax tree has, and the words shared by several of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import NamedTuple


class Where(NamedTuple):
    """PHP's line of a node, and the byte offset of its first token."""

    line: int
    offset: int


@dataclass(slots=True)
class Node:
    """Any construct."""

    where: Where

    @property
    def line(self) -> int:
        """PHP's line."""
        return self.where.line

    def children(self) -> Iterator[Node]:
        """The nodes directly below, in source order."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Node):
                yield value
            elif isinstance(value, list):
                yield from (item for item in value if isinstance(item, Node))


class NameForm(Enum):
    """How a name was written: ``a\\b``, ``\\a\\b`` or ``namespace\\a\\b`` (the last two without their prefix)."""

    PLAIN = "plain"
    FULL = "full"
    RELATIVE = "relative"


class ArraySyntax(Enum):
    """``array()``, ``[]`` or ``list()``."""

    LONG = "array"
    SHORT = "[]"
    LIST = "list"
