"""docs/zend-bugs.md says what PHP does without and with its optimizer: run each program both ways. And each program
that is about an inferred fact must be found wrong by the auditor under Config.ZEND, and right under Config.SOUND."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.ir.config import Config
from ssa2llvm.report.audit import audit
from tests.tools import need_tool

_DOCUMENT = Path(__file__).parents[2] / "docs" / "zend-bugs.md"
_OPCACHE = ["-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1"]
_FLAGS = {
    "off": ["-d", "opcache.enable=0"],
    "opcache": [*_OPCACHE, "-d", "opcache.file_update_protection=0"],
    "JIT": [
        *_OPCACHE,
        "-d",
        "opcache.file_update_protection=0",
        "-d",
        "opcache.jit_buffer_size=16M",
        "-d",
        "opcache.jit=1205",
    ],
}


@dataclass(frozen=True)
class Case:
    section: int
    source: str
    outputs: dict[str, str]


def _cases() -> list[Case]:
    cases = []
    sections = re.split(r"^## (\d+)\. ", _DOCUMENT.read_text(), flags=re.MULTILINE)
    for number, body in zip(sections[1::2], sections[2::2], strict=True):
        for source, listed in re.findall(r"```php\n([^`]*)```\n((?:\* \w+: `[^`\n]*`\n)+)", body):
            outputs = dict(re.findall(r"\* (\w+): `(.*)`", listed))
            cases.append(Case(int(number), source, outputs))
    return cases


CASES = _cases()


def test_the_document_has_a_program_for_each_section() -> None:
    assert {case.section for case in CASES} == set(range(1, 18))
    assert all(len(set(case.outputs.values())) == 2 for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.section}")
def test_php_prints_what_the_document_says(case: Case, tmp_path: Path) -> None:
    file = tmp_path / "case.php"
    file.write_text(case.source)
    for mode, expected in case.outputs.items():
        command = [need_tool("php"), "-n", *_FLAGS[mode], str(file)]
        ran = subprocess.run(command, capture_output=True, timeout=30, check=False)
        assert " ".join(ran.stdout.decode().split()) == expected, mode


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.section not in (10, 11, 13, 14, 16, 17)], ids=lambda case: f"{case.section}"
)
def test_the_auditor_finds_zend_wrong_and_ours_right(case: Case) -> None:
    script = load_bytes(case.source.encode(), "case.php")
    assert audit(script, Config.ZEND)[0].findings
    auditor, outcome = audit(load_bytes(case.source.encode(), "case.php"), Config.SOUND)
    assert auditor.findings == []
    assert auditor.checked > 0
    assert " ".join(outcome.stdout.decode().split()) == case.outputs["off"]
