/* Reading elements. A missing one is null with a warning (zend_undefined_index, zend_undefined_offset). */
#include "array_internal.h"

static inline s2l_value element(const s2l_array *array, s2l_key key)
{
    uint64_t position = s2l_array_position(array, key);
    if (position == NO_POSITION)
        return make_value(0, S2L_TAG_UNDEF);
    return dereference(raw_element(array, position));
}

s2l_value s2l_array_find_long(const s2l_array *array, int64_t key)
{
    return element(array, long_key(key));
}

s2l_value s2l_array_find_string(const s2l_array *array, s2l_string *key)
{
    return element(array, s2l_string_key(key));
}

s2l_value s2l_array_find_guessed(const s2l_array *array, s2l_string *key, int64_t *guess)
{
    uint64_t position = s2l_array_position(array, s2l_string_key(key));
    if (position == NO_POSITION)
        return make_value(0, S2L_TAG_UNDEF);
    *guess = (int64_t)position;
    return dereference(raw_element(array, position));
}

void s2l_undefined_key(s2l_context *context, s2l_key key)
{
    if (key.string != NULL)
        s2l_warning_format(context, "Undefined array key \"%s\"", string_bytes(key.string));
    else
        s2l_warning_format(context, "Undefined array key %lld", (long long)key.number);
}

static s2l_value read(s2l_context *context, const s2l_array *array, s2l_key key)
{
    s2l_value value = element(array, key);
    if (UNLIKELY(value.tag == S2L_TAG_UNDEF)) {
        s2l_undefined_key(context, key);
        return null_value();
    }
    value_dup(value);
    return value;
}

s2l_value s2l_array_read_long(s2l_context *context, const s2l_array *array, int64_t key)
{
    return read(context, array, long_key(key));
}

s2l_value s2l_array_read_string(s2l_context *context, const s2l_array *array, s2l_string *key)
{
    return read(context, array, s2l_string_key(key));
}

s2l_value s2l_array_read(s2l_context *context, const s2l_array *array, s2l_value key)
{
    s2l_key made;
    if (!s2l_value_key(context, key, &made)) {
        s2l_throw(context, "TypeError", "Illegal offset type");
        return error_value();
    }
    return read(context, array, made);
}
