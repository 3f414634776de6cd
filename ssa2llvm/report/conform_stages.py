"""The stages that are compared with PHP: how each looks in PHP's dump, and how we make it.

A row of ``STAGES`` names the section of the dump and gives our text for the same function. ``chains`` and ``types``
share PHP's section "SSA Variable": chains are its NOVAL marks and components alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ssa2llvm.analysis.context import Options, ScriptContext
from ssa2llvm.analysis.infer import infer
from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.formats.zend_block_printer import (
    print_cfg,
    print_dominators,
    print_liveness,
    print_phi_placement,
    print_ssa,
    print_ssa_vars,
)
from ssa2llvm.formats.zend_printer import print_op_array
from ssa2llvm.formats.zend_stream import Section, SectionKind
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.function import Function
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.report.conform_oracle import COMPILED
from ssa2llvm.ssa.build import SsaContext, build_ssa
from ssa2llvm.ssa.liveness import slot_masks


class Subject:
    """One function under test. Graph and SSA form are built when a stage first asks for them."""

    def __init__(self, op_array: OpArray, context: ScriptSubject) -> None:
        self.op_array = op_array
        self._context = context
        self._graph: Function | None = None
        self._ssa: Function | None = None

    def opcodes_text(self) -> bytes:
        """The code itself. PHP shows live ranges only of what its compiler made."""
        start = self._context.start
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

    def types_text(self) -> bytes:
        """All names with what inference finds out about them, each function on its own (PHP without pass 7)."""
        return print_ssa_vars(self.ssa, infer(self.ssa, self._context.inference))


@dataclass(slots=True)
class ScriptSubject:
    """What the functions of one script share."""

    script: Script
    start: bytes = COMPILED
    """What PHP's dump calls the stage that the op arrays come from."""
    ssa: SsaContext = field(init=False)
    inference: ScriptContext = field(init=False)

    def __post_init__(self) -> None:
        self.ssa = SsaContext(self.script)
        self.inference = ScriptContext(self.script, Config.ZEND, Options(interprocedural=False))

    def subjects(self) -> list[Subject]:
        """Its functions, in PHP's order."""
        return [Subject(op_array, self) for op_array in self.script.op_arrays()]


_VARIABLE = re.compile(rb"(    #\d+\.(?:CV\d+\(\$.*?\)|X\d+)(?: NOVAL)?)(?: .*?)??(( \*|  )SCC=\d+)?")


def without_facts(text: bytes) -> bytes:
    """PHP's "SSA Variable" section without types and ranges, NOESC included."""
    lines = []
    for line in text.split(b"\n"):
        match = _VARIABLE.fullmatch(line)
        lines.append(match[1] + (match[2] or b"") if match else line)
    return b"\n".join(lines)


def _same(text: bytes) -> bytes:
    return text


@dataclass(frozen=True, slots=True)
class Stage:
    """One comparison: the section of PHP's dump it belongs to, our text, and what of PHP's text is looked at."""

    name: str
    kind: SectionKind
    message: bytes
    ours: Callable[[Subject], bytes]
    view: Callable[[bytes], bytes] = _same

    def matches(self, section: Section) -> bool:
        """Whether ``section`` is this stage's."""
        if section.kind != self.kind:
            return False
        return section.header is None or section.header.message == self.message


STAGES: tuple[Stage, ...] = (
    Stage("opcodes", SectionKind.OP_ARRAY, b"", lambda subject: subject.opcodes_text()),
    Stage("cfg", SectionKind.OP_ARRAY, b"dfa cfg", lambda subject: print_cfg(subject.graph)),
    Stage("dominators", SectionKind.DOMINATORS, b"", lambda subject: print_dominators(subject.graph)),
    Stage("liveness", SectionKind.LIVENESS, b"", lambda subject: subject.liveness_text()),
    Stage("phi", SectionKind.PHI_PLACEMENT, b"", lambda subject: print_phi_placement(subject.ssa)),
    Stage("ssa", SectionKind.OP_ARRAY, b"dfa ssa", lambda subject: print_ssa(subject.ssa)),
    Stage("chains", SectionKind.SSA_VARS, b"", lambda subject: print_ssa_vars(subject.ssa), without_facts),
    Stage("types", SectionKind.SSA_VARS, b"", lambda subject: subject.types_text()),
)
