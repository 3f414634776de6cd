"""What PHP itself makes of a file: its optimizer's dumps and its file cache, live or recorded.

For each level the oracle has the dump of its stages (opcache.opt_debug_level) and the op arrays as the file cache
stores them at the same point of the way. Level 0x20 runs PHP's data-flow passes on the compiler's output, level 0x30
after the block pass, so that conditions have become chains of jumps and pis appear in them; 0x60 adds the call graph
to 0x20, 0x68 direct calls to that, 0x20060 the narrowing of integer literals to floats; 0xa0 adds SCCP, 0x2020 DCE.
Level ``jit`` is the SSA form that the JIT builds for itself from the compiler's output, with reference counts.

A ``Recording`` is a folder of plain files, one set a source file, so that what was recorded for our own programs can
be committed, and what was asked of PHP once need not be asked again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ssa2llvm.analysis.context import Options
from ssa2llvm.ir.diagnostics import CompileError

TIMEOUT = 30.0
"""Seconds after which PHP is given up."""


_ALONE = Options(interprocedural=False)
"""Each function is inferred on its own (PHP without pass 7)."""


@dataclass(frozen=True, slots=True)
class Level:
    """One way to run PHP: ``optimization`` with ``debug`` bits gives the stages; the file cache at ``image`` holds
    the code that these stages start from, which the dump calls ``start``. ``options`` is what our inference does at
    that level. With ``jit``, PHP's JIT runs too and prints its SSA form."""

    name: str
    optimization: int
    debug: int
    image: int
    start: bytes
    options: Options = _ALONE
    jit: bool = False

    @property
    def text(self) -> str:
        """The name in tables: ``0x20``, ``jit``."""
        return self.name if self.jit else f"0x{self.name}"


_STAGE_BITS = 0x800000 | 0x1000000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000
_VARS_BITS = 0x8000000 | 0x10000000
_JIT = ["-d", "opcache.jit_buffer_size=16M", "-d", "opcache.jit=1205", "-d", "opcache.jit_debug=2"]
COMPILED = b"before optimizer"
"""What PHP's dump calls the compiler's output."""

