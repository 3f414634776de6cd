"""Files: each suffix, libraries called from C and Python, another architecture, and every way it can fail."""

from __future__ import annotations

import ctypes
import os
import subprocess

import pytest

from ssa2llvm.ir.diagnostics import CompileError
from ssa2llvm.llvm.driver import emit
from ssa2llvm.php import compile_php
from tests.tools import need_tool

LIBRARY = b"""<?php
declare(strict_types=1);
echo "opened\\n";
function add(int $a, int $b): int|float { return $a + $b; }
function scale(float $x, int $n): float { return $x * $n; }
function greet(string $name, bool $loud): string { return "Hello " . $name . ($loud ? "!" : "."); }
function strict(int $n): int { return $n > 100 ? "big" : $n; }
function main(int $n): int { static $calls = 0; $calls += $n; return $calls; }
function anything($x) { return $x; }
function stop(): void { exit(3); }
"""


def compile_to(path, source: bytes = LIBRARY, **options):
    emit(compile_php(source, "lib.php"), str(path), **options)


def test_executable(tmp_path):
    compile_to(tmp_path / "program", b"<?php echo 6 * 7, PHP_EOL;")
    assert subprocess.run([tmp_path / "program"], capture_output=True, check=True).stdout == b"42\n"


@pytest.mark.parametrize(("suffix", "start"), [(".ll", b"; ModuleID"), (".bc", b"BC\xc0\xde"), (".s", b"\t")])
def test_what_llvm_sees(tmp_path, suffix, start):
    compile_to(tmp_path / f"program{suffix}", b"<?php echo 1;")
    assert (tmp_path / f"program{suffix}").read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [f"program{suffix}"]


class Number(ctypes.Structure):
    _fields_ = [("bits", ctypes.c_int64), ("is_double", ctypes.c_uint8)]


class String(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_uint64)]

    def text(self) -> bytes:
        return ctypes.string_at(self.bytes, self.length)


class Value(ctypes.Structure):
    _fields_ = [("payload", ctypes.c_int64), ("tag", ctypes.c_int64)]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "libdemo.so"
    compile_to(path)
    loaded = ctypes.CDLL(str(path))
    loaded.demo_last_error.restype = ctypes.c_char_p
    loaded.demo_close.restype = ctypes.c_int64
    loaded.path = path
    return loaded


def test_numbers_from_python(library, capfd):
    library.add.restype, library.add.argtypes = Number, [ctypes.c_int64, ctypes.c_int64]
    assert (library.add(2, 3).bits, library.add(2, 3).is_double) == (5, 0)
    overflowed = library.add(2**63 - 1, 1)
    assert overflowed.is_double == 1
    assert ctypes.c_double.from_buffer_copy(ctypes.c_int64(overflowed.bits)).value == 2.0**63
    library.scale.restype, library.scale.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_int64]
    assert library.scale(1.5, 4) == 6.0


def test_strings_from_python(library):
    library.greet.restype = String
    library.greet.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_bool]
    assert library.greet(b"Ann", 3, True).text() == b"Hello Ann!"
    assert library.greet(b"a\0b", 3, False).text() == b"Hello a\0b."


def test_errors_do_not_end_the_host(library):
    library.strict.restype, library.strict.argtypes = ctypes.c_int64, [ctypes.c_int64]
    assert library.strict(7) == 7
    assert library.demo_last_error() is None
    assert library.strict(101) == 0
    assert b"TypeError: strict(): Return value must be of type int, string returned" in library.demo_last_error()
    library.stop.restype = None
    library.stop()
    assert library.demo_last_error() == b"exit(3)"
    assert library.strict(8) == 8
    assert library.demo_last_error() is None


def test_statics_live_between_calls_and_values_pass(library):
    library.php_main.restype, library.php_main.argtypes = ctypes.c_int64, [ctypes.c_int64]
    assert [library.php_main(2), library.php_main(3)] == [2, 5]
    library.anything.restype, library.anything.argtypes = Value, [Value]
    back = library.anything(Value(9, 4))
    assert (back.payload, back.tag) == (9, 4)
    assert library.demo_close() == 0
    assert library.php_main(1) == 1  # opened again, from the start


def test_c_driver(tmp_path):
    driver = tmp_path / "driver.c"
    driver.write_text(
        '#include "libdemo.h"\n#include <stdio.h>\n#include <string.h>\n'
        "int main(void) {\n"
        "    ssa2llvm_number sum = add(40, 2), big = add(INT64_MAX, 1);\n"
        '    ssa2llvm_string hello = greet((ssa2llvm_string){"Bob", 3}, true);\n'
        "    if (sum.is_double || sum.bits != 42 || !big.is_double) return 1;\n"
        "    if (ssa2llvm_double_of(big.bits) != 9223372036854775808.0) return 2;\n"
        '    if (hello.length != 10 || memcmp(hello.bytes, "Hello Bob!", 10) != 0) return 3;\n'
        "    if (strict(1000) != 0 || demo_last_error() == NULL) return 4;\n"
        "    return (int)demo_close();\n}\n"
    )
    compile_to(tmp_path / "libdemo.a")
    compiler = need_tool("cc")
    command = [
        compiler,
        "-std=c11",
        "-Wall",
        "-Werror",
        driver,
        tmp_path / "libdemo.a",
        "-lm",
        "-pthread",
        "-o",
        tmp_path / "d",
    ]
    subprocess.run(command, check=True)
    assert subprocess.run([tmp_path / "d"], capture_output=True, check=False).returncode == 0


