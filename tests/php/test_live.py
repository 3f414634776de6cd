"""The front end against live PHP: random programs, the repository's own, and what only the file cache tells."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.ir.literals import ConstAst, same_literal
from ssa2llvm.php import compile_php
from tests.php.campaign import campaign
from tests.php.record import programs
from tests.php.reference import our_outcome, php_outcome
from tests.tools import need_tool

_ROOT = Path(__file__).parents[2]
_FILES = sorted(path for folder in ("examples", "bench", "tests") for path in (_ROOT / folder).rglob("*.php"))
_CACHE_FLAGS = [
    "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1",
    "-d", "opcache.file_update_protection=0", "-d", "opcache.file_cache_only=1", "-d", "opcache.optimization_level=0",
]  # fmt: skip


@pytest.mark.parametrize("seed", [11, 12])
def test_random_programs(seed):
    need_tool("php")
    tally = campaign(expressions=200, statements=60, seed=seed)
    assert tally.differences == []
    assert tally.accepted > 150
    assert tally.rejected > 10


@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_ROOT)))
def test_programs_of_the_repository(path):
    theirs = php_outcome(path)
    assert our_outcome(path.read_bytes(), str(path)) == theirs


def file_cache(path: Path, directory: Path):
    """The script that opcache stored for ``path``."""
    command = [need_tool("php"), *_CACHE_FLAGS, "-d", f"opcache.file_cache={directory}", "-l", str(path)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    (stored,) = directory.rglob("*.bin")
    return read_opcache_bin(stored.read_bytes())


def same(left, right):
    """Constant expressions have no text in the file cache."""
    return same_literal(left, right) or (isinstance(left, ConstAst) and isinstance(right, ConstAst))


@pytest.mark.parametrize(
    "name",
    [
        "lines over several lines",
        "scalars: all literals",
        "scalars: integer limits",
        "functions: parameters",
        "functions: return types",
        "heredoc and nowdoc",
        "static variables",
        "finally with loops and returns",
        "namespaces",
        "classes: binding",
    ],
)
def test_lines_literals_and_declarations(name, tmp_path):
    path = tmp_path / "program.php"
    path.write_bytes(programs()[name])
    cache = tmp_path / "cache"
    cache.mkdir()
    theirs = file_cache(path, cache).op_arrays()
    ours = compile_php(path.read_bytes(), str(path)).op_arrays()
    assert [op_array.name for op_array in ours] == [op_array.name for op_array in theirs]
    for our, their in zip(ours, theirs, strict=True):
        assert [op.line for op in our.ops] == [op.line for op in their.ops]
        assert [op.extended_value for op in our.ops] == [op.extended_value for op in their.ops]
        assert len(our.literals) == len(their.literals)
        assert all(same(a, b) for a, b in zip(our.literals, their.literals, strict=True))
        assert [(i.name, i.type, i.by_ref, i.variadic) for i in our.arg_info] == [
            (i.name, i.type, i.by_ref, i.variadic) for i in their.arg_info
        ]
        assert (our.return_type, our.flags) == (their.return_type, their.flags)
        assert (our.live_ranges, our.try_catch) == (their.live_ranges, their.try_catch)
        assert [s.name for s in our.static_vars] == [s.name for s in their.static_vars]
        assert all(same(a.value, b.value) for a, b in zip(our.static_vars, their.static_vars, strict=True))
