"""Run programs in the interpreter and check every value ever defined or used against the inferred facts.

Each definition of an SSA name, phis and pis included, is reported by the interpreter; the value must lie in the
name's fact (``analysis.holds``). So is each use, for what a reference leads to may have been changed through another
name since: every value that is ever seen through a reference is held against the cell that inference put it in. A value
outside is a wrong fact: of ours under Config.SOUND, a bug; of PHP's optimizer under Config.ZEND, an entry for
docs/zend-bugs.md.

Functions without SSA form (Config.ZEND refuses some) run in linear form, unobserved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ssa2llvm.analysis.context import Options, ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.holds import why_not
from ssa2llvm.analysis.infer_script import infer_script, infer_zend_script
from ssa2llvm.interp.code import Code, linear_code, ssa_code
from ssa2llvm.interp.run import Outcome, make_machine, run_machine
from ssa2llvm.interp.trace import show
from ssa2llvm.interp.undefined import Consumed, Undefined
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.types import MAY_BE_UNDEF
from ssa2llvm.ssa.build import SsaContext, build_ssa

_HALF_DONE = frozenset({Opcode.FETCH_DIM_W, Opcode.FETCH_DIM_RW, Opcode.FETCH_DIM_FUNC_ARG, Opcode.FETCH_LIST_W})
"""The fact of a variable whose element is fetched to be written describes it after the next instruction has."""


_ONE_EDGE = frozenset({Opcode.FE_FETCH_R, Opcode.FE_FETCH_RW, Opcode.CATCH})
"""Instructions that define their variable on one way out only."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A value that was seen where the facts excluded it."""

    file: str
    line: int
    function: str
    name: str
    opcode: str
    fact: str
    value: str
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}: in {self.function}: {self.name} (by {self.opcode}) was {self.value}, "
            f"but is inferred to be {self.fact}: {self.reason}"
        )


class Auditor:
    """The interpreter's observer: collects the first wrong value of each name."""

    def __init__(self, analysed: Sequence[tuple[Function, Facts]]) -> None:
        self.findings: list[Finding] = []
        self.checked = 0
        self._analysed = {id(function.op_array): (function, facts) for function, facts in analysed}
        self._reported: set[tuple[int, int]] = set()

    def defined(self, op_array: OpArray, name: int, content: object) -> None:
        """See interp.machine.Observer."""
        entry = self._analysed.get(id(op_array))
        if entry is None or isinstance(content, Consumed):
            return
        var = entry[0].ssa_vars[name]
        if var.no_val or (var.definition is not None and var.definition.opcode in _HALF_DONE):
            return
        self._check(op_array, entry, name, content)

    def used(self, op_array: OpArray, name: int, content: object) -> None:
        """See interp.machine.Observer. Facts of PHP's are not asked to hold later than they were made."""
        entry = self._analysed.get(id(op_array))
        if entry is None or entry[0].config is not Config.SOUND or isinstance(content, Consumed):
            return
        if not entry[0].ssa_vars[name].no_val:
            self._check(op_array, entry, name, content)

    def _check(self, op_array: OpArray, entry: tuple[Function, Facts], name: int, content: object) -> None:
        function, facts = entry
        self.checked += 1
        mask = facts.types[name]
        if isinstance(content, Undefined):
            reason = "" if mask & MAY_BE_UNDEF or _holds_on_one_edge(function, name) else "is undefined"
        else:
            reason = why_not(content, mask, facts.ranges[name], facts.nested_in(name))
        if reason and (id(op_array), name) not in self._reported:
            self._reported.add((id(op_array), name))
            self.findings.append(_finding(function, facts, name, content, reason))


def _holds_on_one_edge(function: Function, name: int) -> bool:
    """Whether the name means something only on one way out of its instruction (``??``, foreach), so that on the other
    it holds nothing."""
    var = function.ssa_vars[name]
    if var.slot >= len(function.op_array.cvs):
        return True
    return var.definition is not None and var.definition.opcode in _ONE_EDGE


def _finding(function: Function, facts: Facts, name: int, content: object, reason: str) -> Finding:
    var = function.ssa_vars[name]
    opcode, line = "phi", 0
    if var.definition is not None:
        opcode, line = var.definition.opcode.name, var.definition.line
    elif var.definition_phi is not None:
        opcode = "pi" if var.definition_phi.is_pi else "phi"
        instrs = function.blocks[var.definition_phi.block].instrs
        line = instrs[0].line if instrs else 0
    return Finding(
        function.op_array.filename,
        line,
        function.op_array.name,
        function.name_text(name),
        opcode,
        facts.text(name),
        show(content),
        reason,
    )


def analyse(script: Script, config: Config) -> list[tuple[Function, Facts]]:
    """The functions of a script with their facts; under Config.ZEND those that PHP analyses, at level 0x60."""
    if config is Config.ZEND:
        found = infer_zend_script(script, Options())
        return [(function, facts) for function, facts in found if function is not None and facts is not None]
    ssa_context = SsaContext(script)
    functions = [build_ssa(op_array, config, ssa_context) for op_array in script.op_arrays()]
    return list(zip(functions, infer_script(functions, ScriptContext(script, config)), strict=True))


def audit(script: Script, config: Config, step_limit: int | None = None) -> tuple[Auditor, Outcome]:
    """Run ``script`` and check its facts; return what was found, and how the run ended."""
    analysed = analyse(script, config)
    functions = {id(function.op_array): function for function, _ in analysed}

    def compile_function(op_array: OpArray) -> Code:
        function = functions.get(id(op_array))
        return linear_code(op_array) if function is None else ssa_code(function)

    auditor = Auditor(analysed)
    machine = make_machine(script, compile_function, observer=auditor, step_limit=step_limit)
    return auditor, run_machine(machine)
