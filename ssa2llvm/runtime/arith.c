/* + - * / ** on any pair of values (+ of two arrays is their union).

   Follows zend_operators.c: add_function and its kin, zendi_try_convert_scalar_to_number, pow_function_base,
   div_function_base. Integers overflow to float; null and bools count as 0 and 1; strings as their numeric prefix, with a
   warning when something follows it and a TypeError when there is none. Generated code comes here only when the types are
   not known or an operand is no number. */
#include "internal.h"

#include <math.h>

static bool to_number(s2l_context *context, s2l_value operand, s2l_value *number)
{
    switch (operand.tag) {
    case S2L_TAG_LONG:
    case S2L_TAG_DOUBLE:
        *number = operand;
        return true;
    case S2L_TAG_STRING: {
        s2l_number parsed = s2l_parse_number(string_bytes(as_string(operand)), as_string(operand)->length);
        if (parsed.kind == 0)
            return false;
        if (parsed.trailing)
            s2l_warning(context, "A non-numeric value encountered");
        *number = parsed.kind == S2L_TAG_LONG ? long_value(parsed.integer) : double_value(parsed.real);
        return true;
    }
    case S2L_TAG_ARRAY:
    case S2L_TAG_OBJECT:
        return false;
    default:
        *number = long_value(operand.tag == S2L_TAG_TRUE ? 1 : 0);
        return true;
    }
}

static s2l_value unsupported(s2l_context *context, const char *operator, s2l_value left, s2l_value right)
{
    s2l_throw_format(context, "TypeError", "Unsupported operand types: %s %s %s", s2l_type_name(left), operator,
        s2l_type_name(right));
    return error_value();
}

typedef s2l_value number_operation(s2l_context *context, s2l_value left, s2l_value right);

/* Converts both operands, left first (its warning comes first), and applies `operation` to the numbers. */
static s2l_value apply(
    s2l_context *context, const char *operator, number_operation *operation, s2l_value left, s2l_value right)
{
    s2l_value left_number;
    s2l_value right_number;
    if (!to_number(context, left, &left_number) || !to_number(context, right, &right_number))
        return unsupported(context, operator, left, right);
    return operation(context, left_number, right_number);
}

static bool are_longs(s2l_value left, s2l_value right)
{
    return left.tag == S2L_TAG_LONG && right.tag == S2L_TAG_LONG;
}

static double real(s2l_value number)
{
    return number.tag == S2L_TAG_LONG ? (double)number.payload : as_double(number);
}

static s2l_value add_numbers(s2l_context *context, s2l_value left, s2l_value right)
{
    (void)context;
    int64_t sum;
    if (are_longs(left, right) && !__builtin_add_overflow(left.payload, right.payload, &sum))
        return long_value(sum);
    return double_value(real(left) + real(right));
}

static s2l_value sub_numbers(s2l_context *context, s2l_value left, s2l_value right)
{
    (void)context;
    int64_t difference;
    if (are_longs(left, right) && !__builtin_sub_overflow(left.payload, right.payload, &difference))
        return long_value(difference);
    return double_value(real(left) - real(right));
}

static s2l_value mul_numbers(s2l_context *context, s2l_value left, s2l_value right)
{
    (void)context;
    int64_t product;
    if (are_longs(left, right) && !__builtin_mul_overflow(left.payload, right.payload, &product))
        return long_value(product);
    return double_value(real(left) * real(right));
}

static s2l_value div_numbers(s2l_context *context, s2l_value left, s2l_value right)
{
    if (real(right) == 0) {
        s2l_throw_division_by_zero(context);
        return error_value();
    }
    if (are_longs(left, right)) {
        if (right.payload == -1)
            return left.payload == INT64_MIN ? double_value(-(double)INT64_MIN) : long_value(-left.payload);
        if (left.payload % right.payload == 0)
            return long_value(left.payload / right.payload);
    }
    return double_value(real(left) / real(right));
}

s2l_value s2l_pow_long(int64_t base, int64_t exponent)
{
    if (exponent < 0)
        return double_value(pow((double)base, (double)exponent));
    if (exponent == 0)
        return long_value(1);
    if (base == 0)
        return long_value(0);
    /* Square and multiply; at the first overflow the rest is a float power, as Zend does it (the last bits depend on it). */
    int64_t result = 1;
    while (exponent >= 1) {
        int64_t product;
        if (exponent % 2 != 0) {
            exponent--;
            if (__builtin_mul_overflow(result, base, &product))
                return double_value((double)result * (double)base * pow((double)base, (double)exponent));
            result = product;
        } else {
            exponent /= 2;
            if (__builtin_mul_overflow(base, base, &product))
                return double_value((double)result * pow((double)base * (double)base, (double)exponent));
            base = product;
        }
    }
    return long_value(result);
}

static s2l_value pow_numbers(s2l_context *context, s2l_value left, s2l_value right)
{
    (void)context;
    if (are_longs(left, right))
        return s2l_pow_long(left.payload, right.payload);
    return double_value(pow(real(left), real(right)));
}

s2l_value s2l_add(s2l_context *context, s2l_value left, s2l_value right)
{
    if (left.tag == S2L_TAG_ARRAY && right.tag == S2L_TAG_ARRAY)
        return pointer_value(s2l_array_union(context, as_array(left), as_array(right)), S2L_TAG_ARRAY);
    return apply(context, "+", add_numbers, left, right);
}

s2l_value s2l_sub(s2l_context *context, s2l_value left, s2l_value right)
{
    return apply(context, "-", sub_numbers, left, right);
}

s2l_value s2l_mul(s2l_context *context, s2l_value left, s2l_value right)
{
    return apply(context, "*", mul_numbers, left, right);
}

s2l_value s2l_div(s2l_context *context, s2l_value left, s2l_value right)
{
    return apply(context, "/", div_numbers, left, right);
}

s2l_value s2l_pow(s2l_context *context, s2l_value left, s2l_value right)
{
    return apply(context, "**", pow_numbers, left, right);
}
