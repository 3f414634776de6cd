/* Keys of arrays: which values are the same key.

   Follows zend_hash.h: ZEND_HANDLE_NUMERIC_STR and zend_execute.c: zend_fetch_dimension_address_inner. A string written
   exactly as PHP writes an integer is that integer; floats are cut (deprecated when that loses something), bools are 0
   and 1, null is "". */
#include "array_internal.h"

#define LONGEST_INTEGER 20

s2l_key s2l_numeric_string_key(s2l_string *string)
{
    const char *bytes = string_bytes(string);
    uint64_t length = string->length;
    bool negative = length > 0 && bytes[0] == '-';
    uint64_t start = negative ? 1 : 0;
    s2l_key text = {0, string};
    bool canonical = length > start && length <= LONGEST_INTEGER && (bytes[start] != '0' || length == 1);
    int64_t number = 0;
    for (uint64_t i = start; canonical && i < length; i++) {
        int64_t digit = bytes[i] - '0';
        canonical = digit >= 0 && digit <= 9 && !__builtin_mul_overflow(number, 10, &number)
            && !__builtin_add_overflow(number, negative ? -digit : digit, &number);
    }
    if (canonical)
        return long_key(number);
    text.number = (int64_t)s2l_string_hash(string);
    return text;
}

bool s2l_converted_key(s2l_context *context, s2l_value value, s2l_key *key)
{
    switch (value.tag) {
    case S2L_TAG_DOUBLE:
        *key = long_key(s2l_double_to_long_operand(context, as_double(value)));
        return true;
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        *key = long_key(value.tag == S2L_TAG_TRUE);
        return true;
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        *key = s2l_string_key(s2l_string_empty());
        return true;
    default:
        return false;
    }
}
