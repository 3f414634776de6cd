"""Shared by the tests of inference: PHP text to facts."""

from __future__ import annotations

from dataclasses import dataclass

from ssa2llvm.analysis.context import ScriptContext
from ssa2llvm.analysis.facts import Facts
from ssa2llvm.analysis.infer_script import infer_script
from ssa2llvm.analysis.ranges import Range
from ssa2llvm.formats.load import load_bytes
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function, Instr
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ssa.build import SsaContext, build_ssa


@dataclass
class Inferred:
    """One function of a script with its sound facts."""

    function: Function
    facts: Facts

    def instr(self, opcode: Opcode, nth: int = 0) -> Instr:
        """The n-th instruction with this opcode."""
        return [instr for instr in self.function.instructions() if instr.opcode == opcode][nth]

    def returned(self) -> str:
        """What the function returns, as PHP prints types and ranges."""
        returns = self.facts.returns
        return self.text_of(returns.types, returns.range)

    @staticmethod
    def text_of(types: int, known: Range | None) -> str:
        """``[long] RANGE[0..9]``."""
        return Facts([types], [known], [None]).text(0)


def infer_php(source: str, exported: tuple[str, ...] | None = ()) -> dict[str, Inferred]:
    """The functions of ``<?php`` + ``source`` by name."""
    script = load_bytes(b"<?php " + source.encode(), "test.php")
    ssa_context = SsaContext(script)
    functions = [build_ssa(op_array, Config.SOUND, ssa_context) for op_array in script.op_arrays()]
    facts = infer_script(functions, ScriptContext(script, Config.SOUND), exported)
    return {f.op_array.name: Inferred(f, known) for f, known in zip(functions, facts, strict=True)}
