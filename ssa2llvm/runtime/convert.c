/* Conversions between scalar types: casts, and the conversion of an operand to int.

   Follows zend_operators.c: zval_get_long_func, zval_get_double_func, i_zend_is_true, zendi_try_get_long.
   float to int is modulo 2^64 (zend_dval_to_lval), but saturates when the float was read from a string, as strtol once
   did. An operand of an integer operator that loses its fraction or range is deprecated (PHP 8.1). */
#include "internal.h"

#include <math.h>

#define TWO_TO_63 9223372036854775808.0
#define TWO_TO_64 18446744073709551616.0

bool s2l_double_fits_long(double number)
{
    return number >= -TWO_TO_63 && number < TWO_TO_63;
}

int64_t s2l_double_to_long(double number)
{
    if (LIKELY(s2l_double_fits_long(number)))
        return (int64_t)number;
    if (!isfinite(number))
        return 0;
    double rest = fmod(number, TWO_TO_64);
    return rest < 0 ? (int64_t)(0 - (uint64_t)-rest) : (int64_t)(uint64_t)rest;
}

int64_t s2l_double_to_long_saturating(double number)
{
    if (LIKELY(s2l_double_fits_long(number)))
        return (int64_t)number;
    if (!isfinite(number))
        return 0;
    return number > 0 ? INT64_MAX : INT64_MIN;
}

int64_t s2l_double_to_long_operand(s2l_context *context, double number)
{
    int64_t result = s2l_double_to_long(number);
    if (UNLIKELY((double)result != number))
        s2l_deprecated_float_to_int(context, number);
    return result;
}

void s2l_deprecated_float_to_int(s2l_context *context, double number)
{
    char text[S2L_SCRATCH_SIZE + 1];
    text[s2l_write_double(text, number, -1, 'E')] = '\0';
    s2l_deprecated_format(context, "Implicit conversion from float %s to int loses precision", text);
}

void s2l_deprecated_string_to_int(s2l_context *context, const s2l_string *string)
{
    s2l_deprecated_format(
        context, "Implicit conversion from float-string \"%s\" to int loses precision", string_bytes(string));
}

bool s2l_string_to_bool(const s2l_string *string)
{
    return string->length > 1 || (string->length == 1 && string_bytes(string)[0] != '0');
}

int64_t s2l_string_to_long(const s2l_string *string)
{
    s2l_number number = s2l_parse_number(string_bytes(string), string->length);
    return number.kind == S2L_TAG_DOUBLE ? s2l_double_to_long_saturating(number.real) : number.integer;
}

double s2l_string_to_double(const s2l_string *string)
{
    const char *bytes = string_bytes(string);
    uint64_t length = string->length;
    while (length > 0 && is_space(*bytes)) {
        bytes++;
        length--;
    }
    return s2l_parse_double(bytes, length, NULL);
}

bool s2l_to_bool(s2l_value value)
{
    switch (value.tag) {
    case S2L_TAG_TRUE:
        return true;
    case S2L_TAG_LONG:
        return value.payload != 0;
    case S2L_TAG_DOUBLE:
        return as_double(value) != 0;
    case S2L_TAG_STRING:
        return s2l_string_to_bool(as_string(value));
    case S2L_TAG_ARRAY:
        return as_array(value)->count != 0;
    case S2L_TAG_OBJECT:
        return true;
    case S2L_TAG_REFERENCE:
        return s2l_to_bool(dereference(value));
    default:
        return false;
    }
}

int64_t s2l_to_long(s2l_value value)
{
    switch (value.tag) {
    case S2L_TAG_LONG:
        return value.payload;
    case S2L_TAG_DOUBLE:
        return s2l_double_to_long(as_double(value));
    case S2L_TAG_STRING:
        return s2l_string_to_long(as_string(value));
    default:
        return s2l_to_bool(value) ? 1 : 0;
    }
}

double s2l_to_double(s2l_value value)
{
    switch (value.tag) {
    case S2L_TAG_LONG:
        return (double)value.payload;
    case S2L_TAG_DOUBLE:
        return as_double(value);
    case S2L_TAG_STRING:
        return s2l_string_to_double(as_string(value));
    default:
        return s2l_to_bool(value) ? 1.0 : 0.0;
    }
}

s2l_string *s2l_to_string(s2l_context *context, s2l_value value)
{
    if (value.tag == S2L_TAG_STRING)
        return string_dup(as_string(value));
    char scratch[S2L_SCRATCH_SIZE];
    s2l_bytes bytes = s2l_bytes_of(context, value, scratch);
    return s2l_string_new(context, bytes.bytes, bytes.length);
}

bool s2l_operand_to_long(s2l_context *context, s2l_value operand, int64_t *result)
{
    switch (operand.tag) {
    case S2L_TAG_LONG:
        *result = operand.payload;
        return true;
    case S2L_TAG_DOUBLE:
        *result = s2l_double_to_long_operand(context, as_double(operand));
        return true;
    case S2L_TAG_STRING: {
        s2l_number number = s2l_parse_number(string_bytes(as_string(operand)), as_string(operand)->length);
        if (number.kind == 0)
            return false;
        if (number.trailing)
            s2l_warning(context, "A non-numeric value encountered");
        *result = number.integer;
        if (number.kind == S2L_TAG_DOUBLE) {
            *result = s2l_double_to_long_saturating(number.real);
            if ((double)*result != number.real)
                s2l_deprecated_string_to_int(context, as_string(operand));
        }
        return true;
    }
    case S2L_TAG_ARRAY:
    case S2L_TAG_OBJECT:
        return false;
    default:
        *result = operand.tag == S2L_TAG_TRUE ? 1 : 0;
        return true;
    }
}

const char *s2l_type_name(s2l_value value)
{
    static const char *const names[] = {"null", "null", "bool", "bool", "int", "float", "string", "array"};
    if (value.tag == S2L_TAG_OBJECT)
        return as_throwable(value)->class_name;
    return value.tag <= S2L_TAG_ARRAY ? names[value.tag] : "mixed";
}

const char *s2l_gettype_name(s2l_value value)
{
    static const char *const names[] = {"NULL", "NULL", "boolean", "boolean", "integer", "double", "string", "array", "object"};
    return value.tag <= S2L_TAG_OBJECT ? names[value.tag] : "unknown type";
}
