"""The comparison of many files: workers, progress, what was done before, and the table at the end.

Every file is compared in a worker process under a time limit; a worker that dies costs one file. Results are appended
to a journal as they come, under a key of PHP's version, our own sources and the stages, so that an interrupted run
goes on where it stopped and a change of ours starts anew.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.report.conform_compare import Difference, FileResult, Verdict, compare_answer
from ssa2llvm.report.conform_oracle import LEVELS, Oracle, read_answer
from ssa2llvm.report.conform_stages import STAGES

FILE_LIMIT = 120
"""Seconds that a file may take."""

_OUR_ROOMS = ("ir", "values", "formats", "php", "cfg", "ssa", "analysis", "opt", "report")


@dataclass(frozen=True, slots=True)
class Job:
    """How to compare: PHP to ask and where its answers are kept, or a folder of recordings instead of PHP."""

    php: str
    cache: Path | None
    stages: tuple[str, ...]
    levels: tuple[str, ...] = ("20", "30")
    recorded: bool = False


@dataclass(slots=True)
class Summary:
    """Everything that was found."""

    results: list[FileResult] = field(default_factory=list)

    def counts(self) -> dict[tuple[str, str, str, str], int]:
        """Comparisons by (level, input, stage, verdict)."""
        total: dict[tuple[str, str, str, str], int] = {}
        for result in self.results:
            for key, number in result.counts.items():
                total[key] = total.get(key, 0) + number
        return total

    def differences(self) -> Iterator[Difference]:
        """All differences, file by file."""
        for result in self.results:
            yield from result.differences

    @property
    def has_worse(self) -> bool:
        """Whether we are worse than PHP somewhere."""
        return any(difference.verdict is Verdict.WORSE for difference in self.differences())


def find_sources(paths: Iterable[str]) -> list[Path]:
    """The PHP files named, and those in the folders named, in order. Raises CompileError for what does not exist."""
    files: list[Path] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            files += sorted(path.rglob("*.php"))
        elif path.is_file():
            files.append(path)
        else:
            raise CompileError("no such file or folder", name)
    return files


class _TooSlow(Exception):
    pass


def _alarm(number: int, frame: FrameType | None) -> None:
    raise _TooSlow


def compare_file(source: Path, job: Job) -> FileResult:
    """Compare one file at all levels; whatever goes wrong becomes its ``problem``."""
    result = FileResult(str(source))
    signal.signal(signal.SIGALRM, _alarm)
    signal.alarm(FILE_LIMIT)
    try:
        oracle = None if job.recorded else Oracle(job.php, job.cache)
        for name in job.levels:
            level = LEVELS[name]
            answer = oracle.ask(source, level) if oracle else read_answer(recording_of(source), level)
            if answer is None:
                result.problem = "not recorded"
            else:
                compare_answer(source, answer, level, list(job.stages), result)
    except _TooSlow:
        result.problem = f"not done within {FILE_LIMIT} seconds"
    finally:
        signal.alarm(0)
    return result


def recording_of(source: Path) -> Path:
    """Where the recording of a source file stands: beside it."""
    return source.with_suffix(".recorded")


def run(sources: list[Path], job: Job, workers: int, journal: Path | None) -> Summary:
    """Compare all ``sources``, telling how far it is on stderr."""
    known = _read_journal(journal) if journal else {}
    summary = Summary()
    waiting = []
    for source in sources:
        result = known.get(_entry_key(source, job))
        if result is None:
            waiting.append(source)
        else:
            summary.results.append(result)
    progress = _Progress(len(sources), len(summary.results))
    while waiting:
        done = set()
        with ProcessPoolExecutor(workers) as pool:
            futures = {pool.submit(compare_file, source, job): source for source in waiting}
            try:
                for future in as_completed(futures):
                    source = futures[future]
                    result = _result_of(future, source)
                    done.add(source)
                    summary.results.append(result)
                    if journal:
                        _append(journal, _entry_key(source, job), result)
                    progress.step()
            except BrokenProcessPool:
                # One worker died (out of memory, say) and took the pool along: go on with the rest, that file last.
                culprit = next(source for source in waiting if source not in done)
                summary.results.append(FileResult(str(culprit), problem="the worker that compared it died"))
                done.add(culprit)
        waiting = [source for source in waiting if source not in done]
    progress.finish()
    summary.results.sort(key=lambda result: result.file)
    return summary


def _result_of(future: Future[FileResult], source: Path) -> FileResult:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:
        return FileResult(str(source), problem=f"{type(error).__name__}: {error}")


class _Progress:
    """A line on stderr that counts files, if stderr is a terminal; else a line every minute."""

    def __init__(self, total: int, done: int) -> None:
        self._total = total
        self._done = done
        self._last = time.monotonic()
        self._live = sys.stderr.isatty()

    def step(self) -> None:
        self._done += 1
        now = time.monotonic()
        if now - self._last >= (0.2 if self._live else 60):
            self._last = now
            start, end = ("\r", "") if self._live else ("", "\n")
            print(f"{start}{self._done} of {self._total} files", end=end, file=sys.stderr, flush=True)

    def finish(self) -> None:
        if self._live:
            print(f"\r{self._done} of {self._total} files", file=sys.stderr)


def state_key(php_version: str, job: Job) -> str:
    """A key that changes whenever an old result may no longer hold."""
    digest = hashlib.sha256(repr((php_version, job.stages, job.levels)).encode())
    package = Path(__file__).resolve().parent.parent
    for room in _OUR_ROOMS:
        for file in sorted((package / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:24]


def _entry_key(source: Path, job: Job) -> str:
    return hashlib.sha256(str(source.resolve()).encode() + b"\0" + source.read_bytes()).hexdigest()[:24]


def _append(journal: Path, key: str, result: FileResult) -> None:
    with journal.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps([key, to_json(result)]) + "\n")


def _read_journal(journal: Path) -> dict[str, FileResult]:
    known: dict[str, FileResult] = {}
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            try:
                key, data = json.loads(line)
            except ValueError:  # cut short by an interruption
                continue
            known[key] = _from_json(data)
    return known


def to_json(result: FileResult) -> dict[str, object]:
    """A result as plain data."""
    return {
        "file": result.file,
        "problem": result.problem,
        "counts": [[*key, number] for key, number in sorted(result.counts.items())],
        "differences": [
            {**dataclasses.asdict(difference), "verdict": difference.verdict.value} for difference in result.differences
        ],
    }


def _from_json(data: dict[str, object]) -> FileResult:
    result = FileResult(str(data["file"]), problem=str(data["problem"]))
    counts, differences = data["counts"], data["differences"]
    assert isinstance(counts, list)
    assert isinstance(differences, list)
    result.counts = {(level, source, stage, verdict): number for level, source, stage, verdict, number in counts}
    result.differences = [Difference(**{**item, "verdict": Verdict(item["verdict"])}) for item in differences]
    return result


def table(summary: Summary) -> str:
    """The figures: a row a level, input and stage."""
    counts = summary.counts()
    order = {stage.name: position for position, stage in enumerate(STAGES)}
    rows = sorted({key[:3] for key in counts}, key=lambda row: (row[0], row[1], order.get(row[2], -1)))
    lines = ["level   input  stage       functions " + "".join(f"{verdict.value:>13}" for verdict in Verdict)]
    for row in rows:
        numbers = [counts.get((*row, verdict.value), 0) for verdict in Verdict]
        columns = "".join(f"{number:>13}" for number in numbers)
        lines.append(f"{LEVELS[row[0]].text:<7} {row[1]:<6} {row[2]:<11} {sum(numbers):>9} {columns}")
    problems: dict[str, int] = {}
    for result in summary.results:
        if result.problem:
            problems[result.problem] = problems.get(result.problem, 0) + 1
    lines += [f"{number} files: {problem}" for problem, number in sorted(problems.items())]
    return "\n".join(lines)
