/* Writing elements of a variable that is known to hold an array. The array is copied first if it is shared. */
#include "array_internal.h"

/* The usual case of appending: a packed array that nobody else holds, of the value's kind, with room. */
static inline bool append_in_place(s2l_array *array, s2l_value value)
{
    if (array->refcount != 1 || is_hash(array) || array->count == 0 || array->count >= array->capacity
        || !fits_kind(array->element_kind, value))
        return false;
    write_packed(array, array->count++, value);
    return true;
}

bool s2l_array_push(s2l_context *context, s2l_array **array, s2l_value value)
{
    if (LIKELY(append_in_place(*array, value)))
        return true;
    *array = s2l_array_separate(context, *array);
    if (s2l_array_append(context, *array, value))
        return true;
    s2l_throw(context, "Error", "Cannot add element to the array as the next element is already occupied");
    value_drop(context, value);
    return false;
}

static void set(s2l_context *context, s2l_array **array, s2l_key key, s2l_value value)
{
    *array = s2l_array_separate(context, *array);
    s2l_array_put(context, *array, key, value);
}

void s2l_array_set_long(s2l_context *context, s2l_array **array, int64_t key, s2l_value value)
{
    if ((uint64_t)key != (*array)->count || !append_in_place(*array, value))
        set(context, array, long_key(key), value);
}

void s2l_array_set_string(s2l_context *context, s2l_array **array, s2l_string *key, s2l_value value)
{
    set(context, array, s2l_string_key(key), value);
}

/* The key of a write that consumes `value`. */
static bool key_for(s2l_context *context, s2l_value key, s2l_value value, s2l_key *made)
{
    if (s2l_value_key(context, key, made))
        return true;
    s2l_throw(context, "TypeError", "Illegal offset type");
    s2l_value_drop(context, value);
    return false;
}

bool s2l_array_set(s2l_context *context, s2l_array **array, s2l_value key, s2l_value value)
{
    s2l_key made;
    if (!key_for(context, key, value, &made))
        return false;
    set(context, array, made, value);
    return true;
}

bool s2l_array_define(s2l_context *context, s2l_array **array, s2l_value key, s2l_value value)
{
    s2l_key made;
    if (!key_for(context, key, value, &made))
        return false;
    *array = s2l_array_separate(context, *array);
    uint64_t position = s2l_array_position(*array, made);
    if (position == NO_POSITION) {
        s2l_array_add(context, *array, made, value);
        return true;
    }
    s2l_array_make_slots(context, *array);
    s2l_value *slot = s2l_array_slot_at(*array, position);
    s2l_value old = *slot;
    *slot = value;
    s2l_value_drop(context, old);
    return true;
}

bool s2l_array_append_all(s2l_context *context, s2l_array **array, const s2l_array *other)
{
    *array = s2l_array_separate(context, *array);
    uint64_t positions = position_count(other);
    for (uint64_t i = 0; i < positions; i++) {
        s2l_value value = dereference(raw_element(other, i));
        s2l_key key = key_at(other, i);
        if (value.tag == S2L_TAG_UNDEF)
            continue;
        value_dup(value);
        if (key.string != NULL)
            s2l_array_put(context, *array, key, value);
        else if (!s2l_array_push(context, array, value))
            return false;
    }
    return true;
}

static void unset(s2l_context *context, s2l_array **array, s2l_key key)
{
    if (s2l_array_position(*array, key) == NO_POSITION)
        return;
    *array = s2l_array_separate(context, *array);
    /* A copy may have moved the element. */
    s2l_array_remove(context, *array, s2l_array_position(*array, key));
}

void s2l_array_unset_long(s2l_context *context, s2l_array **array, int64_t key)
{
    unset(context, array, long_key(key));
}

void s2l_array_unset_string(s2l_context *context, s2l_array **array, s2l_string *key)
{
    unset(context, array, s2l_string_key(key));
}

bool s2l_array_unset(s2l_context *context, s2l_array **array, s2l_value key)
{
    s2l_key made;
    if (!s2l_value_key(context, key, &made)) {
        s2l_throw(context, "TypeError", "Illegal offset type in unset");
        return false;
    }
    unset(context, array, made);
    return true;
}

s2l_array *s2l_array_union(s2l_context *context, s2l_array *left, s2l_array *right)
{
    if (left->refcount >= 0)
        left->refcount++;
    if (left == right || right->count == 0)
        return left;
    s2l_array *result = s2l_array_separate(context, left);
    uint64_t positions = position_count(right);
    for (uint64_t i = 0; i < positions; i++) {
        s2l_value value = dereference(raw_element(right, i));
        s2l_key key = key_at(right, i);
        if (value.tag == S2L_TAG_UNDEF || s2l_array_position(result, key) != NO_POSITION)
            continue;
        value_dup(value);
        s2l_array_add(context, result, key, value);
    }
    return result;
}
