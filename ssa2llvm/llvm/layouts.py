"""The one place of every memory layout and tag that generated code and the C runtime share.

Problem: LLVM IR made by Python and C made by a C compiler read and write the same structures. Two descriptions of one
structure drift apart. So the structures stand here once: the lowering asks for offsets and LLVM types, and
`layout_header` prints the C header (`runtime/layout.h`) with the same structures and a `_Static_assert` for each
offset and size, so that a C compiler that lays them out otherwise refuses to build the runtime.

Tags have the numbers of Zend's IS_* constants (zend_types.h), so that `1 << tag` is the MAY_BE_* bit of inference.
Unlike Zend's zval, whose type word carries a "refcounted" flag, a tag is only a type: a value is counted exactly when
its tag is at least STRING, and an immortal object (literals, one-character strings) has a negative reference count.
One load thus answers "how many references" and "counted at all", and a count that would pass 2^31 becomes immortal,
which leaks but never frees an object in use.

`python -m ssa2llvm.llvm.layouts` prints the header; a test keeps the committed file equal to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = [
    "ARRAY",
    "BUCKET",
    "CONTEXT",
    "COUNTED",
    "FRAME",
    "FUNCTION_INFO",
    "IMMORTAL",
    "NO_HASH",
    "PARAMETER_INFO",
    "PROGRAM",
    "REFERENCE",
    "SMALL_CLASS_COUNT",
    "SMALL_GRANULE",
    "STRING",
    "STRUCTS",
    "VALUE",
    "ArrayKind",
    "Field",
    "FunctionFlag",
    "Pending",
    "Struct",
    "Tag",
    "layout_header",
    "string_hash",
]


class Tag(IntEnum):
    """Type tag of a value; the numbers are Zend's IS_*."""

    UNDEF = 0
    NULL = 1
    FALSE = 2
    TRUE = 3
    LONG = 4
    DOUBLE = 5
    STRING = 6
    ARRAY = 7
    OBJECT = 8
    RESOURCE = 9
    REFERENCE = 10
    ERROR = 15
    """Not a value: what a value-returning runtime function gives back when it has thrown (Zend's _IS_ERROR)."""


class Pending(IntEnum):
    """Why the program is unwinding; stored in `context.pending`."""

    NONE = 0
    THROW = 1
    EXIT = 2
    FATAL = 3


class FunctionFlag(IntEnum):
    """Bits of `function_info.flags`."""

    STRICT = 1
    """The file declares strict_types=1: calls *made by* this function do not coerce scalars."""


class ArrayKind(IntEnum):
    """How the elements of an array lie in memory; a kind only ever widens."""

    PACKED_LONG = 0
    PACKED_DOUBLE = 1
    PACKED_BOOL = 2
    PACKED_VALUE = 3
    HASH = 4


IMMORTAL = -(1 << 31)
"""Reference count of an object that is never counted and never freed."""

SMALL_GRANULE = 16
SMALL_CLASS_COUNT = 33
"""Small objects of up to 512 bytes have one free list a 16 bytes: class = (size + 15) / 16."""

NO_HASH = 0
"""A string whose hash is not yet known; a computed hash always has its top bit set."""


@dataclass(frozen=True, slots=True)
class Field:
    """A member: its name, its C type (with `[n]` for an array), its LLVM type, offset and size in bytes."""

    name: str
    c_type: str
    llvm_type: str
    offset: int
    size: int
    count: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A structure without padding: members in order, each naturally aligned (checked when it is made)."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    size: int

    def index(self, name: str) -> int:
        """Number of the member `name`, for getelementptr. KeyError if there is none."""
        for number, field in enumerate(self.fields):
            if field.name == name:
                return number
        raise KeyError(f"{self.name} has no member {name}")

    def offset(self, name: str) -> int:
        """Byte offset of the member `name`. KeyError if there is none."""
        return self.fields[self.index(name)].offset

    def llvm_body(self) -> str:
        """The structure as an LLVM type, `{ i32, i32, i64, ptr }`."""
        parts = [
            field.llvm_type if field.count == 1 else f"[{field.count} x {field.llvm_type}]" for field in self.fields
        ]
        return "{ " + ", ".join(parts) + " }"


_SIZES = {"i8": 1, "i32": 4, "i64": 8, "double": 8, "ptr": 8}
_C_TYPES = {
    "int32_t": "i32",
    "uint32_t": "i32",
    "int64_t": "i64",
    "uint64_t": "i64",
    "double": "double",
}


