"""The stages that are compared with PHP: how each looks in PHP's dump, and how we make it.

A row of ``STAGES`` names the section of the dump and gives our text for the same function. ``chains`` and ``types``
share PHP's section "SSA Variable": chains are its NOVAL marks and components alone. What passes find out is compared as
facts (``conform_facts``). ``rc`` is the SSA form that the JIT builds for itself, where reference counts are inferred
and shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ssa2llvm.formats.zend_block_printer import (
    print_cfg,
    print_dominators,
    print_phi_placement,
    print_ssa,
    print_ssa_vars,
)
from ssa2llvm.formats.zend_stream import Section, SectionKind
from ssa2llvm.report.conform_facts import our_constants, our_removed, php_constants, php_removed
from ssa2llvm.report.conform_oracle import LEVELS
from ssa2llvm.report.conform_subject import Subject

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
    """One comparison: the section of PHP's dump it belongs to, our text, and what of PHP's text is looked at.

    With ``facts``, texts are compared as sets of lines. ``levels`` are those at which PHP prints the section and that
    are usually compared, ``more`` those that are compared if asked for.
    """

    name: str
    kind: SectionKind
    message: bytes
    ours: Callable[[Subject], bytes]
    view: Callable[[bytes], bytes] = _same
    facts: bool = False
    levels: tuple[str, ...] = ("20", "30")
    more: tuple[str, ...] = ()

    def is_printed_at(self, level: str) -> bool:
        """Whether PHP prints the section at ``level``."""
        return level in self.levels or level in self.more

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
    Stage("types", SectionKind.SSA_VARS, b"", lambda subject: subject.types_text(), more=("60", "68", "20060")),
    Stage("rc", SectionKind.OP_ARRAY, b"JIT", lambda subject: subject.counted_text(), levels=("jit",)),
    Stage("sccp", SectionKind.SCCP_VALUES, b"", our_constants, php_constants, facts=True, levels=("a0",)),
    Stage("dce", SectionKind.OP_ARRAY, b"after dce pass", our_removed, php_removed, facts=True, levels=("2020",)),
)

USUAL = tuple(stage.name for stage in STAGES if "20" in stage.levels)
"""The stages that must be equal: those before a pass has changed anything."""


def levels_of(stages: tuple[str, ...]) -> tuple[str, ...]:
    """The levels at which these stages are printed, in the order of ``LEVELS``."""
    wanted = {level for stage in STAGES if stage.name in stages for level in stage.levels}
    return tuple(level for level in LEVELS if level in wanted)
