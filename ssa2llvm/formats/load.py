"""``load_any``: one function for every kind of input, told apart by content. A file called .zir, .zend or .bin
must be what its name says.

==============================  ==========================================================
starts with                     is
==============================  ==========================================================
``OPCACHE``                     a file of opcache's file cache (``opcache_bin``)
``; zir``                       zir (``zir_reader``)
an empty line, ``name:``, ``;``   a dump of PHP's optimizer (``zend_reader``); with ``$_main:`` behind it, at
                                least one that was cut off
anything else                   PHP source; the front end is imported only then. What has NUL bytes and no ``<?``
                                is not taken for a page of text, though PHP would print it
==============================  ==========================================================
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from ssa2llvm.formats.opcache_bin import MAGIC as BIN_MAGIC
from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.formats.zend_reader import read_zend_text
from ssa2llvm.formats.zend_stream import is_section_start
from ssa2llvm.formats.zir_reader import read_zir
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.op_array import Script

ZIR_WORD = b"; zir"
DUMP_START = b"\n$_main:"


def load_any(path: str, filename: str | None = None) -> Script:
    """Read the file at ``path``, or standard input for ``-``. Raises CompileError if it cannot be read. ``filename`` is
    what PHP source calls itself (``__FILE__``, messages), if not ``path``."""
    if path == "-":
        return load_bytes(sys.stdin.buffer.read(), filename or "<stdin>")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CompileError(f"cannot read: {error.strerror or error}", path) from error
    _check_suffix(data, path)
    return load_bytes(data, filename or path)


def _check_suffix(data: bytes, path: str) -> None:
    """A file called .zir, .zend or .bin whose content is something else would be run as a page of text: refuse it."""
    suffix = Path(path).suffix
    if suffix == ".zir" and not data.startswith(ZIR_WORD):
        raise CompileError("a zir file starts with the line '; zir 1'", path, 1, 1)
    if suffix == ".bin" and not data.startswith(BIN_MAGIC.rstrip(b"\0")):
        raise CompileError("not a file of opcache's file cache", path)
    if suffix == ".zend" and not (is_section_start(data, 0) or data.startswith(DUMP_START)):
        raise CompileError("not a dump of PHP's optimizer: no function starts here", path, 1, 1)


def load_bytes(data: bytes, filename: str) -> Script:
    """Read an input that is already in memory; ``filename`` is for diagnostics."""
    if data.startswith(BIN_MAGIC.rstrip(b"\0")):
        return read_opcache_bin(data, filename)
    if data.startswith(ZIR_WORD):
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise CompileError("zir must be UTF-8 (write other bytes as \\xHH)", filename, line, 1) from error
        return read_zir(text, filename)
    if is_section_start(data, 0) or data.startswith(DUMP_START):
        return read_zend_text(data, filename)
    if b"\0" in data and b"<?" not in data:
        raise CompileError("neither PHP source nor zir, dump text or an opcache file", filename)
    return _compile_php(data, filename)


def _compile_php(source: bytes, filename: str) -> Script:
    """Hand PHP source to the front end, which stands beside this room and is looked up at run time."""
    import importlib

    front_end = importlib.import_module("ssa2llvm.php")
    script, reports = front_end.compile_php_reporting(source, filename)
    script.reports = [
        f"\n{report.level.value}: {report.message} in {filename} on line {report.line}\n" for report in reports
    ]
    return cast(Script, script)
