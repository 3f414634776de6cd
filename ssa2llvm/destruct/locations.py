"""Where values live once there are no SSA names any more.

A location is a place of one representation that several SSA names share.  Its *storage class* says what kind of place
it is.  Most are `STACK`: they belong to nobody but this call, any names may share one, and names of one PHP variable
may be in different ones.  A variable that somebody else can see (or that outlives the call) has storage of its own:
all its names are in its one location, and names of other variables never are.

Zend has one kind of place for all (a slot of the call frame); everything else hangs from it as a reference.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Storage(Enum):
    """What kind of place a location is."""

    STACK = "stack slot"
    FRAME = "heap frame"
    GLOBAL = "global"
    STATIC = "static"
    CELL = "reference cell"

    @property
    def is_private(self) -> bool:
        """Whether only this call's own instructions can reach it, so that names may share it freely."""
        return self is Storage.STACK


@dataclass(slots=True)
class Location:
    """A place.  `names` are the SSA names in it, ascending; `slot` is the variable that the first of them belongs to
    , good for a readable label."""

    id: int
    representation: object
    storage: Storage = Storage.STACK
    slot: int = -1
    names: list[int] = field(default_factory=list)
