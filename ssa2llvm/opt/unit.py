"""What a pass works on: a function with its cached analyses, and the program it belongs to.

An analysis is computed when first asked for and kept until a pass that does not preserve it has changed something.
The names in ``ANALYSES`` are the whole list; adding an analysis is adding a row (``opt.analyses``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.infer_script import infer_script
from ssa2llvm.analysis.settled_arguments import settled_context
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.opt.known_defaults import settle_known_values
from ssa2llvm.ssa.build import build_ssa


@dataclass(slots=True, eq=False)
class Program:
    """A script on its way through the optimizer: one unit for each op array, in PHP's order, and behind them the
    variants of functions that a pass made. ``context`` is what
    inference knows of the whole script."""

    script: Script
    units: list[Unit] = field(default_factory=list)
    exported: Iterable[str] | None = ()
    """The functions that unknown callers may call too (None: all)."""
    context: ScriptContext = field(init=False)
    cache: dict[str, Any] = field(default_factory=dict)
    """Results of analyses of the whole program, by name."""
    hooks: dict[str, Callable[..., None]] = field(default_factory=dict)
    """What a pass calls to show its work, by pass name: ``sccp`` calls with (unit, Sccp) once it has solved a unit,
    whose trace it then records."""

    def __post_init__(self) -> None:
        self.context = ScriptContext(self.script, Config.SOUND)

    def unit_of(self, op_array: OpArray) -> Unit | None:
        """The unit made from ``op_array``."""
        return next((unit for unit in self.units if unit.function.op_array is op_array), None)


@dataclass(slots=True, eq=False)
class Unit:
    """One function under optimization."""

    function: Function
    program: Program
    _cache: dict[str, Any] = field(default_factory=dict)

    def get(self, analysis: str) -> Any:
        """The result of the named analysis of ``ANALYSES``, computed now or kept from before. Raises KeyError."""
        if analysis not in self._cache:
            self._cache[analysis] = ANALYSES[analysis](self)
        return self._cache[analysis]

    def put(self, analysis: str, result: Any) -> None:
        """Keep a result that was computed elsewhere (inference of the whole script)."""
        self._cache[analysis] = result

    def invalidate(self, preserved: frozenset[str] = frozenset()) -> None:
        """Forget every analysis but the preserved ones."""
        self._cache = {name: result for name, result in self._cache.items() if name in preserved}


ANALYSES: dict[str, Callable[[Unit], Any]] = {}
"""Analysis name → how it is computed. Filled by the modules that know how (see ``opt.analyses``)."""


def build_program(script: Script, exported: Iterable[str] | None = ()) -> Program:
    """Bring every op array of ``script`` (whose known defaults are settled on the way) into SSA form and infer facts
    over all of them. ``exported`` names the functions that unknown callers may call too (None: all). Raises
    CompileError for a malformed op array."""
    settle_known_values(script)
    program = Program(script, exported=exported)
    context = settled_context(script, program.context.symbols)
    functions = [build_ssa(op_array, Config.SOUND, context) for op_array in script.op_arrays()]
    program.units = [Unit(function, program) for function in functions]
    infer_program(program)
    return program


def infer_program(program: Program) -> None:
    """Infer the facts of all units together, and forget what else was known of them."""
    functions = [unit.function for unit in program.units]
    for unit, facts in zip(program.units, infer_script(functions, program.context, program.exported), strict=True):
        unit.invalidate()
        unit.put("facts", facts)
