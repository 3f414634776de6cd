/* Builtin functions that change or ignore the case of ASCII letters. Follows ext/standard/string.c (since PHP 8.2 without
   locale). A string that is already right is shared. */
#include "internal.h"

static bool is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static char to_upper(char byte)
{
    return is_lower(byte) ? (char)(byte - 'a' + 'A') : byte;
}

static char to_lower(char byte)
{
    return is_upper(byte) ? (char)(byte - 'A' + 'a') : byte;
}

static s2l_value change_all(s2l_arguments *arguments, bool (*wrong)(char), char (*change)(char))
{
    s2l_string *string;
    if (!s2l_take_string(arguments, 0, "string", &string))
        return error_value();
    const char *bytes = string_bytes(string);
    uint64_t first = 0;
    while (first < string->length && !wrong(bytes[first]))
        first++;
    if (first == string->length)
        return s2l_done(arguments, string_value(string_dup(string)));
    s2l_string *result = s2l_string_allocate(arguments->context, string->length);
    memcpy(string_bytes(result), bytes, first);
    for (uint64_t i = first; i < string->length; i++)
        string_bytes(result)[i] = change(bytes[i]);
    return s2l_done(arguments, string_value(result));
}

BUILTIN(strtoupper)
{
    TAKE(strtoupper, 1, 1);
    return change_all(&arguments, is_lower, to_upper);
}

BUILTIN(strtolower)
{
    TAKE(strtolower, 1, 1);
    return change_all(&arguments, is_upper, to_lower);
}

static s2l_value change_first(s2l_arguments *arguments, char (*change)(char))
{
    s2l_string *string;
    if (!s2l_take_string(arguments, 0, "string", &string))
        return error_value();
    if (string->length == 0 || change(string_bytes(string)[0]) == string_bytes(string)[0])
        return s2l_done(arguments, string_value(string_dup(string)));
    s2l_string *result = s2l_string_allocate(arguments->context, string->length);
    memcpy(string_bytes(result), string_bytes(string), string->length);
    string_bytes(result)[0] = change(string_bytes(string)[0]);
    return s2l_done(arguments, string_value(result));
}

BUILTIN(ucfirst)
{
    TAKE(ucfirst, 1, 1);
    return change_first(&arguments, to_upper);
}

BUILTIN(lcfirst)
{
    TAKE(lcfirst, 1, 1);
    return change_first(&arguments, to_lower);
}

BUILTIN(ucwords)
{
    TAKE(ucwords, 1, 2);
    s2l_string *string;
    s2l_string *separators = NULL;
    if (!s2l_take_string(&arguments, 0, "string", &string)
        || !s2l_take_optional_string(&arguments, 1, "separators", &separators))
        return s2l_done(&arguments, error_value());
    if (string->length == 0)
        return s2l_done(&arguments, string_value(s2l_string_empty()));
    bool mask[256] = {false};
    if (separators != NULL) {
        s2l_byte_mask(context, "ucwords", separators, mask);
    } else {
        for (const char *byte = " \t\r\n\f\v"; *byte != '\0'; byte++)
            mask[(uint8_t)*byte] = true;
    }
    s2l_string *result = s2l_string_allocate(context, string->length);
    bool starts = true;
    for (uint64_t i = 0; i < string->length; i++) {
        char byte = string_bytes(string)[i];
        if (starts)
            byte = to_upper(byte);
        string_bytes(result)[i] = byte;
        /* The new letter decides, so a separator that is a letter ends its own run. */
        starts = mask[(uint8_t)byte];
    }
    return s2l_done(&arguments, string_value(result));
}

/* The difference of the first bytes that differ, as Zend gives it where memcmp does; else the sign of the lengths'. */
static int64_t order(const s2l_string *left, const s2l_string *right, uint64_t limit, bool ignore_case)
{
    uint64_t left_length = left->length < limit ? left->length : limit;
    uint64_t right_length = right->length < limit ? right->length : limit;
    uint64_t common = left_length < right_length ? left_length : right_length;
    for (uint64_t i = 0; i < common; i++) {
        char left_byte = string_bytes(left)[i];
        char right_byte = string_bytes(right)[i];
        int32_t difference = ignore_case ? s2l_lower_byte(left_byte) - s2l_lower_byte(right_byte)
                                         : (uint8_t)left_byte - (uint8_t)right_byte;
        if (difference != 0)
            return difference;
    }
    return (left_length > right_length) - (left_length < right_length);
}

static s2l_value compare_strings(s2l_arguments *arguments, bool limited, bool ignore_case)
{
    s2l_string *left;
    s2l_string *right;
    int64_t limit = INT64_MAX;
    if (!s2l_take_string(arguments, 0, "string1", &left) || !s2l_take_string(arguments, 1, "string2", &right)
        || (limited && !s2l_take_long(arguments, 2, "length", &limit)))
        return s2l_done(arguments, error_value());
    if (limit < 0)
        return s2l_done(arguments, s2l_argument_error(arguments, 2, "length", "must be greater than or equal to 0"));
    return s2l_done(arguments, long_value(order(left, right, (uint64_t)limit, ignore_case)));
}

BUILTIN(strcmp)
{
    TAKE(strcmp, 2, 2);
    return compare_strings(&arguments, false, false);
}

BUILTIN(strncmp)
{
    TAKE(strncmp, 3, 3);
    return compare_strings(&arguments, true, false);
}

BUILTIN(strcasecmp)
{
    TAKE(strcasecmp, 2, 2);
    return compare_strings(&arguments, false, true);
}

BUILTIN(strncasecmp)
{
    TAKE(strncasecmp, 3, 3);
    return compare_strings(&arguments, true, true);
}
