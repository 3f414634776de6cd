"""PHP's dump text cut into sections: one function at one stage each.

The problem: strings stand raw in the text and may hold newlines, even whole fake dumps, so that lines alone do not
tell where an instruction or a function ends. What does: ``lines=N`` in the header, and that the next instruction must
carry the next number *and* the text before it must read as a whole instruction (``zend_operands``). A string can fool
this reader only if its contents continue the dump correctly to the end.

Grammar: zend-reference 1.1, after Zend/Optimizer/zend_dump.c. Sections other than op arrays (dominators, liveness, …)
hold no strings and end at the next empty line that starts a section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from ssa2llvm.ir.diagnostics import CompileError


class SectionKind(Enum):
    """What a section of the dump is."""

    OP_ARRAY = "op array"
    DOMINATORS = "dominators"
    LIVENESS = "liveness"
    PHI_PLACEMENT = "phi placement"
    SSA_VARS = "ssa variables"
    SCCP_VALUES = "sccp values"


@dataclass(frozen=True, slots=True)
class Header:
    """The comment lines at the head of an op array's section."""

    name: bytes
    num_ops: int
    num_args: int
    num_cvs: int
    num_temps: int
    num_ssa_vars: int | None
    flags: bytes
    message: bytes
    filename: bytes
    line_start: int
    line_end: int
    returns: bytes | None
    """The type (and range) behind ``; return``, which PHP prints after interprocedural analysis only."""


_HEADER = re.compile(
    rb"\n(?P<name>[^\n]*):\n"
    rb"     ; \(lines=(?P<ops>\d+), args=(?P<args>\d+), vars=(?P<cvs>\d+), tmps=(?P<temps>\d+)"
    rb"(?:, ssa_vars=(?P<ssa>\d+))?(?P<flags>[^)\n]*)\)\n"
    rb"(?:     ; \((?P<message>[^)\n]*)\)\n)?"
    rb"     ; (?P<file>[^\n]*):(?P<start>\d+)-(?P<end>\d+)\n"
    rb"(?:     ; return (?P<returns>[^\n]*)\n)?"
)
_OTHER = re.compile(
    rb"\n(?P<title>(?:DOMINATORS-TREE|Variable Liveness|SSA Phi\(\) Placement|SSA Variable|SCCP Values) for)"
    rb' "(?P<name>[^\n]*)"(?::)?\n'
)
_KIND_OF_TITLE = {
    b"DOMINATORS-TREE for": SectionKind.DOMINATORS,
    b"Variable Liveness for": SectionKind.LIVENESS,
    b"SSA Phi() Placement for": SectionKind.PHI_PLACEMENT,
    b"SSA Variable for": SectionKind.SSA_VARS,
    b"SCCP Values for": SectionKind.SCCP_VALUES,
}


@dataclass(frozen=True, slots=True)
class Section:
    """One section: its bytes are ``data[start:end]`` of the dump, ``body`` is where the header ends."""

    kind: SectionKind
    name: bytes
    start: int
    body: int
    end: int
    header: Header | None = None


def match_header(data: bytes, position: int) -> tuple[Header, int] | None:
    """The header of an op array at ``position`` (which holds the newline before the name), and where it ends."""
    match = _HEADER.match(data, position)
    if match is None:
        return None
    header = Header(
        name=match["name"],
        num_ops=int(match["ops"]),
        num_args=int(match["args"]),
        num_cvs=int(match["cvs"]),
        num_temps=int(match["temps"]),
        num_ssa_vars=int(match["ssa"]) if match["ssa"] else None,
        flags=match["flags"],
        message=match["message"] or b"",
        filename=match["file"],
        line_start=int(match["start"]),
        line_end=int(match["end"]),
        returns=match["returns"],
    )
    return header, match.end()


def is_section_start(data: bytes, position: int) -> bool:
    """Whether a section begins at ``position``."""
    return _HEADER.match(data, position) is not None or _OTHER.match(data, position) is not None


def next_section_start(data: bytes, position: int) -> int:
    """Where the next section begins at or after ``position``; the length of ``data`` if there is none."""
    starts = [match.start() for match in (_HEADER.search(data, position), _OTHER.search(data, position)) if match]
    return min(starts, default=len(data))


def split_sections(data: bytes) -> list[Section]:
    """Cut a whole dump into sections, by headers alone.

    Good for comparing stages: a string literal that contains a header would split its section, which then differs
    from ours and shows up. ``zend_reader`` does not rely on this.
    """
    marks: list[tuple[int, re.Match[bytes]]] = []
    for pattern in (_HEADER, _OTHER):
        marks += [(match.start(), match) for match in pattern.finditer(data)]
    marks.sort(key=lambda mark: mark[0])
    sections = []
    for index, (start, match) in enumerate(marks):
        end = marks[index + 1][0] if index + 1 < len(marks) else len(data)
        if match.re is _OTHER:
            sections.append(Section(_KIND_OF_TITLE[match["title"]], match["name"], start, match.end(), end))
        else:
            found = match_header(data, start)
            assert found is not None
            sections.append(Section(SectionKind.OP_ARRAY, found[0].name, start, found[1], end, found[0]))
    return sections


def line_at(data: bytes, position: int) -> int:
    """The line number, from 1, of ``position``."""
    return data.count(b"\n", 0, position) + 1


def error_at(data: bytes, position: int, filename: str, message: str) -> CompileError:
    """A diagnostic that points at ``position``."""
    line = line_at(data, position)
    start = data.rfind(b"\n", 0, position) + 1
    stop = data.find(b"\n", position)
    source = data[start : stop if stop >= 0 else len(data)].decode("utf-8", "replace")
    return CompileError(message, filename, line, position - start + 1, source_line=source[:200])
