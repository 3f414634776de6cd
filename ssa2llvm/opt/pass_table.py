"""THE pass table: what a pass is, which passes there are, and in which order they may run.

A pass is a function that edits one ``Unit`` (a function in SSA form, with its cached analyses) or a whole program,
and returns how many changes it made. Its row says from which level on it runs, which analyses stay right after it,
which of Zend's pass bits it stands for, and what to read about it. Order is data too: pairs (earlier, later, reason)
that the pipeline checks before it runs anything (the habit of Go's cmd/compile/internal/ssa/compile.go).

``register_pass`` adds a user's pass to the table; it then takes part in every pipeline of its level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ssa2llvm.opt.unit import ANALYSES, Program, Unit

ZEND_PASSES = {
    0x1: "simple local optimizations",
    0x4: "jump optimization",
    0x8: "call optimization",
    0x10: "block pass",
    0x20: "data-flow analysis pass",
    0x40: "call graph analysis",
    0x80: "SCCP",
    0x100: "temporary variable colouring",
    0x200: "NOP removal",
    0x400: "literal compaction",
    0x800: "stack size adjustment",
    0x1000: "unused variable removal",
    0x2000: "DCE",
    0x4000: "constant collection",
    0x8000: "trivial function inlining",
    0x10000: "ignore operator overloading",
}
"""Zend's pass bits (``opcache.optimization_level``), for ``--zend-passes`` and for the rows below."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One row. ``run`` edits its unit and returns the number of changes; ``preserves`` names analyses still right
    after changes were made; ``level`` is the lowest -O level that includes it; ``zend_bits`` is 0 if Zend has no such
    pass."""

    name: str
    run: Callable[[Unit], int]
    doc: str
    level: int = 1
    preserves: frozenset[str] = frozenset()
    zend_bits: int = 0
    paper: str = ""


@dataclass(frozen=True, slots=True)
class ProgramPass:
    """A pass over all functions of a program at once. It invalidates the analyses of the units it changes itself."""

    name: str
    run: Callable[[Program], int]
    doc: str
    level: int = 1
    zend_bits: int = 0
    paper: str = ""


AnyPass = Pass | ProgramPass


@dataclass(frozen=True, slots=True)
class Order:
    """``earlier`` runs before ``later`` wherever both run, because ``reason``."""

    earlier: str
    later: str
    reason: str


class PassTable:
    """An ordered set of passes with order constraints. The module keeps one; tests make their own."""

    def __init__(self, passes: Sequence[AnyPass] = (), orders: Sequence[Order] = ()) -> None:
        self._passes: dict[str, AnyPass] = {}
        self._orders: list[Order] = []
        for row in passes:
            self.register(row)
        self._orders.extend(orders)

    @property
    def passes(self) -> list[AnyPass]:
        """All rows in running order."""
        return list(self._passes.values())

    @property
    def orders(self) -> list[Order]:
        """All order constraints."""
        return list(self._orders)

    def __getitem__(self, name: str) -> AnyPass:
        return self._passes[name]

    def __contains__(self, name: str) -> bool:
        return name in self._passes

    def register(self, row: AnyPass, after: str | None = None, orders: Sequence[Order] = ()) -> None:
        """Add a pass at the end, or right behind the pass ``after``. Raises ValueError for a name that is taken, an
        unknown ``after``, or an unknown analysis in ``preserves``."""
        if row.name in self._passes:
            raise ValueError(f"there is a pass '{row.name}' already")
        unknown = sorted(row.preserves - ANALYSES.keys()) if isinstance(row, Pass) else []
        if unknown:
            raise ValueError(f"pass '{row.name}' preserves unknown analyses: {', '.join(unknown)}")
        if after is not None and after not in self._passes:
            raise ValueError(f"no pass '{after}' to come after")
        names = list(self._passes)
        position = len(names) if after is None else names.index(after) + 1
        rows = list(self._passes.values())
        rows.insert(position, row)
        self._passes = {entry.name: entry for entry in rows}
        self._orders.extend(orders)

    def unregister(self, name: str) -> None:
        """Take a user's pass out again, with its order constraints."""
        del self._passes[name]
        self._orders = [order for order in self._orders if name not in (order.earlier, order.later)]

    def check(self, names: Sequence[str]) -> None:
        """Check a running order (a name may occur repeatedly). Raises ValueError naming the constraint that it
        breaks, or an unknown pass. For a repeated pass the first occurrence of ``earlier`` must precede the first
        of ``later``."""
        for name in names:
            if name not in self._passes:
                raise ValueError(f"no pass '{name}'; there are: {', '.join(self._passes)}")
        for order in self._orders:
            if order.earlier in names and order.later in names:
                if names.index(order.earlier) > names.index(order.later):
                    raise ValueError(f"pass '{order.earlier}' must come before '{order.later}': {order.reason}")
