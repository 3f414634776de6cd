"""Facts that passes find are compared as sets: what PHP knows and we do not is worse, the reverse is better."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssa2llvm.report.conform_facts import OBJECTS, lacking, php_constants, php_removed
from ssa2llvm.report.conform_run import Job, compare_file
from tests.tools import need_tool

PROGRAM = """<?php
function known($x) {
    $a = 3;
    $b = $a * 2 + 1;
    $list = [1, 2, 'k' => $b, 'n' => [$a]];
    $c = $list['k'] . "s\\nt";
    if ($b > 5) { $y = strlen("abc"); } else { $y = $x; }
    $unused = $b . $c;
    return $y + $list[0] + strlen($c);
}
echo known(2);
"""


def compare(folder: Path, stage: str, level: str) -> dict[tuple[str, str, str, str], int]:
    source = folder / "known.php"
    source.write_text(PROGRAM)
    result = compare_file(source, Job(need_tool("php"), None, (stage,), (level,)))
    assert result.problem == ""
    assert [difference for difference in result.differences if difference.verdict.value == "worse"] == []
    return result.counts


def test_our_constants_cover_phps(tmp_path: Path) -> None:
    counts = compare(tmp_path, "sccp", "a0")
    assert sum(number for (_, source, _, _), number in counts.items() if source == "bin") == 1


def test_our_dead_code_covers_phps(tmp_path: Path) -> None:
    counts = compare(tmp_path, "dce", "2020")
    assert sum(number for (_, source, _, _), number in counts.items() if source == "source") == 2


def test_phps_constants_are_read() -> None:
    section = (
        b'\nSCCP Values for "f":\n    #8.CV1($a) = int(3)\n    #9.X8 = string("two\nlines")\n'
        b'    #14.X11 = [0 => int(1), "k" => array(...)]\n    #15.X12 = partial [0 => int(1)]\n'
        b'    #16.X1 = {"p" => int(1)}\n'
    )
    assert php_constants(section).split(b"\n") == [
        b"#8 = int(3)",
        b'#9 = string("two\\nlines")',
        b'#14 = [0 => int(1), "k" => array(...)]',
        b"#15 = partial [0 => int(1)]",
        OBJECTS,
    ]


def test_phps_removed_instructions_are_read() -> None:
    section = (
        b"\nf:\n     ; (lines=4, args=0, vars=1, tmps=1, ssa_vars=2)\n     ; (after dce pass)\n     ; t.php:1-2\n"
        b"BB0:\n     ; start exit lines=[0-1]\n     ; level=0\n0000 NOP\n0001 RETURN int(1)\n"
        b"\nBB1:\n     ; unreachable lines=[2-3]\n0002 NOP\n0003 RETURN null\n"
    )
    assert php_removed(section) == b"0000"


def test_constant_elements_of_partial_arrays_count() -> None:
    wanted = b'#1 = partial [0 => int(1), "a, b" => string("c, d"), 5 => zval(type=253)]'
    known = b'#1 = partial [0 => int(1), "a, b" => string("c, d"), 7 => int(2)]'
    assert lacking(known, wanted) == []
    assert lacking(known.replace(b"c, d", b"c, e"), wanted) == [wanted]
    assert lacking(b"#2 = null", wanted) == [wanted]
    assert lacking(b"#1 = [0 => int(1)]", b"#1 = partial []") == []


def test_what_is_lacking() -> None:
    php = b"#1 = int(1)\n#2 = null\n#3 = null\n#4 = int(4)"
    ours = b"#1 = int(1)\n#2 = partial [0 => int(1)]\n#4 = int(5)\n#9 = int(9)"
    assert lacking(ours, php) == [b"#3 = null", b"#4 = int(4)"]
    assert lacking(php, php) == []
    assert lacking(b"", b"") == []


@pytest.mark.parametrize(
    ("stage", "level", "body"),
    [
        ("dce", "2020", "$key = $n * 1.5; $dead = []; $dead[$key] = 1; return 1;"),
        ("sccp", "a0", "$rest = [9]; $all = [$n, ...$rest]; return $all[0];"),
    ],
)
def test_errors_of_phps_are_told_from_ours(tmp_path: Path, stage: str, level: str, body: str) -> None:
    source = tmp_path / "wrong.php"
    source.write_text(f"<?php function f(int $n, $o) {{ {body} }}")
    result = compare_file(source, Job(need_tool("php"), None, (stage,), (level,)))
    verdicts = {key[3] for key in result.counts if key[1] == "bin"}
    assert "zend wrong" in verdicts
    assert "worse" not in verdicts
