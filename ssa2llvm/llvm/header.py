"""The C header of an exported library, and its like for PHP's FFI.

``FFI::load`` skips preprocessor lines but reads everything else, and knows neither ``extern "C"`` nor function bodies:
it gets a file of its own with plain declarations, led by the library's name (``FFI_LIB``) as FFI wants it.
"""

from __future__ import annotations

import re

from ssa2llvm.llvm.exports import Export
from ssa2llvm.llvm.layouts import STRING, Tag
from ssa2llvm.llvm.representation import Rep

__all__ = ["ffi_text", "header_text"]

_TYPES = {
    Rep.NULL: "void",
    Rep.BOOL: "bool",
    Rep.LONG: "int64_t",
    Rep.DOUBLE: "double",
    Rep.NUMBER: "ssa2llvm_number",
    Rep.STRING: "ssa2llvm_string",
    Rep.VALUE: "ssa2llvm_value",
}

_TYPE_DECLARATIONS = f"""\
/* int|float: an integer, or the bits of a double. */
typedef struct {{ int64_t bits; uint8_t is_double; }} ssa2llvm_number;
/* Bytes that may contain NULs. As an argument they are copied; as a result they belong to the library until its next
   call that returns a string. */
typedef struct {{ const char *bytes; uint64_t length; }} ssa2llvm_string;
/* Any other PHP value; payload is an integer or the bits of a double. Only scalars can be passed in. */
typedef struct {{ int64_t payload; int64_t tag; }} ssa2llvm_value;
enum {{ SSA2LLVM_NULL = {int(Tag.NULL)}, SSA2LLVM_FALSE = {int(Tag.FALSE)}, SSA2LLVM_TRUE = {int(Tag.TRUE)},
       SSA2LLVM_LONG = {int(Tag.LONG)}, SSA2LLVM_DOUBLE = {int(Tag.DOUBLE)}, SSA2LLVM_STRING = {int(Tag.STRING)} }};
"""

_COMMON = f"""\
#ifndef SSA2LLVM_TYPES
#define SSA2LLVM_TYPES
{_TYPE_DECLARATIONS}\
/* The bytes of a value that is a string. */
static inline ssa2llvm_string ssa2llvm_string_of(ssa2llvm_value value)
{{
    const char *object = (const char *)value.payload;
    ssa2llvm_string string = {{object + {STRING.size}, *(const uint64_t *)(object + {STRING.offset("length")})}};
    return string;
}}
static inline double ssa2llvm_double_of(int64_t bits)
{{
    union {{ int64_t bits; double number; }} both = {{bits}};
    return both.number;
}}
#endif
"""


def _declaration(export: Export) -> str:
    parameters = []
    for number, parameter in enumerate(export.signature.parameters):
        name = re.sub(r"\W", "_", parameter.info.name, flags=re.ASCII) or f"argument{number + 1}"
        parameters.append(
            f"{_TYPES[parameter.rep]} {name}_" if name in _KEYWORDS else f"{_TYPES[parameter.rep]} {name}"
        )
    return f"{_TYPES[export.signature.result_rep]} {export.name}({', '.join(parameters) or 'void'});"


_KEYWORDS = frozenset(
    (  # noqa: SIM905 - a table of words, not of literals
        "auto break case char const continue default do double else enum extern float for goto if inline int "
        "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
        "volatile while bool class new delete this operator private public protected template try catch throw "
        "namespace using virtual friend"
    ).split()
)


def _declarations(library: str, exports: list[Export], left_out: list[str]) -> list[str]:
    return [
        *[_declaration(export) for export in exports],
        *[f"/* not callable from C: {sentence} */" for sentence in left_out],
        "",
        '/* "Class: message in FILE:LINE" of the last call, NULL if it succeeded; until the next call. */',
        f"const char *{library}_last_error(void);",
        "/* Drops everything the library owns; it may be used again, from the start. Returns the number of leaks. */",
        f"int64_t {library}_close(void);",
    ]


def ffi_text(library: str, exports: list[Export], left_out: list[str], file_name: str) -> str:
    """What ``FFI::load`` reads to use the shared library ``file_name``, which it looks for in the current folder (an
    absolute path may be written there instead)."""
    lines = [
        f'#define FFI_SCOPE "{library}"',
        f'#define FFI_LIB "./{file_name}"',
        "",
        _TYPE_DECLARATIONS,
        *_declarations(library, exports, left_out),
        "",
    ]
    return "\n".join(lines)


def header_text(library: str, exports: list[Export], left_out: list[str], source: str) -> str:
    """The header of ``library``, made from the PHP file ``source``; ``left_out`` are the sentences of
    `find_exports`."""
    guard = f"{re.sub(r'[^A-Za-z0-9]', '_', library).upper()}_H"
    lines = [
        f"/* {library}: functions of {source}, compiled by ssa2llvm. One thread at a time.",
        "   A call that fails returns zero; its text is then in last_error. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        _COMMON,
        *_declarations(library, exports, left_out),
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "#endif",
        "",
    ]
    return "\n".join(lines)
