"""opcache's file cache: equal to PHP's dump where that speaks, exact where it does not, safe whatever the bytes."""

from __future__ import annotations

import random
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from ssa2llvm.formats.load import load_bytes
from ssa2llvm.formats.opcache_bin import read_opcache_bin
from ssa2llvm.formats.opcache_layout import LAYOUTS, system_ids
from ssa2llvm.formats.zend_printer import print_zend_text
from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.ir.literals import ArrayConst, ConstAst, JumpTable
from ssa2llvm.ir.op_array import FnFlags, OpArray, Script, StaticVar, TryCatch
from ssa2llvm.ir.opcode import Opcode
from ssa2llvm.ir.operands import BIND_EXPLICIT, BIND_REF, FREE_ON_RETURN, FREE_SWITCH
from ssa2llvm.ir.types import MAY_BE_ARRAY, MAY_BE_FALSE, MAY_BE_LONG, MAY_BE_NULL, MAY_BE_STRING
from tests.formats.programs import DECLARATIONS, QUIRKS
from tests.tools import need_tool, php_dump

CHECKSUM_AT = LAYOUTS["metainfo"].offset("checksum")
HEADER_SIZE = LAYOUTS["metainfo"].size


def cache_file(folder: Path, source: bytes) -> tuple[bytes, bytes]:
    """(opcache's file for ``source``, PHP's dump of it)."""
    file = folder / "program.php"
    file.write_bytes(source)
    cache = folder / "cache"
    cache.mkdir()
    command = [
        need_tool("php"), "-n", "-d", "zend_extension=opcache", "-d", "opcache.enable_cli=1",
        "-d", "opcache.file_update_protection=0", "-d", "opcache.optimization_level=0",
        "-d", f"opcache.file_cache={cache}", "-d", "opcache.file_cache_only=1", "-l", str(file),
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    return next(cache.rglob("*.bin")).read_bytes(), php_dump(file)


@pytest.fixture(scope="module")
def declarations(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    return cache_file(tmp_path_factory.mktemp("bin"), DECLARATIONS)


@pytest.fixture(scope="module")
def script(declarations: tuple[bytes, bytes]) -> Script:
    return read_opcache_bin(declarations[0], "declarations.bin")


def function(script: Script, name: str) -> OpArray:
    return next(op_array for op_array in script.op_arrays() if op_array.name == name)


def test_it_prints_as_php_does(declarations: tuple[bytes, bytes], script: Script, tmp_path: Path) -> None:
    assert print_zend_text(script) == declarations[1]
    image, text = cache_file(tmp_path, QUIRKS)
    assert print_zend_text(load_bytes(image, "quirks.bin")) == text


def test_literals_are_exact(script: Script) -> None:
    constant = next(literal for literal in script.main.literals if isinstance(literal, ArrayConst))
    inner = ArrayConst(((b"k", None), (5, True)), False)
    assert constant == ArrayConst(((0, 1), (1, 2.5), (2, b"x\0y"), (3, inner)), True)
    assert 0.1 + 0.2 in function(script, "App\\Deep\\generate").literals
    closure = script.main.dynamic_defs[0]
    tables = [literal for literal in closure.literals if isinstance(literal, JumpTable)]
    assert [key for key, _ in tables[0].entries] == [b"a", b"bb", b"c\0d"]
    assert [key for key, _ in tables[1].entries] == [1, 2, 4]
    assert all(0 <= target < len(closure.ops) for table in tables for _, target in table.entries)


def test_declarations_are_known(script: Script) -> None:
    generate = function(script, "App\\Deep\\generate")
    assert [(arg.name, arg.type.text, arg.by_ref) for arg in generate.arg_info] == [
        ("a", "string|int|null", True),
        ("b", "?App\\Deep\\Base", False),
        ("c", "float", False),
    ]
    assert generate.arg_info[0].type.mask == MAY_BE_NULL | MAY_BE_LONG | MAY_BE_STRING
    assert (generate.num_args, generate.required_num_args, generate.return_type.text) == (3, 1, "Traversable|array")
    expected = FnFlags.GENERATOR | FnFlags.RETURNS_REFERENCE | FnFlags.HAS_FINALLY | FnFlags.STRICT_TYPES
    assert generate.flags == expected | FnFlags.HAS_RETURN_TYPE | FnFlags.HAS_TYPE_HINTS
    closure = script.main.dynamic_defs[0]
    assert closure.return_type.mask == MAY_BE_LONG | MAY_BE_FALSE
    assert [(arg.name, arg.variadic) for arg in closure.arg_info] == [("n", True)]
    assert closure.static_vars == [StaticVar("argc", None), StaticVar("argv", None)]
    binds = [op.extended_value for op in closure.ops if op.opcode == Opcode.BIND_STATIC]
    assert binds == [BIND_EXPLICIT, BIND_EXPLICIT | BIND_REF]


def test_lines_and_tables_are_known(script: Script) -> None:
    generate = function(script, "App\\Deep\\generate")
    line = DECLARATIONS[: DECLARATIONS.index(b"function &generate")].count(b"\n") + 1
    assert generate.line_start == line
    assert {op.line for op in generate.ops} == {line, line + 1, line + 2, line + 3}
    assert len(generate.try_catch) == 1
    entry = generate.try_catch[0]
    assert isinstance(entry, TryCatch)
    assert generate.ops[entry.catch_op].opcode == Opcode.CATCH
    assert generate.ops[entry.finally_end].opcode == Opcode.FAST_RET
    frees = [op.extended_value for op in script.main.dynamic_defs[0].ops if op.opcode == Opcode.FREE]
    assert set(frees) == {FREE_ON_RETURN, FREE_SWITCH}


def test_classes_are_known(script: Script) -> None:
    base = next(cls for cls in script.classes if cls.name == "App\\Deep\\Base")
    assert base.interfaces == ["App\\Deep\\Shape"]
    assert base.constants == [("C", ConstAst("(self::D . 'x')")), ("D", 5)]
    properties = {prop.name: prop for prop in base.properties}
    assert (properties["a"].default, properties["a"].type.text) == (5, "?int")
    assert properties["s"].static
    assert (properties["s"].default, properties["s"].type.mask) == (ArrayConst(((0, 1),), True), MAY_BE_ARRAY)
    assert properties["s"].flags == FnFlags.PROTECTED | FnFlags.STATIC
    assert properties["z"].flags == FnFlags.PRIVATE
    assert [method.name for method in base.methods] == ["__construct", "st", "area"]
    static = base.methods[1]
    assert (static.scope, static.return_type.text) == ("App\\Deep\\Base", "static")
    assert (static.arg_info[0].type.text, static.arg_info[0].type.intersection) == (
        "App\\Deep\\Base&App\\Deep\\Shape",
        True,
    )
    assert static.static_vars == [StaticVar("q", 3), StaticVar("r", ArrayConst(((0, 1), (1, 2)), True))]
    child = next(cls for cls in script.classes if cls.name == "App\\Deep\\Child")
    assert child.parent == "App\\Deep\\Base"


def seal(image: bytes) -> bytes:
    """``image`` with a checksum that is right again, so that damage gets past it."""
    checksum = struct.pack("<I", zlib.adler32(image[HEADER_SIZE:]))
    return image[:CHECKSUM_AT] + checksum + image[CHECKSUM_AT + 4 :]


def test_damage_is_noticed(declarations: tuple[bytes, bytes]) -> None:
    image = declarations[0]
    chance = random.Random(1)
    for _ in range(200):
        at = chance.randrange(HEADER_SIZE, len(image))
        damaged = image[:at] + bytes([image[at] ^ 1 << chance.randrange(8)]) + image[at + 1 :]
        with pytest.raises(CompileError, match="wrong checksum"):
            read_opcache_bin(damaged, "x.bin")
    for length in range(0, len(image), 97):
        with pytest.raises(CompileError, match=r"x\.bin"):
            read_opcache_bin(image[:length], "x.bin")


def test_damage_with_a_right_checksum_never_crashes(declarations: tuple[bytes, bytes]) -> None:
    image = declarations[0]
    chance = random.Random(2)
    refused = []
    for _ in range(250):
        damaged = bytearray(image)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(HEADER_SIZE, len(image))
            damaged[at] = chance.choice([0, 0xFF, damaged[at] ^ 1 << chance.randrange(8)])
        try:
            print_zend_text(read_opcache_bin(seal(bytes(damaged)), "x.bin"))
        except CompileError as error:
            refused.append(str(error))
    assert len(refused) > 50
    assert all(message.startswith("x.bin: error: ") for message in refused)


@pytest.mark.parametrize("field", ["mem_size", "str_size", "script_offset"])
def test_a_wrong_header_is_refused(declarations: tuple[bytes, bytes], field: str) -> None:
    at = LAYOUTS["metainfo"].offset(field)
    for value in (1, 1 << 20, (1 << 64) - 8):
        damaged = declarations[0][:at] + struct.pack("<Q", value) + declarations[0][at + 8 :]
        with pytest.raises(CompileError, match="damaged"):
            read_opcache_bin(damaged, "x.bin")


def test_another_phps_file_is_refused(declarations: tuple[bytes, bytes]) -> None:
    image = declarations[0]
    assert image[8:40].decode() in system_ids()
    foreign = image[:8] + b"0123456789abcdef0123456789abcdef" + image[40:]
    with pytest.raises(CompileError, match=r"written by a PHP other than 8\.2"):
        read_opcache_bin(foreign, "x.bin")
    with pytest.raises(CompileError, match="not a file of opcache's file cache"):
        read_opcache_bin(b"GARBAGE\0" + image[8:], "x.bin")


def test_sizes_are_those_of_php() -> None:
    # sizeof() as gdb and the source comments of php-src 8.2 give them for 64 bits.
    sizes = {"zval": 16, "op": 32, "bucket": 32, "array": 56, "op_array": 248, "class_entry": 504, "arg_info": 32}
    assert {name: LAYOUTS[name].size for name in sizes} == sizes
    assert LAYOUTS["op"].offset("lineno") == 24
