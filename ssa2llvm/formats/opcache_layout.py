"""Layouts of PHP 8.2's structures on 64-bit machines, as data.

Each structure is a list of ``name:type`` in declaration order, from which C's alignment rules give the offsets. Types:
``u8 u16 u32 i32 u64 i64 f64``, ``ptr`` (8 bytes), and the name of another structure. Sources, all of php-src 8.2:
Zend/zend_types.h, Zend/zend_compile.h, Zend/zend.h, Zend/Optimizer/zend_optimizer.h,
ext/opcache/ZendAccelerator.h, ext/opcache/zend_file_cache.c.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

_SCALARS: dict[str, tuple[int, str]] = {
    "u8": (1, "<B"),
    "u16": (2, "<H"),
    "u32": (4, "<I"),
    "i32": (4, "<i"),
    "u64": (8, "<Q"),
    "i64": (8, "<q"),
    "f64": (8, "<d"),
    "ptr": (8, "<Q"),
}


@dataclass(frozen=True, slots=True)
class Field:
    """A member: its offset, and how to unpack it (None for a structure inside)."""

    offset: int
    codec: struct.Struct | None


@dataclass(frozen=True, slots=True)
class Layout:
    """A structure: size, alignment, members by name."""

    size: int
    alignment: int
    fields: dict[str, Field]

    def offset(self, name: str) -> int:
        """Where ``name`` stands."""
        return self.fields[name].offset


_SOURCES = {
    "metainfo": "magic:u64 id0:u64 id1:u64 id2:u64 id3:u64 mem_size:u64 str_size:u64 script_offset:u64 "
    "timestamp:i64 checksum:u32",
    "zval": "value:u64 type_info:u32 u2:u32",
    "string": "refcount:u32 type_info:u32 hash:u64 len:u64",
    "array": "refcount:u32 type_info:u32 flags:u32 table_mask:u32 data:ptr num_used:u32 num_elements:u32 "
    "table_size:u32 internal_pointer:u32 next_free_element:i64 destructor:ptr",
    "bucket": "val:zval h:i64 key:ptr",
    "op": "handler:ptr op1:u32 op2:u32 result:u32 extended_value:u32 lineno:u32 opcode:u8 op1_type:u8 op2_type:u8 "
    "result_type:u8",
    "type": "ptr:ptr mask:u32",
    "arg_info": "name:ptr type:type default_value:ptr",
    "live_range": "var:u32 start:u32 end:u32",
    "try_catch": "try_op:u32 catch_op:u32 finally_op:u32 finally_end:u32",
    "op_array": "type:u8 arg_flags0:u8 arg_flags1:u8 arg_flags2:u8 fn_flags:u32 function_name:ptr scope:ptr "
    "prototype:ptr num_args:u32 required_num_args:u32 arg_info:ptr attributes:ptr T:u32 run_time_cache:ptr "
    "cache_size:i32 last_var:i32 last:u32 opcodes:ptr static_variables_ptr:ptr static_variables:ptr vars:ptr "
    "refcount:ptr last_live_range:i32 last_try_catch:i32 live_range:ptr try_catch_array:ptr filename:ptr "
    "line_start:u32 line_end:u32 doc_comment:ptr last_literal:i32 num_dynamic_func_defs:u32 literals:ptr "
    "dynamic_func_defs:ptr reserved0:ptr reserved1:ptr reserved2:ptr reserved3:ptr reserved4:ptr reserved5:ptr",
    "property_info": "offset:u32 flags:u32 name:ptr doc_comment:ptr attributes:ptr ce:ptr type:type",
    "class_constant": "value:zval doc_comment:ptr attributes:ptr ce:ptr",
    "class_name": "name:ptr lc_name:ptr",
    "class_entry": "type:u8 name:ptr parent:ptr refcount:i32 ce_flags:u32 default_properties_count:i32 "
    "default_static_members_count:i32 default_properties_table:ptr default_static_members_table:ptr "
    "static_members_table:ptr function_table:array properties_info:array constants_table:array mutable_data:ptr "
    "inheritance_cache:ptr properties_info_table:ptr constructor:ptr destructor:ptr clone:ptr get:ptr set:ptr "
    "unset:ptr isset:ptr call:ptr callstatic:ptr tostring:ptr debug_info:ptr serialize:ptr unserialize:ptr "
    "iterator_funcs:ptr arrayaccess_funcs:ptr create_object:ptr get_iterator:ptr get_static_method:ptr "
    "serialize_cb:ptr unserialize_cb:ptr num_interfaces:u32 num_traits:u32 interfaces:ptr trait_names:ptr "
    "trait_aliases:ptr trait_precedences:ptr attributes:ptr enum_backing_type:u32 backed_enum_table:ptr filename:ptr "
    "line_start:u32 line_end:u32 doc_comment:ptr",
    "type_list": "num_types:u32",
    "ast": "kind:u16 attr:u16 lineno:u32",
    "ast_list": "kind:u16 attr:u16 lineno:u32 children:u32",
    "script": "filename:ptr main_op_array:op_array function_table:array class_table:array",
}


def _build(source: str, known: dict[str, Layout]) -> Layout:
    offset, alignment = 0, 1
    fields = {}
    for part in source.split():
        name, kind = part.split(":")
        if kind in _SCALARS:
            size, code = _SCALARS[kind]
            field_alignment, codec = size, struct.Struct(code)
        else:
            size, field_alignment, codec = known[kind].size, known[kind].alignment, None
        offset = (offset + field_alignment - 1) // field_alignment * field_alignment
        fields[name] = Field(offset, codec)
        offset += size
        alignment = max(alignment, field_alignment)
    return Layout((offset + alignment - 1) // alignment * alignment, alignment, fields)


def _build_all() -> dict[str, Layout]:
    layouts: dict[str, Layout] = {}
    for name, source in _SOURCES.items():
        layouts[name] = _build(source, layouts)
    return layouts


LAYOUTS = _build_all()
"""Every structure the reader uses, by name."""

TYPE_LIST_HEADER = 8
"""A zend_type_list: the count, padded, then the types (Zend/zend_types.h:zend_type_list)."""

FIRST_SLOT = 5
"""Slots of 16 bytes that zend_execute_data takes in front of a frame's variables (ZEND_CALL_FRAME_SLOT)."""

OBJECT_HEADER = 40
"""Where an object's properties begin (zend_object.properties_table)."""


def system_ids() -> dict[str, str]:
    """The system ids of PHP 8.2.0 to 8.2.99, 64 bit, not thread safe: id -> version.

    Zend/zend_system_id.c hashes the version, the extension API, the sizes of C's types, and which compiler hooks
    extensions have taken. An id that is not here belongs to another PHP, whose layouts may differ.
    """
    ids = {}
    for patch in range(100):
        version = f"8.2.{patch}"
        for hooks in range(16):
            text = f"{version}API420220829,NTSBIN_4888(size_t)8".encode() + bytes([hooks])
            ids[hashlib.md5(text, usedforsecurity=False).hexdigest()] = version
    return ids
