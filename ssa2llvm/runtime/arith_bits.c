/* % << >> | & ^ ~ on any pair of values.

   Follows zend_operators.c: mod_function, shift_left_function, bitwise_or_function and their kin. The operators take
   integers (a float or string operand is converted, deprecated when it loses something), but | & ^ of two strings and ~ of
   one work byte by byte: | keeps the longer length, & and ^ the shorter. Shifts by 64 and more empty the word. */
#include "internal.h"

#define WORD_BITS 64

static bool to_longs(
    s2l_context *context, const char *operator, s2l_value left, s2l_value right, int64_t *left_long, int64_t *right_long)
{
    if (s2l_operand_to_long(context, left, left_long) && s2l_operand_to_long(context, right, right_long))
        return true;
    s2l_throw_format(context, "TypeError", "Unsupported operand types: %s %s %s", s2l_type_name(left), operator,
        s2l_type_name(right));
    return false;
}

s2l_value s2l_mod(s2l_context *context, s2l_value left, s2l_value right)
{
    int64_t dividend;
    int64_t divisor;
    if (!to_longs(context, "%", left, right, &dividend, &divisor))
        return error_value();
    if (divisor == 0) {
        s2l_throw_modulo_by_zero(context);
        return error_value();
    }
    return long_value(divisor == -1 ? 0 : dividend % divisor);
}

/* Both shifts: false when a shift by a negative count has thrown. */
static bool shift_operands(
    s2l_context *context, const char *operator, s2l_value left, s2l_value right, int64_t *word, int64_t *count)
{
    if (!to_longs(context, operator, left, right, word, count))
        return false;
    if (*count < 0) {
        s2l_throw_negative_shift(context);
        return false;
    }
    return true;
}

s2l_value s2l_shift_left(s2l_context *context, s2l_value left, s2l_value right)
{
    int64_t word;
    int64_t count;
    if (!shift_operands(context, "<<", left, right, &word, &count))
        return error_value();
    return long_value(count >= WORD_BITS ? 0 : (int64_t)((uint64_t)word << count));
}

s2l_value s2l_shift_right(s2l_context *context, s2l_value left, s2l_value right)
{
    int64_t word;
    int64_t count;
    if (!shift_operands(context, ">>", left, right, &word, &count))
        return error_value();
    return long_value(word >> (count >= WORD_BITS ? WORD_BITS - 1 : count));
}

typedef int64_t word_operation(int64_t left, int64_t right);

static int64_t or_words(int64_t left, int64_t right)
{
    return left | right;
}

static int64_t and_words(int64_t left, int64_t right)
{
    return left & right;
}

static int64_t xor_words(int64_t left, int64_t right)
{
    return left ^ right;
}

static s2l_string *combine_strings(
    s2l_context *context, word_operation *operation, bool keep_longer, const s2l_string *left, const s2l_string *right)
{
    const s2l_string *longer = left->length >= right->length ? left : right;
    const s2l_string *shorter = longer == left ? right : left;
    uint64_t length = keep_longer ? longer->length : shorter->length;
    if (length == 0)
        return s2l_string_empty();
    s2l_string *result = s2l_string_allocate(context, length);
    char *target = string_bytes(result);
    if (keep_longer)
        memcpy(target, string_bytes(longer), length);
    for (uint64_t i = 0; i < shorter->length; i++)
        target[i] = (char)operation(string_bytes(longer)[i], string_bytes(shorter)[i]);
    return result;
}

static s2l_value combine(s2l_context *context, const char *operator, word_operation *operation, bool keep_longer,
    const s2l_value operands[2])
{
    if (operands[0].tag == S2L_TAG_STRING && operands[1].tag == S2L_TAG_STRING)
        return string_value(
            combine_strings(context, operation, keep_longer, as_string(operands[0]), as_string(operands[1])));
    int64_t left;
    int64_t right;
    if (!to_longs(context, operator, operands[0], operands[1], &left, &right))
        return error_value();
    return long_value(operation(left, right));
}

s2l_value s2l_bw_or(s2l_context *context, s2l_value left, s2l_value right)
{
    return combine(context, "|", or_words, true, (s2l_value[]){left, right});
}

s2l_value s2l_bw_and(s2l_context *context, s2l_value left, s2l_value right)
{
    return combine(context, "&", and_words, false, (s2l_value[]){left, right});
}

s2l_value s2l_bw_xor(s2l_context *context, s2l_value left, s2l_value right)
{
    return combine(context, "^", xor_words, false, (s2l_value[]){left, right});
}

s2l_value s2l_bw_not(s2l_context *context, s2l_value operand)
{
    if (operand.tag == S2L_TAG_LONG)
        return long_value(~operand.payload);
    if (operand.tag == S2L_TAG_DOUBLE)
        return long_value(~s2l_double_to_long_operand(context, as_double(operand)));
    if (operand.tag != S2L_TAG_STRING) {
        s2l_throw_format(context, "TypeError", "Cannot perform bitwise not on %s", s2l_type_name(operand));
        return error_value();
    }
    const s2l_string *source = as_string(operand);
    if (source->length == 0)
        return string_value(s2l_string_empty());
    s2l_string *result = s2l_string_allocate(context, source->length);
    for (uint64_t i = 0; i < source->length; i++)
        string_bytes(result)[i] = (char)~string_bytes(source)[i];
    return string_value(result);
}
