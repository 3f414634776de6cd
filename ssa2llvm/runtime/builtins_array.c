/* Builtin functions that make arrays from arrays. Follows ext/standard/array.c. */
#include "array_internal.h"

#define COUNT_RECURSIVE 1
#define FILL_LIMIT ((int64_t)1 << 27)

static int64_t count_elements(const s2l_array *array, bool recursive)
{
    int64_t count = (int64_t)array->count;
    s2l_value key;
    s2l_value value;
    if (!recursive || array->element_kind < S2L_ARRAY_PACKED_VALUE)
        return count;
    FOR_EACH (array, key, value) {
        if (value.tag == S2L_TAG_ARRAY)
            count += count_elements(as_array(value), true);
    }
    return count;
}

/* An instruction in PHP, so that a wrong type has no frame of its own. */
static s2l_value count(s2l_arguments *arguments)
{
    int64_t mode = 0;
    if (!s2l_take_optional_long(arguments, 1, "mode", &mode))
        return error_value();
    if (mode < 0 || mode > COUNT_RECURSIVE)
        return s2l_argument_error(arguments, 1, "mode", "must be either COUNT_NORMAL or COUNT_RECURSIVE");
    s2l_value value = arguments->values[0];
    if (value.tag != S2L_TAG_ARRAY)
        return s2l_throw_in(arguments->context, NULL, "TypeError",
            "%s(): Argument #1 ($value) must be of type Countable|array, %s given", arguments->function,
            s2l_type_name(value));
    return long_value(count_elements(as_array(value), mode == COUNT_RECURSIVE));
}

BUILTIN(count)
{
    TAKE(count, 1, 2);
    return count(&arguments);
}

BUILTIN(sizeof)
{
    TAKE(sizeof, 1, 2);
    return count(&arguments);
}

BUILTIN(array_keys)
{
    TAKE(array_keys, 1, 3);
    s2l_array *array;
    bool strict = false;
    if (!s2l_take_array(&arguments, 0, "array", &array) || !s2l_take_optional_bool(&arguments, 2, "strict", &strict))
        return error_value();
    s2l_array *result = s2l_array_new(context, argc == 1 ? array->count : 0, S2L_ARRAY_PACKED_LONG);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        bool wanted = argc == 1 || (strict ? s2l_is_identical(value, argv[1]) : s2l_is_equal(context, value, argv[1]));
        if (wanted)
            s2l_array_append(context, result, dup(key));
    }
    return array_value(result);
}

BUILTIN(array_values)
{
    TAKE(array_values, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    if (!is_hash(array)) {
        s2l_value_dup(argv[0]);
        return array_value(array);
    }
    s2l_array *result = s2l_array_new(context, array->count, S2L_ARRAY_PACKED_LONG);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value)
        s2l_array_append(context, result, dup(value));
    return array_value(result);
}

/* Adds an element of another array: integer keys are numbered anew. */
static void add_renumbered(s2l_context *context, s2l_array *target, s2l_value key, s2l_value value)
{
    s2l_value_dup(value);
    if (key.tag == S2L_TAG_LONG)
        s2l_array_append(context, target, value);
    else
        s2l_array_put_key(context, target, key, value);
}

static void add_all_renumbered(s2l_context *context, s2l_array *target, const s2l_array *source)
{
    if (s2l_array_append_packed(context, target, source, 0, source->count))
        return;
    s2l_value key;
    s2l_value value;
    FOR_EACH (source, key, value)
        add_renumbered(context, target, key, value);
}

BUILTIN(array_merge)
{
    TAKE(array_merge, 0, NO_LIMIT);
    uint64_t total = 0;
    for (uint32_t i = 0; i < argc; i++) {
        if (argv[i].tag != S2L_TAG_ARRAY)
            return s2l_throw_in(context, "array_merge", "TypeError",
                "array_merge(): Argument #%u must be of type array, %s given", (unsigned)i + 1, s2l_type_name(argv[i]));
        total += as_array(argv[i])->count;
    }
    s2l_array *result = s2l_array_new(context, total, S2L_ARRAY_PACKED_LONG);
    for (uint32_t i = 0; i < argc; i++)
        add_all_renumbered(context, result, as_array(argv[i]));
    return array_value(result);
}