LEVELS: dict[str, Level] = {
    "20": Level("20", 0x20, 0x10000 | _STAGE_BITS, 0, COMPILED),
    "30": Level("30", 0x30, 0x10000 | 0x10 | _STAGE_BITS, 0x10, b"after pass 5"),
    "60": Level("60", 0x60, 0x10000 | _VARS_BITS, 0, COMPILED, Options()),
    "68": Level("68", 0x68, 0x10000 | _VARS_BITS, 0, COMPILED, Options(direct_calls=True)),
    "20060": Level("20060", 0x20060, 0x10000 | _VARS_BITS, 0, COMPILED, Options(narrow_to_double=True)),
    "jit": Level("jit", 0, 0x10000, 0, COMPILED, Options(counts_references=True), jit=True),
    "a0": Level("a0", 0xA0, 0x10000 | 0x20000000, 0, COMPILED),
    "2020": Level("2020", 0x2020, 0x10000 | 0x2000, 0, COMPILED),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """PHP's answer at one level: the dump, and the cache file (b"" if PHP wrote none). ``problem`` says why there is
    nothing to compare."""

    dump: bytes
    image: bytes
    problem: str = ""


class Oracle:
    """Asks PHP, and keeps its answers in ``cache`` (a folder) if there is one."""

    def __init__(self, php: str, cache: Path | None = None) -> None:
        """Raises CompileError if ``php`` is no PHP 8.2 with opcache."""
        self._php = php
        self._cache = cache
        self.version = _php_version(php)

    def ask(self, source: Path, level: Level) -> Answer:
        """PHP's answer for ``source``. A PHP that crashes or hangs is a problem, never an exception."""
        path = source.resolve()
        folder = self._folder(path)
        if folder is not None:
            known = read_answer(folder, level)
            if known is not None:
                return known
        answer = self._run(str(path), None, level, _known_image(folder, level))
        if folder is not None:
            write_answer(folder, level, answer)
        return answer

    def record(self, source: Path, level: Level, image: bytes = b"") -> Answer:
        """PHP's answer in which the file has its bare name, the same on every machine. ``image`` is the file cache if
        another level brought it already."""
        return self._run(source.name, source.parent, level, image)

    def _folder(self, path: Path) -> Path | None:
        if self._cache is None:
            return None
        key = hashlib.sha256(f"{self.version}\0{path}\0".encode() + path.read_bytes()).hexdigest()
        return self._cache / key[:2] / key[2:34]

    def _run(self, name: str, folder: Path | None, level: Level, image: bytes = b"") -> Answer:
        with tempfile.TemporaryDirectory(prefix="ssa2llvm-conform-") as scratch:
            dump, problem = self._php_lint(name, folder, level.optimization, level.debug, _JIT if level.jit else [])
            if problem or image:
                return Answer(b"" if problem else dump, image, problem)
            cache = ["-d", f"opcache.file_cache={scratch}", "-d", "opcache.file_cache_only=1"]
            _, problem = self._php_lint(name, folder, level.image, 0, cache)
            images = sorted(Path(scratch).rglob("*.bin"))
            return Answer(dump, images[0].read_bytes() if images and not problem else b"")

    def _php_lint(
        self, name: str, folder: Path | None, optimization: int, debug: int, more: list[str]
    ) -> tuple[bytes, str]:
        """(what PHP wrote to stderr, what went wrong)."""
        command = [
            self._php, "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable=1", "-d", "opcache.enable_cli=1",
            "-d", "opcache.file_update_protection=0", "-d", "log_errors=0", *more,
            "-d", f"opcache.optimization_level={optimization:#x}", "-d", f"opcache.opt_debug_level={debug:#x}",
            "-l", name,
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, capture_output=True, stdin=subprocess.DEVNULL, cwd=folder, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return b"", f"PHP did not finish within {TIMEOUT:.0f} seconds"
        if done.returncode < 0:
            return b"", f"PHP was killed by signal {-done.returncode}"
        if done.returncode != 0:
            return b"", "PHP does not compile it"
        return done.stderr, ""


@cache
def _php_version(php: str) -> str:
    command = [
        php,
        "-n",
        "-d",
        "zend_extension=opcache",
        "-r",
        'echo PHP_VERSION, " ", extension_loaded("Zend OPcache");',
    ]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(f"cannot run PHP: {error}", php) from error
    version, _, has_opcache = done.stdout.decode("utf-8", "replace").partition(" ")
    if not version.startswith("8.2."):
        raise CompileError(f"this is not PHP 8.2 but {version or 'something else'}", php)
    if has_opcache != "1":
        raise CompileError("this PHP has no opcache (Debian: php8.2-opcache)", php)
    return version


def find_php(wish: str | None) -> str:
    """The PHP to ask: ``wish``, or php8.2 or php of the path. Raises CompileError if there is none."""
    for name in [wish] if wish else ["php8.2", "php"]:
        path = shutil.which(name)
        if path is not None:
            return path
    raise CompileError(f"cannot find {wish or 'PHP'}: install php8.2-cli and php8.2-opcache, or name it with --php")


def _known_image(folder: Path | None, level: Level) -> bytes:
    """The file cache that ``level`` asks for, if it or another level has asked for it before."""
    for other in (level, *LEVELS.values()):
        if folder is not None and other.image == level.image:
            image = folder / f"{other.name}.bin"
            if image.exists():
                return image.read_bytes()
    return b""


def read_answer(folder: Path, level: Level) -> Answer | None:
    """A recorded answer, None if there is none."""
    dump = folder / f"{level.name}.dump"
    if not dump.exists():
        return None
    problem = folder / f"{level.name}.problem"
    return Answer(
        dump.read_bytes(),
        _known_image(folder, level),
        problem.read_text() if problem.exists() else "",
    )


def write_answer(folder: Path, level: Level, answer: Answer) -> None:
    """Record an answer; the dump is written last and whole, so that a recording cut short is none."""
    folder.mkdir(parents=True, exist_ok=True)
    if answer.image and answer.image != _known_image(folder, level):
        (folder / f"{level.name}.bin").write_bytes(answer.image)
    if answer.problem:
        (folder / f"{level.name}.problem").write_text(answer.problem)
    unfinished = folder / f"{level.name}.dump.{os.getpid()}"
    unfinished.write_bytes(answer.dump)
    unfinished.replace(folder / f"{level.name}.dump")
