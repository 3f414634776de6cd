/* `$container[$dimension]` for reading, on any container.

   Follows zend_execute.c: zend_fetch_dimension_address_read (R and IS), zend_isset_dim_slow, zend_isempty_dim_slow, with
   their differences: reading takes the integer prefix of a string and warns, isset asks for a whole integer string; reading
   casts a float with "String offset cast occurred", isset with the deprecation of lost precision. */
#include "array_internal.h"

/* The byte at `offset` (negative: from the end), or -1. */
static int32_t byte_at(const s2l_string *string, int64_t offset)
{
    uint64_t position = offset < 0 ? string->length + (uint64_t)offset : (uint64_t)offset;
    if (position >= string->length)
        return -1;
    return (uint8_t)string_bytes(string)[position];
}

s2l_string *s2l_string_read_offset(s2l_context *context, const s2l_string *string, int64_t offset)
{
    int32_t byte = byte_at(string, offset);
    if (LIKELY(byte >= 0))
        return one_byte_string((uint8_t)byte);
    s2l_warning_format(context, "Uninitialized string offset %lld", (long long)offset);
    return s2l_string_empty();
}

offset_result s2l_string_offset(s2l_context *context, s2l_value dimension, bool quiet, int64_t *offset)
{
    switch (dimension.tag) {
    case S2L_TAG_LONG:
        *offset = dimension.payload;
        return OFFSET_OK;
    case S2L_TAG_STRING: {
        const s2l_string *string = as_string(dimension);
        s2l_number number = s2l_parse_number(string_bytes(string), string->length);
        if (number.kind == S2L_TAG_LONG) {
            if (number.trailing)
                s2l_warning_format(context, "Illegal string offset \"%s\"", string_bytes(string));
            *offset = number.integer;
            return OFFSET_OK;
        }
        if (quiet)
            return OFFSET_NONE;
        break;
    }
    case S2L_TAG_ARRAY:
        break;
    default:
        if (!quiet)
            s2l_warning(context, "String offset cast occurred");
        *offset = s2l_to_long(dimension);
        return OFFSET_OK;
    }
    s2l_throw_format(context, "TypeError", "Cannot access offset of type %s on string", s2l_type_name(dimension));
    return OFFSET_THROWN;
}

s2l_value s2l_fetch_dim_read(s2l_context *context, s2l_value container, s2l_value dimension)
{
    if (container.tag == S2L_TAG_ARRAY)
        return s2l_array_read(context, as_array(container), dimension);
    if (container.tag != S2L_TAG_STRING) {
        s2l_warning_format(context, "Trying to access array offset on value of type %s", s2l_type_name(container));
        return null_value();
    }
    int64_t offset;
    if (s2l_string_offset(context, dimension, false, &offset) == OFFSET_THROWN)
        return error_value();
    return string_value(s2l_string_read_offset(context, as_string(container), offset));
}

/* The element that isset, empty and ?? look at, borrowed: UNDEF when there is none, ERROR for an illegal key. */
static s2l_value quiet_element(s2l_context *context, const s2l_array *array, s2l_value dimension, const char *place)
{
    s2l_key key;
    if (!s2l_value_key(context, dimension, &key)) {
        s2l_throw_format(context, "TypeError", "Illegal offset type%s", place);
        return error_value();
    }
    uint64_t position = s2l_array_position(array, key);
    return position == NO_POSITION ? make_value(0, S2L_TAG_UNDEF) : dereference(raw_element(array, position));
}

s2l_value s2l_fetch_dim_is(s2l_context *context, s2l_value container, s2l_value dimension)
{
    if (container.tag == S2L_TAG_ARRAY) {
        s2l_value value = quiet_element(context, as_array(container), dimension, "");
        value_dup(value);
        return value.tag == S2L_TAG_UNDEF ? null_value() : value;
    }
    if (container.tag != S2L_TAG_STRING)
        return null_value();
    int64_t offset;
    offset_result result = s2l_string_offset(context, dimension, true, &offset);
    if (result != OFFSET_OK)
        return result == OFFSET_NONE ? null_value() : error_value();
    int32_t byte = byte_at(as_string(container), offset);
    return byte < 0 ? null_value() : string_value(one_byte_string((uint8_t)byte));
}

/* The byte that isset and empty look at, or -1. */
static int32_t isset_byte(s2l_context *context, s2l_value container, s2l_value dimension)
{
    if (container.tag != S2L_TAG_STRING)
        return -1;
    int64_t offset;
    if (dimension.tag == S2L_TAG_STRING) {
        const s2l_string *string = as_string(dimension);
        s2l_number number = s2l_parse_whole_number(string_bytes(string), string->length);
        if (number.kind != S2L_TAG_LONG)
            return -1;
        offset = number.integer;
    } else if (dimension.tag == S2L_TAG_DOUBLE) {
        offset = s2l_double_to_long_operand(context, as_double(dimension));
    } else if (dimension.tag < S2L_TAG_STRING) {
        offset = s2l_to_long(dimension);
    } else {
        return -1;
    }
    return byte_at(as_string(container), offset);
}

bool s2l_isset_dim(s2l_context *context, s2l_value container, s2l_value dimension)
{
    if (container.tag == S2L_TAG_ARRAY) {
        s2l_value value = quiet_element(context, as_array(container), dimension, " in isset or empty");
        return value.tag > S2L_TAG_NULL && !is_error(value);
    }
    return isset_byte(context, container, dimension) >= 0;
}

bool s2l_empty_dim(s2l_context *context, s2l_value container, s2l_value dimension)
{
    if (container.tag == S2L_TAG_ARRAY)
        return !s2l_to_bool(quiet_element(context, as_array(container), dimension, " in isset or empty"));
    int32_t byte = isset_byte(context, container, dimension);
    return byte < 0 || byte == '0';
}
