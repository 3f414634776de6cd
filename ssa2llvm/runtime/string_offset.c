/* `$string[$offset] = value`: one byte is replaced, in place when the string is held once.

   Follows zend_execute.c: zend_assign_to_string_offset. A string that is too short is filled up
   with spaces; of a longer value only the first byte is taken, with a warning. */
#include "array_internal.h"

bool s2l_string_assign_offset(s2l_context *context, s2l_value *slot, s2l_value dimension, s2l_value value)
{
    int64_t offset;
    if (s2l_string_offset(context, dimension, false, &offset) != OFFSET_OK)
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
