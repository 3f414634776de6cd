"""Inference's facts as SCCP wants them: types, and the single value that type and range alone prove."""

from __future__ import annotations

from collections.abc import Sequence

from ssa2llvm.analysis.facts import Facts
from ssa2llvm.ir.types import (
    MAY_BE_ANY,
    MAY_BE_FALSE,
    MAY_BE_INDIRECT,
    MAY_BE_LONG,
    MAY_BE_NULL,
    MAY_BE_REF,
    MAY_BE_TRUE,
    MAY_BE_UNDEF,
)
from ssa2llvm.opt.lattice import Constant

_ONE_VALUE = {MAY_BE_NULL: Constant(None), MAY_BE_FALSE: Constant(False), MAY_BE_TRUE: Constant(True)}


class ConstantFacts:
    """An adapter over ``Facts`` (Zend/Optimizer/sccp.c:value_from_type_and_range)."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @property
    def types(self) -> Sequence[int]:
        """Type mask of each name."""
        return self._facts.types

    def single_value(self, name: int) -> Constant | None:
        """The only value the name can have: null, false, true, or an integer whose range is one point."""
        mask = self._facts.types[name] & (MAY_BE_ANY | MAY_BE_UNDEF | MAY_BE_REF | MAY_BE_INDIRECT)
        if mask == MAY_BE_LONG:
            known = self._facts.ranges[name]
            if known is not None and not known.flagged and known.min == known.max:
                return Constant(known.min)
            return None
        return _ONE_VALUE.get(mask)
