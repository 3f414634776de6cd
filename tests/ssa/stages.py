"""What PHP prints of a file's functions, stage by stage, beside what we make of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ssa2llvm.cfg.build import build_cfg
from ssa2llvm.formats import zend_block_printer as printer
from ssa2llvm.formats.zend_stream import SectionKind, split_sections
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.op_array import OpArray, Script
from ssa2llvm.ssa.build import SsaContext, build_ssa, refusal
from ssa2llvm.ssa.liveness import slot_masks

BITS = 0x1F810000
"""opcache.opt_debug_level of "before optimizer" and all stages up to the SSA variables."""

_SSA_VAR = re.compile(rb"    (#\d+\.(?:CV\d+\([^)]*\)|X\d+))( NOVAL)?.*?(?: ([ *])SCC=(\d+))?")


@dataclass(frozen=True)
class Difference:
    """The first line in which a stage differs."""

    function: str
    stage: str
    php: bytes
    ours: bytes


def php_stages(dump: bytes) -> list[dict[str, bytes]]:
    """The sections of each function in PHP's order, by the name of their stage."""
    functions: list[dict[str, bytes]] = []
    for section in split_sections(dump):
        if section.header is not None and section.header.message == b"before optimizer":
            functions.append({})
            continue
        is_ops = section.kind is SectionKind.OP_ARRAY and section.header is not None
        stage = section.header.message.decode() if is_ops and section.header else section.kind.name
        functions[-1][stage] = dump[section.start : section.end].strip(b"\n")
    return functions


def our_stages(op_array: OpArray, context: SsaContext) -> dict[str, bytes]:
    """The same sections, made by us; none for a function that PHP refuses because of its exceptions or its dynamic
    variables. PHP prints the blocks of the latter all the same."""
    reason = refusal(op_array)
    if reason is not None:
        return {}
    function = build_ssa(op_array, Config.ZEND, context)
    define, use, live_in, live_out = slot_masks(function)
    sections = {
        "dfa cfg": printer.print_cfg(build_cfg(op_array, Config.ZEND)),
        "DOMINATORS": printer.print_dominators(function),
        "LIVENESS": printer.print_liveness(function, define, use, live_in, live_out),
        "PHI_PLACEMENT": printer.print_phi_placement(function),
        "dfa ssa": printer.print_ssa(function),
        "SSA_VARS": printer.print_ssa_vars(function),
    }
    return {stage: section.strip(b"\n") for stage, section in sections.items()}


def _lines(stage: str, section: bytes) -> list[bytes]:
    """Lines to compare; of the SSA variables name, NOVAL and component, without types and ranges."""
    lines = section.split(b"\n")
    if stage != "SSA_VARS":
        return lines
    matches = [_SSA_VAR.fullmatch(line) for line in lines[1:]]
    return [b"|".join(part or b"" for part in match.groups()) for match in matches if match is not None]


def differences(dump: bytes, script: Script) -> list[Difference]:
    """Compare each stage of each function in PHP's dump of a file with ours, made from ``script``."""
    context = SsaContext(script)
    theirs = php_stages(dump)
    op_arrays = script.op_arrays()
    assert len(theirs) == len(op_arrays)
    found = []
    for op_array, php in zip(op_arrays, theirs, strict=True):
        ours = our_stages(op_array, context)
        if set(ours) != set(php):
            found.append(Difference(op_array.name, "stages", repr(sorted(php)).encode(), repr(sorted(ours)).encode()))
            continue
        for stage in ours:
            left, right = _lines(stage, php[stage]), _lines(stage, ours[stage])
            if left != right:
                pairs = zip([*left, b"<end>"], [*right, b"<end>"])
                line, our_line = next((pair for pair in pairs if pair[0] != pair[1]), (b"<more>", b"<more>"))
                found.append(Difference(op_array.name, stage, line, our_line))
    return found
