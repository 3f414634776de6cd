"""One file compared with PHP, stage by stage.

The functions come from three sources: opcache's file cache, PHP's text, and our own front end (at the level where the
compiler's output is compared). A comparison ends in one of these ways (DESIGN.md, section 3): equal; *better* or
*zend wrong*, if docs/zend-bugs.md lists the difference; *hidden*, if only the input from the text differs while the
same function from the file cache is equal, so that it was the text that did not tell; *unsupported*, if our front end
refuses the file or PHP's pass knows something of objects, which ours do not track; *worse*, which is a bug of ours.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.formats.zend_names import decode
from ssa2llvm.formats.zend_reader import nest_op_arrays, read_linear_sections
from ssa2llvm.formats.zend_stream import Header, Section, match_header, split_sections
from ssa2llvm.formats.zir_printer import print_function
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import Script
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.php import compile_php
from ssa2llvm.report.conform_facts import about_objects, lacking, zend_errs
from ssa2llvm.report.conform_oracle import COMPILED, Answer, Level
from ssa2llvm.report.conform_stages import STAGES, Stage
from ssa2llvm.report.conform_subject import ScriptSubject, Subject
from ssa2llvm.ssa.build import refusal

_WITH_GRAPHS = next(stage.levels for stage in STAGES if stage.name == "cfg")

REFUSAL = "refusal"
"""A comparison that is made besides the stages: which functions PHP builds no SSA form for."""

EXACT = "exact"
"""Another one: what the dump does not show of our front end's op arrays (exact literals, argument info, types, flags,
lines, static variables), against the file cache."""


class Verdict(Enum):
    """How a comparison ended."""

    EQUAL = "equal"
    BETTER = "better"
    ZEND_WRONG = "zend wrong"
    HIDDEN = "hidden"
    UNSUPPORTED = "unsupported"
    WORSE = "worse"


@dataclass(slots=True)
class Difference:
    """The first line in which a function differs."""

    file: str
    function: str
    level: str
    input: str
    stage: str
    verdict: Verdict
    line: int
    ours: str
    php: str


@dataclass(slots=True)
class FileResult:
    """All comparisons of one file: counts by (level, input, stage, verdict), differences, problems."""

    file: str
    counts: dict[tuple[str, str, str, str], int] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    problem: str = ""

    def count(self, level: str, source: str, stage: str, verdict: Verdict) -> None:
        """One more comparison."""
        key = (level, source, stage, verdict.value)
        self.counts[key] = self.counts.get(key, 0) + 1


@dataclass(slots=True)
class _Expected:
    """PHP's sections of one function, by stage."""

    name: bytes
    shape: tuple[object, ...]
    texts: dict[str, bytes] = field(default_factory=dict)


def expected_functions(dump: bytes, level: Level) -> list[_Expected]:
    """PHP's dump by function. Each begins with its "before optimizer" section; a stage that PHP did not reach is
    absent.

    With the call graph, PHP takes all functions to one stage before the next: a later section belongs to the next
    function of its shape, one without a head to the function of the section before it."""
    functions: list[_Expected] = []
    next_of: dict[bytes, int] = {}
    current: _Expected | None = None
    for section in split_sections(dump):
        header = section.header
        if header is not None and header.message == b"before optimizer":
            current = _Expected(section.name, _shape(header))
            functions.append(current)
        elif header is not None:
            rest = range(next_of.get(header.message, 0), len(functions))
            index = next((index for index in rest if functions[index].shape == _shape(header)), -1)
            if index < 0:
                continue
            next_of[header.message] = index + 1
            current = functions[index]
        if current is None:
            continue
        text = _section_text(dump, section)
        for stage in STAGES:
            start = stage.name == "opcodes" and header is not None and header.message == level.start
            if start or (stage.name != "opcodes" and stage.matches(section)):
                current.texts[stage.name] = stage.view(text)
    return functions