/* A value as a key the way array_combine takes it: an integer as it is, anything else as text. */
static void put_by_value(s2l_context *context, s2l_array *array, s2l_value key, s2l_value value)
{
    if (key.tag == S2L_TAG_LONG) {
        s2l_array_put(context, array, long_key(key.payload), value);
        return;
    }
    s2l_string *text = s2l_to_string(context, key);
    s2l_array_put(context, array, s2l_string_key(text), value);
    string_drop(context, text);
}

BUILTIN(array_combine)
{
    TAKE(array_combine, 2, 2);
    s2l_array *keys;
    s2l_array *values;
    if (!s2l_take_array(&arguments, 0, "keys", &keys) || !s2l_take_array(&arguments, 1, "values", &values))
        return error_value();
    if (keys->count != values->count)
        return s2l_throw_in(context, "array_combine", "ValueError",
            "array_combine(): Argument #1 ($keys) and argument #2 ($values) must have the same number of elements");
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_value ignored;
    s2l_value key;
    s2l_value value;
    uint64_t position = 0;
    FOR_EACH (keys, ignored, key) {
        s2l_array_next(values, &position, NULL, &value);
        put_by_value(context, result, key, dup(value));
    }
    return array_value(result);
}

BUILTIN(array_fill_keys)
{
    TAKE(array_fill_keys, 2, 2);
    s2l_array *keys;
    if (!s2l_take_array(&arguments, 0, "keys", &keys))
        return error_value();
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
    s2l_value ignored;
    s2l_value key;
    FOR_EACH (keys, ignored, key)
        put_by_value(context, result, key, dup(argv[1]));
    return array_value(result);
}

BUILTIN(array_flip)
{
    TAKE(array_flip, 1, 1);
    s2l_array *array;
    if (!s2l_take_array(&arguments, 0, "array", &array))
        return error_value();
    s2l_array *result = s2l_array_new(context, array->count, S2L_ARRAY_HASH);
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (value.tag == S2L_TAG_LONG || value.tag == S2L_TAG_STRING)
            put_by_value(context, result, value, dup(key));
        else
            s2l_warning(context, "array_flip(): Can only flip string and integer values, entry skipped");
    }
    return array_value(result);
}

BUILTIN(array_reverse)
{
    TAKE(array_reverse, 1, 2);
    s2l_array *array;
    bool keep = false;
    if (!s2l_take_array(&arguments, 0, "array", &array)
        || !s2l_take_optional_bool(&arguments, 1, "preserve_keys", &keep))
        return error_value();
    s2l_array *result = s2l_array_new(context, array->count, S2L_ARRAY_PACKED_LONG);
    for (uint64_t i = position_count(array); i-- > 0;) {
        s2l_value value = dereference(raw_element(array, i));
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        if (keep)
            s2l_array_put(context, result, key_at(array, i), dup(value));
        else
            add_renumbered(context, result, key_value(key_at(array, i)), value);
    }
    return array_value(result);
}

/* Elements behind the first of a packed array that has room for `count` of the value's kind. */
static void fill_packed(s2l_array *array, uint64_t count, s2l_value value)
{
    if (array->element_kind == S2L_ARRAY_PACKED_BOOL)
        memset(array->data, value.tag == S2L_TAG_TRUE, count);
    for (uint64_t i = 1; array->element_kind != S2L_ARRAY_PACKED_BOOL && i < count; i++)
        write_packed(array, i, dup(value));
    array->count = count;
}

BUILTIN(array_fill)
{
    TAKE(array_fill, 3, 3);
    int64_t start;
    int64_t count;
    if (!s2l_take_long(&arguments, 0, "start_index", &start) || !s2l_take_long(&arguments, 1, "count", &count))
        return error_value();
    if (count < 0)
        return s2l_argument_error(&arguments, 1, "count", "must be greater than or equal to 0");
    if (count >= FILL_LIMIT)
        return s2l_argument_error(&arguments, 1, "count", "is too large");
    if (count > 0 && start > INT64_MAX - (count - 1))
        return s2l_throw_in(
            context, "array_fill", "Error", "Cannot add element to the array as the next element is already occupied");
    if (count == 0)
        return array_value(s2l_array_empty());
    s2l_array *result = s2l_array_new(context, start == 0 ? (uint64_t)count : 0, kind_for(argv[2]));
    s2l_array_add(context, result, long_key(start), dup(argv[2]));
    if (start == 0)
        fill_packed(result, (uint64_t)count, argv[2]);
    for (int64_t i = (int64_t)result->count; i < count; i++)
        s2l_array_append(context, result, dup(argv[2]));
    return array_value(result);
}

