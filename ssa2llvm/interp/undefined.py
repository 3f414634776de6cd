"""Markers that a cell can hold besides values."""

from __future__ import annotations

from typing import Final


class Undefined:
    """The state of a variable that was never assigned, or was unset (``IS_UNDEF``)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNDEF"


class Consumed:
    """The state of a cell whose value a later definition of the same variable took over; reading it is a compiler's
    bug.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "CONSUMED"


UNDEF: Final = Undefined()
CONSUMED: Final = Consumed()
