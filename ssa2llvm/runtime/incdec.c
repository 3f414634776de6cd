/* ++ and -- of any value.

   Follows zend_operators.c: increment_function, decrement_function, increment_string. null++ is 1, null-- stays null,
   bools stay; numeric strings become numbers; other strings count up as Perl does ("Az" -> "Ba", "zz" -> "aaa") and do not
   count down, but "" -- is -1. A string that only the operand holds is changed in place. */
#include "internal.h"

static s2l_value string_plus_one(s2l_context *context, s2l_string *string)
{
    if (string->length == 0) {
        string_drop(context, string);
        return string_value(s2l_string_of_byte('1'));
    }
    string = s2l_string_reserve(context, string, string->length);
    char *bytes = string_bytes(string);
    char carry = 0; /* the digit or letter to put in front when the carry leaves the string */
    for (uint64_t i = string->length; i-- > 0;) {
        char byte = bytes[i];
        bool counts = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
        if (!counts) {
            carry = 0;
            break;
        }
        if (byte != 'z' && byte != 'Z' && byte != '9') {
            bytes[i]++;
            carry = 0;
            break;
        }
        bytes[i] = byte == '9' ? '0' : byte == 'z' ? 'a' : 'A';
        carry = byte == '9' ? '1' : bytes[i];
    }
    if (carry == 0)
        return string_value(string);
    uint64_t length = string->length;
    string = s2l_string_reserve(context, string, length + 1);
    bytes = string_bytes(string);
    memmove(bytes + 1, bytes, length);
    bytes[0] = carry;
    s2l_string_set_length(string, length + 1);
    return string_value(string);
}

static s2l_value add_one(int64_t number, int64_t step)
{
    int64_t sum;
    if (__builtin_add_overflow(number, step, &sum))
        return double_value((double)number + (double)step);
    return long_value(sum);
}

/* A numeric string (consumed) plus `step`; the string itself, still owned, when it is not numeric. */
static bool step_numeric(s2l_context *context, s2l_string *string, int64_t step, s2l_value *result)
{
    s2l_number number = s2l_parse_whole_number(string_bytes(string), string->length);
    if (number.kind == 0)
        return false;
    string_drop(context, string);
    *result = number.kind == S2L_TAG_LONG ? add_one(number.integer, step) : double_value(number.real + (double)step);
    return true;
}

static s2l_value cannot(s2l_context *context, const char *what, s2l_value operand)
{
    s2l_throw_format(context, "TypeError", "Cannot %s %s", what, s2l_type_name(operand));
    s2l_value_drop(context, operand);
    return error_value();
}

s2l_value s2l_increment(s2l_context *context, s2l_value operand)
{
    s2l_value result;
    switch (operand.tag) {
    case S2L_TAG_UNDEF:
    case S2L_TAG_NULL:
        return long_value(1);
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        return operand;
    case S2L_TAG_LONG:
        return add_one(operand.payload, 1);
    case S2L_TAG_DOUBLE:
        return double_value(as_double(operand) + 1);
    case S2L_TAG_STRING:
        if (step_numeric(context, as_string(operand), 1, &result))
            return result;
        return string_plus_one(context, as_string(operand));
    default:
        return cannot(context, "increment", operand);
    }
}

s2l_value s2l_decrement(s2l_context *context, s2l_value operand)
{
    s2l_value result;
    switch (operand.tag) {
    case S2L_TAG_UNDEF:
        return null_value();
    case S2L_TAG_NULL:
    case S2L_TAG_FALSE:
    case S2L_TAG_TRUE:
        return operand;
    case S2L_TAG_LONG:
        return add_one(operand.payload, -1);
    case S2L_TAG_DOUBLE:
        return double_value(as_double(operand) - 1);
    case S2L_TAG_STRING:
        if (as_string(operand)->length == 0) {
            string_drop(context, as_string(operand));
            return long_value(-1);
        }
        return step_numeric(context, as_string(operand), -1, &result) ? result : operand;
    default:
        return cannot(context, "decrement", operand);
    }
}
