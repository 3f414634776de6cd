"""``conform FILE|DIR…``: our stages against PHP's own optimizer, function by function, line by line.

    conform examples/                 ask PHP about each file, compare, print a table and the differences
    conform --corpus php-src          the same for PHP's own tests (fetched into the user's cache)
    conform --recorded tests/conform  compare with recordings (NAME.recorded beside NAME.php), without PHP
    conform --record FILE…            make these recordings

Exit code 1 if one of our stages is worse than PHP's.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ssa2llvm.cli.inputs import count
from ssa2llvm.ir.diagnostics import CompileError, UsageError
from ssa2llvm.report.conform_compare import Verdict
from ssa2llvm.report.conform_corpus import cache_home, fetch_corpus
from ssa2llvm.report.conform_oracle import LEVELS, Oracle, find_php, write_answer
from ssa2llvm.report.conform_run import (
    Job,
    Summary,
    find_sources,
    recording_of,
    state_key,
    table,
    to_json,
)
from ssa2llvm.report.conform_run import (
    run as run_all,
)
from ssa2llvm.report.conform_stages import STAGES, USUAL, levels_of

_NAMES = [stage.name for stage in STAGES]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="*", metavar="FILE|DIR", help="PHP sources")
    parser.add_argument(
        "--corpus", choices=["php-src"], help="php-src: PHP's own tests (apt-get source php8.2, kept in the cache)"
    )
    parser.add_argument("--php-src", metavar="DIR", help="take the tests from this unpacked php-src instead")
    parser.add_argument("--php", metavar="PHP", help="the PHP 8.2 to compare with (default: php8.2 or php)")
    parser.add_argument("--stages", metavar="LIST", default=",".join(USUAL), help=f"of {','.join(_NAMES)}")
    parser.add_argument("--levels", metavar="LIST", help="PHP's optimization levels (default: those of the stages)")
    parser.add_argument("--json", metavar="OUT", help="write all figures and differences to OUT")
    parser.add_argument(
        "--show", type=count(), default=20, metavar="N", help="print the first N differences (default 20)"
    )
    parser.add_argument("--jobs", type=count(1), default=2, metavar="N", help="processes (default 2)")
    parser.add_argument("--fresh", action="store_true", help="do not go on from an interrupted run")
    parser.add_argument(
        "--recorded", action="store_true", help="compare with recordings beside the sources, without PHP"
    )
    parser.add_argument("--record", action="store_true", help="make recordings beside the sources")


def run(args: argparse.Namespace) -> int:
    """Compare, report; 1 if something is worse."""
    stages = _chosen(args.stages, _NAMES, "stage")
    levels = _chosen(args.levels, list(LEVELS), "level") if args.levels else levels_of(stages)
    paths = list(args.paths)
    if args.corpus or args.php_src:
        paths.append(str(fetch_corpus(Path(args.php_src) if args.php_src else None)))
    sources = find_sources(paths)
    if not sources:
        raise UsageError("no PHP files to compare: name files or folders, or say --corpus php-src")
    if args.record:
        return _record(sources, levels, find_php(args.php))
    if args.json and not Path(args.json).absolute().parent.is_dir():
        raise UsageError(f"--json {args.json}: there is no such folder")
    job, journal = _job(args, stages, levels)
    summary = run_all(sources, job, args.jobs, journal)
    _report(summary, args.show)
    if args.json:
        _write_json(summary, job, Path(args.json))
    return 1 if summary.has_worse else 0


def _job(args: argparse.Namespace, stages: tuple[str, ...], levels: tuple[str, ...]) -> tuple[Job, Path | None]:
    if args.recorded:
        return Job("", None, stages, levels, recorded=True), None
    php = find_php(args.php)
    home = cache_home() / "conform"
    job = Job(php, home / "answers", stages, levels)
    journal = home / "journals" / f"{state_key(Oracle(php).version, job)}.jsonl"
    journal.parent.mkdir(parents=True, exist_ok=True)
    if args.fresh:
        journal.unlink(missing_ok=True)
    return job, journal


def _chosen(wish: str, known: list[str], what: str) -> tuple[str, ...]:
    names = tuple(name.strip().removeprefix("0x") for name in wish.split(","))
    for name in names:
        if name not in known:
            raise UsageError(f"no {what} is called '{name}'; there are: {', '.join(known)}")
    return names


def _record(sources: list[Path], levels: tuple[str, ...], php: str) -> int:
    """Record PHP's answers beside the sources."""
    oracle = Oracle(php)
    for source in sources:
        images: dict[int, bytes] = {}
        for level in (LEVELS[name] for name in levels):
            answer = oracle.record(source, level, images.get(level.image, b""))
            if answer.problem:
                raise CompileError(answer.problem, str(source))
            images[level.image] = answer.image
            write_answer(recording_of(source), level, answer)
    print(f"{len(sources)} files recorded with PHP {oracle.version}", file=sys.stderr)
    return 0


def _report(summary: Summary, show: int) -> None:
    print(table(summary))
    differences = [d for d in summary.differences() if d.verdict is not Verdict.EQUAL]
    differences.sort(key=lambda difference: difference.verdict is not Verdict.WORSE)
    for difference in differences[:show]:
        place = (
            f"{difference.file}: {difference.function}, level {LEVELS[difference.level].text} from {difference.input}"
        )
        print(f"\n{place}\n{difference.stage}: {difference.verdict.value}, line {difference.line}")
        print(f"  ours: {difference.ours}\n  php:  {difference.php}")
    if len(differences) > show:
        print(f"\n… and {len(differences) - show} more differences (--show {len(differences)}, --json)")


def _write_json(summary: Summary, job: Job, out: Path) -> None:
    counts = [[*key, number] for key, number in sorted(summary.counts().items())]
    data = {
        "stages": list(job.stages),
        "levels": list(job.levels),
        "counts": counts,
        "files": [to_json(result) for result in summary.results],
    }
    try:
        out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise CompileError(f"cannot write: {error.strerror or error}", str(out)) from error
