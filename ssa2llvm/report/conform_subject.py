"""One function under test: its op array, and the forms that the stages make of it under Config.ZEND."""

from __future__ import annotations

from dataclasses import dataclass, field

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.infer import infer
from ssa2llvm.analysis.infer_script import infer_zend_script
from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.formats.zend_block_printer import print_liveness, print_ssa_vars
from ssa2llvm.formats.zend_printer import print_op_array
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.report.conform_oracle import COMPILED, LEVELS, Level
from ssa2llvm.report.jit_text import jit_text
from ssa2llvm.ssa.build import SsaContext, build_ssa
from ssa2llvm.ssa.liveness import slot_masks


class Subject:
    """One function under test. Graph and SSA form are built when a stage first asks for them."""

    def __init__(self, op_array: OpArray, index: int, context: ScriptSubject) -> None:
        self.op_array = op_array
        self.index = index
        self.script = context.script
        self._context = context
        self._graph: Function | None = None
        self._ssa: Function | None = None

    def again(self) -> Subject:
        """The same function, of which no form has been built (or changed by a pass) yet."""
        return Subject(self.op_array, self.index, self._context)

    def opcodes_text(self) -> bytes:
        """The code itself. PHP shows live ranges only of what its compiler made."""
        start = self._context.level.start
        return print_op_array(self.op_array, start.decode(), with_live_ranges=start == COMPILED)

    @property
    def graph(self) -> Function:
        """Blocks, dominators and loops, without SSA names."""
        if self._graph is None:
            self._graph = build_cfg(self.op_array, Config.ZEND)
        return self._graph

    @property
    def ssa(self) -> Function:
        """SSA form."""
        if self._ssa is None:
            self._ssa = build_ssa(self.op_array, Config.ZEND, self._context.ssa)
        return self._ssa

    def liveness_text(self) -> bytes:
        """What each block reads and writes, and what is live around it."""
        return print_liveness(self.graph, *slot_masks(self.graph))

    def facts(self) -> Facts:
        """Types and ranges of all names, the function seen on its own (PHP without pass 7)."""
        return infer(self.ssa, self._context.inference)

    def types_text(self) -> bytes:
        """All names with what inference finds out about them."""
        if self._context.level.options.interprocedural:
            function, facts = self._context.inferred(self.index)
            if function is None:
                raise CompileError("PHP has an SSA form here, we have none", self.script.filename)
            return print_ssa_vars(function, facts)
        return print_ssa_vars(self.ssa, self.facts())

    def counted_text(self) -> bytes:
        """SSA form as the JIT builds it, with reference counts."""
        function, facts = self._context.inferred(self.index)
        return jit_text(self.op_array, function, facts, self._context.inference)


@dataclass(slots=True)
class ScriptSubject:
    """What the functions of one script share."""

    script: Script
    level: Level = LEVELS["20"]
    ssa: SsaContext = field(init=False)
    inference: ScriptContext = field(init=False)
    _inferred: list[tuple[Function | None, Facts | None]] | None = None

    def __post_init__(self) -> None:
        self.ssa = SsaContext(self.script)
        self.inference = ScriptContext(self.script, Config.ZEND, self.level.options)

    def subjects(self) -> list[Subject]:
        """Its functions, in PHP's order."""
        return [Subject(op_array, index, self) for index, op_array in enumerate(self.script.op_arrays())]

    def inferred(self, index: int) -> tuple[Function | None, Facts | None]:
        """SSA form and facts of a function, the script inferred as a whole; None where PHP has neither."""
        if self._inferred is None:
            self._inferred = infer_zend_script(self.script, self.level.options)
        return self._inferred[index]
