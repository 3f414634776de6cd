"""The memory image in a file of opcache's file cache: header checks and bounds-checked access.

ext/opcache/zend_file_cache.c writes a header, a block of memory in which pointers are offsets from its start, and a
block of interned strings, to which odd "pointers" refer. Nothing in the file is trusted: every access is checked
against the block it falls in, nesting is limited, and anything out of place is one CompileError.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from ssa2llvm.formats.opcache_ast import expression_source
from ssa2llvm.formats.opcache_layout import LAYOUTS, system_ids
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst, Key, Literal
from ssa2llvm.ir.types import IS_ARRAY, IS_CONSTANT_AST, IS_DOUBLE, IS_FALSE, IS_LONG, IS_NULL, IS_STRING, IS_TRUE

MAGIC = b"OPCACHE\0"
_HEADER = LAYOUTS["metainfo"]
_HASH_PACKED = 1 << 2
_HASH_UNINITIALIZED = 1 << 3
_MAX_DEPTH = 100
IS_UNDEF, IS_INDIRECT = 0, 12


class Image:
    """A checked image; offsets given to its methods are "pointers" as they stand in the file."""

    def __init__(self, data: bytes, filename: str) -> None:
        """Check the header. Raises CompileError for a foreign, damaged or truncated file."""
        self.filename = filename
        if len(data) < _HEADER.size or not data.startswith(MAGIC):
            raise self.damaged("not a file of opcache's file cache, or cut short")
        self._memory = data
        identity = data[8:40].decode("latin-1")
        version = system_ids().get(identity)
        if version is None:
            raise self.damaged(
                f"written by a PHP other than 8.2 (64 bit, not thread safe), or by one whose extensions hook the "
                f"compiler: system id {identity!r}"
            )
        self.php_version = version
        self._memory, checked = data[: _HEADER.size], data[_HEADER.size :]
        memory_size = self.integer("metainfo", 0, "mem_size")
        strings_size = self.integer("metainfo", 0, "str_size")
        self.script_offset = self.integer("metainfo", 0, "script_offset")
        if memory_size + strings_size != len(checked):
            raise self.damaged("damaged: its size is not what its header says")
        if zlib.adler32(checked) != self.integer("metainfo", 0, "checksum"):
            raise self.damaged("damaged: wrong checksum")
        self._memory = checked[:memory_size]
        self._strings = checked[memory_size:]
        self._arrays: dict[int, ArrayConst] = {}

    def damaged(self, message: str) -> CompileError:
        """The diagnostic for a file that cannot be used."""
        return CompileError(message, self.filename)

    def check(self, offset: int, size: int) -> None:
        """Fail unless ``size`` bytes at ``offset`` are inside the memory block."""
        if not 0 <= offset <= offset + size <= len(self._memory):
            raise self.damaged("damaged: a pointer leads out of the file")

    def integer(self, layout: str, offset: int, field: str) -> int:
        """An integer member (signed if declared so) of the structure at ``offset``."""
        member = LAYOUTS[layout].fields[field]
        assert member.codec is not None
        self.check(offset + member.offset, member.codec.size)
        value = member.codec.unpack_from(self._memory, offset + member.offset)[0]
        assert isinstance(value, int)
        return value

    def pointers(self, offset: int, count: int) -> list[int]:
        """``count`` pointers that stand one behind the other."""
        self.check(offset, 8 * count)
        return [int.from_bytes(self._memory[at : at + 8], "little") for at in range(offset, offset + 8 * count, 8)]

    def string(self, pointer: int) -> bytes:
        """The zend_string that ``pointer`` refers to."""
        block, offset = (self._strings, pointer - 1) if pointer & 1 else (self._memory, pointer)
        layout = LAYOUTS["string"]
        if pointer == 0 or offset + layout.size > len(block):
            raise self.damaged("damaged: a string lies outside the file")
        length = int.from_bytes(block[offset + 16 : offset + 24], "little")
        start = offset + layout.size
        if start + length > len(block):
            raise self.damaged("damaged: a string is longer than the file")
        return block[start : start + length]

    def name(self, pointer: int) -> str:
        """A string that is a name."""
        return self.string(pointer).decode("utf-8", "surrogateescape")

    def zval(self, offset: int, depth: int = 0) -> Literal:
        """The value at ``offset``; an undefined one reads as null."""
        kind = self.integer("zval", offset, "type_info") & 0xFF
        value = self.integer("zval", offset, "value")
        if kind in (IS_UNDEF, IS_NULL):
            return None
        if kind in (IS_FALSE, IS_TRUE):
            return kind == IS_TRUE
        if kind == IS_LONG:
            return value - (1 << 64) if value >> 63 else value
        if kind == IS_DOUBLE:
            return self.double(offset)
        if kind == IS_STRING:
            return self.string(value)
        if kind == IS_ARRAY:
            return self.array(value, depth)
        if kind == IS_CONSTANT_AST:
            return ConstAst(expression_source(self, value))
        raise self.damaged(f"damaged: a value of type {kind}")

    def double(self, offset: int) -> float:
        """The double in the value at ``offset``."""
        self.check(offset, 8)
        value = struct.unpack_from("<d", self._memory, offset)[0]
        assert isinstance(value, float)
        return value

    def is_packed(self, offset: int) -> bool:
        """Whether the hash table at ``offset`` is a list."""
        flags = self.integer("array", offset, "flags")
        return bool(flags & _HASH_PACKED) and not flags & _HASH_UNINITIALIZED

    def entries(self, offset: int) -> Iterator[tuple[Key, int]]:
        """Keys and offsets of the values of the hash table at ``offset``, in order."""
        if self.integer("array", offset, "flags") & _HASH_UNINITIALIZED:
            return
        data = self.integer("array", offset, "data")
        used = self.integer("array", offset, "num_used")
        packed = self.is_packed(offset)
        size = LAYOUTS["zval"].size if packed else LAYOUTS["bucket"].size
        self.check(data, used * size)
        for index in range(used):
            at = data + index * size
            if self.integer("zval", at, "type_info") & 0xFF == IS_UNDEF:
                continue
            if packed:
                yield index, at
                continue
            key = self.integer("bucket", at, "key")
            yield self.string(key) if key else self.integer("bucket", at, "h"), at

    def array(self, offset: int, depth: int = 0) -> ArrayConst:
        """The constant array at ``offset``. One that is used twice is read once."""
        known = self._arrays.get(offset)
        if known is not None:
            return known
        if depth > _MAX_DEPTH:
            raise self.damaged("damaged: arrays nested too deeply")
        entries = tuple((key, self.zval(at, depth + 1)) for key, at in self.entries(offset))
        self._arrays[offset] = ArrayConst(entries, self.is_packed(offset))
        return self._arrays[offset]
