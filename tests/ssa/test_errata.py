"""Each dump in docs/errata.md is what PHP prints of the source above it, and what we print."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ssa2llvm.php import compile_php
from ssa2llvm.ssa.build import SsaContext
from tests.ssa.stages import BITS, our_stages
from tests.tools import need_tool, php_dump, run_php

ERRATA = (Path(__file__).parents[2] / "docs" / "errata.md").read_text()
PAIRS = re.findall(r"```php\n(.*?)```\n```zend\n(.*?)```", ERRATA, re.DOTALL)


def found_in_order(wanted: list[str], lines: list[str]) -> bool:
    """Whether the wanted lines occur among the lines, in any order but each at a place of its own."""
    places = [lines.index(line) for line in wanted if line in lines]
    return len(set(places)) == len(wanted)


def test_the_document_has_pairs() -> None:
    assert len(PAIRS) == ERRATA.count("```zend") == 10


@pytest.mark.parametrize(("source", "dump"), PAIRS)
def test_php_prints_it(source: str, dump: str, tmp_path: Path) -> None:
    file = tmp_path / "errata.php"
    file.write_text("<?php\n" + source)
    printed = [line.strip() for line in php_dump(file, 0x20, BITS).decode().splitlines()]
    assert found_in_order(dump.splitlines(), printed)


@pytest.mark.parametrize(("source", "dump"), PAIRS)
def test_we_print_it(source: str, dump: str) -> None:
    script = compile_php(b"<?php\n" + source.encode(), "errata.php")
    stages = our_stages(script.functions[0], SsaContext(script))
    # Types and ranges, which PHP prints beside the names, are no matter of SSA construction.
    wanted = [re.sub(r"^(#\S+(?: NOVAL)?) \[.*\](?: RANGE\S*)?(?= |$)", r"\1", line) for line in dump.splitlines()]
    printed = [line.strip() for line in (stages["SSA_VARS"] + b"\n" + stages["dfa ssa"]).decode().splitlines()]
    assert found_in_order(wanted, printed)


def test_the_miscompilation_is_real(tmp_path: Path) -> None:
    (source,) = [source for source, _ in PAIRS if source.startswith("function wrong")]
    file = tmp_path / "wrong.php"
    file.write_text(f"<?php\n{source}\nvar_dump(wrong(255));")
    assert run_php(file).stdout == b"float(9.223372036854776E+18)\n"
    opcache = ["-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1", "-d", "opcache.file_update_protection=0"]
    command = [need_tool("php"), "-n", *opcache, str(file)]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"int(-9223372036854775808)\n"
