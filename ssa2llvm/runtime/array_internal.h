/* What the array files share. */
#ifndef S2L_ARRAY_INTERNAL_H
#define S2L_ARRAY_INTERNAL_H

#include "arrays.h"
#include "internal.h"

/* A key as arrays hold it: `string` NULL = the integer `number`, else that string with hash `number`. */
typedef struct s2l_key {
    int64_t number;
    s2l_string *string;
} s2l_key;

static inline s2l_key long_key(int64_t number)
{
    s2l_key key = {number, NULL};
    return key;
}

s2l_key s2l_numeric_string_key(s2l_string *string);
bool s2l_converted_key(s2l_context *context, s2l_value value, s2l_key *key);

/* The key of a string: an integer if it is written as PHP would write that integer. Most begin with a letter. */
static inline s2l_key s2l_string_key(s2l_string *string)
{
    if (string_bytes(string)[0] > '9' && string->hash != S2L_NO_HASH) {
        s2l_key key = {(int64_t)string->hash, string};
        return key;
    }
    return s2l_numeric_string_key(string);
}

/* The key of any value (zend_fetch_dimension_address_inner): false when its type is none of a key's. */
static inline bool s2l_value_key(s2l_context *context, s2l_value value, s2l_key *key)
{
    if (value.tag == S2L_TAG_LONG)
        *key = long_key(value.payload);
    else if (value.tag == S2L_TAG_STRING)
        *key = s2l_string_key(as_string(value));
    else
        return s2l_converted_key(context, value, key);
    return true;
}

/* The key as a value, borrowed. */
static inline s2l_value key_value(s2l_key key)
{
    return key.string != NULL ? string_value(key.string) : long_value(key.number);
}

static inline bool is_hash(const s2l_array *array)
{
    return array->element_kind == S2L_ARRAY_HASH;
}

static inline s2l_bucket *buckets(const s2l_array *array)
{
    return array->data;
}

/* Positions 0..positions-1 hold the elements; in a hash some are removed. */
static inline uint64_t position_count(const s2l_array *array)
{
    return is_hash(array) ? array->used : array->count;
}

/* What lies at a position (a removed bucket gives UNDEF); a reference as such. */
static inline s2l_value raw_element(const s2l_array *array, uint64_t position)
{
    switch (array->element_kind) {
    case S2L_ARRAY_PACKED_LONG:
        return long_value(((const int64_t *)array->data)[position]);
    case S2L_ARRAY_PACKED_DOUBLE:
        return double_value(((const double *)array->data)[position]);
    case S2L_ARRAY_PACKED_BOOL:
        return bool_value(((const uint8_t *)array->data)[position] != 0);
    case S2L_ARRAY_PACKED_VALUE:
        return ((const s2l_value *)array->data)[position];
    default:
        return make_value(buckets(array)[position].payload, buckets(array)[position].tag);
    }
}

static inline s2l_key key_at(const s2l_array *array, uint64_t position)
{
    s2l_key key = {(int64_t)position, NULL};
    if (is_hash(array)) {
        key.number = buckets(array)[position].key;
        key.string = buckets(array)[position].string;
    }
    return key;
}

#define NO_POSITION UINT64_MAX

uint64_t s2l_hash_position(const s2l_array *array, s2l_key key);

/* The position of a key, or NO_POSITION. */
static inline uint64_t s2l_array_position(const s2l_array *array, s2l_key key)
{
    if (UNLIKELY(is_hash(array)))
        return s2l_hash_position(array, key);
    return key.string == NULL && (uint64_t)key.number < array->count ? (uint64_t)key.number : NO_POSITION;
}

/* The position of the last element of an array that has one. */
static inline uint64_t s2l_array_last(const s2l_array *array)
{
    uint64_t at = position_count(array) - 1;
    while (raw_element(array, at).tag == S2L_TAG_UNDEF)
        at--;
    return at;
}

/* The narrowest packed kind that can hold a value. */
static inline uint32_t kind_for(s2l_value value)
{
    switch (value.tag) {
    case S2L_TAG_LONG:
        return S2L_ARRAY_PACKED_LONG;
    case S2L_TAG_DOUBLE:
        return S2L_ARRAY_PACKED_DOUBLE;
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        return S2L_ARRAY_PACKED_BOOL;
    default:
        return S2L_ARRAY_PACKED_VALUE;
    }
}

/* Whether an element of a kind can be this value. */
static inline bool fits_kind(uint32_t element_kind, s2l_value value)
{
    return element_kind >= S2L_ARRAY_PACKED_VALUE || element_kind == kind_for(value);
}

/* Bytes of an element of a packed kind. */
static inline uint64_t element_size(uint32_t element_kind)
{
    switch (element_kind) {
    case S2L_ARRAY_PACKED_VALUE:
        return sizeof(s2l_value);
    case S2L_ARRAY_PACKED_BOOL:
        return sizeof(uint8_t);
    default:
        return sizeof(int64_t);
    }
}

/* Writes an element that fits a packed kind; what was there is forgotten. */
static inline void write_packed(const s2l_array *array, uint64_t position, s2l_value value)
{
    switch (array->element_kind) {
    case S2L_ARRAY_PACKED_VALUE:
        ((s2l_value *)array->data)[position] = value;
        break;
    case S2L_ARRAY_PACKED_BOOL:
        ((uint8_t *)array->data)[position] = value.tag == S2L_TAG_TRUE;
        break;
    default:
        ((int64_t *)array->data)[position] = value.payload;
    }
}

/* The element's value slot; the array must be alone and of kind PACKED_VALUE or HASH. */
s2l_value *s2l_array_slot_at(const s2l_array *array, uint64_t position);

