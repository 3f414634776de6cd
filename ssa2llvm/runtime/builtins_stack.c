/* Builtin functions that add elements to and take them from an array variable: array_push, array_pop, array_shift,
   array_unshift, array_splice. Follows ext/standard/array.c. */
#include "array_internal.h"

BUILTIN(array_push)
{
    TAKE(array_push, 1, NO_LIMIT);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    for (uint32_t i = 1; i < argc; i++) {
        if (!s2l_array_append(context, array, dup(argv[i]))) {
            s2l_value_drop(context, argv[i]);
            return s2l_throw_in(context, "array_push", "Error",
                "Cannot add element to the array as the next element is already occupied");
        }
    }
    return long_value((int64_t)array->count);
}

BUILTIN(array_pop)
{
    TAKE(array_pop, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    array->position = 0;
    if (array->count == 0)
        return null_value();
    uint64_t last = s2l_array_last(array);
    s2l_value raw = raw_element(array, last);
    if (!is_hash(array)) {
        /* A packed array stays one: its next key is its count. */
        array->count--;
        array->next_key = 0;
        s2l_value value = dup(dereference(raw));
        s2l_value_drop(context, raw);
        return value;
    }
    s2l_value value = dup(dereference(raw));
    s2l_key key = key_at(array, last);
    bool was_next = key.string == NULL && key.number + 1 == array->next_key;
    s2l_hash_remove(context, array, last);
    if (was_next)
        array->next_key--;
    return value;
}

/* Adds an element (consumed) of an array that is being rebuilt: integer keys are numbered anew. */
static void rebuild(s2l_context *context, s2l_array *target, s2l_key key, s2l_value value)
{
    if (key.string == NULL)
        s2l_array_append(context, target, value);
    else
        s2l_array_put(context, target, key, value);
}

static void rebuild_range(
    s2l_context *context, s2l_array *target, const s2l_array *source, uint64_t *position, int64_t count)
{
    for (; count > 0 && *position < position_count(source); ++*position) {
        s2l_value value = raw_element(source, *position);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        rebuild(context, target, key_at(source, *position), dup(value));
        count--;
    }
}

static s2l_array *rebuilt(s2l_context *context, uint64_t capacity)
{
    s2l_array *array = s2l_array_new(context, capacity, S2L_ARRAY_PACKED_LONG);
    array->next_key = 0;
    return array;
}

BUILTIN(array_shift)
{
    TAKE(array_shift, 1, 1);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    if (array->count == 0)
        return null_value();
    uint64_t position = 0;
    s2l_value value;
    s2l_array_next(array, &position, NULL, &value);
    s2l_value_dup(value);
    if (is_hash(array)) {
        s2l_array *result = rebuilt(context, array->count - 1);
        rebuild_range(context, result, array, &position, (int64_t)array->count - 1);
        s2l_give_array(&arguments, 0, result);
        return value;
    }
    if (array->element_kind == S2L_ARRAY_PACKED_VALUE)
        s2l_value_drop(context, raw_element(array, 0));
    uint64_t size = element_size(array->element_kind);
    array->count--;
    memmove(array->data, (char *)array->data + size, array->count * size);
    array->next_key = 0;
    array->position = 0;
    return value;
}

BUILTIN(array_unshift)
{
    TAKE(array_unshift, 1, NO_LIMIT);
    s2l_array *array;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array))
        return error_value();
    s2l_array *result = rebuilt(context, array->count + argc - 1);
    for (uint32_t i = 1; i < argc; i++)
        s2l_array_append(context, result, dup(argv[i]));
    uint64_t position = 0;
    rebuild_range(context, result, array, &position, (int64_t)array->count);
    s2l_give_array(&arguments, 0, result);
    return long_value((int64_t)result->count);
}

BUILTIN(array_splice)
{
    TAKE(array_splice, 2, 4);
    s2l_array *array;
    int64_t offset;
    int64_t length = INT64_MAX;
    if (!s2l_take_array_variable(&arguments, 0, "array", &array) || !s2l_take_long(&arguments, 1, "offset", &offset)
        || !s2l_take_nullable_long(&arguments, 2, "length", &length))
        return error_value();
    s2l_slice slice = s2l_slice_bounds((int64_t)array->count, offset, length);
    /* A length that is given and overflows the end removes nothing in PHP. */
    if (argc > 2 && argv[2].tag > S2L_TAG_NULL && length > INT64_MAX - slice.start)
        slice.end = slice.start;
    s2l_array *result = rebuilt(context, array->count);
    s2l_array *removed = s2l_array_new(context, (uint64_t)(slice.end - slice.start), S2L_ARRAY_PACKED_LONG);
    uint64_t position = 0;
    rebuild_range(context, result, array, &position, slice.start);
    rebuild_range(context, removed, array, &position, slice.end - slice.start);
    s2l_value replacement = argc > 3 ? dereference(argv[3]) : null_value();
    s2l_value key;
    s2l_value value;
    if (replacement.tag == S2L_TAG_ARRAY) {
        FOR_EACH (as_array(replacement), key, value)
            s2l_array_append(context, result, dup(value));
    } else if (argc > 3) {
        s2l_array_append(context, result, dup(replacement));
    }
    rebuild_range(context, result, array, &position, INT64_MAX);
    s2l_give_array(&arguments, 0, result);
    return array_value(removed);
}