def test_header_is_valid_cxx_free_c(tmp_path):
    compile_to(tmp_path / "libdemo.o")
    text = (tmp_path / "libdemo.h").read_text()
    assert "int64_t php_main(int64_t n);" in text
    assert "ssa2llvm_string greet(ssa2llvm_string name, bool loud);" in text


def test_ffi_of_php(tmp_path):
    """PHP loads the library by its second header, without a word of C in the script."""
    compile_to(tmp_path / "libdemo.so")
    (tmp_path / "use.php").write_text(
        '<?php $demo = FFI::load("libdemo.ffi.h"); $sum = $demo->add(40, 2);\n'
        '$name = FFI::new("char[3]"); FFI::memcpy($name, "Bob", 3);\n'
        '$given = $demo->new("ssa2llvm_string"); $given->bytes = $demo->cast("char *", $name); $given->length = 3;\n'
        "$hello = $demo->greet($given, true);\n"
        'echo $sum->bits, $sum->is_double, " ", FFI::string($hello->bytes, $hello->length), " ", $demo->strict(1000);\n'
        'echo " ", $demo->demo_last_error(), " ", $demo->SSA2LLVM_STRING, " ", $demo->demo_close();'
    )
    php = need_tool("php8.2")
    command = [php, "-n", "-d", "extension=ffi", "-d", "ffi.enable=1", "use.php"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    first, _, rest = result.stdout.partition(" TypeError: ")
    assert (first, result.returncode) == ("opened\n420 Hello Bob! 0", 0), result.stdout + result.stderr
    assert rest.endswith(" 6 0")


def test_functions_that_c_cannot_express_are_named(tmp_path):
    compile_to(
        tmp_path / "libx.o",
        b"<?php function f(array $a): int { return count($a); } function g(int $n): int { return $n; }",
    )
    text = (tmp_path / "libx.h").read_text()
    assert "not callable from C: f: takes or returns an array" in text
    assert "int64_t g(int64_t n);" in text


def test_aarch64_under_qemu(tmp_path):
    need_tool("aarch64-gcc")
    qemu = need_tool("qemu-aarch64")
    source = (
        b"<?php function f($n) { return $n < 2 ? $n : f($n - 1) + f($n - 2); } echo f(15), ' ', 0.1 + 0.2, PHP_EOL;"
    )
    compile_to(tmp_path / "program", source, target="aarch64-linux-gnu")
    run = subprocess.run([qemu, "-L", "/usr/aarch64-linux-gnu", tmp_path / "program"], capture_output=True, check=True)
    assert run.stdout == b"610 0.3\n"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("out.xyz", {}, "cannot make a '.xyz' file"),
        ("missing/out", {}, "there is no folder"),
        ("out.o", {"target": "pdp11-unknown-none"}, "unknown target 'pdp11-unknown-none'"),
        ("folder", {}, "it is a folder"),
    ],
)
def test_bad_wishes(tmp_path, name, options, message):
    (tmp_path / "folder").mkdir()
    with pytest.raises(CompileError) as raised:
        compile_to(tmp_path / name, b"<?php echo 1;", **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert os.listdir(tmp_path) == ["folder"]


def test_no_linker(tmp_path, monkeypatch):
    from ssa2llvm.llvm import runtime_build

    runtime_build.runtime_archive()
    monkeypatch.setattr(
        "ssa2llvm.llvm.emit.find_toolchain", lambda triple: (_ for _ in ()).throw(CompileError("no C compiler"))
    )
    with pytest.raises(CompileError, match="no C compiler"):
        compile_to(tmp_path / "out", b"<?php echo 1;")
    assert os.listdir(tmp_path) == []


def test_failed_link_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("ssa2llvm.llvm.emit.LIBRARIES", ("-lthere-is-no-such-library",))
    with pytest.raises(CompileError, match="linking failed"):
        compile_to(tmp_path / "out", b"<?php echo 1;")
    assert os.listdir(tmp_path) == []


def test_an_old_output_survives_a_failure(tmp_path):
    (tmp_path / "out").write_bytes(b"old")
    with pytest.raises(CompileError):
        compile_to(tmp_path / "out", b"<?php class A {}")
    assert (tmp_path / "out").read_bytes() == b"old"
