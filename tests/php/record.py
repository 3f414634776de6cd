"""Record what PHP's compiler says of each program in ``programs.txt``: ``python -m tests.php.record``.

Writes ``recorded.jsonl``, a line a program: its name, its source, and PHP's opcode text or its error (word, message,
line).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.php.reference import Outcome, php_outcome

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs.txt"
RECORDED = HERE / "recorded.jsonl"
FILENAME = "program.php"


def programs() -> dict[str, bytes]:
    """The sources by name."""
    found: dict[str, bytes] = {}
    for part in ("\n" + PROGRAMS.read_text("utf-8")).split("\n=== ")[1:]:
        name, source = part.split("\n", 1)
        assert name not in found, name
        found[name] = source.encode() + b"\n"
    return found


def recorded() -> dict[str, tuple[bytes, Outcome]]:
    """Source and PHP's outcome by name."""
    found: dict[str, tuple[bytes, Outcome]] = {}
    for line in RECORDED.read_text("utf-8").splitlines():
        row = json.loads(line)
        error = tuple(row["error"]) if row["error"] else None
        found[row["name"]] = (row["source"].encode(), Outcome(row["dump"].encode("utf-8", "surrogateescape"), error))
    return found


def main() -> None:
    lines = []
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / FILENAME
        for name, source in programs().items():
            path.write_bytes(source)
            outcome = php_outcome(path, cwd=Path(directory))
            row = {
                "name": name,
                "source": source.decode(),
                "dump": outcome.dump.decode("utf-8", "surrogateescape"),
                "error": outcome.error,
            }
            lines.append(json.dumps(row))
    RECORDED.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines)} programs recorded")


if __name__ == "__main__":
    main()