/* The rest works on an array that nobody else holds (s2l_array_separate). */

/* Turns packed ints, floats and bools into PACKED_VALUE, so that elements have slots. */
void s2l_array_make_slots(s2l_context *context, s2l_array *array);
void s2l_array_make_hash(s2l_context *context, s2l_array *array);
/* Room for `more` further elements. */
void s2l_array_grow(s2l_context *context, s2l_array *array, uint64_t more);
/* Adds an element whose key is not there yet (string key borrowed, value consumed); gives its position. */
uint64_t s2l_array_add(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value);
/* Sets an element, there or not. */
void s2l_array_put(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value);
/* Replaces the value at a position (consumed), writing through a reference. */
void s2l_array_store(s2l_context *context, s2l_array *array, uint64_t position, s2l_value value);
void s2l_array_remove(s2l_context *context, s2l_array *array, uint64_t position);
/* Appends (value consumed); false when the next key is taken. */
bool s2l_array_append(s2l_context *context, s2l_array *array, s2l_value value);

/* Appends elements start..end-1 of a packed array at once; false, with nothing done, if they must go one by one. */
bool s2l_array_append_packed(
    s2l_context *context, s2l_array *target, const s2l_array *source, uint64_t start, uint64_t end);

/* "Undefined array key" */
void s2l_undefined_key(s2l_context *context, s2l_key key);
/* The slot that a slot means: that of the reference it holds, or itself. */
s2l_value *s2l_dereference_slot(s2l_value *slot);
/* A dimension as an offset into a string: `quiet` for ??, which neither warns nor throws for text (OFFSET_NONE). */
typedef enum { OFFSET_OK, OFFSET_NONE, OFFSET_THROWN } offset_result;
offset_result s2l_string_offset(s2l_context *context, s2l_value dimension, bool quiet, int64_t *offset);
/* `$string[$dimension] = value` (borrowed) on a slot that holds a string. False when it has thrown. */
bool s2l_string_assign_offset(s2l_context *context, s2l_value *slot, s2l_value dimension, s2l_value value);

/* The arrays that are being printed, from the inside out; an array is inside itself only through a reference. */
typedef struct s2l_enclosing {
    const struct s2l_enclosing *outer;
    const s2l_array *array;
} s2l_enclosing;

static inline bool s2l_is_open(const s2l_enclosing *chain, const s2l_array *array)
{
    while (chain != NULL && chain->array != array)
        chain = chain->outer;
    return chain != NULL;
}

/* Prints `text` (consumed), or returns it when the second argument `$return` says so; `when_printed` otherwise. */
s2l_value s2l_print_or_return(s2l_arguments *arguments, s2l_text *text, s2l_value when_printed);

/* ---- builtins on arrays (array_arguments.c) ---------------------------------------------------------------------------- */

/* An array argument, borrowed. */
bool s2l_take_array(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_array **result);
/* An array that the builtin changes: the argument is a REFERENCE; its array is made its own. The variable is written by
   s2l_give_array. */
bool s2l_take_array_variable(const s2l_arguments *arguments, uint32_t index, const char *name, s2l_array **result);
/* Puts an array (consumed) into the variable of a by-reference argument, whose old array is dropped if it is another. */
void s2l_give_array(const s2l_arguments *arguments, uint32_t index, s2l_array *array);

static inline s2l_value array_value(const s2l_array *array)
{
    return pointer_value(array, S2L_TAG_ARRAY);
}

static inline s2l_value dup(s2l_value value)
{
    value_dup(value);
    return value;
}

/* Walks over the elements of an array: key and value are borrowed, references followed. */
#define FOR_EACH(array, key, value) for (uint64_t next_ = 0; s2l_array_next(array, &next_, &(key), &(value));)

/* Elements start..end-1 of `count`, as array_slice and array_splice count them: negative from the end, cut to fit. */
typedef struct s2l_slice {
    int64_t start;
    int64_t end;
} s2l_slice;

static inline s2l_slice s2l_slice_bounds(int64_t count, int64_t offset, int64_t length)
{
    s2l_slice slice;
    slice.start = offset > count ? count : offset >= 0 ? offset : offset < -count ? 0 : count + offset;
    int64_t rest = count - slice.start;
    slice.end = length < 0 ? (length < -rest ? slice.start : count + length)
                           : slice.start + (length > rest ? rest : length);
    return slice;
}

/* `$array[$key] = value` for a key that came from an array (value consumed). */
void s2l_array_put_key(s2l_context *context, s2l_array *array, s2l_value key, s2l_value value);

/* ---- callbacks (callback.c) -------------------------------------------------------------------------------------------- */

/* A callable argument: false = TypeError pending. */
bool s2l_take_callable(
    const s2l_arguments *arguments, uint32_t index, const char *name, bool nullable, const s2l_function_info **result);
/* Calls back from a builtin: arguments borrowed, result owned; when it throws, both calls are in the trace. */
s2l_value s2l_call_back(const s2l_arguments *builtin, const s2l_function_info *function, uint32_t count,
    const s2l_value *values);

/* array_hash.c: buckets and their index. */
uint64_t s2l_hash_add(s2l_context *context, s2l_array *array, s2l_key key, s2l_value value);
void s2l_hash_remove(s2l_context *context, s2l_array *array, uint64_t position);
void s2l_hash_make_room(s2l_context *context, s2l_array *array, uint64_t capacity);
/* A copy of the buckets of `source` (all counts added) as the data of `target`. */
void s2l_hash_copy(s2l_context *context, s2l_array *target, const s2l_array *source);
uint64_t s2l_hash_data_size(uint64_t capacity);

#endif
