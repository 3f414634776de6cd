"""``audit FILE…``: run programs in the interpreter and check every value against the inferred facts.

By default the facts are those of PHP's optimizer, and a finding is an error of PHP's; with ``--sound`` they are ours,
and a finding is a bug. ``--random N`` audits N random programs instead (``--seed`` is the number of the first), with
``--references`` others than without.

Exit code 1 if anything was found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from ssa2llvm.cli.inputs import count
from ssa2llvm.formats.load import load_any, load_bytes
from ssa2llvm.ir.config import Config
from ssa2llvm.ir.diagnostics import UsageError
from ssa2llvm.ir.op_array import Script
from ssa2llvm.report.audit import audit
from ssa2llvm.report.random_programs import random_program
from ssa2llvm.report.random_references import random_reference_program

_STEP_LIMIT = 1_000_000
_RANDOM_STEP_LIMIT = 20_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="PHP source, zir or an opcache .bin")
    parser.add_argument("--sound", action="store_true", help="check our own facts instead of PHP's")
    parser.add_argument("--random", type=count(), default=0, metavar="N", help="audit N random programs")
    parser.add_argument("--references", action="store_true", help="let these be full of references and nested arrays")
    parser.add_argument("--seed", type=count(), default=0, help="number of the first random program")
    parser.add_argument("--steps", type=count(), default=0, metavar="N", help="stop each program after N instructions")


def _programs(args: argparse.Namespace) -> Iterator[tuple[str, Script, int]]:
    """(name, script, step limit) of everything to be run."""
    for path in args.files:
        yield path, load_any(path), args.steps or _STEP_LIMIT
    make = random_reference_program if args.references else random_program
    for seed in range(args.seed, args.seed + args.random):
        name = f"random-{seed}.php"
        yield name, load_bytes(make(seed).encode(), name), args.steps or _RANDOM_STEP_LIMIT


def run(args: argparse.Namespace) -> int:
    """Audit; print the findings and one line of figures."""
    if not args.files and not args.random:
        raise UsageError("nothing to audit: give files, or --random N")
    if args.references and not args.random:
        raise UsageError("--references goes with --random")
    config = Config.SOUND if args.sound else Config.ZEND
    programs = checked = found = 0
    for name, script, limit in _programs(args):
        auditor, outcome = audit(script, config, limit)
        programs, checked, found = programs + 1, checked + auditor.checked, found + len(auditor.findings)
        for finding in auditor.findings:
            print(finding)
        if outcome.stopped and args.files:
            print(f"{name}: stopped after {limit} instructions", file=sys.stderr)
    whose = "our" if args.sound else "PHP's"
    print(f"{programs} programs, {checked} values checked against {whose} facts, {found} outside")
    return 1 if found else 0