def _struct(name: str, doc: str, *members: tuple[str, str] | tuple[str, str, int]) -> Struct:
    """Lays out (C type, name[, count]) members; every type that is not a fixed-width number is a pointer."""
    fields: list[Field] = []
    offset = 0
    for c_type, field_name, *rest in members:
        count = rest[0] if rest else 1
        assert isinstance(count, int)
        llvm_type = _C_TYPES.get(c_type, "ptr")
        unit = _SIZES[llvm_type]
        assert offset % unit == 0, f"{name}.{field_name} would need padding"
        fields.append(Field(field_name, c_type, llvm_type, offset, unit * count, count))
        offset += unit * count
    assert offset % 8 == 0, f"{name} would need padding at its end"
    return Struct(name, doc, tuple(fields), offset)


VALUE = _struct(
    "s2l_value",
    "A PHP value. LONG: payload is the integer; DOUBLE: its bits; counted types: the pointer; others: 0.",
    ("int64_t", "payload"),
    ("int64_t", "tag"),
)

COUNTED = _struct(
    "s2l_counted",
    "Head of every counted object; `kind` is its tag. A negative count means immortal.",
    ("int32_t", "refcount"),
    ("uint32_t", "kind"),
)

STRING = _struct(
    "s2l_string",
    "Head of a byte string; `length` bytes and a NUL follow it. Capacity counts neither head nor NUL.",
    ("int32_t", "refcount"),
    ("uint32_t", "kind"),
    ("uint64_t", "hash"),
    ("uint64_t", "length"),
    ("uint64_t", "capacity"),
)

ARRAY = _struct(
    "s2l_array",
    "An ordered copy-on-write array of `count` elements; the kind says how `data` holds them.\n"
    "Packed kinds: elements of the keys 0..count-1 side by side, without holes; `used` and `next_key` mean nothing\n"
    "(`next_key` does while the array is empty). HASH: `used` buckets in order of insertion, those with tag UNDEF\n"
    "removed; `index` has 2^index_bits slots. `position` is PHP's internal pointer (current, next, reset). Zend would\n"
    "hold a HASH as a packed table of 2^zend_bits elements, or as a hash if that is 0.",
    ("int32_t", "refcount"),
    ("uint32_t", "kind"),
    ("uint64_t", "count"),
    ("void *", "data"),
    ("uint64_t", "capacity"),
    ("uint32_t", "element_kind"),
    ("uint32_t", "index_bits"),
    ("uint32_t *", "index"),
    ("uint64_t", "used"),
    ("int64_t", "next_key"),
    ("uint32_t", "position"),
    ("uint32_t", "zend_bits"),
)

BUCKET = _struct(
    "s2l_bucket",
    "An element of a HASH array: its value, and its key: `key` if `string` is NULL, else the string with hash `key`.",
    ("int64_t", "payload"),
    ("int64_t", "tag"),
    ("int64_t", "key"),
    ("s2l_string *", "string"),
)

REFERENCE = _struct(
    "s2l_reference",
    "A counted cell that several variables share (`&`, `global`, static variables).",
    ("int32_t", "refcount"),
    ("uint32_t", "kind"),
    ("int64_t", "payload"),
    ("int64_t", "tag"),
)

FUNCTION_INFO = _struct(
    "s2l_function_info",
    "What traces, dynamic calls and function_exists know of a function. `name` is NULL for a main script.\n"
    "`entry` (may be NULL) is the generic value entry, an s2l_entry.",
    ("const char *", "name"),
    ("const char *", "file"),
    ("s2l_entry *", "entry"),
    ("uint32_t", "flags"),
    ("uint32_t", "line"),
)

FRAME = _struct(
    "s2l_frame",
    "Where a function is, linked into the context by cold paths before they warn or throw (api.h, Places).",
    ("struct s2l_frame *", "previous"),
    ("const s2l_function_info *", "function"),
    ("uint32_t", "line"),
    ("uint32_t", "reserved"),
)

PARAMETER_INFO = _struct(
    "s2l_parameter_info",
    "A declared parameter or return type. `mask` has MAY_BE bits (1 << tag); `type` is PHP's text of it (`?int`);\n"
    "`name` is the parameter without `$` (NULL for a return type); `number` counts from 1.",
    ("const char *", "name"),
    ("const char *", "type"),
    ("uint32_t", "mask"),
    ("uint32_t", "number"),
)

