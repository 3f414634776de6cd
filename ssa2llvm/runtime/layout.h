/* Made by `python -m ssa2llvm.llvm.layouts`; change that file, not this one. */
#ifndef S2L_LAYOUT_H
#define S2L_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define S2L_TAG_UNDEF 0
#define S2L_TAG_NULL 1
#define S2L_TAG_FALSE 2
#define S2L_TAG_TRUE 3
#define S2L_TAG_LONG 4
#define S2L_TAG_DOUBLE 5
#define S2L_TAG_STRING 6
#define S2L_TAG_ARRAY 7
#define S2L_TAG_OBJECT 8
#define S2L_TAG_RESOURCE 9
#define S2L_TAG_REFERENCE 10
#define S2L_TAG_ERROR 15
#define S2L_PENDING_NONE 0
#define S2L_PENDING_THROW 1
#define S2L_PENDING_EXIT 2
#define S2L_PENDING_FATAL 3
#define S2L_FUNCTION_STRICT 1
#define S2L_ARRAY_PACKED_LONG 0
#define S2L_ARRAY_PACKED_DOUBLE 1
#define S2L_ARRAY_PACKED_BOOL 2
#define S2L_ARRAY_PACKED_VALUE 3
#define S2L_ARRAY_HASH 4
#define S2L_IMMORTAL INT32_MIN
#define S2L_SMALL_GRANULE 16
#define S2L_SMALL_CLASS_COUNT 33
#define S2L_NO_HASH 0

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

/* A PHP value. LONG: payload is the integer; DOUBLE: its bits; counted types: the pointer; others: 0. */
struct s2l_value {
    int64_t payload;
    int64_t tag;
};
_Static_assert(sizeof(struct s2l_value) == 16, "s2l_value");
_Static_assert(offsetof(struct s2l_value, payload) == 0, "payload");
_Static_assert(offsetof(struct s2l_value, tag) == 8, "tag");

/* Head of every counted object; `kind` is its tag. A negative count means immortal. */
struct s2l_counted {
    int32_t refcount;
    uint32_t kind;
};
_Static_assert(sizeof(struct s2l_counted) == 8, "s2l_counted");
_Static_assert(offsetof(struct s2l_counted, refcount) == 0, "refcount");
_Static_assert(offsetof(struct s2l_counted, kind) == 4, "kind");

/* Head of a byte string; `length` bytes and a NUL follow it. Capacity counts neither head nor NUL. */
struct s2l_string {
    int32_t refcount;
    uint32_t kind;
    uint64_t hash;
    uint64_t length;
    uint64_t capacity;
};
_Static_assert(sizeof(struct s2l_string) == 32, "s2l_string");
_Static_assert(offsetof(struct s2l_string, refcount) == 0, "refcount");
_Static_assert(offsetof(struct s2l_string, kind) == 4, "kind");
_Static_assert(offsetof(struct s2l_string, hash) == 8, "hash");
_Static_assert(offsetof(struct s2l_string, length) == 16, "length");
_Static_assert(offsetof(struct s2l_string, capacity) == 24, "capacity");

/* An ordered copy-on-write array of `count` elements; the kind says how `data` holds them.
   Packed kinds: elements of the keys 0..count-1 side by side, without holes; `used` and `next_key` mean nothing
   (`next_key` does while the array is empty). HASH: `used` buckets in order of insertion, those with tag UNDEF
   removed; `index` has 2^index_bits slots. `position` is PHP's internal pointer (current, next, reset). Zend would
   hold a HASH as a packed table of 2^zend_bits elements, or as a hash if that is 0. */
struct s2l_array {
    int32_t refcount;
    uint32_t kind;
    uint64_t count;
    void *data;
    uint64_t capacity;
    uint32_t element_kind;
    uint32_t index_bits;
    uint32_t *index;
    uint64_t used;
    int64_t next_key;
    uint32_t position;
    uint32_t zend_bits;
};
_Static_assert(sizeof(struct s2l_array) == 72, "s2l_array");
_Static_assert(offsetof(struct s2l_array, refcount) == 0, "refcount");
_Static_assert(offsetof(struct s2l_array, kind) == 4, "kind");
_Static_assert(offsetof(struct s2l_array, count) == 8, "count");
_Static_assert(offsetof(struct s2l_array, data) == 16, "data");
_Static_assert(offsetof(struct s2l_array, capacity) == 24, "capacity");
_Static_assert(offsetof(struct s2l_array, element_kind) == 32, "element_kind");
_Static_assert(offsetof(struct s2l_array, index_bits) == 36, "index_bits");
_Static_assert(offsetof(struct s2l_array, index) == 40, "index");
_Static_assert(offsetof(struct s2l_array, used) == 48, "used");
_Static_assert(offsetof(struct s2l_array, next_key) == 56, "next_key");
_Static_assert(offsetof(struct s2l_array, position) == 64, "position");
_Static_assert(offsetof(struct s2l_array, zend_bits) == 68, "zend_bits");

/* An element of a HASH array: its value, and its key: `key` if `string` is NULL, else the string with hash `key`. */
struct s2l_bucket {
    int64_t payload;
    int64_t tag;
    int64_t key;
    s2l_string *string;
};
_Static_assert(sizeof(struct s2l_bucket) == 32, "s2l_bucket");
_Static_assert(offsetof(struct s2l_bucket, payload) == 0, "payload");
_Static_assert(offsetof(struct s2l_bucket, tag) == 8, "tag");
_Static_assert(offsetof(struct s2l_bucket, key) == 16, "key");
_Static_assert(offsetof(struct s2l_bucket, string) == 24, "string");