BUILTIN(array_pad)
{
    TAKE(array_pad, 3, 3);
    s2l_array *array;
    int64_t length;
    if (!s2l_take_array(&arguments, 0, "array", &array) || !s2l_take_long(&arguments, 1, "length", &length))
        return error_value();
    uint64_t wanted = length < 0 ? 0 - (uint64_t)length : (uint64_t)length;
    if (wanted <= array->count)
        return dup(argv[0]);
    uint64_t missing = wanted - array->count;
    if (missing > UINT64_C(1048576))
        return s2l_throw_in(
            context, "array_pad", "ValueError", "You may only pad up to 1048576 elements at a time");
    s2l_array *result = s2l_array_new(context, wanted, S2L_ARRAY_PACKED_LONG);
    if (length > 0)
        add_all_renumbered(context, result, array);
    for (uint64_t i = 0; i < missing; i++)
        s2l_array_append(context, result, dup(argv[2]));
    if (length < 0)
        add_all_renumbered(context, result, array);
    return array_value(result);
}

BUILTIN(array_slice)
{
    TAKE(array_slice, 2, 4);
    s2l_array *array;
    int64_t offset;
    int64_t length = INT64_MAX;
    bool keep = false;
    if (!s2l_take_array(&arguments, 0, "array", &array) || !s2l_take_long(&arguments, 1, "offset", &offset)
        || !s2l_take_nullable_long(&arguments, 2, "length", &length)
        || !s2l_take_optional_bool(&arguments, 3, "preserve_keys", &keep))
        return error_value();
    s2l_slice slice = s2l_slice_bounds((int64_t)array->count, offset, length);
    s2l_array *result = s2l_array_new(context, (uint64_t)(slice.end - slice.start), S2L_ARRAY_PACKED_LONG);
    if (!keep && s2l_array_append_packed(context, result, array, (uint64_t)slice.start, (uint64_t)slice.end))
        return array_value(result);
    int64_t index = 0;
    /* Without holes the slice starts where its number says. */
    uint64_t position = 0;
    if (position_count(array) == array->count)
        index = (int64_t)(position = (uint64_t)slice.start);
    s2l_value key;
    s2l_value value;
    for (; index < slice.end && s2l_array_next(array, &position, &key, &value); index++) {
        if (index < slice.start)
            continue;
        if (keep)
            s2l_array_put_key(context, result, key, dup(value));
        else
            add_renumbered(context, result, key, value);
    }
    return array_value(result);
}

BUILTIN(array_chunk)
{
    TAKE(array_chunk, 2, 3);
    s2l_array *array;
    int64_t length;
    bool keep = false;
    if (!s2l_take_array(&arguments, 0, "array", &array) || !s2l_take_long(&arguments, 1, "length", &length)
        || !s2l_take_optional_bool(&arguments, 2, "preserve_keys", &keep))
        return error_value();
    if (length < 1)
        return s2l_argument_error(&arguments, 1, "length", "must be greater than 0");
    s2l_array *result = s2l_array_new(context, 0, S2L_ARRAY_PACKED_VALUE);
    s2l_array *chunk = NULL;
    s2l_value key;
    s2l_value value;
    FOR_EACH (array, key, value) {
        if (chunk == NULL || chunk->count == (uint64_t)length) {
            chunk = s2l_array_new(context, 0, S2L_ARRAY_PACKED_LONG);
            s2l_array_append(context, result, array_value(chunk));
        }
        if (keep)
            s2l_array_put_key(context, chunk, key, dup(value));
        else
            s2l_array_append(context, chunk, dup(value));
    }
    return array_value(result);
}
