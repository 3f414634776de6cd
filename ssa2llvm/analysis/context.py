"""What inference of one function may use of the rest of the program: symbols, and facts that cross calls.

One object per script and configuration. ``returns`` and ``arguments`` start empty and are filled by ``infer_script``:
in PHP's order for Config.ZEND, to a fixpoint for Config.SOUND. A function inferred on its own (without
``infer_script``) sees declared types only.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.analysis.borrowed_parameters import BorrowedParameters
from ssa2llvm.analysis.calls import Symbols
from ssa2llvm.analysis.facts import ClassFact, ReturnFact
from ssa2llvm.analysis.lattice import ANY_VALUE, declared_mask
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.analysis.reference_cells import ReferenceCells
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import FnFlags, OpArray, Script
from ssa2llvm.ir.types import MAY_BE_COUNTED, MAY_BE_RC1, MAY_BE_RCN, MAY_BE_REF


@dataclass(slots=True)
class ArgumentFact:
    """What all callers together pass as one parameter; ``types`` 0: nobody calls."""

    types: int = 0
    range: Range | None = None
    nested: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """``interprocedural``: call results are known (PHP's pass 7). The others concern Config.ZEND alone.
    ``overloading``: objects may overload operators (unless level bit 0x10000). ``direct_calls``: calls of known
    functions were made direct first (pass 4). ``narrow_to_double``: integer literals that are only added to floats
    become floats (level bit 0x20000). ``counts_references``: the SSA form is the JIT's (``ssa.build``,
    ``rc_inference``), and masks keep what was found out of reference counts (rc1, rcn)."""

    interprocedural: bool = True
    overloading: bool = True
    direct_calls: bool = False
    narrow_to_double: bool = False
    counts_references: bool = False


class ScriptContext:
    """A script seen from each of its functions."""

    def __init__(
        self, script: Script | None = None, config: Config = Config.SOUND, options: Options | None = None
    ) -> None:
        self.script = script
        self.config = config
        self.options = options if options is not None else Options()
        self.symbols = Symbols(script, config)
        self.counts = MAY_BE_RC1 | MAY_BE_RCN if config is Config.ZEND else 0
        """The bits of reference counts, if they are inferred (``reference_counts``)."""
        self.cells: ReferenceCells | None = None
        """What references may lead to; None: to anything."""
        self.only_looks_at = BorrowedParameters()
        """Whether a function only looks at an array that is passed to it."""
        self._returns: dict[int, ReturnFact] = {}
        self._arguments: dict[int, list[ArgumentFact] | None] = {}

    def returned(self, op_array: OpArray) -> ReturnFact | None:
        """What a function of the script returns, as far as it was analysed."""
        return self._returns.get(id(op_array))

    def set_returned(self, op_array: OpArray, fact: ReturnFact) -> None:
        """Record what a function returns."""
        self._returns[id(op_array)] = fact

    def arguments(self, op_array: OpArray) -> list[ArgumentFact] | None:
        """What the callers of a function pass, parameter by parameter; None if not all callers are known."""
        return self._arguments.get(id(op_array))

    def set_arguments(self, op_array: OpArray, facts: list[ArgumentFact] | None) -> None:
        """Record what the callers of a function pass."""
        self._arguments[id(op_array)] = facts

    def signature_returned(self, op_array: OpArray) -> ReturnFact:
        """What a function returns by its declaration alone
        (zend_inference.c:zend_get_return_info_from_signature_only)."""
        mask, cls = ANY_VALUE, None
        if FnFlags.HAS_RETURN_TYPE in op_array.flags:
            mask = declared_mask(op_array.return_type)
            cls = self._declared_class(op_array)
        if mask & MAY_BE_COUNTED:
            mask |= self.counts
        if FnFlags.RETURNS_REFERENCE in op_array.flags and FnFlags.GENERATOR not in op_array.flags:
            return ReturnFact(mask | MAY_BE_REF)
        return ReturnFact(mask, cls)

    def _declared_class(self, op_array: OpArray) -> ClassFact | None:
        names = op_array.return_type.class_names
        if len(names) != 1:
            return None
        found = self.symbols.classes.bound(names[0])
        return ClassFact(found.name, is_instanceof=True) if found is not None else None