def _shape(header: Header) -> tuple[object, ...]:
    """What no stage up to SSA form changes of a function (the block pass changes the number of instructions)."""
    return (header.name, header.filename, header.line_start, header.line_end, header.num_args)


def _section_text(dump: bytes, section: Section) -> bytes:
    return dump[section.start : section.end]


def compare_answer(source: Path, answer: Answer, level: Level, stages: list[str], result: FileResult) -> None:
    """Compare one file at one level, from every kind of input, into ``result``."""
    if answer.problem:
        result.problem = answer.problem
        return
    expected = expected_functions(answer.dump, level)
    stages = [stage.name for stage in STAGES if stage.name in stages and stage.is_printed_at(level.name)]
    known_elsewhere: set[tuple[int, str]] = set()
    image: Script | None = None
    left = ""
    for kind in ("bin", "source", "text"):
        if (kind == "bin" and not answer.image) or (kind == "source" and level.start != COMPILED):
            continue
        if kind != "bin" and level.options.interprocedural:
            continue  # these levels are asked about inference, for which all has been read
        comparison = _Comparison(str(source), level, kind, result, known_elsewhere, excused=left != "")
        try:
            script = _read(kind, answer, level, source)
        except CompileError as error:
            verdict = Verdict.UNSUPPORTED if kind == "source" else Verdict.WORSE
            comparison.unreadable(expected, stages, verdict, str(error))
            continue
        if kind == "bin" and (left := _left_to_run_time(script)):
            message = f"the file cache leaves {left} to run time, as another PHP may read it; the dump has its value"
            comparison.unreadable(expected, stages, Verdict.HIDDEN, message)
            continue
        comparison.run(script, expected, stages)
        if kind == "bin":
            image = script
        elif kind == "source" and image is not None and "opcodes" in stages:
            comparison.compare_exactly(script, image, expected)


def _read(kind: str, answer: Answer, level: Level, source: Path) -> Script:
    if kind == "bin":
        return read_opcache_bin(answer.image, str(source))
    if kind == "source":
        # PHP was given the whole path, which is part of the program: __FILE__, names of anonymous classes.
        return compile_php(source.read_bytes(), _filename_in(answer.dump) or str(source.resolve()))
    sections = read_linear_sections(answer.dump, str(source))
    return nest_op_arrays([op_array for header, op_array in sections if header.message == level.start])


_NOT_IN_FILE_CACHE = (b"PHP_SAPI", b"PHP_BINARY")
"""Constants that PHP's compiler does not replace by their value if the code goes to the file cache."""


def _left_to_run_time(script: Script) -> str:
    for op_array in script.op_arrays():
        for op in op_array.ops:
            if op.opcode == Opcode.FETCH_CONSTANT and op.op2.is_const:
                name = op_array.literal(op.op2)
                if isinstance(name, bytes) and name in _NOT_IN_FILE_CACHE:
                    return name.decode()
    return ""


def _filename_in(dump: bytes) -> str:
    found = match_header(dump, 0)
    return decode(found[0].filename) if found else ""


