"""Compare the front end with live PHP on random programs: ``python -m tests.php.campaign [EXPRESSIONS [STATEMENTS
[SEED]]]``.

What we accept goes into files of many functions, so that PHP starts once for all of them; what we reject goes to
PHP one by one, and message and line must agree.  Prints every difference; exit code 1 if there is any.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.php.generate import Generator
from tests.php.reference import Outcome, our_outcome, php_outcome

BATCH = 200


@dataclass
class Tally:
    """What a campaign found."""

    accepted: int = 0
    rejected: int = 0
    differences: list[str] = field(default_factory=list)


def wrap(number: int, body: str) -> str:
    """One function of a batch; its parameters give the variables types that are not known."""
    return f"function t{number}($a, &$b, $c = 1) {{ {body} }}\n"


def compare(functions: list[str], directory: Path, tally: Tally) -> None:
    """Compare functions that we accept: as one file, split while it does not come out alike."""
    pending = [functions]
    while pending:
        batch = pending.pop()
        theirs, ours = both(batch, directory)
        if theirs == ours and theirs.error is None:
            tally.accepted += len(batch)
        elif len(batch) > 1:
            pending += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
        else:
            tally.differences.append(describe(batch[0], theirs, ours))


def both(functions: list[str], directory: Path) -> tuple[Outcome, Outcome]:
    """PHP's outcome and ours for one file with these functions."""
    source = source_of(functions)
    path = directory / "batch.php"
    path.write_bytes(source)
    return php_outcome(path), our_outcome(source, str(path))


def source_of(functions: list[str]) -> bytes:
    """A file with these functions."""
    return ("<?php\nfunction g(&$x) {}\n" + "".join(functions)).encode()


def run(functions: list[str], directory: Path, tally: Tally) -> None:
    """Compare all functions: what we accept in batches, what we reject each by itself."""
    accepted: list[str] = []
    for function in functions:
        if our_outcome(source_of([function]), "batch.php").error is None:
            accepted.append(function)
            continue
        theirs, ours = both([function], directory)
        if theirs == ours:
            tally.rejected += 1
        else:
            tally.differences.append(describe(function, theirs, ours))
    for start in range(0, len(accepted), BATCH):
        compare(accepted[start : start + BATCH], directory, tally)


def describe(source: str, theirs: Outcome, ours: Outcome) -> str:
    """One difference for people."""
    if theirs.error is not None or ours.error is not None:
        return f"{source}  php:  {theirs.error}\n  ours: {ours.error}"
    for left, right in zip(theirs.dump.splitlines(), ours.dump.splitlines()):
        if left != right:
            return f"{source}  php:  {left!r}\n  ours: {right!r}"
    return f"{source}  one dump is longer"


def campaign(expressions: int, statements: int, seed: int) -> Tally:
    """Run both kinds."""
    tally = Tally()
    generator = Generator(seed)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        run([wrap(i, f"return {generator.expression()};") for i in range(expressions)], directory, tally)
        run([wrap(i, generator.statements()) for i in range(statements)], directory, tally)
    return tally


def main() -> int:
    numbers = [int(argument) for argument in sys.argv[1:]]
    expressions, statements, seed = (numbers + [10_000, 2_000, 1][len(numbers) :])[:3]
    tally = campaign(expressions, statements, seed)
    for difference in tally.differences:
        print(difference)
    print(f"{tally.accepted} accepted and {tally.rejected} rejected alike, {len(tally.differences)} differences")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
