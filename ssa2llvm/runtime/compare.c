/* Comparison of any pair of scalar values as PHP 8 does it.

   Follows zend_operators.c: zend_compare, compare_long_to_string, compare_double_to_string, zendi_smart_strcmp,
   zendi_smart_streq, zend_is_identical. null and bool compare as bools with everything but null with string; a number
   compares with a numeric string as a number and with any other string as text.
   An unordered pair (NaN) gives 1 from compare, hence false from ==, < and <=. */
#include "internal.h"

#include <math.h>

static int32_t order_longs(int64_t left, int64_t right)
{
    return (left > right) - (left < right);
}

static int32_t order_doubles(double left, double right)
{
    return left == right ? 0 : left < right ? -1 : 1;
}

static int32_t order_bytes(const char *left, uint64_t left_length, const char *right, uint64_t right_length)
{
    int order = memcmp(left, right, left_length < right_length ? left_length : right_length);
    if (order != 0)
        return order < 0 ? -1 : 1;
    return (left_length > right_length) - (left_length < right_length);
}

static s2l_number parse(const s2l_string *string)
{
    return s2l_parse_whole_number(string_bytes(string), string->length);
}

/* Order of two numeric strings; false when they must be compared as text. Two integers that overflow to the same side, or
   two equal infinities, have lost what tells them apart. */
static bool order_numbers(s2l_number left, s2l_number right, int32_t *order)
{
    if (left.kind == S2L_TAG_LONG && right.kind == S2L_TAG_LONG) {
        *order = order_longs(left.integer, right.integer);
        return true;
    }
    if (left.kind == S2L_TAG_LONG) {
        *order = right.overflow != 0 ? -right.overflow : order_doubles((double)left.integer, right.real);
        return true;
    }
    if (right.kind == S2L_TAG_LONG) {
        *order = left.overflow != 0 ? left.overflow : order_doubles(left.real, (double)right.integer);
        return true;
    }
    if (left.real == right.real && (!isfinite(left.real) || (left.overflow != 0 && left.overflow == right.overflow)))
        return false;
    *order = order_doubles(left.real, right.real);
    return true;
}

int32_t s2l_string_compare(const s2l_string *left, const s2l_string *right)
{
    if (left == right)
        return 0;
    /* Text that starts with a letter is no number: the usual case needs no parsing. */
    if (string_bytes(left)[0] > '9' || string_bytes(right)[0] > '9')
        return order_bytes(string_bytes(left), left->length, string_bytes(right), right->length);
    s2l_number left_number = parse(left);
    s2l_number right_number = left_number.kind != 0 ? parse(right) : left_number;
    int32_t order;
    if (left_number.kind != 0 && right_number.kind != 0 && order_numbers(left_number, right_number, &order))
        return order;
    return order_bytes(string_bytes(left), left->length, string_bytes(right), right->length);
}

bool s2l_string_is_equal(const s2l_string *left, const s2l_string *right)
{
    if (left == right)
        return true;
    if (left->length == 0 || right->length == 0 || string_bytes(left)[0] > '9' || string_bytes(right)[0] > '9')
        return s2l_string_is_identical(left, right);
    return s2l_string_compare(left, right) == 0;
}

static int32_t compare_number_with_string(s2l_context *context, s2l_value number, const s2l_string *string)
{
    s2l_number parsed = parse(string);
    if (parsed.kind == 0) {
        char scratch[S2L_SCRATCH_SIZE];
        s2l_bytes text = s2l_bytes_of(context, number, scratch);
        return order_bytes(text.bytes, text.length, string_bytes(string), string->length);
    }
    if (number.tag == S2L_TAG_LONG && parsed.kind == S2L_TAG_LONG)
        return order_longs(number.payload, parsed.integer);
    double right = parsed.kind == S2L_TAG_LONG ? (double)parsed.integer : parsed.real;
    return order_doubles(s2l_to_double(number), right);
}

static bool is_number(s2l_value value)
{
    return value.tag == S2L_TAG_LONG || value.tag == S2L_TAG_DOUBLE;
}

static int32_t compare_scalars(s2l_context *context, s2l_value left, s2l_value right)
{
    if (left.tag == S2L_TAG_LONG && right.tag == S2L_TAG_LONG)
        return order_longs(left.payload, right.payload);
    if (is_number(left) && is_number(right))
        return order_doubles(s2l_to_double(left), s2l_to_double(right));
    if (left.tag == S2L_TAG_STRING && right.tag == S2L_TAG_STRING)
        return s2l_string_compare(as_string(left), as_string(right));
    if (left.tag <= S2L_TAG_NULL && right.tag == S2L_TAG_STRING)
        return as_string(right)->length == 0 ? 0 : -1;
    if (right.tag <= S2L_TAG_NULL && left.tag == S2L_TAG_STRING)
        return as_string(left)->length == 0 ? 0 : 1;
    if (left.tag <= S2L_TAG_TRUE || right.tag <= S2L_TAG_TRUE)
        return (int32_t)s2l_to_bool(left) - (int32_t)s2l_to_bool(right);
    if (is_number(left) && right.tag == S2L_TAG_STRING) {
        bool unordered = left.tag == S2L_TAG_DOUBLE && isnan(as_double(left));
        return unordered ? 1 : compare_number_with_string(context, left, as_string(right));
    }
    if (is_number(right) && left.tag == S2L_TAG_STRING) {
        bool unordered = right.tag == S2L_TAG_DOUBLE && isnan(as_double(right));
        return unordered ? 1 : -compare_number_with_string(context, right, as_string(left));
    }
    if (left.tag == S2L_TAG_ARRAY && right.tag == S2L_TAG_ARRAY)
        return s2l_array_compare(context, as_array(left), as_array(right));
    /* Objects are equal when they are one; others have no order. */
    if (left.tag == S2L_TAG_OBJECT || right.tag == S2L_TAG_OBJECT)
        return left.tag == right.tag && left.payload == right.payload ? 0 : 1;
    /* An array is greater than anything that is none. */
    return left.tag == S2L_TAG_ARRAY ? 1 : -1;
}

int32_t s2l_compare(s2l_context *context, s2l_value left, s2l_value right)
{
    return compare_scalars(context, left, right);
}

bool s2l_is_equal(s2l_context *context, s2l_value left, s2l_value right)
{
    if (left.tag == S2L_TAG_STRING && right.tag == S2L_TAG_STRING)
        return s2l_string_is_equal(as_string(left), as_string(right));
    return s2l_compare(context, left, right) == 0;
}

bool s2l_is_smaller(s2l_context *context, s2l_value left, s2l_value right)
{
    return s2l_compare(context, left, right) < 0;
}

bool s2l_is_smaller_or_equal(s2l_context *context, s2l_value left, s2l_value right)
{
    return s2l_compare(context, left, right) <= 0;
}

bool s2l_is_identical(s2l_value left, s2l_value right)
{
    if (left.tag != right.tag)
        return left.tag <= S2L_TAG_NULL && right.tag <= S2L_TAG_NULL;
    switch (left.tag) {
    case S2L_TAG_LONG:
        return left.payload == right.payload;
    case S2L_TAG_DOUBLE:
        return as_double(left) == as_double(right);
    case S2L_TAG_STRING:
        return s2l_string_is_identical(as_string(left), as_string(right));
    case S2L_TAG_ARRAY:
        return s2l_array_is_identical(as_array(left), as_array(right));
    default:
        return left.payload == right.payload;
    }
}