@dataclass(slots=True)
class _Comparison:
    file: str
    level: Level
    source: str
    result: FileResult
    known_elsewhere: set[tuple[int, str]]
    excused: bool
    """Whether there is no file cache to judge by, so that a difference from the text says nothing."""

    def unreadable(self, expected: list[_Expected], stages: list[str], verdict: Verdict, message: str) -> None:
        """The input could not be read at all."""
        for function in expected:
            self._differ(function, stages[0], verdict, 0, message, "")

    def run(self, script: Script, expected: list[_Expected], stages: list[str]) -> None:
        """Compare all functions."""
        subjects = ScriptSubject(script, self.level).subjects()
        if len(subjects) != len(expected):
            message = f"{len(subjects)} functions were read, PHP has {len(expected)}"
            self.unreadable(expected, stages, Verdict.WORSE, message)
            return
        for index, (subject, function) in enumerate(zip(subjects, expected, strict=True)):
            if self.level.name in _WITH_GRAPHS:
                self._compare_refusal(subject, function)
            for stage in STAGES:
                if stage.name in stages and stage.is_printed_at(self.level.name):
                    self._compare(index, subject, function, stage)

    def compare_exactly(self, script: Script, image: Script, expected: list[_Expected]) -> None:
        """Compare the front end's functions with those of the file cache, as zir."""
        pairs = zip(script.op_arrays(), image.op_arrays(), expected, strict=False)  # run() told if numbers differ
        for ours, theirs, function in pairs:
            left = print_function(ours, image.filename).encode("utf-8", "replace")
            right = print_function(theirs, image.filename).encode("utf-8", "replace")
            if left == right:
                self.result.count(self.level.name, self.source, EXACT, Verdict.EQUAL)
            else:
                self._differ(function, EXACT, Verdict.WORSE, *first_difference(left, right))

    def _compare_refusal(self, subject: Subject, function: _Expected) -> None:
        """PHP's optimizer passes some functions over; we must refuse the same ones under Config.ZEND."""
        php_builds = "cfg" in function.texts
        reason = refusal(subject.op_array)
        if php_builds == (reason is None):
            self.result.count(self.level.name, self.source, REFUSAL, Verdict.EQUAL)
        else:
            ours = "built" if reason is None else f"refused: {reason}"
            self._differ(function, REFUSAL, Verdict.WORSE, 0, ours, "built" if php_builds else "refused")

    def _compare(self, index: int, subject: Subject, function: _Expected, stage: Stage) -> None:
        wanted = function.texts.get(stage.name)
        if wanted is None:
            return
        try:
            ours = stage.ours(subject)
        except CompileError as error:
            ours = f"refused: {error}".encode("utf-8", "replace")
        except Exception:
            ours = f"crashed: {traceback.format_exc(limit=-3)}".encode("utf-8", "replace")
        verdict, line, mine, theirs = Verdict.WORSE, 0, "", ""
        if stage.facts:
            missing = lacking(ours, wanted)
            if missing:
                mine, theirs = "not known", missing[0].decode("utf-8", "replace")
                if about_objects(subject.op_array, missing, wanted):
                    verdict = Verdict.UNSUPPORTED
                elif zend_errs(stage.name, subject, missing, wanted):
                    verdict = Verdict.ZEND_WRONG
            else:
                verdict = Verdict.BETTER if lacking(wanted, ours) else Verdict.EQUAL
        elif ours == wanted:
            verdict = Verdict.EQUAL
        else:
            line, mine, theirs = first_difference(ours, wanted)
        if verdict in (Verdict.WORSE, Verdict.UNSUPPORTED, Verdict.ZEND_WRONG):
            hidden = self.source == "text" and (self.excused or (index, stage.name) in self.known_elsewhere)
            self._differ(function, stage.name, Verdict.HIDDEN if hidden else verdict, line, mine, theirs)
            return
        if self.source != "text":
            self.known_elsewhere.add((index, stage.name))
        self.result.count(self.level.name, self.source, stage.name, verdict)

    def _differ(self, function: _Expected, stage: str, verdict: Verdict, line: int, ours: str, theirs: str) -> None:
        self.result.count(self.level.name, self.source, stage, verdict)
        name = function.name.decode("utf-8", "replace")
        self.result.differences.append(
            Difference(self.file, name, self.level.name, self.source, stage, verdict, line, ours, theirs)
        )


def first_difference(ours: bytes, theirs: bytes) -> tuple[int, str, str]:
    """(line number from 1, our line, their line) of the first difference."""
    left, right = ours.split(b"\n"), theirs.split(b"\n")
    for number, (mine, other) in enumerate(zip(left, right), start=1):
        if mine != other:
            return number, mine.decode("utf-8", "replace"), other.decode("utf-8", "replace")
    number = min(len(left), len(right))
    rest = [lines[number].decode("utf-8", "replace") if len(lines) > number else "(end)" for lines in (left, right)]
    return number + 1, rest[0], rest[1]
