"""Examples in README.md and docs/ are run, and print what the page shows.

* A ``python`` block is a program; a ``text`` block right behind it is what it prints.
* A ``console`` block holds commands (``$ …``, run by sh in the root of the repo; ``python`` is this interpreter) and
  what they print, on both streams. A line ``...`` stands for any number of lines.
* Blocks of other languages are not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.tools import need_tool

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOOLS = {"php ": "php", "opt-22 ": "opt", "clang-22 ": "clang"}


@dataclass(frozen=True)
class Example:
    page: Path
    line: int
    program: list[str]
    expected: str

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def examples(page: Path) -> list[Example]:
    text = page.read_text()
    found = []
    blocks = list(FENCE.finditer(text))
    for position, block in enumerate(blocks):
        language, body = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if language == "python":
            follower = blocks[position + 1] if position + 1 < len(blocks) else None
            shown = (
                follower is not None
                and follower.group(1) == "text"
                and not text[block.end() : follower.start()].strip()
            )
            found.append(
                Example(page, line, [sys.executable, "-c", body], follower.group(2) if shown and follower else "...")
            )
        elif language == "console":
            for command, output in re.findall(r"^\$ (.*?[^\\])\n((?:(?!\$ ).*\n?)*)", body, re.MULTILINE | re.DOTALL):
                found.append(Example(page, line, ["sh", "-c", command], output))
    return found


def matches(expected: str, got: str) -> bool:
    parts = [
        re.escape(part)
        for part in re.split(
            r"^ *\.\.\.\n", expected if expected.endswith("\n") else expected + "\n", flags=re.MULTILINE
        )
    ]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), got if got.endswith("\n") or not got else got + "\n") is not None


@pytest.mark.parametrize("example", [example for page in PAGES for example in examples(page)], ids=str)
def test_example(example: Example, tmp_path: Path) -> None:
    for word, tool in TOOLS.items():
        if any(word in part for part in example.program):
            need_tool(tool)
    binaries = tmp_path / "bin"
    binaries.mkdir()
    python = binaries / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{binaries}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "WORK": str(tmp_path),
    }
    result = subprocess.run(
        example.program,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    got = result.stdout.decode()
    assert matches(example.expected, got), f"shown:\n{example.expected}\nprinted:\n{got}"


def test_links_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
            if not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert broken == []


def test_matcher_is_not_lenient() -> None:
    assert matches("a\n...\nb\n", "a\nx\ny\nb\n")
    assert matches("a\n", "a\n")
    assert not matches("a\n", "a\nb\n")
    assert not matches("a\n...\nb\n", "a\nx\n")
    assert not matches("a.c\n", "abc\n")
