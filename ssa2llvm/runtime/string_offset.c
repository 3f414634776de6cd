/* `$string[$offset] = value`: one byte is replaced, in place when the string is held once.

   Follows zend_execute.c: zend_assign_to_string_offset, zend_check_string_offset. A string that is too short is filled up
   with spaces; of a longer value only the first byte is taken, with a warning. */
#include "array_internal.h"

static bool offset_of(s2l_context *context, s2l_value dimension, int64_t *offset)
{
    s2l_number number = {0, 0, 0, false, 0};
    switch (dimension.tag) {
    case S2L_TAG_LONG:
        *offset = dimension.payload;
        return true;
    case S2L_TAG_STRING:
        number = s2l_parse_number(string_bytes(as_string(dimension)), as_string(dimension)->length);
        if (number.kind != S2L_TAG_LONG)
            break;
        if (number.trailing)
            s2l_warning_format(context, "Illegal string offset \"%s\"", string_bytes(as_string(dimension)));
        *offset = number.integer;
        return true;
    case S2L_TAG_ARRAY:
        break;
    default:
        s2l_warning(context, "String offset cast occurred");
        *offset = s2l_to_long(dimension);
        return true;
    }
    s2l_throw_format(context, "TypeError", "Cannot access offset of type %s on string", s2l_type_name(dimension));
    return false;
}

bool s2l_string_assign_offset(s2l_context *context, s2l_value *slot, s2l_value dimension, s2l_value value)
{
    int64_t offset;
    if (!offset_of(context, dimension, &offset))
        return false;
    s2l_string *string = as_string(*slot);
    int64_t length = (int64_t)string->length;
    if (offset < -length) {
        s2l_warning_format(context, "Illegal string offset %lld", (long long)offset);
        return true;
    }
    char scratch[S2L_SCRATCH_SIZE];
    s2l_bytes bytes = s2l_bytes_of(context, value, scratch);
    if (bytes.length == 0) {
        s2l_throw(context, "Error", "Cannot assign an empty string to a string offset");
        return false;
    }
    if (bytes.length > 1)
        s2l_warning(context, "Only the first byte will be assigned to the string offset");
    char byte = bytes.bytes[0];
    if (offset < 0)
        offset += length;
    string = s2l_string_reserve(context, string, (uint64_t)(offset < length ? length : offset + 1));
    if (offset >= length) {
        memset(string_bytes(string) + length, ' ', (uint64_t)(offset - length));
        s2l_string_set_length(string, (uint64_t)offset + 1);
    }
    string_bytes(string)[offset] = byte;
    *slot = string_value(string);
    return true;
}
