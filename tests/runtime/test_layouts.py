"""One description of layouts and functions: Python, C headers and the built library agree."""

from __future__ import annotations

import ctypes
import re

import pytest

from ssa2llvm.llvm import layouts
from ssa2llvm.llvm.runtime_api import CType, parse_prototypes, runtime_prototypes
from ssa2llvm.llvm.runtime_build import RUNTIME_FOLDER, runtime_shared_object


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return ctypes.CDLL(str(runtime_shared_object()))


def test_committed_header_is_the_generated_one() -> None:
    assert (RUNTIME_FOLDER / "layout.h").read_text() == layouts.layout_header()


def test_offsets_of_a_value_and_a_string() -> None:
    assert [field.offset for field in layouts.VALUE.fields] == [0, 8]
    assert layouts.VALUE.size == 16
    assert layouts.STRING.offset("length") == 16
    assert layouts.STRING.index("capacity") == 4
    assert layouts.STRING.llvm_body() == "{ i32, i32, i64, i64, i64 }"
    assert layouts.CONTEXT.llvm_body().endswith("ptr, [33 x ptr] }")


def test_unknown_member_is_an_error() -> None:
    with pytest.raises(KeyError, match="s2l_value has no member colour"):
        layouts.VALUE.offset("colour")


@pytest.mark.parametrize("text", [b"", b"a", b"hello", bytes(range(256)) * 3])
def test_hash_is_the_runtimes(text: bytes, library: ctypes.CDLL) -> None:
    class String(ctypes.Structure):
        _fields_ = [
            ("refcount", ctypes.c_int32),
            ("kind", ctypes.c_uint32),
            ("hash", ctypes.c_uint64),
            ("length", ctypes.c_uint64),
            ("capacity", ctypes.c_uint64),
            ("bytes", ctypes.c_char * (len(text) + 1)),
        ]

    string = String(1, layouts.Tag.STRING, layouts.NO_HASH, len(text), len(text))
    ctypes.memmove(ctypes.addressof(string) + layouts.STRING.size, text, len(text))
    library.s2l_string_hash.restype = ctypes.c_uint64
    assert library.s2l_string_hash(ctypes.byref(string)) == layouts.string_hash(text)
    assert string.hash == layouts.string_hash(text)


def test_constant_strings_have_their_hash(library: ctypes.CDLL) -> None:
    library.s2l_string_of_byte.restype = ctypes.c_void_p
    for byte in (0, 1, 65, 255):
        head = (ctypes.c_uint64 * 2).from_address(library.s2l_string_of_byte(byte))
        assert head[1] == layouts.string_hash(bytes([byte]))


def test_every_declared_function_exists(library: ctypes.CDLL) -> None:
    missing = [name for name in runtime_prototypes() if not hasattr(library, name)]
    assert missing == []
    assert len(runtime_prototypes()) > 200


def test_builtin_table_lists_the_header_in_order() -> None:
    table = re.findall(r"ENTRY\((\w+)\),", (RUNTIME_FOLDER / "builtin_table.c").read_text())
    header = re.findall(r"s2l_fn_(\w+)\(", (RUNTIME_FOLDER / "builtins.h").read_text())
    assert table == sorted(header)


def test_prototypes_are_read_with_their_abi() -> None:
    text = """
    /* a comment (with brackets); */
    typedef struct s2l_thing { int32_t a; } s2l_thing;
    s2l_value s2l_one(s2l_context *context, s2l_value left, double x);
    bool s2l_two(
        const char *const *names, bool (*thunk)(s2l_context *context, void *argument), uint8_t byte);
    _Noreturn void s2l_three(void);
    """
    one, two, three = parse_prototypes(text)
    assert (one.name, one.result, one.returns) == ("s2l_one", CType("value", ""), True)
    assert one.parameters == (
        ("context", CType("ptr", "")),
        ("left", CType("value", "")),
        ("x", CType("double", "")),
    )
    assert two.result == CType("i1", "zeroext")
    assert [(name, ctype.llvm) for name, ctype in two.parameters] == [
        ("names", "ptr"),
        ("thunk", "ptr"),
        ("byte", "i8"),
    ]
    assert (three.name, three.parameters, three.returns) == ("s2l_three", (), False)


def test_a_function_with_too_many_words_is_refused() -> None:
    text = "void s2l_wide(s2l_context *c, s2l_value a, s2l_value b, s2l_value d);"
    with pytest.raises(AssertionError, match="s2l_wide takes 7 register words"):
        parse_prototypes(text)