PROGRAM = _struct(
    "s2l_program",
    "A compiled program: what s2l_run and s2l_library_open start from. `cells` are its globals and statics;\n"
    "`initial_cells` (may be NULL: all UNDEF) holds their first values, scalars or immortal strings. `functions` are\n"
    "those that exist from the start, sorted by lower-case name.",
    ("const char *", "file"),
    ("s2l_main *", "main"),
    ("const s2l_value *", "initial_cells"),
    ("uint64_t", "cell_count"),
    ("const s2l_function_info *const *", "functions"),
    ("uint64_t", "function_count"),
)

CONTEXT = _struct(
    "s2l_context",
    "Everything one running program owns. Generated code may read and write what is here; the rest is behind `hidden`.",
    ("struct s2l_frame *", "frame"),
    ("int64_t", "pending"),
    ("int64_t", "live"),
    ("s2l_value *", "cells"),
    ("char *", "output_cursor"),
    ("char *", "output_limit"),
    ("struct s2l_hidden *", "hidden"),
    ("struct s2l_byte_string *", "byte_strings"),
    ("void *", "free_lists", SMALL_CLASS_COUNT),
)

STRUCTS = (VALUE, COUNTED, STRING, ARRAY, BUCKET, REFERENCE, FUNCTION_INFO, FRAME, PARAMETER_INFO, PROGRAM, CONTEXT)


def string_hash(text: bytes) -> int:
    """The hash the runtime caches in a string (Bernstein's times 33, top bit set); literals are emitted with it.

    The same function as `s2l_string_hash` in runtime/string.c; a test compares the two.
    """
    value = 5381
    for byte in text:
        value = (value * 33 + byte) & 0xFFFFFFFFFFFFFFFF
    return value | 1 << 63


_DECLARATIONS = """\
typedef struct s2l_value s2l_value;
typedef struct s2l_counted s2l_counted;
typedef struct s2l_string s2l_string;
typedef struct s2l_array s2l_array;
typedef struct s2l_bucket s2l_bucket;
typedef struct s2l_reference s2l_reference;
typedef struct s2l_function_info s2l_function_info;
typedef struct s2l_frame s2l_frame;
typedef struct s2l_parameter_info s2l_parameter_info;
typedef struct s2l_program s2l_program;
typedef struct s2l_context s2l_context;
typedef s2l_value s2l_entry(s2l_context *context, uint32_t argc, const s2l_value *argv);
typedef bool s2l_main(s2l_context *context);
"""


def _enum(prefix: str, members: type[IntEnum]) -> list[str]:
    return [f"#define S2L_{prefix}_{member.name} {member.value}" for member in members]


def _comment(text: str) -> list[str]:
    return ["/* " + text.replace("\n", "\n   ") + " */"]


def layout_header() -> str:
    """The text of runtime/layout.h: tags, structures and the assertions that C lays them out as Python does."""
    lines = ["/* Made by `python -m ssa2llvm.llvm.layouts`; change that file, not this one. */"]
    lines += ["#ifndef S2L_LAYOUT_H", "#define S2L_LAYOUT_H", ""]
    lines += ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>", ""]
    lines += _enum("TAG", Tag) + _enum("PENDING", Pending) + _enum("FUNCTION", FunctionFlag)
    lines += _enum("ARRAY", ArrayKind)
    lines += [
        "#define S2L_IMMORTAL INT32_MIN",
        f"#define S2L_SMALL_GRANULE {SMALL_GRANULE}",
        f"#define S2L_SMALL_CLASS_COUNT {SMALL_CLASS_COUNT}",
        f"#define S2L_NO_HASH {NO_HASH}",
        "",
        _DECLARATIONS,
    ]
    for struct in STRUCTS:
        lines += _comment(struct.doc) + [f"struct {struct.name} {{"]
        for field in struct.fields:
            gap = "" if field.c_type.endswith("*") else " "
            suffix = f"[{field.count}]" if field.count > 1 else ""
            lines.append(f"    {field.c_type}{gap}{field.name}{suffix};")
        lines += ["};", f'_Static_assert(sizeof(struct {struct.name}) == {struct.size}, "{struct.name}");']
        lines += [
            f'_Static_assert(offsetof(struct {struct.name}, {field.name}) == {field.offset}, "{field.name}");'
            for field in struct.fields
        ]
        lines.append("")
    return "\n".join([*lines, "#endif", ""])


if __name__ == "__main__":
    print(layout_header(), end="")
