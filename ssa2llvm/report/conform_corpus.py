"""PHP's own tests as a corpus: fetched with apt, cut out of their .phpt files, kept in the user's cache.

Nothing of it is ever part of this project: ``fetch_corpus`` brings Debian's source package of php8.2 into the cache
directory (``apt-get source``), ``extract`` writes the ``--FILE--`` part of each test there as a .php file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from ssa2llvm.ir.diagnostics import CompileError

TEST_FOLDERS = (
    "Zend/tests",
    "tests/lang",
    "tests/basic",
    "tests/classes",
    "ext/opcache/tests",
    "ext/standard/tests/array",
    "ext/standard/tests/strings",
    "ext/standard/tests/math",
    "ext/standard/tests/general_functions",
)
"""The folders of php-src that are compared."""

_SECTION = re.compile(rb"^--([A-Z_]+)--[ \t\r]*\n", re.MULTILINE)
_FETCH_TIMEOUT = 900.0
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def cache_home() -> Path:
    """Where ssa2llvm keeps what can be made again: ``$XDG_CACHE_HOME/ssa2llvm``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ssa2llvm"


def program_of(test: bytes, folder: Path) -> bytes | None:
    """The PHP program of a .phpt file in ``folder``, None if it has none."""
    parts = _SECTION.split(test)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if b"FILE_EXTERNAL" in sections:
        external = folder / sections[b"FILE_EXTERNAL"].strip().decode("utf-8", "surrogateescape")
        return external.read_bytes() if external.is_file() else None
    return sections.get(b"FILE", sections.get(b"FILEEOF"))


def extract(source: Path, target: Path) -> int:
    """Write the program of every test in the tree ``source`` below ``target``; return how many there are."""
    count = 0
    for folder in TEST_FOLDERS:
        for test in sorted((source / folder).rglob("*.phpt")):
            program = program_of(test.read_bytes(), test.parent)
            if program is None:
                continue
            file = target / test.relative_to(source).with_suffix(".php")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(program)
            count += 1
    return count


def fetch_corpus(source: Path | None = None) -> Path:
    """The folder with the extracted corpus, made if it is not there yet. ``source`` is an unpacked php-src to use
    instead of Debian's package. Raises CompileError without network or apt."""
    home = cache_home() / "php-src"
    target = home / "corpus"
    done = home / "corpus.done"
    if done.exists() and source is None:
        return target
    home.mkdir(parents=True, exist_ok=True)
    tree = source if source is not None else _fetch_source(home)
    count = extract(tree, target)
    if count == 0:
        raise CompileError("no tests of PHP found in this source tree", str(tree))
    done.write_text(f"{count}\n")
    return target


def _fetch_source(home: Path) -> Path:
    unpacked = sorted(home.glob("php8.2-*"))
    if unpacked:
        return unpacked[0]
    if shutil.which("apt-get") is None:
        raise CompileError("PHP's tests come from Debian's source package, and there is no apt-get here")
    # apt wants a source line; ours stands in the cache, so that the system's configuration stays as it is.
    lists = home / "apt" / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    sources = home / "apt" / "sources.list"
    trusted = f"[signed-by={_KEYRING}] " if _KEYRING.exists() else ""
    sources.write_text(f"deb-src {trusted}http://deb.debian.org/debian bookworm main\n")
    options = [
        "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=-", "-o", f"Dir::State::lists={lists}",
    ]  # fmt: skip
    for command in (["apt-get", *options, "update"], ["apt-get", *options, "source", "php8.2"]):
        try:
            done = subprocess.run(command, cwd=home, capture_output=True, timeout=_FETCH_TIMEOUT, check=False)
        except subprocess.TimeoutExpired as error:
            raise CompileError(f"cannot fetch PHP's tests: {' '.join(command)} takes too long") from error
        if done.returncode != 0:
            last = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise CompileError(
                f"cannot fetch PHP's tests (is there a network?): {' '.join(command[-2:])}: {last[-1] if last else ''}"
            )
    unpacked = sorted(home.glob("php8.2-*"))
    if not unpacked:
        raise CompileError("apt-get source php8.2 brought no source (dpkg-source of package dpkg-dev unpacks it)")
    return unpacked[0]