/* A counted cell that several variables share (`&`, `global`, static variables). */
struct s2l_reference {
    int32_t refcount;
    uint32_t kind;
    int64_t payload;
    int64_t tag;
};
_Static_assert(sizeof(struct s2l_reference) == 24, "s2l_reference");
_Static_assert(offsetof(struct s2l_reference, refcount) == 0, "refcount");
_Static_assert(offsetof(struct s2l_reference, kind) == 4, "kind");
_Static_assert(offsetof(struct s2l_reference, payload) == 8, "payload");
_Static_assert(offsetof(struct s2l_reference, tag) == 16, "tag");

/* What traces, dynamic calls and function_exists know of a function. `name` is NULL for a main script.
   `entry` (may be NULL) is the generic value entry, an s2l_entry. */
struct s2l_function_info {
    const char *name;
    const char *file;
    s2l_entry *entry;
    uint32_t flags;
    uint32_t line;
};
_Static_assert(sizeof(struct s2l_function_info) == 32, "s2l_function_info");
_Static_assert(offsetof(struct s2l_function_info, name) == 0, "name");
_Static_assert(offsetof(struct s2l_function_info, file) == 8, "file");
_Static_assert(offsetof(struct s2l_function_info, entry) == 16, "entry");
_Static_assert(offsetof(struct s2l_function_info, flags) == 24, "flags");
_Static_assert(offsetof(struct s2l_function_info, line) == 28, "line");

/* Where a function is, linked into the context by cold paths before they warn or throw (api.h, Places). */
struct s2l_frame {
    struct s2l_frame *previous;
    const s2l_function_info *function;
    uint32_t line;
    uint32_t reserved;
};
_Static_assert(sizeof(struct s2l_frame) == 24, "s2l_frame");
_Static_assert(offsetof(struct s2l_frame, previous) == 0, "previous");
_Static_assert(offsetof(struct s2l_frame, function) == 8, "function");
_Static_assert(offsetof(struct s2l_frame, line) == 16, "line");
_Static_assert(offsetof(struct s2l_frame, reserved) == 20, "reserved");

/* A declared parameter or return type. `mask` has MAY_BE bits (1 << tag); `type` is PHP's text of it (`?int`);
   `name` is the parameter without `$` (NULL for a return type); `number` counts from 1. */
struct s2l_parameter_info {
    const char *name;
    const char *type;
    uint32_t mask;
    uint32_t number;
};
_Static_assert(sizeof(struct s2l_parameter_info) == 24, "s2l_parameter_info");
_Static_assert(offsetof(struct s2l_parameter_info, name) == 0, "name");
_Static_assert(offsetof(struct s2l_parameter_info, type) == 8, "type");
_Static_assert(offsetof(struct s2l_parameter_info, mask) == 16, "mask");
_Static_assert(offsetof(struct s2l_parameter_info, number) == 20, "number");

/* A compiled program: what s2l_run and s2l_library_open start from. `cells` are its globals and statics;
   `initial_cells` (may be NULL: all UNDEF) holds their first values, scalars or immortal strings. `functions` are
   those that exist from the start, sorted by lower-case name. */
struct s2l_program {
    const char *file;
    s2l_main *main;
    const s2l_value *initial_cells;
    uint64_t cell_count;
    const s2l_function_info *const *functions;
    uint64_t function_count;
};
_Static_assert(sizeof(struct s2l_program) == 48, "s2l_program");
_Static_assert(offsetof(struct s2l_program, file) == 0, "file");
_Static_assert(offsetof(struct s2l_program, main) == 8, "main");
_Static_assert(offsetof(struct s2l_program, initial_cells) == 16, "initial_cells");
_Static_assert(offsetof(struct s2l_program, cell_count) == 24, "cell_count");
_Static_assert(offsetof(struct s2l_program, functions) == 32, "functions");
_Static_assert(offsetof(struct s2l_program, function_count) == 40, "function_count");

/* Everything one running program owns. Generated code may read and write what is here; the rest is behind `hidden`. */
struct s2l_context {
    struct s2l_frame *frame;
    int64_t pending;
    int64_t live;
    s2l_value *cells;
    char *output_cursor;
    char *output_limit;
    struct s2l_hidden *hidden;
    struct s2l_byte_string *byte_strings;
    void *free_lists[33];
};
_Static_assert(sizeof(struct s2l_context) == 328, "s2l_context");
_Static_assert(offsetof(struct s2l_context, frame) == 0, "frame");
_Static_assert(offsetof(struct s2l_context, pending) == 8, "pending");
_Static_assert(offsetof(struct s2l_context, live) == 16, "live");
_Static_assert(offsetof(struct s2l_context, cells) == 24, "cells");
_Static_assert(offsetof(struct s2l_context, output_cursor) == 32, "output_cursor");
_Static_assert(offsetof(struct s2l_context, output_limit) == 40, "output_limit");
_Static_assert(offsetof(struct s2l_context, hidden) == 48, "hidden");
_Static_assert(offsetof(struct s2l_context, byte_strings) == 56, "byte_strings");
_Static_assert(offsetof(struct s2l_context, free_lists) == 64, "free_lists");

#endif
